#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace saturn {

/// What is wrong with a command line that was refused: verbs and options that there are not, each with the nearest one
/// that there is; else what the parser says.
/// @param arguments  as typed, without the program's name
std::string usage_error(const CLI::App& program, std::span<const std::string> arguments, const CLI::ParseError& error);

}  // namespace saturn
