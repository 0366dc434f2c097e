#include "sim/run/called_program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

using CallClock = std::chrono::steady_clock;
constexpr std::size_t kept_words = 4096;

int milliseconds_until(CallClock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - CallClock::now()).count();
  return static_cast<int>(std::clamp<long>(left + 1, 0, 60'000));
}

[[noreturn]] void become(const ProgramCall& call, pid_t parent, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (const auto& [name, value] : call.environment) setenv(name.c_str(), value.c_str(), 1);
  std::string program = call.program.string();
  std::vector<std::string> words = call.arguments;
  std::vector<char*> arguments{program.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const char* why = std::strerror(errno);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, why, std::strlen(why));
  _exit(127);
}

/// Appends what comes until the program closes its end. @returns false: the time was over before
bool take_words(int fd, CallClock::time_point end, std::string& words) {
  std::array<char, 4096> buffer;
  while (true) {
    pollfd waited{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = poll(&waited, 1, milliseconds_until(end));
    if (ready == 0 && CallClock::now() >= end) return false;
    if (ready <= 0) continue;
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    words.append(buffer.data(), static_cast<std::size_t>(count));
    if (words.size() > kept_words) words.erase(0, words.size() - kept_words);
  }
}

/// The status of a child that has closed its pipe, and so is about to end; nothing when the time is over before.
std::optional<int> reaped(pid_t pid, CallClock::time_point end) {
  while (true) {
    int status = 0;
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return status;
    if (ended < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for a process");
    if (CallClock::now() >= end) return {};
    usleep(2000);
  }
}

int killed(pid_t pid) {
  kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::optional<std::filesystem::path> program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return {};
  for (const std::string_view folder : split_at(path, ':')) {
    const std::filesystem::path program = std::filesystem::path(folder.empty() ? "." : folder) / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(program, ignored) && access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

ProgramEnd call_program(const ProgramCall& call) {
  const CallClock::time_point end =
      CallClock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(1000.0 * call.limit_s));
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "opening a pipe");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  const int forked = errno;
  if (pid == 0) become(call, parent, ends[1]);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    throw std::system_error(forked, std::generic_category(), "starting a process");
  }
  ProgramEnd result;
  const bool silent = take_words(ends[0], end, result.words);
  close(ends[0]);
  std::optional<int> status = silent ? reaped(pid, end) : std::nullopt;
  result.timed_out = !status;
  if (!status) status = killed(pid);
  result.exit_code = WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
  result.words = std::string(trimmed_end(result.words, " \n\r\t"));
  return result;
}

}  // namespace saturn
