#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/closed_loop_rates.hpp"
#include "calibration/import/import_kit.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "calibration/import/table_columns.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

namespace {

using Figures = std::map<std::string, double>;

/// A column that is read, and where its figure goes.
struct UsedColumn {
  std::size_t index = 0;
  std::string name{};    ///< as it stands in the file
  std::string key{};     ///< "clients", "concurrency", "batch", "items_per_s", "requests_per_s", or a measured name
  double unit_si = 1.0;  ///< one of the column's unit in SI
  std::string unit{};    ///< as messages show it; empty for counts
};

/// A header: the first line that is no comment, or a comment ("#") before it, that names clients, a concurrency or a
/// batch and something measured.
struct TableHeader {
  ImportedLine line{};
  char separator = ',';
  std::vector<TableColumn> columns{};
};

std::optional<TableHeader> table_header(std::string_view text) {
  for (ImportedLine line; next_line(text, line);) {
    line.text = trimmed(line.text, " \t");
    ImportedLine names = line;
    while (names.text.starts_with('#')) names.text.remove_prefix(1);
    for (const char separator : {'\t', ';', ','}) {
      TableHeader header{.line = line, .separator = separator};
      const CellLine cells = cells_of(names, separator);
      for (const ImportedCell& cell : cells.cells) header.columns.emplace_back(cell.text);
      const auto any = [&](auto kind) { return std::any_of(header.columns.begin(), header.columns.end(), kind); };
      if (cells.fault.empty() && header.columns.size() > 1 && any([](const auto& one) { return one.is_key(); }) &&
          any([](const auto& one) { return one.is_measured_mean(); }))
        return header;
    }
    if (!line.text.starts_with('#')) return std::nullopt;
  }
  return std::nullopt;
}

class PlainTableReader {
 public:
  PlainTableReader(TableHeader header, Import& import)
      : header_(std::move(header)), columns_(header_.columns), import_(import), file_(import.file()) {}

  void read();

 private:
  void plan();
  void plan_column(std::size_t index);
  std::string key_of(const TableColumn& column) const;
  const TableColumn* owner_of_spread(std::size_t index) const;
  bool is_count(const TableColumn& column) const;
  void need_a_result();
  void fault(const std::string& code, const std::string& text) {
    faults_.push_back(complaint_at_line(import_.path(), header_.line, 1, code, text));
  }
  const UsedColumn* find(std::string_view key) const {
    const auto found = std::find_if(used_.begin(), used_.end(), [&](const UsedColumn& one) { return one.key == key; });
    return found == used_.end() ? nullptr : &*found;
  }

  bool take(const ImportedLine& line);
  bool is_whole(const CellLine& row);
  Figures figures_of(const CellLine& row);
  std::optional<double> figure(const ImportedLine& line, const UsedColumn& column, const ImportedCell& given);
  void take_closed(const ImportedLine& line, Figures figures);
  void take_load(const CellLine& row, Figures figures);
  void set_load(LoadPoint& point, Figures& figures);
  void note();
  void complain(const ImportedLine& line, const std::string& code, const std::string& text) {
    import_.leave_out(line, code, text, 1);
  }

  TableHeader header_;
  const std::vector<TableColumn>& columns_;
  Import& import_;
  MeasuredFile& file_;
  bool closed_loop_ = false;  // rows are of clients and their events, not of loads
  bool clients_are_concurrency_ = false;
  std::vector<UsedColumn> used_{};
  std::optional<std::size_t> model_{};  // column of the models' names
  std::vector<std::string> ignored_{};  // names of columns that are not read
  std::vector<Complaint> faults_{};     // why the table cannot be read
  bool explained_ = false;              // a complaint about a cell of the row says already why it cannot be used
  bool batches_by_law_ = false;
  bool items_by_law_ = false;
};

void PlainTableReader::plan() {
  const auto has = [&](const auto& kind) {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](const TableColumn& one) { return one.meaning != nullptr && kind(*one.meaning); });
  };
  const bool clients = has([](const ColumnMeaning& one) { return one.closed_loop == "clients"; });
  closed_loop_ = clients && has([](const ColumnMeaning& one) { return one.of_events; });
  clients_are_concurrency_ =
      clients && !closed_loop_ && !has([](const ColumnMeaning& one) { return one.load == "concurrency"; });
  for (std::size_t i = 0; i < columns_.size(); ++i) plan_column(i);
  need_a_result();
  if (!faults_.empty()) throw InputError(std::move(faults_));
}

