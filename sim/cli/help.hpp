#pragma once

#include <string>

#include "sim/cli/option_table.hpp"

namespace saturn {

/// What "saturn --help" prints: the verbs, a line each.
std::string help_of_program();

/// What "saturn VERB --help" and "saturn help VERB" print: one line, examples, then the options by their groups.
std::string help_of_verb(const VerbRow& verb);

/// The manual page as man(7) reads it.
/// @param version  of the program, for the page's foot
std::string manual_page(const std::string& version);

/// `saturn help`, `saturn man`.
Reply answer_help(const TypedCommand& typed, Monitor& monitor);
Reply answer_man(const TypedCommand& typed, Monitor& monitor);

}  // namespace saturn
