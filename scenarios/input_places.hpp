#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/numeric_inputs.hpp"

namespace saturn {

/// What stands at a place of a scenario that holds an input.
struct InputPlace {
  InputForm form = InputForm::number;
  bool simulated = true;
};

/// The place of an input by the keys of its pointer; nothing where there is none. A list of measured points is one
/// place, and so are the two ends of a range.
std::optional<InputPlace> input_place(const std::vector<std::string>& keys);

}  // namespace saturn
