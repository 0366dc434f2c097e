#pragma once

#include "sim/study/typed_command.hpp"

namespace saturn {

/// Does what was typed, without the program's name: says on stderr how the verb's study goes and what is wrong, prints
/// its answer on stdout in the asked format, and writes its files and those of --out.
ExitCode do_command(const std::vector<std::string>& arguments);

}  // namespace saturn
