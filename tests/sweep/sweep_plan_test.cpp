#include "sim/sweep/sweep_plan.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace saturn {

TEST_CASE("an id depends on what is answered and on the scenario, and on where one ends and the other begins") {
  const std::string id = point_id({.answer = "run", .resolved = "{}"});
  CHECK(id.size() == 32);
  CHECK(id == point_id({.answer = "run", .resolved = "{}"}));
  CHECK(id != point_id({.answer = "plan", .resolved = "{}"}));
  CHECK(id != point_id({.answer = "run", .resolved = "{ }"}));
  CHECK(point_id({.answer = "a", .resolved = "b\nc"}) != point_id({.answer = "a\nb c", .resolved = ""}));
}

}  // namespace saturn

namespace {

bool same_plan(const SweepPlan& a, const SweepPlan& b) {
  const SweepHeader& x = a.header;
  const SweepHeader& y = b.header;
  bool same = x.title == y.title && x.scenario == y.scenario && x.scenario_sha256 == y.scenario_sha256 &&
              x.answer == y.answer && x.seed == y.seed && x.points == y.points && x.version == y.version &&
              x.results == y.results && x.axes.size() == y.axes.size() && a.points.size() == b.points.size();
  for (std::size_t i = 0; same && i < x.axes.size(); ++i)
    same =
        x.axes[i].pointer == y.axes[i].pointer && x.axes[i].name == y.axes[i].name && x.axes[i].unit == y.axes[i].unit;
  for (std::size_t i = 0; same && i < a.points.size(); ++i) {
    same = a.points[i].id == b.points[i].id && a.points[i].cells.size() == b.points[i].cells.size();
    for (std::size_t c = 0; same && c < a.points[i].cells.size(); ++c)
      same = a.points[i].cells[c].text == b.points[i].cells[c].text &&
             a.points[i].cells[c].number == b.points[i].cells[c].number;
  }
  return same;
}

std::string lines_of(const SweepPlan& plan) {
  const TemporaryFolder scratch;
  write_plan(plan, scratch.path());
  return text_of_file(scratch / "plan.jsonl");
}

// What a plan of these bytes is refused with, without the file's name.
std::string refusal(const TemporaryFolder& scratch, const std::string& text) {
  write_text(scratch / "plan.jsonl", text);
  const std::string said = complaints_of([&] { read_plan(scratch.path()); });
  const std::string name = (scratch / "plan.jsonl").string();
  return said.starts_with(name) ? said.substr(name.size()) : said;
}

std::string refusal(const std::string& text) {
  return refusal(TemporaryFolder(), text);
}

std::string refused(const std::string& line, const std::string& fault) {
  return line + ": sweep.bad_folder\n  " + fault +
         " Give the sweep command again with --force to write the plan anew; nothing in results/ is lost.";
}

std::string replaced(std::string text, const std::string& piece, const std::string& by) {
  const std::size_t at = text.find(piece);
  REQUIRE(at != std::string::npos);
  return text.replace(at, piece.size(), by);
}

}  // namespace

TEST_CASE("a plan that is written reads back the same, and nothing else is left in the folder") {
  const TemporaryFolder scratch;
  for (const std::size_t points : {0U, 1U, 5U}) {
    CHECK(has_plan(scratch.path()) == (points > 0));
    write_plan(plan_of(points), scratch.path());
    CHECK(same_plan(read_plan(scratch.path()), plan_of(points)));
    CHECK(scratch.files() == std::vector<std::string>{"plan.jsonl"});
  }
}

TEST_CASE("the lines of a plan read back the same, whatever their texts and finite numbers") {
  CHECK(rc::check("read(write(x)) == x", [] {
    SweepPlan plan = plan_of(1);
    plan.header.title = any_text();
    plan.header.scenario = any_text();
    plan.header.seed = *rc::gen::arbitrary<std::uint64_t>();
    plan.header.axes[0].unit = any_text();
    plan.points[0].id = any_text();
    plan.points[0].cells[0].text = any_text();
    const auto number = *rc::gen::arbitrary<double>();
    if (std::isfinite(number)) plan.points[0].cells[1].number = number;

    const std::string head = plan_header_line(plan.header);
    const std::string line = plan_point_line(7, plan.points[0]);
    const auto read_head = read_plan_header(std::string_view(head).substr(0, head.size() - 1));
    const auto read_line = read_plan_point(std::string_view(line).substr(0, line.size() - 1), 7, 2);
    RC_ASSERT(head.find('\n') == head.size() - 1 && line.find('\n') == line.size() - 1);
    RC_ASSERT(same_plan({.header = read_head, .points = {read_line}}, plan));
  }));
}

