#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/plan/search_option_samples.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

const SearchOptions free_devices{.free = {"/servers/0/devices/count"}, .objective = "fewest-gpus"};

SearchQuestion question_with(const std::vector<std::string>& require, const std::string& events = "1e9") {
  SearchOptions options = free_devices;
  options.require = require;
  options.events = events;
  return understand(options, big_batch());
}

/// What follows the option of the only complaint about a requirement.
std::string refusal(const std::string& require) {
  SearchOptions options = free_devices;
  options.require = {require};
  const auto all = complaints_of(options, big_batch());
  if (all.size() != 1) return std::to_string(all.size()) + " complaints";
  return all.front().substr(std::string("--require : ").size() + require.size());
}

/// What follows the option of the complaint about the last of several requirements.
std::string contradiction(const std::vector<std::string>& require) {
  SearchOptions options = free_devices;
  options.require = require;
  options.events = "1e9";
  const auto all = complaints_of(options, big_batch());
  if (all.size() != 1) return std::to_string(all.size()) + " complaints";
  const std::string start = "--require " + require.back() + ": require.contradictory: ";
  return all.front().starts_with(start) ? all.front().substr(start.size()) : all.front();
}

}  // namespace

TEST_CASE("limits are read with their units, of a figure or of one model, link or server") {
  const auto requirements =
      question_with({"latency_p99:emtrk <= 50 ms", "throughput>=6000 /min", "rent < 5 USD/h", "power <= 2 kW",
                     "network_share : fnal to iowa \u2264 50 %", "campaign_time <= 30 d", "jobs > 400",
                     "cost_per_million <= 200 USD", "cost_per_million<=150", "gpu_share:gke <= 0.9", "slowdown <= 5 %"})
          .requirements;
  REQUIRE(requirements.size() == 11);
  const std::vector<double> limits{0.05, 100, 5, 2000, 0.5, 30 * 86400.0, 400, 200, 150, 0.9, 0.05};
  for (std::size_t i = 0; i < limits.size(); ++i) CHECK(requirements[i].limit == doctest::Approx(limits[i]));
  CHECK(requirements[0].figure == measure("latency_p99"));
  CHECK(requirements[0].of == "emtrk");
  CHECK(requirements[0].at_most);
  CHECK_FALSE(requirements[1].at_most);
  CHECK_FALSE(requirements[6].at_most);
  CHECK(requirements[2].text == "rent <= 5 USD/h");
  CHECK(requirements[4].of == "fnal to iowa");
}

TEST_CASE("a slowdown of 1 % is asked unless something else about speed is, and few losses where events arrive") {
  const auto texts = [](const SearchOptions& options, const ReadScenario& read) {
    std::string all;
    for (const Requirement& requirement : understand(options, read).requirements)
      all += (all.empty() ? "" : "; ") + requirement.text;
    return all;
  };
  SearchOptions options = free_devices;
  CHECK(texts(options, big_batch()) == "slowdown <= 1 %");
  CHECK(texts(options, read_scenario_file("hlt-farm", {})) == "lost_share <= 0.1 %");
  options.require = {"gpus <= 8"};
  CHECK(texts(options, big_batch()) == "gpus <= 8; slowdown <= 1 %");
  options.require = {"throughput >= 1 /s"};
  CHECK(texts(options, big_batch()) == "throughput >= 1 /s");
  options.require = {"gpus <= 8"};
  options.slowdown = "2 %";
  CHECK(texts(options, big_batch()) == "gpus <= 8; slowdown <= 2 %");
}

