#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

}  // namespace saturn
