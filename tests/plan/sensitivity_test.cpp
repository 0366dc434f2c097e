#include "sim/plan/comparison/sensitivity.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

const EvaluateEach no_simulation = [](std::span<const SearchedScenario>) -> std::vector<SearchedRun> {
  throw std::logic_error("nothing was to be simulated");
};

std::vector<SearchedRun> simulated_by(double (*slowdown)(const Scenario&),
                                      std::span<const SearchedScenario> scenarios) {
  std::vector<SearchedRun> runs;
  for (const SearchedScenario& one : scenarios) {
    SearchedRun run;
    run.summary = evaluate_by({.slowdown = slowdown})(std::span(&one.scenario, 1)).front();
    run.replications = {run.summary, run.summary};
    runs.push_back(std::move(run));
  }
  return runs;
}

/// A simulator without noise: mean value analysis.
std::vector<SearchedRun> by_mva(std::span<const SearchedScenario> scenarios) {
  return simulated_by(mva_slowdown, scenarios);
}

/// A simulator without waiting before the first resource saturates.
std::vector<SearchedRun> by_bound(std::span<const SearchedScenario> scenarios) {
  return simulated_by(bound_slowdown, scenarios);
}

MakeScenario maker_of(const ReadScenario& read) {
  return [&read](std::span<const Override> changes) { return read.again(changes); };
}

/// A plan whose answer is where the first resource saturates.
Plan saturating_plan(const Scenario& scenario) {
  Plan plan;
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  plan.answer.saturates_at = bounds.knees.front().clients / static_cast<double>(device_count(scenario));
  plan.answer.within_slowdown = 1.5 * plan.answer.saturates_at;
  return plan;
}

double elasticity_of(const Sensitivity& sensitivity, const std::string& pointer) {
  for (const SensitivityRow& row : sensitivity.rows)
    if (row.input.pointer == pointer) return row.elasticity.mean;
  const auto& none = sensitivity.without_effect;
  REQUIRE(std::find(none.begin(), none.end(), pointer) != none.end());
  return 0.0;
}

const SensitivityRow& row_of(const Sensitivity& sensitivity, const std::string& pointer) {
  const auto found = std::find_if(sensitivity.rows.begin(), sensitivity.rows.end(),
                                  [&](const SensitivityRow& row) { return row.input.pointer == pointer; });
  REQUIRE(found != sensitivity.rows.end());
  return *found;
}

bool has_note(const Sensitivity& sensitivity, const std::string& text) {
  return std::count(sensitivity.notes.begin(), sensitivity.notes.end(), text) == 1;
}

/// Sum of the elasticities to everything that is measured in a dimension.
double sum_over(const Sensitivity& sensitivity, Dimension dimension) {
  double sum = 0.0;
  for (const SensitivityRow& row : sensitivity.rows)
    if (read_quantity(row.input.value, dimension).reading == QuantityReading::good) sum += row.elasticity.mean;
  return sum;
}

/// Jobs that think, then send a request over a link to devices; exponential times.
std::string loop_text(double cpu_s, double service_s, double rtt_s, double input_mb, int devices) {
  return R"({ "schema": "saturn-scenario/1",
    "jobs": [{ "name": "job", "site": "a", "count": 20, "event": [
      { "cpu": { "exponential": { "mean": ")" +
         shortest(cpu_s) + R"( s" } } },
      { "infer": "model", "items": 1, "cpu_alternative": "3 s" }] }],
    "models": { "model": { "input": ")" +
         shortest(input_mb) + R"( MB", "max_batch_size": 1,
      "service": { "gpu": { "per_batch": { "exponential": { "mean": ")" +
         shortest(service_s) + R"( s" } } } } } },
    "servers": [{ "name": "server", "site": "b", "devices": { "type": "gpu", "count": )" +
         std::to_string(devices) + R"( }, "models": ["model"] }],
    "devices": { "gpu": { "kind": "gpu", "price": "0.35 USD/h", "power": "70 W" } },
    "network": { "links": [{ "between": ["a", "b"], "bandwidth": "10 Gbps", "rtt": ")" +
         shortest(rtt_s) + R"( s", "per_flow": "2 Gbps" }] } })";
}

}  // namespace

