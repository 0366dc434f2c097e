#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "calibration/calibrate.hpp"
#include "calibration/calibrate_services.hpp"
#include "calibration/compare_fits.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/calibration_report.hpp"
#include "reports/calibration/fit_section.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/scenario.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/new_files.hpp"
#include "sim/cli/options.hpp"

namespace saturn {

namespace {

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

}  // namespace

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

/// "2026-11-21T15:20:00Z": now, or SOURCE_DATE_EPOCH where that is set, so that builds of files can be repeated.
std::string utc_date() {
  std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH"); fixed != nullptr && *fixed != '\0') {
    char* end = nullptr;
    const long long seconds = std::strtoll(fixed, &end, 10);
    if (*end == '\0' && seconds >= 0) now = static_cast<std::time_t>(seconds);
  }
  std::tm date{};
  gmtime_r(&now, &date);
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &date));
  return text;
}

namespace {

struct CalibrateOptions {
  std::vector<std::string> files;
  std::optional<std::string> fitted;  ///< file to write
  std::string model;
  std::optional<std::uint64_t> batch;  ///< items of a request where a file does not say [item]
  std::optional<std::string> shared;   ///< loads of instances that share a device
  std::size_t instances = 2;           ///< so many of them
  ScenarioOptions scenario;
  OutputOptions output;
};

std::string command_of(const CalibrateOptions& options) {
  std::string command = "saturn calibrate";
  for (const std::string& file : options.files) command += " " + shell_word(file);
  if (!options.model.empty()) command += " --model " + shell_word(options.model);
  if (options.batch) command += " --batch " + std::to_string(*options.batch);
  if (options.shared)
    command += " --shared " + shell_word(*options.shared) + " --instances " + std::to_string(options.instances);
  if (!options.scenario.scenario.empty()) command += " --scenario " + shell_word(options.scenario.scenario);
  for (const std::string& set : options.scenario.set) command += " --set " + shell_word(set);
  if (options.fitted) command += " --out " + shell_word(*options.fitted);
  return command;
}

/// All files, the shared one last; what is wrong with them together is refused.
std::vector<MeasuredFile> read_given(const CalibrateOptions& options) {
  std::vector<std::string> paths = options.files;
  if (options.shared) paths.push_back(*options.shared);
  if (options.fitted) refuse_overlaps({{"--out", *options.fitted}}, paths);
  std::vector<MeasuredFile> files = read_measured_files(paths);
  refuse_doubles(files);
  if (options.batch) set_batches(files, static_cast<double>(*options.batch));
  return files;
}

void refuse_changes_of_nothing(const CalibrateOptions& options) {
  if (!options.scenario.scenario.empty() || (options.scenario.set.empty() && !options.scenario.seed)) return;
  refuse_input("--set", "option.without_scenario",
               "--set and --seed change a scenario, and none is named; add --scenario SCENARIO.");
}

ExitCode calibrate_files(const CalibrateOptions& options) {
  refuse_changes_of_nothing(options);
  if (options.fitted) refuse_to_replace("--out", *options.fitted, options.output.force);
  std::optional<ReadScenario> read;
  if (!options.scenario.scenario.empty()) read = load_scenario(options.scenario, options.output);
  if (read && options.fitted)
    refuse_overlaps({{"--out", *options.fitted}}, files_read(*read, options.scenario.scenario));
  std::vector<MeasuredFile> files = read_given(options);
  std::optional<SharedLoads> shared;
  if (options.shared) {
    shared = SharedLoads{.file = std::move(files.back()), .instances = options.instances};
    files.pop_back();
  }
  files = with_differences(std::move(files));
  Calibration calibration = calibrate(files, options.model);
  if (shared) {
    split_shared(*shared, options.model, calibration);
    files.push_back(shared->file);
  }

  const Provenance provenance = provenance_of("", 0, command_of(options));
  SavedCalibration saved{.version = provenance.version,
                         .git = provenance.git,
                         .created = utc_date(),
                         .command = provenance.command,
                         .data = fitted_data(files),
                         .calibration = std::move(calibration)};
  if (read) saved.saturation = saturation_by_source(saved.calibration, read->scenario, options.scenario.scenario);
  give(calibration_answer(files, saved), options.output);
  if (options.fitted) write_new_file("--out", *options.fitted, fitted_file_json(saved));
  return ExitCode::answered;
}

}  // namespace

void add_calibrate_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "calibrate", "Fit service laws, times and rates to measured files");
  const auto options = std::make_shared<CalibrateOptions>();
  verb.add_option("files", options->files,
                  "Output of perf_analyzer, Model Analyzer, Triton's metrics, ping, iperf3 -J, TimeTracker, "
                  "FastTimerService, tables or numbers; recognised by content")
      .required()
      .type_name("FILES");
  verb.add_option("--out", options->fitted, "Write the fits into this file, for {\"fitted\": FILE} in scenarios")
      .type_name("FILE");
  verb.add_option("--model", options->model, "Name of the model where a file does not say; the same for all files")
      .type_name("NAME");
  add_batch_option(verb, options->batch);
  const VerbOption shared =
      verb.add_option(
              "--shared", options->shared,
              "Loads of several instances that share a device: tells the device's part of a batch from the host's")
          .type_name("FILE");
  verb.add_option("--instances", options->instances, "How many instances those are, default 2")
      .whole_number(2, 64)
      .needs(shared)
      .type_name("N");
  verb.add_option("--scenario", options->scenario.scenario, "Say where this scenario saturates by each source")
      .type_name("SCENARIO");
  add_change_options(verb, options->scenario);
  add_format_options(verb, options->output);
  verb.add_flag("--force", options->output.force, "Let --out replace a file that exists");
  verb.footer(
      "Examples:\n"
      "  saturn calibrate perf.csv --out fitted.json\n"
      "  saturn calibrate ping.txt iperf3.json timing.db --out site.json\n"
      "  saturn calibrate perf_client.txt rows.csv --scenario protodune-big-batch\n"
      "Then, in a scenario: \"service\": { \"t4\": { \"fitted\": \"fitted.json\" } }");
  verb.answers(chosen, [options] { return calibrate_files(*options); });
}

}  // namespace saturn
