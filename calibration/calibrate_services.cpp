#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"
#include "calibration/fit/device_split.hpp"
#include "calibration/fit/estimates.hpp"
#include "calibration/fit/service_fit.hpp"
#include "calibration/fit/value_fit.hpp"
#include "calibration/fitted_law.hpp"
#include "calibration/impossible_rows.hpp"
#include "calibration/measured_batches.hpp"
#include "models/laws/service_law.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

using ServiceKey = std::pair<std::string, std::string>;  ///< model, configuration of its server

std::string name_of(const ServiceKey& key) {
  return key.first + (key.second.empty() ? "" : " (" + key.second + ")");
}

/// Little's law gives repetitions of one setting slightly different sizes.
bool same_setting(const FitPoint& a, const FitPoint& b) {
  return std::abs(b.x / a.x - 1.0) < 0.05;
}

bool one_size(std::span<const FitPoint> points) {
  return std::all_of(points.begin(), points.end(),
                     [&](const FitPoint& point) { return same_setting(points.front(), point); });
}

bool errors_given(std::span<const FitPoint> points) {
  return std::all_of(points.begin(), points.end(),
                     [](const FitPoint& point) { return point.standard_error.has_value(); });
}

/// Mean of values that bring their errors, which are relative to those of the times.
Fit combined_mean(std::span<const FitPoint> points, std::span<const double> values) {
  std::vector<SourcedEstimate> estimates;
  for (std::size_t i = 0; i < points.size(); ++i)
    estimates.push_back({.value = values[i], .standard_error = values[i] * *points[i].standard_error / points[i].y});
  const CombinedEstimate combined = combine_estimates(estimates);
  Fit fit{.errors_known = true, .chi2 = combined.chi2};
  fit.degrees_of_freedom = static_cast<double>(points.size() - 1);
  fit.parameters = {.values = {combined.value},
                    .covariance = {combined.standard_error * combined.standard_error},
                    .degrees_of_freedom = combined.degrees_of_freedom};
  return fit;
}

// Of windows spread evenly within 10 % to either side, beyond which perf_analyzer does not end. Source: Triton's
// perf_analyzer, --stability-percentage.
constexpr double usual_error = 0.1 / std::numbers::sqrt3;

/// The law of a single size: time in proportion to the items, since nothing tells what a batch costs by itself.
/// Rates of runs of equal length average to the rate of all of them, times to the time of all.
Fit proportional_fit(std::span<const FitPoint> points, BatchTimeFrom from) {
  const bool rates = from == BatchTimeFrom::throughput;
  std::vector<double> values;
  for (const FitPoint& point : points) values.push_back(rates ? point.x / point.y : point.y / point.x);
  Fit fit = errors_given(points) ? combined_mean(points, values) : fit_mean(values, points.front().label);
  fit.law = rates ? "one size, items per second" : "one size, time per item";
  fit.parameters.names = {rates ? "items_per_s" : "per_item"};
  fit.spread.reset();
  fit.residuals.clear();
  fit.used = points.size();
  const double mean = fit.parameters.values[0];
  fit.x_low = points.front().x;
  fit.x_high = points.front().x;
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  const double sd = values.size() > 1 ? std::sqrt(sum / static_cast<double>(values.size() - 1)) : 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    fit.x_low = std::min(fit.x_low, points[i].x);
    fit.x_high = std::max(fit.x_high, points[i].x);
    const double error = points[i].standard_error ? values[i] * *points[i].standard_error / points[i].y : sd;
    const double away = error > 0.0 ? (values[i] - mean) / error : 0.0;
    fit.residuals.push_back({.point = points[i],
                             .fitted = rates ? points[i].x / mean : points[i].x * mean,
                             .standardised = rates ? -away : away});
  }
  return fit;
}

class ServiceCalibration {
 public:
  ServiceCalibration(const ServiceKey& key, std::vector<const ServiceSeries*> series, Calibration& result,
                     SingleRows single)
      : name_(name_of(key)), model_(key.first), series_(std::move(series)), result_(result), single_(single) {}

  /// By the best kind of times that suffices for a fit.
  void add() {
    std::vector<Complaint> reasons;
    for (const BatchTimeFrom from : {BatchTimeFrom::server_times, BatchTimeFrom::latency, BatchTimeFrom::throughput}) {
      try {
        if (!add_from(from)) continue;
        compare_sources(from);
        say_unused(from);
        return;
      } catch (const InputError& error) {
        reasons.insert(reasons.end(), error.complaints().begin(), error.complaints().end());
      }
    }
    result_.leave_out(reasons);
  }

 private:
  static void remove_doubles(std::vector<std::string>& notes) {
    std::set<std::string> seen;
    std::erase_if(notes, [&](const std::string& note) { return !seen.insert(note).second; });
  }

