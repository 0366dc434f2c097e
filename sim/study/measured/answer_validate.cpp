#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "calibration/import/read_measured_file.hpp"
#include "calibration/measured_case.hpp"
#include "calibration/score/placed_rows.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "reports/run/check_report.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

[[noreturn]] void complain_of_model(const MeasuredCase& measured, const std::string& text) {
  refuse_input(measured.about.id, "measured.model", text);
}

const ModelResults& summary_of(const Results& summary, const std::string& model) {
  const auto found = std::find_if(summary.models.begin(), summary.models.end(),
                                  [&](const ModelResults& one) { return one.name == model; });
  if (found == summary.models.end()) throw std::logic_error("a run's summary lacks the model " + model);
  return *found;
}

}  // namespace

double most_in_flight(const Scenario& scenario, const std::string& model) {
  double items = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    double widest = 0.0;
    double beside = 0.0;
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr || infer->model != model) continue;
      const auto wide = static_cast<double>(std::min(infer->items.largest(), infer->in_flight * infer->request_batch));
      if (infer->asynchronous) {
        beside += wide;
      } else {
        widest = std::max(widest, wide);
      }
    }
    items += (widest + beside) * static_cast<double>(stream_count(pool));
  }
  return items;
}

std::optional<double> items_in_loop(const Scenario& scenario, const std::string& model) {
  if (!is_load_generator(scenario, model)) return std::nullopt;
  const auto& infer = std::get<InferStage>(scenario.jobs.front().event.front());
  const std::uint64_t items = infer.items.largest();
  const bool even = infer.items.is_constant() && items > 0 && items % std::min(items, infer.request_batch) == 0;
  return even ? std::optional(most_in_flight(scenario, model)) : std::nullopt;
}

ValidationRow measured_row(const MeasuredRow& row, const Scenario& scenario, const std::string& model) {
  ValidationRow result;
  result.measured = row.point;
  if (model.empty()) return result;
  result.in_flight = items_in_loop(scenario, model);
  if (result.in_flight) take_rate_of_loop(result.measured, *result.in_flight);
  result.little_ratio = little_ratio(result.measured, most_in_flight(scenario, model));
  return result;
}

std::string measured_model(const MeasuredCase& measured, const MeasuredRow& row, const Scenario& scenario) {
  const std::set<std::string> called = called_models(scenario);
  const std::string names = joined({called.begin(), called.end()});
  const std::string& model = row.model.empty() ? measured.model : row.model;
  if (model.empty()) {
    if (called.size() == 1) return *called.begin();
    complain_of_model(measured, "/model is missing: the jobs of " + measured.about.scenario + " call " +
                                    (called.empty() ? "no model" : names) +
                                    "; name the one that the measured rates and latencies are of.");
  }
  if (called.contains(model)) return model;
  complain_of_model(measured, "/model is \"" + model + "\"; the jobs of " + measured.about.scenario + " call " +
                                  (called.empty() ? "no model" : names) + ".");
}

ValidationRow compared_row(const MeasuredRow& row, const Scenario& scenario, const std::string& model,
                           const Results& summary) {
  ValidationRow result = measured_row(row, scenario, model);
  const ComparedPart part{.model = model.empty() ? nullptr : &summary_of(summary, model),
                          .nonml_s = row.nonml_s.value_or(0.0)};
  for (const MeasuredValue& value : result.measured.values) {
    result.simulated.push_back(simulated_number(*value.quantity, summary, part));
  }
  return result;
}

namespace {

/// One simulation: a row in its own scenario, or in that of a hypothesis.
struct RowRun {
  const MeasuredRow* row;
  std::string model;
  std::string command;
  std::size_t scenario;  ///< index of what is simulated for it; rows of the same scenario share one
};

/// A measured rate of a load generator above what the bounds of its scenario allow.
struct ForbiddenRate {
  std::string row;
  double measured_per_s = 0.0;  ///< items
  double allowed_per_s = 0.0;   ///< items
  double factor() const { return measured_per_s / allowed_per_s; }
};

std::optional<ForbiddenRate> forbidden_rate(const ValidationRow& row, const Scenario& scenario) {
  const std::optional<ClosedLoopRate> loop = row.loop();
  if (!loop) return std::nullopt;
  const auto& infer = std::get<InferStage>(scenario.jobs.front().event.front());
  const double allowed = System(scenario).bounds.events_per_s * static_cast<double>(infer.items.largest());
  const ForbiddenRate rate{.row = row.measured.label, .measured_per_s = loop->per_s(), .allowed_per_s = allowed};
  return rate.factor() > 1.0 + printed_rate_within ? std::optional(rate) : std::nullopt;
}

/// All simulations, in the order in which their results are used.
class RowRuns {
 public:
  explicit RowRuns(const std::vector<Override>& changes) : changes_(changes) {}

