#include "sim/sweep/merge_folders.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/whole_files.hpp"
#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace fs = std::filesystem;

namespace {

std::string line_of(std::size_t point) {
  return result_line("id-" + std::to_string(point), answered(static_cast<double>(point)));
}

SweepTable with_statuses(const std::string& statuses) {
  SweepTable table;
  for (const char status : statuses) {
    SweepRow row{.number = table.rows.size()};
    row.result.status = status == '.' ? PointStatus::missing : PointStatus::answered;
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

TEST_CASE("shards that ran in folders of their own are merged into the table of one sweep, again and again") {
  const TemporaryFolder one;
  const TemporaryFolder shards;
  write_plan(plan_of(8), one.path());
  write_text(one / "results/worker-1.jsonl", line_of(0) + line_of(7) + "torn");
  write_text(shards / "a/results/worker-1.jsonl", line_of(1) + line_of(0));
  write_text(shards / "b/results/worker-1.jsonl", line_of(2) + result_line("id-3", failed_result("no plan", "none")) +
                                                      result_line("another sweep's", answered(1.0)));
  write_text(shards / "b/results/worker-2.jsonl", "");
  const std::vector<fs::path> folders{shards / "a", shards / "b", one.path()};

  const MergedFolders merged = merge_folders(one.path(), folders);
  CHECK(merged.copied == 2);
  CHECK(merged.files == 3);
  CHECK(merged.torn == 1);
  CHECK(merged.unasked == 1);
  CHECK(merged.conflicts.empty());
  CHECK(merged.counts.answered == 4);
  CHECK(merged.counts.imprecise == 0);
  CHECK(merged.counts.failed == 1);
  CHECK(merged.counts.missing == 3);
  CHECK(merged.missing == "4-6");
  const std::vector<std::string> files = one.files();
  CHECK(files == std::vector<std::string>{"plan.jsonl", "results/worker-1.2.jsonl", "results/worker-1.3.jsonl",
                                          "results/worker-1.jsonl"});

  const MergedFolders again = merge_folders(one.path(), folders);
  CHECK(again.copied == 0);
  CHECK(one.files() == files);
  CHECK(points_csv(again.table) == points_csv(merged.table));

  // Whole folders that stand in the sweep's are read where they are.
  fs::copy(shards / "a", one / "a", fs::copy_options::recursive);
  const MergedFolders beside = merge_folders(one.path(), {});
  CHECK(beside.files == 4);
  CHECK(points_csv(beside.table) == points_csv(merged.table));
}

TEST_CASE("a shard that has grown is copied again beside its former copy") {
  const TemporaryFolder one;
  const TemporaryFolder shard;
  write_plan(plan_of(3), one.path());
  const std::vector<fs::path> folders{shard.path()};
  write_text(shard / "results/worker-1.jsonl", line_of(0) + line_of(1).substr(0, 20));
  CHECK(merge_folders(one.path(), folders).missing == "1-2");
  write_text(shard / "results/worker-1.jsonl", line_of(0) + line_of(1) + line_of(2));
  const MergedFolders merged = merge_folders(one.path(), folders);
  CHECK(merged.copied == 1);
  CHECK(merged.missing == "");
  CHECK(merged.conflicts.empty());
}

TEST_CASE("results that differ between folders are named with the files of the sweep's own folder") {
  const TemporaryFolder one;
  const TemporaryFolder other;
  write_plan(plan_of(2), one.path());
  write_text(one / "results/worker-1.jsonl", line_of(0));
  write_text(other / "results/worker-1.jsonl", result_line("id-0", answered(99.0)));
  const MergedFolders merged = merge_folders(one.path(), std::vector<fs::path>{other.path()});
  REQUIRE(merged.conflicts.size() == 1);
  CHECK(merged.conflicts[0].id == "id-0");
  CHECK(merged.conflicts[0].first == one / "results/worker-1.2.jsonl");
  CHECK(merged.conflicts[0].second == one / "results/worker-1.jsonl");
}

TEST_CASE("folders without results are all named before anything is copied") {
  const TemporaryFolder one;
  const TemporaryFolder good;
  write_plan(plan_of(1), one.path());
  write_text(good / "results/worker-1.jsonl", line_of(0));
  fs::create_directory(good / "empty");
  const std::vector<fs::path> folders{good.path(), good / "none", good / "empty"};
  const std::string way_out = " Name a folder in which a sweep or one of its shards worked.";
  CHECK(complaints_of([&] { merge_folders(one.path(), folders); }) ==
        (good / "none").string() + ": sweep.not_a_sweep_folder\n  There is no such folder." + way_out + "\n" +
            (good / "empty").string() + ": sweep.not_a_sweep_folder\n  There are no results in this folder." + way_out);
  CHECK(one.files() == std::vector<std::string>{"plan.jsonl"});
}

TEST_CASE("a copy for which there is no room is not there, and merging later brings it") {
  const TemporaryFolder one;
  const TemporaryFolder other;
  const std::vector<fs::path> folders{other.path()};
  write_text(other / "results/worker-1.jsonl", line_of(0) + std::string(40000, 'x'));
  const std::string said = in_child([&]() -> std::string {
    if (!mount_small_disk(one.path(), "size=64k")) return "no disk to mount";
    write_plan(plan_of(1), one.path());
    write_text(one / "ballast", std::string(40000, 'x'));
    const std::string refused = complaints_of([&] { merge_folders(one.path(), folders); });
    const std::size_t files = one.files().size();
    fs::remove(one / "ballast");
    return refused + "\n" + std::to_string(files) + " files, then " +
           std::to_string(merge_folders(one.path(), folders).counts.answered) + " answered";
  });
  if (said == "no disk to mount") {
    MESSAGE("no small disk can be mounted here");
    return;
  }
  CHECK(said == (one / "results/worker-1.jsonl").string() +
                    ": sweep.disk_full\n  cannot be written: No space left on device. Every result that was saved "
                    "before is kept. Free some space there, then give the same command again: it goes on where it "
                    "stopped.\n2 files, then 1 answered");
}

TEST_CASE("missing points are written as runs") {
  CHECK(missing_points(with_statuses("")) == "");
  CHECK(missing_points(with_statuses("xxx")) == "");
  CHECK(missing_points(with_statuses("...")) == "0-2");
  CHECK(missing_points(with_statuses("xxx.....xxxx.")) == "3-7, 12");
  CHECK(missing_points(with_statuses(".x..x.")) == "0, 2-3, 5");
}

namespace {

// A reader of RFC 4180 written from its grammar; rows end in a newline.
std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (quoted && csv[i] == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
      row.back() += csv[++i];
    } else if (csv[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && csv[i] == ',') {
      row.emplace_back();
    } else if (!quoted && csv[i] == '\n') {
      rows.push_back(row);
      row.assign(1, "");
    } else {
      row.back() += csv[i];
    }
  }
  return rows;
}

SweepTable table_of(std::vector<PointResult> results) {
  ReadResults read;
  const SweepPlan plan = plan_of(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].status != PointStatus::missing) read.by_id.emplace(plan.points[i].id, results[i]);
  }
  return sweep_table(plan, read);
}

}  // namespace

