#pragma once

#include <string>
#include <string_view>

#include "sim/study/typed_command.hpp"

namespace saturn {

/// What lets a shell complete verbs, options, the words that an option takes, files, and the names of shipped
/// scenarios.
/// @param shell  "bash", "zsh" or "fish"
std::string completion_script(std::string_view shell);

/// `saturn completion`.
Reply answer_completion(const TypedCommand& typed, Monitor& monitor);

}  // namespace saturn
