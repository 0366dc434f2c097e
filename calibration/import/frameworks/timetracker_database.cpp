#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/import/import_kit.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

// A cell of a table.
struct SqliteCell {
  bool is_number = false;
  double number = 0.0;
  std::string text{};  // also of a number; empty for NULL and for bytes
};

using SqliteRow = std::vector<SqliteCell>;

struct CloseStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;

SqliteCell cell_of(sqlite3_stmt* statement, int column) {
  SqliteCell cell;
  const int type = sqlite3_column_type(statement, column);
  if (type == SQLITE_NULL || type == SQLITE_BLOB) return cell;
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) cell.number = sqlite3_column_double(statement, column);
  cell.is_number = type != SQLITE_TEXT && std::isfinite(cell.number);
  if (const unsigned char* text = sqlite3_column_text(statement, column))
    cell.text.assign(text, text + sqlite3_column_bytes(statement, column));
  return cell;
}

/// An SQLite database read from memory, whatever may be wrong with it. Not for more than one thread.
class SqliteBytes {
 public:
  /// @param bytes  a database; what a write-ahead log beside it holds is not seen
  explicit SqliteBytes(std::string_view bytes);
  ~SqliteBytes() { sqlite3_close(database_); }
  SqliteBytes(const SqliteBytes&) = delete;
  SqliteBytes& operator=(const SqliteBytes&) = delete;

  /// Names of the ordinary tables, or nothing when the database is damaged.
  std::optional<std::vector<std::string>> tables();
  /// Calls `row` for each row of a table with the cells of the wanted columns, in their order; a column that the table
  /// lacks gives empty cells. Upper and lower case are one in columns' names.
  /// @returns false when the database is damaged, or takes implausibly long
  bool each_row(const std::string& table, const std::vector<std::string>& columns,
                const std::function<void(const SqliteRow&)>& row);
  /// The table's columns, in lower case.
  std::vector<std::string> columns(const std::string& table) const { return names_of(all_of(table).get()); }
  /// What SQLite says about the last failure.
  const std::string& fault() const { return fault_; }

 private:
  // A table of 64 MiB takes a tenth of this many steps.
  static int tired(void* calls) {
    constexpr std::size_t most_calls = 200'000;
    return ++*static_cast<std::size_t*>(calls) > most_calls ? 1 : 0;
  }
  static std::vector<std::string> names_of(sqlite3_stmt* statement);
  Statement prepare(const std::string& query) const;
  Statement all_of(const std::string& table) const {
    return prepare("SELECT * FROM " + in_quotes(replaced_all(table, "\"", "\"\"")));
  }
  /// Calls `take` at each row. @returns false when the last one was not reached
  bool walk(const Statement& statement, const auto& take);

  std::vector<unsigned char> bytes_;
  sqlite3* database_ = nullptr;
  bool good_ = false;
  std::size_t calls_ = 0;
  std::string fault_{};
};

SqliteBytes::SqliteBytes(std::string_view bytes) : bytes_(bytes.begin(), bytes.end()) {
  // A database in write-ahead mode cannot be opened from memory; its two version bytes say so.
  constexpr std::size_t write_version = 18;
  constexpr std::size_t read_version = 19;
  if (bytes_.size() > read_version) bytes_[write_version] = bytes_[read_version] = 1;
  if (sqlite3_open_v2(":memory:", &database_, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) return;
  const auto size = static_cast<sqlite3_int64>(bytes_.size());
  good_ = sqlite3_deserialize(database_, "main", bytes_.data(), size, size, SQLITE_DESERIALIZE_READONLY) == SQLITE_OK;
  // The file may come from anywhere: nothing that its schema holds may run or grow beyond bounds.
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, 1'000'000);
  constexpr int steps_between_calls = 10'000;
  sqlite3_progress_handler(database_, steps_between_calls, &SqliteBytes::tired, &calls_);
}

std::vector<std::string> SqliteBytes::names_of(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  for (int i = 0; statement != nullptr && i < sqlite3_column_count(statement); ++i) {
    const char* name = sqlite3_column_name(statement, i);
    names.push_back(lower_case(name == nullptr ? "" : name));
  }
  return names;
}