  /// @param before  changes of the scenario that come before those of the row
  void add(const MeasuredCase& measured, const MeasuredRow& row, const std::string& scenario,
           const std::vector<Override>& before);
  /// Simulates them all.
  void run(const RunOptions& options) { results_ = replicate(scenarios_, options); }
  /// The next result, beside its row; nothing where a signal came before its simulation was complete.
  /// @throws RunFailed
  std::optional<ValidationRow> next();
  /// In a sentence: the rows since it was last asked for that no run of their scenario can reach. Empty for none.
  std::string forbidden_rates();

  const std::string& resolved() const { return resolved_; }
  std::uint64_t seed() const { return scenarios_.empty() ? 0 : scenarios_.front().run.seed; }

 private:
  const std::vector<Override>& changes_;
  std::vector<Scenario> scenarios_;                                   ///< each once
  std::map<std::pair<std::string, std::string>, std::size_t> known_;  ///< their indices, by name and resolved text
  std::vector<RowRun> runs_;
  std::vector<std::variant<Replicated, RunFailure>> results_;
  std::string resolved_;
  std::size_t next_ = 0;
  std::vector<ForbiddenRate> forbidden_;
};

std::string run_command(const std::string& scenario, const std::vector<Override>& overrides) {
  ScenarioOptions options;
  options.scenario = scenario;
  for (const Override& change : overrides) options.set.push_back(change.pointer + "=" + change.value);
  return scenario_command("run", options);
}

bool has_model_quantity(const PublishedPoint& point) {
  return std::any_of(point.values.begin(), point.values.end(),
                     [](const MeasuredValue& value) { return value.quantity->of_model(); });
}

void RowRuns::add(const MeasuredCase& measured, const MeasuredRow& row, const std::string& scenario,
                  const std::vector<Override>& before) {
  std::vector<Override> overrides = before;
  overrides.insert(overrides.end(), row.set.begin(), row.set.end());
  overrides.insert(overrides.end(), changes_.begin(), changes_.end());
  ReadScenario read = read_scenario_file(scenario, overrides, read_platform_file);
  resolved_ += read.resolved;
  const auto [known, is_new] = known_.try_emplace({scenario, read.resolved}, scenarios_.size());
  runs_.push_back({.row = &row,
                   .model = has_model_quantity(row.point) ? measured_model(measured, row, read.scenario) : "",
                   .command = run_command(scenario, overrides),
                   .scenario = known->second});
  if (is_new) scenarios_.push_back(std::move(read.scenario));
}

std::optional<ValidationRow> RowRuns::next() {
  const RowRun& run = runs_[next_++];
  if (auto* failure = std::get_if<RunFailure>(&results_[run.scenario])) {
    if (failure->kind == FailureKind::out_of_budget && is_cut_short()) return std::nullopt;
    failure->command =
        run.command + " --seed " + std::to_string(failure->seed) + " --replica " + std::to_string(failure->replica);
    throw RunFailed(*failure);
  }
  const Results& summary = std::get<Replicated>(results_[run.scenario]).summary;
  refuse_broken_laws(summary, run.command);
  ValidationRow row = compared_row(*run.row, scenarios_[run.scenario], run.model, summary);
  if (auto rate = forbidden_rate(row, scenarios_[run.scenario])) forbidden_.push_back(std::move(*rate));
  return row;
}

std::string RowRuns::forbidden_rates() {
  const std::vector<ForbiddenRate> rates = std::exchange(forbidden_, {});
  if (rates.empty()) return "";
  const ForbiddenRate& worst = *std::ranges::max_element(rates, {}, &ForbiddenRate::factor);
  return "THE SCENARIO FORBIDS WHAT WAS MEASURED in " + counted(rates.size(), "row") + ": the server did " +
         in_words(std::round(worst.measured_per_s)) + " items/s at " + worst.row + ", where its times allow " +
         in_words(std::round(worst.allowed_per_s)) +
         " at most. Take the server's own compute times, measured with two requests in flight: a lone client's hold "
         "transfers, or a clock that falls between its requests.";
}

/// A hypothesis that is the case's own scenario is simulated already.
bool is_own_scenario(const MeasuredCase& measured, const MeasuredHypothesis& hypothesis) {
  return hypothesis.scenario == measured.about.scenario && hypothesis.set.empty();
}

ValidationCase validated_case(const MeasuredCase& measured, RowRuns& runs) {
  ValidationCase validation{.about = measured.about, .rows = {}};
  const std::size_t rows = measured.rows.size();
  std::vector<std::vector<std::optional<ValidationRow>>> all(1);  // the case's own, then those of its rivals
  for (std::size_t i = 0; i < rows; ++i) all[0].push_back(runs.next());
  const std::string forbidden = runs.forbidden_rates();
  if (!measured.about.published && !forbidden.empty()) append_part(validation.about.notes, forbidden, " ");
  for (const MeasuredHypothesis& hypothesis : measured.about.hypotheses) {
    std::vector<std::optional<ValidationRow>>& rival = all.emplace_back();
    for (std::size_t i = 0; i < rows; ++i)
      rival.push_back(is_own_scenario(measured, hypothesis) ? all[0][i] : runs.next());
  }
  runs.forbidden_rates();
  validation.rivals.resize(all.size() - 1);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!std::ranges::all_of(all, [i](const auto& one) { return one[i].has_value(); })) continue;
    for (std::size_t r = 1; r < all.size(); ++r) validation.rivals[r - 1].push_back(all[r][i]->simulated);
    validation.rows.push_back(std::move(*all[0][i]));
  }
  if (validation.rows.size() < rows)
    append_part(validation.about.notes,
                "INTERRUPTED: only " + std::to_string(validation.rows.size()) + " of " + counted(rows, "row") +
                    " had been simulated.",
                " ");
  return validation;
}

}  // namespace

