#include "sim/cli/own_validation.hpp"

#include <algorithm>
#include <functional>
#include <iostream>
#include <set>

#include "calibration/import/text_format.hpp"
#include "models/words/texts.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/run/read_platform.hpp"

namespace saturn {

namespace {

/// Does something, and keeps its complaints for later.
void collect(std::vector<Complaint>& complaints, const std::function<void()>& what) {
  try {
    what();
  } catch (const InputError& error) {
    complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
  }
}

void throw_any(std::vector<Complaint>& complaints) {
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

/// Whoever names two cases wants both of them, and not a scenario.
void complain_of_case(const std::string& name, std::vector<Complaint>& complaints) {
  if (name.empty()) return;
  const auto shipped = shipped_measurements();
  const bool is_case =
      std::any_of(shipped.begin(), shipped.end(), [&](const auto& file) { return file.name.starts_with(name); });
  if (!is_case) return;
  complaints.push_back({.source = name,
                        .code = "score.case_not_scenario",
                        .text = "This names a shipped case. With several arguments the first is a scenario and the "
                                "others are files of measurements; shipped cases are given one name at a time: saturn "
                                "validate " +
                                shell_word(name) + "."});
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
  /// Complains of cases without a row that is left; else prints the warnings.
  void finish(const std::set<std::string>& said, bool quiet);

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

void RowReadings::finish(const std::set<std::string>& said, bool quiet) {
  if (!complaints_.empty()) {
    warnings_.insert(warnings_.end(), complaints_.begin(), complaints_.end());
    throw InputError(std::move(warnings_));
  }
  if (quiet) return;
  for (const Complaint& one : warnings_) {
    if (!said.contains(one.formatted())) std::cerr << "warning: " << one.formatted() << "\n";
  }
}

}  // namespace

bool any_given(const OwnOptions& options) {
  return !options.model.empty() || options.batch || !options.vary.empty() || options.median || options.worst;
}

std::vector<MeasuredCase> own_cases(const std::vector<std::string>& names, const ScenarioOptions& changes,
                                    const OwnOptions& options, const OutputOptions& output) {
  std::vector<Complaint> complaints;
  OwnChoice choice{.scenario = names.front(), .model = options.model, .vary = options.vary};
  if (options.batch) choice.batch = static_cast<double>(*options.batch);
  collect(complaints, [&] {
    if (options.median) choice.median = parse_fraction("--median", *options.median);
  });
  collect(complaints, [&] {
    if (options.worst) choice.worst = parse_fraction("--worst", *options.worst);
  });
  ScenarioOptions named = changes;
  named.scenario = names.front();
  std::optional<ReadScenario> read;
  collect(complaints, [&] { read = load_scenario(named, output); });
  if (!read) complain_of_case(names.front(), complaints);
  std::vector<MeasuredFile> files;
  collect(complaints, [&] { files = read_measured_files(std::span(names).subspan(1)); });
  throw_any(complaints);

  OwnMeasurements own = own_measurements(read->scenario, files, read->fitted_files, choice);
  RowReadings readings(overrides_of(changes));
  for (MeasuredCase& measured : own.cases) readings.keep_possible(measured);
  std::set<std::string> said;
  for (const Complaint& warning : read->warnings) said.insert(warning.formatted());
  readings.finish(said, output.quiet);
  if (!output.quiet) {
    for (const Complaint& warning : own.warnings) std::cerr << "warning: " << warning.formatted() << "\n";
  }
  return std::move(own.cases);
}

std::string own_command(const std::vector<std::string>& names, const ScenarioOptions& changes,
                        const OwnOptions& options) {
  std::string command = "saturn validate";
  for (const std::string& name : names) command += " " + shell_word(name);
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) command += " " + option + " " + shell_word(value);
  };
  add("--model", options.model);
  if (options.batch) add("--batch", std::to_string(*options.batch));
  add("--vary", options.vary);
  add("--median", options.median.value_or(""));
  add("--worst", options.worst.value_or(""));
  for (const std::string& change : changes.set) add("--set", change);
  if (changes.seed) add("--seed", std::to_string(*changes.seed));
  return command;
}

}  // namespace saturn
