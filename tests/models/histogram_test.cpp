#include "models/statistics/histogram.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace saturn;

namespace {

constexpr double widest_bin = 1.0 / 128;

/// Durations from a microsecond to ten thousand seconds, many of them twice.
std::vector<double> some_durations() {
  std::vector<double> durations;
  for (const int number : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-60, 40)))
    durations.push_back(std::pow(10.0, 0.1 * number));
  return durations;
}

bool are_equal(const LogHistogram& one, const LogHistogram& other) {
  if (one.count() != other.count() || one.sum_s() != other.sum_s() || one.max_s() != other.max_s()) return false;
  for (std::uint64_t rank = 1; rank <= one.count(); ++rank) {
    const double q = static_cast<double>(rank) / static_cast<double>(one.count());
    if (one.quantile_s(q) != other.quantile_s(q)) return false;
  }
  return true;
}

LogHistogram histogram_of(const std::vector<double>& durations) {
  LogHistogram histogram;
  for (const double duration : durations) histogram.add(duration);
  return histogram;
}

}  // namespace

TEST_CASE("a quantile is within a bin's width of the value of its rank") {
  CHECK(rc::check([] {
    std::vector<double> durations = some_durations();
    RC_PRE(!durations.empty());
    const LogHistogram histogram = histogram_of(durations);
    std::sort(durations.begin(), durations.end());
    const double q = *rc::gen::inRange(1, 101) / 100.0;
    const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(q * static_cast<double>(durations.size()))));
    const double exact = durations[rank - 1];
    RC_ASSERT(std::abs(histogram.quantile_s(q) - exact) <= widest_bin * exact);
    RC_ASSERT(histogram.max_s() == durations.back());
  }));
}

TEST_CASE("dense durations have quantiles a hundred times nearer than a bin's width, and equal ones exact quantiles") {
  // Ranks of an exponential law, two values that share a bin, and one value many times.
  constexpr int n = 1'000'000;
  LogHistogram dense;
  for (int rank = 1; rank <= n; ++rank) dense.add(-std::log1p(-(rank - 0.5) / n));
  for (const double q : {0.1, 0.5, 0.9, 0.95, 0.99}) {
    const double exact = -std::log1p(-q);
    CAPTURE(q);
    CHECK(std::abs(dense.quantile_s(q) - exact) <= 0.01 * widest_bin * exact);
  }
  const LogHistogram two = histogram_of({0.2811, 0.2800});
  CHECK(two.quantile_s(0.5) == doctest::Approx(0.2800).epsilon(1e-5));
  CHECK(two.quantile_s(1.0) == doctest::Approx(0.2811).epsilon(1e-5));
  LogHistogram equal;
  for (int i = 0; i < 1000; ++i) equal.add(0.28);
  CHECK(equal.quantile_s(0.99) == doctest::Approx(0.28).epsilon(1e-14));
}

TEST_CASE("a history gives back what a histogram held at each of its dates, to the last bit") {
  CHECK(rc::check([] {
    LogHistogram growing;
    HistogramHistory history;
    std::vector<LogHistogram> copies;
    const int dates = *rc::gen::inRange(1, 8);
    for (int date = 0; date < dates; ++date) {
      for (const double duration : some_durations()) growing.add(duration);
      history.keep(growing);
      copies.push_back(growing);
    }
    for (std::size_t date = 0; date < copies.size(); ++date) {
      RC_ASSERT(are_equal(history.at(date), copies[date]));
      RC_ASSERT(are_equal(history.at(copies.size() - 1).since(history.at(date)), growing.since(copies[date])));
    }
  }));
}

TEST_CASE("what was added since an earlier copy has the quantiles of what was added, and two sums those of both") {
  CHECK(rc::check([] {
    const std::vector<double> before = some_durations();
    const std::vector<double> after = some_durations();
    RC_PRE(!after.empty());
    LogHistogram both = histogram_of(before);
    const LogHistogram earlier = both;
    both.add(histogram_of(after));
    const LogHistogram rest = both.since(earlier);
    RC_ASSERT(rest.count() == after.size());
    const LogHistogram expected = histogram_of(after);
    for (const double q : {0.01, 0.5, 0.99})
      RC_ASSERT(std::abs(rest.quantile_s(q) - expected.quantile_s(q)) <= widest_bin * expected.quantile_s(q));
  }));
}
