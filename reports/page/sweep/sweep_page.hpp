#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/page/report_page.hpp"
#include "reports/run/provenance.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Where a sweep's table comes from, and what of it is shown.
struct SweepSource {
  std::string folder{};                 ///< as the user named it
  std::string sweep_command{};          ///< with its folder: computes what is missing; empty: not known
  std::uint64_t torn = 0;               ///< lines of result files that did not read whole
  SweepView view{};                     ///< without faults, see faults_of()
  Provenance provenance{};              ///< of the points
  std::vector<std::string> commands{};  ///< that give the points and the report again
};

/// The report of a sweep, finished or not: what was swept and its best point, figures of the chosen metric and of the
/// most telling others over the axes, the best points, failures with their reasons. Metrics that are not drawn stay in
/// points.csv.
/// Cost: some 0.3 s for 10,000 points
ReportPage sweep_page(const SweepTable& table, const SweepSource& source);

}  // namespace saturn
