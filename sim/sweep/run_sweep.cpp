#include "sim/sweep/run_sweep.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <signal.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <utility>
#include <variant>
#include <vector>

#include "models/words/numbers.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/run/process_pool.hpp"
#include "sim/sweep/result_log.hpp"

namespace saturn {

namespace {

constexpr double shortest_window_s = 30.0;

}  // namespace

double SweepRate::remaining_s(std::uint64_t done, double elapsed_s) {
  const double begin = elapsed_s - std::max(shortest_window_s, elapsed_s / 2.0);
  while (samples_.size() > 1 && samples_[1].elapsed_s <= begin) samples_.pop_front();
  // Of a sweep that takes days, a few hundred samples say as much as all.
  if (elapsed_s - samples_.back().elapsed_s >= std::max(1.0, elapsed_s / 200.0)) samples_.push_back({elapsed_s, done});
  if (done == 0 || done >= tasks_) return 0.0;
  const Sample& since = samples_.front();
  const bool moved = done > since.done && elapsed_s > since.elapsed_s;
  const double rate = moved ? static_cast<double>(done - since.done) / (elapsed_s - since.elapsed_s)
                            : static_cast<double>(done) / elapsed_s;
  return rate > 0.0 ? static_cast<double>(tasks_ - done) / rate : 0.0;
}

namespace {

constexpr std::chrono::milliseconds least_pause{100};
constexpr std::chrono::milliseconds longest_pause{1000};

}  // namespace

SweepMeter::SweepMeter(std::uint64_t tasks, const std::function<void(const SweepProgress&)>& report)
    : report_(report), rate_(tasks), told_(begun_ - longest_pause) {
  progress_.tasks = tasks;
}

void SweepMeter::note_point(bool failed) {
  ++progress_.done;
  if (failed) ++progress_.failed;
  changed_ = true;
}

void SweepMeter::note_workers(std::size_t workers) {
  changed_ = changed_ || progress_.workers != workers;
  progress_.workers = static_cast<unsigned>(workers);
}

void SweepMeter::note_stopping() {
  changed_ = changed_ || !progress_.stopping;
  progress_.stopping = true;
}

SweepMeter::Clock::time_point SweepMeter::due() const {
  return told_ + (changed_ ? least_pause : longest_pause);
}

void SweepMeter::tell_if_due() {
  if (Clock::now() >= due()) tell();
}

void SweepMeter::tell() {
  told_ = Clock::now();
  changed_ = false;
  progress_.elapsed_s = std::chrono::duration<double>(told_ - begun_).count();
  progress_.remaining_s = rate_.remaining_s(progress_.done, progress_.elapsed_s);
  if (report_) report_(progress_);
}

namespace {

using SweepClock = std::chrono::steady_clock;

constexpr std::chrono::seconds between_flushes{5};
constexpr std::size_t most_last_words = 20;

/// How a point ended in its child, as the first byte of what the child reports. Its result is in the child's file;
/// "unsaved": it could not be written there, and the complaints follow.
enum class PointEnd : char { answered, failed, unsaved };

std::string report_of(PointEnd end, const std::vector<Complaint>& complaints = {}) {
  std::string bytes(1, static_cast<char>(end));
  for (const Complaint& complaint : complaints) {
    for (const std::string* field : {&complaint.source, &complaint.code, &complaint.text}) bytes += *field + '\0';
  }
  return bytes;
}

std::vector<Complaint> complaints_in(std::string_view report) {
  const auto take_field = [&report] {
    const std::size_t end = report.find('\0');
    std::string field(report.substr(0, end));
    report.remove_prefix(end + 1);
    return field;
  };
  std::vector<Complaint> complaints;
  for (report.remove_prefix(1); !report.empty();) {
    Complaint& complaint = complaints.emplace_back();
    for (std::string* field : {&complaint.source, &complaint.code, &complaint.text}) *field = take_field();
  }
  return complaints;
}

Complaint no_process(const std::string& error) {
  return {.source = "--workers",
          .code = "sweep.no_process",
          .text = "The system starts not even one worker: " + error +
                  ". End other processes of yours, or raise the limits (ulimit -u, ulimit -n)."};
}

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

PointResult failed_point(std::string kind, std::string reason) {
  return {.status = PointStatus::failed, .answer = {}, .failure = std::move(kind), .reason = std::move(reason)};
}

PointResult out_of_memory_point(const SweepRunOptions& options) {
  return failed_point("out of memory",
                      "asked for more memory than " + memory_text(options.point_memory) + " (--point-memory)");
}

PointResult result_of(const AnswerPoint& answer_point, std::uint64_t point, const SweepRunOptions& options) {
  try {
    PointAnswer answer = answer_point(point);
    const PointStatus status = answer.precision_reached ? PointStatus::answered : PointStatus::imprecise;
    return {.status = status, .answer = std::move(answer)};
  } catch (const PointFailed& failure) {
    return failed_point(failure.kind(), failure.what());
  } catch (const std::bad_alloc&) {
    return out_of_memory_point(options);
  } catch (const std::exception& error) {
    return failed_point("crashed", error.what());
  } catch (...) {
    return failed_point("crashed", "an exception of an unknown type");
  }
}

/// "was killed 3 times, last by signal 9 (Killed)", "ended twice without a result, last with exit status 1"
std::string death_in_words(int status, unsigned deaths) {
  const std::string count = deaths == 1 ? "once" : deaths == 2 ? "twice" : std::to_string(deaths) + " times";
  if (WIFEXITED(status))
    return "ended " + count + " without a result, last with exit status " + std::to_string(WEXITSTATUS(status));
  const char* description = sigdescr_np(WTERMSIG(status));
  return "was killed " + count + ", last by signal " + std::to_string(WTERMSIG(status)) +
         (description ? " (" + std::string(description) + ")" : "");
}

/// The file that a process's results go to. It is made at the first of them, so that no empty file is ever left.
class LazyLog {
 public:
  LazyLog(const std::filesystem::path& folder, std::string name) : folder_(folder), name_(std::move(name)) {}

