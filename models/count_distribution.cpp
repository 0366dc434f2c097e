#include "models/count_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "models/quantiles.hpp"

namespace saturn {

namespace {

constexpr double most_poisson_mean = 1e6;
constexpr double most_geometric_mean = 1e3;
constexpr double most_lognormal_mean = 1e8;
constexpr double most_lognormal_cv = 10.0;
constexpr std::size_t lognormal_quantiles = 1000;

/// Equal counts become one entry; the weights are made to add up to 1.
std::vector<CountWeight> merged(std::vector<CountWeight> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const CountWeight& a, const CountWeight& b) { return a.count < b.count; });
  std::vector<CountWeight> table;
  double sum = 0.0;
  for (const CountWeight& entry : entries) {
    sum += entry.weight;
    if (table.empty() || table.back().count != entry.count) {
      table.push_back(entry);
    } else {
      table.back().weight += entry.weight;
    }
  }
  for (CountWeight& entry : table) entry.weight /= sum;
  return table;
}

void require(bool allowed, const char* what) {
  if (!allowed) throw std::invalid_argument(what);
}

}  // namespace

CountDistribution::CountDistribution(std::vector<CountWeight> table) : table_(merged(std::move(table))) {
  double sum = 0.0;
  for (const CountWeight& entry : table_) cumulative_.push_back(sum += entry.weight);
}

CountDistribution CountDistribution::poisson(double mean) {
  require(mean > 0.0 && mean <= most_poisson_mean, "CountDistribution: a Poisson mean outside (0, 1e6]");
  // Relative to the mode, from which neighbours follow by exact ratios; beyond this the tails no longer count.
  constexpr double least = 1e-18;
  const double mode = std::floor(mean);
  std::vector<CountWeight> entries;
  double weight = 1.0;
  for (double count = mode; weight >= least; ++count) {
    entries.push_back({static_cast<std::uint64_t>(count), weight});
    weight *= mean / (count + 1.0);
  }
  weight = 1.0;
  for (double count = mode; count >= 1.0; --count) {
    weight *= count / mean;
    if (weight < least) break;
    entries.push_back({static_cast<std::uint64_t>(count - 1.0), weight});
  }
  return CountDistribution(std::move(entries));
}

CountDistribution CountDistribution::geometric(double mean) {
  require(mean > 0.0 && mean <= most_geometric_mean, "CountDistribution: a geometric mean outside (0, 1000]");
  constexpr double least = 1e-15;
  const double ratio = mean / (1.0 + mean);
  std::vector<CountWeight> entries;
  std::uint64_t count = 0;
  for (double weight = 1.0; weight >= least; weight *= ratio) entries.push_back({count++, weight});
  return CountDistribution(std::move(entries));
}

CountDistribution CountDistribution::lognormal(double mean, double cv) {
  require(mean > 0.0 && mean <= most_lognormal_mean && cv > 0.0 && cv <= most_lognormal_cv,
          "CountDistribution: a lognormal mean outside (0, 1e8] or a cv outside (0, 10]");
  const double spread = std::log1p(cv * cv);
  const double location = std::log(mean) - 0.5 * spread;
  const double scale = std::sqrt(spread);
  std::vector<CountWeight> entries;
  for (std::size_t i = 0; i < lognormal_quantiles; ++i) {
    const double rank = (static_cast<double>(i) + 0.5) / static_cast<double>(lognormal_quantiles);
    entries.push_back({static_cast<std::uint64_t>(std::round(lognormal_quantile(location, scale, rank))), 1.0});
  }
  return CountDistribution(std::move(entries));
}

CountDistribution CountDistribution::values(const std::vector<std::uint64_t>& counts) {
  require(!counts.empty(), "CountDistribution: an empty list of values");
  std::vector<CountWeight> entries;
  entries.reserve(counts.size());
  for (const std::uint64_t count : counts) entries.push_back({count, 1.0});
  return CountDistribution(std::move(entries));
}

double CountDistribution::mean() const {
  double sum = 0.0;
  for (const CountWeight& entry : table_) sum += entry.weight * static_cast<double>(entry.count);
  return sum;
}

double CountDistribution::variance() const {
  const double centre = mean();
  double sum = 0.0;
  for (const CountWeight& entry : table_) {
    const double off = static_cast<double>(entry.count) - centre;
    sum += entry.weight * off * off;
  }
  return sum;
}

std::uint64_t CountDistribution::at(double uniform) const {
  const auto found = std::lower_bound(cumulative_.begin(), cumulative_.end(), uniform);
  // Rounding may leave the last sum just below 1.
  const auto place = std::min<std::ptrdiff_t>(found - cumulative_.begin(), std::ssize(table_) - 1);
  return table_[static_cast<std::size_t>(place)].count;
}

}  // namespace saturn