  /// False when no series has such times.
  bool add_from(BatchTimeFrom from) {
    std::vector<FitPoint> points;
    NamedFit named{.name = name_, .about = "GPU times of " + name_, .model = model_};
    for (const ServiceSeries* one : series_) {
      if (one->points.empty() || one->from != from) continue;
      points.insert(points.end(), one->points.begin(), one->points.end());
      named.sources.push_back(one->source);
      for (const std::string& note : one->notes) named.notes.push_back(note);
    }
    if (points.empty()) return false;
    const std::vector<FitPoint> fitted = grouped_points(points);
    if (fitted.size() < points.size())
      named.notes.push_back(std::to_string(points.size()) + " measured times were taken together by their sizes to " +
                            std::to_string(fitted.size()) + " means, so single outliers are not looked for");
    const std::vector<std::string> impossible = impossible_times(fitted);
    named.notes.insert(named.notes.begin(), impossible.begin(), impossible.end());
    try {
      named.fit = fit_batches(fitted, from, name_, single_);
    } catch (const InputError& error) {
      std::vector<Complaint> complaints = error.complaints();
      for (const std::string& text : impossible)
        complaints.push_back(
            {.source = fitted.front().label, .code = "calibration.impossible_times", .text = text, .excerpt = ""});
      throw InputError(std::move(complaints));
    }
    describe_service_law(named);
    remove_doubles(named.notes);
    remove_doubles(named.sources);
    result_.fits.push_back(std::move(named));
    return true;
  }

  static const char* kind_of(BatchTimeFrom from) {
    switch (from) {
      case BatchTimeFrom::server_times:
        return "the server's compute times";
      case BatchTimeFrom::latency:
        return "what a lone client waited";
      case BatchTimeFrom::throughput:
        return "batch over the rate of several requests in flight, a request's share where the server joins them";
    }
    throw std::logic_error("kind_of: no such kind of times");
  }

  /// Times of another kind are another quantity: neither a part of the fit nor a contradiction of it.
  void say_unused(BatchTimeFrom from) {
    std::vector<std::string>& notes = result_.fits.back().notes;
    for (const ServiceSeries* one : series_)
      if (one->from != from && !one->points.empty())
        notes.push_back(one->source + ": not fitted and not compared, since its times are " + kind_of(one->from) +
                        ", and those of the fit are " + kind_of(from));
    remove_doubles(notes);
  }

  /// Each source of the fitted kind of times alone, beside the first.
  void compare_sources(BatchTimeFrom from) {
    std::vector<std::pair<const ServiceSeries*, Fit>> alone;
    for (const ServiceSeries* one : series_) {
      if (one->points.empty() || one->from != from) continue;
      try {
        alone.emplace_back(one, fit_batches(grouped_points(one->points), one->from, name_));
      } catch (const InputError&) {
        // A source too small for a fit of its own takes part in the common one, and contradicts nobody.
      }
    }
    const std::size_t before = result_.comparisons.size();
    for (std::size_t i = 1; i < alone.size(); ++i) {
      if (alone[i].first->source == alone[0].first->source) continue;
      if (auto compared =
              compare_laws(name_, {alone[0].first->source, alone[0].second}, {alone[i].first->source, alone[i].second}))
        result_.comparisons.push_back(std::move(*compared));
    }
    for (std::size_t i = before; i < result_.comparisons.size(); ++i) {
      if (!result_.comparisons[i].contradict) continue;
      std::vector<std::string>& notes = result_.fits.back().notes;
      notes.insert(notes.begin(), "ITS SOURCES CONTRADICT EACH OTHER by a factor of " +
                                      significant(result_.comparisons[i].factor.mean, 3) +
                                      ", see below: this law lies between them and holds for neither");
      return;
    }
  }

  std::string name_;
  std::string model_;
  std::vector<const ServiceSeries*> series_;
  Calibration& result_;
  SingleRows single_;
};

/// A law that its points miss by half their size is none.
Fit sound_law(Fit fit, const std::string& name) {
  double sum = 0.0;
  for (const FitResidual& residual : fit.residuals)
    if (!residual.outlier) sum += std::pow(residual.point.y / residual.fitted - 1.0, 2);
  const double scatter = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, fit.used)));
  if (scatter < 0.5) return fit;
  throw InputError(
      {{.source = fit.residuals.front().point.label,
        .code = "calibration.no_law",
        .text = "the times of " + name + " scatter by " + significant(100.0 * scatter, 3) +
                " % about every law that was tried: are some of them in another unit, or of another model?",
        .excerpt = ""}});
}

}  // namespace