  /// @throws InputError  as ResultLog
  void save(const std::string& id, const PointResult& result) {
    if (!log_) log_.emplace(folder_, name_);
    log_->append(id, result);
    if (SweepClock::now() - flushed_ >= between_flushes) flush();
  }

  /// @throws InputError  as ResultLog
  void flush() {
    if (log_) log_->flush_to_disk();
    flushed_ = SweepClock::now();
  }

 private:
  const std::filesystem::path& folder_;
  std::string name_;
  std::optional<ResultLog> log_;
  SweepClock::time_point flushed_ = SweepClock::now();
};

/// @throws InputError  as ResultLog
PointEnd saved_in(LazyLog& log, const std::string& id, const PointResult& result) {
  try {
    log.save(id, result);
    return result.status == PointStatus::failed ? PointEnd::failed : PointEnd::answered;
  } catch (const std::logic_error& error) {
    // An answer that is none, such as a number that is not finite.
    log.save(id, failed_point("crashed", error.what()));
    return PointEnd::failed;
  }
}

SweepEnd run_without_workers(std::span<const SweepTask> tasks, const AnswerPoint& answer,
                             const std::filesystem::path& folder, const SweepRunOptions& options,
                             const std::function<void(const SweepProgress&)>& report) {
  LazyLog log(folder, options.log_name + "parent");
  SweepMeter meter(tasks.size(), report);
  for (const SweepTask& task : tasks) {
    meter.note_point(saved_in(log, task.id, result_of(answer, task.point, options)) == PointEnd::failed);
    meter.tell_if_due();
  }
  log.flush();
  meter.tell();
  return {.progress = meter.progress()};
}

/// One call of run_sweep(): points are tasks of a pool whose children save what they compute, and tell that they have.
class SweepRun {
 public:
  SweepRun(std::span<const SweepTask> tasks, const AnswerPoint& answer, const std::filesystem::path& folder,
           const SweepRunOptions& options, const std::function<void(const SweepProgress&)>& report)
      : tasks_(tasks),
        answer_(answer),
        folder_(folder),
        options_(options),
        meter_(tasks.size(), report),
        log_(std::in_place, folder, options.log_name + "parent"),
        pool_(options.workers, {.time = options.point_time, .memory_bytes = options.point_memory}, options.deadline,
              LastingChildren{.attempts = options.attempts,
                              .begin = [this](unsigned number) { begin_child(number); },
                              .end = [this] { return end_child(); }}) {
    for (std::size_t i = 0; i < tasks.size(); ++i) pool_.submit([this, i] { return compute(tasks_[i]); });
  }

