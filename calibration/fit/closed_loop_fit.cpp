#include "calibration/fit/closed_loop_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "calibration/fit/fit.hpp"
#include "calibration/fit/linear_squares.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

/// The errors that weight closed-loop rows.
struct RowErrors {
  std::vector<double> values{};
  bool known = false;     ///< every row brought its own
  bool relative = false;  ///< none did: they follow the law
};

namespace {

constexpr int iterations = 4;

std::string fault_of(const ClosedLoopRow& row) {
  if (!squarable(row.clients)) return significant(row.clients, 3) + " clients; allowed are numbers above 0.";
  if (!squarable(row.event_time_s))
    return "the event time " + significant(row.event_time_s, 3) + " s; allowed are numbers above 0.";
  if (row.own_s && !(*row.own_s >= 0.0 && *row.own_s < row.event_time_s))
    return "the own time " + significant(*row.own_s, 3) + " s; allowed is a part of the event time of " +
           significant(row.event_time_s, 3) + " s.";
  if (row.standard_error && !squarable(*row.standard_error))
    return "the standard error " + significant(*row.standard_error, 3) +
           " s; allowed are numbers above 0: leave it out where it is not known.";
  return "";
}

std::size_t count_of(std::span<const ClosedLoopRow> rows, const auto& has) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), has));
}

bool has_error(const ClosedLoopRow& row) {
  return row.standard_error.has_value();
}

}  // namespace

/// Refuses rows that no law can be fitted to.
/// @throws InputError  as fit_closed_loop
void demand_sound_rows(std::span<const ClosedLoopRow> rows) {
  std::vector<Complaint> complaints;
  for (const ClosedLoopRow& row : rows) {
    const std::string fault = fault_of(row);
    if (!fault.empty()) complaints.push_back(complaint_at(row.label, "calibration.bad_value", "This row has " + fault));
  }
  const std::size_t own = count_of(rows, [](const ClosedLoopRow& row) { return row.own_s.has_value(); });
  if (own != 0 && own != rows.size())
    complaints.push_back(complaint_at(rows.front().label, "calibration.bad_value",
                                      std::to_string(own) + " of " + counted(rows.size(), "row") +
                                          " have an own time outside the module; give it for all rows or for none."));
  if (!complaints.empty()) throw InputError(complaints);
  const std::size_t needed = count_of(rows, has_error) == rows.size() ? 3 : 4;
  if (rows.size() < needed)
    refuse_fit(rows.empty() ? "" : rows.front().label, "calibration.too_few_points",
               counted(rows.size(), "row") + " for the event time without load and the demand of the bottleneck; " +
                   std::to_string(needed) + " are needed" + (needed == 4 ? ", or 3 with errors" : "") +
                   ": measure more numbers of clients.");
  if (std::all_of(rows.begin(), rows.end(),
                  [&](const ClosedLoopRow& row) { return row.clients == rows.front().clients; }))
    refuse_fit(
        rows.front().label, "calibration.too_few_sizes",
        "All rows have " + significant(rows.front().clients, 3) +
            " clients; where the event time begins to grow needs different numbers of them: measure, for example, "
            "a tenth, a half, once and twice as many.");
}

/// Errors as given; missing ones by the median relative error of the others, or 1 of the event time when there are
/// none.
RowErrors errors_of(std::span<const ClosedLoopRow> rows) {
  const std::size_t given = count_of(rows, has_error);
  RowErrors errors{.known = given == rows.size(), .relative = given == 0};
  std::vector<double> relative;
  for (const ClosedLoopRow& row : rows)
    if (row.standard_error) relative.push_back(*row.standard_error / row.event_time_s);
  std::sort(relative.begin(), relative.end());
  const double usual = relative.empty() ? 1.0 : relative[relative.size() / 2];
  for (const ClosedLoopRow& row : rows) errors.values.push_back(row.standard_error.value_or(usual * row.event_time_s));
  return errors;
}

