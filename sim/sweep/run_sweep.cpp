#include "sim/sweep/run_sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <list>
#include <map>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <system_error>
#include <vector>

#include "scenarios/document/complaints.hpp"
#include "sim/run/signals.hpp"
#include "sim/run/usable_cores.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_progress.hpp"
#include "sim/sweep/sweep_worker.hpp"

namespace saturn {

/// The tasks of a sweep that wait for a worker: in order, but what a dead worker gave back comes first.
class TaskQueue {
 public:
  explicit TaskQueue(std::size_t tasks) : tasks_(tasks) {}

  bool empty() const { return given_back_.empty() && next_ == tasks_; }

  /// Takes the next task's index. Assumes that there is one.
  std::size_t take() {
    if (given_back_.empty()) return next_++;
    const std::size_t task = given_back_.back();
    given_back_.pop_back();
    return task;
  }

  void give_back(std::size_t task) { given_back_.push_back(task); }

  /// Counts one more worker that died at the task. @returns how many have by now
  unsigned count_death(std::size_t task) { return ++deaths_[task]; }

 private:
  std::size_t tasks_;
  std::size_t next_ = 0;
  std::vector<std::size_t> given_back_{};
  std::map<std::size_t, unsigned> deaths_{};
};

namespace {

using SweepClock = ForkedWorker::Clock;

constexpr std::size_t most_last_words = 20;
constexpr std::chrono::seconds between_hirings{1};

Complaint no_process(const std::system_error& error) {
  return {.source = "--workers",
          .code = "sweep.no_process",
          .text = std::string("The system starts not even one worker: ") + error.what() +
                  ". End other processes of yours, or raise the limits (ulimit -u, ulimit -n)."};
}

/// One call of run_sweep(): who works at what, and what becomes of it.
class SweepRun {
 public:
  SweepRun(const SweepJob& job, const std::function<void(const SweepProgress&)>& report)
      : job_(job),
        queue_(job.tasks.size()),
        most_workers_(job.options.workers > 0 ? job.options.workers : usable_cores()),
        point_time_(std::chrono::duration_cast<SweepClock::duration>(
            std::chrono::duration<double>(std::clamp(job.options.point_time.value, 0.0, 1e8)))),
        meter_(job.tasks.size(), report) {}

  SweepEnd perform() {
    while (!stopped_at_once()) {
      hand_out_tasks();
      if (workers_.empty() && (stopping() || queue_.empty())) break;
      meter_.note_workers(workers_.size());
      meter_.tell_if_due();
      listen();
      hear_workers();
    }
    workers_.clear();
    if (failures_) failures_->flush_to_disk();
    if (!complaints_.empty()) throw InputError(complaints_);
    meter_.note_workers(0);
    meter_.tell();
    return {meter_.progress(), signals_.interrupted(), std::move(last_words_)};
  }

 private:
  bool stopping() const { return signals_.interrupted() || !complaints_.empty(); }

  bool stopped_at_once() {
    if (stopping()) meter_.note_stopping();
    return signals_.count() > 1;
  }

  void hand_out_tasks() {
    for (ForkedWorker& worker : workers_) {
      if (!worker.task() && !worker.told_to_end()) occupy(worker);
    }
    while (!stopping() && !queue_.empty() && workers_.size() < most_workers_ && hire()) occupy(workers_.back());
  }

  void occupy(ForkedWorker& worker) {
    if (stopping() || queue_.empty()) {
      worker.let_end();
    } else {
      worker.begin(queue_.take(), SweepClock::now() + point_time_);
    }
  }

  /// @returns whether there is a new worker; it may be too early to ask the system again
  bool hire() {
    if (SweepClock::now() < next_hiring_) return false;
    std::vector<int> sockets;
    for (const ForkedWorker& worker : workers_) sockets.push_back(worker.socket());
    const std::string name = job_.options.log_name + "worker-" + std::to_string(hired_ + 1);
    try {
      workers_.emplace_back(job_, name, signals_, sockets);
    } catch (const std::system_error& error) {
      if (workers_.empty()) throw InputError({no_process(error)});
      // What the system lacks now it may have once one of ours has ended.
      next_hiring_ = SweepClock::now() + between_hirings;
      return false;
    }
    ++hired_;
    return true;
  }