TEST_CASE("a requirement that cannot be read is refused with an example of its kind") {
  CHECK(refusal("latencie <= 1 s") == "require.unknown_figure: \"latencie\" is no figure; did you mean \"latency\"?");
  CHECK(refusal("latency = 1 s") ==
        "require.no_limit: \"=\" asks for one value, which nothing simulated has exactly; write <= or >=.");
  CHECK(refusal("<= 1 s").starts_with("require.unknown_figure: \"\" is no figure; there are slowdown, event_time, "));
  CHECK(refusal("latency_p99:emtrc <= 50 ms") ==
        "require.unknown_name: latency_p99 cannot be asked of \"emtrc\"; did you mean \"emtrk\"?");
  CHECK(refusal("network_share:fnal-iowa <= 50 %") ==
        "require.unknown_name: network_share cannot be asked of \"fnal-iowa\"; did you mean \"fnal to iowa\"?");
  CHECK(refusal("gpus:gke <= 4") == "require.unknown_name: gpus is asked of everything together; leave \":gke\" out.");
  CHECK(refusal("latency_p99") == "require.no_limit: \"latency_p99\" has no limit; write \"latency_p99 <= 50 ms\".");
  CHECK(refusal("throughput >=") ==
        "require.no_limit: \"throughput >=\" has no limit; write \"throughput >= 100 /s\".");
  CHECK(refusal("latency_p99 <= 50") ==
        "require.wrong_unit: The limit of latency_p99 is \"50\"; a duration is needed, for example \"50 ms\".");
  CHECK(refusal("rent <= 5 MB") ==
        "require.wrong_unit: The limit of rent is \"5 MB\"; a price is needed, for example \"5 USD/h\".");
  CHECK(refusal("slowdown <= 1 ms") ==
        "require.wrong_unit: The limit of slowdown is \"1 ms\"; a share is needed, for example \"1 %\".");
  CHECK(refusal("gpus <= 4 GPUs") ==
        "require.wrong_unit: The limit of gpus is \"4 GPUs\"; a number without a unit is needed, for example \"8\".");
  CHECK(refusal("cost_per_million <= 5 EUR") ==
        "require.wrong_unit: The limit of cost_per_million is \"5 EUR\"; an amount "
        "in USD is needed, for example \"200 USD\".");
  CHECK(refusal("gpus <= nan").starts_with("require.wrong_unit: "));
  CHECK(refusal("campaign_time <= 30 d") ==
        "events.needed: campaign_time is that of a number of events; say how many, as "
        "in --events 1e9.");
}

TEST_CASE("a slowdown without a unit is refused, since it may be meant as a share, a ratio or percents") {
  const auto asks = [](const std::string& number, const std::string& meant) {
    const std::string words = "A slowdown is a share, by which events take longer than unloaded ones, and \"" + number +
                              "\" could be a ratio as well; did you mean " + meant + "?";
    CHECK(refusal("slowdown <= " + number) == "require.bare_slowdown: " + words);
    SearchOptions options = free_devices;
    options.slowdown = number;
    const auto all = complaints_of(options, big_batch());
    REQUIRE(all.size() == 1);
    CHECK(all.front() == "--slowdown " + number + ": require.bare_slowdown: " + words);
  };
  asks("1.05", "'5 %' or '105 %'");
  asks("0.05", "'5 %'");
  asks("5", "'5 %', '400 %' or '500 %'");
  CHECK(question_with({"slowdown <= 105 %"}).requirements[0].limit == doctest::Approx(1.05));
}

TEST_CASE("limits that nothing meets, and limits that exclude each other, are refused") {
  CHECK(contradiction({"slowdown <= -1 %"}) == "slowdown is never below 0; write a limit of 0 or more.");
  CHECK(contradiction({"network_share <= 150 %"}) == "network_share is never above 100 %; write a limit up to 100 %.");
  CHECK(contradiction({"latency <= 0 s"}) ==
        "latency is always above 0, so that nothing meets the limit; write one above 0.");
  CHECK(contradiction({"gpus >= 8", "gpus <= 4"}) ==
        "\"gpus >= 8\" and \"gpus <= 4\" exclude each other; drop one, or change a limit.");
  CHECK(contradiction({"latency_p99:emtrk <= 100 ms", "latency_p50:emtrk >= 1 s"}) ==
        "\"latency_p50:emtrk >= 1 s\" and \"latency_p99:emtrk <= 100 ms\" exclude each other, since the first is never "
        "above the second; drop one, or change a limit.");
  CHECK(
      contradiction({"latency:emtrk >= 2 s", "latency <= 1 s"}) ==
      "\"latency:emtrk >= 2 s\" and \"latency <= 1 s\" exclude each other, since the first is never above the second; "
      "drop one, or change a limit.");
  // 10^9 events in a day are 11,574 a second.
  CHECK(contradiction({"throughput <= 10 /s", "campaign_time <= 1 d"}) ==
        "\"campaign_time <= 1 d\" and \"throughput <= 10 /s\" exclude each other: 1000000000 events in that time are "
        "11574 "
        "/s; drop one, or change a limit.");
  // One model may be fast while the worst is slow, and equal limits can be met.
  CHECK(question_with({"latency >= 2 s", "latency:emtrk <= 1 s", "gpus >= 4", "gpus <= 4"}).requirements.size() == 4);
}

