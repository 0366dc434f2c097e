#include "sim/sweep/points_csv.hpp"

#include <unordered_map>
#include <utility>

#include "models/values/text.hpp"
#include "sim/sweep/sweep_table.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

const char* name_of(PointStatus status) {
  switch (status) {
    case PointStatus::missing:
      return "missing";
    case PointStatus::answered:
      return "answered";
    case PointStatus::imprecise:
      return "imprecise";
    case PointStatus::failed:
      return "failed";
  }
  return "missing";
}

SweepTable sweep_table(const SweepPlan& plan, ReadResults results) {
  const std::string& asked = plan.header.answer;
  const std::size_t methods = asked.find(method_mark);
  SweepTable table{.title = plan.header.title,
                   .answer = asked.substr(0, asked.find(' ')),
                   .methods = methods == std::string::npos ? "" : asked.substr(methods + method_mark.size()),
                   .seed = plan.header.seed,
                   .axes = plan.header.axes,
                   .rows = {}};
  table.rows.reserve(plan.points.size());
  // Two points may ask the same, so that they share a result.
  std::unordered_map<const PointResult*, std::size_t> first_row;
  for (const PlannedPoint& point : plan.points) {
    SweepRow& row = table.rows.emplace_back();
    row.number = table.rows.size() - 1;
    row.id = point.id;
    row.cells = point.cells;
    const auto found = results.by_id.find(point.id);
    if (found == results.by_id.end()) continue;
    const auto [first, is_new] = first_row.try_emplace(&found->second, row.number);
    row.result = is_new ? std::move(found->second) : table.rows[first->second].result;
  }
  return table;
}

namespace {

struct MetricColumn {
  std::string stem{};
  std::string unit{};
  bool has_interval = false;

  std::string head(const std::string& ending) const { return SweepMetric{.stem = stem + ending, .unit = unit}.name(); }
};

// The columns that the points bring, in the order in which they do.
class ResultColumns {
 public:
  explicit ResultColumns(const SweepTable& table) {
    for (const SweepRow& row : table.rows) {
      for (const SweepMetric& metric : row.result.answer.metrics) add(metric);
      for (const SweepWord& word : row.result.answer.words) {
        if (place_of_word_.try_emplace(word.name, words_.size()).second) words_.push_back(word.name);
      }
    }
  }

  std::string heads() const {
    std::string text;
    for (const MetricColumn& column : metrics_) {
      text += ',' + csv_cell(column.head(""));
      if (column.has_interval) text += ',' + csv_cell(column.head("_low")) + ',' + csv_cell(column.head("_high"));
    }
    for (const std::string& word : words_) text += ',' + csv_cell(word);
    return text;
  }

  void add_cells(std::string& text, const PointAnswer& answer) const {
    std::vector<const SweepMetric*> metrics(metrics_.size(), nullptr);
    for (const SweepMetric& metric : answer.metrics) metrics[place_of_metric_.at(metric.name())] = &metric;
    for (std::size_t i = 0; i < metrics.size(); ++i) add_metric(text, metrics_[i], metrics[i]);

    std::vector<const std::string*> words(words_.size(), nullptr);
    for (const SweepWord& word : answer.words) words[place_of_word_.at(word.name)] = &word.word;
    for (const std::string* word : words) text += ',' + (word != nullptr ? csv_cell(*word) : "");
  }

 private:
  void add(const SweepMetric& metric) {
    const auto [place, is_new] = place_of_metric_.try_emplace(metric.name(), metrics_.size());
    if (is_new) metrics_.push_back({.stem = metric.stem, .unit = metric.unit});
    if (metric.low || metric.high) metrics_[place->second].has_interval = true;
  }

  static void add_metric(std::string& text, const MetricColumn& column, const SweepMetric* metric) {
    const auto add_bound = [&](const std::optional<double>& bound) { text += ',' + (bound ? csv_number(*bound) : ""); };
    text += ',' + (metric != nullptr ? csv_number(metric->mean) : "");
    if (!column.has_interval) return;
    add_bound(metric != nullptr ? metric->low : std::nullopt);
    add_bound(metric != nullptr ? metric->high : std::nullopt);
  }

  std::vector<MetricColumn> metrics_{};
  std::vector<std::string> words_{};
  std::unordered_map<std::string, std::size_t> place_of_metric_{};
  std::unordered_map<std::string, std::size_t> place_of_word_{};
};

bool has_answer(const PointResult& result) {
  return result.status == PointStatus::answered || result.status == PointStatus::imprecise;
}

void add_point(std::string& text, const SweepRow& row, const ResultColumns& columns) {
  text += std::to_string(row.number) + ',' + csv_cell(row.id);
  for (const AxisCell& cell : row.cells) text += ',' + (cell.number ? csv_number(*cell.number) : csv_cell(cell.text));
  const PointResult& result = row.result;
  text += std::string(",") + name_of(result.status) + ',' + csv_cell(result.failure) + ',' + csv_cell(result.reason);
  text += ',' + (has_answer(result) ? std::to_string(result.answer.replications) : "");
  columns.add_cells(text, result.answer);
  text += '\n';
}

// Calls `use` with the head, then with each row.
template <class Use>
void for_each_csv_line(const SweepTable& table, const Use& use) {
  const ResultColumns columns(table);
  std::string line = "point,id";
  for (const AxisColumn& axis : table.axes) line += ',' + csv_cell(axis.head());
  line += ",status,failure,reason,replications" + columns.heads() + '\n';
  use(line);
  for (const SweepRow& row : table.rows) {
    line.clear();
    add_point(line, row, columns);
    use(line);
  }
}

}  // namespace

std::string points_csv(const SweepTable& table) {
  std::string text;
  for_each_csv_line(table, [&](const std::string& line) { text += line; });
  return text;
}

void write_points_csv(const SweepTable& table, const std::filesystem::path& path) {
  WholeFileWriter file(path);
  for_each_csv_line(table, [&](const std::string& line) { file.write(line); });
  file.put_in_place();
}

}  // namespace saturn
