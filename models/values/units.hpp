#pragma once

#include <compare>

namespace saturn {

/// A number with a physical dimension. Everything inside the program is in SI units, so `value` needs no conversion;
/// the tag keeps a duration from being passed where a size is meant. Construction is explicit: `Seconds{3.0}`.
template <class Tag>
struct Quantity {
  double value = 0.0;

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) { return value += other.value, *this; }
  constexpr Quantity& operator-=(Quantity other) { return value -= other.value, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return {a.value * factor}; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return {a.value * factor}; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return {a.value / divisor}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Seconds = Quantity<struct SecondsTag>;                        ///< a duration [s]
using Bytes = Quantity<struct BytesTag>;                            ///< an amount of data [byte]
using Bandwidth = Quantity<struct BandwidthTag>;                    ///< data per time [byte/s]
using Rate = Quantity<struct RateTag>;                              ///< occurrences per time [1/s]
using UsdPerHour = Quantity<struct UsdPerHourTag>;                  ///< price of renting [USD/h]
using UsdPerKilowattHour = Quantity<struct UsdPerKilowattHourTag>;  ///< price of electricity [USD/kWh]
using UsdPerGigabyte = Quantity<struct UsdPerGigabyteTag>;          ///< price of traffic [USD/GB]
using Watts = Quantity<struct WattsTag>;                            ///< electrical power [W]

inline constexpr double seconds_per_hour = 3600.0;
inline constexpr double million = 1e6;
inline constexpr double watts_per_kilowatt = 1e3;

/// A date of the simulated clock [s]; dates differ by durations and cannot be added to each other.
struct Instant {
  double value = 0.0;

  constexpr auto operator<=>(const Instant&) const = default;
  friend constexpr Instant operator+(Instant a, Seconds d) { return {a.value + d.value}; }
  friend constexpr Seconds operator-(Instant a, Instant b) { return {a.value - b.value}; }
};

constexpr Seconds operator/(Bytes size, Bandwidth bandwidth) {
  return {size.value / bandwidth.value};
}

}  // namespace saturn