Statement SqliteBytes::prepare(const std::string& query) const {
  sqlite3_stmt* statement = nullptr;
  if (good_) sqlite3_prepare_v2(database_, query.c_str(), -1, &statement, nullptr);
  return Statement(statement);
}

bool SqliteBytes::walk(const Statement& statement, const auto& take) {
  int step = SQLITE_ERROR;
  if (statement)
    while ((step = sqlite3_step(statement.get())) == SQLITE_ROW) take();
  if (step == SQLITE_DONE) return true;
  fault_ = sqlite3_errmsg(database_);
  return false;
}

std::optional<std::vector<std::string>> SqliteBytes::tables() {
  // A virtual table has no root page; what it would run is not known.
  const Statement statement =
      prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name");
  std::vector<std::string> names;
  const bool complete = walk(statement, [&] { names.push_back(cell_of(statement.get(), 0).text); });
  return complete ? std::optional(std::move(names)) : std::nullopt;
}

bool SqliteBytes::each_row(const std::string& table, const std::vector<std::string>& columns,
                           const std::function<void(const SqliteRow&)>& row) {
  const Statement statement = all_of(table);
  const std::vector<std::string> names = names_of(statement.get());
  SqliteRow cells(columns.size());
  return walk(statement, [&] {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto found = std::find(names.begin(), names.end(), lower_case(columns[i]));
      cells[i] =
          found == names.end() ? SqliteCell{} : cell_of(statement.get(), static_cast<int>(found - names.begin()));
    }
    row(cells);
  });
}

// What a table's rows say about one name.
struct Times {
  std::string name{};
  std::vector<double> values_s{};
  std::size_t negative = 0;
  std::size_t no_number = 0;
  std::size_t zero = 0;
  std::string first_unused{};  // "run 1, subrun 0, event 7"
};

// Mean and standard deviation (n - 1) of times that are finite and >= 0, with their number.
CpuTimes sampled_times(std::vector<double> values_s) {
  CpuTimes times{.values_s = std::move(values_s)};
  times.count = times.values_s.size();
  if (times.count == 0) return times;
  const auto count = static_cast<double>(times.count);
  for (const double value : times.values_s) times.mean_s += value / count;
  if (times.count < 2) return times;
  double squares = 0.0;
  for (const double value : times.values_s) squares += (value - times.mean_s) * (value - times.mean_s);
  times.sd_s = std::sqrt(squares / (count - 1.0));
  return times;
}

const std::vector<std::string> event_columns{"Run", "SubRun", "Event", "Time"};

class DatabaseReader {
 public:
  explicit DatabaseReader(Import& import) : database_(import.text()), import_(import) {}

  void read();

 private:
  [[noreturn]] void refuse_damaged() {
    import_.refuse("import.damaged_database", "The SQLite database cannot be read to its end (" + database_.fault() +
                                                  "); copy it again after the job has ended.");
  }
  bool has(const std::string& table) const { return std::find(tables_.begin(), tables_.end(), table) != tables_.end(); }
  void read_table(const std::string& table, const std::vector<std::string>& name_columns, const std::string& prefix);
  void take_row(const SqliteRow& row, const std::string& name);
  void keep(Times& times, bool whole_event);

  SqliteBytes database_;
  Import& import_;
  std::vector<std::string> tables_{};
  std::vector<Times> found_{};  // of the table that is being read, in the order of its rows
  std::map<std::string, std::size_t> index_{};
};

void DatabaseReader::take_row(const SqliteRow& row, const std::string& name) {
  const auto [place, is_new] = index_.emplace(name, found_.size());
  if (is_new) found_.push_back({.name = name});
  Times& times = found_[place->second];
  const SqliteCell& time = row[3];
  const bool good = time.is_number && is_measurable(time.number);
  if (good) {
    times.values_s.push_back(time.number);
    times.zero += time.number == 0.0 ? 1U : 0U;
    return;
  }
  ++(time.is_number && time.number < 0.0 ? times.negative : times.no_number);
  if (times.first_unused.empty())
    times.first_unused = "run " + row[0].text + ", subrun " + row[1].text + ", event " + row[2].text;
}

