#include "models/laws/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "models/statistics/quantiles.hpp"

namespace saturn {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// Box and Muller's transform; its second number is dropped, so that a sampler keeps no state beside the stream.
double standard_normal(RandomStream& stream) {
  const double radius = std::sqrt(-2.0 * std::log(stream.uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * stream.uniform());
}

/// Gamma with scale 1. Source: Marsaglia & Tsang, ACM TOMS 26 (2000) 363.
double standard_gamma(double shape, RandomStream& stream) {
  // The method needs shape >= 1; a smaller shape is reached through gamma(shape + 1)·U^(1/shape).
  if (shape < 1.0) {
    const double boost = std::pow(stream.uniform(), 1.0 / shape);
    return boost * standard_gamma(shape + 1.0, stream);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = standard_normal(stream);
    const double root = 1.0 + c * x;
    const double u = stream.uniform();
    if (root <= 0.0) continue;
    const double v = root * root * root;
    // Implied by the test below, and spares most draws its logarithms.
    if (u < 1.0 - 0.0331 * x * x * x * x) return d * v;
    if (std::log(u) < 0.5 * x * x + d * (1.0 - v + std::log(v))) return d * v;
  }
}

double mean_of(const EmpiricalTime& t) {
  double sum = 0.0;
  for (const Seconds value : t.values) sum += value.value;
  return sum / static_cast<double>(t.values.size());
}

double variance_of(const EmpiricalTime& t) {
  const double centre = mean_of(t);
  double sum = 0.0;
  for (const Seconds value : t.values) sum += (value.value - centre) * (value.value - centre);
  return sum / static_cast<double>(t.values.size());
}

double square(double x) {
  return x * x;
}

}  // namespace

Seconds mean(const TimeDistribution& time) {
  return std::visit(Overloaded{
                        [](const ConstantTime& t) { return t.value; },
                        [](const ExponentialTime& t) { return t.mean; },
                        [](const GammaTime& t) { return t.mean; },
                        [](const LognormalTime& t) { return t.mean; },
                        [](const UniformTime& t) { return t.low + (t.high - t.low) * 0.5; },
                        [](const EmpiricalTime& t) { return Seconds{mean_of(t)}; },
                    },
                    time);
}

double variance(const TimeDistribution& time) {
  return std::visit(Overloaded{
                        [](const ConstantTime&) { return 0.0; },
                        [](const ExponentialTime& t) { return square(t.mean.value); },
                        [](const GammaTime& t) { return square(t.mean.value * t.cv); },
                        [](const LognormalTime& t) { return square(t.mean.value * t.cv); },
                        [](const UniformTime& t) { return square(t.high.value - t.low.value) / 12.0; },
                        [](const EmpiricalTime& t) { return variance_of(t); },
                    },
                    time);
}

TimeDistribution scaled(TimeDistribution time, double factor) {
  std::visit(Overloaded{
                 [&](ConstantTime& t) { t.value = factor * t.value; },
                 [&](ExponentialTime& t) { t.mean = factor * t.mean; },
                 [&](GammaTime& t) { t.mean = factor * t.mean; },
                 [&](LognormalTime& t) { t.mean = factor * t.mean; },
                 [&](UniformTime& t) {
                   t.low = factor * t.low;
                   t.high = factor * t.high;
                 },
                 [&](EmpiricalTime& t) {
                   for (Seconds& value : t.values) value = factor * value;
                 },
             },
             time);
  return time;
}

bool is_constant(const TimeDistribution& time) {
  return std::visit(Overloaded{
                        [](const ConstantTime&) { return true; },
                        [](const ExponentialTime& t) { return t.mean.value == 0.0; },
                        [](const GammaTime& t) { return t.mean.value == 0.0 || t.cv == 0.0; },
                        [](const LognormalTime& t) { return t.mean.value == 0.0 || t.cv == 0.0; },
                        [](const UniformTime& t) { return t.low == t.high; },
                        [](const EmpiricalTime& t) {
                          return std::all_of(t.values.begin(), t.values.end(),
                                             [&](Seconds value) { return value == t.values.front(); });
                        },
                    },
                    time);
}

bool is_exponential(const TimeDistribution& time) {
  if (const auto* gamma = std::get_if<GammaTime>(&time)) return gamma->cv == 1.0;
  return std::holds_alternative<ExponentialTime>(time);
}

Seconds sample(const TimeDistribution& time, RandomStream& stream) {
  return std::visit(Overloaded{
                        [](const ConstantTime& t) { return t.value; },
                        [&](const ExponentialTime& t) { return t.mean * -std::log(stream.uniform()); },
                        [&](const GammaTime& t) {
                          if (t.cv == 0.0) return t.mean;
                          const double shape = 1.0 / square(t.cv);
                          return t.mean * (standard_gamma(shape, stream) / shape);
                        },
                        [&](const LognormalTime& t) {
                          const double spread = std::log1p(square(t.cv));
                          return t.mean * std::exp(std::sqrt(spread) * standard_normal(stream) - 0.5 * spread);
                        },
                        [&](const UniformTime& t) { return t.low + (t.high - t.low) * stream.uniform(); },
                        [&](const EmpiricalTime& t) {
                          const auto n = t.values.size();
                          const auto index = static_cast<std::size_t>(stream.uniform() * static_cast<double>(n));
                          return t.values[std::min(index, n - 1)];
                        },
                    },
                    time);
}

namespace {

struct LengthBiased {
  RandomStream& stream;

  Seconds operator()(const ConstantTime& t) const { return t.value; }
  Seconds operator()(const ExponentialTime& t) const { return sample(GammaTime{t.mean * 2.0, std::sqrt(0.5)}, stream); }
  Seconds operator()(const GammaTime& t) const {
    const double excess = 1.0 + t.cv * t.cv;
    return sample(GammaTime{t.mean * excess, t.cv / std::sqrt(excess)}, stream);
  }
  Seconds operator()(const LognormalTime& t) const {
    return sample(LognormalTime{t.mean * (1.0 + t.cv * t.cv), t.cv}, stream);
  }
  Seconds operator()(const UniformTime& t) const {
    const double low = t.low.value * t.low.value;
    const double high = t.high.value * t.high.value;
    return Seconds{std::sqrt(low + (high - low) * stream.uniform())};
  }
  Seconds operator()(const EmpiricalTime& t) const {
    double sum = 0.0;
    for (const Seconds value : t.values) sum += value.value;
    double left = sum * stream.uniform();
    for (const Seconds value : t.values) {
      if (left < value.value) return value;
      left -= value.value;
    }
    return t.values.back();
  }
};

}  // namespace

TimeUnderWay sample_under_way(const TimeDistribution& time, RandomStream& stream) {
  const Seconds whole = std::visit(LengthBiased{stream}, time);
  const double past = stream.uniform();
  return {whole * past, whole * (1.0 - past)};
}

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
