#include "sim/sweep/result_log.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <linux/fs.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "models/values/sha256.hpp"
#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

std::string without_newline(std::string line) {
  line.pop_back();
  return line;
}

// A line that nobody tore, whatever its JSON says.
std::string checked(const std::string& before) {
  return before + ",\"check\":\"" + sha256_hex(before).substr(0, 16) + "\"}";
}

// One to three bytes changed, dropped or added, or a piece cut out.
std::string damaged(std::string line) {
  for (int hits = *rc::gen::inRange(1, 4); hits > 0 && !line.empty(); --hits) {
    const auto at = *rc::gen::inRange<std::size_t>(0, line.size());
    const auto byte = *rc::gen::arbitrary<char>();
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        line[at] = byte;
        break;
      case 1:
        line.erase(at, 1);
        break;
      case 2:
        line.insert(at, 1, byte);
        break;
      case 3:
        line.resize(at);
        break;
      default:
        line.erase(at, *rc::gen::inRange<std::size_t>(0, line.size()));
    }
  }
  return line;
}

}  // namespace

TEST_CASE("a result that is written reads back the same, whatever its texts and finite numbers") {
  CHECK(rc::check("read(write(x)) == x", [] {
    const std::string id = any_text();
    const PointResult result = any_result();
    const std::string line = result_line(id, result);
    RC_ASSERT(line.find('\n') == line.size() - 1);
    const auto read = parse_result_line(without_newline(line));
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->id == id);
    RC_ASSERT(same_result(read->result, result));
    RC_ASSERT(result_line(read->id, read->result) == line);
  }));
}

TEST_CASE("a line with any byte changed, dropped or added is never taken for a result") {
  CHECK(rc::check("damage", [] {
    const std::string line = without_newline(result_line("id", any_result()));
    const std::string other = damaged(line);
    RC_ASSERT(parse_result_line(other).has_value() == (other == line));
  }));
  const std::string line = without_newline(result_line("0a", answered(0.5)));
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = line;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      CHECK_FALSE(parse_result_line(other).has_value());
    }
    CHECK_FALSE(parse_result_line(std::string_view(line).substr(0, at)).has_value());
    CHECK_FALSE(parse_result_line(std::string_view(line).substr(at + 1)).has_value());
  }
}

TEST_CASE("any bytes are read without a crash, and are no result") {
  CHECK(rc::check("bytes", [](const std::string& bytes) { RC_ASSERT(!parse_result_line(bytes).has_value()); }));
}

TEST_CASE("a line whose check fits but which is no result is dropped") {
  const std::string sound = R"({"id":"a","result":{"status":"failed","failure":"no plan","reason":""})";
  REQUIRE(parse_result_line(checked(sound)).has_value());
  const std::string answer = R"({"id":"a","result":{"status":"answered","replications":1,"metrics":[],"words":[]})";
  REQUIRE(parse_result_line(checked(answer)).has_value());
  const std::string begin = R"({"id":"a","result":)";
  for (const std::string& result : {
           std::string("null"),
           std::string("[]"),
           std::string("{}"),
           std::string(100000, '['),
           std::string(R"({"status":"missing"})"),
           std::string(R"({"status":"failed","failure":"","reason":""})"),
           std::string(R"({"status":"failed","failure":"x"})"),
           std::string(R"({"status":"failed","failure":"x","reason":"","more":1})"),
           std::string(R"({"status":"answered","replications":-1,"metrics":[],"words":[]})"),
           std::string(R"({"status":"answered","replications":4294967296,"metrics":[],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",1e999]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",null]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",1,2]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",1,2,"3"]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[],"words":[["a"]]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":{},"words":[]})"),
       }) {
    CAPTURE(result.substr(0, 80));
    CHECK_FALSE(parse_result_line(checked(begin + result)).has_value());
  }
  CHECK_FALSE(
      parse_result_line(checked(R"({"id":1,"result":{"status":"failed","failure":"x","reason":""})")).has_value());
  CHECK_FALSE(parse_result_line(checked("")).has_value());
}

