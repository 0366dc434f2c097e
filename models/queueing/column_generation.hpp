#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

/// Linear programmes with few rows and more columns than anybody would list.

namespace saturn {

/// What can be done in any amount >= 0.
struct Activity {
  double profit = 0.0;                                ///< of one unit
  std::vector<std::pair<std::size_t, double>> takes;  ///< of a row, by one unit; negative: it gives
  std::size_t tag = 0;                                ///< the caller's own
};

struct LinearOptimum {
  bool bounded = true;           ///< false: the profit grows without limit, and nothing else is said
  double profit = 0.0;           ///< Σ profit·amount
  std::vector<double> prices;    ///< (row) what one more unit of a row would earn, >= 0
  std::vector<Activity> chosen;  ///< those with an amount above 0
  std::vector<double> amounts;   ///< of the chosen
};

/// Maximises Σ profit·amount subject to Σ takes·amount <= limit in every row, by the revised simplex method with an
/// explicit inverse. Columns are generated: for prices of the rows `best` names the activity whose profit exceeds the
/// price of what it takes by most. Ties are broken lexicographically, so that degenerate programmes end too.
/// By weak duality any prices bound the optimum, so a caller who evaluates those prices itself depends on no rounding.
/// @param limits  (row), >= 0
/// Source: Dantzig & Wolfe, Operations Research 8 (1960) 101
/// Cost: O(rows²) a step and memory; some steps a row
LinearOptimum most_profit(const std::vector<double>& limits,
                          const std::function<Activity(const std::vector<double>& prices)>& best);

}  // namespace saturn
