#include "reports/figure_text.hpp"

#include <cmath>

#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double noise_of_shares = 1e-9;  // of shares, which are of the order of 1

struct Shown {
  double factor = 1.0;
  std::string unit{};
};

Shown shown_time(double seconds) {
  const double size = std::abs(seconds);
  if (size > 0.0 && size < 1e-3) return {1e6, " us"};
  if (size > 0.0 && size < 1.0) return {1e3, " ms"};
  if (size >= 2 * 86400.0) return {1.0 / 86400.0, " d"};
  if (size >= 2 * 3600.0) return {1.0 / 3600.0, " h"};
  return {1.0, " s"};
}

bool is_share(MeasureId figure) {
  return figure->unit == MeasureUnit::share || figure->unit == MeasureUnit::excess;
}

Shown shown(MeasureId figure, double value) {
  if (is_share(figure)) return {100.0, " %"};
  if (figure->unit == MeasureUnit::seconds) return shown_time(value);
  const std::string_view unit = text_of(figure->unit).symbol;
  return {1.0, unit.empty() ? "" : " " + std::string(unit)};
}

}  // namespace

std::string figure_text(MeasureId figure, const Estimate& value) {
  if (!std::isfinite(value.mean)) return "–";
  if (is_share(figure) && std::abs(value.mean) < noise_of_shares && std::abs(value.half_width()) < noise_of_shares)
    return "0 %";
  const Shown as = shown(figure, value.mean);
  const bool known_width = std::isfinite(value.half_width()) && value.half_width() > 0.0;
  if (!known_width) return figure_text(figure, value.mean);
  return estimate_text(value, as.factor) + as.unit;
}

std::string figure_text(MeasureId figure, double value) {
  if (!std::isfinite(value)) return "–";
  const Shown as = shown(figure, value);
  const double scaled = value * as.factor;
  // Counts, and limits that somebody wrote, have no digits behind their last one that matters.
  const bool whole = std::abs(scaled - std::round(scaled)) < 1e-9 * std::max(1.0, std::abs(scaled));
  return (whole && std::abs(scaled) < 1e15 ? whole_text(scaled) : number_text(scaled, 4)) + as.unit;
}

std::string limit_text(const Requirement& requirement, double needed) {
  if (needed == 0.0 || !std::isfinite(needed)) return figure_text(requirement.figure, needed);
  const Shown as = shown(requirement.figure, needed);
  const double scaled = needed * as.factor;
  // Four digits, as figure_text() prints them.
  const double step = std::pow(10.0, std::floor(std::log10(std::abs(scaled))) - 3.0);
  const double steps = scaled / step;
  const double rounded = requirement.at_most ? std::ceil(steps - 1e-9) : std::floor(steps + 1e-9);
  return figure_text(requirement.figure, rounded * step / as.factor);
}

}  // namespace saturn
