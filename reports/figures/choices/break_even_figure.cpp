#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double winner_width = 500.0;
constexpr double winner_height = 340.0;
constexpr double letter_room = 15.0;
constexpr int winner_digits = 6;

/// The theme's categories lightened, so that a black letter reads on each, and different in grey.
constexpr std::array<const char*, 8> light_categories{"#5aa5d6", "#f2c063", "#bfe3d4", "#e88b57",
                                                      "#eac5da", "#a9d8f2", "#b8b8b8", "#f7ef9c"};

std::string letter_of(std::size_t alternative) {
  return std::string(1, static_cast<char>('A' + alternative % 26));
}

std::string lettered(const WinnerMap& map, std::size_t alternative) {
  return letter_of(alternative) + ": " + map.alternatives[alternative];
}

bool has_winner(const WinnerMap& map, const WinnerCell& cell) {
  return cell.winner && *cell.winner < map.alternatives.size();
}

std::optional<double> compared(const WinnerCell& cell, std::size_t alternative) {
  if (alternative >= cell.values.size() || !cell.values[alternative]) return std::nullopt;
  return std::isfinite(*cell.values[alternative]) ? cell.values[alternative] : std::nullopt;
}

// The least of those that did not win.
std::optional<std::size_t> second_of(const WinnerMap& map, const WinnerCell& cell) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < map.alternatives.size(); ++i) {
    if (i == *cell.winner || !compared(cell, i)) continue;
    if (!best || *compared(cell, i) < *compared(cell, *best)) best = i;
  }
  return best;
}

std::vector<double> winning_values(const WinnerMap& map) {
  std::vector<double> values;
  for (const WinnerCell& cell : map.cells) {
    if (!has_winner(map, cell)) continue;
    if (const auto value = compared(cell, *cell.winner)) values.push_back(*value);
  }
  return values;
}

/// A map of winners with its axes placed.
struct PlacedWinners {
  PlacedAxis x{};
  PlacedAxis y{};
  ShownUnit unit{};
};

// Letters of small cells would cover each other: some stand for their neighbours.
bool has_letter(const PlacedAxis& axis, std::size_t index, double room) {
  const double cell = axis.scale.pixels / static_cast<double>(axis.centres.size());
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(room / cell)));
  const double place = axis.scale.place(axis.centres[index]);
  const bool inside = place >= letter_room / 2 && place <= axis.scale.pixels - letter_room / 2;
  return inside && index % every == every / 2;
}

// The mark of the present point covers a letter.
bool under_present(const PlacedWinners& placed, std::size_t iy, std::size_t ix) {
  if (!placed.x.present || !placed.y.present) return false;
  const auto near = [](const PlacedAxis& axis, std::size_t index) {
    return std::abs(axis.scale.place(*axis.present) - axis.scale.place(axis.centres[index])) < letter_room;
  };
  return near(placed.x, ix) && near(placed.y, iy);
}

void add_winner(FigureRows& rows, const WinnerMap& map, const PlacedWinners& placed, std::size_t iy, std::size_t ix) {
  const WinnerCell& cell = map.cells[iy * map.x.size() + ix];
  const bool won = has_winner(map, cell);
  rows.add(placed_cell(placed.x, ix, placed.y, iy));
  rows.amend({{"series", std::string(won ? "cell" : "missing")}});
  if (!won) return;
  const auto shown = [&](std::size_t alternative) -> RowCell {
    const auto value = compared(cell, alternative);
    if (!value) return {};
    return rounded_to(*value * placed.unit.factor, winner_digits);
  };
  rows.amend({{"best", lettered(map, *cell.winner)},
              {"value", shown(*cell.winner)},
              {"close", std::string(cell.close ? "yes" : "no")}});
  if (const auto second = second_of(map, cell))
    rows.amend({{"second", lettered(map, *second)}, {"second_value", shown(*second)}});
  const bool here = has_letter(placed.x, ix, letter_room) && has_letter(placed.y, iy, letter_room);
  if (here && !under_present(placed, iy, ix)) rows.amend({{"letter", letter_of(*cell.winner)}});
}

FigureRows winner_rows(const WinnerMap& map, const PlacedWinners& placed) {
  std::vector<RowColumn> columns;
  for (const char* name : {"series", "cell", "x", "x_low", "x_high", "x_text", "y", "y_low", "y_high", "y_text", "best",
                           "value", "second", "second_value", "close", "letter"})
    columns.push_back({.name = name});
  FigureRows rows(std::move(columns));
  for (std::size_t iy = 0; iy < map.y.size(); ++iy) {
    for (std::size_t ix = 0; ix < map.x.size(); ++ix) add_winner(rows, map, placed, iy, ix);
  }
  if (placed.x.present && placed.y.present)
    rows.add({{"series", std::string("present")},
              {"x", *placed.x.present},
              {"x_text", placed.x.present_text},
              {"y", *placed.y.present},
              {"y_text", placed.y.present_text}});
  return rows;
}

