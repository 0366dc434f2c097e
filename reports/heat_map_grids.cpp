#include "reports/heat_map_grids.hpp"

#include <algorithm>
#include <map>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

using Combination = std::vector<std::size_t>;

std::vector<ShownAxis> split_axes(const SweepTable& table, const ResolvedView& view) {
  std::vector<ShownAxis> axes;
  for (const std::size_t column : view.split) axes.push_back(shown_axis(table, view.rows, column));
  return axes;
}

Combination combination_of(const SweepRow& row, const ResolvedView& view, const std::vector<ShownAxis>& axes) {
  Combination combination;
  for (std::size_t i = 0; i < axes.size(); ++i) combination.push_back(axes[i].place_of(row.cells.at(view.split[i])));
  return combination;
}

std::string title_of(const Combination& combination, const std::vector<ShownAxis>& axes) {
  std::string title;
  for (std::size_t i = 0; i < axes.size(); ++i) append_part(title, axes[i].equation(combination[i]));
  return title;
}

/// The words of the rows, the commonest first, equally common ones by the alphabet.
std::vector<std::string> words_by_frequency(const ResolvedView& view) {
  std::map<std::string, std::size_t> counts;
  for (const SweepRow* row : view.rows)
    if (const std::string* word = word_at(*row, *view.metric)) ++counts[*word];
  std::vector<std::string> words;
  for (const auto& [word, count] : counts) words.push_back(word);
  std::stable_sort(words.begin(), words.end(),
                   [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
  return words;
}

HeatCell cell_of(const SweepRow& row, const ShownMetric& metric,
                 const std::unordered_map<std::string, std::size_t>& words) {
  HeatCell cell{.row = &row};
  if (row.result.status == PointStatus::missing) return cell;
  cell.kind = HeatCell::Kind::failed;
  if (row.result.status == PointStatus::failed) return cell;
  cell.kind = HeatCell::Kind::nothing;
  cell.imprecise = row.result.status == PointStatus::imprecise;
  if (const SweepMetric* number = metric_at(row, metric)) {
    cell.kind = HeatCell::Kind::number;
    cell.metric = number;
  } else if (const std::string* word = word_at(row, metric)) {
    cell.kind = HeatCell::Kind::word;
    cell.word = words.at(*word);
  }
  return cell;
}

std::uint64_t place_in(const HeatGrids& grids, std::size_t x, std::size_t y) {
  return static_cast<std::uint64_t>(y) * (grids.x ? grids.x->values.size() : 1U) + x;
}

}  // namespace

const HeatCell* HeatGrids::at(const HeatGrid& grid, std::size_t x_value, std::size_t y_value) const {
  const auto found = grid.cells.find(place_in(*this, x_value, y_value));
  return found == grid.cells.end() ? nullptr : &found->second;
}

std::vector<double> HeatGrids::numbers() const {
  std::vector<double> means;
  for (const HeatGrid& grid : grids)
    for (const auto& [place, cell] : grid.cells)
      if (cell.metric != nullptr) means.push_back(cell.metric->mean);
  return means;
}

HeatGrids heat_grids(const SweepTable& table, const SweepView& view) {
  HeatGrids result;
  result.view = resolved_view(table, view);
  const ResolvedView& resolved = result.view;
  if (!resolved.metric) return result;
  if (resolved.x) result.x = shown_axis(table, resolved.rows, *resolved.x);
  if (resolved.y) result.y = shown_axis(table, resolved.rows, *resolved.y);
  result.words = words_by_frequency(resolved);
  std::unordered_map<std::string, std::size_t> word_places;
  for (std::size_t i = 0; i < result.words.size(); ++i) word_places[result.words[i]] = i;

  const std::vector<ShownAxis> axes = split_axes(table, resolved);
  std::map<Combination, std::vector<const SweepRow*>> rows;
  for (const SweepRow* row : resolved.rows) rows[combination_of(*row, resolved, axes)].push_back(row);
  result.combinations = rows.size();
  for (const auto& [combination, members] : rows) {
    if (result.grids.size() == most_heat_maps) break;
    HeatGrid grid{.title = title_of(combination, axes)};
    for (const SweepRow* row : members) {
      const std::size_t x = result.x ? result.x->place_of(row->cells.at(*resolved.x)) : 0U;
      const std::size_t y = result.y ? result.y->place_of(row->cells.at(*resolved.y)) : 0U;
      grid.cells.emplace(place_in(result, x, y), cell_of(*row, *resolved.metric, word_places));
    }
    result.grids.push_back(std::move(grid));
  }
  return result;
}

}  // namespace saturn
