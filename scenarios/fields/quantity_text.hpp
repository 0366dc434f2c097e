#pragma once

#include <span>
#include <string>
#include <string_view>

namespace saturn {

/// What a quantity measures.
enum class Dimension { duration, size, bandwidth, rate, price, energy_price, traffic_price, power, ratio };

/// A unit that users may write: one of it is multiplier·10^exponent of the base unit.
struct Unit {
  std::string_view name;
  Dimension dimension;
  double multiplier;  ///< exact in binary (but for what is per minute, hour, month or year), so that only the decimal
                      ///< text is rounded
  int exponent;
};

/// All units, the usual spellings of each dimension first.
std::span<const Unit> units();

/// "duration", "size", "bandwidth", "rate", "price", "price of electricity", "price of traffic", "power", "ratio".
std::string_view name_of(Dimension dimension);

/// The unit in which the program counts: "s", "B", "B/s", "Hz", "USD/h", "USD/kWh", "USD/GB", "W", or nothing for a
/// ratio.
std::string_view base_unit(Dimension dimension);

/// How a text was understood.
enum class QuantityReading { good, no_number, no_unit, unknown_unit, other_dimension, too_large };

struct ReadQuantity {
  QuantityReading reading = QuantityReading::no_number;
  double value = 0.0;  ///< in the base unit, finite; only when good
  std::string number;  ///< as written
  std::string unit;    ///< as written
  Dimension found{};   ///< the unit's dimension; only when other_dimension
};

/// Reads "<number> <unit>", for example "11.8 ms"; the decimal text with its unit is rounded once.
ReadQuantity read_quantity(std::string_view text, Dimension dimension);

/// Regular expression (ECMA 262) of the texts that read_quantity accepts and that are not negative.
std::string quantity_pattern(Dimension dimension);

/// A value in the base unit with the fewest digits that give it back: "0.0118 s".
std::string quantity_text(double value, Dimension dimension);

}  // namespace saturn
