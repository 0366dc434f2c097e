#include "calibration/fit/device_split.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fit/fit.hpp"
#include "calibration/fit/service_fit.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

/// A value and how it changes with each of the measured quantities: the times alone, and last the rate.
struct Linear {
  double value = 0.0;
  std::vector<double> slopes{};
};

Linear plus(const Linear& a, const Linear& b, double factor) {
  Linear sum = a;
  sum.value += factor * b.value;
  for (std::size_t i = 0; i < sum.slopes.size(); ++i) sum.slopes[i] += factor * b.slopes[i];
  return sum;
}

Linear scaled(const Linear& a, double factor) {
  Linear product = a;
  product.value *= factor;
  for (double& slope : product.slopes) slope *= factor;
  return product;
}

/// How much longer the device is busy with a batch of each size than with the smallest.
std::vector<Linear> growth_of(const std::vector<double>& sizes, const std::vector<Linear>& alone) {
  const std::size_t n = sizes.size();
  const Linear last = scaled(plus(alone[n - 1], alone[n - 2], -1.0), 1.0 / (sizes[n - 1] - sizes[n - 2]));
  std::vector<Linear> growth{scaled(alone[0], 0.0)};
  for (std::size_t i = 1; i < n; ++i) {
    const Linear own = plus(alone[i], alone[i - 1], -1.0);
    const Linear least = scaled(last, sizes[i] - sizes[i - 1]);
    growth.push_back(plus(growth.back(), own.value >= least.value ? own : least, 1.0));
  }
  return growth;
}

Linear between(const std::vector<double>& sizes, const std::vector<Linear>& values, double size) {
  std::vector<double> basis(sizes.size());
  piecewise_law(sizes).basis(size, basis);
  Linear sum = scaled(values[0], basis[0]);
  for (std::size_t i = 1; i < sizes.size(); ++i) sum = plus(sum, values[i], basis[i]);
  return sum;
}

double batch_of(const SharedRow& shared) {
  return shared.executed_batch.value_or(shared.request_batch);
}

void demand_sound_row(const SharedRow& shared, const std::vector<double>& sizes) {
  const bool sound =
      shared.clients >= 2 && shared.instances >= 2 && shared.request_batch >= 1.0 &&
      std::isfinite(shared.request_batch) && batch_of(shared) >= 1.0 && std::isfinite(batch_of(shared)) &&
      std::isfinite(shared.items_per_s) && shared.items_per_s > 0.0 &&
      (!shared.standard_error || (std::isfinite(*shared.standard_error) && *shared.standard_error > 0.0));
  if (!sound)
    refuse_fit(shared.label, "calibration.bad_value",
               "A row of instances that share a device has " + counted(shared.clients, "client") + ", " +
                   counted(shared.instances, "instance") + ", requests of " + significant(shared.request_batch, 3) +
                   " items and " + significant(shared.items_per_s, 3) +
                   " items/s; needed are two clients and two instances at least, and numbers above 0.");
  if (!shared.executed_batch && shared.clients > shared.instances + 1)
    refuse_fit(shared.label, "calibration.unknown_batches",
               counted(shared.clients, "client") + " of " + counted(shared.instances, "instance") +
                   " have several requests waiting at once, which a server that batches dynamically joins; what it "
                   "executed is needed.");
  const double batch = batch_of(shared);
  if (sizes.size() < 2 || batch < sizes.front() || batch > sizes.back())
    refuse_fit(shared.label, "calibration.too_few_sizes",
               "The batches had " + significant(batch, 3) + " items, but the times of one client alone are known for " +
                   counted(sizes.size(), "size") + ", " + significant(sizes.front(), 3) + " to " +
                   significant(sizes.back(), 3) + ": measure such batches alone too.");
}

/// What the smallest batch costs the device, from the rate: items/rate = device(smallest) + growth(items).
Linear device_of_smallest(const SharedRow& shared, const std::vector<double>& sizes,
                          const std::vector<Linear>& growth) {
  const double items = batch_of(shared);
  Linear device = scaled(growth[0], 0.0);
  device.value = items / shared.items_per_s;
  device.slopes.back() = -items / (shared.items_per_s * shared.items_per_s);
  return plus(device, between(sizes, growth, items), -1.0);
}

double covariance_of(const Linear& a, const Linear& b, const std::vector<double>& covariance) {
  const std::size_t n = a.slopes.size();
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) sum += a.slopes[i] * b.slopes[j] * covariance[i * n + j];
  return sum;
}

