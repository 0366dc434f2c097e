#include "sim/cli/unconfirmed_answer.hpp"

#include "sim/cli/answer.hpp"

namespace saturn {

ExitCode give_unconfirmed(const UnconfirmedReport& report, const OutputOptions& output) {
  give({.table = [&](TextStyle style) { return unconfirmed_table(report, style); },
        .json = [&] { return unconfirmed_json(report); },
        .csv = [&] { return unconfirmed_csv(report); }},
       output);
  return ExitCode::precision_not_reached;
}

}  // namespace saturn