/// The law of all partings; errors relative to the law are iterated.
SaturationSolution solve_with_errors(std::span<const ClosedLoopRow> rows, RowErrors& errors) {
  SaturationSolution solution = solve_saturation(rows, errors.values, Parting::both);
  for (int i = 0; errors.relative && i < iterations; ++i) {
    errors.values = solution.fitted;
    solution = solve_saturation(rows, errors.values, Parting::both);
  }
  return solution;
}

namespace {

constexpr double parting_significance = 0.05;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Everything that the parts of one fit share.
struct Work {
  std::span<const ClosedLoopRow> rows{};
  RowErrors errors{};
  SaturationSolution law{};
  double variance = 1.0;  ///< of the errors' scale
  double freedom = 0.0;   ///< for intervals; 0: normal
  double typical_own = 0.0;
};

double quantile(const Work& work, double tail) {
  return student_or_normal_quantile_above(work.freedom, tail);
}

/// How surely a law of one parameter is too simple beside the one that was fitted.
double too_simple(const Work& work, Parting parting, std::size_t partings) {
  const double simple = solve_saturation(work.rows, work.errors.values, parting).chi2;
  const double gained = std::max(0.0, simple - work.law.chi2);
  if (work.freedom <= 0.0) return static_cast<double>(partings) * chi_squared_above(1.0, gained);
  if (work.variance <= 0.0) return gained > 0.0 ? 0.0 : 1.0;
  return static_cast<double>(partings) * fisher_f_above(1.0, work.freedom, gained / work.variance);
}

/// How far a parameter may go until chi² has grown by the quantile's square: outwards in growing steps, then by halves.
double limit_of(double start, double factor, double most_chi2, const auto& chi2_with) {
  double inside = start;
  double outside = start;
  double step = 1.0 + (factor - 1.0) * 0.01;
  for (int i = 0;; ++i) {
    outside = inside * step;
    if (chi2_with(outside) > most_chi2) break;
    if (i == 40) return factor > 1.0 ? infinite : 0.0;
    inside = outside;
    step *= step;
    step = std::clamp(step, 0.5, 2.0);
  }
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (inside + outside);
    (chi2_with(middle) > most_chi2 ? outside : inside) = middle;
  }
  return inside;
}

ParameterInterval profile(const Work& work, double value, const auto& chi2_with) {
  if (work.variance <= 0.0) return {value, value};
  const double q = quantile(work, 0.025);
  const double most = work.law.chi2 + q * q * work.variance;
  return {limit_of(value, 0.9, most, chi2_with), limit_of(value, 1.1, most, chi2_with)};
}

void add_parameter(Work& work, Fit& fit, const std::string& name, double value, ParameterInterval interval,
                   double own_error) {
  fit.parameters.names.push_back(name);
  fit.parameters.values.push_back(value);
  fit.parameters.intervals_95.push_back(interval);
  const double width = interval.high - interval.low;
  const double error = std::isfinite(width) ? width / (2.0 * quantile(work, 0.025)) : own_error;
  const std::size_t n = fit.parameters.values.size();
  // Each parameter rests on rows of its own: they are independent.
  std::vector<double> covariance(n * n, 0.0);
  for (std::size_t i = 0; i + 1 < n; ++i) covariance[i * n + i] = fit.parameters.covariance[i * (n - 1) + i];
  covariance[n * n - 1] = error * error;
  fit.parameters.covariance = covariance;
}

/// The rows that carry a parameter, and what each weighs.
struct Influence {
  std::vector<std::string> rows{};
  double weight = 0.0;
};

std::string row_name(const ClosedLoopRow& row) {
  return row.label.empty() ? "N = " + significant(row.clients, 3)
                           : row.label + " (N = " + significant(row.clients, 3) + ")";
}

