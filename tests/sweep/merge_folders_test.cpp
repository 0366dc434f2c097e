#include "sim/sweep/merge_folders.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "tests/sweep/drawn_sweeps.hpp"
#include "tests/sweep/small_disk.hpp"

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
  const SweepScratch one;
  const SweepScratch shards;
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
  const std::vector<std::string> files = files_below(one.path());
  CHECK(files == std::vector<std::string>{"plan.jsonl", "results/worker-1.2.jsonl", "results/worker-1.3.jsonl",
                                          "results/worker-1.jsonl"});

  const MergedFolders again = merge_folders(one.path(), folders);
  CHECK(again.copied == 0);
  CHECK(files_below(one.path()) == files);
  CHECK(points_csv(again.table) == points_csv(merged.table));

  // Whole folders that stand in the sweep's are read where they are.
  fs::copy(shards / "a", one / "a", fs::copy_options::recursive);
  const MergedFolders beside = merge_folders(one.path(), {});
  CHECK(beside.files == 4);
  CHECK(points_csv(beside.table) == points_csv(merged.table));
}

TEST_CASE("a shard that has grown is copied again beside its former copy") {
  const SweepScratch one;
  const SweepScratch shard;
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
  const SweepScratch one;
  const SweepScratch other;
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
  const SweepScratch one;
  const SweepScratch good;
  write_plan(plan_of(1), one.path());
  write_text(good / "results/worker-1.jsonl", line_of(0));
  fs::create_directory(good / "empty");
  const std::vector<fs::path> folders{good.path(), good / "none", good / "empty"};
  const std::string way_out = " Name a folder in which a sweep or one of its shards worked.";
  CHECK(complaints_of([&] { merge_folders(one.path(), folders); }) ==
        (good / "none").string() + ": sweep.not_a_sweep_folder\n  There is no such folder." + way_out + "\n" +
            (good / "empty").string() + ": sweep.not_a_sweep_folder\n  There are no results in this folder." + way_out);
  CHECK(files_below(one.path()) == std::vector<std::string>{"plan.jsonl"});
}

TEST_CASE("a copy for which there is no room is not there, and merging later brings it") {
  const SweepScratch one;
  const SweepScratch other;
  const std::vector<fs::path> folders{other.path()};
  write_text(other / "results/worker-1.jsonl", line_of(0) + std::string(40000, 'x'));
  const std::string said = in_child([&]() -> std::string {
    if (!mount_small_disk(one.path(), "size=64k")) return "no disk to mount";
    write_plan(plan_of(1), one.path());
    write_text(one / "ballast", std::string(40000, 'x'));
    const std::string refused = complaints_of([&] { merge_folders(one.path(), folders); });
    const std::size_t files = files_below(one.path()).size();
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
