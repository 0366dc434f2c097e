#pragma once

#include <string>

namespace CLI {

class App;
class Option;

}  // namespace CLI

namespace saturn {

/// Makes an option a former name: understood for one version, and left out of the help.
/// @param now  what takes its place, for the note: "--workers (or -j)"
void make_former_name(CLI::Option& option, const std::string& now);

/// Says on stderr which options of the chosen verb were given by a former name; nothing with --quiet.
void say_former_names(const CLI::App& program);

}  // namespace saturn