/// The times alone, with their covariance where errors or repeats tell one.
Fit times_alone(std::span<const FitPoint> alone, const std::vector<double>& sizes) {
  const bool errors =
      std::all_of(alone.begin(), alone.end(), [](const FitPoint& p) { return p.standard_error.has_value(); });
  if (errors || alone.size() > sizes.size()) return fit_piecewise(alone);
  std::vector<FitPoint> exact(alone.begin(), alone.end());
  // Equal relative errors of any size leave the times as they are; the covariance is then taken away.
  for (FitPoint& point : exact) point.standard_error = 1e-3 * point.y;
  Fit fit = fit_piecewise(exact);
  fit.parameters.covariance.assign(sizes.size() * sizes.size(), 0.0);
  fit.errors_known = false;
  fit.error_unknown = true;
  fit.notes.emplace_back("The times alone have no errors and no repeats: their part of the error is not known.");
  return fit;
}

/// The covariance of what was measured: the times alone, and last the rate.
std::vector<double> measured_covariance(const Fit& alone, const SharedRow& shared) {
  const std::size_t n = alone.parameters.values.size();
  std::vector<double> covariance((n + 1) * (n + 1), 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) covariance[i * (n + 1) + j] = alone.parameters.covariance[i * n + j];
  covariance.back() = std::pow(shared.standard_error.value_or(0.0), 2);
  return covariance;
}

void set_parameters(DeviceSplit& split, const std::vector<Linear>& alone, const std::vector<Linear>& device,
                    const std::vector<double>& measured) {
  std::vector<Linear> all = alone;
  all.insert(all.end(), device.begin(), device.end());
  FittedParameters& parameters = split.fit.parameters;
  parameters.values.clear();
  parameters.covariance.clear();
  for (const double size : split.fit.knots) parameters.names.push_back("device" + knot_name(size).substr(1));
  for (const Linear& a : all) {
    parameters.values.push_back(a.value);
    for (const Linear& b : all) parameters.covariance.push_back(covariance_of(a, b, measured));
  }
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const Linear host = plus(alone[i], device[i], -1.0);
    split.host.push_back(host.value);
    split.host_error.push_back(std::sqrt(std::max(0.0, covariance_of(host, host, measured))));
  }
}

/// A row without waiting, or with more of it than a shared device explains.
void judge(DeviceSplit& split, const SharedRow& shared, std::vector<Linear>& device, const std::vector<Linear>& alone) {
  double least_load = 1e300;
  for (std::size_t i = 0; i < device.size(); ++i)
    least_load = std::min(
        least_load, static_cast<double>(std::min(shared.clients, shared.instances)) * device[i].value / alone[i].value);
  double excess = 1.0;
  for (std::size_t i = 0; i < device.size(); ++i) excess = std::max(excess, device[i].value / alone[i].value);
  if (excess > 1.0) {
    split.contention = excess - 1.0;
    for (Linear& part : device) part = scaled(part, 1.0 / excess);
    split.fit.notes.emplace_back(
        "Together the instances need " + significant(excess, 3) +
        " times what one needs alone, host part and all: they disturb each other (contention " +
        significant(excess - 1.0, 3) + "), and the split is an upper bound of the device part.");
  } else if (least_load <= 1.02) {
    split.saturated = false;
    split.fit.notes.emplace_back(
        "The instances hardly wait for each other: the device is not saturated in this row, and the "
        "device part is only known to be at most this. A row with more clients would tell.");
  }
}

}  // namespace

DeviceSplit split_host_device(std::span<const FitPoint> alone, const SharedRow& shared) {
  demand_sound_points(alone);
  const std::vector<double> sizes = sizes_of(alone);
  demand_sound_row(shared, sizes);
  DeviceSplit split{.fit = times_alone(alone, sizes)};
  const std::vector<double> values = split.fit.parameters.values;
  const std::vector<double> measured = measured_covariance(split.fit, shared);
  std::vector<Linear> times_of_sizes;
  for (std::size_t i = 0; i < split.fit.knots.size(); ++i) {
    times_of_sizes.push_back({values[i], std::vector<double>(values.size() + 1, 0.0)});
    times_of_sizes.back().slopes[i] = 1.0;
  }
  const std::vector<double> knots = split.fit.knots;
  const std::vector<Linear> growth = growth_of(knots, times_of_sizes);
  const Linear smallest = device_of_smallest(shared, knots, growth);
  if (smallest.value <= 0.0)
    refuse_fit(shared.label, "calibration.bad_value",
               significant(shared.items_per_s, 3) +
                   " items/s are more than the device could do if a batch of one took it no time at "
                   "all, by the times of one client alone: are both of the same device, model and unit?");
  std::vector<Linear> device;
  for (const Linear& more : growth) device.push_back(plus(smallest, more, 1.0));
  judge(split, shared, device, times_of_sizes);
  set_parameters(split, times_of_sizes, device, measured);
  if (!shared.standard_error) {
    split.fit.error_unknown = true;
    split.fit.notes.emplace_back("The shared rate has no error: its part of the error is not known.");
  }
  return split;
}

}  // namespace saturn
