#pragma once

#include <cstdint>
#include <string_view>

/// The units of a run's numbers.
namespace saturn {

enum class MeasureUnit : std::uint8_t {
  one,  ///< a count
  share,
  excess,  ///< of a ratio over 1
  seconds,
  seconds_per_event,
  per_second,
  watts,
  usd_per_hour,
  usd_per_million,
  kwh_per_million,
  joules,
};

/// How a unit ends a key, and how it is printed.
struct UnitText {
  std::string_view ending{};  ///< "_per_s"
  std::string_view symbol{};  ///< "1/s"
};

constexpr UnitText text_of(MeasureUnit unit) {
  switch (unit) {
    case MeasureUnit::one:
    case MeasureUnit::share:
      return {};
    case MeasureUnit::excess:
      return {"_less_1", ""};
    case MeasureUnit::seconds:
      return {"_s", "s"};
    case MeasureUnit::seconds_per_event:
      return {"_s_per_event", "s"};
    case MeasureUnit::per_second:
      return {"_per_s", "1/s"};
    case MeasureUnit::watts:
      return {"_w", "W"};
    case MeasureUnit::usd_per_hour:
      return {"_usd_per_h", "USD/h"};
    case MeasureUnit::usd_per_million:
      return {"_events_usd", "USD"};
    case MeasureUnit::kwh_per_million:
      return {"_events_kwh", "kWh"};
    case MeasureUnit::joules:
      return {"_j", "J"};
  }
  return {};
}

/// Whether powers have to be known.
constexpr bool is_of_power(MeasureUnit unit) {
  return unit == MeasureUnit::watts || unit == MeasureUnit::kwh_per_million || unit == MeasureUnit::joules;
}

}  // namespace saturn
