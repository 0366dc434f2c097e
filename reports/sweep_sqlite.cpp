#include "reports/sweep_sqlite.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "reports/sqlite_writer.hpp"
#include "reports/sweep_view.hpp"

namespace saturn {

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
