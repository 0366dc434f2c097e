#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/fit/closed_loop_fit.hpp"

namespace saturn {

namespace {

constexpr int most_rounds = 30;
constexpr std::size_t cuts_a_pass = 64;

double own_of(const ClosedLoopRow& row) {
  return row.own_s.value_or(0.0);
}

void evaluate(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, SaturationSolution& solution) {
  solution.chi2 = 0.0;
  solution.fitted.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    solution.fitted[i] = std::max(own_of(rows[i]) + solution.base, rows[i].clients * solution.demand);
    const double away = (rows[i].event_time_s - solution.fitted[i]) / errors[i];
    solution.chi2 += away * away;
  }
}

/// Each parameter from its own rows.
void solve_parted(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors,
                  SaturationSolution& solution) {
  double weight = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  double products = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double w = 1.0 / (errors[i] * errors[i]);
    if (solution.above[i]) {
      squares += w * rows[i].clients * rows[i].clients;
      products += w * rows[i].clients * rows[i].event_time_s;
    } else {
      weight += w;
      sum += w * (rows[i].event_time_s - own_of(rows[i]));
    }
  }
  if (weight > 0.0) solution.base = sum / weight;
  if (squares > 0.0) solution.demand = products / squares;
}

/// Parts, solves, parts again until nothing changes.
void settle(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, SaturationSolution& solution) {
  for (int round = 0; round < most_rounds; ++round) {
    solve_parted(rows, errors, solution);
    std::vector<bool> above(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      above[i] = rows[i].clients * solution.demand > own_of(rows[i]) + solution.base;
    const auto count = std::count(above.begin(), above.end(), true);
    if (above == solution.above || count == 0 || count == static_cast<std::ptrdiff_t>(rows.size())) break;
    solution.above = std::move(above);
  }
  evaluate(rows, errors, solution);
}

double golden_minimum(double low, double high, const auto& cost) {
  constexpr double ratio = 0.618033988749895;
  double a = high - ratio * (high - low);
  double b = low + ratio * (high - low);
  double cost_a = cost(a);
  double cost_b = cost(b);
  for (int i = 0; i < 40; ++i) {
    if (cost_a < cost_b) {
      high = b;
      b = a;
      cost_b = cost_a;
      a = high - ratio * (high - low);
      cost_a = cost(a);
    } else {
      low = a;
      a = b;
      cost_a = cost_b;
      b = low + ratio * (high - low);
      cost_b = cost(b);
    }
  }
  return std::min(cost_a, cost_b);
}

/// The least cost over [low, high] of a function that may have several minima: a grid, then golden sections about its
/// best point.
double least_cost(double low, double high, const auto& cost) {
  constexpr int cells = 24;
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= cells; ++i) {
    const double now = cost(low + (high - low) * i / cells);
    if (now < least) {
      least = now;
      best = i;
    }
  }
  const double step = (high - low) / cells;
  return golden_minimum(low + step * std::max(0, best - 1), low + step * std::min(cells, best + 1), cost);
}

double chi2_at(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, double base, double demand) {
  double chi2 = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double fitted = std::max(own_of(rows[i]) + base, rows[i].clients * demand);
    const double away = (rows[i].event_time_s - fitted) / errors[i];
    chi2 += away * away;
  }
  return chi2;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
};

template <class Value>
Range range_of(std::span<const ClosedLoopRow> rows, const Value& value) {
  Range range;
  for (const ClosedLoopRow& row : rows) {
    range.low = std::min(range.low, value(row));
    range.high = std::max(range.high, value(row));
  }
  return range;
}

double base_of(const ClosedLoopRow& row) {
  return row.event_time_s - own_of(row);
}
double demand_of(const ClosedLoopRow& row) {
  return row.event_time_s / row.clients;
}

}  // namespace

SaturationSolution solve_saturation(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors,
                                    Parting parting) {
  SaturationSolution best{.above = std::vector<bool>(rows.size(), parting == Parting::all_above)};
  if (parting != Parting::both) {
    solve_parted(rows, errors, best);
    if (parting == Parting::none_above) best.demand = 0.0;
    if (parting == Parting::all_above) best.base = -std::numeric_limits<double>::infinity();
    evaluate(rows, errors, best);
    return best;
  }
  best.chi2 = std::numeric_limits<double>::infinity();
  std::vector<double> cuts;
  for (const ClosedLoopRow& row : rows) cuts.push_back(row.clients);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  // All cuts where they are few; else so many at equal distances, then as many about the best of these, and so on, so
  // that the work is in proportion to the rows and not to their square.
  std::size_t from = 1;
  std::size_t to = cuts.size();
  for (std::size_t step = to; step > 1;) {
    step = (to - from + cuts_a_pass - 1) / cuts_a_pass;
    std::size_t best_cut = from;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t cut = from; cut < to; cut += step) {
      SaturationSolution one{.above = std::vector<bool>(rows.size())};
      for (std::size_t i = 0; i < rows.size(); ++i) one.above[i] = rows[i].clients >= cuts[cut];
      settle(rows, errors, one);
      if (one.chi2 < least) {
        least = one.chi2;
        best_cut = cut;
      }
      if (one.chi2 < best.chi2) best = std::move(one);
    }
    from = best_cut > step ? best_cut - step : 1;
    to = std::min(cuts.size(), best_cut + step + 1);
  }
  return best;
}

double chi2_with_demand(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, double demand) {
  const Range range = range_of(rows, base_of);
  return least_cost(range.low, range.high, [&](double base) { return chi2_at(rows, errors, base, demand); });
}

double chi2_with_base(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, double base) {
  const Range range = range_of(rows, demand_of);
  return least_cost(range.low, range.high, [&](double demand) { return chi2_at(rows, errors, base, demand); });
}

double chi2_with_knee(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, double knee,
                      double own_s) {
  const Range range = range_of(rows, base_of);
  return least_cost(range.low, range.high,
                    [&](double base) { return chi2_at(rows, errors, base, (own_s + base) / knee); });
}

}  // namespace saturn