ValidationReport validated(std::span<const MeasuredCase> cases, const std::vector<Override>& changes,
                           const RunOptions& options) {
  RowRuns runs(changes);
  for (const MeasuredCase& measured : cases) {
    for (const MeasuredRow& row : measured.rows) runs.add(measured, row, measured.about.scenario, {});
    for (const MeasuredHypothesis& hypothesis : measured.about.hypotheses) {
      if (is_own_scenario(measured, hypothesis)) continue;
      for (const MeasuredRow& row : measured.rows) runs.add(measured, row, hypothesis.scenario, hypothesis.set);
    }
  }
  runs.run(options);
  ValidationReport report;
  report.provenance = provenance_of(runs.resolved(), runs.seed(), "");
  for (const Override& change : changes) {
    // Seed and precision change how well the scenario is known, not the scenario.
    if (!change.pointer.starts_with("/run/")) report.changes.push_back(change.pointer + "=" + change.value);
  }
  for (const MeasuredCase& measured : cases)
    if (ValidationCase one = validated_case(measured, runs); !one.rows.empty()) report.cases.push_back(std::move(one));
  return report;
}

namespace {

/// What `validate` is told about the user's own measurements.
struct OwnOptions {
  std::string model{};
  std::optional<std::uint64_t> batch{};  ///< items of a request where a file does not say [item]
  std::string vary{};
  std::optional<std::string> median{};  ///< "5 %"
  std::optional<std::string> worst{};
};

struct ValidateRequest {
  std::vector<std::string> names{};  ///< one case; or a scenario and files of measurements
  OwnOptions own{};
  bool all = false;
  bool summary = false;
  std::optional<std::string> page{};  ///< file for the report as Markdown
  ScenarioOptions changes{};
  MachineOptions machine{};
  OutputOptions output{};
};

/// Whoever names two cases wants both of them, and not a scenario.
void complain_of_case(const std::string& name, Complaints& complaints) {
  if (name.empty()) return;
  const auto shipped = shipped_measurements();
  const bool is_case =
      std::any_of(shipped.begin(), shipped.end(), [&](const auto& file) { return file.name.starts_with(name); });
  if (!is_case) return;
  complaints.add(
      name, "score.case_not_scenario",
      "This names a shipped case. With several arguments the first is a scenario and the others are files of "
      "measurements; shipped cases are given one name at a time: saturn validate " +
          shell_word(name) + ".");
}

/// A complaint or warning about what a row changes, which the user has not written: the row is its place.
Complaint placed_at_row(Complaint complaint, const MeasuredCase& measured, const MeasuredRow& row) {
  const bool from_row = std::any_of(row.set.begin(), row.set.end(), [&](const Override& change) {
    return complaint.source.starts_with("--set " + change.pointer + "=");
  });
  if (!from_row) return complaint;
  return {.source = measured.about.id, .code = complaint.code, .text = row.point.label + ": " + complaint.text};
}

/// What the configurations of the rows give rise to beyond what the scenario itself does.
class RowReadings {
 public:
  explicit RowReadings(std::vector<Override> changes) : changes_(std::move(changes)) {}

  /// Takes the rows away that the scenario refuses, and names them in the notes.
  void keep_possible(MeasuredCase& measured);
  /// Complains of cases without a row that is left; else says the warnings but those told before.
  void finish(const std::set<std::string>& told, Monitor& monitor);

