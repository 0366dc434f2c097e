#include <doctest/doctest.h>

#include <cmath>

#include "scenarios/inputs/fitted_values.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

const std::string fitted_text = R"({
  "schema": "saturn-fitted/1",
  "created": "2026-01-02T03:04:05Z",
  "fits": {
    "emtrk": {
      "kind": "service law", "about": "GPU times of emtrk",
      "value": { "per_batch": "2 ms", "per_item": "32.2 us" },
      "parameters": [
        { "name": "per_batch", "at": "/per_batch", "value": 0.002, "unit": "s" },
        { "name": "per_item", "at": "/per_item", "value": 3.22e-5, "unit": "s" }
      ],
      "covariance": [[1e-8, 0], [0, 4e-14]],
      "degrees_of_freedom": 6,
      "range": { "items": [100, 2000] }
    },
    "trip": {
      "kind": "time", "about": "the round-trip time", "value": "11.8 ms",
      "parameters": [{ "name": "mean", "at": "", "value": 0.0118, "unit": "s" }], "covariance": [[1e-8]]
    },
    "wide": {
      "kind": "bandwidth", "value": "100 Gbps",
      "parameters": [{ "name": "mean", "at": "", "value": 1.25e10, "unit": "B/s" }], "covariance": [[1e16]]
    },
    "reco": {
      "kind": "time", "about": "CPU times", "value": { "gamma": { "mean": "110 s", "cv": 0.2 } },
      "parameters": [
        { "name": "mean", "at": "/gamma/mean", "value": 110, "unit": "s" },
        { "name": "cv", "at": "/gamma/cv", "value": 0.2, "unit": "" }
      ],
      "covariance": [[4, 0], [0, 0.0001]]
    }
  }
}
)";

const Override fitted_law{"/models/emtrk/service/t4", R"({ "fitted": "fitted.json" })"};
const Override trip{"/network/links/0/rtt", R"({ "fitted": "fitted.json", "fit": "trip" })"};
const Override wide{"/network/links/0/bandwidth", R"({ "fitted": "fitted.json" })"};
const Override reco{"/jobs/0/event/0/cpu", R"({ "fitted": "fitted.json", "fit": "reco" })"};

/// The sound scenario with references to a fitted parameter file beside it.
ReadScenario with_fits(const std::vector<Override>& changes, const std::string& fitted = fitted_text) {
  const ScratchFolder folder("fitted.json", fitted);
  return sound_with(changes, folder.path("s.json"));
}

std::string fitted_with(const std::string& piece, const std::string& replacement) {
  std::string text = fitted_text;
  return text.replace(text.find(piece), piece.size(), replacement);
}

}  // namespace

TEST_CASE("a scenario with fitted values is the one with the values written in their places") {
  const ReadScenario read = with_fits({fitted_law, trip, wide, reco});
  const ReadScenario plain = with_fits({{fitted_law.pointer, R"({ "per_batch": "2 ms", "per_item": "32.2 us" })"},
                                        {reco.pointer, R"({ "gamma": { "mean": "110 s", "cv": 0.2 } })"}});
  CHECK(read.resolved == plain.resolved);
  REQUIRE(read.fits.size() == 4);
  CHECK(read.fits[0].name == "reco");
  CHECK(read.fits[0].places == std::vector<std::string>{reco.pointer});
  CHECK(read.fits[1].about == "GPU times of emtrk");
  CHECK(read.fits[1].parameters.values == std::vector<double>{0.002, 3.22e-5});
  CHECK(read.fits[1].parameters.degrees_of_freedom == 6.0);
  CHECK(read.fits[2].about == "bandwidth wide");
  REQUIRE(read.fitted_files.size() == 1);
  CHECK(read.fitted_files[0].text == fitted_text);
  CHECK(plain.fits.empty());
}

TEST_CASE("a fit that stands at two places is one set of parameters") {
  const ReadScenario read = with_fits({trip, {"/jobs/0/job_setup", R"({ "fitted": "fitted.json", "fit": "trip" })"}});
  REQUIRE(read.fits.size() == 1);
  CHECK(read.fits[0].places == std::vector<std::string>{"/jobs/0/job_setup", trip.pointer});
  const DrawnScenarios drawn = drawn_scenarios(read, 0, 16);
  for (const DrawnScenario& one : drawn.scenarios)
    CHECK(one.scenario.jobs[0].job_setup == one.scenario.links[0].round_trip_time);
}

TEST_CASE("a drawn scenario is the one that its changes give as --set options") {
  const std::vector<Override> changes{fitted_law, reco};
  const ReadScenario read = with_fits(changes);
  const DrawnScenarios drawn = drawn_scenarios(read, 0, 16);
  REQUIRE(drawn.scenarios.size() == 16);
  CHECK(drawn.draws.matched);
  std::vector<Override> set = changes;
  set.insert(set.end(), drawn.scenarios[3].changes.begin(), drawn.scenarios[3].changes.end());
  const auto cpu = [](const Scenario& s) { return std::get<GammaTime>(std::get<CpuStage>(s.jobs[0].event[0]).time); };
  const GammaTime again = cpu(with_fits(set).scenario);
  CHECK(cpu(drawn.scenarios[3].scenario).mean == again.mean);
  CHECK(cpu(drawn.scenarios[3].scenario).cv == again.cv);
  CHECK(again.mean.value == doctest::Approx(drawn.draws.sets[3][0]).epsilon(1e-15));
  CHECK(again.mean != Seconds{110.0});
}

TEST_CASE("draws that the reader refuses are drawn anew, and a fit that gives no others is refused") {
  // A time of 0 s on average that is drawn with both signs: half of the draws are refused.
  const std::string zero = fitted_with("\"2 ms\"", "\"0 s\"");
  std::string about_zero = zero;
  about_zero.replace(about_zero.find("\"value\": 0.002"), 14, "\"value\": 0    ");
  const ReadScenario half = with_fits({fitted_law}, about_zero);
  const DrawnScenarios drawn = drawn_scenarios(half, 0, 16);
  CHECK_FALSE(drawn.draws.matched);
  for (const auto& set : drawn.draws.sets) CHECK(set[0] >= 0.0);

  const ReadScenario read = with_fits({trip}, fitted_with("[[1e-8]]", "[[1e30]]"));
  try {
    drawn_scenarios(read, 0, 16);
    FAIL("drawn");
  } catch (const InputError& error) {
    CHECK(error.complaints().front().code == "fitted.too_uncertain");
    CHECK(error.complaints().front().text.starts_with(
        "The fit \"trip\" is too uncertain to draw from: 100 draws of its parameters were refused, the last because "
        "/network/links/0/rtt is "));
  }
}

}  // namespace saturn::tests
