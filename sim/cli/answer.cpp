#include "sim/cli/answer.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include "models/printable_text.hpp"
#include "models/words/texts.hpp"
#include "reports/no_plan_report.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/standard_files.hpp"
#include "sim/cli/whole_file.hpp"

namespace saturn {

namespace {

[[noreturn]] void complain_of_out(const std::string& code, const std::string& text) {
  throw InputError({{.source = "--out", .code = code, .text = text, .excerpt = ""}});
}

void write(const std::filesystem::path& path, const std::string& text) {
  if (!write_whole(path, text)) complain_of_out("out.not_writable", path.string() + " cannot be written.");
}

/// Makes the folder before anything is simulated, so that nobody waits for a result that has no place.
void probe(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) complain_of_out("out.not_writable", folder.string() + " cannot be made: " + failed.message() + ".");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    complain_of_out("out.not_writable", folder.string() + " cannot be written.");
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

std::string text_of(const Answer& answer, Format format, TextStyle style) {
  switch (format) {
    case Format::table:
      return answer.table(style);
    case Format::json:
      return answer.json();
    case Format::csv:
      return answer.csv();
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
    complain_of_out("out.not_a_folder", folder.string() + " is a file; --out needs the name of a folder.");
  }
  if (folder.empty()) complain_of_out("out.no_name", "--out needs the name of a folder.");
  probe(folder);
  if (options.force) return;
  std::string present;
  for (const char* name : result_file_names) {
    // A link to nowhere is a name that is taken, too.
    if (std::filesystem::exists(std::filesystem::symlink_status(folder / name, ignored)))
      append_part(present, (folder / name).string());
  }
  if (!present.empty()) {
    complain_of_out("out.exists", present + " would be overwritten; name another folder, or add --force.");
  }
}

void give(const Answer& answer, const OutputOptions& options) {
  const TextStyle style = style_of_stdout();
  const std::string text = text_of(answer, options.format, style);
  // A file or another program gets CSV and JSON byte for byte.
  const bool looked_at = options.format == Format::table || isatty(STDOUT_FILENO) == 1;
  std::cout << (looked_at ? printable_lines(text, style.colour) : text);
  finish_stdout();
  if (!options.out) return;

  const std::filesystem::path folder = *options.out;
  write(folder / result_file_names[0], answer.json());
  write(folder / result_file_names[1], answer.csv());
  write(folder / result_file_names[2], printable_lines(answer.table({})));
}

ExitCode give_no_plan(const std::string& why, Provenance provenance, const OutputOptions& options) {
  const NoPlanReport report{.provenance = std::move(provenance), .why = why};
  give({.table = [&](TextStyle style) { return no_plan_text(report, style); },
        .json = [&] { return no_plan_json(report); },
        .csv = [&] { return no_plan_csv(report); }},
       options);
  return ExitCode::no_plan;
}

}  // namespace saturn