std::string PlainTableReader::key_of(const TableColumn& column) const {
  const bool clients = column.meaning != nullptr && column.meaning->closed_loop == "clients";
  if (clients && clients_are_concurrency_) return "concurrency";
  return is_count(column) ? "" : column.key(closed_loop_);
}

// "events" without a rate's unit, beside a column that says how long one took, is how many were measured.
bool PlainTableReader::is_count(const TableColumn& column) const {
  if (column.meaning == nullptr || column.meaning->unit != ColumnUnit::rate || !column.unit.empty()) return false;
  const bool plain = !column.meaning->closed_loop.empty() && !column.meaning->load.empty();
  return !plain && std::any_of(columns_.begin(), columns_.end(), [](const TableColumn& other) {
    return other.is_measured_mean() && other.unit_si.has_value();
  });
}

const TableColumn* PlainTableReader::owner_of_spread(std::size_t index) const {
  for (std::size_t i = index; i > 0; --i)
    if (columns_[i - 1].is_measured_mean()) return &columns_[i - 1];
  const auto first =
      std::find_if(columns_.begin(), columns_.end(), [](const TableColumn& one) { return one.is_measured_mean(); });
  return first == columns_.end() ? nullptr : &*first;
}

void PlainTableReader::plan_column(std::size_t index) {
  TableColumn column = columns_[index];
  if (const TableColumn* owner = column.spread_alone ? owner_of_spread(index) : nullptr) {
    column.meaning = owner->meaning;
    if (column.unit.empty()) {
      column.unit = owner->unit;
      column.unit_si = owner->unit_si;
    }
  }
  const std::string key = key_of(column);
  if (key == "model" && !model_) {
    model_ = index;
  } else if (key.empty() || key == "model") {
    if (!column.name.empty()) ignored_.push_back(column.name);
  } else if (column.has_unit() && !column.unit_si) {
    const bool rate = column.meaning->unit == ColumnUnit::rate;
    fault(column.unit.empty() ? "import.missing_unit" : "import.unknown_unit",
          "The column " + shown(column.name) +
              (column.unit.empty()
                   ? " does not say its unit"
                   : " has the unit " + shown(column.unit) + ", which is none of " + (rate ? "a rate's" : "a time's")) +
              "; call it \"" + (key == "latency_mean_s" ? "latency_s" : key) + "\"" +
              (rate ? "." : ", or with ms, us or min in brackets: \"" + column.bare + " [ms]\"."));
  } else if (const UsedColumn* twice = find(key)) {
    fault("import.duplicate_column", "The columns " + shown(twice->name) + " and " + shown(column.name) +
                                         " mean the same (" + key + "); keep one of the two.");
  } else {
    used_.push_back({.index = index,
                     .name = column.name,
                     .key = key,
                     .unit_si = column.has_unit() ? *column.unit_si : 1.0,
                     .unit = column.has_unit() ? column.unit : ""});
  }
}

// A throughput of requests, or a latency, says nothing about items without the size of a request.
void PlainTableReader::need_a_result() {
  if (!faults_.empty() || closed_loop_ || find("items_per_s") != nullptr) return;
  const bool measured = find("requests_per_s") != nullptr || find("latency_mean_s") != nullptr;
  if (measured && find("batch") != nullptr) return;
  fault("import.missing_column",
        measured ? "Without a throughput in items per second, the items of a request have to be known: add a column "
                   "\"batch\" (1 where each request carries one item), or \"items_per_s\"."
                 : "Nothing here can be fitted: beside the concurrency or the batch a column \"items_per_s\", "
                   "\"requests_per_s\" or \"latency_s\" is needed.");
}

