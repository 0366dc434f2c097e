#include "sim/run/forked_child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "sim/run/child_process.hpp"

namespace saturn {
namespace {

constexpr std::size_t kept_last_words = 2048;

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "opening a pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    if (read_end >= 0) close(read_end);
    if (write_end >= 0) close(write_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

/// Appends what the pipe holds; closes it at its end.
void take(int& fd, std::string& text) {
  std::array<char, 65536> buffer;
  while (fd >= 0) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && errno == EAGAIN) {
      return;
    } else {
      close(fd);
      fd = -1;
    }
  }
}

std::string signal_text(int number) {
  const char* name = sigabbrev_np(number);
  const char* description = sigdescr_np(number);
  return std::string("killed by ") + (name ? "SIG" + std::string(name) : "signal " + std::to_string(number)) +
         (description ? " (" + std::string(description) + ")" : "");
}

}  // namespace

ForkedChild::ForkedChild(const ForkedTask& task, const RunLimits& limits, const SignalWatch& signals) {
  Pipe result;
  Pipe errors;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "starting a process");
  if (pid == 0) {
    signals.become_child();
    run_as_child(task, limits, parent, result.write_end, errors.write_end);
  }
  pid_ = pid;
  result_fd_ = std::exchange(result.read_end, -1);
  stderr_fd_ = std::exchange(errors.read_end, -1);
  for (const int fd : {result_fd_, stderr_fd_}) fcntl(fd, F_SETFL, O_NONBLOCK);
  deadline_ = *deadline_after(limits.time);
}

ForkedChild::~ForkedChild() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    reap();
  }
  close_pipes();
}

void ForkedChild::close_pipes() {
  if (result_fd_ >= 0) close(std::exchange(result_fd_, -1));
  if (stderr_fd_ >= 0) close(std::exchange(stderr_fd_, -1));
}

int ForkedChild::reap() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

void ForkedChild::read_available() {
  take(result_fd_, result_);
  take(stderr_fd_, last_words_);
  if (last_words_.size() > kept_last_words) last_words_.erase(0, last_words_.size() - kept_last_words);
}

std::string ForkedChild::with_last_words(std::string message) const {
  const std::size_t end = last_words_.find_last_not_of(" \n\r\t");
  if (end == std::string::npos) return message;
  return std::move(message) + "; its last words were: " + last_words_.substr(0, end + 1);
}

std::variant<std::string, TaskFailure> ForkedChild::finish() {
  const int status = reap();
  close_pipes();
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGTERM) return TaskFailure{FailureKind::interrupted, "stopped by SIGTERM"};
    // An allocation that fails where nothing may throw ends in abort(), and only these words tell why.
    const bool memory = number == SIGABRT && last_words_.find("std::bad_alloc") != std::string::npos;
    const FailureKind other = is_own_fault(number) ? FailureKind::crashed : FailureKind::killed;
    return TaskFailure{memory ? FailureKind::out_of_memory : other, with_last_words(signal_text(number))};
  }
  if (WEXITSTATUS(status) == 0 && !result_.empty()) {
    const ChildVerdict verdict{result_.front()};
    result_.erase(0, 1);
    if (verdict == ChildVerdict::bytes) return std::move(result_);
    return TaskFailure{failure_kind(verdict), with_last_words(std::move(result_))};
  }
  return TaskFailure{FailureKind::crashed, with_last_words("ended with exit status " +
                                                           std::to_string(WEXITSTATUS(status)) + " and no result")};
}

void ForkedChild::kill_now() const {
  kill(pid_, SIGKILL);
}

TaskFailure ForkedChild::stop(FailureKind kind, const std::string& message) {
  kill_now();
  reap();
  read_available();
  close_pipes();
  return {kind, with_last_words(message)};
}

}  // namespace saturn
