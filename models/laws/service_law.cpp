#include "models/laws/service_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "models/words/numbers.hpp"

namespace saturn {

namespace {

constexpr double standard_errors_apart = 3.0;

/// Factors from which on a time is too long, where the errors of both are known and where one is not.
struct Tolerance {
  double with_errors = 1.0;
  double without_errors = 1.0;
};
constexpr Tolerance of_falls{.with_errors = 1.02, .without_errors = 1.05};
// Caches that overflow and clocks that give way make a T4's doubled batch up to 9 % dearer than two.
constexpr Tolerance of_parts{.with_errors = 1.1, .without_errors = 1.2};

/// Is one time above so many of the other, beyond what their errors allow?
bool is_above(const BatchTimePoint& high, double times, const BatchTimePoint& low, const Tolerance& tolerance) {
  const double bound = times * low.time_s;
  if (!high.standard_error || !low.standard_error) return high.time_s > tolerance.without_errors * bound;
  const double error = std::hypot(*high.standard_error, times * *low.standard_error);
  return high.time_s > tolerance.with_errors * bound && high.time_s - bound > standard_errors_apart * error;
}

/// Batches of a that b items fill, rounded up to a power of two.
double power_of_two_parts(double a, double b) {
  double parts = 1.0;
  while (parts * a < b) parts *= 2.0;
  return parts;
}

std::string time_in_words(const BatchTimePoint& point) {
  return "T(" + significant(point.items, 4) + ") = " + significant(1e3 * point.time_s, 4) + " ms";
}

}  // namespace

std::vector<BatchTimeFault> batch_time_faults(std::span<const BatchTimePoint> points) {
  std::vector<BatchTimeFault> faults;
  for (std::size_t larger = 1; larger < points.size(); ++larger) {
    BatchTimeFault fall{.larger = larger};
    BatchTimeFault split{.larger = larger};
    const BatchTimePoint& b = points[larger];
    for (std::size_t smaller = 0; smaller < larger; ++smaller) {
      const BatchTimePoint& a = points[smaller];
      if (is_above(a, 1.0, b, of_falls) && a.time_s / b.time_s > fall.factor) {
        fall.smaller = smaller;
        fall.factor = a.time_s / b.time_s;
      }
      const double parts = power_of_two_parts(a.items, b.items);
      if (is_above(b, parts, a, of_parts) && b.time_s / (parts * a.time_s) > split.factor) {
        split.smaller = smaller;
        split.parts = static_cast<std::size_t>(parts);
        split.factor = b.time_s / (parts * a.time_s);
      }
    }
    if (fall.factor > 1.0) faults.push_back(fall);
    if (split.factor > 1.0) faults.push_back(split);
  }
  return faults;
}

std::string in_words(const BatchTimeFault& fault, std::span<const BatchTimePoint> points) {
  const BatchTimePoint& small = points[fault.smaller];
  const BatchTimePoint& large = points[fault.larger];
  const std::string both = significant(small.items, 4) + " and " + significant(large.items, 4);
  const std::string again =
      "Measure batches of " + both +
      " again with two requests in flight (perf_analyzer --concurrency-range 2), so that the device never idles and "
      "its clocks stay up: ";
  if (fault.parts == 0)
    return time_in_words(small) + " is above " + time_in_words(large) + " (" + significant(fault.factor, 4) +
           " times), which cannot be: the smaller batch could be filled up to the larger one. " + again +
           "batch over rate decides which of the two is wrong.";
  const std::string parts = std::to_string(fault.parts);
  return time_in_words(large) + " is " + significant(fault.factor, 4) + " times as long as " + parts + " batches of " +
         significant(small.items, 4) + ", which do the same items (" + time_in_words(small) +
         " each): batching would be worse than none. " + again +
         "if the larger batch really gives fewer items/s, max_batch_size should stay below it; else one of the two "
         "times is wrong.";
}

namespace {

double whole_time(const MeasuredPoint& point) {
  return point.time.value;
}
double device_time(const MeasuredPoint& point) {
  return point.device->value;
}

/// A measured time at b, on the straight lines between the points.
double interpolated(const std::vector<MeasuredPoint>& points, double (*time)(const MeasuredPoint&), double items) {
  const auto line = [&](const MeasuredPoint& a, const MeasuredPoint& b) {
    return time(a) + (time(b) - time(a)) * (items - a.items) / (b.items - a.items);
  };
  const auto next = std::lower_bound(points.begin(), points.end(), items,
                                     [](const MeasuredPoint& point, double b) { return point.items < b; });
  if (next == points.begin()) {
    // A law that grows steeper than in proportion would fall below 0 when its line is drawn down to few items.
    const double in_proportion = time(points.front()) * items / points.front().items;
    return std::max(line(points[0], points[1]), in_proportion);
  }
  if (next == points.end()) return line(points[points.size() - 2], points.back());
  return line(*(next - 1), *next);
}

double measured_time(const std::vector<MeasuredPoint>& points, double items) {
  return interpolated(points, whole_time, items);
}

double mean_host_s(const ServiceLaw& law, double items, double expected_s) {
  if (!law.points.empty() && law.points.front().device)
    return std::max(0.0, expected_s - interpolated(law.points, device_time, items));
  return law.host.per_batch.value + items * law.host.per_item.value;
}

/// sample(), at once where nothing is drawn.
Seconds sample_part(const TimeDistribution& time, RandomStream& stream) {
  const auto* constant = std::get_if<ConstantTime>(&time);
  return constant != nullptr ? constant->value : sample(time, stream);
}

/// A gamma variable of mean 1; a product with it keeps the mean.
double scatter_factor(const ServiceLaw& law, RandomStream& stream) {
  if (law.scatter == 0.0) return 1.0;
  return sample(TimeDistribution{GammaTime{.mean = Seconds{1.0}, .cv = law.scatter}}, stream).value;
}

/// Splits a drawn T(b) like the expected one, so that both parts scatter together.
BatchTime split(const ServiceLaw& law, double items, double drawn_s, double expected_s) {
  const double host_s = mean_host_s(law, items, expected_s);
  if (host_s == 0.0 || expected_s == 0.0) return {Seconds{0.0}, Seconds{drawn_s}};
  const double share = std::min(1.0, host_s / expected_s);
  return {Seconds{drawn_s * share}, Seconds{drawn_s * (1.0 - share)}};
}

}  // namespace

double largest_batch(const ServiceLaw& law) {
  return law.points.empty() ? std::numeric_limits<double>::infinity() : 2.0 * law.points.back().items;
}

double padded_items(const ServiceLaw& law, double items) {
  const auto step = std::lower_bound(law.padded_to.begin(), law.padded_to.end(), items);
  return step == law.padded_to.end() ? items : *step;
}

ServiceLaw at_speed(ServiceLaw law, double speed) {
  if (speed == 1.0) return law;
  const double slowness = 1.0 / speed;
  law.per_batch = scaled(std::move(law.per_batch), slowness);
  law.per_item = scaled(std::move(law.per_item), slowness);
  for (MeasuredPoint& point : law.points) {
    point.time = slowness * point.time;
    if (point.device) point.device = slowness * *point.device;
  }
  law.per_request = slowness * law.per_request;
  law.host.per_batch = slowness * law.host.per_batch;
  law.host.per_item = slowness * law.host.per_item;
  return law;
}

bool has_host_part(const ServiceLaw& law) {
  const bool points_say = !law.points.empty() && law.points.front().device.has_value();
  return points_say || law.host.per_batch.value > 0.0 || law.host.per_item.value > 0.0 || law.per_request.value > 0.0;
}

namespace {

/// T of a batch that is padded already [s].
double padded_mean_s(const ServiceLaw& law, double items) {
  if (!law.points.empty()) return measured_time(law.points, items);
  return (mean(law.per_batch) + items * mean(law.per_item)).value;
}

}  // namespace

Seconds mean(const ServiceLaw& law, double items) {
  return Seconds{padded_mean_s(law, padded_items(law, items))};
}

BatchTime mean_parts(const ServiceLaw& law, double items) {
  const double executed = padded_items(law, items);
  const double expected_s = padded_mean_s(law, executed);
  return split(law, executed, expected_s, expected_s);
}

double variance(const ServiceLaw& law, double items) {
  const double executed = padded_items(law, items);
  const double mean_s = padded_mean_s(law, executed);
  const double drawn =
      law.points.empty() ? variance(law.per_batch) + executed * executed * variance(law.per_item) : 0.0;
  // Of a product of independent factors, the second of mean 1.
  const double factor = law.scatter * law.scatter;
  return drawn * (1.0 + factor) + mean_s * mean_s * factor;
}

bool is_constant(const ServiceLaw& law) {
  if (law.scatter > 0.0) return false;
  return !law.points.empty() || (is_constant(law.per_batch) && is_constant(law.per_item));
}

bool is_exponential(const ServiceLaw& law) {
  if (law.scatter > 0.0 || !law.points.empty()) return false;
  const auto is_zero = [](const TimeDistribution& time) { return mean(time).value == 0.0; };
  return (is_exponential(law.per_batch) && is_zero(law.per_item)) ||
         (is_exponential(law.per_item) && is_zero(law.per_batch));
}

BatchTime sample(const ServiceLaw& law, double items, RandomStream& stream) {
  const double factor = scatter_factor(law, stream);
  if (!law.points.empty()) {
    const double expected_s = measured_time(law.points, items);
    return split(law, items, factor * expected_s, expected_s);
  }
  const double drawn_s = sample_part(law.per_batch, stream).value + items * sample_part(law.per_item, stream).value;
  if (law.host.per_batch.value == 0.0 && law.host.per_item.value == 0.0)
    return {Seconds{0.0}, Seconds{factor * drawn_s}};
  return split(law, items, factor * drawn_s, padded_mean_s(law, items));
}

LeastItemTime least_item_time(const ServiceLaw& law, double smallest, double request, double largest,
                              BatchSteps steps) {
  const Seconds never{std::numeric_limits<double>::infinity()};
  LeastItemTime least{never, never, never};
  const auto consider = [&](double items) {
    BatchTime parts = mean_parts(law, items);
    parts.host += Seconds{joining_s(law, std::max(1.0, items / request))};
    least.instance = std::min(least.instance, (parts.host + parts.device) / items);
    least.device = std::min(least.device, parts.device / items);
    least.host = std::min(least.host, parts.host / items);
  };
  consider(smallest);
  consider(largest);
  if (request > smallest && request < largest) consider(request);
  if (law.padded_to.empty()) {
    for (const MeasuredPoint& point : law.points)
      if (point.items > smallest && point.items < largest) consider(point.items);
    return least;
  }
  // Sizes above the last step are not padded, and no server forms them.
  for (const double step : law.padded_to) {
    if (step <= smallest || step >= largest) continue;
    constexpr double rounding = 1e-12;
    const double whole = std::floor(step / smallest * (1.0 + rounding));
    consider(steps == BatchSteps::any ? step : std::min(step, whole * smallest));
  }
  return least;
}

}  // namespace saturn