TEST_CASE("plan and results together are the table, and points without a result are missing") {
  ReadResults read;
  read.by_id.emplace("id-1", answered(2.0));
  read.by_id.emplace("of a former scenario", answered(3.0));
  const SweepTable table = sweep_table(plan_of(3), read);
  CHECK(table.answer == "plan");
  CHECK(table.seed == 42);
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].result.status == PointStatus::missing);
  CHECK(table.rows[1].id == "id-1");
  CHECK(table.rows[1].number == 1);
  CHECK(same_result(table.rows[1].result, answered(2.0)));
  CHECK(table.rows[2].cells[1].number == 0.002);
}

TEST_CASE("points.csv has a row a point, with units in its head and empty cells where nothing is known") {
  PointResult precise = answered(0.1);
  precise.answer.metrics.push_back({.stem = "jobs", .unit = "", .mean = 268});
  PointResult imprecise = answered(1e-9);
  imprecise.status = PointStatus::imprecise;
  imprecise.answer.precision_reached = false;
  imprecise.answer.metrics.insert(imprecise.answer.metrics.begin(), {.stem = "cost", .unit = "usd", .mean = 1e22});
  const SweepTable table =
      table_of({precise, PointResult{}, failed_result("no plan", "none fits, \"sorry\"\nat all"), imprecise});
  CHECK(points_csv(table) ==
        "point,id,batch,rtt_s,status,failure,reason,replications,event_time_s,event_time_low_s,event_time_high_s,jobs,"
        "cost_usd,binding\n"
        "0,id-0,on,0,answered,,,3,0.1,0.05,0.2,268,,gke/t4\n"
        "1,id-1,off,0.001,missing,,,,,,,,,\n"
        "2,id-2,on,0.002,failed,no plan,\"none fits, \"\"sorry\"\"\nat all\",,,,,,,\n"
        "3,id-3,off,0.003,imprecise,,,3,1e-09,5e-10,2e-09,,1e+22,gke/t4\n");
}

namespace {

/// Texts that a spreadsheet would take for formulas have an apostrophe before them; no drawn text is a number with a
/// sign.
bool is_cell_of(const std::string& cell, const std::string& text) {
  const bool formula = !text.empty() && std::string("=+-@\t\r").find(text.front()) != std::string::npos;
  return cell == (formula ? "'" + text : text);
}

}  // namespace

