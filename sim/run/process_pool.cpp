#include "sim/run/process_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "models/words/numbers.hpp"
#include "sim/run/forked_child.hpp"
#include "sim/run/signals.hpp"

namespace saturn {

unsigned usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1u, static_cast<unsigned>(CPU_COUNT(&cores)));
}

namespace {

std::string signal_text(int number) {
  const char* name = sigabbrev_np(number);
  const char* description = sigdescr_np(number);
  return std::string("killed by ") + (name ? "SIG" + std::string(name) : "signal " + std::to_string(number)) +
         (description ? " (" + std::string(description) + ")" : "");
}

std::string with_last_words(std::string message, const std::string& words) {
  return words.empty() ? message : std::move(message) + "; its last words were: " + words;
}

TaskFailure failure_by_death(const ChildDeath& death, bool lasting) {
  TaskFailure failure{.last_words = death.last_words, .status = death.status};
  if (WIFSIGNALED(death.status)) {
    const int number = WTERMSIG(death.status);
    // An allocation that fails where nothing may throw ends in abort(), and only these words tell why.
    const bool memory = number == SIGABRT && death.last_words.find("std::bad_alloc") != std::string::npos;
    failure.kind = number == SIGTERM              ? FailureKind::interrupted
                   : memory                       ? FailureKind::out_of_memory
                   : lasting && number == SIGALRM ? FailureKind::out_of_time
                   : is_own_fault(number)         ? FailureKind::crashed
                                                  : FailureKind::killed;
    failure.message = number == SIGTERM ? "stopped by SIGTERM" : with_last_words(signal_text(number), death.last_words);
    return failure;
  }
  const int status = WEXITSTATUS(death.status);
  if (status == out_of_memory_status) failure.kind = FailureKind::out_of_memory;
  failure.message =
      with_last_words("ended with exit status " + std::to_string(status) + " and no result", death.last_words);
  return failure;
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

namespace {

constexpr std::chrono::seconds between_hirings{1};

}  // namespace

class ProcessPool::Children {
 public:
  Children(unsigned processes, RunLimits limits, Deadline deadline, std::optional<LastingChildren> lasting)
      : most_(processes > 0 ? processes : usable_cores()),
        limits_(limits),
        deadline_(deadline),
        lasting_(std::move(lasting)),
        signals_(lasting_ ? SignalWatch{SIGINT, SIGTERM, SIGHUP} : SignalWatch{SIGINT, SIGTERM}) {}

  std::size_t submit(ForkedTask task) {
    tasks_.push_back(std::move(task));
    waiting_.push_back(tasks_.size() - 1);
    return waiting_.back();
  }

  std::optional<EndedTask> wait(Clock::time_point until) {
    while (ended_.empty()) {
      heed_signals();
      heed_deadline();
      hand_out_tasks();
      if (!ended_.empty()) break;
      if (done()) return std::nullopt;
      const unsigned signals = signals_.count();
      listen(until);
      collect();
      if (lasting_ && ended_.empty() && (Clock::now() >= until || signals_.count() != signals)) return std::nullopt;
    }
    EndedTask first = std::move(ended_.front());
    ended_.pop_front();
    return first;
  }

  void let_end() { let_end_ = true; }
  void keep_what_is_known() {
    keeps_what_is_known_ = true;
    let_signals_cut_short();
  }
  bool done() const { return running_.empty() && waiting_.empty() && ended_.empty(); }
  bool interrupted() const { return signals_.interrupted() || is_cut_short(); }
  std::size_t children() const { return running_.size(); }

 private:
  bool stopping() const { return let_end_ || (lasting_ && interrupted()); }

  void heed_signals() {
    if (!lasting_) {
      if (signals_.interrupted() && keeps_what_is_known_)
        cut_short();
      else if (signals_.interrupted())
        stop_everything(FailureKind::interrupted, "interrupted");
    } else if (signals_.count() > 1) {
      running_.clear();
    }
    if (stopping()) waiting_.clear();
  }

  void heed_deadline() {
    if (!is_past(deadline_)) return;
    collect();
    stop_everything(FailureKind::out_of_budget, is_cut_short() ? "interrupted" : "stopped at the end of the budget");
  }

  void hand_out_tasks() {
    for (ForkedChild& child : running_) {
      if (!child.task() && !child.told_to_end()) occupy(child);
    }
    while (!waiting_.empty() && running_.size() < most_ && hire()) occupy(running_.back());
  }

  void occupy(ForkedChild& child) {
    if (!waiting_.empty()) {
      child.begin(waiting_.front(), *deadline_after(limits_.time));
      waiting_.pop_front();
      if (lasting_) return;
    }
    child.let_end();
  }

  /// @returns whether there is a new child; it may be too early to ask the system again
  bool hire() {
    if (Clock::now() < next_hiring_) return false;
    std::vector<int> sockets;
    for (const ForkedChild& child : running_) sockets.push_back(child.socket());
    try {
      running_.emplace_back(ChildOrders{tasks_, limits_, lasting_, hired_ + 1}, signals_, sockets);
    } catch (const std::system_error& error) {
      // What the system lacks now it may have once one of ours has ended.
      if (!running_.empty()) {
        next_hiring_ = Clock::now() + between_hirings;
        return false;
      }
      ended_.push_back({waiting_.front(), TaskFailure{.message = error.what(), .begun = false}});
      waiting_.pop_front();
      return false;
    }
    ++hired_;
    return true;
  }

  void listen(Clock::time_point until) {
    std::vector<pollfd> sockets;
    // A child that died may have left children that hold on to its socket: only looking finds it then.
    auto wake = std::min(Clock::now() + longest_sleep, until);
    if (deadline_) wake = std::min(wake, *deadline_);
    for (const ForkedChild& child : running_) {
      sockets.push_back({child.socket(), POLLIN, 0});
      if (child.task()) wake = std::min(wake, child.deadline());
    }
    const timespec time = time_until(wake);
    // A failing poll (EINTR, or too little memory for a moment) is no answer: the callers look again.
    ppoll(sockets.data(), sockets.size(), &time, signals_.wait_mask());
  }

  void collect() {
    const auto now = Clock::now();
    for (auto child = running_.begin(); child != running_.end();) {
      hear(*child);
      const bool overdue = child->task() && child->deadline() <= now;
      if (overdue || child->has_ended()) {
        bury(*child, overdue);
        child = running_.erase(child);
      } else {
        ++child;
      }
    }
  }

  void hear(ForkedChild& child) {
    while (std::optional<ChildReport> report = child.take_report()) {
      EndedTask ended{child.task(), std::move(report->bytes)};
      if (report->failure) {
        const std::string words = child.last_words();
        ended.result = TaskFailure{.kind = *report->failure,
                                   .message = with_last_words(std::get<std::string>(ended.result), words),
                                   .last_words = words};
      }
      child.end_task();
      ended_.push_back(std::move(ended));
    }
  }

  void bury(ForkedChild& child, bool overdue) {
    child.kill_now();
    const ChildDeath death = child.reap();
    // It may have reported right before its end.
    hear(child);
    if (!child.task()) return;
    const std::size_t ticket = *child.task();
    TaskFailure failure = failure_by_death(death, lasting_.has_value());
    if (overdue) {
      failure.kind = FailureKind::out_of_time;
      failure.message = with_last_words(out_of_time(limits_), death.last_words);
    }
    const bool at_limit = failure.kind == FailureKind::out_of_time || failure.kind == FailureKind::out_of_memory;
    if (lasting_ && !at_limit) {
      failure.deaths = ++deaths_[ticket];
      if (failure.deaths < lasting_->attempts) {
        waiting_.push_front(ticket);
        return;
      }
    }
    ended_.push_back({ticket, std::move(failure)});
  }

  void stop_everything(FailureKind kind, const std::string& why) {
    // The system needs a while to take back much memory: all children give theirs back at once.
    for (const ForkedChild& child : running_)
      if (child.task()) child.kill_now();
    for (ForkedChild& child : running_) {
      if (!child.task()) continue;
      const ChildDeath death = child.reap();
      ended_.push_back({child.task(), TaskFailure{.kind = kind, .message = with_last_words(why, death.last_words)}});
    }
    running_.clear();
    for (const std::size_t ticket : waiting_)
      ended_.push_back({ticket, TaskFailure{.kind = kind, .message = why + " before it began"}});
    waiting_.clear();
  }

  static constexpr std::chrono::seconds longest_sleep{1};

  std::size_t most_;
  RunLimits limits_;
  Deadline deadline_;
  std::optional<LastingChildren> lasting_;
  SignalWatch signals_;
  bool let_end_ = false;
  bool keeps_what_is_known_ = false;
  unsigned hired_ = 0;
  Clock::time_point next_hiring_{};
  std::deque<ForkedTask> tasks_;
  std::deque<std::size_t> waiting_;
  std::map<std::size_t, unsigned> deaths_;
  std::deque<EndedTask> ended_;
  // Last, so that children are gone before anything that they stand on.
  std::list<ForkedChild> running_;
};

ProcessPool::ProcessPool(unsigned processes, RunLimits limits, Deadline deadline,
                         std::optional<LastingChildren> lasting)
    : children_(std::make_unique<Children>(processes, limits, deadline, std::move(lasting))) {}

ProcessPool::~ProcessPool() = default;

std::size_t ProcessPool::submit(ForkedTask task) {
  return children_->submit(std::move(task));
}

std::optional<EndedTask> ProcessPool::wait(Clock::time_point until) {
  return children_->wait(until);
}

void ProcessPool::let_end() {
  children_->let_end();
}

void ProcessPool::keep_what_is_known() {
  children_->keep_what_is_known();
}

bool ProcessPool::done() const {
  return children_->done();
}

bool ProcessPool::interrupted() const {
  return children_->interrupted();
}

std::size_t ProcessPool::children() const {
  return children_->children();
}

namespace {

/// So many that handing them out costs little beside them, and so few that all cores end together.
constexpr std::uint64_t tasks_a_range = 256;

}  // namespace

std::vector<std::string> for_each_on_cores(std::uint64_t count, unsigned processes,
                                           const std::function<std::string(TaskRange)>& compute) {
  std::vector<TaskRange> ranges;
  for (std::uint64_t first = 0; first < count; first += tasks_a_range)
    ranges.push_back({first, std::min(count, first + tasks_a_range)});
  std::vector<std::optional<std::string>> found(ranges.size());
  if (processes == 0) processes = usable_cores();
  if (ranges.size() > 1 && processes > 1) {
    // What one process could ask for its children may ask for, too.
    const RunLimits boundless{.time = Seconds{1e8}, .memory_bytes = UINT64_MAX};
    ProcessPool pool(processes, boundless, std::nullopt,
                     LastingChildren{.begin = [](unsigned) {}, .end = [] { return std::string(); }});
    for (const TaskRange range : ranges) pool.submit([&compute, range] { return compute(range); });
    while (!pool.done()) {
      std::optional<EndedTask> ended = pool.wait();
      if (pool.interrupted()) throw Interrupted("interrupted");
      if (ended && ended->ticket)
        if (auto* bytes = std::get_if<std::string>(&ended->result)) found[*ended->ticket] = std::move(*bytes);
    }
  }
  std::vector<std::string> all;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (is_cut_short()) throw Interrupted("interrupted");
    all.push_back(found[i] ? std::move(*found[i]) : compute(ranges[i]));
  }
  return all;
}

}  // namespace saturn
