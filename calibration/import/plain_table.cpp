#include "calibration/import/plain_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

#include "calibration/import/table_plan.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

namespace {

using Figures = std::map<std::string, double>;

class PlainTableReader {
 public:
  PlainTableReader(TablePlan plan, const std::string& path, MeasuredFile& file)
      : plan_(std::move(plan)), complaints_(path, file), file_(file) {}

  void read(const std::vector<ImportedLine>& lines);

 private:
  bool take(const ImportedLine& line);
  bool is_another_header(const std::vector<TableCell>& cells) const;
  bool is_whole(const ImportedLine& line, const std::vector<TableCell>& cells);
  Figures figures_of(const ImportedLine& line, const std::vector<TableCell>& cells);
  std::optional<double> figure(const ImportedLine& line, const UsedColumn& column, const TableCell& given);
  void take_closed(const ImportedLine& line, Figures figures);
  void take_load(const ImportedLine& line, const std::vector<TableCell>& cells, Figures figures);
  void set_load(LoadPoint& point, Figures& figures);
  void check_littles_law(const LoadPoint& point);
  void note();
  void complain(const ImportedLine& line, const std::string& code, const std::string& text) {
    complaints_.leave_out(line, 1, code, text);
  }

  TablePlan plan_;
  ImportComplaints complaints_;
  MeasuredFile& file_;
  bool explained_ = false;  // a complaint about a cell of the row says already why it cannot be used
  bool batches_by_law_ = false;
  bool items_by_law_ = false;
  double worst_factor_ = 1.0;  // items that a request carries by Little's law over those given
  ImportedLine worst_line_{};
};

bool PlainTableReader::is_another_header(const std::vector<TableCell>& cells) const {
  return std::any_of(cells.begin(), cells.end(),
                     [](const TableCell& cell) { return is_table_key(table_column(cell.text).kind); });
}

bool PlainTableReader::is_whole(const ImportedLine& line, const std::vector<TableCell>& cells) {
  if (cells.size() == plan_.columns) return true;
  // A spreadsheet may write more separators than there are columns.
  if (cells.size() > plan_.columns && std::all_of(cells.begin() + static_cast<std::ptrdiff_t>(plan_.columns),
                                                  cells.end(), [](const TableCell& cell) { return cell.text.empty(); }))
    return true;
  const bool comma = cells.size() > plan_.columns && plan_.separator == ',';
  complain(line, "import.torn_line",
           "The line has " + counted_noun(cells.size(), "cell") + " where the header has " +
               std::to_string(plan_.columns) + "; it is not used." +
               (comma ? " If that is a decimal comma, write 3.5, or separate the columns by semicolons." : ""));
  return false;
}

std::optional<double> PlainTableReader::figure(const ImportedLine& line, const UsedColumn& column,
                                               const TableCell& given) {
  const std::string& cell = given.text;
  const std::string found = "Under " + shown(column.name) + " stands " + shown(cell);
  const std::string wanted = column.unit.empty() ? "a bare number" : "a bare number, in " + column.unit + ",";
  const std::optional<double> value = imported_number(cell);
  const auto refuse = [&](const std::string& code, const std::string& text) {
    complaints_.leave_out(line, given.column, code, text);
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

Figures PlainTableReader::figures_of(const ImportedLine& line, const std::vector<TableCell>& cells) {
  Figures figures;
  explained_ = false;
  for (const UsedColumn& column : plan_.used) {
    const TableCell& cell = cells[column.index];
    if (cell.text.empty()) continue;
    const std::optional<double> value = figure(line, column, cell);
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
  file_.closed_loop.push_back(
      {.at = complaints_.at(line), .clients = clients.mapped(), .measured = std::move(figures)});
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
  if (!point.concurrency && plan_.find("concurrency") == nullptr) point.concurrency = 1.0;
  const std::optional<double> items = take("items_per_s");
  const std::optional<double> requests = take("requests_per_s");
  const auto latency = figures.find("latency_mean_s");
  if (items) {
    point.items_per_s = *items;
  } else if (requests && point.request_batch) {
    point.items_per_s = *requests * *point.request_batch;
  } else if (latency != figures.end() && point.request_batch && point.concurrency) {
    point.items_per_s = *point.concurrency * *point.request_batch / latency->second;
    items_by_law_ = items_by_law_ || plan_.find("concurrency") != nullptr;
  }
  if (!point.request_batch && latency != figures.end() && point.concurrency && point.items_per_s > 0.0) {
    point.request_batch = point.items_per_s * latency->second / *point.concurrency;
    point.batch_from = BatchOrigin::littles_law;
    batches_by_law_ = true;
  }
  point.measured = std::move(figures);
}

void PlainTableReader::check_littles_law(const LoadPoint& point) {
  const auto latency = point.measured.find("latency_mean_s");
  if (latency == point.measured.end() || point.batch_from != BatchOrigin::given || !point.concurrency) return;
  const double factor = point.items_per_s * latency->second / (*point.concurrency * *point.request_batch);
  if (!(factor > 0.0) || std::abs(std::log(factor)) <= std::abs(std::log(worst_factor_))) return;
  worst_factor_ = factor;
  worst_line_.number = point.at.line;
}

void PlainTableReader::take_load(const ImportedLine& line, const std::vector<TableCell>& cells, Figures figures) {
  LoadPoint point{.at = complaints_.at(line)};
  if (plan_.model) point.model = cells[*plan_.model].text;
  set_load(point, figures);
  const bool batch_good = !point.request_batch || (is_measurable(*point.request_batch) && *point.request_batch > 0.0);
  if (!point.concurrency || point.items_per_s <= 0.0 || !is_measurable(point.items_per_s) || !batch_good) {
    complain(
        line, "import.unusable_row",
        "This row is not used: " + std::string(plan_.find("concurrency") != nullptr ? "a concurrency" : "a batch") +
            " and what was measured there, both above 0, are needed.");
    return;
  }
  check_littles_law(point);
  file_.loads.push_back(std::move(point));
}

// False when the table ends here.
bool PlainTableReader::take(const ImportedLine& line) {
  const std::string_view text = trimmed(line.text, " \t");
  if (text.empty() || text.starts_with('#')) return true;
  const std::vector<TableCell> cells = table_cells(text.substr(0, 100'000), plan_.separator);
  if (is_another_header(cells)) {
    const bool same = text == plan_.header.text;
    complain(line, "import.repeated_header",
             same ? "The header stands here again; the rows below it are read as those above."
                  : "Another header: nothing is read from here on. Give each table a file of its own.");
    return same;
  }
  if (!is_whole(line, cells)) return true;
  Figures figures = figures_of(line, cells);
  if (plan_.use == TableUse::closed_loop)
    take_closed(line, std::move(figures));
  else
    take_load(line, cells, std::move(figures));
  return true;
}

void PlainTableReader::note() {
  if (!plan_.ignored.empty()) file_.notes.push_back("Columns that are not read: " + named_all(plan_.ignored) + ".");
  if (plan_.use == TableUse::load && plan_.find("concurrency") == nullptr)
    file_.notes.emplace_back("Each batch is taken as sent alone: one request in flight.");
  if (plan_.clients_are_concurrency)
    file_.notes.emplace_back("Each client is taken to keep one request in flight: clients are read as concurrency.");
  if (batches_by_law_)
    file_.notes.emplace_back("The items of a request follow from Little's law: throughput x latency / concurrency.");
  if (items_by_law_)
    file_.notes.emplace_back("The throughput follows from Little's law: concurrency x batch / latency.");
  constexpr double tolerated = 1.25;
  if (worst_factor_ > tolerated || worst_factor_ < 1.0 / tolerated)
    file_.notes.push_back("Little's law does not hold in these rows: throughput x latency / concurrency is " +
                          significant(worst_factor_, 6) + " times the batch on line " +
                          std::to_string(worst_line_.number) + ". Is the throughput in items per second?");
}

void PlainTableReader::read(const std::vector<ImportedLine>& lines) {
  for (const ImportedLine& line : lines)
    if (line.number > plan_.header.number && !take(line)) break;
  if (file_.closed_loop.empty() && file_.loads.empty())
    complaints_.refuse("import.no_rows", file_.left_out.empty() ? "The table has a header but no row."
                                                                : "No row of the table can be used.");
  note();
}

}  // namespace

bool recognises_plain_table(std::string_view text) {
  return plan_table(lines_to_import(beginning_of(text)), "").has_value();
}

void read_plain_table(std::string_view text, const std::string& path, MeasuredFile& file) {
  const std::vector<ImportedLine> lines = lines_to_import(text);
  std::optional<TablePlan> plan = plan_table(lines, path);
  if (!plan) refuse_input(path, "import.no_rows", "This is no table with a header.");
  if (!plan->faults.empty()) throw InputError(std::move(plan->faults));
  PlainTableReader(std::move(*plan), path, file).read(lines);
}

}  // namespace saturn