bool PlainTableReader::is_whole(const CellLine& row) {
  const std::size_t cells = row.cells.size();
  const std::size_t wanted = columns_.size();
  // A spreadsheet may write more separators than there are columns.
  if (row.fault.empty() && cells >= wanted &&
      std::all_of(row.cells.begin() + static_cast<std::ptrdiff_t>(wanted), row.cells.end(),
                  [](const ImportedCell& cell) { return cell.text.empty(); }))
    return true;
  const bool comma = cells > wanted && header_.separator == ',';
  complain(row.line, "import.torn_line",
           row.fault.empty()
               ? "The line has " + counted(cells, "cell") + " where the header has " + std::to_string(wanted) +
                     "; it is not used." +
                     (comma ? " If that is a decimal comma, write 3.5, or separate the columns by semicolons." : "")
               : "The line is not used: " + row.fault + ".");
  return false;
}

std::optional<double> PlainTableReader::figure(const ImportedLine& line, const UsedColumn& column,
                                               const ImportedCell& given) {
  const std::string& cell = given.text;
  const std::string found = "Under " + shown(column.name) + " stands " + shown(cell);
  const std::string wanted = column.unit.empty() ? "a bare number" : "a bare number, in " + column.unit + ",";
  const std::optional<double> value = imported_number(cell);
  const auto refuse = [&](const std::string& code, const std::string& text) {
    import_.leave_out(line, code, text, given.column);
    return std::nullopt;
  };
  if (!value) {
    const std::size_t after = cell.find_first_not_of("+-0123456789.eE");
    const bool begins = !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell.front())) != 0);
    if (begins && after != std::string::npos && cell[after] == ',')
      return refuse("import.decimal_comma", found + "; decimal commas are not read: write a point.");
    if (begins && after != std::string::npos)
      return refuse("import.mixed_units",
                    found + "; " + wanted + " is needed. The unit belongs into the column's name.");
    return refuse("import.not_a_number", found + "; " + wanted + " is needed.");
  }
  const double si = *value * column.unit_si;
  const bool spread = column.key.find("_sd") != std::string::npos || column.key.find("_sem") != std::string::npos;
  if (!is_measurable(si) || (si == 0.0 && !spread))
    return refuse("import.out_of_range",
                  found + "; a number " + (spread ? "of 0 or more" : "above 0") + " that can be measured is needed.");
  return si;
}

Figures PlainTableReader::figures_of(const CellLine& row) {
  Figures figures;
  explained_ = false;
  for (const UsedColumn& column : used_) {
    const ImportedCell& cell = row.cells[column.index];
    if (cell.text.empty()) continue;
    const std::optional<double> value = figure(row.line, column, cell);
    if (value) figures[column.key] = *value;
    explained_ = explained_ || !figures.contains(column.key);
  }
  return figures;
}

void PlainTableReader::take_closed(const ImportedLine& line, Figures figures) {
  const auto clients = figures.extract("clients");
  const bool measured =
      figures.contains("event_time_s") || figures.contains("module_time_s") || figures.contains("events_per_s");
  if (clients.empty() || !measured) {
    if (explained_) return;
    complain(line, "import.unusable_row",
             "This row is not used: a number of clients and a measured time or rate, both above 0, are needed.");
    return;
  }
  file_.closed_loop.push_back({.at = import_.at(line), .clients = clients.mapped(), .measured = std::move(figures)});
}

