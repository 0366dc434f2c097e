#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/typed_command.hpp"

/// What a user may write after "saturn": one row a verb and one row an option. From them come what is understood and
/// refused, the help, the man page, the completion of shells, and the command that repeats an answer.

namespace saturn {

std::span<const OptionRow> option_rows();

/// In the order in which they are listed.
std::span<const VerbRow> verb_rows();

/// Those of a verb, in the order in which the repeated command spells them.
std::vector<const OptionRow*> options_of(std::string_view verb);

/// @returns nullptr where there is none
const OptionRow* find_option(std::string_view verb, std::string_view name);
const VerbRow* find_verb(std::string_view name);
std::vector<std::string> verb_names();

/// What the help calls a group: "Question".
std::string_view title_of(OptionGroup group);

/// A command line that nobody could understand. Its text says all that is wrong with it, a line each.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a user typed, without the program's name. "--help" and "--version" are as the verbs that do the same.
/// @throws UsageError  verbs, options and words that there are not, each with the nearest one that there is
TypedCommand read_typed_command(const std::vector<std::string>& arguments);

}  // namespace saturn
