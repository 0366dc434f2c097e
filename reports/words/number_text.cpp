#include "reports/words/number_text.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr int largest_digits = 7;
constexpr double rounding_noise = 1e-7;
constexpr double rounding_noise_of_ratios = 1e-7;  // 0.00001 % of an event time, which decides nothing

}  // namespace

std::string mean_text(const Estimate& estimate, double factor, int significant_digits) {
  if (estimate.caveat == Caveat::too_few_events) return std::string(words_of(estimate.caveat));
  return number_text(estimate.mean * factor, significant_digits);
}

std::string estimate_text(const Estimate& estimate, double factor) {
  if (estimate.caveat == Caveat::too_few_events) return std::string(words_of(estimate.caveat));
  if (estimate.caveat == Caveat::not_stationary)
    return number_text(estimate.mean * factor) + ", " + std::string(words_of(estimate.caveat));
  const double mean = estimate.mean * factor;
  // Intervals of what scatters by its own size reach further up than down.
  const double half_width = estimate.reach() * std::abs(factor);
  if (!std::isfinite(mean)) return "none";
  // Equal values differ by the rounding errors of their sums; that is no uncertainty.
  if (half_width <= rounding_noise * std::abs(mean)) return number_text(mean);
  if (!std::isfinite(half_width)) return number_text(mean) + " ± unknown";
  // An interval that ends at 0 lies unevenly round its mean.
  if (estimate.low == 0.0 && estimate.mean > 0.0 && estimate.high > 2.0 * estimate.mean)
    return number_text(mean, 2) + " (0 to " + number_text(estimate.high * factor, 2) + ")";
  const int width_decade = decade_of(half_width);
  const bool leads_with_one = half_width < 2.0 * std::pow(10.0, width_decade);
  int decimals = -width_decade + (leads_with_one ? 1 : 0);
  // However wide the interval, one digit of the mean stays.
  if (mean != 0.0) decimals = std::max(decimals, -decade_of(mean));
  const int most = mean == 0.0 ? decimals : largest_digits - 1 - decade_of(mean);
  if (decimals <= most) return fixed_text(mean, decimals) + " ± " + fixed_text(half_width, decimals);
  decimals = most;
  const double unit = std::pow(10.0, -decimals);
  return fixed_text(mean, decimals) + " ± " + fixed_text(std::ceil(half_width / unit) * unit, decimals);
}

namespace {

/// A ratio above which per cent are too many to read, and "times slower" says it.
constexpr double many_times = 100.0;

}  // namespace

std::string slower_text(const Estimate& ratio) {
  if (!std::isfinite(ratio.mean)) return "none";
  const double share = ratio.mean - 1.0;
  // Equal times differ by the rounding errors of their sums, which are errors of the ratio, not of its excess.
  if (ratio.half_width() <= rounding_noise_of_ratios) return slower_text(ratio.mean);
  const double half_width = ratio.reach();
  if (ratio.mean >= many_times)
    return estimate_text({.mean = ratio.mean, .low = ratio.mean - half_width, .high = ratio.mean + half_width}) +
           " times slower";
  const double sign = share < 0.0 ? -1.0 : 1.0;
  const Estimate size{.mean = sign * share, .low = sign * share - half_width, .high = sign * share + half_width};
  return estimate_text(size, 100.0) + (share < 0.0 ? " % faster" : " % slower");
}

std::string percent_text(const Estimate& share) {
  return estimate_text(share, 100.0) + " %";
}

std::string slower_text(double ratio) {
  if (!std::isfinite(ratio)) return "none";
  const double share = ratio - 1.0;
  if (std::abs(share) <= rounding_noise_of_ratios) return "0 % slower";
  if (ratio >= many_times) return number_text(ratio, 3) + " times slower";
  return percent_text(std::abs(share), 3) + (share < 0.0 ? " faster" : " slower");
}