Influence influence(const Work& work, bool above) {
  std::vector<std::pair<double, std::size_t>> weights;
  double total = 0.0;
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    if (work.law.above[i] != above) continue;
    const double by_clients = above ? work.rows[i].clients : 1.0;
    weights.emplace_back(std::pow(by_clients / work.errors.values[i], 2), i);
    total += weights.back().first;
  }
  std::sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) {
    return a.first > b.first || (a.first == b.first && a.second < b.second);
  });
  Influence result{.weight = total};
  // Rows below a twentieth of the weight decide nothing.
  for (const auto& [weight, i] : weights)
    if (weight > 0.05 * total / static_cast<double>(weights.size())) result.rows.push_back(row_name(work.rows[i]));
  return result;
}

bool rows_have_own(const Work& work) {
  return work.rows.front().own_s.has_value();
}

void describe(const Work& work, SaturationFit& result) {
  Fit& fit = result.fit;
  fit.law = "saturation";
  fit.used = work.rows.size();
  fit.errors_known = work.errors.known;
  fit.chi2 = work.errors.known ? work.law.chi2 : work.law.chi2 / std::max(work.variance, 1e-300);
  fit.degrees_of_freedom = static_cast<double>(work.rows.size()) - 2.0;
  fit.parameters.degrees_of_freedom = work.freedom;
  fit.x_low = infinite;
  for (std::size_t i = 0; i < work.rows.size(); ++i) {
    const ClosedLoopRow& row = work.rows[i];
    const double error = work.errors.values[i] * std::sqrt(work.variance);
    fit.residuals.push_back({.point = {row.clients, row.event_time_s, row.standard_error, row.label},
                             .fitted = work.law.fitted[i],
                             .standardised = error > 0.0 ? (row.event_time_s - work.law.fitted[i]) / error : 0.0});
    fit.x_low = std::min(fit.x_low, row.clients);
    fit.x_high = std::max(fit.x_high, row.clients);
  }
  if (rows_have_own(work))
    fit.notes.push_back("t_ideal and knee are for an own time of " + significant(work.typical_own, 3) +
                        " s outside the module.");
  if (work.errors.known && work.variance != 1.0)
    fit.notes.push_back("The rows scatter more than their errors allow: the errors are multiplied by " +
                        significant(std::sqrt(work.variance), 3) + ".");
  if (!work.errors.known)
    fit.notes.push_back(
        "The rows scatter by " + significant(100.0 * std::sqrt(work.variance), 3) +
        (work.errors.relative ? " % of the law; this stands for their error." : " % of the errors assumed for them."));
}

/// t_ideal from the rows below the knee.
void add_ideal(Work& work, SaturationFit& result) {
  const auto chi2 = [&](double base) { return chi2_with_base(work.rows, work.errors.values, base); };
  const Influence from = influence(work, false);
  const ParameterInterval interval = profile(work, work.law.base, chi2);
  add_parameter(work, result.fit, "t_ideal", work.typical_own + work.law.base,
                {work.typical_own + interval.low, work.typical_own + interval.high},
                std::sqrt(work.variance / from.weight));
  result.ideal_rows = from.rows;
}

void add_demand(Work& work, SaturationFit& result) {
  const auto chi2 = [&](double demand) { return chi2_with_demand(work.rows, work.errors.values, demand); };
  const Influence from = influence(work, true);
  add_parameter(work, result.fit, "demand", work.law.demand, profile(work, work.law.demand, chi2),
                std::sqrt(work.variance / from.weight));
  result.demand_rows = from.rows;
}

/// No row is saturated: the largest demand that the rows still allow.
void bound_demand(Work& work, SaturationFit& result) {
  work.law = solve_saturation(work.rows, work.errors.values, Parting::none_above);
  add_ideal(work, result);
  const double q = quantile(work, 0.05);
  const double most = work.law.chi2 + q * q * work.variance;
  double touching = infinite;
  for (const ClosedLoopRow& row : work.rows)
    touching = std::min(touching, (row.own_s.value_or(0.0) + work.law.base) / row.clients);
  const auto chi2 = [&](double demand) { return chi2_with_demand(work.rows, work.errors.values, demand); };
  result.demand_at_most = limit_of(touching, 1.1, most, chi2);
  result.knee_above = (work.typical_own + work.law.base) / *result.demand_at_most;
  result.fit.notes.push_back("No row is saturated: the knee lies above N = " + significant(*result.knee_above, 3) +
                             " (95 %), and the bottleneck needs at most " + significant(*result.demand_at_most, 3) +
                             " s an event. Rows with more clients would tell.");
}