TEST_CASE("the check is the SHA-256 of what stands before it, so that other programs can tell torn lines") {
  const std::string line = result_line("0a", answered(0.5));
  const std::string before =
      R"({"id":"0a","result":{"status":"answered","replications":3,"metrics":[["event_time","s",0.5,0.25,1]],)"
      R"("words":[["binding","gke/t4"]]})";
  CHECK(line == checked(before) + "\n");
}

TEST_CASE("bytes that are no UTF-8 are replaced, so that the line is valid JSON") {
  const auto read =
      parse_result_line(without_newline(result_line("id", failed_result("crashed", "bad \xFF\xC3 byte"))));
  REQUIRE(read.has_value());
  CHECK(read->result.reason == "bad \xEF\xBF\xBD\xEF\xBF\xBD byte");
}

TEST_CASE("what is no result, or no finite number, is never written") {
  PointResult imprecise = answered(1.0);
  imprecise.answer.precision_reached = false;
  PointResult failed_answer = failed_result("killed", "");
  failed_answer.answer.replications = 1;
  for (const PointResult& result :
       {PointResult{}, imprecise, failed_answer, failed_result("", "no kind"), answered(std::nan("")),
        answered(std::numeric_limits<double>::infinity()), answered(-std::numeric_limits<double>::max())}) {
    CHECK_THROWS_AS(result_line("id", result), std::logic_error);
  }
  CHECK_THROWS_AS(result_line(std::string(longest_result_line, 'x'), answered(1.0)), std::logic_error);
}

namespace fs = std::filesystem;

namespace {

// Appends until it is refused; says what was said then, and what the file holds.
std::string filled(ResultLog& log, const fs::path& file, int& count) {
  std::string said;
  while (said.empty() && count < 100000) {
    said = complaints_of([&] { log.append("p" + std::to_string(count), answered(count)); });
    if (said.empty()) ++count;
  }
  std::string expected;
  for (int i = 0; i < count; ++i) expected += result_line("p" + std::to_string(i), answered(i));
  return said + (text_of_file(file) == expected ? "\nonly whole lines" : "\nsomething else");
}

std::string disk_full_text(const fs::path& file, const std::string& reason, const std::string& way_out) {
  return file.string() + ": sweep.disk_full\n  cannot be written: " + reason +
         ". Every result that was saved before is kept. " + way_out +
         ", then give the same command again: it goes on where it stopped.";
}

bool set_append_only(const fs::path& path, bool on) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  int flags = 0;
  const bool done = ioctl(file, FS_IOC_GETFLAGS, &flags) == 0 &&
                    ((flags = on ? flags | FS_APPEND_FL : flags & ~FS_APPEND_FL), true) &&
                    ioctl(file, FS_IOC_SETFLAGS, &flags) == 0;
  close(file);
  return done;
}

}  // namespace

TEST_CASE("every writer has a file of its own, and none is ever written over") {
  const TemporaryFolder scratch;
  write_text(scratch / "results/worker-1.jsonl", "something");
  ResultLog second(scratch.path(), "worker-1");
  ResultLog third(scratch.path(), "worker-1");
  ResultLog other(scratch.path(), "shard-0003-of-0008.worker-1");
  second.append("a", answered(1.0));
  third.append("b", answered(2.0));
  second.append("c", failed_result("no plan", "none"));
  third.flush_to_disk();
  CHECK(scratch.files() == std::vector<std::string>{"results/shard-0003-of-0008.worker-1.jsonl",
                                                    "results/worker-1.2.jsonl", "results/worker-1.3.jsonl",
                                                    "results/worker-1.jsonl"});
  CHECK(text_of_file(scratch / "results/worker-1.jsonl") == "something");
  CHECK(text_of_file(scratch / "results/worker-1.2.jsonl") ==
        result_line("a", answered(1.0)) + result_line("c", failed_result("no plan", "none")));
  CHECK(text_of_file(scratch / "results/worker-1.3.jsonl") == result_line("b", answered(2.0)));
}

