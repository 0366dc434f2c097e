#include <memory>

#include "calibration/calibrate.hpp"
#include "calibration/calibrate_shared.hpp"
#include "calibration/counter_pairs.hpp"
#include "calibration/files_given.hpp"
#include "calibration/import/text_format.hpp"
#include "reports/calibration_report.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/calibration_facts.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/new_file.hpp"
#include "sim/cli/written_files.hpp"

namespace saturn {

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
  throw InputError({{.source = "--set",
                     .code = "option.without_scenario",
                     .text = "--set and --seed change a scenario, and none is named; add --scenario SCENARIO.",
                     .excerpt = ""}});
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

  CalibrationReport report = calibration_report(files, calibration);
  report.provenance =
      provenance_of(read ? read->resolved : "", read ? read->scenario.run.seed : 0, command_of(options));
  report.created = utc_date();
  if (read) add_saturation(report, calibration, read->scenario, options.scenario.scenario);
  give({.table = [&](TextStyle style) { return calibration_table(report, style); },
        .json = [&] { return fitted_file_json(report); },
        .csv = [&] { return calibration_csv(report); }},
       options.output);
  if (options.fitted) write_new_file("--out", *options.fitted, fitted_file_json(report));
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
