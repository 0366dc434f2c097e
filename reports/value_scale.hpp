#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace saturn {

/// Which shade, or how long a bar, a value has among others. It never falls as the value grows.
class ValueScale {
 public:
  /// What the values are drawn as. Few shades tell little of what is crowded at one end; the length of a bar tells
  /// more.
  enum class Use { shades, bars };

  /// @param values  finite; none: every value is in the middle
  ValueScale(std::span<const double> values, Use use);

  double low() const { return low_; }
  double high() const { return high_; }
  /// All values are the same, but for rounding errors.
  bool constant() const { return constant_; }
  /// All values are above 0, and the largest is more than 1,000 times the smallest; for shades, also where it is more
  /// than 10 times that and the median is nearer to the middle of a logarithmic scale than of a linear one.
  bool logarithmic() const { return logarithmic_; }

  /// Where a value lies between the lowest (0) and the highest (1); 0.5 where they are the same.
  double share(double value) const;
  /// @returns  < levels
  std::size_t level(double value, std::size_t levels) const;
  /// The smallest value of a level.
  double begin_of(std::size_t level, std::size_t levels) const;

 private:
  double linear_share(double value) const;
  double logarithmic_share(double value) const;

  double low_ = 0.0;
  double high_ = 0.0;
  bool constant_ = true;
  bool logarithmic_ = false;
};

}  // namespace saturn
