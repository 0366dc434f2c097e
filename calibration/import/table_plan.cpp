#include "calibration/import/table_plan.hpp"

#include <algorithm>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

namespace {

using Columns = std::vector<TableColumn>;

bool has(const Columns& columns, ColumnKind kind) {
  return std::any_of(columns.begin(), columns.end(), [&](const TableColumn& column) { return column.kind == kind; });
}

bool has_measured(const Columns& columns) {
  return std::any_of(columns.begin(), columns.end(), [](const TableColumn& column) {
    return column.spread == ColumnSpread::mean && needs_unit(column.kind);
  });
}

bool is_header(const Columns& columns) {
  return columns.size() > 1 && has_measured(columns) &&
         std::any_of(columns.begin(), columns.end(),
                     [](const TableColumn& column) { return is_table_key(column.kind); });
}

Columns columns_of(std::string_view line, char separator) {
  constexpr std::size_t most_columns = 1000;
  Columns columns;
  for (const TableCell& cell : table_cells(line, separator)) {
    if (columns.size() == most_columns) return {};
    columns.push_back(table_column(cell.text));
  }
  return columns;
}

class Planner {
 public:
  Planner(const ImportedLine& header, char separator, Columns columns, const std::string& path)
      : columns_(std::move(columns)), path_(path) {
    plan_.header = header;
    plan_.separator = separator;
    plan_.columns = columns_.size();
  }

  TablePlan plan() {
    choose_use();
    for (std::size_t i = 0; i < columns_.size(); ++i) use(i);
    need_a_result();
    return std::move(plan_);
  }

 private:
  void choose_use();
  ColumnKind meaning(ColumnKind kind) const;
  void use(std::size_t index);
  void use_measured(std::size_t index, TableColumn column);
  bool is_count(const TableColumn& column) const;
  const TableColumn* owner_of_spread(std::size_t index) const;
  void add(std::size_t index, const std::string& key, double unit_si, const std::string& unit);
  void need_a_result();
  void fault(const std::string& code, const std::string& text) {
    plan_.faults.push_back(complaint_at_line(path_, plan_.header, 1, code, text));
  }