 private:
  bool is_possible(const MeasuredCase& measured, const MeasuredRow& row);
  static void add(std::vector<Complaint>& list, Complaint one);

  static constexpr std::size_t most_kept = 50;
  std::vector<Override> changes_;
  std::vector<Complaint> complaints_{};
  std::vector<Complaint> warnings_{};
};

void RowReadings::add(std::vector<Complaint>& list, Complaint one) {
  const bool known = std::any_of(list.begin(), list.end(),
                                 [&](const Complaint& other) { return other.formatted() == one.formatted(); });
  if (!known && list.size() < most_kept) list.push_back(std::move(one));
}

bool RowReadings::is_possible(const MeasuredCase& measured, const MeasuredRow& row) {
  std::vector<Override> overrides = row.set;
  overrides.insert(overrides.end(), changes_.begin(), changes_.end());
  try {
    const ReadScenario found = read_scenario_file(measured.about.scenario, overrides, read_platform_file);
    for (const Complaint& one : found.warnings) add(warnings_, placed_at_row(one, measured, row));
    return true;
  } catch (const InputError& error) {
    for (const Complaint& one : error.complaints()) add(warnings_, placed_at_row(one, measured, row));
    return false;
  }
}

void RowReadings::keep_possible(MeasuredCase& measured) {
  std::string lost;
  std::erase_if(measured.rows, [&](const MeasuredRow& row) {
    const bool possible = is_possible(measured, row);
    if (!possible) append_part(lost, row.point.label, "; ");
    return !possible;
  });
  if (lost.empty()) return;
  append_part(measured.about.notes, "Left out, since the scenario refuses to simulate them: " + lost + ".", " ");
  if (measured.rows.empty())
    complaints_.push_back({.source = measured.about.id,
                           .code = "score.no_rows",
                           .text = "The scenario refuses every row of the file; the reasons stand above."});
}

void RowReadings::finish(const std::set<std::string>& told, Monitor& monitor) {
  if (!complaints_.empty()) {
    warnings_.insert(warnings_.end(), complaints_.begin(), complaints_.end());
    throw InputError(std::move(warnings_));
  }
  std::erase_if(warnings_, [&](const Complaint& one) { return told.contains(one.formatted()); });
  say_warnings(warnings_, monitor);
}

/// The cases of a scenario and files of measurements, the request's names. Rows that the scenario refuses, such as
/// batches far beyond its service law, are left out and named; warnings are said.
/// @throws InputError  every complaint about scenario, files and options at once
std::vector<MeasuredCase> own_cases(const ValidateRequest& request, Monitor& monitor) {
  Complaints complaints;
  const OwnOptions& options = request.own;
  const std::string& scenario = request.names.front();
  OwnChoice choice{.scenario = scenario, .model = options.model, .vary = options.vary};
  if (options.batch) choice.batch = static_cast<double>(*options.batch);
  complaints.of([&] {
    if (options.median) choice.median = parse_fraction("--median", *options.median);
  });
  complaints.of([&] {
    if (options.worst) choice.worst = parse_fraction("--worst", *options.worst);
  });
  ScenarioOptions named = request.changes;
  named.scenario = scenario;
  std::optional<ReadScenario> read;
  complaints.of([&] { read = load_scenario(named, monitor); });
  if (!read) complain_of_case(scenario, complaints);
  std::vector<MeasuredFile> files;
  complaints.of([&] { files = read_measured_files(std::span(request.names).subspan(1)); });
  complaints.raise();

  OwnMeasurements own = own_measurements(read->scenario, files, read->fitted_files, choice);
  RowReadings readings(overrides_of(request.changes));
  for (MeasuredCase& measured : own.cases) readings.keep_possible(measured);
  std::set<std::string> told;
  for (const Complaint& warning : read->warnings) told.insert(warning.formatted());
  readings.finish(told, monitor);
  say_warnings(own.warnings, monitor);
  return std::move(own.cases);
}

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

Reply list_measured_cases() {
  std::vector<ListedItem> items;
  for (const MeasuredCase& one : read_measured_cases(""))
    items.push_back({.name = one.about.id, .title = one.about.title + " (" + counted(one.rows.size(), "row") + ")"});
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
  std::vector<OutputFile> written = files_of_out(request.output);
  if (request.page) refuse_to_overwrite_page(*request.page, request.output.force);
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
  if (request.page && is_cut_short()) monitor.warn("saturn: interrupted; " + *request.page + " was not written.\n");
  if (request.page && !is_cut_short())
    reply.files.push_back({.option = "--write",
                           .path = *request.page,
                           .text = validation_page(report),
                           .not_writable = "write.not_writable"});
  return reply;
}

}  // namespace saturn
