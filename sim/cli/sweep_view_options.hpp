#pragma once

#include <string>
#include <vector>

#include "models/sweep_table.hpp"
#include "reports/sweep_view.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/common_options.hpp"

namespace saturn {

/// What of a sweep is shown, as a user writes it.
struct SweepViewOptions {
  std::string metric{};
  std::string x{};
  std::string y{};
  std::vector<std::string> at{};  ///< "rtt=1 ms"
};

/// --metric, --x, --y and --at.
void add_sweep_view_options(const Verb& verb, SweepViewOptions& options);

/// The same as a view; values of axes are read with any unit.
/// @param complaints  gets show.bad_at, show.held_twice
SweepView view_of(const SweepViewOptions& options, std::vector<Complaint>& complaints);

/// @throws InputError  every fault of the view: show.unknown_metric, ...
void refuse_faults(const SweepTable& table, const SweepView& view);

}  // namespace saturn
