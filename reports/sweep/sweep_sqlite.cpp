#include "reports/sweep/sweep_sqlite.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sqlite3.h>
#include <string>
#include <system_error>
#include <vector>

#include "reports/sweep/sweep_view.hpp"

namespace saturn {

/// A new database that is filled in one transaction. Nothing of SQLite shows outside.
class SqliteWriter {
 public:
  /// @throws SweepSqliteFailed
  explicit SqliteWriter(const std::filesystem::path& file);
  ~SqliteWriter();
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  /// One statement without parameters.
  void execute(const std::string& sql);

  /// A statement that is prepared once and run for every row.
  class Insert {
   public:
    Insert(SqliteWriter& writer, const std::string& sql);
    ~Insert();
    Insert(const Insert&) = delete;
    Insert& operator=(const Insert&) = delete;

    /// The next parameter.
    Insert& integer(std::uint64_t value);
    Insert& number(std::optional<double> value);  ///< NULL where it is absent or not finite
    Insert& text(const std::string& value);
    Insert& text_or_null(const std::string& value);  ///< NULL where it is empty
    /// Runs it with the parameters, all of which have been given.
    void run();

   private:
    struct Statement;
    SqliteWriter& writer_;
    std::unique_ptr<Statement> statement_;
    int next_ = 1;
  };

  /// Ends the transaction and closes the file.
  void finish();

 private:
  struct Database;
  void check(int result) const;

  std::unique_ptr<Database> database_;
};

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

/// A text as an identifier of SQL: in double quotes, inner ones doubled. SQL cannot hold a zero byte: it is left out.
std::string sql_identifier(const std::string& name) {
  return quoted_for_sql(name, '"');
}

/// A text as a literal of SQL.
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

namespace {

// SQLite allows 2,000 columns; some are the table's own.
constexpr std::size_t most_columns = 1990;

/// Names of columns that differ even for SQLite, which takes "Rtt" and "rtt" for one.
class ColumnNames {
 public:
  explicit ColumnNames(const std::vector<std::string>& taken) {
    for (const std::string& name : taken) take(name);
  }

  /// The name, or the name with a number behind it.
  std::string take(const std::string& name) {
    const std::string first = name.empty() ? "column" : name;
    std::string free = first;
    for (std::size_t n = 2; !taken_.insert(folded(free)).second; ++n) free = first + "_" + std::to_string(n);
    return free;
  }

 private:
  static std::string folded(const std::string& name) {
    std::string text;
    for (const char c : name)
      if (c != '\0') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  std::set<std::string> taken_;
};

const std::vector<std::string> own_columns{"point", "id", "status", "failure", "reason", "replications"};

/// All cells of a column are numbers.
bool is_numeric(const SweepTable& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const SweepRow& row) { return row.cells.at(column).number.has_value(); });
}

void write_sweep_row(SqliteWriter& writer, const SweepTable& table) {
  writer.execute("CREATE TABLE sweep (title TEXT, answer TEXT, seed TEXT, points INTEGER, layout INTEGER)");
  SqliteWriter::Insert insert(writer, "INSERT INTO sweep VALUES (?, ?, ?, ?, ?)");
  insert.text(table.title).text(table.answer).text(std::to_string(table.seed));
  insert.integer(table.rows.size()).integer(sweep_sqlite_layout).run();
}

void write_axes(SqliteWriter& writer, const SweepTable& table, const std::vector<std::string>& columns) {
  writer.execute(
      "CREATE TABLE axes (axis INTEGER PRIMARY KEY, name TEXT, head TEXT, pointer TEXT, unit TEXT, column_name TEXT)");
  SqliteWriter::Insert insert(writer, "INSERT INTO axes VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const AxisColumn& axis = table.axes[c];
    insert.integer(c).text(axis.name).text(axis.head()).text(axis.pointer).text(axis.unit).text(columns[c]).run();
  }
}

void write_points(SqliteWriter& writer, const SweepTable& table, const std::vector<std::string>& columns) {
  std::string create =
      "CREATE TABLE points (point INTEGER PRIMARY KEY, id TEXT, status TEXT, failure TEXT, reason TEXT, "
      "replications INTEGER";
  std::string parameters = "?, ?, ?, ?, ?, ?";
  std::vector<bool> numeric;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    numeric.push_back(is_numeric(table, c));
    create += ", " + sql_identifier(columns[c]) + (numeric[c] ? " REAL" : " TEXT");
    parameters += ", ?";
  }
  writer.execute(create + ")");
  SqliteWriter::Insert insert(writer, "INSERT INTO points VALUES (" + parameters + ")");
  for (const SweepRow& row : table.rows) {
    const PointResult& result = row.result;
    insert.integer(row.number).text(row.id).text(name_of(result.status));
    insert.text_or_null(result.failure).text_or_null(result.reason);
    if (ResolvedView::has_answer(row)) {
      insert.integer(result.answer.replications);
    } else {
      insert.number(std::nullopt);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const AxisCell& cell = row.cells.at(c);
      if (numeric[c]) {
        insert.number(cell.number);
      } else {
        insert.text(cell.text);
      }
    }
    insert.run();
  }
  // Not unique: two points of a sample may ask the same.
  writer.execute("CREATE INDEX points_by_id ON points (id)");
}

