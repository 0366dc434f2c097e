#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "models/bounds.hpp"
#include "scenarios/complaint.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/quantity_text.hpp"
#include "sim/plan/mva_crossing.hpp"
#include "sim/plan/sensitivity_of.hpp"
#include "tests/plan/plan_scenarios.hpp"
#include "tests/plan/sensitivity_problems.hpp"

using namespace saturn;

namespace {

const PurchaseTerms no_reserve{};

/// The scenario as it stands, as a search's answer.
SearchedCandidate candidate_of(const ReadScenario& read, std::vector<std::string> settings,
                               const EvaluateEach& evaluate = by_mva) {
  std::vector<Override> changes;
  for (const std::string& text : settings) changes.push_back(parse_override(text));
  const Scenario scenario = read.again(changes);
  const SearchedRun run = evaluate(std::vector<SearchedScenario>{{scenario, {}}}).front();
  return {.settings = std::move(changes), .figures = figures_by_simulation(scenario, run.summary, no_reserve)};
}

}  // namespace

TEST_CASE("Cost per event is a time times a price: all durations together count once, and so do all prices") {
  CHECK(rc::check([] {
    const auto tenths = [](int low, int high) { return *rc::gen::inRange(low, high) * 0.1; };
    const ReadScenario read = read_scenario_text(
        loop_text(tenths(10, 100), tenths(5, 50), tenths(0, 9), tenths(0, 900), *rc::gen::inRange(1, 4)), "s.json", {});
    const Objective objective{.figure = measure("cost_per_million")};
    const Sensitivity found =
        sensitivity_of_candidate(candidate_of(read, {}), objective, no_reserve, read, maker_of(read), by_mva, 0.02);
    RC_ASSERT(found.unit == text_of(measure("cost_per_million")->unit).symbol);
    RC_ASSERT(std::abs(elasticity_of(found, "/devices/gpu/price") - 1.0) < 1e-9);
    RC_ASSERT(std::abs(sum_over(found, Dimension::duration) - sum_over(found, Dimension::bandwidth) - 1.0) < 0.01);
    RC_ASSERT(std::abs(sum_over(found, Dimension::size) + sum_over(found, Dimension::bandwidth)) < 0.01);
    RC_ASSERT(elasticity_of(found, "/devices/gpu/power") == 0.0);
  }));
}

TEST_CASE("A candidate's simulated figure is differentiated where the candidate is, by one simulation for all prices") {
  const ReadScenario read = read_scenario_text(loop_text(4, 0.5, 0.2, 10, 1), "s.json", {});
  const std::vector<std::string> settings{"/servers/0/devices/count=2", "/network/links/0/rtt=\"0.4 s\""};
  std::vector<Override> chosen;
  for (const std::string& text : settings) chosen.push_back(parse_override(text));
  // Of one of the 20 jobs.
  const auto throughput = [&](const std::string& service) {
    std::vector<Override> changes = chosen;
    changes.push_back({"/models/model/service/gpu/per_batch/exponential/mean", service});
    const Scenario scenario = read.again(changes);
    return 1 / (mva_slowdown(scenario) * asymptotic_bounds(closed_network(scenario)).ideal_event_time_s);
  };
  std::size_t simulated = 0;
  const Sensitivity found = sensitivity_of_candidate(
      candidate_of(read, settings), {.figure = measure("throughput"), .least = false}, no_reserve, read, maker_of(read),
      [&](std::span<const SearchedScenario> scenarios) {
        simulated += scenarios.size();
        for (const SearchedScenario& one : scenarios) CHECK(one.scenario.servers.front().devices.count == 2);
        return by_mva(scenarios);
      },
      0.1);
  const std::string service = "/models/model/service/gpu/per_batch/exponential/mean";
  CHECK(elasticity_of(found, service) ==
        doctest::Approx(std::log(throughput("0.55 s") / throughput("0.45 s")) / std::log(1.1 / 0.9)).epsilon(1e-6));
  CHECK(row_of(found, service).when_low == doctest::Approx(20 * throughput("0.45 s")).epsilon(1e-9));
  CHECK(row_of(found, service).when_high == doctest::Approx(20 * throughput("0.55 s")).epsilon(1e-9));
  const auto rtt = [](const SensitivityRow& row) { return row.input.pointer == "/network/links/0/rtt"; };
  CHECK(std::none_of(found.rows.begin(), found.rows.end(), rtt));
  // The candidate itself; two times CPU time, CPU alternative, service time, input, bandwidth and the cap of one flow.
  CHECK(simulated == 13);
}

TEST_CASE("Where the answer bends both ends are simulated, and a note names the inputs") {
  // 20 jobs keep two devices busy all the time once ten service times pass the time of an event, 18 s and one service.
  const std::string service = "/models/model/service/gpu/per_batch/exponential/mean";
  const ReadScenario read = read_scenario_text(loop_text(18, 2, 0, 0.001, 2), "s.json", {});
  const auto usd = [](double service_s) {
    const double event_s = std::max(18 + 1e3 / 0.25e9 + service_s, 20 * service_s / 2);
    return 2 * 0.35 / 3600 * event_s / 20 * 1e6;
  };
  const Sensitivity found =
      sensitivity_of_candidate(candidate_of(read, {}, by_bound), {.figure = measure("cost_per_million")}, no_reserve,
                               read, maker_of(read), by_bound, 0.1);
  CHECK(found.value == doctest::Approx(usd(2.0)).epsilon(1e-9));
  const SensitivityRow& row = row_of(found, service);
  CHECK(row.when_low == doctest::Approx(usd(1.8)).epsilon(1e-9));
  CHECK(row.when_high == doctest::Approx(usd(2.2)).epsilon(1e-9));
  CHECK(row.elasticity.mean == doctest::Approx(std::log(usd(2.2) / usd(1.8)) / std::log(1.1 / 0.9)).epsilon(1e-9));
  CHECK(has_note(found, "the answer bends within the uncertainty of /jobs/0/event/0/cpu/exponential/mean and " +
                            service + ": both ends are simulated, the elasticity is their mean."));
  double variance = 0.0;
  for (const SensitivityRow& one : found.rows) variance += std::pow(one.when_high - one.when_low, 2);
  CHECK(row.variance_share == doctest::Approx(std::pow(usd(2.2) - usd(1.8), 2) / variance));
}

