#include "reports/sqlite_writer.hpp"

#include <cmath>
#include <sqlite3.h>

#include "reports/sweep_sqlite.hpp"

namespace saturn {

namespace {

std::string quoted_for_sql(const std::string& text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == '\0') continue;
    if (c == quote) quoted += quote;
    quoted += c;
  }
  return quoted + quote;
}

}  // namespace

std::string sql_identifier(const std::string& name) {
  return quoted_for_sql(name, '"');
}

std::string sql_literal(const std::string& text) {
  return quoted_for_sql(text, '\'');
}

struct SqliteWriter::Database {
  sqlite3* handle = nullptr;
  ~Database() { sqlite3_close(handle); }
};

struct SqliteWriter::Insert::Statement {
  sqlite3_stmt* handle = nullptr;
  ~Statement() { sqlite3_finalize(handle); }
};

SqliteWriter::SqliteWriter(const std::filesystem::path& file) : database_(std::make_unique<Database>()) {
  // An absolute path, since SQLite takes ":memory:" and "file:..." for something else.
  const std::string path = std::filesystem::absolute(file).string();
  check(sqlite3_open_v2(path.c_str(), &database_->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr));
  // The file takes its place when it is complete, so nothing is ever rolled back.
  execute("PRAGMA journal_mode = OFF");
  execute("BEGIN");
}

SqliteWriter::~SqliteWriter() = default;

void SqliteWriter::check(int result) const {
  if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
  const char* reason = database_->handle == nullptr ? sqlite3_errstr(result) : sqlite3_errmsg(database_->handle);
  throw SweepSqliteFailed(std::string("SQLite says: ") + reason + ".");
}

void SqliteWriter::execute(const std::string& sql) {
  check(sqlite3_exec(database_->handle, sql.c_str(), nullptr, nullptr, nullptr));
}

void SqliteWriter::finish() {
  execute("COMMIT");
  const int result = sqlite3_close(database_->handle);
  check(result);
  database_->handle = nullptr;
}

SqliteWriter::Insert::Insert(SqliteWriter& writer, const std::string& sql)
    : writer_(writer), statement_(std::make_unique<Statement>()) {
  writer_.check(sqlite3_prepare_v2(writer_.database_->handle, sql.c_str(), -1, &statement_->handle, nullptr));
}

SqliteWriter::Insert::~Insert() = default;

SqliteWriter::Insert& SqliteWriter::Insert::integer(std::uint64_t value) {
  writer_.check(sqlite3_bind_int64(statement_->handle, next_++, static_cast<sqlite3_int64>(value)));
  return *this;
}

SqliteWriter::Insert& SqliteWriter::Insert::number(std::optional<double> value) {
  const bool there = value && std::isfinite(*value);
  writer_.check(there ? sqlite3_bind_double(statement_->handle, next_, *value)
                      : sqlite3_bind_null(statement_->handle, next_));
  ++next_;
  return *this;
}

SqliteWriter::Insert& SqliteWriter::Insert::text(const std::string& value) {
  writer_.check(
      sqlite3_bind_text(statement_->handle, next_++, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}

SqliteWriter::Insert& SqliteWriter::Insert::text_or_null(const std::string& value) {
  if (!value.empty()) return text(value);
  return number(std::nullopt);
}

void SqliteWriter::Insert::run() {
  writer_.check(sqlite3_step(statement_->handle));
  writer_.check(sqlite3_reset(statement_->handle));
  next_ = 1;
}

}  // namespace saturn
