#include <filesystem>
#include <optional>
#include <string>

#include "calibration/measured_case.hpp"
#include "models/words/texts.hpp"
#include "reports/run/check_report.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

/// Refuses a page that exists or has no place, before anything is simulated for it.
/// @throws InputError  write.exists, write.no_folder
void refuse_to_overwrite_page(const std::string& path, bool force) {
  if (path.empty()) refuse_input("--write", "write.no_name", "--write needs the name of a file.");
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (std::filesystem::is_directory(path, ignored)) {
    refuse_input("--write", "write.is_a_folder", path + " is a folder; --write needs the name of a file.");
  }
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    refuse_input("--write", "write.no_folder",
                 "There is no folder " + folder.string() + "; make it, or name another place.");
  }
  if (!force && std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    refuse_input("--write", "write.exists", path + " would be overwritten; name another file, or add --force.");
  }
}

namespace {

Reply list_measured_cases() {
  std::vector<ListedItem> items;
  for (const MeasuredCase& one : read_measured_cases(""))
    items.push_back(
        {.name = one.about.id, .title = one.about.title + " (" + counted_noun(one.rows.size(), "row") + ")"});
  return {.answer = listing_answer("case", items)};
}

// CSV has no heading that could say it.
void warn_of_changes(const ValidationReport& report, bool own, Monitor& monitor) {
  if (report.changes.empty()) return;
  monitor.note("note: every row was simulated with " + joined(report.changes, " ") +
               (own ? "\n" : "; these are not the errors of the shipped scenarios\n"));
}

/// Shipped cases know their model, their rows and their bands.
void refuse_own_options(const TypedCommand& typed) {
  if (typed.typed_of({"--model", "--batch", "--vary", "--median", "--worst"}).empty()) return;
  refuse_input("--model, --batch, --vary, --median, --worst", "option.without_measurements",
               "These options are about your own measurements, and none are given; name a scenario and "
               "files: saturn validate SCENARIO MEASURED.csv.");
}

}  // namespace

Reply answer_validate(const TypedCommand& typed, Monitor& monitor) {
  ValidateRequest request{
      .changes = scenario_options(typed), .machine = machine_options(typed), .output = output_options(typed)};
  typed.take("case", request.names);
  typed.take("--all", request.all);
  typed.take("--summary", request.summary);
  typed.take("--write", request.page);
  typed.take("--model", request.own.model);
  typed.take("--batch", request.own.batch);
  typed.take("--vary", request.own.vary);
  typed.take("--median", request.own.median);
  typed.take("--worst", request.own.worst);
  const RunLimits limits = limits_of(request.machine);
  refuse_to_overwrite(request.output);
  if (request.page) refuse_to_overwrite_page(*request.page, request.output.force);
  std::vector<OutputFile> written = files_of_out(request.output);
  if (request.page) written.push_back({"--write", *request.page});
  refuse_overlaps(written, request.names);
  const bool own = request.names.size() > 1;
  if (!own) refuse_own_options(typed);
  if (request.names.empty() && !request.all) return list_measured_cases();
  const std::vector<MeasuredCase> cases =
      own ? own_cases(request, monitor) : read_measured_cases(request.all ? "" : request.names.front());

  Progress progress(monitor);
  RunOptions run_options = run_options_of(request.machine, limits, {}, {}, &progress);
  run_options.command.clear();
  ValidationReport report = validated(cases, overrides_of(request.changes), run_options);
  progress.end();
  warn_of_changes(report, own, monitor);
  report.provenance.command = request.changes.command;
  Reply reply{.answer = validation_answer(report, request.summary),
              .exit_code = within_bands(report) ? ExitCode::answered : ExitCode::outside_band};
  if (request.page)
    reply.files.push_back({.option = "--write",
                           .path = *request.page,
                           .text = validation_page(report),
                           .not_writable = "write.not_writable"});
  return reply;
}

}  // namespace saturn
