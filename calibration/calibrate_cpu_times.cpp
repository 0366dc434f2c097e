#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"
#include "calibration/fit/value_fit.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/quantities.hpp"

namespace saturn {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int quantile_points = 200;

/// What stands in a scenario's place, and where its parameters are inside.
void describe_time(NamedFit& named) {
  const Fit& fit = named.fit;
  const double mean = fit.parameters.values.at(0);
  if (fit.law == "gamma" || fit.law == "lognormal") {
    named.value = OrderedJson({{fit.law, {{"mean", exact_seconds(mean)}, {"cv", fit.parameters.values.at(1)}}}}).dump();
    named.at = {"/" + fit.law + "/mean", "/" + fit.law + "/cv"};
    named.units = {"s", ""};
  } else if (fit.law == "empirical") {
    // The quantiles that stand for many values have nearly their mean; the parameter is the mean itself.
    double sum = 0.0;
    for (const double value : fit.values) sum += value;
    const double factor = mean * static_cast<double>(fit.values.size()) / sum;
    OrderedJson values = OrderedJson::array();
    for (const double value : fit.values) values.push_back(exact_seconds(value * factor));
    named.value = OrderedJson({{"empirical", std::move(values)}}).dump();
    named.at = {"/empirical"};
    named.units = {"s"};
  } else {
    named.value = OrderedJson(exact_seconds(mean)).dump();
    named.at = {""};
    named.units = {"s"};
  }
}

double quantile_of(const Fit& fit, double share) {
  const double mean = fit.parameters.values.at(0);
  if (fit.law == "empirical")
    return fit.values[static_cast<std::size_t>(share * static_cast<double>(fit.values.size() - 1))];
  const double cv = fit.parameters.values.at(1);
  if (fit.law == "gamma") return gamma_quantile(1.0 / (cv * cv), mean * cv * cv, share);
  const double log_variance = std::log1p(cv * cv);
  return lognormal_quantile(std::log(mean) - log_variance / 2.0, std::sqrt(log_variance), share);
}

/// Shares of the events below a time, measured and fitted.
void draw_shares(NamedFit& named, std::vector<double> values) {
  if (named.fit.law == "constant" || values.size() < 3) return;
  std::sort(values.begin(), values.end());
  named.x_title = "time [s]";
  named.y_title = "share of the events below";
  const auto count = static_cast<double>(values.size());
  for (int i = 0; i < quantile_points; ++i) {
    const double share = (i + 0.5) / quantile_points;
    named.curve.emplace_back(quantile_of(named.fit, share), share);
    const auto rank = static_cast<std::size_t>(share * count);
    named.measured.emplace_back(values[rank], (static_cast<double>(rank) + 0.5) / count);
  }
}

std::string noun_of(const CpuTimes& times) {
  return times.whole_event ? "CPU times of the whole event" : "CPU times of " + times.name;
}

}  // namespace

void calibrate_cpu_times(std::span<const MeasuredFile> files, Calibration& result) {
  std::map<std::string, std::size_t> known;
  for (const MeasuredFile& file : files) {
    for (const CpuTimes& times : file.cpu_times) {
      NamedFit named{.name = times.name, .kind = FitKind::time, .about = noun_of(times), .sources = {file.path}};
      try {
        named.fit = times.values_s.empty() ? fit_times_summary(times.mean_s, times.sd_s, times.count)
                                           : fit_times(times.values_s);
      } catch (const InputError& error) {
        for (Complaint complaint : error.complaints()) {
          if (complaint.source.empty()) complaint.source = times.at.text();
          complaint.text = noun_of(times) + ": " + complaint.text;
          result.left_out.push_back(std::move(complaint));
        }
        continue;
      }
      describe_time(named);
      if (times.whole_event) draw_shares(named, times.values_s);
      if (const auto before = known.find(times.name); before != known.end()) {
        const NamedFit& first = result.fits[before->second];
        if (auto compared = compare_means("mean time of " + times.name + " [s]", {first.sources.front(), first.fit},
                                          {file.path, named.fit}))
          result.comparisons.push_back(std::move(*compared));
      }
      known.emplace(times.name, result.fits.size());
      result.fits.push_back(std::move(named));
    }
  }
}

}  // namespace saturn
