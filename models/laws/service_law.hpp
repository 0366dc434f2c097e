#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/laws/distribution.hpp"

namespace saturn {

/// The mean time of batches of one size, as it was measured.
struct BatchTimePoint {
  double items = 1.0;                      ///< > 0
  double time_s = 0.0;                     ///< T(b), > 0
  std::optional<double> standard_error{};  ///< of the time [s]; absent: not known
};

/// Two measured times that no server can have both.
struct BatchTimeFault {
  std::size_t smaller = 0;  ///< index of the point of fewer items
  std::size_t larger = 0;
  /// So many batches of the smaller size do the work of the larger one sooner; 0: the smaller batch alone takes longer
  /// than the larger one, although it could be filled up to it.
  std::size_t parts = 0;
  double factor = 1.0;  ///< T(larger) over parts·T(smaller), or T(smaller) over T(larger); > 1
};

/// Times that cannot be: T(a) > T(b) for a < b, or T(b) > m·T(a), where m is the least power of two with m·a >= b; so
/// that a law that pads batches to powers of two has no fault. A fault counts beyond three standard errors and 2 %
/// (falls) or 10 % (parts: real devices come near); where an error is not known, beyond 5 % or a fifth. Of every size
/// at most one of each kind, that of the largest factor.
/// @param points  sizes ascending, each once
/// Cost: O(n²)
std::vector<BatchTimeFault> batch_time_faults(std::span<const BatchTimePoint> points);

/// The fault in a sentence: both times, why they cannot be, and the measurement that would decide.
std::string in_words(const BatchTimeFault& fault, std::span<const BatchTimePoint> points);

/// A measured mean time of a batch.
struct MeasuredPoint {
  double items = 1.0;  ///< >= 1
  Seconds time{};      ///< T(b), alone on the device; > 0
  std::optional<Seconds>
      device{};  ///< the part of it that occupies the device, > 0, <= time; absent: all but the host part
};

/// The part of a batch's time that occupies the instance but not the device: launching, copying, framework code. Parts
/// of several instances overlap.
struct HostPart {
  Seconds per_batch{};
  Seconds per_item{};
};

/// What the numbers of a law rest on.
enum class LawBasis {
  production,  ///< rows of the load that is to be predicted
  synthetic,   ///< rows of a load generator, such as perf_analyzer, or of a loop on the device
  published,   ///< a number that somebody gives, without the rows behind it
  assumed,     ///< nobody has measured it
};

/// Time that an instance needs for a request of b items, alone on its device: T(b) = per_batch + b·per_item, each of
/// the two drawn once a batch; or the measured points, joined by straight lines. Either times a factor of mean 1 and
/// coefficient of variation `scatter` (gamma), drawn once a batch. A batch of n requests with b items together takes
/// T(b) + (n − 1)·per_request.
struct ServiceLaw {
  TimeDistribution per_batch;           ///< t0 [s]
  TimeDistribution per_item;            ///< t1 [s/item]
  Seconds per_request{};                ///< of every request but the first, a host part; never drawn
  std::vector<MeasuredPoint> points{};  ///< two or more, sizes ascending, times not descending; empty: t0 + b·t1
  double scatter = 0.0;                 ///< [1]
  HostPart host{};                      ///< of T(b), < T(b) for every b; zero when the points tell the device's part
  /// How often a batch goes to and fro between host and device: it leaves the device to others in between. >= 1
  std::uint64_t turns = 1;
  /// Sizes to which batches are filled up, ascending: T(b) is that of the smallest that holds b. Empty: none. > 0
  std::vector<double> padded_to{};
  double speed = 1.0;  ///< as a scenario gives it: the times of a law that was read are divided by it already [1]
  std::optional<LawBasis> rests_on{};
};

/// One drawn T(b), in its two parts.
struct BatchTime {
  Seconds host{};
  Seconds device{};
};

/// Items that a batch of b is executed with: the smallest size of `padded_to` that holds it; b itself above the
/// largest, and where there is no padding. @param items b > 0
double padded_items(const ServiceLaw& law, double items);

/// The law of an instance that is `speed` times as fast: every time of it, host part included, divided by the speed.
/// @param speed  > 0; 1 changes no bit
ServiceLaw at_speed(ServiceLaw law, double speed);

/// What a batch takes beyond T(b): copying in and out, one by one, of the requests that joined its first [s].
/// @param requests  in the batch, >= 1, not whole where it is a bound
inline double joining_s(const ServiceLaw& law, double requests) {
  return (requests - 1.0) * law.per_request.value;
}

/// True when a batch may occupy its instance without its device.
bool has_host_part(const ServiceLaw& law);

/// Largest batch that measured points are trusted for: twice the largest of them. Infinite for t0 + b·t1.
double largest_batch(const ServiceLaw& law);

/// Expected T(b) [s], of the batch as it is padded. Points: below the smallest, the line through the first two but at
/// least in proportion to the first; above the largest, the line through the last two.
/// @param items b > 0 (not whole when items have lengths), padded <= largest_batch()
Seconds mean(const ServiceLaw& law, double items);

/// Expected host part and device part of T(b) [s].
BatchTime mean_parts(const ServiceLaw& law, double items);

/// Variance of T(b) [s²]; the parts are drawn independently. @param items b > 0
double variance(const ServiceLaw& law, double items);

/// True when T(b) never varies for a given b.
bool is_constant(const ServiceLaw& law);

/// True when T(b) is exponential for every b: one part is exponential and the other always 0, and nothing else varies.
bool is_exponential(const ServiceLaw& law);

/// Draws one T(b) [s]. @param items b > 0, as padded_items() gives it, <= largest_batch()
BatchTime sample(const ServiceLaw& law, double items, RandomStream& stream);

/// Which batches can be formed.
enum class BatchSteps {
  any,        ///< every size from the smallest to the largest
  multiples,  ///< the multiples of the smallest, which the largest is too
};

/// Least expected time an item costs in a batch of at least `smallest` and at most `largest` items: the smallest of
/// T(b)/b, and of its parts alone [s/item], with the time of the requests that such a batch has at least. All are
/// piecewise linear in b, so that their ratios to b are least at a corner; where batches are padded, T is a staircase,
/// and the ratio is least at the last size of a step that can be formed.
/// @param request  items of the largest request, >= smallest
struct LeastItemTime {
  Seconds instance{};  ///< min T(b)/b
  Seconds device{};    ///< min (T(b) − host part)/b
  Seconds host{};      ///< min host part/b
};
LeastItemTime least_item_time(const ServiceLaw& law, double smallest, double request, double largest,
                              BatchSteps steps = BatchSteps::any);

}  // namespace saturn
