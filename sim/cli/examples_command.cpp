#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "models/printable_text.hpp"
#include "reports/listing.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/whole_file.hpp"

namespace saturn {

namespace {

struct ExamplesOptions {
  std::vector<std::string> names;
  std::optional<std::string> copy_to;
  OutputOptions output;
};

std::string short_name(const EmbeddedFile& file) {
  return std::string(file.name.substr(0, file.name.rfind(".json")));
}

const EmbeddedFile& shipped(const std::string& name) {
  std::string known;
  for (const EmbeddedFile& file : shipped_scenarios()) {
    if (file.name == name || short_name(file) == name) return file;
    known += (known.empty() ? "" : ", ") + short_name(file);
  }
  throw InputError({{.source = name,
                     .code = "examples.unknown",
                     .text = "No shipped scenario has this name; shipped are: " + known + ".",
                     .excerpt = ""}});
}

void list_scenarios(const OutputOptions& output) {
  std::vector<ListedItem> items;
  for (const EmbeddedFile& file : shipped_scenarios()) {
    const ReadScenario read = read_scenario_text(std::string(file.text), std::string(file.name), {});
    items.push_back({.name = short_name(file), .title = read.scenario.title});
  }
  refuse_to_overwrite(output);
  give({.table = [&](TextStyle style) { return listing_table("scenario", items, style); },
        .json = [&] { return listing_json("scenario", items); },
        .csv = [&] { return listing_csv(items); }},
       output);
}

void copy(const std::vector<const EmbeddedFile*>& files, const std::filesystem::path& folder, bool force) {
  std::vector<Complaint> complaints;
  for (const EmbeddedFile* file : files) {
    const std::filesystem::path path = folder / file->name;
    std::error_code ignored;
    if (force || !std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) continue;
    complaints.push_back({.source = path.string(),
                          .code = "examples.exists",
                          .text = "The file would be overwritten; name another folder, or add --force.",
                          .excerpt = ""});
  }
  if (!complaints.empty()) throw InputError(complaints);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  for (const EmbeddedFile* file : files) {
    const std::filesystem::path path = folder / file->name;
    if (!write_whole(path, std::string(file->text))) {
      throw InputError({{.source = path.string(),
                         .code = "examples.not_writable",
                         .text = "The file cannot be written.",
                         .excerpt = ""}});
    }
    std::cout << printable_line(path.string()) << "\n";
  }
}

ExitCode examples(const ExamplesOptions& options) {
  std::vector<const EmbeddedFile*> files;
  for (const std::string& name : options.names) files.push_back(&shipped(name));
  if (options.copy_to) {
    if (files.empty()) {
      for (const EmbeddedFile& file : shipped_scenarios()) files.push_back(&file);
    }
    copy(files, *options.copy_to, options.output.force);
  } else if (files.empty()) {
    list_scenarios(options.output);
  } else {
    for (const EmbeddedFile* file : files) std::cout << file->text;
  }
  return ExitCode::answered;
}

}  // namespace

void add_examples_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "examples", "List, print or copy the shipped scenarios");
  const auto options = std::make_shared<ExamplesOptions>();
  verb.add_option("names", options->names, "Scenarios to print or copy; none: list them all").type_name("NAME");
  verb.add_option("--copy", options->copy_to, "Copy them into this folder; never replaces a file without --force")
      .type_name("DIR")
      .single();
  add_output_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn examples\n"
      "  saturn examples first-steps\n"
      "  saturn examples --copy my-scenarios protodune-big-batch");
  verb.answers(chosen, [options] { return examples(*options); });
}

}  // namespace saturn
