#include "tests/sweep/drawn_sweeps.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/document/complaints.hpp"

namespace saturn::tests {

namespace fs = std::filesystem;

PointResult answered(double mean) {
  PointResult result;
  result.status = PointStatus::answered;
  result.answer.replications = 3;
  result.answer.metrics.push_back({.stem = "event_time", .unit = "s", .mean = mean, .low = mean / 2, .high = mean * 2});
  result.answer.words.push_back({.name = "binding", .word = "gke/t4"});
  return result;
}

PointResult failed_result(const std::string& failure, const std::string& reason) {
  PointResult result;
  result.status = PointStatus::failed;
  result.failure = failure;
  result.reason = reason;
  return result;
}

std::string any_text() {
  static const std::array<std::string, 14> pieces{"a",
                                                  "B7",
                                                  "\"",
                                                  "\\",
                                                  "\n",
                                                  "\r",
                                                  "\t",
                                                  ",",
                                                  "{",
                                                  "\x7F",
                                                  "\xC3\xA9",
                                                  "\xE2\x80\xA8",
                                                  "\xF0\x9F\xAA\x90",
                                                  std::string(1, '\0')};
  std::string text;
  const auto chosen = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, pieces.size()));
  for (const std::size_t piece : chosen) text += pieces[piece];
  return text;
}

namespace {

// Every pattern of bits is tried, so that numbers of every size come; those that are no finite number become limits.
double any_number() {
  const auto number = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  const auto chosen = *rc::gen::inRange(0, 8);
  if (chosen == 0) return -0.0;
  if (chosen == 1) return static_cast<double>(*rc::gen::arbitrary<std::int64_t>());
  return std::isfinite(number) ? number : std::numeric_limits<double>::denorm_min();
}

std::optional<double> maybe_number() {
  return *rc::gen::arbitrary<bool>() ? std::optional(any_number()) : std::nullopt;
}

}  // namespace

PointResult any_result() {
  if (*rc::gen::inRange(0, 3) == 0) return failed_result("a" + any_text(), any_text());
  PointResult result;
  result.answer.precision_reached = *rc::gen::arbitrary<bool>();
  result.status = result.answer.precision_reached ? PointStatus::answered : PointStatus::imprecise;
  result.answer.replications = *rc::gen::arbitrary<std::uint32_t>();
  for (int count = *rc::gen::inRange(0, 4); count > 0; --count) {
    result.answer.metrics.push_back(
        {.stem = any_text(), .unit = any_text(), .mean = any_number(), .low = maybe_number(), .high = maybe_number()});
    result.answer.words.push_back({.name = any_text(), .word = any_text()});
  }
  return result;
}

namespace {

bool same_number(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() &&
         std::bit_cast<std::uint64_t>(a.value_or(0.0)) == std::bit_cast<std::uint64_t>(b.value_or(0.0));
}

bool same_metric(const SweepMetric& a, const SweepMetric& b) {
  return a.stem == b.stem && a.unit == b.unit && same_number(a.mean, b.mean) && same_number(a.low, b.low) &&
         same_number(a.high, b.high);
}

bool same_word(const SweepWord& a, const SweepWord& b) {
  return a.name == b.name && a.word == b.word;
}

}  // namespace

bool same_result(const PointResult& a, const PointResult& b) {
  return a.status == b.status && a.failure == b.failure && a.reason == b.reason &&
         a.answer.replications == b.answer.replications && a.answer.precision_reached == b.answer.precision_reached &&
         std::equal(a.answer.metrics.begin(), a.answer.metrics.end(), b.answer.metrics.begin(), b.answer.metrics.end(),
                    same_metric) &&
         std::equal(a.answer.words.begin(), a.answer.words.end(), b.answer.words.begin(), b.answer.words.end(),
                    same_word);
}

SweepPlan plan_of(std::size_t points) {
  SweepPlan plan;
  plan.header = {.title = "a \"title\"",
                 .scenario = "mine.json",
                 .scenario_sha256 = std::string(64, 'a'),
                 .answer = "plan slowdown=0.01",
                 .seed = 42,
                 .axes = {{.pointer = "/models/*/batch", .name = "batch", .unit = ""},
                          {.pointer = "/network/links/0/rtt", .name = "rtt", .unit = "s"}},
                 .points = points,
                 .version = "0.1.0",
                 .results = "1"};
  for (std::size_t i = 0; i < points; ++i) {
    plan.points.push_back({.id = "id-" + std::to_string(i),
                           .cells = {{.text = i % 2 == 0 ? "on" : "off", .number = {}},
                                     {.text = std::to_string(i) + " ms", .number = static_cast<double>(i) / 1000.0}}});
  }
  return plan;
}

std::string complaints_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string in_child(const std::function<std::string()>& action) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      text = action();
    } catch (const std::exception& error) {
      text = std::string("unexpected: ") + error.what();
    }
    const ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 4096> piece{};
  for (ssize_t count = 0; (count = read(ends[0], piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? "killed by signal " + std::to_string(WTERMSIG(status)) : text;
}

bool mount_small_disk(const std::filesystem::path& folder, const std::string& options) {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("small", folder.c_str(), "tmpfs", 0, options.c_str()) == 0;
}

bool make_disk_read_only(const std::filesystem::path& folder) {
  return mount(nullptr, folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

void limit_file_sizes(std::uint64_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace saturn::tests