TEST_CASE("names and words of any text come back from points.csv, each in its own column") {
  CHECK(rc::check("RFC 4180", [] {
    SweepTable table = table_of(std::vector<PointResult>(3, failed_result("a" + any_text(), any_text())));
    table.axes[0].name = any_text();
    for (SweepRow& row : table.rows) row.cells[0].text = any_text();
    PointResult& result = table.rows[2].result;
    result = answered(0.5);
    result.answer.words[0] = {.name = any_text(), .word = any_text()};
    const std::string csv = points_csv(table);
    RC_ASSERT(points_csv(table) == csv);
    const auto rows = rows_of(csv);
    RC_ASSERT(rows.size() == 4u);
    for (const auto& row : rows) RC_ASSERT(row.size() == rows[0].size());
    RC_ASSERT(is_cell_of(rows[0][2], table.axes[0].name));
    RC_ASSERT(is_cell_of(rows[0].back(), result.answer.words[0].name));
    RC_ASSERT(is_cell_of(rows[3].back(), result.answer.words[0].word));
    for (std::size_t i = 0; i < 3; ++i) RC_ASSERT(is_cell_of(rows[i + 1][2], table.rows[i].cells[0].text));
    RC_ASSERT(is_cell_of(rows[1][5], table.rows[0].result.failure));
    RC_ASSERT(is_cell_of(rows[1][6], table.rows[0].result.reason));
  }));
}

TEST_CASE("numbers in points.csv read back as the same doubles") {
  CHECK(rc::check("shortest", [] {
    PointResult result = any_result();
    auto& metrics = result.answer.metrics;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      metrics[i].stem = "m" + std::to_string(i);
      metrics[i].unit = "s";
    }
    const auto rows = rows_of(points_csv(table_of({result})));
    const auto same = [&](const std::string& head, const std::optional<double>& number) {
      const auto column = std::find(rows[0].begin(), rows[0].end(), head) - rows[0].begin();
      const std::string cell = column < std::ssize(rows[0]) ? rows[1][static_cast<std::size_t>(column)] : "";
      return number ? !cell.empty() && std::strtod(cell.c_str(), nullptr) == *number : cell.empty();
    };
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      RC_ASSERT(same("m" + std::to_string(i) + "_s", metrics[i].mean));
      RC_ASSERT(same("m" + std::to_string(i) + "_low_s", metrics[i].low));
      RC_ASSERT(same("m" + std::to_string(i) + "_high_s", metrics[i].high));
    }
  }));
}

TEST_CASE("points that ask the same share a result") {
  SweepPlan plan = plan_of(3);
  plan.points[2].id = plan.points[0].id;
  ReadResults read;
  read.by_id.emplace("id-0", answered(2.0));
  const SweepTable table = sweep_table(plan, read);
  CHECK(same_result(table.rows[0].result, answered(2.0)));
  CHECK(table.rows[1].result.status == PointStatus::missing);
  CHECK(same_result(table.rows[2].result, answered(2.0)));
}

TEST_CASE("a table without points is a head, and a file holds the same bytes as the text") {
  CHECK(points_csv(table_of({})) == "point,id,batch,rtt_s,status,failure,reason,replications\n");
  const TemporaryFolder scratch;
  const SweepTable table = table_of({answered(1.0), PointResult{}});
  write_points_csv(table, scratch / "points.csv");
  CHECK(text_of_file(scratch / "points.csv") == points_csv(table));
}

TEST_CASE("a file is replaced whole, and what cannot be replaced stays") {
  const TemporaryFolder scratch;
  replace_file(scratch / "points.csv", "first\n");
  replace_file(scratch / "points.csv", "second\n");
  CHECK(text_of_file(scratch / "points.csv") == "second\n");
  // What a killed process left is nobody's.
  write_text(scratch / "points.csv.partial", "torn");
  replace_file(scratch / "points.csv", "third\n");
  CHECK(text_of_file(scratch / "points.csv") == "third\n");
  CHECK(text_of_file(scratch / "points.csv.partial") == "torn");
  CHECK(scratch.files().size() == 2);

  write_text(scratch / "folder/inside", "");
  CHECK(complaints_of([&] { replace_file(scratch / "folder", "text"); }) ==
        (scratch / "folder").string() +
            ": sweep.not_writable\n  cannot be written: Is a directory. Allow writing there, or give another folder. "
            "Every result that was saved before is kept.");
  CHECK(
      complaints_of([&] { replace_file(scratch / "none/points.csv", "text"); }) ==
      (scratch / "none/points.csv").string() +
          ": sweep.not_writable\n  cannot be written: No such file or directory. Allow writing there, or give another "
          "folder. Every result that was saved before is kept.");
  CHECK(scratch.files().size() == 3);
}