  void listen() {
    std::vector<pollfd> sockets;
    auto wake = meter_.due();
    for (const ForkedWorker& worker : workers_) {
      sockets.push_back({worker.socket(), POLLIN, 0});
      if (worker.task()) wake = std::min(wake, worker.deadline());
    }
    const timespec time = time_until(wake);
    // A failing poll (EINTR, or too little memory for a moment) is no answer: the caller looks again.
    ppoll(sockets.data(), sockets.size(), &time, signals_.wait_mask());
  }

  void hear_workers() {
    const auto now = SweepClock::now();
    for (auto worker = workers_.begin(); worker != workers_.end();) {
      hear(*worker);
      const bool overdue = worker->task() && worker->deadline() <= now;
      if (overdue || worker->has_ended()) {
        bury(*worker, overdue);
        worker = workers_.erase(worker);
      } else {
        ++worker;
      }
    }
  }

  void hear(ForkedWorker& worker) {
    while (const std::optional<WorkerReport> report = worker.take_report()) {
      if (report->end != PointEnd::unsaved) {
        meter_.note_point(report->end == PointEnd::failed);
      } else if (complaints_.empty()) {
        complaints_ = report->complaints;
      }
    }
  }

  void bury(ForkedWorker& worker, bool overdue) {
    const WorkerDeath death = worker.reap();
    // It may have reported right before its end.
    hear(worker);
    if (!worker.task()) return;
    const std::size_t task = *worker.task();
    if (overdue || death.out_of_time()) {
      fail(task, out_of_time_point(job_.options));
    } else if (death.out_of_memory()) {
      fail(task, out_of_memory_point(job_.options));
    } else if (const unsigned deaths = queue_.count_death(task); deaths < job_.options.attempts) {
      queue_.give_back(task);
    } else {
      const char* kind = death.killed_from_outside() ? killed_kind : "crashed";
      fail(task, failed_point(kind, "the worker that computed it " + death.in_words(deaths)));
      keep_last_words(task, death);
    }
  }

  /// Writes down a failure that no worker is left to write.
  void fail(std::size_t task, const PointResult& result) {
    try {
      if (!failures_) failures_.emplace(job_.folder, job_.options.log_name + "parent");
      failures_->append(job_.tasks[task].id, result);
      meter_.note_point(true);
    } catch (const InputError& error) {
      if (complaints_.empty()) complaints_ = error.complaints();
    }
  }

  void keep_last_words(std::size_t task, const WorkerDeath& death) {
    if (death.last_words.empty() || last_words_.size() == most_last_words) return;
    last_words_.push_back("point " + std::to_string(job_.tasks[task].point) + ": " + death.last_words);
  }

  SweepJob job_;
  TaskQueue queue_;
  std::size_t most_workers_;
  SweepClock::duration point_time_;
  SweepMeter meter_;
  SignalWatch signals_{SIGINT, SIGTERM, SIGHUP};
  std::uint64_t hired_ = 0;
  SweepClock::time_point next_hiring_{};
  std::optional<ResultLog> failures_{};
  std::vector<Complaint> complaints_{};
  std::vector<std::string> last_words_{};
  // Last, so that workers are gone before anything that they stand on.
  std::list<ForkedWorker> workers_{};
};

}  // namespace

SweepEnd run_sweep(std::span<const SweepTask> tasks, const AnswerPoint& answer, const std::filesystem::path& folder,
                   const SweepRunOptions& options, const std::function<void(const SweepProgress&)>& report) {
  return SweepRun({tasks, answer, folder, options}, report).perform();
}

}  // namespace saturn