void write_metrics(SqliteWriter& writer, const SweepTable& table) {
  writer.execute(
      "CREATE TABLE metrics (point INTEGER REFERENCES points, name TEXT, unit TEXT, mean REAL, low REAL, high REAL, "
      "PRIMARY KEY (point, name)) WITHOUT ROWID");
  // A name that stands twice at a point counts once, as in every picture: the first.
  SqliteWriter::Insert insert(writer, "INSERT OR IGNORE INTO metrics VALUES (?, ?, ?, ?, ?, ?)");
  for (const SweepRow& row : table.rows) {
    for (const SweepMetric& metric : row.result.answer.metrics) {
      insert.integer(row.number).text(metric.name()).text(metric.unit);
      insert.number(metric.mean).number(metric.low).number(metric.high).run();
    }
  }
}

void write_words(SqliteWriter& writer, const SweepTable& table) {
  writer.execute(
      "CREATE TABLE words (point INTEGER REFERENCES points, name TEXT, word TEXT, PRIMARY KEY (point, name)) "
      "WITHOUT ROWID");
  SqliteWriter::Insert insert(writer, "INSERT OR IGNORE INTO words VALUES (?, ?, ?)");
  for (const SweepRow& row : table.rows)
    for (const SweepWord& word : row.result.answer.words)
      insert.integer(row.number).text(word.name).text(word.word).run();
}

/// One row a point with its means and words beside the axes. Correlated look-ups go through the primary keys.
void write_view(SqliteWriter& writer, const SweepTable& table, const std::vector<std::string>& columns,
                ColumnNames names) {
  std::string view = "CREATE VIEW answers AS SELECT points.*";
  std::size_t used = own_columns.size() + columns.size();
  for (const ShownMetric& metric : metrics_of(table)) {
    if (++used > most_columns) break;
    const std::string of = metric.is_word ? "SELECT word FROM words" : "SELECT mean FROM metrics";
    const std::string from = metric.is_word ? "words" : "metrics";
    view += ", (" + of + " WHERE " + from + ".point = points.point AND name = " + sql_literal(metric.name) + ") AS " +
            sql_identifier(names.take(metric.name));
  }
  writer.execute(view + " FROM points");
}

/// An empty file that nobody else made, be it through a link that waits under its name. SQLite takes it for a database.
std::filesystem::path made_beside(const std::filesystem::path& file) {
  constexpr int most_attempts = 10'000;
  for (int attempt = 1; attempt <= most_attempts; ++attempt) {
    std::filesystem::path made = file;
    made += (attempt == 1 ? "" : "." + std::to_string(attempt)) + ".partial";
    if (std::FILE* const stream = std::fopen(made.c_str(), "wbx")) {
      std::fclose(stream);
      return made;
    }
    if (errno != EEXIST) break;
  }
  throw SweepSqliteFailed("Its folder takes no new file: " + std::generic_category().message(errno) + ".");
}

void fill(const std::filesystem::path& file, const SweepTable& table) {
  ColumnNames names(own_columns);
  std::vector<std::string> columns;
  for (const AxisColumn& axis : table.axes) columns.push_back(names.take(axis.head()));
  SqliteWriter writer(file);
  writer.execute("PRAGMA user_version = " + std::to_string(sweep_sqlite_layout));
  write_sweep_row(writer, table);
  write_axes(writer, table, columns);
  write_points(writer, table, columns);
  write_metrics(writer, table);
  write_words(writer, table);
  write_view(writer, table, columns, names);
  writer.finish();
}

}  // namespace

void write_sweep_sqlite(const SweepTable& table, const std::filesystem::path& file) {
  if (table.axes.size() + own_columns.size() > most_columns)
    throw SweepSqliteFailed("The sweep has " + std::to_string(table.axes.size()) +
                            " axes, and SQLite allows 2,000 columns; points.csv holds them all.");
  const std::filesystem::path partial = made_beside(file);
  std::error_code failed;
  try {
    fill(partial, table);
    std::filesystem::rename(partial, file, failed);
    if (failed) throw SweepSqliteFailed("It cannot take its place: " + failed.message() + ".");
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw;
  }
}

}  // namespace saturn
