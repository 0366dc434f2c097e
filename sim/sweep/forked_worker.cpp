#include "sim/sweep/forked_worker.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "models/words/texts.hpp"

namespace saturn {
namespace {

constexpr std::size_t last_words_kept = 2048;

std::string count_in_words(unsigned count) {
  if (count == 1) return "once";
  if (count == 2) return "twice";
  return std::to_string(count) + " times";
}

/// The last bytes of a file, without the white space at its end.
std::string end_of(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  std::string text(last_words_kept, '\0');
  const ssize_t count =
      pread(file, text.data(), text.size(), std::max(size - static_cast<off_t>(last_words_kept), off_t{0}));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return std::string(trimmed_end(text, " \n\r\t"));
}

}  // namespace

bool WorkerDeath::out_of_memory() const {
  if (WIFEXITED(status)) return WEXITSTATUS(status) == out_of_memory_status;
  // An allocation that fails where nothing may be thrown ends in abort(), and only these words tell why.
  return WTERMSIG(status) == SIGABRT && last_words.find("std::bad_alloc") != std::string::npos;
}

bool WorkerDeath::out_of_time() const {
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
}

bool WorkerDeath::killed_from_outside() const {
  return WIFSIGNALED(status) && !is_own_fault(WTERMSIG(status));
}

std::string WorkerDeath::in_words(unsigned deaths) const {
  if (WIFEXITED(status)) {
    return "ended " + count_in_words(deaths) + " without a result, last with exit status " +
           std::to_string(WEXITSTATUS(status));
  }
  const char* description = sigdescr_np(WTERMSIG(status));
  return "was killed " + count_in_words(deaths) + ", last by signal " + std::to_string(WTERMSIG(status)) +
         (description ? " (" + std::string(description) + ")" : "");
}

ForkedWorker::ForkedWorker(const SweepJob& job, const std::string& log_name, const SignalWatch& signals,
                           const std::vector<int>& of_others) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "opening a socket");
  }
  socket_ = ends[0];
  // A file, not a pipe: nobody has to read along, and a worker without a parent may still write.
  last_words_ = memfd_create("last words of a worker", MFD_CLOEXEC);
  if (last_words_ >= 0) fcntl(last_words_, F_SETFL, O_APPEND);
  pid_ = fork();
  if (pid_ < 0) {
    const int reason = errno;
    close(ends[1]);
    close_files();
    throw std::system_error(reason, std::generic_category(), "starting a process");
  }
  if (pid_ == 0) {
    setpgid(0, 0);
    signals.become_worker();
    close(ends[0]);
    for (const int other : of_others) close(other);
    live_as_worker(job, log_name, ends[1], last_words_);
  }
  // Both do it, so that the group is there whoever comes first.
  setpgid(pid_, pid_);
  close(ends[1]);
}

ForkedWorker::~ForkedWorker() {
  if (pid_ > 0) reap();
  close_files();
}

void ForkedWorker::close_files() {
  for (int* file : {&socket_, &last_words_}) {
    if (*file >= 0) close(std::exchange(*file, -1));
  }
}

void ForkedWorker::begin(std::size_t task, Clock::time_point deadline) {
  task_ = task;
  deadline_ = deadline;
  ssize_t count = 0;
  // Where the worker has died meanwhile, its end of the socket tells so afterwards.
  do count = send(socket_, &task, sizeof task, MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
}

void ForkedWorker::let_end() {
  shutdown(socket_, SHUT_WR);
  told_to_end_ = true;
}

std::optional<WorkerReport> ForkedWorker::take_report() {
  std::array<char, longest_report> bytes;
  while (!closed_) {
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return std::nullopt;
    if (count <= 0) {
      closed_ = true;
      return std::nullopt;
    }
    std::optional<WorkerReport> report = report_from({bytes.data(), static_cast<std::size_t>(count)});
    if (!report) continue;
    task_.reset();
    return report;
  }
  return std::nullopt;
}

bool ForkedWorker::has_ended() const {
  if (closed_) return true;
  // Children that it left behind may keep its end of the socket open.
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

WorkerDeath ForkedWorker::reap() {
  // As long as the worker is not reaped, the number of its group can be nobody else's.
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  WorkerDeath death;
  while (waitpid(pid_, &death.status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (last_words_ >= 0) death.last_words = end_of(last_words_);
  return death;
}

}  // namespace saturn
