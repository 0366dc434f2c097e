#include "sim/cli/report_kinds.hpp"

namespace saturn {

namespace {

/// An option's name, and whether it was given.
struct NamedOption {
  const char* name = "";
  bool given = false;
};

std::vector<std::string> given_of(const std::vector<NamedOption>& options) {
  std::vector<std::string> names;
  for (const NamedOption& option : options)
    if (option.given) names.emplace_back(option.name);
  return names;
}

}  // namespace

std::vector<std::string> given_simulation_options(const ReportOptions& options) {
  return given_of({{"--set", !options.scenario.set.empty()},
                   {"--seed", options.scenario.seed.has_value()},
                   {"--slowdown", options.slowdown.has_value()},
                   {"--loss", options.loss.has_value()},
                   {"--budget", options.budget.has_value()}});
}

std::vector<std::string> given_view_options(const ReportOptions& options) {
  return given_of({{"--metric", !options.view.metric.empty()},
                   {"--x", !options.view.x.empty()},
                   {"--y", !options.view.y.empty()},
                   {"--at", !options.view.at.empty()}});
}

}  // namespace saturn