  SweepEnd perform() {
    while (!pool_.done()) {
      if (const std::optional<EndedTask> ended = pool_.wait(meter_.due())) take(*ended);
      if (pool_.interrupted() || !complaints_.empty()) meter_.note_stopping();
      if (pool_.done()) break;
      meter_.note_workers(pool_.children());
      meter_.tell_if_due();
    }
    log_->flush();
    if (!complaints_.empty()) throw InputError(complaints_);
    meter_.note_workers(0);
    meter_.tell();
    return {meter_.progress(), pool_.interrupted(), out_of_time_, std::move(last_words_)};
  }

 private:
  // What follows is called in a child, where `log_` is the child's own.

  void begin_child(unsigned number) {
    // A file that may grow no more is a complaint, not the end.
    signal(SIGXFSZ, SIG_IGN);
    if (options_.in_child) options_.in_child();
    log_.emplace(folder_, options_.log_name + "worker-" + std::to_string(number));
  }

  std::string compute(const SweepTask& task) {
    PointResult result = result_of(answer_, task.point, options_);
    // What is killed from outside may well answer when it is asked again.
    for (unsigned attempt = 1; attempt < options_.attempts && result.failure == killed_kind; ++attempt)
      result = result_of(answer_, task.point, options_);
    try {
      return report_of(saved_in(*log_, task.id, result));
    } catch (const InputError& error) {
      return report_of(PointEnd::unsaved, error.complaints());
    }
  }

  std::string end_child() {
    try {
      log_->flush();
      return "";
    } catch (const InputError& error) {
      return report_of(PointEnd::unsaved, error.complaints());
    }
  }

  // What follows is called in the parent, whose `log_` takes the failures that no child is left to write.

  void take(const EndedTask& ended) {
    if (const auto* failure = std::get_if<TaskFailure>(&ended.result)) return fail(tasks_[*ended.ticket], *failure);
    const std::string& report = std::get<std::string>(ended.result);
    const PointEnd end{report.front()};
    if (end == PointEnd::unsaved)
      complain(complaints_in(report));
    else
      meter_.note_point(end == PointEnd::failed);
  }

  void fail(const SweepTask& task, const TaskFailure& failure) {
    if (failure.kind == FailureKind::out_of_budget) {
      out_of_time_ = true;
      return;
    }
    if (!failure.begun) return complain({no_process(failure.message)});
    try {
      log_->save(task.id, result_of_failure(task, failure));
      meter_.note_point(true);
    } catch (const InputError& error) {
      complain(error.complaints());
    }
  }

  PointResult result_of_failure(const SweepTask& task, const TaskFailure& failure) {
    if (failure.kind == FailureKind::out_of_memory) return out_of_memory_point(options_);
    if (failure.kind == FailureKind::out_of_time)
      return failed_point("out of time",
                          "took longer than " + shortest(options_.point_time.value) + " s (--point-time)");
    if (!failure.last_words.empty() && last_words_.size() < most_last_words)
      last_words_.push_back("point " + std::to_string(task.point) + ": " + failure.last_words);
    if (failure.deaths == 0) return failed_point("crashed", failure.message);
    return failed_point(failure.kind == FailureKind::crashed ? "crashed" : killed_kind,
                        "the worker that computed it " + death_in_words(failure.status, failure.deaths));
  }

  /// The first complaint ends the sweep: points that others are at are finished and saved.
  void complain(const std::vector<Complaint>& complaints) {
    if (complaints_.empty()) complaints_ = complaints;
    pool_.let_end();
  }

  std::span<const SweepTask> tasks_;
  const AnswerPoint& answer_;
  const std::filesystem::path& folder_;
  const SweepRunOptions& options_;
  SweepMeter meter_;
  std::optional<LazyLog> log_{};
  std::vector<Complaint> complaints_{};
  std::vector<std::string> last_words_{};
  bool out_of_time_ = false;
  // Last, so that children are gone before anything that they stand on.
  ProcessPool pool_;
};

}  // namespace

SweepEnd run_sweep(std::span<const SweepTask> tasks, const AnswerPoint& answer, const std::filesystem::path& folder,
                   const SweepRunOptions& options, const std::function<void(const SweepProgress&)>& report) {
  if (options.without_workers) return run_without_workers(tasks, answer, folder, options, report);
  return SweepRun(tasks, answer, folder, options, report).perform();
}

}  // namespace saturn
