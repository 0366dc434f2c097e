#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace saturn {

/// A cell of a table.
struct SqliteCell {
  bool is_number = false;
  double number = 0.0;
  std::string text{};  ///< also of a number; empty for NULL and for bytes
};

/// A row's cells by column.
using SqliteRow = std::vector<SqliteCell>;

/// An SQLite database read from memory, whatever may be wrong with it. Not for more than one thread.
class SqliteBytes {
 public:
  /// @param bytes  a database; what a write-ahead log beside it holds is not seen
  explicit SqliteBytes(std::string_view bytes);

  /// Names of the ordinary tables, or nothing when the database is damaged.
  std::optional<std::vector<std::string>> tables();
  /// Calls `row` for each row of a table with the cells of the wanted columns, in their order; a column that the table
  /// lacks gives empty cells. Upper and lower case are one in columns' names.
  /// @returns false when the database is damaged, or takes implausibly long
  bool each_row(const std::string& table, const std::vector<std::string>& columns,
                const std::function<void(const SqliteRow&)>& row);
  /// The table's columns, in lower case.
  std::vector<std::string> columns(const std::string& table);
  /// What SQLite says about the last failure.
  const std::string& fault() const { return fault_; }

 private:
  struct Connection;
  std::shared_ptr<Connection> connection_;
  std::string fault_{};
};

}  // namespace saturn
