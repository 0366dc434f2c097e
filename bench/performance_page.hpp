#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <tuple>

#include "bench/closed_loop.hpp"

namespace saturn::bench {

/// Results of one run of the benchmark, by (engine, clients, link): "saturn", "saturn-batching",
/// "saturn-batching-delay", "actors" or "bare"; "idle" or "saturated".
using Measured = std::map<std::tuple<std::string, std::uint64_t, std::string>, LoopResult>;

/// Results with one shared link, by (engine, clients, sites): "saturn", or "stock", which is saturn with
/// "flows": "simgrid".
using MeasuredShared = std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, LoopResult>;

/// Clients and sites of the benchmark with one shared link.
inline constexpr std::uint64_t shared_clients[] = {100, 1000, 10000, 100000};
inline constexpr std::uint64_t shared_sites[] = {1, 4, 16, 64};
/// Wall time after which a run with SimGrid's own network model is stopped [s].
inline constexpr double stock_limit_s = 8.0;

/// The section of the page that scripts/time-answers.sh wrote, its last; empty where there is none.
std::string answers_in_seconds(std::istream& page);

/// docs/performance.md from one run of the benchmark, as Markdown.
std::string performance_page(const Measured& measured, const MeasuredShared& shared);

}  // namespace saturn::bench
