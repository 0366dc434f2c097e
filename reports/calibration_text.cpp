#include <algorithm>
#include <cmath>

#include "models/parameter_draws.hpp"
#include "reports/calibration_report.hpp"
#include "reports/number_text.hpp"
#include "reports/shown_unit.hpp"
#include "reports/text_plot.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

// More residuals than this are no longer read; the largest of them are.
constexpr std::size_t most_residuals = 24;
constexpr double confidence = 0.95;

Estimate interval_of(const FittedParameters& parameters, std::size_t index) {
  const ParameterInterval found = interval(parameters, index, confidence);
  return {.mean = parameters.values[index], .low = found.low, .high = found.high, .confidence = confidence};
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Sizes are whole numbers, or mean sizes of batches.
std::string size_text(double size) {
  return size == std::round(size) ? whole_text(size) : number_text(size);
}

std::string files_text(const CalibrationReport& report, TextStyle style) {
  TextTable table({{"file", Align::left}, {"format", Align::left}, {"holds", Align::left}});
  for (const FileFacts& file : report.files) table.add_row({file.path, file.format, file.holds});
  std::string text = heading("Read", style) + table.text(style);
  for (const FileFacts& file : report.files) {
    for (const std::string& note : file.notes) text += notes_text({{file.path, note}});
    if (!file.left_out.empty()) text += "  not used of " + file.path + ":\n";
    for (const std::string& complaint : file.left_out) text += "    " + complaint + "\n";
  }
  if (!report.left_out.empty()) text += "  read, but without use:\n";
  for (const std::string& complaint : report.left_out) text += "    " + complaint + "\n";
  return text;
}

std::string parameters_text(const FitFacts& facts, TextStyle style) {
  const FittedParameters& parameters = facts.fit.parameters;
  TextTable table({{"parameter", Align::left},
                   {"value", Align::right},
                   {"from", Align::right},
                   {"to (95 %)", Align::right},
                   {"standard error", Align::right},
                   {"unit", Align::left}});
  for (std::size_t i = 0; i < parameters.values.size(); ++i) {
    const Estimate value = interval_of(parameters, i);
    const ShownUnit unit = shown_unit(value.mean, facts.units[i]);
    table.add_row({parameters.names[i], number_text(value.mean * unit.factor), number_text(value.low * unit.factor, 3),
                   number_text(value.high * unit.factor, 3),
                   number_text(standard_error(parameters, i) * unit.factor, 2), unit.name});
  }
  return table.text(style);
}

std::string quality_text(const Fit& fit) {
  std::string text;
  const std::string points = std::to_string(fit.used) + (fit.used == 1 ? " point" : " points");
  if (fit.errors_known) {
    text += points + "; chi² " + number_text(fit.chi2, 3) + " for " + number_text(fit.degrees_of_freedom, 3) +
            " degrees of freedom";
  } else {
    text += points + " without errors of their own: their scatter about the law gives the errors, with " +
            number_text(fit.degrees_of_freedom, 3) + " degrees of freedom";
  }
  if (fit.test) {
    const bool simple = fit.law != fit.test->richer;
    text += ". F-test of " + fit.test->simpler + " against " + fit.test->richer +
            ": F = " + number_text(fit.test->f, 3) + ", p = " + number_text(fit.test->p, 2) + ", so the data " +
            (simple ? "support the " + fit.test->simpler + " law" : "ask for the " + fit.test->richer + " law");
  }
  return text;
}

std::vector<const FitResidual*> shown_residuals(const Fit& fit) {
  std::vector<const FitResidual*> shown;
  for (const FitResidual& residual : fit.residuals) shown.push_back(&residual);
  if (shown.size() <= most_residuals) return shown;
  std::stable_sort(shown.begin(), shown.end(), [](const FitResidual* a, const FitResidual* b) {
    return std::abs(a->standardised) > std::abs(b->standardised);
  });
  shown.resize(most_residuals);
  return shown;
}

std::string residuals_text(const FitFacts& facts, TextStyle style) {
  const std::vector<const FitResidual*> shown = shown_residuals(facts.fit);
  if (shown.empty()) return "";
  double largest = 0.0;
  for (const FitResidual* residual : shown) largest = std::max(largest, std::abs(residual->point.y));
  const ShownUnit unit = shown_unit(largest, facts.y_unit);
  const bool with_x = !facts.x_title.empty();
  std::vector<TextTable::Column> columns{{"from", Align::left}};
  if (with_x) columns.push_back({facts.x_title, Align::right});
  columns.push_back({facts.y_title + " [" + unit.name + "]", Align::right});
  columns.push_back({"fit", Align::right});
  columns.push_back({"residual", Align::right});
  columns.push_back({"in errors", Align::right});
  columns.push_back({"", Align::left});
  TextTable table(std::move(columns));
  for (const FitResidual* residual : shown) {
    std::vector<std::string> cells{residual->point.label};
    if (with_x) cells.push_back(size_text(residual->point.x));
    cells.push_back(number_text(residual->point.y * unit.factor));
    cells.push_back(number_text(residual->fitted * unit.factor));
    cells.push_back(number_text((residual->point.y - residual->fitted) * unit.factor, 2));
    cells.push_back(fixed_text(residual->standardised, 1));
    cells.emplace_back(residual->outlier ? "OUTLIER, left out" : "");
    table.add_row(std::move(cells));
  }
  std::string text = table.text(style);
  if (shown.size() < facts.fit.residuals.size())
    text += "  the largest " + std::to_string(shown.size()) + " of " + std::to_string(facts.fit.residuals.size()) +
            " residuals; --format csv prints all\n";
  return text;
}

/// What a plot shows: points over x, or, where all have the same x, over their order.
struct PlotPoints {
  PlotSeries used{.mark = 'o'};
  PlotSeries left_out{.mark = 'x'};
  PlotSeries residuals{.mark = 'o'};
  PlotSeries law{.mark = '.'};
  std::string x_title{};
};

// Repetitions of one setting whose size follows from Little's law differ a little.
bool one_size(const Fit& fit) {
  return !fit.residuals.empty() && fit.x_high <= 1.1 * fit.x_low;
}

PlotPoints plot_points(const FitFacts& facts) {
  PlotPoints points{.x_title = facts.x_title};
  const bool by_order = one_size(facts.fit);
  if (by_order) points.x_title = "measurement, in the order of the file";
  double order = 0.0;
  for (const FitResidual& residual : facts.fit.residuals) {
    const double x = by_order ? ++order : residual.point.x;
    (residual.outlier ? points.left_out : points.used).points.emplace_back(x, residual.point.y);
    if (!residual.outlier) points.residuals.points.emplace_back(x, residual.standardised);
    if (by_order) points.law.points.emplace_back(x, residual.fitted);
  }
  for (const auto& point : facts.measured) points.used.points.push_back(point);
  if (!by_order) points.law.points = facts.curve;
  return points;
}

std::string residual_plot(const PlotPoints& points, bool log_x) {
  if (points.residuals.points.empty()) return "";
  double widest = 2.5;
  for (const auto& [x, value] : points.residuals.points) widest = std::max(widest, std::abs(value));
  return plot_text({.x_title = points.x_title,
                    .y_title = "residual in standard errors",
                    .log_x = log_x,
                    .series = {points.residuals},
                    .lowest_y = -widest,
                    .highest_y = widest,
                    .lines = {0.0},
                    .height = 7});
}

/// Points, law and, below, residuals in standard errors.
std::string fit_plot(const FitFacts& facts) {
  if (facts.x_title.empty()) return "";
  PlotPoints points = plot_points(facts);
  std::vector<double> x;
  std::vector<double> y;
  for (const PlotSeries* series : {&points.used, &points.left_out}) {
    for (const auto& [at, value] : series->points) {
      x.push_back(at);
      y.push_back(value);
    }
  }
  if (y.empty()) return "";
  const ShownUnit unit = shown_unit(*std::max_element(y.begin(), y.end()), facts.y_unit);
  for (PlotSeries* series : {&points.used, &points.left_out, &points.law})
    for (auto& point : series->points) point.second *= unit.factor;
  const bool log_x = !one_size(facts.fit) && better_logarithmic(x);
  return plot_text({.x_title = points.x_title,
                    .y_title = facts.y_title + (unit.name.empty() ? "" : " [" + unit.name + "]") +
                               ": o measured, . fit" + (points.left_out.points.empty() ? "" : ", x outlier"),
                    .log_x = log_x,
                    .log_y = better_logarithmic(y),
                    .series = {points.law, points.left_out, points.used}}) +
         residual_plot(points, log_x);
}

std::string fit_text(const FitFacts& facts, TextStyle style) {
  std::string title = facts.about + ": " + facts.fit.law;
  if (facts.sources.size() == 1) title += ", from " + facts.sources.front();
  std::string text = "\n" + heading(title, style);
  if (facts.sources.size() > 1) text += notes_text({{"from", listed(facts.sources)}});
  text += parameters_text(facts, style) + notes_text({{"fit", quality_text(facts.fit)}});
  if (facts.kind == "service law")
    text += notes_text({{"valid", facts.fit.x_low == facts.fit.x_high
                                      ? "for batches of " + size_text(facts.fit.x_low) +
                                            " items alone: nothing is known of other sizes"
                                      : "for batches of " + size_text(facts.fit.x_low) + " to " +
                                            size_text(facts.fit.x_high) + " items; beyond, it is extrapolated"}});
  for (const std::string& note : facts.fit.notes) text += notes_text({{"note", note}});
  for (const std::string& note : facts.notes) text += notes_text({{"note", note}});
  text += residuals_text(facts, style);
  const std::string plot = fit_plot(facts);
  return text + (plot.empty() ? "" : "\n" + plot);
}

bool is_short(const FitFacts& facts) {
  return facts.x_title.empty() && facts.fit.residuals.empty();
}

/// Fits that are a number or a distribution each, a line each.
std::string numbers_table(const CalibrationReport& report, TextStyle style) {
  TextTable table({{"name", Align::left},
                   {"law", Align::left},
                   {"points", Align::right},
                   {"mean", Align::right},
                   {"unit", Align::left},
                   {"cv", Align::right}});
  bool any = false;
  std::string notes;
  for (const FitFacts& facts : report.fits) {
    if (!is_short(facts)) continue;
    any = true;
    const ShownUnit unit = shown_unit(facts.fit.parameters.values.at(0), facts.units.at(0));
    const bool with_cv = facts.fit.parameters.values.size() > 1;
    table.add_row({facts.name, facts.fit.law, std::to_string(facts.fit.used),
                   estimate_text(interval_of(facts.fit.parameters, 0), unit.factor), unit.name,
                   with_cv ? estimate_text(interval_of(facts.fit.parameters, 1)) : "–"});
    for (const std::string& note : facts.fit.notes) notes += notes_text({{facts.name, note}});
    for (const std::string& note : facts.notes) notes += notes_text({{facts.name, note}});
  }
  if (!any) return "";
  return "\n" + heading("Times and rates (95 % intervals)", style) + table.text(style) + notes;
}

std::string comparisons_text(const CalibrationReport& report, TextStyle style) {
  std::string text;
  for (const SourceComparison& one : report.comparisons) {
    text += "\n" + heading((one.contradict ? "CONTRADICTION: " : "Two sources agree: ") + one.quantity, style);
    TextTable table({{"source", Align::left}, {"value", Align::right}});
    table.add_row({one.first, estimate_text(one.first_value)});
    table.add_row({one.second, estimate_text(one.second_value)});
    text += table.text(style);
    text += "  the second is " + number_text(one.factor.mean, 3) +
            " times the first (95 %: " + number_text(one.factor.low, 3) + " to " + number_text(one.factor.high, 3) +
            "; p = " + number_text(one.p, 2) + " for a difference by chance)\n";
  }
  return text;
}

std::string knees_text(const CalibrationReport& report, TextStyle style) {
  if (report.knees.empty()) return "";
  TextTable table({{"source", Align::left},
                   {"device time an event [s]", Align::right},
                   {"95 %", Align::left},
                   {"jobs at saturation", Align::right},
                   {"95 %", Align::left},
                   {"decided by", Align::left}});
  const auto range = [](const Estimate& value, int digits) {
    return number_text(value.low, digits) + " to " + number_text(value.high, digits);
  };
  for (const SourceKnee& knee : report.knees)
    table.add_row({knee.source, number_text(knee.device_time_s.mean, 3), range(knee.device_time_s, 3),
                   whole_text(knee.jobs.mean), whole_text(knee.jobs.low) + " to " + whole_text(knee.jobs.high),
                   knee.decided_by});
  std::string text = "\n" + heading("What follows for " + report.scenario, style) + table.text(style);
  for (std::size_t i = 1; i < report.knees.size(); ++i) {
    const SourceKnee& first = report.knees.front();
    const SourceKnee& other = report.knees[i];
    const auto outside = [](const Estimate& value, const Estimate& of) {
      return value.mean < of.low || value.mean > of.high;
    };
    const double factor = first.device_time_s.mean / other.device_time_s.mean;
    const bool apart = outside(first.jobs, other.jobs) || outside(other.jobs, first.jobs);
    text += "  " + std::string(apart ? "CONTRADICTION: " : "") + first.source + " and " + other.source +
            " differ by a factor of " + number_text(std::max(factor, 1.0 / factor), 3) + " in the time of a device";
    if (outside(other.jobs, first.jobs))
      text += "; the interval of " + first.source + " excludes the " + whole_text(other.jobs.mean) + " jobs of " +
              other.source;
    if (outside(first.jobs, other.jobs))
      text += "; the interval of " + other.source + " excludes the " + whole_text(first.jobs.mean) + " jobs of " +
              first.source;
    text += ".\n";
  }
  return text;
}

std::string sums_text(const CalibrationReport& report) {
  std::string text;
  for (const SumOfNumbers& sum : report.sums) text += "\n" + sum.text + " = " + estimate_text(sum.total) + " s\n";
  return text;
}

}  // namespace

std::string calibration_table(const CalibrationReport& report, TextStyle style) {
  std::string text = files_text(report, style);
  for (const FitFacts& facts : report.fits)
    if (!is_short(facts)) text += fit_text(facts, style);
  return text + numbers_table(report, style) + sums_text(report) + comparisons_text(report, style) +
         knees_text(report, style);
}

}  // namespace saturn
