#pragma once

#include "sim/study/reply.hpp"

namespace saturn {

class TypedCommand;

/// Does what was typed: makes the verb's request of it, hands that to the verb's study, and prints the answer.
/// @throws std::logic_error  the table has an option that the verb does not look for
/// @throws                   what the study throws
ExitCode do_verb(const TypedCommand& typed);

}  // namespace saturn