/// Every row is saturated.
void bound_ideal(Work& work, SaturationFit& result) {
  work.law = solve_saturation(work.rows, work.errors.values, Parting::all_above);
  add_demand(work, result);
  const double q = quantile(work, 0.05);
  const double most = work.law.chi2 + q * q * work.variance;
  double touching = infinite;
  for (const ClosedLoopRow& row : work.rows)
    touching = std::min(touching, row.clients * work.law.demand - row.own_s.value_or(0.0));
  const auto chi2 = [&](double base) { return chi2_with_base(work.rows, work.errors.values, base); };
  result.t_ideal_at_most =
      work.typical_own + (touching > 0.0 ? limit_of(touching, 1.1, most, chi2) : std::max(0.0, touching));
  result.knee_below = *result.t_ideal_at_most / work.law.demand;
  result.fit.notes.push_back("Every row is saturated: the knee lies below N = " + significant(*result.knee_below, 3) +
                             " (95 %), and t_ideal is not known. Rows with fewer clients would tell.");
}

void add_knee(Work& work, SaturationFit& result) {
  add_ideal(work, result);
  add_demand(work, result);
  const double knee = (work.typical_own + work.law.base) / work.law.demand;
  const auto chi2 = [&](double held) { return chi2_with_knee(work.rows, work.errors.values, held, work.typical_own); };
  result.knee = knee;
  result.knee_95 = profile(work, knee, chi2);
  constexpr std::size_t most_rows_named = 4;
  result.fit.notes.push_back("t_ideal rests on " + joined(result.ideal_rows, ", ", most_rows_named) +
                             "; the demand rests on " + joined(result.demand_rows, ", ", most_rows_named) +
                             (result.demand_rows.size() == 1 ? " alone." : "."));
}

}  // namespace

SaturationFit fit_closed_loop(std::span<const ClosedLoopRow> rows, std::optional<double> typical_own_s) {
  demand_sound_rows(rows);
  if (typical_own_s && !(std::isfinite(*typical_own_s) && *typical_own_s >= 0.0))
    refuse_fit("", "calibration.bad_value",
               "The typical own time is " + significant(*typical_own_s, 3) + " s; allowed are numbers not below 0.");
  Work work{.rows = rows, .errors = errors_of(rows)};
  work.law = solve_with_errors(rows, work.errors);
  for (const ClosedLoopRow& row : rows) work.typical_own += row.own_s.value_or(0.0) / static_cast<double>(rows.size());
  if (rows.front().own_s && typical_own_s) work.typical_own = *typical_own_s;
  const double freedom = static_cast<double>(rows.size()) - 2.0;
  const bool too_small = work.errors.known && chi_squared_above(freedom, work.law.chi2) < 0.01;
  if (!work.errors.known || too_small) {
    work.freedom = freedom;
    work.variance = work.law.chi2 / freedom;
  }
  std::vector<double> clients;
  for (const ClosedLoopRow& row : rows) clients.push_back(row.clients);
  std::sort(clients.begin(), clients.end());
  const auto partings = static_cast<std::size_t>(std::unique(clients.begin(), clients.end()) - clients.begin()) - 1;
  const bool saturates = too_simple(work, Parting::none_above, partings) < parting_significance;
  const bool starts_flat = too_simple(work, Parting::all_above, partings) < parting_significance;
  SaturationFit result;
  if (saturates && starts_flat) {
    add_knee(work, result);
  } else if (starts_flat) {
    bound_demand(work, result);
  } else if (saturates) {
    bound_ideal(work, result);
  } else {
    refuse_fit(rows.front().label, "calibration.no_saturation",
               "The rows support neither a constant event time nor one in proportion to the clients, nor one after the "
               "other: measure from a few clients to several times as many.");
  }
  describe(work, result);
  return result;
}

}  // namespace saturn
