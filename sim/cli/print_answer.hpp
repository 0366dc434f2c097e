#pragma once

#include <functional>

#include "sim/study/monitor.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"

namespace saturn {

/// A study of a verb, its request in it.
using Study = std::function<Reply(Monitor&)>;

/// Does a study, says on stderr how it goes, prints its answer on stdout in the asked format, and writes its files and
/// those of --out.
/// @param timing  say on a terminal how long the simulations took
/// @throws InputError  out.not_writable, stdout.not_writable, and what the study throws
ExitCode print_answer(const Study& study, const OutputOptions& options, bool timing = false);

}  // namespace saturn
