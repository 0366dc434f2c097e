#include "calibration/import/timetracker_database.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/sqlite_bytes.hpp"
#include "calibration/import/time_sample.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

// What a table's rows say about one name.
struct Times {
  std::string name{};
  std::vector<double> values_s{};
  std::size_t negative = 0;
  std::size_t no_number = 0;
  std::size_t zero = 0;
  std::string first_unused{};  // "run 1, subrun 0, event 7"
};

const std::vector<std::string> event_columns{"Run", "SubRun", "Event", "Time"};

class DatabaseReader {
 public:
  DatabaseReader(std::string_view bytes, const std::string& path, MeasuredFile& file)
      : database_(bytes), complaints_(path, file), path_(path), file_(file) {}

  void read();

 private:
  [[noreturn]] void refuse_damaged() {
    complaints_.refuse("import.damaged_database", "The SQLite database cannot be read to its end (" +
                                                      database_.fault() + "); copy it again after the job has ended.");
  }
  bool has(const std::string& table) const { return std::find(tables_.begin(), tables_.end(), table) != tables_.end(); }
  void read_table(const std::string& table, const std::vector<std::string>& name_columns, const std::string& prefix);
  void take_row(const SqliteRow& row, const std::string& name);
  void keep(Times& times, bool whole_event);

  SqliteBytes database_;
  ImportComplaints complaints_;
  const std::string& path_;
  MeasuredFile& file_;
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
    complaints_.leave_out("import.unusable_time",
                          std::to_string(unused) + " of " + counted_noun(all, "time") + " of " + times.name +
                              " cannot be used: " + std::to_string(times.negative) + " negative, " +
                              std::to_string(times.no_number) +
                              " no plausible number of seconds; the first is that of " + times.first_unused + ".");
  if (times.zero == times.values_s.size()) {
    if (times.zero > 0)
      complaints_.leave_out("import.no_time", "All times of " + times.name + " are 0; it is not used.");
    return;
  }
  if (times.zero > 0)
    file_.notes.push_back(times.name + ": " + std::to_string(times.zero) + " of " + counted_noun(all, "time") +
                          " are 0, below what the clock resolves; they count.");
  CpuTimes cpu = sampled_times(std::move(times.values_s));
  cpu.at = {.file = path_};
  cpu.name = times.name;
  cpu.whole_event = whole_event;
  file_.cpu_times.push_back(std::move(cpu));
}

void DatabaseReader::read_table(const std::string& table, const std::vector<std::string>& name_columns,
                                const std::string& prefix) {
  if (!has(table)) return;
  const std::vector<std::string> columns = database_.columns(table);
  if (std::find(columns.begin(), columns.end(), "time") == columns.end()) {
    complaints_.leave_out("import.missing_column",
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
    complaints_.refuse("import.other_database",
                       "This SQLite database is another program's: " +
                           (tables_.empty() ? "it has no tables" : "its tables are " + valid_utf8(named_all(tables_))) +
                           "; that of art's TimeTracker has TimeEvent, TimeModule and TimeSource.");
  read_table("TimeEvent", {}, "event");
  read_table("TimeSource", {"Source"}, "source:");
  // Older versions of art have one column for the three.
  read_table("TimeModule", {"PathModuleId", "Path", "ModuleLabel", "ModuleType"}, "");
  if (file_.cpu_times.empty())
    complaints_.refuse("import.no_events",
                       "TimeTracker's tables hold no time that could be used: the job ended before its first event, or "
                       "its events were not timed. Import the database of a job that has processed events.");
}

}  // namespace

bool recognises_sqlite(std::string_view bytes) {
  constexpr std::string_view magic("SQLite format 3\0", 16);
  return bytes.starts_with(magic);
}

void read_timetracker_database(std::string_view bytes, const std::string& path, MeasuredFile& file) {
  DatabaseReader(bytes, path, file).read();
}

}  // namespace saturn