namespace {

constexpr double noise_of_shares = 1e-9;  // of shares, which are of the order of 1

bool is_share(MeasureId figure) {
  return figure->unit == MeasureUnit::share || figure->unit == MeasureUnit::excess;
}

ShownUnit shown(MeasureId figure, double value) {
  if (is_share(figure)) return {.name = "%", .factor = 100.0};
  if (figure->unit != MeasureUnit::seconds) return {.name = std::string(text_of(figure->unit).symbol)};
  if (std::abs(value) >= 2 * 86400.0) return {.name = "d", .factor = 1.0 / 86400.0};
  if (std::abs(value) >= 2 * 3600.0) return {.name = "h", .factor = 1.0 / 3600.0};
  return shown_unit(value, "s");
}

}  // namespace

std::string figure_text(MeasureId figure, const Estimate& value) {
  if (!std::isfinite(value.mean)) return no_value;
  if (is_share(figure) && std::abs(value.mean) < noise_of_shares && std::abs(value.half_width()) < noise_of_shares)
    return "0 %";
  const ShownUnit as = shown(figure, value.mean);
  const bool known_width = std::isfinite(value.half_width()) && value.half_width() > 0.0;
  if (!known_width) return figure_text(figure, value.mean);
  return with_unit(estimate_text(value, as.factor), as.name);
}

std::string figure_text(MeasureId figure, double value) {
  if (!std::isfinite(value)) return no_value;
  const ShownUnit as = shown(figure, value);
  const double scaled = value * as.factor;
  // Counts, and limits that somebody wrote, have no digits behind their last one that matters.
  const bool whole = std::abs(scaled - std::round(scaled)) < 1e-9 * std::max(1.0, std::abs(scaled));
  return with_unit(whole && std::abs(scaled) < 1e15 ? whole_text(scaled) : number_text(scaled, 4), as.name);
}

std::string limit_text(const Requirement& requirement, double needed) {
  if (needed == 0.0 || !std::isfinite(needed)) return figure_text(requirement.figure, needed);
  const ShownUnit as = shown(requirement.figure, needed);
  const double scaled = needed * as.factor;
  // Four digits, as figure_text() prints them.
  const double step = std::pow(10.0, decade_of(scaled) - 3);
  const double steps = scaled / step;
  const double rounded = requirement.at_most ? std::ceil(steps - 1e-9) : std::floor(steps + 1e-9);
  return figure_text(requirement.figure, rounded * step / as.factor);
}

namespace {

/// To the second digit of the whole; what is less is shown as 0.
std::string half_width_text(double half_width, double whole) {
  if (!std::isfinite(half_width)) return "an unknown part";
  if (!std::isfinite(whole)) return "±" + number_text(half_width, 2);
  if (half_width == 0.0) return "±0";
  const int decimals = std::max(0, 1 - decade_of(whole));
  return half_width < 0.5 * std::pow(10.0, -decimals) ? "±0" : "±" + fixed_text(half_width, decimals);
}

std::string part(double half_width, double whole, const std::string& source) {
  return half_width_text(half_width, whole) + " from " + (source.starts_with("the ") ? "" : "the ") + source;
}

}  // namespace

std::string interval_parts_text(const Estimate& estimate) {
  if (!estimate.parts) return "";
  const double whole = estimate.half_width();
  std::string text = ": ";
  for (const CalibrationShare& share : estimate.parts->calibration)
    text += part(share.half_width, whole, share.about) + ", ";
  return text + part(estimate.parts->half_width_simulation(), whole, "simulation");
}

std::string fitted_sources_text(const Provenance& provenance) {
  std::string text;
  for (const FittedSource& source : provenance.fitted) {
    text += "  fitted values of " + source.path + " (SHA-256 " + source.sha256 +
            "):" + (source.fits.empty() ? "" : " " + joined(source.fits)) + "\n";
  }
  if (!provenance.fitted.empty() && provenance.fits_taken_as_exact)
    text += "  their uncertainty is left out: the intervals are those of the simulation alone\n";
  return text;
}

}  // namespace saturn
