#include "calibration/fitted_file.hpp"
#include "reports/page/fitted_page.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/report_kinds.hpp"

namespace saturn {

namespace {

/// Options of simulations and of sweeps change nothing of fits.
void refuse_options_of_others(const ReportOptions& options) {
  std::vector<Complaint> complaints;
  for (const std::vector<std::string>& given : {given_simulation_options(options), given_view_options(options)})
    for (const std::string& option : given)
      complaints.push_back({.source = option,
                            .code = "report.only_fits",
                            .text = "A fitted file's report shows what the file holds; leave " + option + " out."});
  if (!complaints.empty()) throw InputError(complaints);
}

}  // namespace

ReportAnswer fitted_report(const ReportOptions& options, const ReportProgress& progress) {
  refuse_options_of_others(options);
  progress("reading the fits");
  const SavedCalibration saved = read_fitted_file(options.scenario.scenario);
  std::vector<std::string> commands;
  if (!saved.command.empty()) commands.push_back(saved.command);
  commands.push_back(options.command);
  return {.page = fitted_page(saved, options.scenario.scenario, commands)};
}

}  // namespace saturn
