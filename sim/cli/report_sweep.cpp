#include <optional>

#include "reports/page/sweep_page.hpp"
#include "reports/shell_word.hpp"
#include "reports/sweep_view.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/report_kinds.hpp"
#include "sim/cli/sweep_answer.hpp"
#include "sim/cli/sweep_provenance_file.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

/// Options that change a simulation change nothing of one that has been done.
void refuse_changes_of_results(const ReportOptions& options) {
  std::vector<Complaint> complaints;
  for (const std::string& option : given_simulation_options(options))
    complaints.push_back({.source = option,
                          .code = "report.nothing_simulated",
                          .text = "A sweep's report shows what its folder holds, and simulates nothing; leave " +
                                  option + " out, or give it to saturn sweep."});
  if (!complaints.empty()) throw InputError(complaints);
}

SweepView asked_view(const ReportOptions& options) {
  std::vector<Complaint> complaints;
  SweepView view = view_of(options.view, complaints);
  if (!complaints.empty()) throw InputError(complaints);
  return view;
}

/// Without its file, what the plan says.
Provenance provenance_of_plan(const SweepHeader& header) {
  return {.version = header.version,
          .simgrid = "not known",
          .git = "not known",
          .seed = header.seed,
          .scenario_sha256 = header.scenario_sha256,
          .command = ""};
}

ExitCode exit_code_of_points(const SweepTable& table) {
  for (const SweepRow& row : table.rows) {
    const PointStatus status = row.result.status;
    if (status == PointStatus::missing || status == PointStatus::imprecise) return ExitCode::precision_not_reached;
  }
  return ExitCode::answered;
}

}  // namespace

ReportAnswer sweep_report(const ReportOptions& options, const ReportProgress& progress) {
  refuse_changes_of_results(options);
  const std::string& folder = options.scenario.scenario;
  SweepSource source{.folder = folder, .view = asked_view(options)};
  const SweepPlan plan = read_plan(folder);
  progress("reading the results of " + std::to_string(plan.points.size()) + " points");
  ReadResults results = read_results(folder);
  refuse_conflicts(results);
  source.torn = results.torn;
  const SweepTable table = sweep_table(plan, std::move(results));
  refuse_faults(table, source.view);

  const std::optional<Provenance> provenance = read_sweep_provenance(folder);
  source.provenance = provenance.value_or(provenance_of_plan(plan.header));
  if (!source.provenance.command.empty()) {
    source.sweep_command = source.provenance.command + " --out " + shell_word(folder);
    source.commands.push_back(source.sweep_command);
  }
  source.commands.push_back(options.command);
  return {.page = sweep_page(for_people(table), source), .code = exit_code_of_points(table)};
}

bool is_sweep_folder(const std::string& path) {
  return has_plan(path);
}

}  // namespace saturn
