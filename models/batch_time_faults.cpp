#include "models/batch_time_faults.hpp"

#include <cmath>

#include "models/words/numbers.hpp"

namespace saturn {

namespace {

constexpr double standard_errors_apart = 3.0;

/// Factors from which on a time is too long, where the errors of both are known and where one is not.
struct Tolerance {
  double with_errors = 1.0;
  double without_errors = 1.0;
};
constexpr Tolerance of_falls{.with_errors = 1.02, .without_errors = 1.05};
// Caches that overflow and clocks that give way make a T4's doubled batch up to 9 % dearer than two.
constexpr Tolerance of_parts{.with_errors = 1.1, .without_errors = 1.2};

/// Is one time above so many of the other, beyond what their errors allow?
bool is_above(const BatchTimePoint& high, double times, const BatchTimePoint& low, const Tolerance& tolerance) {
  const double bound = times * low.time_s;
  if (!high.standard_error || !low.standard_error) return high.time_s > tolerance.without_errors * bound;
  const double error = std::hypot(*high.standard_error, times * *low.standard_error);
  return high.time_s > tolerance.with_errors * bound && high.time_s - bound > standard_errors_apart * error;
}

/// Batches of a that b items fill, rounded up to a power of two.
double power_of_two_parts(double a, double b) {
  double parts = 1.0;
  while (parts * a < b) parts *= 2.0;
  return parts;
}

std::string time_in_words(const BatchTimePoint& point) {
  return "T(" + significant(point.items, 4) + ") = " + significant(1e3 * point.time_s, 4) + " ms";
}

}  // namespace

std::vector<BatchTimeFault> batch_time_faults(std::span<const BatchTimePoint> points) {
  std::vector<BatchTimeFault> faults;
  for (std::size_t larger = 1; larger < points.size(); ++larger) {
    BatchTimeFault fall{.larger = larger};
    BatchTimeFault split{.larger = larger};
    const BatchTimePoint& b = points[larger];
    for (std::size_t smaller = 0; smaller < larger; ++smaller) {
      const BatchTimePoint& a = points[smaller];
      if (is_above(a, 1.0, b, of_falls) && a.time_s / b.time_s > fall.factor) {
        fall.smaller = smaller;
        fall.factor = a.time_s / b.time_s;
      }
      const double parts = power_of_two_parts(a.items, b.items);
      if (is_above(b, parts, a, of_parts) && b.time_s / (parts * a.time_s) > split.factor) {
        split.smaller = smaller;
        split.parts = static_cast<std::size_t>(parts);
        split.factor = b.time_s / (parts * a.time_s);
      }
    }
    if (fall.factor > 1.0) faults.push_back(fall);
    if (split.factor > 1.0) faults.push_back(split);
  }
  return faults;
}

std::string in_words(const BatchTimeFault& fault, std::span<const BatchTimePoint> points) {
  const BatchTimePoint& small = points[fault.smaller];
  const BatchTimePoint& large = points[fault.larger];
  const std::string both = significant(small.items, 4) + " and " + significant(large.items, 4);
  const std::string again =
      "Measure batches of " + both +
      " again with two requests in flight (perf_analyzer --concurrency-range 2), so that the device never idles and "
      "its clocks stay up: ";
  if (fault.parts == 0)
    return time_in_words(small) + " is above " + time_in_words(large) + " (" + significant(fault.factor, 4) +
           " times), which cannot be: the smaller batch could be filled up to the larger one. " + again +
           "batch over rate decides which of the two is wrong.";
  const std::string parts = std::to_string(fault.parts);
  return time_in_words(large) + " is " + significant(fault.factor, 4) + " times as long as " + parts + " batches of " +
         significant(small.items, 4) + ", which do the same items (" + time_in_words(small) +
         " each): batching would be worse than none. " + again +
         "if the larger batch really gives fewer items/s, max_batch_size should stay below it; else one of the two "
         "times is wrong.";
}

}  // namespace saturn
