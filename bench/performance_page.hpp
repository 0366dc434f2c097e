#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "bench/closed_loop.hpp"

namespace saturn::bench {

/// Results of one run of the benchmark, by (engine, clients, link): "saturn", "saturn-batching",
/// "saturn-batching-delay", "actors" or "bare"; "idle" or "saturated".
using Measured = std::map<std::tuple<std::string, std::uint64_t, std::string>, LoopResult>;

/// docs/performance.md from one run of the benchmark, as Markdown.
std::string performance_page(const Measured& measured);

}  // namespace saturn::bench
