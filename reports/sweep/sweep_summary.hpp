#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "reports/tables/text_table.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Failures of equal kind and reason together, the commonest first: "out of time at 2 points (17, 41): reason".
/// Empty where none failed.
/// @param most  groups that are written; a sentence counts the others
std::string failures_text(std::span<const SweepRow* const> rows, std::size_t width, std::size_t most = 20);

/// A time as a person says it: "8 s", "3 min 20 s", "2 h 10 min", "3 days 4 h"; "0.4 s" below a second.
/// @param seconds  >= 0; others read "an unknown time"
std::string spoken_time(double seconds);

/// One line without a newline: bar, done of all, failed, rate, what remains. Never wider than `width`; parts are left
/// out from the end where they do not fit.
std::string sweep_progress_text(const SweepProgress& progress, TextStyle style, std::size_t width = 80);

/// "120 points: 118 answered, 2 failed (2 out of time), in 14 s, 8.6 a second on 2 workers."
/// @param failures  how many failed by kind; may be empty
std::string sweep_end_text(const SweepProgress& progress, const std::map<std::string, std::uint64_t>& failures);

}  // namespace saturn
