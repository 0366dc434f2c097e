#include "calibration/calibrate.hpp"

#include <map>

namespace saturn {

void make_names_unique(std::vector<NamedFit>& fits) {
  std::map<std::string, int> seen;
  for (NamedFit& fit : fits) {
    const int number = ++seen[fit.name];
    if (number == 1) continue;
    fit.name += " " + std::to_string(number);
    // The new name may be another fit's own.
    ++seen[fit.name];
  }
}

Calibration calibrate(std::span<const MeasuredFile> files, const std::string& model) {
  Calibration result;
  calibrate_services(files, model, result);
  calibrate_closed_loops(files, result);
  calibrate_cpu_times(files, result);
  calibrate_networks(files, result);
  calibrate_numbers(files, result);
  if (result.fits.empty()) {
    std::vector<Complaint> reasons;
    for (const MeasuredFile& file : files) reasons.insert(reasons.end(), file.left_out.begin(), file.left_out.end());
    reasons.insert(reasons.end(), result.left_out.begin(), result.left_out.end());
    reasons.push_back({.source = files.empty() ? "" : files.front().path,
                       .code = "calibration.nothing_to_fit",
                       .text = "Nothing in the given files can be fitted; the reasons stand above.",
                       .excerpt = ""});
    throw InputError(std::move(reasons));
  }
  make_names_unique(result.fits);
  return result;
}

}  // namespace saturn