Fit fit_batches(std::span<const FitPoint> points, BatchTimeFrom from, const std::string& name, SingleRows single) {
  if (!one_size(points)) return sound_law(fit_service_law(points), name);
  Fit fit = proportional_fit(points, from);
  if (fit.error_unknown && single == SingleRows::with_usual_error && from != BatchTimeFrom::throughput) {
    std::vector<FitPoint> with_error(points.begin(), points.end());
    for (FitPoint& point : with_error) point.standard_error = usual_error * point.y;
    fit = proportional_fit(with_error, from);
    fit.notes.emplace_back(
        "measured once: its error is taken as that of windows that agree within 10 %, and its time as in proportion "
        "to the items, which holds for requests of that size alone");
  }
  if (fit.error_unknown) {
    refuse_input(points.front().label, "calibration.too_few_points",
                 "the time of a batch of " + name +
                     " was measured once, and nothing tells the error of that; measure again, or at other "
                     "sizes, or give the number with its error in a \"saturn-numbers/1\" file.");
  }
  return fit;
}

namespace {

/// The loads of a model, of whatever file.
std::vector<LoadPoint> loads_of(std::span<const MeasuredFile> files, const std::string& model, const ServiceKey& key) {
  std::vector<LoadPoint> loads;
  for (const MeasuredFile& file : files)
    for (const LoadPoint& load : file.loads)
      if (ServiceKey{!load.model.empty() ? load.model
                     : model.empty()     ? stem_of(file.path)
                                         : model,
                     load.configuration} == key)
        loads.push_back(load);
  return loads;
}

bool is_of_a_lone_client(const LoadPoint& load) {
  return load.concurrency && *load.concurrency <= 1.0;
}

/// What the loads of a model say against its law, or against each other.
void say_impossible_loads(std::span<const LoadPoint> loads, NamedFit& named) {
  std::vector<std::string> texts = slow_lone_clients(loads);
  std::vector<std::pair<double, double>> law = named.curve;
  // As far as a scenario trusts it: a server that joins requests may have executed larger batches than were measured.
  const double largest = 2.0 * named.fit.x_high;
  law.emplace_back(largest, mean(service_law_of(named.fit, named.fit.parameters.values), largest).value);
  if (std::string text = rates_above_law(loads, law); !text.empty()) texts.push_back(std::move(text));
  named.notes.insert(named.notes.begin(), texts.begin(), texts.end());
}

/// Whether all that the law was fitted to are rows of programs that make a load of their own.
bool all_from_generators(std::span<const MeasuredFile> files, const NamedFit& named) {
  constexpr std::array generators{"perf_analyzer profile export", "perf_analyzer CSV", "perf_analyzer terminal output",
                                  "Model Analyzer CSV", "AIPerf or GenAI-Perf report"};
  return std::all_of(files.begin(), files.end(), [&](const MeasuredFile& file) {
    const bool used = std::find(named.sources.begin(), named.sources.end(), file.path) != named.sources.end();
    return !used || std::find(generators.begin(), generators.end(), file.format) != generators.end();
  });
}

}  // namespace

void calibrate_services(std::span<const MeasuredFile> files, const std::string& model, Calibration& result,
                        SingleRows single) {
  const std::vector<ServiceSeries> all = service_series(files, model);
  std::vector<ServiceKey> order;
  std::map<ServiceKey, std::vector<const ServiceSeries*>> by_key;
  for (const ServiceSeries& series : all) {
    const ServiceKey key{series.model, series.configuration};
    if (!by_key.contains(key)) order.push_back(key);
    by_key[key].push_back(&series);
    result.leave_out(series.left_out);
  }
  for (const ServiceKey& key : order) {
    const std::size_t before = result.fits.size();
    ServiceCalibration(key, by_key[key], result, single).add();
    if (result.fits.size() == before) continue;
    const std::vector<LoadPoint> loads = loads_of(files, model, key);
    say_impossible_loads(loads, result.fits.back());
    if (!loads.empty() && std::all_of(loads.begin(), loads.end(), is_of_a_lone_client))
      rest_on_lone_rows(result.fits.back());
    if (all_from_generators(files, result.fits.back())) rest_on_synthetic(result.fits.back());
  }
}

