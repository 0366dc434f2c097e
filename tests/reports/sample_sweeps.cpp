#include "tests/reports/sample_sweeps.hpp"

#include <cmath>

#include "models/values/text.hpp"

namespace saturn {

SampleAxis number_axis(const std::string& name, const std::string& unit, const std::vector<double>& values) {
  SampleAxis axis{.column = {.pointer = "/sample/" + name, .name = name, .unit = unit}};
  for (const double value : values)
    axis.values.push_back({.text = csv_number(value) + (unit.empty() ? "" : " " + unit), .number = value});
  return axis;
}

SampleAxis word_axis(const std::string& name, const std::vector<std::string>& values) {
  SampleAxis axis{.column = {.pointer = "/sample/" + name, .name = name}};
  for (const std::string& value : values) axis.values.push_back({.text = value});
  return axis;
}

std::vector<double> geometric(double first, double factor, std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(first * std::pow(factor, static_cast<double>(i)));
  return values;
}

std::vector<double> linear(double first, double step, std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(first + step * static_cast<double>(i));
  return values;
}

SweepTable crossed_sweep(const std::vector<SampleAxis>& axes) {
  SweepTable table{.title = "A sample", .answer = "run", .seed = 42};
  std::size_t points = 1;
  for (const SampleAxis& axis : axes) {
    table.axes.push_back(axis.column);
    points *= axis.values.size();
  }
  for (std::size_t point = 0; point < points; ++point) {
    SweepRow row{.number = point, .id = "id" + std::to_string(point)};
    row.cells.resize(axes.size());
    std::size_t rest = point;
    for (std::size_t a = axes.size(); a-- > 0;) {
      row.cells[a] = axes[a].values[rest % axes[a].values.size()];
      rest /= axes[a].values.size();
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

SweepTable crossed_sweep(const std::vector<SampleAxis>& axes, const std::function<PointResult(const SweepRow&)>& rule) {
  SweepTable table = crossed_sweep(axes);
  for (SweepRow& row : table.rows) row.result = rule(row);
  return table;
}

PointResult answered_with(const std::vector<SweepMetric>& metrics, const std::vector<SweepWord>& words) {
  return {.status = PointStatus::answered, .answer = {.metrics = metrics, .words = words, .replications = 4}};
}

PointResult failed_with(const std::string& failure, const std::string& reason) {
  return {.status = PointStatus::failed, .failure = failure, .reason = reason};
}

SweepMetric metric_of(const std::string& stem, const std::string& unit, double mean, double half_width) {
  SweepMetric metric{.stem = stem, .unit = unit, .mean = mean};
  if (half_width > 0.0) {
    metric.low = mean - half_width;
    metric.high = mean + half_width;
  }
  return metric;
}

SweepTable afternoon_sweep() {
  const std::vector<SampleAxis> axes{number_axis("max_batch_size", "", geometric(1, 2, 11)),
                                     number_axis("rtt", "s",
                                                 {1e-4, 1.778e-4, 3.162e-4, 5.623e-4, 1e-3, 1.778e-3, 3.162e-3,
                                                  5.623e-3, 0.01, 0.01778, 0.03162, 0.05623, 0.1}),
                                     number_axis("max_queue_delay", "s", {0.0, 0.0005, 0.002})};
  SweepTable table = crossed_sweep(axes, [](const SweepRow& row) {
    const double batch = *row.cells[0].number;
    const double rtt = *row.cells[1].number;
    const double delay = *row.cells[2].number;
    if (row.number % 97 == 41) return failed_with("out of time", "The point took longer than 60 s (--point-time).");
    if (row.number % 89 == 17) return PointResult{};
    const double time = 0.02 / std::sqrt(batch) + 2 * rtt + delay + 0.00002 * batch;
    const double clients = 800.0 / (1.0 + 40 / batch) / (1.0 + 20 * rtt);
    const std::string binding = rtt > 0.02 ? "network fnal-iowa" : batch < 16 ? "gke/t4" : "gke nic";
    PointResult result = answered_with(
        {metric_of("event_time", "s", time, 0.004 * time), metric_of("streams_per_gpu", "", std::floor(clients))},
        {{.name = "binding", .word = binding}});
    if (row.number % 53 == 5) result.status = PointStatus::imprecise;
    return result;
  });
  table.title = "ProtoDUNE as a service on four T4";
  return table;
}

}  // namespace saturn
