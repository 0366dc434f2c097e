#include "tests/figures/figure_samples.hpp"

#include <iterator>
#include <vector>

#include "reports/figures/figure.hpp"
#include "reports/figures/swept/sweep_lines.hpp"
#include "reports/figures/swept/sweep_maps.hpp"
#include "reports/sweep/heat_map.hpp"
#include "tests/figures/map_samples.hpp"
#include "tests/reports/sample_sweeps.hpp"

namespace saturn {

/// Figures of sweeps: lines over numbers and over words, samples, and words over two axes.
std::vector<Figure> sweep_samples();

std::vector<Figure> sample_figures() {
  std::vector<Figure> all = curve_samples();
  std::vector<Figure> maps = map_samples();
  all.insert(all.end(), std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end()));
  std::vector<Figure> sweeps = sweep_samples();
  all.insert(all.end(), std::make_move_iterator(sweeps.begin()), std::make_move_iterator(sweeps.end()));
  return all;
}

namespace {

const std::string words_of_care = "Zürich \"GPU\" </script><b> \\ 推理";

PointResult time_over(const SweepRow& row, double half_width) {
  const double time = 0.01 * static_cast<double>(row.number);
  return answered_with({metric_of("event_time", "s", time, half_width * time)}, {{.name = "binding", .word = "gpu"}});
}

/// Words on one axis, a few numbers on the other; every third point has failed.
SweepTable sweep_over_words() {
  return crossed_sweep({word_axis("server kind", {"gke/t4", words_of_care, "cpu"}), number_axis("jobs", "", {1, 2})},
                       [](const SweepRow& row) {
                         if (row.number % 3 == 2) return failed_with("out of time", words_of_care);
                         return time_over(row, 0.1);
                       });
}

/// No interval anywhere, values over many decades.
SweepTable sweep_without_intervals() {
  return crossed_sweep({number_axis("rtt", "s", geometric(1e-6, 10, 8))}, [](const SweepRow& row) {
    return answered_with({metric_of("event_time", "s", row.cells[0].number.value_or(0.0) * 3.0)});
  });
}

/// Five numbers of jobs at three batches: the middle point of the first two batches has failed, and all of the third.
SweepTable sweep_with_gaps() {
  return crossed_sweep({number_axis("batch", "", {1, 2, 4}), number_axis("jobs", "", linear(1, 1, 5))},
                       [](const SweepRow& row) {
                         if (row.number % 5 == 2 || row.number >= 10) return failed_with("refused", "Too many.");
                         return time_over(row, 0.1);
                       });
}

SweepTable sweep_of_one_point() {
  return crossed_sweep({number_axis("rtt", "s", {0.0}), number_axis("jobs", "", {4})},
                       [](const SweepRow& row) { return time_over(row, 0.0); });
}

Figure lines_over(const SweepTable& table, const std::string& axis) {
  return sweep_lines_figure(table, heat_grids(table, {.metric = "event_time_s", .x = axis}), {.scenario = "a sweep"});
}

Figure words_over(const SweepTable& table, const std::string& x, const std::string& y) {
  const HeatGrids grids = heat_grids(table, {.metric = "binding", .x = x, .y = y});
  return sweep_word_lines_figure(table, grids, grids.grids.front(), {.scenario = words_of_care, .seed = 42});
}

Figure scatter_over(const SweepTable& table, std::size_t column) {
  return sweep_scatter_figure(table, resolved_view(table, {.metric = "event_time_s"}), column, {.scenario = "a sweep"});
}

}  // namespace

std::vector<Figure> sweep_samples() {
  const SweepTable afternoon = afternoon_sweep();
  const SweepTable over_words = sweep_over_words();
  const SweepTable no_intervals = sweep_without_intervals();
  const SweepTable one_point = sweep_of_one_point();
  const SweepTable gaps = sweep_with_gaps();
  std::vector<Figure> figures{lines_over(afternoon, "rtt"),
                              lines_over(over_words, "server kind"),
                              lines_over(over_words, "jobs"),
                              lines_over(no_intervals, "rtt"),
                              words_over(afternoon, "rtt", "max_batch_size"),
                              words_over(over_words, "server kind", "jobs"),
                              scatter_over(afternoon, 1),
                              scatter_over(no_intervals, 0),
                              scatter_over(one_point, 0),
                              lines_over(gaps, "jobs")};
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].name = "sweep_" + std::to_string(i);
  figures.back().name = "sweep_with_gaps";
  return figures;
}

}  // namespace saturn
