#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/fields/field_text.hpp"
#include "scenarios/scenario.hpp"

/// The numbers that go into a scenario from outside: what somebody measured, fitted or believed.

namespace saturn {

/// One of them, as it stands.
struct NumericInput {
  std::string pointer{};  ///< "/models/emtrk/service/t4/per_item"
  std::string words{};    ///< "emtrk service t4 per item", with the names of what stands in lists
  Node node{};            ///< the value
  PlaceType type{};       ///< of its numbers
  /// Where in the value the numbers stand that vary together, by the indices of children: the value itself, all of a
  /// list, both ends of a range, the times of measured points, the rates of a profile.
  std::vector<std::vector<std::size_t>> numbers{};
  bool simulated = true;  ///< false: money and power alone, which no simulation depends on
};

/// Every number of a scenario that the field table calls measured or costed, in the order of the document; not zeros,
/// which no factor changes.
/// @param resolved  ReadScenario::resolved
std::vector<NumericInput> numeric_inputs(const std::string& resolved);

/// The value as people read it: "32.2 us", "55000", "12 numbers".
std::string shown_value(const NumericInput& input);

/// True for a whole number so small that one step is no small change of it.
bool is_coarse(const NumericInput& input);

/// An input with another value.
struct ScaledInput {
  Override change{};
  double factor = 1.0;  ///< by which it changed; of whole numbers not quite the one that was asked for [1]
};

/// The input times a factor, in the unit in which it stands. A whole number moves by one at least.
/// @param factor  > 0
/// @returns nothing where rounding leaves whole numbers as they are, or takes them to zero
std::optional<ScaledInput> scaled(const NumericInput& input, double factor);

}  // namespace saturn