void DatabaseReader::keep(Times& times, bool whole_event) {
  const std::size_t unused = times.negative + times.no_number;
  const std::size_t all = unused + times.values_s.size();
  if (unused > 0)
    import_.leave_out("import.unusable_time", std::to_string(unused) + " of " + counted(all, "time") + " of " +
                                                  times.name + " cannot be used: " + std::to_string(times.negative) +
                                                  " negative, " + std::to_string(times.no_number) +
                                                  " no plausible number of seconds; the first is that of " +
                                                  times.first_unused + ".");
  if (times.zero == times.values_s.size()) {
    if (times.zero > 0) import_.leave_out("import.no_time", "All times of " + times.name + " are 0; it is not used.");
    return;
  }
  if (times.zero > 0)
    import_.note(times.name + ": " + std::to_string(times.zero) + " of " + counted(all, "time") +
                 " are 0, below what the clock resolves; they count.");
  CpuTimes cpu = sampled_times(std::move(times.values_s));
  cpu.at = {.file = import_.path()};
  cpu.name = times.name;
  cpu.whole_event = whole_event;
  import_.file().cpu_times.push_back(std::move(cpu));
}

void DatabaseReader::read_table(const std::string& table, const std::vector<std::string>& name_columns,
                                const std::string& prefix) {
  if (!has(table)) return;
  const std::vector<std::string> columns = database_.columns(table);
  if (std::find(columns.begin(), columns.end(), "time") == columns.end()) {
    import_.leave_out("import.missing_column",
                      "The table " + table + " has no column Time; it has " + named_all(columns) + ".");
    return;
  }
  std::vector<std::string> wanted = event_columns;
  wanted.insert(wanted.end(), name_columns.begin(), name_columns.end());
  found_.clear();
  index_.clear();
  const bool complete = database_.each_row(table, wanted, [&](const SqliteRow& row) {
    std::string name = prefix;
    for (std::size_t i = event_columns.size(); i < row.size(); ++i) {
      if (row[i].text.empty()) continue;
      name += (name.empty() || name.ends_with(':') ? "" : ":") + row[i].text;
    }
    take_row(row, valid_utf8(name.empty() ? "without a name" : name));
  });
  if (!complete) refuse_damaged();
  for (Times& times : found_) keep(times, table == "TimeEvent");
}

void DatabaseReader::read() {
  const std::optional<std::vector<std::string>> tables = database_.tables();
  if (!tables) refuse_damaged();
  for (const std::string& table : *tables) tables_.push_back(table);
  if (!has("TimeEvent") && !has("TimeModule"))
    import_.refuse("import.other_database",
                   "This SQLite database is another program's: " +
                       (tables_.empty() ? "it has no tables" : "its tables are " + valid_utf8(named_all(tables_))) +
                       "; that of art's TimeTracker has TimeEvent, TimeModule and TimeSource.");
  read_table("TimeEvent", {}, "event");
  read_table("TimeSource", {"Source"}, "source:");
  // Older versions of art have one column for the three.
  read_table("TimeModule", {"PathModuleId", "Path", "ModuleLabel", "ModuleType"}, "");
  if (import_.file().cpu_times.empty())
    import_.refuse("import.no_events",
                   "TimeTracker's tables hold no time that could be used: the job ended before its first event, or "
                   "its events were not timed. Import the database of a job that has processed events.");
}

void read_timetracker_database(Import& import) {
  DatabaseReader(import).read();
}

}  // namespace

bool recognises_sqlite(std::string_view bytes) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  return bytes.starts_with(magic);
}

ImportFormat timetracker_database() {
  return {.name = "TimeTracker database",
          .looks_like = "an SQLite file with the tables TimeEvent and TimeModule",
          .recognises = recognises_sqlite,
          .read = read_timetracker_database};
}

}  // namespace saturn
