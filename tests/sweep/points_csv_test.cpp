#include "sim/sweep/points_csv.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

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
  for (const SweepTable& table : {sweep_table(plan, read), sweep_table(plan, ReadResults(read))}) {
    CHECK(same_result(table.rows[0].result, answered(2.0)));
    CHECK(table.rows[1].result.status == PointStatus::missing);
    CHECK(same_result(table.rows[2].result, answered(2.0)));
  }
}

TEST_CASE("a table without points is a head, and a file holds the same bytes as the text") {
  CHECK(points_csv(table_of({})) == "point,id,batch,rtt_s,status,failure,reason,replications\n");
  const SweepScratch scratch;
  const SweepTable table = table_of({answered(1.0), PointResult{}});
  write_points_csv(table, scratch / "points.csv");
  CHECK(file_text(scratch / "points.csv") == points_csv(table));
}

TEST_CASE("a file is replaced whole, and what cannot be replaced stays") {
  const SweepScratch scratch;
  replace_file(scratch / "points.csv", "first\n");
  replace_file(scratch / "points.csv", "second\n");
  CHECK(file_text(scratch / "points.csv") == "second\n");
  // What a killed process left is nobody's.
  write_text(scratch / "points.csv.partial", "torn");
  replace_file(scratch / "points.csv", "third\n");
  CHECK(file_text(scratch / "points.csv") == "third\n");
  CHECK(file_text(scratch / "points.csv.partial") == "torn");
  CHECK(files_below(scratch.path()).size() == 2);

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
  CHECK(files_below(scratch.path()).size() == 3);
}
