#include "tests/sweep/made_up_sweep.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace saturn {

std::map<std::string, std::string> ScratchSweep::lines() const {
  const ReadResults results = read_results(path());
  CHECK(results.conflicts.empty());
  std::map<std::string, std::string> lines;
  for (const auto& [id, result] : results.by_id) lines[id] = result_line(id, result);
  return lines;
}

PointResult ScratchSweep::result(std::uint64_t point) const {
  const ReadResults results = read_results(path());
  const auto found = results.by_id.find(made_up_id(point));
  return found == results.by_id.end() ? PointResult{} : found->second;
}

std::string made_up_id(std::uint64_t point) {
  std::string id = std::to_string(point);
  return std::string(32 - id.size(), '0') + id;
}

std::vector<SweepTask> made_up_tasks(std::uint64_t count) {
  std::vector<SweepTask> tasks;
  for (std::uint64_t point = 0; point < count; ++point) tasks.push_back({point, made_up_id(point)});
  return tasks;
}

std::vector<SweepTask> tasks_left(const std::vector<SweepTask>& tasks, const ScratchSweep& folder) {
  const ReadResults results = read_results(folder.path());
  std::vector<SweepTask> left;
  for (const SweepTask& task : tasks) {
    if (!results.by_id.contains(task.id)) left.push_back(task);
  }
  return left;
}

PointAnswer made_up_answer(std::uint64_t point) {
  const double value = static_cast<double>(point) / 7.0;
  return {.metrics = {{.stem = "event_time", .unit = "s", .mean = value, .low = value / 2.0, .high = value * 2.0}},
          .words = {{.name = "binding", .word = point % 2 == 0 ? "gpu" : "link"}},
          .replications = 3,
          .precision_reached = point % 5 != 0};
}

std::map<std::string, std::string> expected_lines(const std::vector<SweepTask>& tasks) {
  std::map<std::string, std::string> lines;
  for (const SweepTask& task : tasks) {
    const PointAnswer answer = made_up_answer(task.point);
    const PointStatus status = answer.precision_reached ? PointStatus::answered : PointStatus::imprecise;
    lines[task.id] = result_line(task.id, {.status = status, .answer = answer});
  }
  return lines;
}

SweepEnd sweep_quietly(const std::vector<SweepTask>& tasks, const AnswerPoint& answer, const ScratchSweep& folder,
                       const SweepRunOptions& options) {
  return run_sweep(tasks, answer, folder.path(), options, {});
}

bool mark(const std::filesystem::path& marker) {
  const int file = open(marker.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return false;
  close(file);
  return true;
}

void pause_a_moment() {
  usleep(1000);
}

void sleep_for_ever() {
  while (true) pause();
}

SharedNumbers::SharedNumbers(std::size_t count) : count_(count) {
  void* memory = mmap(nullptr, count * sizeof *numbers_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  numbers_ = new (memory) std::atomic<std::int64_t>[count] {};
}

SharedNumbers::~SharedNumbers() {
  munmap(static_cast<void*>(numbers_), count_ * sizeof *numbers_);
}

bool is_dead(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  const std::size_t name_end = line.rfind(')');
  return name_end + 2 < line.size() && line[name_end + 2] == 'Z';
}

bool any_children() {
  return !(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD);
}

std::size_t open_files() {
  const auto listing = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(listing), end(listing)));
}

}  // namespace saturn
