#include "sim/sweep/sweep_worker.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <optional>
#include <signal.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "sim/sweep/result_log.hpp"

#ifdef SATURN_COVERED
#include <gcov.h>
#endif

namespace saturn {

namespace {

/// Takes the text before the next zero byte, or all of it.
std::string take_field(std::string_view& bytes) {
  const std::size_t end = bytes.find('\0');
  std::string field(bytes.substr(0, end));
  bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  return field;
}

}  // namespace

std::string report_bytes(const WorkerReport& report) {
  std::string bytes(1, static_cast<char>(report.end));
  for (const Complaint& complaint : report.complaints) {
    for (const std::string* field : {&complaint.source, &complaint.code, &complaint.text}) {
      bytes += *field;
      bytes += '\0';
    }
  }
  if (bytes.size() > longest_report) bytes.resize(longest_report);
  return bytes;
}

std::optional<WorkerReport> report_from(std::string_view bytes) {
  if (bytes.empty() || bytes.front() < static_cast<char>(PointEnd::answered) ||
      bytes.front() > static_cast<char>(PointEnd::unsaved)) {
    return std::nullopt;
  }
  WorkerReport report{.end = PointEnd{bytes.front()}};
  bytes.remove_prefix(1);
  while (!bytes.empty()) {
    Complaint complaint;
    complaint.source = take_field(bytes);
    complaint.code = take_field(bytes);
    complaint.text = take_field(bytes);
    report.complaints.push_back(std::move(complaint));
  }
  return report;
}

namespace {

using WorkerClock = std::chrono::steady_clock;

constexpr std::chrono::seconds between_flushes{5};

/// Whole multiples of a binary unit in that unit, so that a limit reads as it was given.
std::string memory_text(std::uint64_t bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < names.size() && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + " " + names[unit];
}

PointResult result_of(const SweepJob& job, std::uint64_t point) {
  try {
    PointAnswer answer = job.answer(point);
    const PointStatus status = answer.precision_reached ? PointStatus::answered : PointStatus::imprecise;
    return {.status = status, .answer = std::move(answer)};
  } catch (const PointFailed& failure) {
    return failed_point(failure.kind(), failure.what());
  } catch (const std::bad_alloc&) {
    return out_of_memory_point(job.options);
  } catch (const std::exception& error) {
    return failed_point("crashed", error.what());
  } catch (...) {
    return failed_point("crashed", "an exception of an unknown type");
  }
}

/// What is killed from outside may well answer when it is asked again.
PointResult result_after_attempts(const SweepJob& job, std::uint64_t point) {
  PointResult result = result_of(job, point);
  for (unsigned attempt = 1; attempt < job.options.attempts && result.failure == killed_kind; ++attempt)
    result = result_of(job, point);
  return result;
}

/// The file that a worker's results go to. It is made at the first of them, so that no empty file is ever left.
class LazyLog {
 public:
  LazyLog(const std::filesystem::path& folder, std::string name) : folder_(folder), name_(std::move(name)) {}

  /// @throws InputError  as ResultLog
  void save(const std::string& id, const PointResult& result) {
    if (!log_) log_.emplace(folder_, name_);
    log_->append(id, result);
    if (WorkerClock::now() - flushed_ >= between_flushes) flush();
  }

  /// @throws InputError  as ResultLog
  void flush() {
    if (log_) log_->flush_to_disk();
    flushed_ = WorkerClock::now();
  }

 private:
  const std::filesystem::path& folder_;
  std::string name_;
  std::optional<ResultLog> log_;
  WorkerClock::time_point flushed_ = WorkerClock::now();
};

std::optional<std::size_t> next_task(int socket) {
  std::size_t index = 0;
  ssize_t count = 0;
  do count = recv(socket, &index, sizeof index, 0);
  while (count < 0 && errno == EINTR);
  if (count != sizeof index) return std::nullopt;
  return index;
}

bool send_report(int socket, const WorkerReport& report) {
  const std::string bytes = report_bytes(report);
  ssize_t count = 0;
  // A parent that has died must not end the worker by SIGPIPE before its results are on the disk.
  do count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(bytes.size());
}

/// The parent watches the limit. Should it have died, an alarm (which no clock that is set moves) keeps the worker from
/// living on at a point without end.
unsigned orphan_alarm_s(Seconds point_time) {
  return static_cast<unsigned>(std::ceil(std::clamp(point_time.value, 0.0, 1e8))) + orphan_grace_s;
}

/// @throws InputError  as ResultLog
WorkerReport saved(LazyLog& log, const std::string& id, const PointResult& result) {
  try {
    log.save(id, result);
  } catch (const std::logic_error& error) {
    // An answer that is none, such as a number that is not finite.
    log.save(id, failed_point("crashed", error.what()));
    return {PointEnd::failed};
  }
  return {result.status == PointStatus::failed ? PointEnd::failed : PointEnd::answered};
}

/// Takes tasks until the parent has no more or is gone.
void work_off(const SweepJob& job, LazyLog& log, int socket) {
  while (const std::optional<std::size_t> index = next_task(socket)) {
    const SweepTask& task = job.tasks[*index];
    std::ignore = ftruncate(STDERR_FILENO, 0);  // last words are those of one point
    alarm(orphan_alarm_s(job.options.point_time));
    const WorkerReport report = saved(log, task.id, result_after_attempts(job, task.point));
    alarm(0);
    if (!send_report(socket, report)) break;
  }
  log.flush();
}

void limit_address_space([[maybe_unused]] std::uint64_t bytes) {
#ifndef SATURN_SANITIZED
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

void leave_terminal(int last_words) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(last_words >= 0 ? last_words : nowhere, STDERR_FILENO);
}

}  // namespace

PointResult failed_point(std::string kind, std::string reason) {
  return {.status = PointStatus::failed, .answer = {}, .failure = std::move(kind), .reason = std::move(reason)};
}

PointResult out_of_memory_point(const SweepRunOptions& options) {
  return failed_point("out of memory",
                      "asked for more memory than " + memory_text(options.point_memory) + " (--point-memory)");
}

PointResult out_of_time_point(const SweepRunOptions& options) {
  return failed_point("out of time", "took longer than " + shortest(options.point_time.value) + " s (--point-time)");
}

void live_as_worker(const SweepJob& job, const std::string& log_name, int socket, int last_words) {
  int status = 1;
  try {
    // A file that may grow no more is a complaint, not the end.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGALRM, SIG_DFL);
    leave_terminal(last_words);
    if (job.options.in_child) job.options.in_child();
    limit_address_space(job.options.point_memory);
    LazyLog log(job.folder, log_name);
    work_off(job, log, socket);
    status = 0;
  } catch (const InputError& error) {
    send_report(socket, {PointEnd::unsaved, error.complaints()});
    status = 0;
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status;
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
  } catch (...) {
    std::fputs("an exception of an unknown type", stderr);
  }
#ifdef SATURN_COVERED
  __gcov_dump();
#endif
  _exit(status);
}

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