TEST_CASE("an objective must be named, exist, and be known for the scenario") {
  SearchOptions options = free_devices;
  options.objective.reset();
  CHECK(complaints_of(options, big_batch()) ==
        std::vector<std::string>{
            "--objective: objective.missing: Several candidates may meet every requirement; say which is the best one. "
            "There are fewest-gpus (least gpus: devices that are bought), cost (least cost_per_million: cost of a "
            "million "
            "events), rent (least rent: rent of everything that has a price), energy (least energy_per_million: energy "
            "of a "
            "million events), throughput (most throughput: events per second, of all jobs), campaign-time (least "
            "campaign_time: time for all events of the campaign), jobs-per-gpu (most jobs_per_gpu: jobs for each "
            "device that "
            "works), latency (least latency_p99: 99 % quantile of the latency)."});
  CHECK(understand({.require = {"gpus <= 8"}}, big_batch()).objective.name == "fewest-gpus");
  options.objective = "trougput";
  CHECK(complaints_of(options, big_batch()) ==
        std::vector<std::string>{"--objective trougput: objective.unknown: \"trougput\" is no objective; did you mean "
                                 "\"throughput\"?"});
  options.objective = "campaign-time";
  CHECK(complaints_of(options, big_batch()) ==
        std::vector<std::string>{
            "--objective campaign-time: events.needed: campaign_time is that of a number of events; say "
            "how many, as in --events 1e9."});
  options.events = "many";
  CHECK(complaints_of(options, big_batch()) ==
        std::vector<std::string>{
            "--events many: events.not_a_number: \"many\" is no number of events; write a number above "
            "0, such as 1e9 or 1000000000."});
}

TEST_CASE("cost and energy need prices and power, which the scenario has or a variable chooses") {
  const ReadScenario read = big_batch({{"/devices/t4/price", "null"}, {"/devices/t4/power", "null"}});
  SearchOptions options = free_devices;
  options.objective = "cost";
  options.require = {"power <= 2 kW"};
  CHECK(complaints_of(options, read) ==
        std::vector<std::string>{
            "--require power <= 2 kW: require.no_power: power needs the power of the devices, but /devices/t4 has no "
            "\"power\"; add --set /devices/t4/power='70 W'.",
            "--objective cost: objective.no_price: cost_per_million needs the price of the devices, but /devices/t4 "
            "has no "
            "\"price\"; add --set /devices/t4/price='0.35 USD/h'."});
  options.free = {"/devices/t4/price=0.2USD/h:0.6USD/h:x2"};
  options.require.clear();
  CHECK(complaints_of(options, read).empty());
}

TEST_CASE("every figure has its name, and objectives point the way in which their figure is better") {
  const std::vector<MeasureId> required = measures_where([](const Measure& one) { return one.required; });
  for (const MeasureId figure : required) CHECK(find_measure(figure->name) == figure);
  CHECK(objectives().size() == 8);
  for (const Objective& objective : objectives())
    CHECK(objective.figure->better == (objective.least ? Better::less : Better::more));
}

TEST_CASE("excess is relative to the limit, absolute at a limit of 0, and beyond any bound for what is no number") {
  const Requirement at_most{.figure = measure("latency"), .limit = 0.05};
  const Requirement at_least{.figure = measure("throughput"), .at_most = false, .limit = 100};
  CHECK(excess(at_most, 0.06) == doctest::Approx(0.2));
  CHECK(excess(at_most, 0.04) == doctest::Approx(-0.2));
  CHECK(excess(at_least, 80) == doctest::Approx(0.2));
  CHECK(excess({.figure = measure("lost_share"), .limit = 0}, 0.3) == doctest::Approx(0.3));
  CHECK(excess(at_least, std::nan("")) == std::numeric_limits<double>::infinity());
}
