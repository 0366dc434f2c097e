#include "sim/cli/print_answer.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/sweep/sweep_summary.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/option_table.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

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

/// Colour only where a person looks: stdout is a terminal and NO_COLOR is not set. Pictures only where it shows UTF-8.
TextStyle style_of_stdout() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  const bool looked_at = isatty(STDOUT_FILENO) == 1 && !dumb;
  return {.colour = looked_at && !refused, .pictures = looked_at && shows_utf8(), .width = width_of_stdout()};
}

void print(const Answer& answer, const OutputOptions& options) {
  const TextStyle style = style_of_stdout();
  const std::string text = text_of(answer, options, style);
  // A file or another program gets CSV and JSON byte for byte.
  const bool looked_at = options.format == Format::table || isatty(STDOUT_FILENO) == 1;
  std::cout << (looked_at ? printable_lines(text, style.colour) : text);
  finish_stdout();
  if (!options.out) return;
  const std::filesystem::path folder = *options.out;
  write_new_file({"--out", folder / result_file_names[0], json_text(answer)});
  write_new_file({"--out", folder / result_file_names[1], csv_text(answer)});
  write_new_file({"--out", folder / result_file_names[2], printable_lines(terminal_text(answer, {}, true))});
}

constexpr std::chrono::seconds between_logged_lines{30};

/// Says on stderr how a study goes. What is only of the moment is one line that replaces itself on a terminal, wiped
/// before anything else is said, and elsewhere a line every half minute.
class TerminalMonitor : public Monitor {
 public:
  TerminalMonitor(const OutputOptions& options, bool timing)
      : quiet_(options.quiet),
        previews_(!options.quiet && options.format == Format::table),
        timing_(timing),
        has_line_(!options.quiet && isatty(STDERR_FILENO) == 1) {}
  ~TerminalMonitor() override { wipe(); }

  void note(const std::string& lines) override {
    if (!quiet_) warn(lines);
  }

  void warn(const std::string& lines) override {
    if (lines.empty()) return;
    wipe();
    std::cerr << lines << std::flush;
  }

  void preview(const std::function<std::string()>& lines) override {
    if (previews_) warn(lines());
  }

  std::optional<std::string> ask(const std::string& question, const std::string& assumed) override {
    if (quiet_ || isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) return std::nullopt;
    wipe();
    std::cerr << question << " [" << assumed << "] " << std::flush;
    std::string answer;
    if (!std::getline(std::cin, answer)) return std::nullopt;
    return std::string(trimmed(answer));
  }

  void doing(const std::string& what) override { show(what + " ..."); }

  void begin_simulations() override {
    simulations_ = 0;
    start_ = std::chrono::steady_clock::now();
  }

  void simulated(std::uint32_t done, std::uint32_t expected) override {
    simulations_ = done;
    show(std::to_string(done) + " of " + std::to_string(expected) + " simulations");
  }

  void end_simulations() override {
    wipe();
    if (!has_line_ || !timing_ || simulations_ == 0) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    warn(std::to_string(simulations_) + " simulations in " + number_text(passed.count(), 2) + " s\n");
  }

  void swept(const SweepProgress& progress) override {
    if (progress.stopping && !said_stopping_) {
      said_stopping_ = true;
      note("Finishing the points that are being computed; interrupt once more to stop at once.\n");
    }
    show(sweep_progress_text(progress, {.colour = false}));
  }

  void wipe() {
    if (shown_) terminal_line() << "\r\033[K" << std::flush;
    shown_ = false;
  }

 private:
  /// Off a terminal, such as in the log of a batch job: a line now and then, none of what is done soon.
  void log(const std::string& line) {
    const auto now = std::chrono::steady_clock::now();
    if (quiet_ || now - logged_ < between_logged_lines) return;
    logged_ = now;
    warn(line + "\n");
  }

  void show(const std::string& line) {
    if (!has_line_) return log(line);
    terminal_line() << "\r\033[K" << line << std::flush;
    shown_ = true;
  }

  bool quiet_;
  bool previews_;
  bool timing_;
  bool has_line_;
  bool shown_ = false;
  bool said_stopping_ = false;
  std::uint32_t simulations_ = 0;
  std::chrono::steady_clock::time_point start_{};
  std::chrono::steady_clock::time_point logged_ = std::chrono::steady_clock::now();
};

}  // namespace

namespace {

/// @throws InputError        out.not_writable, stdout.not_writable, and what the study throws
/// @throws std::logic_error  the table has an option that the verb does not look for
ExitCode do_verb(const TypedCommand& typed) {
  OutputOptions options = output_options(typed);
  // Elsewhere --out names what the verb itself writes.
  if (const OptionRow* out = typed.find("--out"); out != nullptr && out->verbs != "files") options.out.reset();
  bool timing = true;
  typed.take_if_any("--timing", timing);
  TerminalMonitor monitor(options, timing);
  const Reply reply = typed.verb().answer(typed, monitor);
  typed.refuse_unused();
  monitor.wipe();
  if (reply.answer) print(*reply.answer, options);
  if (!reply.text.empty()) {
    std::cout << printable_lines(reply.text);
    finish_stdout();
  }
  for (const AnswerFile& file : reply.files) write_new_file(file);
  monitor.note(reply.last_words);
  finish_stdout();
  return reply.exit_code;
}

/// Does the verb and turns what it throws into an exit code.
ExitCode exit_code_of(const TypedCommand& typed) {
  try {
    return do_verb(typed);
  } catch (const InputError& error) {
    for (const Complaint& complaint : error.complaints()) std::cerr << complaint.formatted() << "\n";
    return ExitCode::input;
  } catch (const RunFailed& failed) {
    std::cerr << failed.what() << "\n";
    return failed.exit_code();
  } catch (const Interrupted& interrupted) {
    std::cerr << "saturn: " << interrupted.what() << "\n";
    return ExitCode::interrupted;
  } catch (const std::exception& error) {
    std::cerr << "saturn: an error of the program itself, not of your input: " << error.what()
              << "\nPlease report it with the command and the scenario.\n";
    return ExitCode::our_bug;
  }
}

}  // namespace

ExitCode do_command(const std::vector<std::string>& arguments) {
  try {
    return exit_code_of(read_typed_command(arguments));
  } catch (const UsageError& error) {
    std::cerr << "saturn: " << printable_lines(error.what())
              << "\nRun \"saturn --help\" or \"saturn VERB --help\" for what is allowed.\n";
    return ExitCode::usage;
  }
}

}  // namespace saturn