void PlainTableReader::set_load(LoadPoint& point, Figures& figures) {
  const auto take = [&](const char* key) {
    const auto found = figures.extract(key);
    return found.empty() ? std::optional<double>() : std::optional(found.mapped());
  };
  point.request_batch = take("batch");
  if (point.request_batch) point.batch_from = BatchOrigin::given;
  // A batch that is sent alone, again and again, is one request in flight.
  point.concurrency = take("concurrency");
  if (!point.concurrency && find("concurrency") == nullptr) point.concurrency = 1.0;
  const std::optional<double> items = take("items_per_s");
  const std::optional<double> requests = take("requests_per_s");
  const auto latency = figures.find("latency_mean_s");
  if (items) {
    point.items_per_s = *items;
  } else if (requests && point.request_batch) {
    point.items_per_s = *requests * *point.request_batch;
  } else if (latency != figures.end() && point.request_batch && point.concurrency) {
    point.items_per_s = *point.concurrency * *point.request_batch / latency->second;
    items_by_law_ = items_by_law_ || find("concurrency") != nullptr;
  }
  if (!point.request_batch && latency != figures.end() && point.concurrency && point.items_per_s > 0.0) {
    point.request_batch = point.items_per_s * latency->second / *point.concurrency;
    point.batch_from = BatchOrigin::littles_law;
    batches_by_law_ = true;
  }
  point.measured = std::move(figures);
}

void PlainTableReader::take_load(const CellLine& row, Figures figures) {
  LoadPoint point{.at = import_.at(row.line)};
  if (model_) point.model = row.cells[*model_].text;
  set_load(point, figures);
  const bool batch_good = !point.request_batch || (is_measurable(*point.request_batch) && *point.request_batch > 0.0);
  if (!point.concurrency || point.items_per_s <= 0.0 || !is_measurable(point.items_per_s) || !batch_good) {
    complain(row.line, "import.unusable_row",
             "This row is not used: " + std::string(find("concurrency") != nullptr ? "a concurrency" : "a batch") +
                 " and what was measured there, both above 0, are needed.");
    return;
  }
  file_.loads.push_back(std::move(point));
}

// False when the table ends here.
bool PlainTableReader::take(const ImportedLine& line) {
  const std::string_view text = trimmed(line.text, " \t");
  if (text.starts_with('#')) return true;
  CellLine row = cells_of({.number = line.number, .text = text}, header_.separator);
  row.line = line;
  if (std::any_of(row.cells.begin(), row.cells.end(),
                  [](const ImportedCell& cell) { return TableColumn(cell.text).is_key(); })) {
    const bool same = text == header_.line.text;
    complain(line, "import.repeated_header",
             same ? "The header stands here again; the rows below it are read as those above."
                  : "Another header: nothing is read from here on. Give each table a file of its own.");
    return same;
  }
  if (!is_whole(row)) return true;
  Figures figures = figures_of(row);
  if (closed_loop_)
    take_closed(line, std::move(figures));
  else
    take_load(row, std::move(figures));
  return true;
}

void PlainTableReader::note() {
  if (!ignored_.empty()) import_.note("Columns that are not read: " + named_all(ignored_) + ".");
  if (!closed_loop_ && find("concurrency") == nullptr)
    import_.note("Each batch is taken as sent alone: one request in flight.");
  if (clients_are_concurrency_)
    import_.note("Each client is taken to keep one request in flight: clients are read as concurrency.");
  if (batches_by_law_)
    import_.note("The items of a request follow from Little's law: throughput x latency / concurrency.");
  if (items_by_law_) import_.note("The throughput follows from Little's law: concurrency x batch / latency.");
  take_rates_of_loops(file_);
}

void PlainTableReader::read() {
  plan();
  for (const ImportedLine& line : lines_to_import(import_.text()))
    if (line.number > header_.line.number && !take(line)) break;
  if (file_.closed_loop.empty() && file_.loads.empty())
    import_.refuse("import.no_rows",
                   file_.left_out.empty() ? "The table has a header but no row." : "No row of the table can be used.");
  note();
}

bool recognises_plain_table(std::string_view text) {
  return table_header(beginning_of(text)).has_value();
}

void read_plain_table(Import& import) {
  std::optional<TableHeader> header = table_header(import.text());
  if (!header) import.refuse("import.no_rows", "This is no table with a header.");
  PlainTableReader(std::move(*header), import).read();
}

}  // namespace

ImportFormat plain_table() {
  return {.name = "plain table",
          .looks_like =
              "a header such as \"clients,event_time_s\", \"concurrency,items_per_s\" or "
              "\"batch,time_ms\"",
          .recognises = recognises_plain_table,
          .read = read_plain_table};
}

}  // namespace saturn
