#pragma once

#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"
#include "reports/run/run_report.hpp"

/// What a run says of calls that come late or fail, of nodes that break, come and go, and of how it all went over time.

namespace saturn {

/// The keys of the numbers of calls that any stage of the jobs has, in the order of the table of measures.
std::vector<std::string> call_keys(const JobsResults& jobs);

/// A stage's numbers under these keys, behind what the row holds; empty where it has none.
void add_calls(std::vector<Cell>& row, const StageResults& stage, const std::vector<std::string>& keys);

/// "server near out from 900 s to 1800 s"
std::string outage_text(const Outage& outage);

/// The sentences of the first screen: what became of the calls, of the nodes, and how long it took after an outage
/// until all was as before.
void say_living(Answer& answer, const RunReport& report);

/// The tables: calls by stage, nodes by server, and the run moment by moment at "over_time".
void add_living(Answer& answer, const RunReport& report);

}  // namespace saturn