TEST_CASE("ProtoDUNE's jobs per GPU at saturation are t_ideal/t_GPU, and so are their elasticities") {
  const ReadScenario read = read_scenario_file("protodune-big-batch", {});
  const Sensitivity found =
      analyse_plan_sensitivity(saturating_plan(read.scenario), {}, read, maker_of(read), no_simulation, 0.1);
  // The published numbers: 110 s and 7 s on the CPU, 55,000 patches of 9,216 B in 32 requests over 2 Gb/s and 11.8 ms.
  const double items_s = 55000 * 29.37e-6;
  const double batches_s = 32 * 4.83e-3;
  const double gpu_s = batches_s + items_s;
  const double there_s = 55000 * 9216 / 0.25e9;
  const double back_s = 55000 * 16 / 0.25e9;
  const double travel_s = 32 * 11.8e-3;
  const double ideal_s = 110 + 7 + gpu_s + there_s + back_s + travel_s;
  CHECK(found.answer == "jobs per GPU");
  CHECK(found.value == doctest::Approx(ideal_s / gpu_s).epsilon(1e-9));
  const auto is = [&](const std::string& pointer, double expected) {
    CAPTURE(pointer);
    CHECK(elasticity_of(found, pointer) == doctest::Approx(expected).epsilon(1e-6));
  };
  is("/models/emtrk/service/t4/per_item", items_s / ideal_s - items_s / gpu_s);
  is("/models/emtrk/service/t4/per_batch", batches_s / ideal_s - batches_s / gpu_s);
  is("/jobs/0/event/0/cpu", 110 / ideal_s);
  is("/jobs/0/event/1/cpu", 7 / ideal_s);
  is("/network/links/0/rtt", travel_s / ideal_s);
  is("/network/links/0/per_flow", -(there_s + back_s) / ideal_s);
  is("/models/emtrk/input", there_s / ideal_s);
  is("/models/emtrk/output", back_s / ideal_s);
  is("/servers/0/nic", 0);
  is("/devices/t4/price/value", 0);
  is("/jobs/0/event/2/cpu_alternative", 0);
  // More items are more requests, too: they move the answer most.
  CHECK(found.rows.front().input.pointer == "/jobs/0/event/2/items");
  const SensitivityRow& per_item = row_of(found, "/models/emtrk/service/t4/per_item");
  CHECK(per_item.when_low == doctest::Approx((ideal_s - 0.1 * items_s) / (gpu_s - 0.1 * items_s)).epsilon(1e-9));
  CHECK(per_item.when_high == doctest::Approx((ideal_s + 0.1 * items_s) / (gpu_s + 0.1 * items_s)).epsilon(1e-9));
}

TEST_CASE("Units cannot matter: scaling all durations and slowing all bandwidths changes no number of jobs per GPU" *
          doctest::test_suite("drawn")) {
  CHECK(rc::check([] {
    const auto tenths = [](int low, int high) { return *rc::gen::inRange(low, high) * 0.1; };
    const ReadScenario read = read_scenario_text(
        loop_text(tenths(1, 900), tenths(1, 50), tenths(0, 9), tenths(0, 900), *rc::gen::inRange(1, 5)), "s.json", {});
    const Sensitivity found =
        analyse_plan_sensitivity(saturating_plan(read.scenario), {}, read, maker_of(read), no_simulation, 0.1);
    RC_ASSERT(!found.rows.empty());
    const double durations = sum_over(found, Dimension::duration);
    const double sizes = sum_over(found, Dimension::size);
    const double bandwidths = sum_over(found, Dimension::bandwidth);
    RC_ASSERT(std::abs(durations - bandwidths) < 1e-6);
    RC_ASSERT(std::abs(sizes + bandwidths) < 1e-6);
    double shares = 0.0;
    for (const SensitivityRow& row : found.rows) shares += row.variance_share;
    RC_ASSERT(std::abs(shares - 1.0) < 1e-9);
  }));
}

