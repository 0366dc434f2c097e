#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

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

}  // namespace saturn
