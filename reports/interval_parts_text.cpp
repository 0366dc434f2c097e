#include "reports/interval_parts_text.hpp"

#include <cmath>

#include "reports/number_text.hpp"

namespace saturn {

namespace {

std::string part(double half_width, const std::string& source) {
  const std::string size = std::isfinite(half_width) ? "±" + number_text(half_width, 2) : "an unknown part";
  return size + " from " + (source.starts_with("the ") ? "" : "the ") + source;
}

}  // namespace

std::string interval_parts_text(const Estimate& estimate) {
  if (!estimate.parts) return "";
  std::string text = ": ";
  for (const CalibrationShare& share : estimate.parts->calibration) text += part(share.half_width, share.about) + ", ";
  return text + part(estimate.parts->half_width_simulation(), "simulation");
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
