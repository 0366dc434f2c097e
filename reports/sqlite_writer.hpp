#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace saturn {

/// A text as an identifier of SQL: in double quotes, inner ones doubled. SQL cannot hold a zero byte: it is left out.
std::string sql_identifier(const std::string& name);

/// A text as a literal of SQL.
std::string sql_literal(const std::string& text);

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

}  // namespace saturn
