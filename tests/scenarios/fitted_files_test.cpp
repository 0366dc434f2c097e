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
class WithFits {
 public:
  explicit WithFits(const std::string& fitted = fitted_text) { folder_.write("fitted.json", fitted); }

  ReadScenario read(const std::vector<Override>& changes) const {
    return read_scenario_text(sound_scenario(), folder_.path("s.json"), changes);
  }

  /// "code: text" of each complaint, the folder's name taken out.
  std::string complaints(const std::vector<Override>& changes) const {
    try {
      read(changes);
    } catch (const InputError& error) {
      return shown(error.complaints());
    }
    return "none";
  }
  std::string warnings(const std::vector<Override>& changes) const { return shown(read(changes).warnings); }

 private:
  std::string shown(const std::vector<Complaint>& complaints) const {
    const std::string folder = folder_.path("");
    std::string text;
    for (const Complaint& c : complaints) text += (text.empty() ? "" : "\n") + c.code + ": " + c.text;
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  }

  ScratchFolder folder_;
};

std::string fitted_with(const std::string& piece, const std::string& replacement) {
  std::string text = fitted_text;
  return text.replace(text.find(piece), piece.size(), replacement);
}

/// What the reader says of the law's fit with a piece of the file replaced.
std::string complaint_of(const std::string& piece, const std::string& replacement) {
  return WithFits(fitted_with(piece, replacement)).complaints({fitted_law});
}

}  // namespace

