#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/scenario.hpp"

/// The numbers that go into a scenario from outside: what somebody measured, fitted or believed.
namespace saturn {

/// What of a value is a number that may be larger or smaller.
enum class InputForm {
  number,   ///< a quantity, a ratio or a bare number
  whole,    ///< a whole number: it moves in steps
  numbers,  ///< a list, or the two ends of a range: all of them together
  wholes,   ///< a list of whole numbers, together
  points,   ///< measured points of a service law: their times together
  profile,  ///< points of a rate profile: their rates together
};

/// One of them, as it stands.
struct NumericInput {
  std::string pointer{};  ///< "/models/emtrk/service/t4/per_item"
  std::string words{};    ///< "emtrk service t4 per item", with the names of what stands in lists
  Node node{};            ///< the value
  InputForm form = InputForm::number;
  bool simulated = true;  ///< false: money and power alone, which no simulation depends on
};

/// Every number of a scenario that somebody measured, fitted or believed, in the order of the document: times and
/// their scatter, items, sizes, service laws, bandwidths, round trips, rates of arrivals, speeds, prices, powers. Not
/// what a planner chooses (counts of jobs and devices, sites, batching, limits of queues), not how a scenario is
/// simulated, and not zeros, which no factor changes.
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
