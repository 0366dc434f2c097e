#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"
#include "calibration/fit/value_fit.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

/// Means of quantities, from several sources each.
class MeansOfSources {
 public:
  explicit MeansOfSources(Calibration& result) : result_(result) {}

  /// Adds a fit, and compares it with the first of the same key.
  /// @param quantity  with its unit, "round-trip time to 8.8.8.8 [s]"
  void add(const std::string& key, const std::string& quantity, NamedFit named) {
    if (const auto [first, fresh] = first_.emplace(key, result_.fits.size()); !fresh) {
      const NamedFit& before = result_.fits[first->second];
      if (auto compared =
              compare_means(quantity, {before.sources.front(), before.fit}, {named.sources.front(), named.fit}))
        result_.comparisons.push_back(std::move(*compared));
    }
    result_.fits.push_back(std::move(named));
  }

 private:
  Calibration& result_;
  std::map<std::string, std::size_t> first_;  ///< place in the fits by key
};

}  // namespace

namespace {

/// The values of one quantity, to one peer, from one file.
struct PeerValues {
  std::string peer{};
  std::string source{};
  std::string label{};
  std::vector<double> values{};
  std::vector<std::string> notes{};
};

struct PeerQuantity {
  FitKind kind = FitKind::time;
  const char* name = "";   ///< of the fit
  const char* about = "";  ///< in words
  const char* unit = "";
};

constexpr PeerQuantity round_trip_quantity{FitKind::time, "rtt", "the round-trip time", "s"};
constexpr PeerQuantity bandwidth_quantity{FitKind::bandwidth, "bandwidth", "the bandwidth", "B/s"};

NamedFit named_mean(const PeerQuantity& quantity, const PeerValues& values, Fit fit, bool with_peer) {
  const std::string to = values.peer.empty() || !with_peer ? "" : " to " + values.peer;
  NamedFit named{
      .name = quantity.name + to, .kind = quantity.kind, .about = quantity.about + to, .fit = std::move(fit)};
  named.value = "\"" + exact_text(named.fit.parameters.values[0]) + " " + quantity.unit + "\"";
  named.at = {""};
  named.units = {quantity.unit};
  named.y_title = quantity.about;
  named.y_unit = quantity.unit;
  named.sources = {values.source};
  named.notes = values.notes;
  return named;
}

/// Takes single values away that stand far from the others, such as a round trip during which a route was looked up,
/// and names them: above 5 robust standard deviations in log scale and beyond a factor of 2, at most one in ten.
void take_outliers_away(PeerValues& peer) {
  const std::size_t n = peer.values.size();
  if (n < 5) return;
  std::vector<double> logs;
  for (const double value : peer.values) logs.push_back(std::log(value > 0.0 ? value : 1e-300));
  const auto median_of = [](std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  };
  const double median = median_of(logs);
  std::vector<double> away;
  for (const double one : logs) away.push_back(std::abs(one - median));
  constexpr double normal_mad = 1.4826;  // standard deviation of a normal law over its median absolute deviation
  const double limit = std::max(std::log(2.0), 5.0 * normal_mad * median_of(away));
  const auto is_far = [&](double one) { return one > limit; };
  const auto far = static_cast<std::size_t>(std::count_if(away.begin(), away.end(), is_far));
  if (far == 0 || far > std::max<std::size_t>(1, n / 10)) return;
  std::vector<double> kept;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_far(away[i])) {
      kept.push_back(peer.values[i]);
      continue;
    }
    peer.notes.push_back("value " + std::to_string(i + 1) + " of " + std::to_string(n) +
                         " is an OUTLIER and left out: " + significant(peer.values[i] / std::exp(median), 3) +
                         " times the median");
  }
  peer.values = std::move(kept);
}

void add_peers(const PeerQuantity& quantity, const std::vector<PeerValues>& all, Calibration& result) {
  MeansOfSources means(result);
  for (PeerValues values : all) {
    take_outliers_away(values);
    try {
      Fit fit = fit_mean(values.values);
      if (fit.error_unknown)
        refuse_input(values.label, "calibration.too_few_points",
                     std::string(quantity.about) +
                         " was measured once, and nothing tells the error of that; measure it several times.");
      means.add(values.peer, std::string(quantity.about) + " to " + values.peer + " [" + quantity.unit + "]",
                named_mean(quantity, values, std::move(fit), all.size() > 1));
    } catch (const InputError& error) {
      result.leave_out(error.complaints());
    }
  }
}

}  // namespace

