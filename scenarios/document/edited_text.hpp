#pragma once

#include <optional>
#include <span>
#include <string>

#include "scenarios/scenario.hpp"

namespace saturn {

/// The text of a scenario with values changed where they stand; comments, layout and the names of files stay. A key
/// that an object lacks is added as its first one; null takes a key away.
/// @param text  JSON that was read without complaints
/// @returns nothing where a value has no place of its own, such as a new element of a list
std::optional<std::string> edited_text(std::string text, std::span<const Override> changes);

}  // namespace saturn