TEST_CASE("a plan's lines are those that other programs are promised") {
  CHECK(
      lines_of(plan_of(2)) ==
      R"({"schema":"saturn-sweep/1","title":"a \"title\"","scenario":"mine.json","scenario_sha256":")" +
          std::string(64, 'a') +
          R"(","answer":"plan slowdown=0.01","seed":42,"axes":[{"pointer":"/models/*/batch","name":"batch","unit":""},)"
          R"({"pointer":"/network/links/0/rtt","name":"rtt","unit":"s"}],"points":2,"version":"0.1.0","results":"1"})"
          "\n"
          R"({"point":0,"id":"id-0","values":[["on"],["0 ms",0]]})"
          "\n"
          R"({"point":1,"id":"id-1","values":[["off"],["1 ms",0.001]]})"
          "\n");
}

TEST_CASE("a plan that is cut at any byte is refused with the line, but for a newline at its end") {
  const TemporaryFolder scratch;
  const std::string whole = lines_of(plan_of(3));
  for (std::size_t cut = 0; cut + 1 < whole.size(); ++cut) {
    const std::string said = refusal(scratch, whole.substr(0, cut));
    CAPTURE(cut);
    CHECK(said.find(": sweep.bad_folder\n") != std::string::npos);
    CHECK(said.ends_with(
        " Give the sweep command again with --force to write the plan anew; nothing in results/ is lost."));
  }
  CHECK(refusal(whole.substr(0, whole.size() - 1)).empty());
}

TEST_CASE("what is wrong with a plan is said with its line and the way out") {
  const std::string whole = lines_of(plan_of(2));
  const std::string head = whole.substr(0, whole.find('\n') + 1);
  CHECK(refusal("") == refused("", "The file is empty."));
  CHECK(refusal("a,b\n1,2\n") ==
        refused(":1", "The first line is no JSON object: this is no plan of a sweep, or it is torn."));
  CHECK(refusal("{}") == refused(":1", "\"schema\" is missing: this is no plan of a sweep."));
  CHECK(refusal(replaced(whole, "saturn-sweep/1", "saturn-sweep/2")) ==
        refused(":1", "\"schema\" is \"saturn-sweep/2\"; this program reads \"saturn-sweep/1\"."));
  CHECK(refusal(replaced(whole, "\"title\":\"a \\\"title\\\"\"", "\"title\":7")) ==
        refused(":1", "\"title\" is missing, or no text."));
  CHECK(refusal(replaced(whole, "\"seed\":42", "\"seed\":-1")) ==
        refused(":1", "\"seed\" is missing, or no whole number from 0."));
  CHECK(refusal(replaced(whole, "\"axes\":[{", "\"axes\":[3,{")) ==
        refused(":1", "\"axes\" holds something that is no axis."));
  CHECK(refusal(replaced(whole, "\"axes\"", "\"axis\"")) == refused(":1", "\"axes\" is missing, or no list of axes."));
  CHECK(refusal(head + "{\"point\":0,\"id\"") ==
        refused(":2", "The line is torn, or was changed by hand: it is no whole JSON object."));
  CHECK(refusal(replaced(whole, "\"point\":1", "\"point\":3")) ==
        refused(":3", "\"point\" is 3; here stands point 1."));
  CHECK(refusal(replaced(whole, "[\"on\"],", "")) ==
        refused(":2", "\"values\" holds 1 values; the header has 2 axes."));
  CHECK(refusal(replaced(whole, "[\"on\"]", "[\"on\",\"x\"]")) ==
        refused(":2", "Value 1 is no list of a text and a number."));
  CHECK(refusal(replaced(whole, "\"points\":2", "\"points\":3")) ==
        refused(":4", "The file ends after 2 points; the first line promises 3."));
  CHECK(refusal(replaced(whole, "\"points\":2", "\"points\":1")) ==
        refused(":3", "The first line promises 1 point; here stands another line."));
}

TEST_CASE("a folder without a plan, and a plan that is no file, are refused") {
  const TemporaryFolder scratch;
  const std::string name = (scratch / "plan.jsonl").string();
  CHECK(complaints_of([&] { read_plan(scratch.path()); }) ==
        name +
            ": sweep.bad_folder\n  There is no such file, so that this is no folder of a sweep. Name the folder that "
            "was given to the sweep command with --out.");
  std::filesystem::create_directory(scratch / "plan.jsonl");
  CHECK(complaints_of([&] { read_plan(scratch.path()); }) ==
        name +
            ": sweep.not_readable\n  cannot be read: Is a directory. Allow reading it, or move it out of the sweep's "
            "folder: what it held is made again then.");
}

TEST_CASE("any bytes are read as a plan without a crash") {
  const TemporaryFolder scratch;
  CHECK(rc::check("bytes", [&](const std::string& bytes) { RC_ASSERT(!refusal(scratch, bytes).empty()); }));
  const std::string whole = lines_of(plan_of(2));
  CHECK(rc::check("a byte changed", [&] {
    std::string other = whole;
    other[*rc::gen::inRange<std::size_t>(0, other.size())] = *rc::gen::arbitrary<char>();
    refusal(scratch, other);
  }));
}

