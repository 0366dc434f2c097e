#include "reports/interval_parts_text.hpp"

#include <algorithm>
#include <cmath>

#include "reports/number_text.hpp"

namespace saturn {

namespace {

/// To the second digit of the whole; what is less is shown as 0.
std::string size_text(double half_width, double whole) {
  if (!std::isfinite(half_width)) return "an unknown part";
  if (!std::isfinite(whole)) return "±" + number_text(half_width, 2);
  if (half_width == 0.0) return "±0";
  const int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(whole))));
  return half_width < 0.5 * std::pow(10.0, -decimals) ? "±0" : "±" + fixed_text(half_width, decimals);
}

std::string part(double half_width, double whole, const std::string& source) {
  return size_text(half_width, whole) + " from " + (source.starts_with("the ") ? "" : "the ") + source;
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
    text += "  fitted values of " + source.path + " (SHA-256 " + source.sha256 + "):";
    for (std::size_t i = 0; i < source.fits.size(); ++i) text += (i == 0 ? " " : ", ") + source.fits[i];
    text += "\n";
  }
  if (!provenance.fitted.empty() && provenance.fits_taken_as_exact)
    text += "  their uncertainty is left out: the intervals are those of the simulation alone\n";
  return text;
}

}  // namespace saturn
