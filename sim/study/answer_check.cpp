#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/results/measure_reference.hpp"
#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/run/check_report.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep/sweep_space.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

Reply answer_check(const TypedCommand& typed, Monitor& monitor) {
  const ScenarioOptions options = scenario_options(typed);
  const OutputOptions output = output_options(typed);
  const ReadScenario read = load_scenario(options, monitor);
  // What a sweep block asks is understood here too, so that it does not fail only when somebody sweeps.
  if (read.scenario.sweep) sweep_space(asked_sweep({}, read), read);
  refuse_overlaps(files_of_out(output), files_read(read, options.scenario));
  return {.answer = check_answer(read, gather_facts(read.scenario), provenance_of(read, options.command))};
}

namespace {

std::string short_name(const EmbeddedFile& file) {
  return std::string(file.name.substr(0, file.name.rfind(".json")));
}

const EmbeddedFile& shipped(const std::string& name) {
  std::string known;
  for (const EmbeddedFile& file : shipped_scenarios()) {
    if (file.name == name || short_name(file) == name) return file;
    append_part(known, short_name(file));
  }
  refuse_input(name, "examples.unknown", "No shipped scenario has this name; shipped are: " + known + ".");
}

Reply list_scenarios(const OutputOptions& output) {
  std::vector<ListedItem> items;
  for (const EmbeddedFile& file : shipped_scenarios()) {
    const ReadScenario read = read_scenario_text(std::string(file.text), std::string(file.name), {});
    items.push_back({.name = short_name(file), .title = read.scenario.title});
  }
  files_of_out(output);
  return {.answer = listing_answer("scenario", items)};
}

/// Writes them, and answers with their places.
Reply copy_scenarios(const std::vector<const EmbeddedFile*>& files, const std::filesystem::path& folder, bool force) {
  Complaints complaints;
  for (const EmbeddedFile* file : files) {
    const std::filesystem::path path = folder / file->name;
    std::error_code ignored;
    if (force || !std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) continue;
    complaints.add(path.string(), "examples.exists",
                   "The file would be overwritten; name another folder, or add --force.");
  }
  complaints.raise();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::string written;
  for (const EmbeddedFile* file : files) {
    const std::filesystem::path path = folder / file->name;
    if (!write_whole(path, std::string(file->text)))
      refuse_input(path.string(), "examples.not_writable", "The file cannot be written.");
    written += printable_line(path.string()) + "\n";
  }
  return {.text = written};
}

}  // namespace

Reply answer_examples(const TypedCommand& typed, Monitor& /*monitor*/) {
  std::vector<std::string> names;
  std::optional<std::string> folder;
  typed.take("names", names);
  typed.take("--copy", folder);
  const OutputOptions output = output_options(typed);
  std::vector<const EmbeddedFile*> files;
  for (const std::string& name : names) files.push_back(&shipped(name));
  if (!folder && files.empty()) return list_scenarios(output);
  if (folder) {
    if (files.empty())
      for (const EmbeddedFile& file : shipped_scenarios()) files.push_back(&file);
    return copy_scenarios(files, *folder, output.force);
  }
  std::string texts;
  for (const EmbeddedFile* file : files) texts += file->text;
  return {.text = texts};
}

Reply answer_schema(const TypedCommand& typed, Monitor& /*monitor*/) {
  bool reference = false;
  bool measures = false;
  typed.take("--reference", reference);
  typed.take("--measures", measures);
  return {.text = measures ? measure_reference() : reference ? scenario_reference() : scenario_schema()};
}

Reply answer_version(const TypedCommand& /*typed*/, Monitor& /*monitor*/) {
  const Provenance build = provenance_of("", 0, "");
  return {.text = "saturn " + build.version + " (" + build.git + ") on SimGrid " + build.simgrid + "\n"};
}

}  // namespace saturn
