#include <map>
#include <utility>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"
#include "calibration/exact_text.hpp"
#include "calibration/fit/value_fit.hpp"

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

constexpr PeerQuantity round_trip{FitKind::time, "rtt", "the round-trip time", "s"};
constexpr PeerQuantity rate{FitKind::bandwidth, "bandwidth", "the bandwidth", "B/s"};

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

void add_means(const PeerQuantity& quantity, const std::vector<PeerValues>& all, Calibration& result) {
  std::map<std::string, std::size_t> first_to;
  for (const PeerValues& values : all) {
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
  add_means(round_trip, trips, result);
  add_means(rate, rates, result);
}

}  // namespace saturn
