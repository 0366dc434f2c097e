#include "scenarios/fit_draws.hpp"

#include <optional>
#include <utility>

#include "models/parameter_draws.hpp"
#include "models/random_stream.hpp"
#include "scenarios/document.hpp"

namespace saturn {

namespace {

constexpr std::uint32_t most_tries = 100;
// Streams of further tries lie behind those of any number of draws.
constexpr std::uint32_t stride = 1U << 20U;

std::vector<Override> changes_of(const UsedFit& fit, const std::vector<double>& parameters) {
  std::vector<Override> changes;
  const std::string value = value_with(fit, parameters);
  for (const std::string& place : fit.places) changes.push_back({.pointer = place, .value = value});
  return changes;
}

class Drawer {
 public:
  Drawer(const ReadScenario& read, std::size_t fit) : read_(read), fit_(read.fits.at(fit)), group_(fit) {}

  DrawnScenarios draw(std::size_t count) {
    const std::uint64_t seed = read_.scenario.run.seed;
    DrawnScenarios drawn{.draws = spread_draws(fit_.parameters, count, seed, static_cast<std::uint32_t>(group_)),
                         .scenarios = {}};
    for (std::size_t r = 0; r < count; ++r) {
      std::optional<DrawnScenario> one = accepted(drawn.draws.sets[r]);
      for (std::uint32_t tries = 1; !one; ++tries) {
        if (tries == most_tries) refuse();
        drawn.draws.matched = false;
        drawn.draws.sets[r] = again(static_cast<std::uint32_t>(r) + tries * stride);
        one = accepted(drawn.draws.sets[r]);
      }
      drawn.scenarios.push_back(std::move(*one));
    }
    return drawn;
  }

 private:
  std::optional<DrawnScenario> accepted(const std::vector<double>& parameters) {
    std::vector<Override> changes = changes_of(fit_, parameters);
    try {
      Scenario drawn = read_.again(changes);
      return DrawnScenario{.scenario = std::move(drawn), .changes = std::move(changes)};
    } catch (const InputError& refused) {
      why_ = refused.complaints().front().text;
      return std::nullopt;
    }
  }

  std::vector<double> again(std::uint32_t stream_number) const {
    FittedParameters normal = fit_.parameters;
    normal.degrees_of_freedom = 0.0;
    RandomStream stream(read_.scenario.run.seed, stream_number, static_cast<std::uint32_t>(group_),
                        Purpose::parameters);
    return draw_parameters(normal, stream);
  }

  [[noreturn]] void refuse() const {
    throw InputError({{.source = fit_.file,
                       .code = "fitted.too_uncertain",
                       .text = "The fit " + shown(fit_.name) + " is too uncertain to draw from: " +
                               std::to_string(most_tries) + " draws of its parameters were refused, the last because " +
                               why_ + " Measure more, or leave the draws out with --no-calibration-draws."}});
  }

  const ReadScenario& read_;
  const UsedFit& fit_;
  std::size_t group_;
  std::string why_;
};

}  // namespace

std::vector<std::size_t> uncertain_fits(const ReadScenario& read) {
  std::vector<std::size_t> uncertain;
  for (std::size_t i = 0; i < read.fits.size(); ++i)
    if (!is_exact(read.fits[i].parameters)) uncertain.push_back(i);
  return uncertain;
}

DrawnScenarios drawn_scenarios(const ReadScenario& read, std::size_t fit, std::size_t count) {
  return Drawer(read, fit).draw(count);
}

}  // namespace saturn