TEST_CASE("a scenario with fitted values is the one with the values written in their places") {
  const WithFits files;
  const ReadScenario read = files.read({fitted_law, trip, wide, reco});
  const ReadScenario plain = files.read({{fitted_law.pointer, R"({ "per_batch": "2 ms", "per_item": "32.2 us" })"},
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
  const WithFits files;
  const ReadScenario read = files.read({trip, {"/jobs/0/job_setup", R"({ "fitted": "fitted.json", "fit": "trip" })"}});
  REQUIRE(read.fits.size() == 1);
  CHECK(read.fits[0].places == std::vector<std::string>{"/jobs/0/job_setup", trip.pointer});
  const DrawnScenarios drawn = drawn_scenarios(read, 0, 16);
  for (const DrawnScenario& one : drawn.scenarios)
    CHECK(one.scenario.jobs[0].job_setup == one.scenario.links[0].round_trip_time);
}

TEST_CASE("a drawn scenario is the one that its changes give as --set options") {
  const WithFits files;
  const std::vector<Override> changes{fitted_law, reco};
  const ReadScenario read = files.read(changes);
  const DrawnScenarios drawn = drawn_scenarios(read, 0, 16);
  REQUIRE(drawn.scenarios.size() == 16);
  CHECK(drawn.draws.matched);
  std::vector<Override> set = changes;
  set.insert(set.end(), drawn.scenarios[3].changes.begin(), drawn.scenarios[3].changes.end());
  const auto cpu = [](const Scenario& s) { return std::get<GammaTime>(std::get<CpuStage>(s.jobs[0].event[0]).time); };
  const GammaTime again = cpu(files.read(set).scenario);
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
  const ReadScenario half = WithFits(about_zero).read({fitted_law});
  const DrawnScenarios drawn = drawn_scenarios(half, 0, 16);
  CHECK_FALSE(drawn.draws.matched);
  for (const auto& set : drawn.draws.sets) CHECK(set[0] >= 0.0);

  const WithFits wild(fitted_with("[[1e-8]]", "[[1e30]]"));
  const ReadScenario read = wild.read({trip});
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

TEST_CASE("which fit is meant must be clear") {
  const WithFits files;
  CHECK(files.complaints({{trip.pointer, R"({ "fitted": "fitted.json" })"}}) ==
        "scenario.which_fit: /network/links/0/rtt takes a time, and \"fitted.json\" has 2 fits of that kind; name one "
        "with \"fit\": \"trip\" or \"reco\".");
  CHECK(files.complaints({{trip.pointer, R"({ "fitted": "fitted.json", "fit": "tripp" })"}}) ==
        "scenario.unknown_fit: /network/links/0/rtt/fit is \"tripp\", but \"fitted.json\" has no fit of that name; did "
        "you mean \"trip\"?");
  CHECK(files.complaints({{trip.pointer, R"({ "fitted": "fitted.json", "fit": "wide" })"}}) ==
        "scenario.fitted_kind: /network/links/0/rtt takes a time, but the fit \"wide\" of \"fitted.json\" is a "
        "bandwidth.");
  CHECK(files.complaints({{trip.pointer, R"({ "fitted": "fitted.json", "fit": "reco" })"}}) ==
        "scenario.fitted_kind: /network/links/0/rtt takes one duration, but the fit \"reco\" of \"fitted.json\" is a "
        "distribution.");
  CHECK(files.complaints({{trip.pointer, R"({ "fitted": "fitted.json", "fit": "trip", "unit": "s" })"}}) ==
        "scenario.beside_fitted: /network/links/0/rtt has the key \"unit\" beside \"fitted\"; the fit holds the whole "
        "value, and only \"fit\" may stand beside it: leave out \"fitted\" or the others.");
  CHECK(files.complaints({{trip.pointer, R"({ "fitted": 3 })"}}) ==
        "scenario.fitted_path: /network/links/0/rtt/fitted is 3; the name of a file in double quotes is needed.");
  CHECK(files.complaints({{trip.pointer, R"({ "fitted": "fittd.json" })"}})
            .starts_with("scenario.missing_file: /network/links/0/rtt/fitted names \"fittd.json\""));
}

TEST_CASE("a file that holds no fits is refused") {
  const auto complaint = [](const std::string& text) { return WithFits(text).complaints({fitted_law}); };
  CHECK(complaint(sound_scenario()) ==
        "scenario.not_fitted: This file's \"schema\" is \"saturn-scenario/1\"; a fitted parameter file has the schema "
        "\"saturn-fitted/1\": make one with `saturn calibrate FILES... --out fitted.json`.");
  CHECK(
      complaint("[1, 2]") ==
      "scenario.not_fitted: This is a list; a fitted parameter file has the schema \"saturn-fitted/1\": make one with "
      "`saturn calibrate FILES... --out fitted.json`.");
  CHECK(complaint(R"({ "schema": "saturn-fitted/1", "fits": {} })") ==
        "scenario.not_fitted: \"fits\" is an empty object; an object with at least one fit is needed: make one with "
        "`saturn calibrate FILES... --out fitted.json`.");
  CHECK(complaint("perf,csv\n1,2\n").starts_with("scenario.syntax: "));
  CHECK(complaint("") == "scenario.empty_file: The file is empty; a fitted parameter file is a text in UTF-8.");
}

TEST_CASE("a fit that contradicts itself is refused") {
  CHECK(complaint_of("[[1e-8, 0], [0, 4e-14]]", "[[1e-8, 1e-12], [0, 4e-14]]") ==
        "fitted.covariance: /fits/emtrk/covariance is not symmetric: [1][0] is 0, but [0][1] is 1e-12; fit again.");
  CHECK(complaint_of("[[1e-8, 0], [0, 4e-14]]", "[[1e-8, 0]]") ==
        "fitted.covariance: /fits/emtrk/covariance has 1 element; of 2 parameters it is a square of 2 by 2.");
  CHECK(complaint_of("[[1e-8, 0], [0, 4e-14]]", "[[1e-8, 0], [0, null]]") ==
        "fitted.wrong_type: /fits/emtrk/covariance/1/1 is null; a finite number is needed.");
  CHECK(complaint_of("/per_item", "/per_itm") ==
        "fitted.nowhere: /fits/emtrk/parameters/1/at is \"/per_itm\", but /fits/emtrk/value has nothing there; it is a "
        "JSON pointer into that value, and \"\" is the value itself.");
  CHECK(complaint_of("\"32.2 us\"", "\"32.2 ms\"") ==
        "fitted.disagrees: /fits/emtrk/value/per_item is \"32.2 ms\", but its parameter, "
        "/fits/emtrk/parameters/1/value, is 0.0000322 s; the two must be one: fit again.");
  CHECK(complaint_of("\"unit\": \"s\"", "\"unit\": \"ms\"") ==
        "fitted.unknown_unit: /fits/emtrk/parameters/0/unit is \"ms\"; allowed is \"s\", \"B/s\", \"B\", \"1/s\" or "
        "\"\" of a bare number.");
  CHECK(
      complaint_of("GPU times of emtrk", "GPU\\u001b[2J times") ==
      "fitted.not_one_line: /fits/emtrk/about is \"GPU?[2J times\"; it is printed: allowed are up to 200 characters on "
      "one line.");
  CHECK(
      complaint_of("\"service law\"", "\"law\"")
          .ends_with("takes a service law, and \"fitted.json\" has no fit of that kind; it has \"emtrk\" (of no known "
                     "kind), \"trip\" (time), \"wide\" (bandwidth), \"reco\" (time)."));
  CHECK(complaint_of("[100, 2000]", "[2000, 100]") ==
        "fitted.wrong_range: /fits/emtrk/range/items is [2000,100]; the smallest and the largest fitted batch are "
        "needed, "
        "[1, 64].");
}

TEST_CASE("a law is used beyond its fitted range with a loud warning, and not at all beyond twice the range") {
  const WithFits files;
  CHECK(files.warnings({fitted_law}) == "");
  const auto batch = [&](const char* size) {
    return std::vector<Override>{fitted_law, {"/jobs/0/event/2/request_batch", size}};
  };
  CHECK(files.warnings(batch("3000")) ==
        "scenario.extrapolated: /jobs/0/event/2/request_batch makes requests of 3,000 items, but "
        "/models/emtrk/service/t4 was fitted to batches of 100 to 2000 items: what larger ones take is EXTRAPOLATED; "
        "measure larger batches and fit again, or lower the size.");
  CHECK(files.warnings(batch("50")) ==
        "scenario.extrapolated: /jobs/0/event/2/request_batch makes requests of 50 items, but /models/emtrk/service/t4 "
        "was fitted to batches of 100 to 2000 items: what smaller ones take is EXTRAPOLATED; measure batches as small "
        "as those.");
  CHECK(files.complaints(batch("4001")) ==
        "scenario.law_extrapolated: /jobs/0/event/2/request_batch makes requests of 4,001 items, more than twice the "
        "largest size of the fit: /models/emtrk/service/t4 was fitted to batches of 100 to 2000 items; what a batch "
        "above 4000 takes is not known: measure a larger one and fit again, or lower the size.");
}

TEST_CASE("models, sites and device types may be called fitted") {
  std::string text = sound_scenario();
  for (const char* name : {"\"t4\"", "\"emtrk\""})
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, std::string(name).size(), "\"fitted\"");
  CHECK(complaints_about(text).empty());
}

}  // namespace saturn::tests
