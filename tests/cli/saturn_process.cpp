#include "tests/cli/saturn_process.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include <wordexp.h>

#include "sim/cli/exit_code.hpp"
#include "sim/cli/print_answer.hpp"

namespace saturn {

namespace {

/// What the forked child of a test does in place of the program, which would take longer to start.
[[noreturn]] void be_the_program(const std::string& arguments, const std::string& folder) {
  for (const int signal : {SIGINT, SIGILL, SIGFPE, SIGSEGV, SIGTERM, SIGABRT}) std::signal(signal, SIG_DFL);
  wordexp_t words{};
  if ((!folder.empty() && chdir(folder.c_str()) != 0) || wordexp(arguments.c_str(), &words, WRDE_UNDEF) != 0)
    std::abort();
  std::vector<std::string> typed(words.we_wordv, words.we_wordv + words.we_wordc);
  wordfree(&words);
  const PrintableErrors printable_errors;
  const ExitCode code = do_command(typed);
  std::cerr.flush();
  std::exit(static_cast<int>(code));
}

/// Whether a shell would do more than split the words.
bool needs_a_shell(const std::string& arguments) {
  wordexp_t words{};
  const bool failed = wordexp(arguments.c_str(), &words, WRDE_NOCMD) != 0;
  if (!failed) wordfree(&words);
  return failed;
}

}  // namespace

ProcessResult saturn_process(const std::string& arguments, const std::string& folder, const std::string& before) {
  const TemporaryFolder streams;
  const std::string out = (streams.path() / "out").string();
  const std::string err = (streams.path() / "err").string();
  int status = 0;
  if (before.empty() && !needs_a_shell(arguments)) {
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      const bool opened = std::freopen("/dev/null", "r", stdin) != nullptr &&
                          std::freopen(out.c_str(), "w", stdout) != nullptr &&
                          std::freopen(err.c_str(), "w", stderr) != nullptr;
      if (!opened) std::abort();
      be_the_program(arguments, folder);
    }
    waitpid(child, &status, 0);
  } else {
    const std::string enter = folder.empty() ? "" : "cd '" + folder + "' && ";
    status = std::system(
        (enter + before + " '" + SATURN_PROGRAM + "' " + arguments + " >'" + out + "' 2>'" + err + "' </dev/null")
            .c_str());
  }
  ProcessResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = text_of_file(out);
  result.err = text_of_file(err);
  return result;
}

nlohmann::json json_answer(const std::string& arguments, const std::string& folder) {
  const ProcessResult result = saturn_process(arguments + " --format json --quiet", folder);
  CAPTURE(arguments);
  CAPTURE(result.err);
  REQUIRE(nlohmann::json::accept(result.out));
  return nlohmann::json::parse(result.out);
}

nlohmann::json json_of_command(const std::string& command) {
  REQUIRE(command.starts_with("saturn "));
  return json_answer(command.substr(7));
}

std::string terminal_output(const std::string& arguments, const std::string& environment) {
  const TemporaryFolder streams;
  const std::string out = (streams.path() / "out").string();
  // script(1) gives the program a terminal of its own; every Debian system has it.
  const std::string command = "script -qec \"" + environment + " '" + SATURN_PROGRAM + "' " + arguments +
                              "\" /dev/null >'" + out + "' 2>/dev/null </dev/null";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("no terminal: " + command);
  return text_of_file(out);
}

std::string in_one_line(std::string_view text) {
  std::stringstream words{std::string(text)};
  std::string result;
  for (std::string word; words >> word;) result += " " + word;
  return result + " ";
}

}  // namespace saturn
