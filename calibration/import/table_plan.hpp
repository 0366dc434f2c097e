#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/table_columns.hpp"

/// How the rows of a plain table are read, decided once from its header.

namespace saturn {

/// What a row of the table is.
enum class TableUse { closed_loop, load };

/// A column that is read, and where its figure goes.
struct UsedColumn {
  std::size_t index = 0;
  std::string name{};    ///< as it stands in the file
  std::string key{};     ///< "clients", "concurrency", "batch", "items_per_s", "requests_per_s", or a measured name
  double unit_si = 1.0;  ///< one of the column's unit in SI
  std::string unit{};    ///< as messages show it; empty for counts
};

struct TablePlan {
  ImportedLine header{};
  char separator = ',';
  std::size_t columns = 0;
  TableUse use = TableUse::load;
  std::vector<UsedColumn> used{};
  std::optional<std::size_t> model{};  ///< column of the models' names
  bool clients_are_concurrency = false;
  std::vector<std::string> ignored{};  ///< names of columns that are not read
  std::vector<Complaint> faults{};     ///< why it cannot be read: units that are missing, columns that stand twice

  const UsedColumn* find(const std::string& key) const;
};

/// The header of a table among the lines, and what it means: the first line that is no comment, or a comment ("#")
/// before it, that names clients, a concurrency or a batch and something measured.
std::optional<TablePlan> plan_table(const std::vector<ImportedLine>& lines, const std::string& path);

}  // namespace saturn
