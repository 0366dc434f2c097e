#include "calibration/import/sqlite_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <sqlite3.h>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

struct CloseStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;

std::string quoted_name(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

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

std::vector<std::string> names_of(sqlite3_stmt* statement) {
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const char* name = sqlite3_column_name(statement, i);
    names.push_back(lower_case(name == nullptr ? "" : name));
  }
  return names;
}

}  // namespace

struct SqliteBytes::Connection {
  explicit Connection(std::string_view given) : bytes(given.begin(), given.end()) {
    // A database in write-ahead mode cannot be opened from memory; its two version bytes say so.
    constexpr std::size_t write_version = 18;
    constexpr std::size_t read_version = 19;
    if (bytes.size() > read_version) bytes[write_version] = bytes[read_version] = 1;
    if (sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK) return;
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    good = sqlite3_deserialize(database, "main", bytes.data(), size, size, SQLITE_DESERIALIZE_READONLY) == SQLITE_OK;
    // The file may come from anywhere: nothing that its schema holds may run or grow beyond bounds.
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1'000'000);
    constexpr int steps_between_calls = 10'000;
    sqlite3_progress_handler(database, steps_between_calls, &Connection::tired, &calls);
  }
  ~Connection() { sqlite3_close(database); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // A table of 64 MiB takes a tenth of this many steps.
  static int tired(void* calls) {
    constexpr std::size_t most_calls = 200'000;
    return ++*static_cast<std::size_t*>(calls) > most_calls ? 1 : 0;
  }

  Statement prepare(const std::string& query) const {
    sqlite3_stmt* statement = nullptr;
    if (good) sqlite3_prepare_v2(database, query.c_str(), -1, &statement, nullptr);
    return Statement(statement);
  }

  std::vector<unsigned char> bytes;
  sqlite3* database = nullptr;
  bool good = false;
  std::size_t calls = 0;
};

SqliteBytes::SqliteBytes(std::string_view bytes) : connection_(std::make_shared<Connection>(bytes)) {}

std::optional<std::vector<std::string>> SqliteBytes::tables() {
  std::vector<std::string> names;
  // A virtual table has no root page; what it would run is not known.
  const Statement statement =
      connection_->prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name");
  int step = SQLITE_ERROR;
  if (statement) {
    while ((step = sqlite3_step(statement.get())) == SQLITE_ROW) names.push_back(cell_of(statement.get(), 0).text);
  }
  if (step == SQLITE_DONE) return names;
  fault_ = sqlite3_errmsg(connection_->database);
  return std::nullopt;
}

std::vector<std::string> SqliteBytes::columns(const std::string& table) {
  const Statement statement = connection_->prepare("SELECT * FROM " + quoted_name(table));
  return statement ? names_of(statement.get()) : std::vector<std::string>{};
}

bool SqliteBytes::each_row(const std::string& table, const std::vector<std::string>& columns,
                           const std::function<void(const SqliteRow&)>& row) {
  const Statement statement = connection_->prepare("SELECT * FROM " + quoted_name(table));
  int step = SQLITE_ERROR;
  if (statement) {
    const std::vector<std::string> names = names_of(statement.get());
    SqliteRow cells(columns.size());
    while ((step = sqlite3_step(statement.get())) == SQLITE_ROW) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto found = std::find(names.begin(), names.end(), lower_case(columns[i]));
        cells[i] =
            found == names.end() ? SqliteCell{} : cell_of(statement.get(), static_cast<int>(found - names.begin()));
      }
      row(cells);
    }
  }
  if (step == SQLITE_DONE) return true;
  fault_ = sqlite3_errmsg(connection_->database);
  return false;
}

}  // namespace saturn