std::vector<std::string> winner_subtitle(const WinnerMap& map, const PlacedWinners& placed, bool any_close,
                                         const FigureContext& context) {
  std::vector<std::string> lines{figure_subtitle(context.scenario, context.seed)};
  if (any_close) lines.push_back("White stroke: the next is within " + percent_text(map.close_within));
  if (placed.x.present && placed.y.present)
    lines.push_back("Diamond: the scenario as it is, " + placed.x.present_text + " and " + placed.y.present_text);
  return lines;
}

// Only those that win somewhere: an entry of the legend stands for something.
void put_winners(std::vector<SpecChange>& changes, const WinnerMap& map) {
  std::set<std::size_t> winners;
  for (const WinnerCell& cell : map.cells) {
    if (has_winner(map, cell)) winners.insert(*cell.winner);
  }
  std::vector<std::string> names;
  std::vector<std::string> colours;
  for (const std::size_t winner : winners) {
    names.push_back(lettered(map, winner));
    colours.emplace_back(light_categories.at(winner % light_categories.size()));
  }
  changes.push_back({"/layer/0/encoding/color/scale/domain", names});
  changes.push_back({"/layer/0/encoding/color/scale/range", colours});
}

void put_winner_titles(std::vector<SpecChange>& changes, const WinnerMap& map, const PlacedWinners& placed) {
  const std::string value = name_with_unit(map.value_title, placed.unit.name);
  changes.push_back({"/layer/0/encoding/color/legend/title", "least " + map.value_title});
  changes.push_back({"/layer/0/encoding/tooltip/3/title", tooltip_title(value)});
  changes.push_back({"/layer/0/encoding/tooltip/5/title", tooltip_title("its " + value)});
  for (const std::string layer : {"/layer/0", "/layer/2", "/layer/5"}) {
    changes.push_back({layer + "/encoding/tooltip/0/title", tooltip_title(placed.x.name)});
    changes.push_back({layer + "/encoding/tooltip/1/title", tooltip_title(placed.y.name)});
  }
}

// "Least event time: local GPU in 45 % of the cells, remote service in 30 %"
std::string winner_title(const WinnerMap& map) {
  std::map<std::size_t, std::size_t> won;
  for (const WinnerCell& cell : map.cells) {
    if (has_winner(map, cell)) ++won[*cell.winner];
  }
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (const auto& [winner, cells] : won) order.emplace_back(cells, winner);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (order.empty()) return "Which alternative has the least " + map.value_title;
  const auto share = [&](std::size_t cells) {
    return whole_text(100.0 * static_cast<double>(cells) / static_cast<double>(map.cells.size())) + " %";
  };
  const std::string first = "Least " + map.value_title + ": " + map.alternatives[order[0].second] + " in " +
                            share(order[0].first) + " of the cells";
  std::string title = first;
  constexpr std::size_t most_named = 3;
  for (std::size_t i = 1; i < std::min(most_named, order.size()); ++i)
    title += ", " + map.alternatives[order[i].second] + " in " + share(order[i].first);
  const auto close = static_cast<std::size_t>(std::count_if(
      map.cells.begin(), map.cells.end(), [&](const WinnerCell& cell) { return has_winner(map, cell) && cell.close; }));
  // A win by next to nothing is none that anybody should act upon.
  if (2 * close >= map.cells.size())
    title += "; in " + share(close) + " the next is as good within " + percent_text(map.close_within);
  return title;
}

}  // namespace

Figure break_even_figure(const WinnerMap& map, const FigureContext& context) {
  Figure figure{
      .name = "break_even", .title = winner_title(map), .subtitle = figure_subtitle(context.scenario, context.seed)};
  if (map.x.size() == 0 || map.y.size() == 0 || map.cells.size() != map.x.size() * map.y.size()) {
    figure.cannot = "The map has no cells.";
    return figure;
  }
  const PlacedWinners placed{.x = placed_axis(map.x, winner_width),
                             .y = placed_axis(map.y, winner_height),
                             .unit = handiest_unit(winning_values(map), map.value_unit, 4)};
  FigureRows rows = winner_rows(map, placed);
  if (rows.count("cell") == 0) {
    figure.cannot = "None of the alternatives could be compared in any cell.";
    figure.rows = rows.taken();
    return figure;
  }
  const bool any_missing = rows.count("missing") > 0;
  const bool any_close = std::any_of(map.cells.begin(), map.cells.end(),
                                     [&](const WinnerCell& cell) { return has_winner(map, cell) && cell.close; });
  figure.caption = "Each cell is one combination" + (map.method.empty() ? "" : ", " + map.method) +
                   ": its letter and colour say which alternative has the least " + map.value_title + "." +
                   (any_missing ? " In grey cells with a stroke nothing could be compared." : "") +
                   (map.note.empty() ? "" : " " + map.note);
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", winner_subtitle(map, placed, any_close, context)}};
  put_axis(changes, "/encoding/x", placed.x);
  put_axis(changes, "/encoding/y", placed.y);
  put_winners(changes, map);
  put_winner_titles(changes, map, placed);
  if (rows.count("present") == 0) changes.push_back({"/layer/5", {}});
  if (!any_missing) {
    changes.push_back({"/layer/3", {}});
    changes.push_back({"/layer/2", {}});
  }
  if (!any_close) changes.push_back({"/layer/1", {}});
  figure.spec = filled_spec("break_even", changes);
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
