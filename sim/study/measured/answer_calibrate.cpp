#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/calibration_report.hpp"
#include "reports/calibration/fit_section.hpp"
#include "reports/calibration/pointer_fit_report.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/scenario.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/study/measured/measured_fits.hpp"
#include "sim/study/measured/pointer_fit.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

struct CalibrateRequest {
  std::vector<std::string> files{};
  std::string model{};
  std::optional<std::uint64_t> batch{};  ///< items of a request where a file does not say [item]
  std::optional<std::string> shared{};   ///< loads of instances that share a device
  std::size_t instances = 0;             ///< so many of them
  ScenarioOptions scenario{};
  OutputOptions output{};  ///< its `out` is the file to write
};

/// By the fitted law where it reaches the requests of the scenario; else a note says why not.
std::optional<DeviceSaturation> saturation_by_law(SourceKnees& found, const NamedFit& fit, const Scenario& scenario) {
  const std::string model = model_meant(scenario, fit.model);
  if (model.empty()) {
    found.notes.push_back(fit.name + " is no model of the scenario; name it by --model");
    return std::nullopt;
  }
  const RequestSizes sizes = request_sizes(scenario, model);
  const std::string range = joined(fit.sources) + " knows batches of " + size_text(fit.fit.x_low) + " to " +
                            size_text(fit.fit.x_high) + " items, and the requests carry " + size_text(sizes.least) +
                            (sizes.most > sizes.least ? " to " + size_text(sizes.most) : "");
  // As for measured points: twice the largest size is the farthest that is trusted.
  if (sizes.most > 2.0 * fit.fit.x_high || 2.0 * sizes.most < fit.fit.x_low) {
    found.notes.push_back(range + ": too far to say where the scenario saturates");
    return std::nullopt;
  }
  if (sizes.most > fit.fit.x_high || sizes.least < fit.fit.x_low) found.notes.push_back(range + ": EXTRAPOLATED");
  return saturation_with(scenario, model, fit.fit);
}

std::string note_on_loop(const NamedFit& fit, const Scenario& scenario) {
  const SaturationFit& loop = *fit.saturation;
  const std::string source = joined(fit.sources);
  if (loop.knee_above)
    return source + ": no row is saturated; its own knee lies above " + number_text(*loop.knee_above, 3) + " clients";
  if (loop.knee_below)
    return source + ": every row is saturated; its own knee lies below " + number_text(*loop.knee_below, 3) +
           " clients";
  return source + ": its rows give the demand, the scenario the unhindered event time, " +
         number_text(ideal_event_time(scenario)) + " s; that of the rows themselves is " +
         number_text(fit.fit.parameters.values.at(0)) + " s, and their own knee at " +
         number_text(loop.knee.value_or(0.0), 3) + " clients";
}

/// What each source says of the scenario's saturation: service laws by the closed bounds of the scenario with that law,
/// closed loops directly.
/// @param name  of the scenario, as the user gave it
SourceKnees saturation_by_source(const Calibration& calibration, const Scenario& scenario, const std::string& name) {
  SourceKnees found{.scenario = name};
  for (const NamedFit& fit : calibration.fits) {
    std::optional<DeviceSaturation> saturation;
    if (fit.kind == FitKind::service_law) {
      saturation = saturation_by_law(found, fit, scenario);
    } else if (fit.saturation) {
      saturation = saturation_of_loop(scenario, *fit.saturation);
      found.notes.push_back(note_on_loop(fit, scenario));
    }
    if (!saturation) continue;
    found.knees.push_back(
        {.source = joined(fit.sources), .saturation = *saturation, .decided_by = joined(deciding_rows(fit))});
  }
  return found;
}

/// All files, the shared one last; what is wrong with them together is refused.
std::vector<MeasuredFile> read_given(const CalibrateRequest& options) {
  std::vector<std::string> paths = options.files;
  if (options.shared) paths.push_back(*options.shared);
  if (options.output.out) refuse_overlaps({{"--out", *options.output.out}}, paths);
  std::vector<MeasuredFile> files = read_measured_files(paths);
  refuse_doubles(files);
  know_request_items(files, options.batch);
  return files;
}

