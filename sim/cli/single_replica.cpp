#include "sim/cli/single_replica.hpp"

#include "sim/engine/simulate.hpp"
#include "sim/run/replications.hpp"

namespace saturn {

std::variant<Replicated, RunFailure> replicate_one(Scenario scenario, std::uint32_t index, const RunOptions& options) {
  scenario.run.min_replications = 1;
  scenario.run.max_replications = 1;
  const Simulator one{.run =
                          [index](const Scenario& same, const Replica& first) {
                            Replica asked = first;
                            asked.index = index;
                            return simulate(same, asked);
                          },
                      .length = run_length_for};
  auto result = replicate_with(one, std::span(&scenario, 1), options).at(0);
  if (auto* failure = std::get_if<RunFailure>(&result)) {
    failure->replica = index;
    failure->command =
        options.command + " --seed " + std::to_string(failure->seed) + " --replica " + std::to_string(index);
  }
  return result;
}

}  // namespace saturn
