#pragma once

#include "sim/study/typed_command.hpp"

namespace saturn {

/// Does what was typed: says on stderr how the verb's study goes, prints its answer on stdout in the asked format, and
/// writes its files and those of --out.
/// @throws InputError        out.not_writable, stdout.not_writable, and what the study throws
/// @throws std::logic_error  the table has an option that the verb does not look for
ExitCode do_verb(const TypedCommand& typed);

}  // namespace saturn