void refuse_changes_of_nothing(const CalibrateRequest& options) {
  if (!options.scenario.scenario.empty() || (options.scenario.set.empty() && !options.scenario.seed)) return;
  refuse_input("--set", "option.without_scenario",
               "--set and --seed change a scenario, and none is named; add --scenario SCENARIO.");
}

/// Options of the other way of fitting, beside which the table refuses this one.
void pass_over(const TypedCommand& typed, std::initializer_list<const char*> options) {
  std::vector<std::string> nothing;
  for (const char* option : options) typed.take(option, nothing);
}

/// Without --fit nothing is simulated.
void refuse_limits(const TypedCommand& typed) {
  machine_options(typed);
  const std::vector<std::string> limits = typed.typed_of({"--workers", "--time-limit", "--memory-limit"});
  if (limits.empty()) return;
  refuse_input(joined(limits), "option.needs_fit",
               "Laws and times are fitted without simulating, and this is about simulations; it belongs beside --fit.");
}

/// `calibrate --fit`: fields of a scenario, to named rows.
Reply answer_fit(const TypedCommand& typed, Monitor& monitor) {
  const OutputOptions output = output_options(typed);
  const MachineOptions machine = machine_options(typed);
  const ScenarioOptions scenario = scenario_options(typed);
  const RunLimits limits = limits_of(machine);
  if (output.out) refuse_to_replace("--out", *output.out, output.force);
  const FitQuestion question = fit_question(typed, monitor);
  if (output.out) refuse_overlaps({{"--out", *output.out}}, typed.values_of("files"));

  Progress progress(monitor);
  RunOptions options = run_options_of(machine, limits, {}, {}, &progress);
  options.command.clear();
  PointerFitReport report = fitted_pointers(question, options);
  progress.end();
  report.provenance.command = scenario.command;
  if (output.out && is_a_fit(report)) report.written = *output.out;
  if (!is_a_fit(report)) return {.answer = pointer_fit_answer(report), .exit_code = ExitCode::outside_band};
  Reply reply{.answer = pointer_fit_answer(report)};
  if (output.out)
    reply.files.push_back(
        {.option = "--out", .path = *output.out, .text = fitted_scenario(question, report, *output.out)});
  return reply;
}

}  // namespace

Reply answer_calibrate(const TypedCommand& typed, Monitor& monitor) {
  if (!typed.values_of("--fit").empty()) {
    pass_over(typed, {"--shared", "--instances"});
    return answer_fit(typed, monitor);
  }
  pass_over(typed, {"--fit", "--points", "--quantities", "--structure", "--judge"});
  refuse_limits(typed);
  CalibrateRequest request{.scenario = scenario_options(typed), .output = output_options(typed)};
  typed.take("files", request.files);
  typed.take("--model", request.model);
  typed.take("--batch", request.batch);
  typed.take("--shared", request.shared);
  typed.take("--instances", request.instances);
  typed.take("--scenario", request.scenario.scenario);
  refuse_changes_of_nothing(request);
  if (request.output.out) refuse_to_replace("--out", *request.output.out, request.output.force);
  std::optional<ReadScenario> read;
  if (!request.scenario.scenario.empty()) read = load_scenario(request.scenario, monitor);
  if (read && request.output.out)
    refuse_overlaps({{"--out", *request.output.out}}, files_read(*read, request.scenario.scenario));
  std::vector<MeasuredFile> files = read_given(request);
  std::optional<SharedLoads> shared;
  if (request.shared) {
    shared = SharedLoads{.file = std::move(files.back()), .instances = request.instances};
    files.pop_back();
  }
  files = with_differences(std::move(files));
  Calibration calibration = calibrate(files, request.model);
  if (shared) {
    split_shared(*shared, request.model, calibration);
    files.push_back(shared->file);
  }

  SavedCalibration saved = saved_calibration(files, std::move(calibration), request.scenario.command);
  if (read) saved.saturation = saturation_by_source(saved.calibration, read->scenario, request.scenario.scenario);
  Reply reply{.answer = calibration_answer(files, saved)};
  if (request.output.out)
    reply.files.push_back({.option = "--out", .path = *request.output.out, .text = fitted_file_json(saved)});
  return reply;
}

}  // namespace saturn