namespace {

/// The executed batches are counted, or every request is one: with a single request waiting there is none to join it
/// with.
bool batches_are_known(const LoadPoint& load, std::size_t instances) {
  return load.executed_batch || *load.concurrency <= static_cast<double>(instances + 1);
}

/// The load of the largest rate whose executed batches are known, and the one of the largest rate at all.
struct BusiestLoads {
  const LoadPoint* known = nullptr;
  const LoadPoint* any = nullptr;
};

BusiestLoads busiest_loads(const SharedLoads& shared) {
  BusiestLoads best;
  const auto keep = [](const LoadPoint*& kept, const LoadPoint& load) {
    if (kept == nullptr || load.items_per_s > kept->items_per_s) kept = &load;
  };
  for (const LoadPoint& load : shared.file.loads) {
    if (!load.concurrency || *load.concurrency < 2.0 || !load.request_batch) continue;
    keep(best.any, load);
    if (batches_are_known(load, shared.instances)) keep(best.known, load);
  }
  if (best.any == nullptr)
    refuse_input(shared.file.path, "calibration.no_shared_load",
                 "no load here has two clients or more and a known batch; sharing shows only where instances are busy "
                 "together: measure with at least as many requests in flight as there are instances.");
  const std::string instances = std::to_string(shared.instances);
  if (best.known == nullptr)
    refuse_input(
        shared.file.path, "calibration.unknown_batches",
        "its loads have more clients than the " + instances +
            " instances and one, so that several requests wait at once; a server that batches dynamically joins "
            "them, and the file does not say to what batches. Measure with " +
            instances + " or " + std::to_string(shared.instances + 1) +
            " clients (perf_analyzer --concurrency-range), or give perf_analyzer's terminal output, which counts the "
            "executions; or, if there are more instances, say so with --instances.");
  return best;
}

/// Little's law gives sizes that are whole but for the noise of their rates.
double whole_batch(double batch) {
  const double whole = std::max(1.0, std::round(batch));
  return std::abs(batch / whole - 1.0) < 0.05 ? whole : batch;
}

/// A rate is as uncertain as the times of a lone client were, which the same tool measured; nothing where they are
/// exact.
std::optional<double> error_like_that_of(const Fit& law, double rate) {
  double sum = 0.0;
  for (const FitResidual& residual : law.residuals)
    if (!residual.outlier) sum += std::pow(residual.point.y / residual.fitted - 1.0, 2);
  const double relative = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, law.used)));
  return relative > 1e-9 ? std::optional<double>(relative * rate) : std::nullopt;
}

NamedFit& law_of(const SharedLoads& shared, const std::string& model, Calibration& result) {
  NamedFit* found = nullptr;
  std::size_t laws = 0;
  for (NamedFit& fit : result.fits) {
    if (fit.kind != FitKind::service_law) continue;
    ++laws;
    if (found == nullptr || fit.model == model) found = &fit;
  }
  if (found == nullptr || (laws > 1 && found->model != model))
    refuse_input(shared.file.path, "calibration.no_lone_law",
                 "a shared device is split by the law of a lone instance, and " +
                     std::string(laws == 0 ? "no law was fitted" : "it is not clear of which model that is") +
                     "; give the files of one client and one instance too, and --model NAME.");
  return *found;
}

}  // namespace

void split_shared(const SharedLoads& shared, const std::string& model, Calibration& result) {
  const BusiestLoads busiest = busiest_loads(shared);
  const LoadPoint& load = *busiest.known;
  NamedFit& law = law_of(shared, load.model.empty() ? model : load.model, result);
  std::vector<FitPoint> alone;
  for (const FitResidual& residual : law.fit.residuals)
    if (!residual.outlier) alone.push_back(residual.point);
  const DeviceSplit split = split_host_device(alone, {.clients = static_cast<std::size_t>(*load.concurrency),
                                                      .instances = shared.instances,
                                                      .request_batch = whole_batch(*load.request_batch),
                                                      .executed_batch = load.executed_batch,
                                                      .items_per_s = load.items_per_s,
                                                      .standard_error = error_like_that_of(law.fit, load.items_per_s),
                                                      .label = load.at.text()});
  NamedFit named{.name = law.name, .about = law.about, .model = law.model, .fit = split.fit, .sources = law.sources};
  named.sources.push_back(load.at.text());
  named.notes = law.notes;
  std::vector<std::string> hosts;
  for (std::size_t i = 0; i < split.host.size(); ++i)
    hosts.push_back(significant(1e3 * split.host[i], 3) + " ms at " + significant(split.fit.knots[i], 3));
  named.notes.push_back("the host's part of T(b), beside the device: " + joined(hosts) + " items; from the rate of " +
                        significant(load.items_per_s, 3) + " items/s of " + std::to_string(shared.instances) +
                        " instances");
  if (busiest.any != busiest.known)
    named.notes.push_back(busiest.any->at.text() +
                          " has a larger rate and is not used: the server may have joined its requests, and the file "
                          "does not say to what batches");
  if (!split.saturated)
    named.notes.emplace_back("the load shows no waiting for the device, so that its part is only an upper bound");
  describe_service_law(named);
  law = std::move(named);
}

}  // namespace saturn