TEST_CASE("Uncertainties beyond what is simulated end on the power law through the farthest point that is") {
  const ReadScenario read = read_scenario_text(loop_text(4, 0.5, 0.2, 10, 1), "s.json", {});
  for (const double off : {0.0001, 0.8, 3.0}) {
    CAPTURE(off);
    const Sensitivity found = sensitivity_of_candidate(candidate_of(read, {}), {.figure = measure("cost_per_million")},
                                                       no_reserve, read, maker_of(read), by_mva, off);
    // A price is a factor of the cost: the law is exact however far it is followed, but for the least input that is
    // tried.
    const SensitivityRow& price = row_of(found, "/devices/gpu/price");
    CHECK(price.elasticity.mean == doctest::Approx(1.0).epsilon(1e-9));
    CHECK(price.when_low == doctest::Approx(std::max(0.05, 1 - off) * found.value).epsilon(1e-9));
    CHECK(price.when_high == doctest::Approx((1 + off) * found.value).epsilon(1e-9));
  }
}

TEST_CASE("A bound that bends within an input's uncertainty has exact ends, its local elasticity, and a note") {
  // The card passes 1 GB/s and the device answers in 1 s: with 990 MB a request the device saturates first.
  std::string text = loop_text(10, 1, 0, 990, 1);
  text.replace(text.find("\"site\": \"b\""), 11, "\"site\": \"b\", \"nic\": \"8 Gbps\"");
  const ReadScenario read = read_scenario_text(text, "s.json", {});
  const Sensitivity found =
      sensitivity_of_plan(saturating_plan(read.scenario), {}, read, maker_of(read), no_simulation, 0.1);
  // The flow is capped at 0.25 GB/s: an event takes 10 s + 1 s + 4 s per GB.
  const auto saturates_at = [](double gb) { return (11 + 4 * gb) / std::max(1.0, gb); };
  const SensitivityRow& input = row_of(found, "/models/model/input");
  CHECK(found.value == doctest::Approx(saturates_at(0.99)).epsilon(1e-9));
  CHECK(input.when_low == doctest::Approx(saturates_at(0.9 * 0.99)).epsilon(1e-9));
  CHECK(input.when_high == doctest::Approx(saturates_at(1.1 * 0.99)).epsilon(1e-9));
  CHECK(input.elasticity.mean == doctest::Approx(4 * 0.99 / (11 + 4 * 0.99)).epsilon(1e-6));
  // The card's bandwidth does nothing near its value, and much a tenth below it.
  const SensitivityRow& card = row_of(found, "/servers/0/nic");
  CHECK(card.elasticity.mean == 0.0);
  CHECK(card.when_low == doctest::Approx((11 + 4 * 0.99) / (0.99 / 0.9)).epsilon(1e-9));
  CHECK(card.when_high == doctest::Approx(found.value).epsilon(1e-9));
  CHECK(card.variance_share > 0.0);
  CHECK(has_note(found,
                 "the answer bends within the uncertainty of /models/model/input, "
                 "/models/model/service/gpu/per_batch/exponential/mean and /servers/0/nic: both ends are exact, the "
                 "elasticity is that near the value."));
}

TEST_CASE("A candidate's rent is exact, its devices are chosen, and what is not known has no elasticities") {
  const ReadScenario read = read_scenario_text(loop_text(4, 0.5, 0.2, 10, 2), "s.json", {});
  const auto of = [&](MeasureId figure, const SearchedCandidate& candidate) {
    return sensitivity_of_candidate(candidate, {.figure = figure}, no_reserve, read, maker_of(read), no_simulation,
                                    0.1);
  };
  const SearchedCandidate candidate = candidate_of(read, {});
  const Sensitivity rent = of(measure("rent"), candidate);
  CHECK(rent.value == doctest::Approx(0.70));
  REQUIRE(rent.rows.size() == 1);
  CHECK(rent.rows.front().input.pointer == "/devices/gpu/price");
  CHECK(rent.rows.front().elasticity.mean == doctest::Approx(1.0).epsilon(1e-9));
  CHECK(rent.rows.front().when_low == doctest::Approx(0.63));
  CHECK(rent.rows.front().variance_share == 1.0);
  const Sensitivity gpus = of(measure("gpus"), candidate);
  CHECK(gpus.rows.empty());
  CHECK(gpus.notes.back().find("chosen, not computed") != std::string::npos);
  const Sensitivity unknown = of(measure("rent"), {});
  CHECK(unknown.rows.empty());
  CHECK(unknown.notes.back().starts_with("there are no elasticities: the "));
}
