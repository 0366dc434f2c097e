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
#include <sys/resource.h>
#include <sys/socket.h>
#include <tuple>
#include <unistd.h>
#include <utility>

#include "models/words/numbers.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/worker_report.hpp"

#ifdef SATURN_COVERED
#include <gcov.h>
#endif

namespace saturn {
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

}  // namespace saturn
