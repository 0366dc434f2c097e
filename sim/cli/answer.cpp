#include "sim/cli/answer.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/run/check_report.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/new_files.hpp"
#include "sim/sweep/result_files.hpp"

namespace saturn {

namespace {

/// Makes the folder before anything is simulated, so that nobody waits for a result that has no place.
void probe(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) refuse_input("--out", "out.not_writable", folder.string() + " cannot be made: " + failed.message() + ".");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse_input("--out", "out.not_writable", folder.string() + " cannot be written.");
}

/// The first of these variables that is set says how characters are written.
bool shows_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos ||
           locale.find("utf-8") != std::string_view::npos || locale.find("UTF8") != std::string_view::npos;
  }
  return false;
}

std::string text_of(const Answer& answer, const OutputOptions& options, TextStyle style) {
  switch (options.format) {
    case Format::table:
      return terminal_text(answer, style, options.details);
    case Format::markdown:
      return markdown_text(answer);
    case Format::csv:
      return csv_text(answer);
    case Format::json:
      return json_text(answer);
    case Format::html:
      return html_page(answer);
  }
  return {};
}

std::size_t width_of_stdout() {
  winsize size{};
  // A pipe has no width, and some terminals say 0.
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return TextStyle{}.width;
  return size.ws_col;
}

}  // namespace

TextStyle style_of_stdout() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  const bool looked_at = isatty(STDOUT_FILENO) == 1 && !dumb;
  return {.colour = looked_at && !refused, .pictures = looked_at && shows_utf8(), .width = width_of_stdout()};
}

void refuse_to_overwrite(const OutputOptions& options) {
  if (!options.out) return;
  const std::filesystem::path folder = *options.out;
  std::error_code ignored;
  if (std::filesystem::exists(folder, ignored) && !std::filesystem::is_directory(folder, ignored)) {
    refuse_input("--out", "out.not_a_folder", folder.string() + " is a file; --out needs the name of a folder.");
  }
  if (folder.empty()) refuse_input("--out", "out.no_name", "--out needs the name of a folder.");
  probe(folder);
  if (options.force) return;
  std::string present;
  for (const char* name : result_file_names) {
    // A link to nowhere is a name that is taken, too.
    if (std::filesystem::exists(std::filesystem::symlink_status(folder / name, ignored)))
      append_part(present, (folder / name).string());
  }
  if (!present.empty()) {
    refuse_input("--out", "out.exists", present + " would be overwritten; name another folder, or add --force.");
  }
}

void give(const Answer& answer, const OutputOptions& options) {
  const TextStyle style = style_of_stdout();
  const std::string text = text_of(answer, options, style);
  // A file or another program gets CSV and JSON byte for byte.
  const bool looked_at = options.format == Format::table || isatty(STDOUT_FILENO) == 1;
  std::cout << (looked_at ? printable_lines(text, style.colour) : text);
  finish_stdout();
  if (!options.out) return;

  const std::filesystem::path folder = *options.out;
  write_new_file("--out", folder / result_file_names[0], json_text(answer));
  write_new_file("--out", folder / result_file_names[1], csv_text(answer));
  write_new_file("--out", folder / result_file_names[2], printable_lines(terminal_text(answer, {}, true)));
}

ExitCode give_no_plan(const std::string& why, Provenance provenance, const OutputOptions& options) {
  give(no_plan_answer(why, std::move(provenance)), options);
  return ExitCode::no_plan;
}

ExitCode give_unconfirmed(const UnconfirmedReport& report, const OutputOptions& output) {
  give(unconfirmed_answer(report), output);
  return ExitCode::precision_not_reached;
}

namespace {

/// Where a name leads: links are followed, as far as it exists.
std::filesystem::path resolved(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  const std::filesystem::path real = std::filesystem::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal() : real;
}

bool are_same(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code ignored;
  // Two names of one file on the disk (hard links) have different paths.
  return resolved(a) == resolved(b) || std::filesystem::equivalent(a, b, ignored);
}

}  // namespace

std::vector<OutputFile> files_of_out(const OutputOptions& options) {
  std::vector<OutputFile> files;
  if (!options.out) return files;
  for (const char* name : result_file_names) files.push_back({"--out", std::filesystem::path(*options.out) / name});
  return files;
}

std::vector<std::string> files_read(const ReadScenario& read, const std::string& scenario) {
  const std::filesystem::path folder = std::filesystem::path(scenario).parent_path();
  std::vector<std::string> files{scenario};
  for (const FittedFile& file : read.fitted_files) files.push_back(file.path);
  if (read.scenario.platform_file) files.push_back((folder / *read.scenario.platform_file).string());
  for (const auto& [name, model] : read.scenario.models)
    if (model.triton_config) files.push_back((folder / *model.triton_config).string());
  return files;
}

std::vector<std::string> files_of_sweep(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const char* name : sweep_file_names) files.push_back((folder / name).string());
  for (const std::filesystem::path& file : result_files(folder)) files.push_back(file.string());
  return files;
}

void refuse_overlaps(const std::vector<OutputFile>& written, const std::vector<std::string>& read) {
  std::vector<Complaint> complaints;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const OutputFile& file = written[i];
    for (std::size_t k = 0; k < i; ++k)
      if (are_same(file.path, written[k].path))
        complaints.push_back({.source = file.option,
                              .code = "out.same_file",
                              .text = file.option + " and " + written[k].option + " both write " + file.path.string() +
                                      "; they need a file each."});
    for (const std::string& input : read) {
      std::error_code ignored;
      if (!std::filesystem::exists(input, ignored) || !are_same(file.path, input)) continue;
      complaints.push_back(
          {.source = file.option,
           .code = "out.is_input",
           .text = file.option + " would write over " + input + ", which this command reads; name another file."});
    }
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

}  // namespace saturn
