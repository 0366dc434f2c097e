#include "sim/run/process_pool.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <deque>
#include <list>
#include <poll.h>
#include <system_error>
#include <utility>
#include <vector>

#include "models/words/numbers.hpp"
#include "sim/run/forked_child.hpp"
#include "sim/run/signal_watch.hpp"
#include "sim/run/usable_cores.hpp"

namespace saturn {
namespace {

timespec until(ForkedChild::Clock::time_point deadline) {
  using namespace std::chrono;
  const auto left = std::max(duration_cast<nanoseconds>(deadline - ForkedChild::Clock::now()), nanoseconds{0});
  const auto whole = duration_cast<seconds>(left);
  return {static_cast<std::time_t>(whole.count()), static_cast<long>((left - whole).count())};
}

std::string out_of_time(const RunLimits& limits) {
  return "stopped after its limit of " + significant(limits.time.value, 6) + " s";
}

}  // namespace

const char* name_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::crashed:
      return "crashed";
    case FailureKind::killed:
      return "killed";
    case FailureKind::broken_law:
      return "broken law";
    case FailureKind::deadlocked:
      return "deadlocked";
    case FailureKind::out_of_memory:
      return "out of memory";
    case FailureKind::no_answer:
      return "no answer";
    case FailureKind::out_of_time:
      return "out of time";
    case FailureKind::out_of_budget:
      return "out of budget";
    case FailureKind::interrupted:
      return "interrupted";
  }
  return "crashed";
}

class ProcessPool::Children {
 public:
  Children(unsigned processes, RunLimits limits, Deadline deadline)
      : most_(processes > 0 ? processes : usable_cores()), limits_(limits), deadline_(deadline) {}

  std::size_t submit(ForkedTask task) {
    waiting_.push_back({submitted_, std::move(task)});
    return submitted_++;
  }

  std::optional<EndedTask> wait() {
    while (ended_.empty()) {
      if (signals_.interrupted()) stop_everything(FailureKind::interrupted, "interrupted");
      if (is_past(deadline_)) {
        collect();
        stop_everything(FailureKind::out_of_budget, "stopped at the end of the budget");
      }
      start_waiting();
      if (!ended_.empty()) break;
      if (running_.empty()) return std::nullopt;
      listen();
      collect();
    }
    EndedTask first = std::move(ended_.front());
    ended_.pop_front();
    return first;
  }

 private:
  struct Waiting {
    std::size_t ticket;
    ForkedTask task;
  };
  struct Running {
    Running(const Waiting& next, const RunLimits& limits, const SignalWatch& signals)
        : ticket(next.ticket), child(next.task, limits, signals) {}
    std::size_t ticket;
    ForkedChild child;
  };

  void start_waiting() {
    while (!waiting_.empty() && running_.size() < most_) {
      try {
        running_.emplace_back(waiting_.front(), limits_, signals_);
      } catch (const std::system_error& error) {
        // What the system lacks now it may have once one of ours has ended.
        if (!running_.empty()) return;
        ended_.push_back({waiting_.front().ticket, TaskFailure{FailureKind::crashed, error.what()}});
      }
      waiting_.pop_front();
    }
  }

  void listen() {
    std::vector<pollfd> pipes;
    auto deadline = deadline_.value_or(ForkedChild::Clock::time_point::max());
    for (const Running& run : running_) {
      // poll skips negative descriptors: a pipe that has been closed.
      pipes.push_back({run.child.result_fd(), POLLIN, 0});
      pipes.push_back({run.child.stderr_fd(), POLLIN, 0});
      deadline = std::min(deadline, run.child.deadline());
    }
    const timespec time = until(deadline);
    // A failing poll (EINTR, or too little memory for a moment) is no answer: the callers look again.
    ppoll(pipes.data(), pipes.size(), &time, signals_.wait_mask());
  }

  void collect() {
    const auto now = ForkedChild::Clock::now();
    for (auto run = running_.begin(); run != running_.end();) {
      run->child.read_available();
      if (run->child.silent()) {
        ended_.push_back({run->ticket, run->child.finish()});
      } else if (run->child.deadline() <= now) {
        ended_.push_back({run->ticket, run->child.stop(FailureKind::out_of_time, out_of_time(limits_))});
      } else {
        ++run;
        continue;
      }
      run = running_.erase(run);
    }
  }

  void stop_everything(FailureKind kind, const std::string& why) {
    // The system needs a while to take back much memory: all children give theirs back at once.
    for (Running& run : running_) run.child.kill_now();
    for (Running& run : running_) ended_.push_back({run.ticket, run.child.stop(kind, why)});
    running_.clear();
    for (const Waiting& task : waiting_) ended_.push_back({task.ticket, TaskFailure{kind, why + " before it began"}});
    waiting_.clear();
  }

  std::size_t most_;
  RunLimits limits_;
  Deadline deadline_;
  SignalWatch signals_;
  std::size_t submitted_ = 0;
  std::deque<Waiting> waiting_;
  std::list<Running> running_;
  std::deque<EndedTask> ended_;
};

ProcessPool::ProcessPool(unsigned processes, RunLimits limits, Deadline deadline)
    : children_(std::make_unique<Children>(processes, limits, deadline)) {}

ProcessPool::~ProcessPool() = default;

std::size_t ProcessPool::submit(ForkedTask task) {
  return children_->submit(std::move(task));
}

std::optional<EndedTask> ProcessPool::wait() {
  return children_->wait();
}

}  // namespace saturn