TEST_CASE("At the tolerated slowdown the elasticities are those of the crossing itself") {
  const ReadScenario read = read_scenario_text(loop_text(40, 0.5, 0.2, 10, 4), "s.json", {});
  const PlanQuestion question{.slowdown = 0.02, .clients = {}};
  const auto crossing = [&](std::vector<Override> changes) {
    return *mva_crossing(read.again(changes), question.slowdown).clients;
  };
  Plan plan;
  plan.answer.within_slowdown = crossing({}) / 4;
  plan.answer.saturates_at = 2 * plan.answer.within_slowdown;
  const Sensitivity found = analyse_plan_sensitivity(plan, question, read, maker_of(read), by_mva, 0.1);
  CHECK(found.value == plan.answer.within_slowdown);
  const auto is = [&](const std::string& pointer, const std::string& lower, const std::string& higher, double step) {
    CAPTURE(pointer);
    const double expected = std::log(crossing({{pointer, higher}}) / crossing({{pointer, lower}})) / step;
    CHECK(elasticity_of(found, pointer) == doctest::Approx(expected).epsilon(0.02));
  };
  const double step = std::log(1.05 / 0.95);
  is("/models/model/service/gpu/per_batch/exponential/mean", "0.475 s", "0.525 s", step);
  is("/jobs/0/event/0/cpu/exponential/mean", "38 s", "42 s", step);
  CHECK(std::abs(sum_over(found, Dimension::duration) - sum_over(found, Dimension::bandwidth)) < 0.04);
  const std::vector<std::string> money{"/devices/gpu/price", "/devices/gpu/power"};
  CHECK(std::all_of(money.begin(), money.end(), [&](const std::string& one) {
    return std::count(found.without_effect.begin(), found.without_effect.end(), one) == 1;
  }));
}

TEST_CASE("What noise alone may make takes no share of the variance, and its interval says so") {
  const ReadScenario read = read_scenario_text(loop_text(40, 0.5, 0.2, 10, 4), "s.json", {});
  const PlanQuestion question{.slowdown = 0.02, .clients = {}};
  Plan plan;
  plan.answer.within_slowdown = *mva_crossing(read.scenario, question.slowdown).clients / 4;
  plan.answer.saturates_at = 2 * plan.answer.within_slowdown;
  std::size_t calls = 0;
  const Sensitivity found = analyse_plan_sensitivity(
      plan, question, read, maker_of(read),
      [&](std::span<const SearchedScenario> scenarios) {
        ++calls;
        std::vector<SearchedRun> runs = by_mva(scenarios);
        // Noise of 1 % that the two replications of a scenario share with nobody.
        for (std::size_t i = 0; i < runs.size(); ++i)
          for (std::size_t r = 0; r < 2; ++r)
            runs[i].replications[r].all_jobs["slowdown"].mean *=
                1 + 0.005 * (static_cast<double>((i * 7 + r * 3) % 5) - 2);
        return runs;
      },
      0.1);
  CHECK(calls == 1);
  REQUIRE(!found.rows.empty());
  for (const SensitivityRow& row : found.rows) {
    CHECK(row.elasticity.low <= row.elasticity.mean);
    if (row.elasticity.low < 0 && row.elasticity.high > 0) CHECK(row.variance_share == 0);
  }
}

TEST_CASE("The next measurement is the one that brings most of the variance, and it says how much it would help") {
  const ReadScenario read = read_scenario_file("protodune-big-batch", {});
  const Plan plan = saturating_plan(read.scenario);
  const Sensitivity assumed = analyse_plan_sensitivity(plan, {}, read, maker_of(read), no_simulation, 0.1);
  // Half a bar is what an input that is off by its uncertainty does to the answer.
  double variance = 0.0;
  for (const SensitivityRow& row : assumed.rows) variance += std::pow((row.when_high - row.when_low) / 2, 2);
  double widest = 0.0;
  for (const SensitivityRow& row : assumed.rows) widest = std::max(widest, std::abs(row.when_high - row.when_low) / 2);
  const double shrinks = 1 - std::sqrt(1 - 0.75 * widest * widest / variance);
  CHECK(assumed.next_measurement ==
        "Measure /jobs/0/event/2/items to half its uncertainty and the part of the answer's interval that the inputs "
        "bring shrinks by " +
            std::to_string(std::lround(100 * shrinks)) +
            " %. All uncertainties are assumed, 10 % each: this says where the answer is sensitive, not where it is "
            "least known.");
}