TEST_CASE("at a limit of file sizes only whole lines stay, and writing goes on when the limit is gone") {
  const TemporaryFolder scratch;
  const fs::path file = scratch / "results/worker-1.jsonl";
  const std::string said = in_child([&] {
    ResultLog log(scratch.path(), "worker-1");
    int count = 0;
    limit_file_sizes(1000);
    const std::string refused = filled(log, file, count);
    limit_file_sizes(RLIM_INFINITY);
    log.append("p" + std::to_string(count), answered(count));
    return refused;
  });
  CHECK(said ==
        disk_full_text(file, "File too large", "Raise the limit of file sizes (ulimit -f)") + "\nonly whole lines");
  const ReadResults read = read_results(scratch.path());
  CHECK(read.torn == 0);
  CHECK(read.by_id.size() == 1000 / result_line("p0", answered(1.0)).size() + 1);
}

TEST_CASE("on a full disk only whole lines stay, and writing goes on when there is room") {
  const TemporaryFolder scratch;
  const fs::path file = scratch / "results/worker-1.jsonl";
  const std::string said = in_child([&]() -> std::string {
    if (!mount_small_disk(scratch.path(), "size=64k")) return "no disk to mount";
    write_text(scratch / "ballast", std::string(20000, 'x'));
    ResultLog log(scratch.path(), "worker-1");
    int count = 0;
    const std::string refused = filled(log, file, count);
    fs::remove(scratch / "ballast");
    log.append("p" + std::to_string(count), answered(count));
    const ReadResults read = read_results(scratch.path());
    const bool all_there = read.torn == 0 && read.by_id.size() == static_cast<std::size_t>(count) + 1;
    return refused + (all_there ? ", all read" : ", lost");
  });
  if (said == "no disk to mount") {
    MESSAGE("no small disk can be mounted here; the limit of file sizes stands for it in the test above");
    return;
  }
  CHECK(said ==
        disk_full_text(file, "No space left on device", "Free some space there") + "\nonly whole lines, all read");
}

TEST_CASE("a piece of a line that cannot be taken back stays a torn line of its own") {
  const TemporaryFolder scratch;
  const fs::path file = scratch / "results/worker-1.jsonl";
  const std::string line = result_line("p0", answered(0.0));
  const std::string said = in_child([&]() -> std::string {
    ResultLog log(scratch.path(), "worker-1");
    // Files that only grow let nothing be taken back.
    if (!set_append_only(file, true)) return "no such files";
    log.append("p0", answered(0.0));
    limit_file_sizes(line.size() + 10);
    const std::string refused = complaints_of([&] { log.append("p1", answered(1.0)); });
    limit_file_sizes(RLIM_INFINITY);
    log.append("p1", answered(1.0));
    log.append("p2", answered(2.0));
    set_append_only(file, false);
    return refused.empty() ? "not refused" : "refused";
  });
  if (said == "no such files") {
    MESSAGE("no append-only files here");
    return;
  }
  CHECK(said == "refused");
  CHECK(text_of_file(file) == line + result_line("p1", answered(1.0)).substr(0, 10) + "\n" +
                                  result_line("p1", answered(1.0)) + result_line("p2", answered(2.0)));
  const ReadResults read = read_results(scratch.path());
  CHECK(read.by_id.size() == 3);
  CHECK(read.torn == 1);
}

TEST_CASE("a place where results cannot be written is named, with the reason and the way out") {
  const TemporaryFolder scratch;
  write_text(scratch / "results", "a file in the place of the folder");
  CHECK(complaints_of([&] { ResultLog(scratch.path(), "worker-1"); }) ==
        (scratch / "results").string() +
            ": sweep.not_writable\n  cannot be written: Not a directory. Allow writing there, or give another folder. "
            "Every result that was saved before is kept.");
  const TemporaryFolder closed;
  fs::create_directory(closed / "results");
  fs::permissions(closed.path(), fs::perms::all);
  const std::string said = in_child([&]() -> std::string {
    if (geteuid() == 0 && seteuid(65534) != 0) return "cannot be another user";
    if (geteuid() != 65534) fs::permissions(closed / "results", fs::perms::owner_read | fs::perms::owner_exec);
    return complaints_of([&] { ResultLog(closed.path(), "worker-1"); });
  });
  CHECK(said ==
        (closed / "results/worker-1.jsonl").string() +
            ": sweep.not_writable\n  cannot be written: Permission denied. Allow writing there, or give another "
            "folder. Every result that was saved before is kept.");
}