  TablePlan plan_{};
  Columns columns_;
  const std::string& path_;
};

void Planner::choose_use() {
  const bool of_events = has(columns_, ColumnKind::event_time) || has(columns_, ColumnKind::module_time) ||
                         has(columns_, ColumnKind::events_rate) || has(columns_, ColumnKind::plain_rate) ||
                         has(columns_, ColumnKind::plain_time);
  const bool clients = has(columns_, ColumnKind::clients);
  plan_.use = clients && of_events ? TableUse::closed_loop : TableUse::load;
  plan_.clients_are_concurrency = clients && plan_.use == TableUse::load && !has(columns_, ColumnKind::concurrency);
}

ColumnKind Planner::meaning(ColumnKind kind) const {
  const bool closed = plan_.use == TableUse::closed_loop;
  if (kind == ColumnKind::plain_rate) return closed ? ColumnKind::events_rate : ColumnKind::items_rate;
  if (kind == ColumnKind::plain_time) return closed ? ColumnKind::event_time : ColumnKind::latency;
  if (kind == ColumnKind::event_time && !closed) return ColumnKind::latency;
  return kind;
}

// "events" without a rate's unit, beside a column that says how long one took, is how many were measured.
bool Planner::is_count(const TableColumn& column) const {
  return is_table_rate(column.kind) && column.kind != ColumnKind::plain_rate && column.unit.empty() &&
         std::any_of(columns_.begin(), columns_.end(), [](const TableColumn& other) {
           return other.spread == ColumnSpread::mean && needs_unit(other.kind) && other.unit_si.has_value();
         });
}

const TableColumn* Planner::owner_of_spread(std::size_t index) const {
  for (std::size_t i = index; i > 0; --i)
    if (columns_[i - 1].spread == ColumnSpread::mean && needs_unit(columns_[i - 1].kind)) return &columns_[i - 1];
  const auto first = std::find_if(columns_.begin(), columns_.end(), [](const TableColumn& column) {
    return column.spread == ColumnSpread::mean && needs_unit(column.kind);
  });
  return first == columns_.end() ? nullptr : &*first;
}

void Planner::add(std::size_t index, const std::string& key, double unit_si, const std::string& unit) {
  const UsedColumn* twice = plan_.find(key);
  if (twice != nullptr) {
    fault("import.duplicate_column", "The columns " + shown(twice->name) + " and " + shown(columns_[index].name) +
                                         " mean the same (" + key + "); keep one of the two.");
    return;
  }
  plan_.used.push_back({.index = index, .name = columns_[index].name, .key = key, .unit_si = unit_si, .unit = unit});
}

void Planner::use_measured(std::size_t index, TableColumn column) {
  const bool count = is_count(column);
  column.kind = meaning(column.kind);
  const bool load = plan_.use == TableUse::load;
  std::string key = measured_name(column);
  if (column.kind == ColumnKind::items_rate) key = "items_per_s";
  if (column.kind == ColumnKind::requests_rate) key = "requests_per_s";
  const bool of_load = column.kind == ColumnKind::latency || column.kind == ColumnKind::items_rate ||
                       column.kind == ColumnKind::requests_rate;
  const bool spread_of_rate = column.spread != ColumnSpread::mean && load && is_table_rate(column.kind);
  if (of_load != load || spread_of_rate || count) {
    plan_.ignored.push_back(column.name);
    return;
  }
  if (!column.unit_si) {
    fault(
        column.unit.empty() ? "import.missing_unit" : "import.unknown_unit",
        "The column " + shown(column.name) +
            (column.unit.empty() ? " does not say its unit"
                                 : " has the unit " + shown(column.unit) + ", which is none of " +
                                       (is_table_rate(column.kind) ? "a rate's" : "a time's")) +
            "; call it \"" + spelling_with_unit(column) + "\"" +
            (is_table_rate(column.kind) ? "." : ", or with ms, us or min in brackets: \"" + column.bare + " [ms]\"."));
    return;
  }
  add(index, key, *column.unit_si, column.unit);
}

void Planner::use(std::size_t index) {
  TableColumn column = columns_[index];
  const bool load = plan_.use == TableUse::load;
  if (column.kind == ColumnKind::spread) {
    if (const TableColumn* owner = owner_of_spread(index)) {
      column.kind = owner->kind;
      if (column.unit.empty()) {
        column.unit = owner->unit;
        column.unit_si = owner->unit_si;
      }
    }
  }
  if (needs_unit(column.kind)) {
    use_measured(index, column);
  } else if (column.kind == ColumnKind::model && load && !plan_.model) {
    plan_.model = index;
  } else if (column.kind == ColumnKind::clients && (!load || plan_.clients_are_concurrency)) {
    add(index, load ? "concurrency" : "clients", 1.0, "");
  } else if (column.kind == ColumnKind::concurrency && load) {
    add(index, "concurrency", 1.0, "");
  } else if (column.kind == ColumnKind::batch && load) {
    add(index, "batch", 1.0, "");
  } else if (!column.name.empty()) {
    plan_.ignored.push_back(column.name);
  }
}

// A throughput of requests, or a latency, says nothing about items without the size of a request.
void Planner::need_a_result() {
  if (!plan_.faults.empty() || plan_.use == TableUse::closed_loop || plan_.find("items_per_s") != nullptr) return;
  const bool measured = plan_.find("requests_per_s") != nullptr || plan_.find("latency_mean_s") != nullptr;
  if (measured && plan_.find("batch") != nullptr) return;
  fault("import.missing_column",
        measured ? "Without a throughput in items per second, the items of a request have to be known: add a column "
                   "\"batch\" (1 where each request carries one item), or \"items_per_s\"."
                 : "Nothing here can be fitted: beside the concurrency or the batch a column \"items_per_s\", "
                   "\"requests_per_s\" or \"latency_s\" is needed.");
}

}  // namespace

const UsedColumn* TablePlan::find(const std::string& key) const {
  const auto found = std::find_if(used.begin(), used.end(), [&](const UsedColumn& one) { return one.key == key; });
  return found == used.end() ? nullptr : &*found;
}

std::optional<TablePlan> plan_table(const std::vector<ImportedLine>& lines, const std::string& path) {
  for (ImportedLine line : lines) {
    line.text = trimmed(line.text, " \t");
    if (line.text.empty()) continue;
    const bool comment = line.text.starts_with('#');
    std::string_view names = line.text;
    while (names.starts_with('#')) names.remove_prefix(1);
    for (const char separator : {'\t', ';', ','}) {
      Columns columns = columns_of(names, separator);
      if (is_header(columns)) return Planner(line, separator, std::move(columns), path).plan();
    }
    if (!comment) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace saturn
