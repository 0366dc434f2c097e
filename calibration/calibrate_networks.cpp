#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"
#include "calibration/fit/value_fit.hpp"
#include "models/words/numbers.hpp"

namespace saturn {

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

void add_means(const PeerQuantity& quantity, const std::vector<PeerValues>& all, Calibration& result) {
  std::map<std::string, std::size_t> first_to;
  for (PeerValues values : all) {
    take_outliers_away(values);
    try {
      Fit fit = fit_mean(values.values);
      if (fit.error_unknown) {
        result.left_out.push_back({.source = values.label,
                                   .code = "calibration.too_few_points",
                                   .text = std::string(quantity.about) +
                                           " was measured once, and nothing tells the error of that; measure it "
                                           "several times.",
                                   .excerpt = ""});
        continue;
      }
      result.fits.push_back(named_mean(quantity, values, std::move(fit), all.size() > 1));
    } catch (const InputError& error) {
      result.left_out.insert(result.left_out.end(), error.complaints().begin(), error.complaints().end());
      continue;
    }
    const std::size_t here = result.fits.size() - 1;
    const auto [known, fresh] = first_to.emplace(values.peer, here);
    if (fresh) continue;
    const NamedFit& before = result.fits[known->second];
    if (auto compared = compare_means(std::string(quantity.about) + " to " + values.peer + " [" + quantity.unit + "]",
                                      {before.sources.front(), before.fit}, {values.source, result.fits[here].fit}))
      result.comparisons.push_back(std::move(*compared));
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
  add_means(round_trip_quantity, trips, result);
  add_means(bandwidth_quantity, rates, result);
}

}  // namespace saturn