void calibrate_networks(std::span<const MeasuredFile> files, Calibration& result) {
  std::vector<PeerValues> trips;
  std::vector<PeerValues> rates;
  for (const MeasuredFile& file : files) {
    for (const RoundTrips& one : file.round_trips) {
      PeerValues values{.peer = one.peer, .source = file.path, .label = one.at.text(), .values = one.values_s};
      if (one.lost > 0)
        values.notes.push_back(std::to_string(one.lost) + " of " + std::to_string(one.sent) +
                               " packets were lost; a request that loses one takes longer than the fit says");
      trips.push_back(std::move(values));
    }
    for (const Throughputs& one : file.throughputs) {
      PeerValues values{
          .peer = one.peer, .source = file.path, .label = one.at.text(), .values = one.values_bytes_per_s};
      if (one.streams > 1)
        values.notes.push_back("of " + std::to_string(one.streams) +
                               " streams side by side; one alone may reach less (a link's \"per_flow\")");
      if (one.reverse) values.notes.emplace_back("the peer sent: this is the way back");
      rates.push_back(std::move(values));
    }
  }
  add_peers(round_trip_quantity, trips, result);
  add_peers(bandwidth_quantity, rates, result);
}

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
  MeansOfSources means(result);
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
      means.add(times.name, "mean time of " + times.name + " [s]", std::move(named));
    }
  }
}

namespace {

constexpr double normal_95 = 1.959963984540054;

/// A number that somebody wrote down is a fit whose error they know, or do not.
Fit fit_of(const SingleNumber& number) {
  Fit fit{.law = "given", .errors_known = true, .used = 1};
  const double error = number.standard_error.value_or(0.0);
  fit.parameters = {.names = {"value"}, .values = {number.value}, .covariance = {error * error}};
  fit.error_unknown = !number.standard_error;
  if (!number.source.empty()) fit.notes.push_back(number.source);
  if (fit.error_unknown) fit.notes.emplace_back("given without an error, so that it counts as exact in every interval");
  return fit;
}

NamedFit named_number(const SingleNumber& number, const std::string& path) {
  NamedFit named{.name = number.name, .about = number.name, .fit = fit_of(number), .sources = {path}};
  named.kind = number.unit == "s" ? FitKind::time : number.unit == "B/s" ? FitKind::bandwidth : FitKind::count;
  named.value =
      number.unit.empty() ? exact_text(number.value) : "\"" + exact_text(number.value) + " " + number.unit + "\"";
  named.at = {""};
  named.units = {number.unit};
  return named;
}

struct TimePart {
  double seconds = 0.0;
  double variance = 0.0;
};

const SingleNumber* find(const MeasuredFile& file, const char* name, const char* unit) {
  for (const SingleNumber& number : file.numbers)
    if (number.name == name && number.unit == unit) return &number;
  return nullptr;
}

double squared(double value) {
  return value * value;
}

/// A number that is a time, or the time that the data take at a bandwidth.
std::optional<TimePart> time_part(const MeasuredFile& file, const char* name) {
  if (const SingleNumber* time = find(file, name, "s"))
    return TimePart{time->value, squared(time->standard_error.value_or(0.0))};
  const SingleNumber* rate = find(file, name, "B/s");
  const SingleNumber* data = find(file, "data", "B");
  if (rate == nullptr || data == nullptr) return std::nullopt;
  const double seconds = data->value / rate->value;
  return TimePart{seconds, squared(seconds) * (squared(rate->standard_error.value_or(0.0) / rate->value) +
                                               squared(data->standard_error.value_or(0.0) / data->value))};
}

std::optional<NumberSum> module_sum(const MeasuredFile& file) {
  NumberSum sum;
  double variance = 0.0;
  for (const char* name : {"preprocessing", "bandwidth", "travel", "gpu"}) {
    const std::optional<TimePart> part = time_part(file, name);
    if (!part) return std::nullopt;
    append_part(sum.text, significant(part->seconds, 3) + " s " + name, " + ");
    sum.total_s.mean += part->seconds;
    variance += part->variance;
  }
  const double half_width = normal_95 * std::sqrt(variance);
  sum.total_s.low = sum.total_s.mean - half_width;
  sum.total_s.high = sum.total_s.mean + half_width;
  return sum;
}

}  // namespace

void calibrate_numbers(std::span<const MeasuredFile> files, Calibration& result) {
  MeansOfSources means(result);
  for (const MeasuredFile& file : files) {
    for (const SingleNumber& number : file.numbers)
      means.add(number.name, name_with_unit(number.name, number.unit), named_number(number, file.path));
    if (auto sum = module_sum(file)) result.sums.push_back(std::move(*sum));
  }
}

}  // namespace saturn
