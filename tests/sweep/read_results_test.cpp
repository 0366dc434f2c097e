#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "sim/sweep/result_log.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace fs = std::filesystem;

namespace {

std::string texts_by_id(const ReadResults& read) {
  std::string text;
  for (const auto& [id, result] : read.by_id) text += id + " " + result_text(result) + "\n";
  return text;
}

}  // namespace

TEST_CASE("a folder without results has none") {
  const TemporaryFolder scratch;
  const ReadResults of_empty = read_results(scratch.path());
  CHECK(of_empty.files == 0);
  CHECK(of_empty.by_id.empty());
  CHECK(read_results(scratch / "not there").by_id.empty());
  write_text(scratch / "results/empty.jsonl", "");
  write_text(scratch / "results/blank.jsonl", "\n\n\n");
  write_text(scratch / "results/notes.txt", "not a result");
  const ReadResults read = read_results(scratch.path());
  CHECK(read.files == 2);
  CHECK(read.lines == 0);
  CHECK(read.torn == 0);
}

TEST_CASE("a result file that is cut at any byte loses at most its last line, and what is written later is read") {
  const std::string first = result_line("a", answered(1.0));
  const std::string second = result_line("b", failed_result("no plan", "none"));
  const TemporaryFolder scratch;
  write_text(scratch / "results/worker-1.jsonl", "");
  ResultLog(scratch.path(), "worker-1").append("c", answered(3.0));
  for (std::size_t cut = 0; cut <= first.size() + second.size(); ++cut) {
    write_text(scratch / "results/worker-1.jsonl", (first + second).substr(0, cut));
    const ReadResults read = read_results(scratch.path());
    // A newline that is missing takes nothing from a line.
    CHECK(read.by_id.contains("a") == (cut + 1 >= first.size()));
    CHECK(read.by_id.contains("b") == (cut + 1 >= first.size() + second.size()));
    CHECK(read.by_id.contains("c"));
    CHECK(read.files == 2);
  }
}

TEST_CASE("torn lines are counted and dropped wherever they stand") {
  const TemporaryFolder scratch;
  const std::string line = result_line("a", answered(1.0));
  const std::string torn = line.substr(0, line.size() / 2);
  write_text(scratch / "results/one.jsonl",
             torn + "\n" + line + "\n" + std::string(40, '\0') + "\n" + result_line("b", answered(2.0)) + torn);
  const ReadResults read = read_results(scratch.path());
  CHECK(read.by_id.size() == 2);
  CHECK(read.lines == 5);
  CHECK(read.torn == 3);
}

TEST_CASE("lines longer than the buffer of the reader, and longer than any result, are told apart") {
  const TemporaryFolder scratch;
  const std::string reason(3 << 20, 'x');
  write_text(scratch / "results/one.jsonl",
             std::string(longest_result_line + 5, 'z') + "\n" + result_line("long", failed_result("crashed", reason)));
  const ReadResults read = read_results(scratch.path());
  CHECK(read.torn == 1);
  REQUIRE(read.by_id.contains("long"));
  CHECK(read.by_id.at("long").reason == reason);
}

TEST_CASE("any order of files and lines, and any repetition, gives the same results") {
  const std::vector<std::string> lines{
      result_line("a", answered(1.0)),
      result_line("a", failed_result("killed", "the worker was killed")),
      result_line("b", failed_result("out of time", "more than 1 h")),
      result_line("b", failed_result("out of memory", "more than 8 GB")),
      result_line("b", failed_result("out of time", "more than 2 h")),
      result_line("c", failed_result("out of time", "more than 1 h")),
      result_line("c", failed_result("no plan", "no number of jobs fits")),
      result_line("d", answered(4.0)),
  };
  const std::string expected = "a " + result_text(answered(1.0)) + "\nb " +
                               result_text(failed_result("out of memory", "more than 8 GB")) + "\nc " +
                               result_text(failed_result("no plan", "no number of jobs fits")) + "\nd " +
                               result_text(answered(4.0)) + "\n";
  const TemporaryFolder scratch;
  CHECK(rc::check("order", [&] {
    const fs::path& folder = scratch.path();
    auto drawn = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) drawn.push_back(i);
    std::vector<std::string> files(3);
    for (std::size_t left = drawn.size(); left > 0; --left) {
      std::swap(drawn[left - 1], drawn[*rc::gen::inRange<std::size_t>(0, left)]);
      files[*rc::gen::inRange<std::size_t>(0, files.size())] += lines[drawn[left - 1]];
    }
    write_text(folder / "results/worker-1.jsonl", files[0]);
    write_text(folder / "results/deeper/worker-1.jsonl", files[1]);
    write_text(folder / "shard/results/worker-1.jsonl", files[2]);
    const ReadResults read = read_results(folder);
    RC_ASSERT(texts_by_id(read) == expected);
    RC_ASSERT(read.conflicts.empty());
    RC_ASSERT(read.lines == drawn.size());
  }));
}