TEST_CASE("a plan that is no plan is never written") {
  const TemporaryFolder scratch;
  SweepPlan miscounted = plan_of(2);
  miscounted.header.points = 3;
  SweepPlan uneven = plan_of(2);
  uneven.points[1].cells.pop_back();
  SweepPlan infinite = plan_of(2);
  infinite.points[1].cells[1].number = HUGE_VAL;
  for (const SweepPlan& plan : {miscounted, uneven, infinite, SweepPlan{}})
    CHECK_THROWS_AS(write_plan(plan, scratch.path()), std::logic_error);
  CHECK(scratch.files().empty());
}

TEST_CASE("a plan for which there is no room leaves the former one as it was") {
  const TemporaryFolder scratch;
  const std::string said = in_child([&]() -> std::string {
    if (!mount_small_disk(scratch.path(), "size=256k")) return "no disk to mount";
    write_plan(plan_of(3), scratch.path());
    const std::string refused = complaints_of([&] { write_plan(plan_of(50000), scratch.path()); });
    const bool kept = same_plan(read_plan(scratch.path()), plan_of(3));
    return refused + (kept && scratch.files().size() == 1 ? "\nkept" : "\nlost");
  });
  if (said == "no disk to mount") {
    MESSAGE("no small disk can be mounted here");
    return;
  }
  CHECK(said ==
        (scratch / "plan.jsonl").string() +
            ": sweep.disk_full\n  cannot be written: No space left on device. Every result that was saved before "
            "is kept. Free some space there, then give the same command again: it goes on where it stopped."
            "\nkept");
}

TEST_CASE("a plan stands to the former one by its axes, its answer, the texts of its values, and its ids") {
  const SweepPlan before = plan_of(4);
  CHECK(change_between(SweepPlan{}, before) == PlanChange::none);
  CHECK(change_between(before, before) == PlanChange::none);
  SweepPlan renamed = before;
  renamed.header.title = "another title";
  renamed.header.version = "9";
  CHECK(change_between(before, renamed) == PlanChange::none);

  SweepPlan edited = before;
  edited.points[2].id = "new";
  CHECK(change_between(before, edited) == PlanChange::points);
  CHECK(change_between(before, plan_of(6)) == PlanChange::grown);
  SweepPlan grown_and_edited = plan_of(6);
  grown_and_edited.points[2].id = "new";
  CHECK(change_between(before, grown_and_edited) == PlanChange::points);
  CHECK(change_between(plan_of(6), before) == PlanChange::another);

  SweepPlan grown_before = plan_of(6);
  std::rotate(grown_before.points.begin(), grown_before.points.begin() + 3, grown_before.points.end());
  CHECK(change_between(before, grown_before) == PlanChange::grown);
  SweepPlan moved = before;
  moved.points[1].cells[1].text = "1.5 ms";
  CHECK(change_between(before, moved) == PlanChange::another);
  SweepPlan slower = before;
  slower.header.answer = "plan slowdown=0.02";
  CHECK(change_between(before, slower) == PlanChange::another);
  SweepPlan elsewhere = before;
  elsewhere.header.axes[1].pointer = "/network/links/1/rtt";
  CHECK(change_between(before, elsewhere) == PlanChange::another);

  SweepPlan twice = plan_of(2);
  twice.points[1].cells = twice.points[0].cells;
  SweepPlan once = plan_of(2);
  CHECK(change_between(twice, once) == PlanChange::another);
}

namespace {

// The lines of the block that begins so.
std::string block(const std::string& document, const std::string& begin) {
  const std::size_t first = document.find("```" + begin + "\n");
  REQUIRE(first != std::string::npos);
  const std::size_t text = first + begin.size() + 4;
  return document.substr(text, document.find("```", text) - text);
}

}  // namespace

TEST_CASE("the files that docs/sweep-folder.md shows are what the program reads and writes") {
  const std::string document = text_of_file(std::filesystem::path(SATURN_SOURCE_FOLDER) / "docs/sweep-folder.md");
  const TemporaryFolder scratch;
  write_text(scratch / "plan.jsonl", block(document, "json plan"));
  const SweepPlan plan = read_plan(scratch.path());
  write_plan(plan, scratch.path());
  CHECK(text_of_file(scratch / "plan.jsonl") == block(document, "json plan"));

  std::istringstream lines(block(document, "json results"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto read = parse_result_line(line);
    REQUIRE(read.has_value());
    CHECK(result_line(read->id, read->result) == line + "\n");
  }
  CHECK(count == 3);

  write_text(scratch / "results/worker-1.jsonl", block(document, "json results"));
  CHECK(points_csv(sweep_table(plan, read_results(scratch.path()))) == block(document, "csv"));
}