TEST_CASE("An input that comes from a fit has the fit's uncertainty, at 95 %") {
  ReadScenario read = read_scenario_file("protodune-big-batch", {});
  read.fits = {{.file = "fitted.json",
                .name = "gpu",
                .parameters = {.names = {"per_item"}, .values = {29.37e-6}, .covariance = {1e-14}},
                .at = {"/per_item"},
                .units = {"s"},
                .places = {"/models/emtrk/service/t4"}}};
  const std::vector<SensitivityInput> inputs = sensitivity_inputs(read, 0.2);
  const auto at = [&](const std::string& pointer) {
    return *std::find_if(inputs.begin(), inputs.end(), [&](const auto& one) { return one.pointer == pointer; });
  };
  CHECK(at("/models/emtrk/service/t4/per_item").uncertainty == doctest::Approx(1.959964 * 1e-7 / 29.37e-6));
  CHECK(at("/models/emtrk/service/t4/per_item").fit == "fitted.json: gpu");
  CHECK(at("/models/emtrk/service/t4/per_item").value == "29.37 us");
  CHECK(at("/network/links/0/rtt").uncertainty == 0.2);
  CHECK(uncertainty_from(at("/network/links/0/rtt")) == "assumed");
}

TEST_CASE("A value that the reader refuses is varied to its other side, and a failed simulation becomes a note") {
  // A batch may not be larger than allowed, so that items can only be fewer.
  std::string text = loop_text(40, 0.5, 0.2, 1, 4);
  text.replace(text.find("\"items\": 1"), 10, "\"items\": 100");
  text.replace(text.find("\"max_batch_size\": 1"), 19, "\"max_batch_size\": 100");
  const ReadScenario read = read_scenario_text(text, "s.json", {});
  const Plan plan = saturating_plan(read.scenario);
  const Sensitivity found = analyse_plan_sensitivity(plan, {}, read, maker_of(read), no_simulation, 0.1);
  // One item fewer is 1 MB less of 100 MB on its way; the service time stays.
  const double ideal_s = 40.7 + 100 * 1e6 / 0.25e9;
  const double fewer_s = ideal_s - 1e6 / 0.25e9;
  CHECK(elasticity_of(found, "/jobs/0/event/1/items") ==
        doctest::Approx(std::log(ideal_s / fewer_s) / std::log(100.0 / 99.0)).epsilon(1e-6));

  Plan crossing = plan;
  crossing.answer.within_slowdown = 0.8 * plan.answer.saturates_at;
  const Sensitivity failed = analyse_plan_sensitivity(
      crossing, {}, read, maker_of(read),
      [](std::span<const SearchedScenario> scenarios) {
        std::vector<SearchedRun> runs = by_mva(scenarios);
        for (SearchedRun& run : runs) run.failure = "the run took more than 600 s";
        return runs;
      },
      0.1);
  CHECK(failed.rows.empty());
  CHECK(failed.next_measurement.empty());
  CHECK(has_note(failed,
                 "there are no elasticities: a simulation beside the answer failed: the run took more than 600 s"));
}

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

TEST_CASE("Cost per event is a time times a price: all durations together count once, and so do all prices" *
          doctest::test_suite("drawn")) {
  CHECK(rc::check([] {
    const auto tenths = [](int low, int high) { return *rc::gen::inRange(low, high) * 0.1; };
    const ReadScenario read = read_scenario_text(
        loop_text(tenths(10, 100), tenths(5, 50), tenths(0, 9), tenths(0, 900), *rc::gen::inRange(1, 4)), "s.json", {});
    const Objective objective{.figure = measure("cost_per_million")};
    const Sensitivity found = analyse_candidate_sensitivity(candidate_of(read, {}), objective, no_reserve, read,
                                                            maker_of(read), by_mva, 0.02);
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
  const Sensitivity found = analyse_candidate_sensitivity(
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
      analyse_candidate_sensitivity(candidate_of(read, {}, by_bound), {.figure = measure("cost_per_million")},
                                    no_reserve, read, maker_of(read), by_bound, 0.1);
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
    const Sensitivity found = analyse_candidate_sensitivity(
        candidate_of(read, {}), {.figure = measure("cost_per_million")}, no_reserve, read, maker_of(read), by_mva, off);
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
      analyse_plan_sensitivity(saturating_plan(read.scenario), {}, read, maker_of(read), no_simulation, 0.1);
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
    return analyse_candidate_sensitivity(candidate, {.figure = figure}, no_reserve, read, maker_of(read), no_simulation,
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