TEST_CASE("results of one id that differ are a conflict with both files, and the first is kept") {
  const TemporaryFolder scratch;
  write_text(scratch / "results/1.jsonl",
             result_line("a", failed_result("killed", "")) + result_line("same", answered(1)));
  write_text(scratch / "results/2.jsonl", result_line("a", answered(1.0)));
  write_text(scratch / "results/3.jsonl", result_line("a", answered(1.5)) + result_line("same", answered(1)));
  write_text(scratch / "results/4.jsonl", result_line("a", failed_result("no plan", "none")));
  const ReadResults read = read_results(scratch.path());
  REQUIRE(read.conflicts.size() == 2);
  CHECK(read.conflicts[0].id == "a");
  CHECK(read.conflicts[0].first == scratch / "results/2.jsonl");
  CHECK(read.conflicts[0].second == scratch / "results/3.jsonl");
  CHECK(read.conflicts[1].second == scratch / "results/4.jsonl");
  CHECK(same_result(read.by_id.at("a"), answered(1.0)));
}

TEST_CASE("links, loops of links, folders and pipes among the result files do no harm") {
  const TemporaryFolder scratch;
  write_text(scratch / "results/a.jsonl", result_line("a", answered(1.0)));
  fs::create_directory(scratch / "results/folder.jsonl");
  fs::create_directory_symlink("..", scratch / "results/up");
  fs::create_directory_symlink(".", scratch / "loop");
  fs::create_symlink("nowhere", scratch / "results/broken.jsonl");
  fs::create_symlink("a.jsonl", scratch / "results/again.jsonl");
  fs::create_hard_link(scratch / "results/a.jsonl", scratch / "results/b.jsonl");
  REQUIRE(mkfifo((scratch / "results/pipe.jsonl").c_str(), 0600) == 0);
  const ReadResults read = read_results(scratch.path());
  CHECK(read.files == 1);
  CHECK(read.lines == 1);
  CHECK(read.by_id.size() == 1);
}

TEST_CASE("every result file that cannot be read is named") {
  const TemporaryFolder scratch;
  for (const char* name : {"results/a.jsonl", "results/b.jsonl", "results/c.jsonl"})
    write_text(scratch / name, result_line("a", answered(1.0)));
  fs::permissions(scratch.path(), fs::perms::all);
  for (const char* name : {"results/a.jsonl", "results/c.jsonl"}) fs::permissions(scratch / name, fs::perms::none);
  const std::string said = in_child([&] {
    // Nothing is unreadable for root.
    if (geteuid() == 0 && seteuid(65534) != 0) return std::string("cannot be another user");
    return complaints_of([&] { read_results(scratch.path()); });
  });
  const std::string text =
      ": sweep.not_readable\n  cannot be read: Permission denied. Allow reading it, or move it out of the sweep's "
      "folder: what it held is made again then.";
  CHECK(said == (scratch / "results/a.jsonl").string() + text + "\n" + (scratch / "results/c.jsonl").string() + text);
}

TEST_CASE("the failures that may go away elsewhere are the machine's") {
  for (const char* failure : {"out of time", "out of memory", "killed"}) CHECK(is_of_machine(failure));
  for (const char* failure : {"", "no plan", "crashed", "out of times"}) CHECK_FALSE(is_of_machine(failure));
}
