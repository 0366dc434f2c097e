#include "reports/sweep/sweep_sqlite.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <sstream>
#include <stdlib.h>
#include <vector>

#include "reports/sweep/sweep_json.hpp"
#include "tests/reports/sample_sweeps.hpp"

using namespace saturn;

namespace {

class DatabaseFolder {
 public:
  DatabaseFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "saturn-sqlite-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~DatabaseFolder() { std::filesystem::remove_all(path_); }
  std::filesystem::path file() const { return path_ / "sweep.db"; }
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path path_;
};

std::string as_text(sqlite3_stmt* statement, int column) {
  const auto* bytes = sqlite3_column_text(statement, column);
  return bytes == nullptr ? "NULL" : std::string(reinterpret_cast<const char*>(bytes));
}

/// Rows of cells; the names of the columns first.
std::vector<std::vector<std::string>> query(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  REQUIRE_MESSAGE(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK,
                  sqlite3_errmsg(database));
  std::vector<std::vector<std::string>> rows(1);
  for (int c = 0; c < sqlite3_column_count(statement); ++c) rows[0].emplace_back(sqlite3_column_name(statement, c));
  while (sqlite3_step(statement) == SQLITE_ROW) {
    rows.emplace_back();
    for (int c = 0; c < sqlite3_column_count(statement); ++c) rows.back().push_back(as_text(statement, c));
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return rows;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a database holds every number, word and reason of its sweep") {
  const DatabaseFolder folder;
  const SweepTable table = afternoon_sweep();
  write_sweep_sqlite(table, folder.file());
  const auto points = query(folder.file(), "SELECT * FROM points ORDER BY point");
  REQUIRE(points.size() == table.rows.size() + 1);
  CHECK(points[0] == std::vector<std::string>{"point", "id", "status", "failure", "reason", "replications",
                                              "max_batch_size", "rtt_s", "max_queue_delay_s"});
  const auto metrics = query(folder.file(), "SELECT point, name, mean, low FROM metrics ORDER BY point, name DESC");
  std::size_t at = 1;
  for (const SweepRow& row : table.rows) {
    const auto& cells = points[row.number + 1];
    CHECK(cells[1] == row.id);
    CHECK(cells[2] == name_of(row.result.status));
    CHECK(cells[4] == (row.result.reason.empty() ? "NULL" : row.result.reason));
    CHECK(std::stod(cells[7]) == doctest::Approx(*row.cells[1].number).epsilon(1e-14));
    if (row.result.answer.metrics.empty()) continue;
    // Sorted backwards by name: streams_per_gpu, event_time_s.
    CHECK(std::stod(metrics[at][2]) == row.result.answer.metrics[1].mean);
    CHECK(metrics[at][3] == "NULL");
    CHECK(std::stod(metrics[at + 1][2]) == doctest::Approx(row.result.answer.metrics[0].mean).epsilon(1e-14));
    CHECK(std::stod(metrics[at + 1][3]) == doctest::Approx(*row.result.answer.metrics[0].low).epsilon(1e-14));
    at += 2;
  }
  CHECK(at == metrics.size());
  CHECK(query(folder.file(), "SELECT binding, count(*) FROM answers GROUP BY binding ORDER BY 2 DESC")[1][0] ==
        "gke nic");
  CHECK(folder.files() == 1);
}

TEST_CASE("the same sweep gives the same database, in place of the one before") {
  const DatabaseFolder folder;
  write_sweep_sqlite(afternoon_sweep(), folder.file());
  const std::string before = bytes_of(folder.file());
  write_sweep_sqlite(afternoon_sweep(), folder.file());
  CHECK(bytes_of(folder.file()) == before);
  CHECK(folder.files() == 1);
}

TEST_CASE("names that are SQL, or taken, or one for SQLite, stay names") {
  const DatabaseFolder folder;
  const std::string evil = "x\"; DROP TABLE points; --";
  SweepTable table =
      crossed_sweep({number_axis("Point", "", {1, 2}), number_axis("rtt", "", {1}), number_axis("RTT", "", {2}),
                     word_axis(evil, {"'; DROP TABLE sweep; --", "µs·日本"})},
                    [&](const SweepRow&) {
                      return answered_with({metric_of("it's " + evil, "", 1.5), metric_of("rtt", "", HUGE_VAL)},
                                           {{.name = "status", .word = "'quoted'"}});
                    });
  // Points of a sample may ask the same.
  table.rows[1].id = table.rows[0].id;
  write_sweep_sqlite(table, folder.file());
  const auto rows = query(folder.file(), "SELECT * FROM answers ORDER BY point");
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == std::vector<std::string>{"point", "id", "status", "failure", "reason", "replications", "Point_2",
                                            "rtt", "RTT_2", evil, "it's " + evil, "rtt_3", "status_2"});
  CHECK(rows[1][9] == "'; DROP TABLE sweep; --");
  CHECK(rows[2][9] == "µs·日本");
  CHECK(rows[1][10] == "1.5");
  CHECK(rows[1][11] == "NULL");
  CHECK(rows[1][12] == "'quoted'");
  CHECK(query(folder.file(), "SELECT name, column_name FROM axes WHERE axis = 2")[1] ==
        std::vector<std::string>{"RTT", "RTT_2"});
}

TEST_CASE("more metrics than SQLite has columns, and more axes") {
  const DatabaseFolder folder;
  SweepTable table = crossed_sweep({number_axis("a", "", {1})});
  std::vector<SweepMetric> metrics;
  for (int i = 0; i < 3000; ++i) metrics.push_back(metric_of("m" + std::to_string(i), "", i));
  table.rows[0].result = answered_with(metrics);
  write_sweep_sqlite(table, folder.file());
  CHECK(query(folder.file(), "SELECT count(*) FROM metrics")[1][0] == "3000");
  CHECK(query(folder.file(), "SELECT m0, m1900 FROM answers")[1] == std::vector<std::string>{"0.0", "1900.0"});
  table.axes.resize(2001);
  CHECK_THROWS_WITH_AS(write_sweep_sqlite(table, folder.file()),
                       "The sweep has 2001 axes, and SQLite allows 2,000 columns; points.csv holds them all.",
                       SweepSqliteFailed);
}

TEST_CASE("a database that cannot be written leaves nothing behind") {
  const DatabaseFolder folder;
  CHECK_THROWS_AS(write_sweep_sqlite(afternoon_sweep(), folder.file() / "below" / "x.db"), SweepSqliteFailed);
  CHECK(folder.files() == 0);
}

TEST_CASE("the JSON document holds the sweep, and stays JSON whatever bytes there are") {
  SweepTable table = afternoon_sweep();
  table.title = "\xff\"\\";
  table.rows[3].result.answer.metrics[0].mean = std::nan("");
  const auto document = nlohmann::json::parse(sweep_json(table));
  CHECK(document["counts"] == nlohmann::json{{"answered", 412}, {"imprecise", 8}, {"failed", 4}, {"missing", 5}});
  REQUIRE(document["points"].size() == table.rows.size());
  CHECK(document["points"][3]["metrics"]["event_time_s"]["mean"].is_null());
  CHECK(document["points"][4]["values"]["rtt_s"] == *table.rows[4].cells[1].number);
  CHECK(document["points"][4]["metrics"]["event_time_s"]["high"] == *table.rows[4].result.answer.metrics[0].high);
  CHECK(document["points"][41]["failure"] == "out of time");
  CHECK(nlohmann::json::parse(sweep_json({}))["points"].empty());
}
