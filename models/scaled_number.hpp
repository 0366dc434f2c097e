#pragma once

#include <cmath>
#include <cstdint>

namespace saturn {

/// A number >= 0 of any size: mantissa·2^(256·exponent), the mantissa 0 or within [2^-128, 2^128). Products and sums of
/// positive numbers keep a double's relative precision where a double alone would overflow or vanish.
struct ScaledNumber {
  double mantissa = 0.0;
  std::int64_t exponent = 0;
};

inline constexpr double scaled_number_step = 0x1p256;

/// Brings the mantissa of a number >= 0 back into its range.
inline ScaledNumber normalised(double mantissa, std::int64_t exponent) {
  if (mantissa == 0.0) return {};
  while (mantissa >= 0x1p128) {
    mantissa *= 1.0 / scaled_number_step;
    ++exponent;
  }
  while (mantissa < 0x1p-128) {
    mantissa *= scaled_number_step;
    --exponent;
  }
  return {mantissa, exponent};
}

inline ScaledNumber operator*(ScaledNumber a, ScaledNumber b) {
  return normalised(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/// a/b as a double; b > 0, and the ratio must fit.
inline double ratio(ScaledNumber a, ScaledNumber b) {
  const auto shift = 256 * (a.exponent - b.exponent);
  return std::ldexp(a.mantissa / b.mantissa, static_cast<int>(shift));
}

/// A sum of products of scaled numbers.
class ScaledSum {
 public:
  /// Adds factor·a·b. @param factor  in [0, 2^64]
  void add_product(ScaledNumber a, ScaledNumber b, double factor = 1.0) {
    add(factor * (a.mantissa * b.mantissa), a.exponent + b.exponent);
  }

  ScaledNumber value() const { return normalised(mantissa_, exponent_); }

 private:
  void add(double mantissa, std::int64_t exponent) {
    if (mantissa == 0.0) return;
    if (exponent == exponent_) {
      mantissa_ += mantissa;
    } else if (mantissa_ == 0.0 || exponent > exponent_) {
      mantissa_ = mantissa + shrunk(mantissa_, exponent - exponent_);
      exponent_ = exponent;
    } else {
      mantissa_ += shrunk(mantissa, exponent_ - exponent);
    }
  }

  /// Two products of one exponent differ by at most 2^576, so that three steps down are beyond a double's precision.
  static double shrunk(double mantissa, std::int64_t steps) {
    if (steps == 1) return mantissa / scaled_number_step;
    if (steps == 2) return mantissa / scaled_number_step / scaled_number_step;
    return 0.0;
  }

  double mantissa_ = 0.0;
  std::int64_t exponent_ = 0;
};

}  // namespace saturn
