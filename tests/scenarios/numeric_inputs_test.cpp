#include "scenarios/numeric_inputs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scenarios/scenario_fields.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

std::vector<std::string> pointers_of(const std::vector<NumericInput>& inputs) {
  std::vector<std::string> pointers;
  for (const NumericInput& input : inputs) pointers.push_back(input.pointer);
  return pointers;
}

const NumericInput& at(const std::vector<NumericInput>& inputs, const std::string& pointer) {
  const auto found =
      std::find_if(inputs.begin(), inputs.end(), [&](const NumericInput& one) { return one.pointer == pointer; });
  REQUIRE_MESSAGE(found != inputs.end(), pointer);
  return *found;
}

const std::string hostile_names = R"({
  "title": "10 s", "jobs": [{ "name": "3 GB", "site": "1 Gbps", "count": 40, "event": [
    { "cpu": { "uniform": { "low": "1 s", "high": "3 s" } }, "label": "5 ms" },
    { "cpu": { "empirical": ["1 s", "2 s", "4 s"] }, "label": "0 s" },
    { "infer": "count", "items": { "values": [40, 60] }, "request_batch": 1719, "item_lengths": [0.5, 2] },
    { "infer": "a/b~c", "items": 3 }] }],
  "models": {
    "count": { "input": "9216 B", "output": "0 B", "max_batch_size": 100, "max_queue_delay": "1 ms",
      "service": { "per_item": { "scatter": "10 %", "points": [
        { "items": 1, "time": "4 ms", "device": "1 ms" }, { "items": 8, "time": "9 ms", "device": "2 ms" }] } } },
    "a/b~c": { "service": { "gpu": { "per_item": { "gamma": { "mean": "2 ms", "cv": 0.5 } } } } } },
  "devices": { "price": { "price": "0.35 USD/h" } },
  "run": { "window": "1 h", "precision": 0.01 } })";

/// Every numeric field of the table as "object/key", following what objects refer to.
void add_numeric_fields(const Definition& definition, std::set<const Definition*>& seen, std::set<std::string>& found) {
  if (!seen.insert(&definition).second) return;
  const auto visit = [&](const ValueText& value) {
    for (const Definition* next : value.definitions) add_numeric_fields(*next, seen, found);
  };
  for (const ValueText& value : definition.alternatives) visit(value);
  for (const FieldText& field : definition.fields) {
    const std::string& words = field.value.words;
    const auto begins = [&](const char* word) { return words.rfind(word, 0) == 0; };
    if (begins("duration") || begins("size") || begins("bandwidth") || begins("rate") || begins("price") ||
        begins("power") || begins("number") || begins("whole number"))
      found.insert(definition.name + "/" + field.key);
    visit(field.value);
  }
}

}  // namespace

TEST_CASE("Inputs are the numbers that somebody measured, wherever names look like numbers or like keys") {
  const std::vector<NumericInput> inputs = numeric_inputs(hostile_names);
  CHECK(pointers_of(inputs) ==
        std::vector<std::string>{"/jobs/0/event/0/cpu/uniform", "/jobs/0/event/1/cpu/empirical",
                                 "/jobs/0/event/2/items/values", "/jobs/0/event/2/item_lengths",
                                 "/jobs/0/event/3/items", "/models/count/input",
                                 "/models/count/service/per_item/scatter", "/models/count/service/per_item/points",
                                 "/models/a~1b~0c/service/gpu/per_item/gamma/mean",
                                 "/models/a~1b~0c/service/gpu/per_item/gamma/cv", "/devices/price/price"});
  CHECK(shown_value(at(inputs, "/jobs/0/event/0/cpu/uniform")) == "1 s to 3 s");
  CHECK(shown_value(at(inputs, "/models/count/service/per_item/points")) == "2 points");
  CHECK(is_coarse(at(inputs, "/jobs/0/event/3/items")));
  CHECK_FALSE(is_coarse(at(inputs, "/jobs/0/event/2/items/values")));
  CHECK_FALSE(at(inputs, "/devices/price/price").simulated);
}

TEST_CASE("A scaled input keeps its unit; lists and points move as a whole, whole numbers in steps") {
  const std::vector<NumericInput> inputs = numeric_inputs(hostile_names);
  const auto doubled = [&](const std::string& pointer, double factor = 2.0) {
    return scaled(at(inputs, pointer), factor)->change.value;
  };
  CHECK(doubled("/models/count/input") == "18432 B");
  CHECK(doubled("/models/count/service/per_item/scatter") == "20 %");
  CHECK(doubled("/models/a~1b~0c/service/gpu/per_item/gamma/cv") == "1");
  CHECK(doubled("/jobs/0/event/0/cpu/uniform") == R"({"high":"6 s","low":"2 s"})");
  CHECK(doubled("/jobs/0/event/1/cpu/empirical") == R"(["2 s","4 s","8 s"])");
  CHECK(doubled("/models/count/service/per_item/points") ==
        R"([{"device":"2 ms","items":1,"time":"8 ms"},{"device":"4 ms","items":8,"time":"18 ms"}])");
  CHECK(doubled("/jobs/0/event/2/items/values", 1.02) == "[41,61]");
  CHECK(scaled(at(inputs, "/jobs/0/event/2/items/values"), 1.02)->factor == doctest::Approx(1.02));
  CHECK(doubled("/jobs/0/event/3/items", 1.001) == "4");
  CHECK(scaled(at(inputs, "/jobs/0/event/3/items"), 0.999)->factor == doctest::Approx(2.0 / 3.0));
  CHECK_FALSE(scaled(at(inputs, "/jobs/0/event/2/items/values"), 1.001));
}

TEST_CASE("Every input of every shipped scenario can be varied, and the reader takes it in its own place") {
  for (const EmbeddedFile& shipped : shipped_scenarios()) {
    CAPTURE(shipped.name);
    const ReadScenario read = read_scenario_file(std::string(shipped.name), {});
    const std::vector<NumericInput> inputs = numeric_inputs(read.resolved);
    CHECK(inputs.size() >= 2);
    for (const NumericInput& input : inputs) {
      CAPTURE(input.pointer);
      const auto change = scaled(input, 0.99);
      if (!change) {
        CHECK(is_coarse(input));
        continue;
      }
      CHECK_NOTHROW(read.again(std::vector<Override>{change->change}));
    }
  }
}

TEST_CASE("A document that is no scenario has no inputs") {
  for (const char* text : {"", "{", "[]", "7", R"({"jobs": "10 s"})", R"({"jobs": [[]]})",
                           R"({"jobs": [{"event": [{"cpu": "-"}, {"cpu": 1e999}, {"cpu": null}]}]})"})
    CHECK(numeric_inputs(text).empty());
}

TEST_CASE("Each numeric field is either an input or known to be none") {
  std::set<const Definition*> seen;
  std::set<std::string> found;
  add_numeric_fields(scenario_shape().definition(), seen, found);
  const std::set<std::string> inputs{
      "job pool/job_setup", "job pool/events_per_job", "infer stage/cpu_alternative", "client cost/per_request",
      "client cost/per_item", "model/input", "model/output", "service law/scatter", "host part/per_batch",
      "host part/per_item", "server/nic", "host stage/per_request", "host stage/per_item", "host stage/workers",
      "host stage/scatter", "device pool/interference", "attachment/bus", "attachment/latency",
      "device type/contention", "device type/price", "device type/power", "site/uplink", "link/bandwidth",
      "link/bandwidth_back", "link/rtt", "link/per_flow",
      // parameters of distributions and points
      "lognormal speed/mean", "lognormal speed/cv", "uniform speed/low", "uniform speed/high", "poisson arrivals/rate",
      "constant arrivals/rate", "gamma arrivals/rate", "gamma arrivals/cv", "exponential/mean", "gamma/mean",
      "gamma/cv", "lognormal/mean", "lognormal/cv", "uniform/low", "uniform/high", "poisson counts/mean",
      "lognormal counts/mean", "lognormal counts/cv", "geometric counts/mean", "measured point/time",
      "measured point/device"};
  const std::set<std::string> none{
      // chosen by a planner, or part of what is built
      "job pool/count", "job pool/threads", "job pool/concurrent_events", "job pool/start_over", "job pool/buffer",
      "infer stage/request_batch", "infer stage/in_flight", "infer stage/priority", "model/max_batch_size",
      "model/instances", "model/max_queue_delay", "model/priority_levels", "model/default_priority_level",
      "queue policy/max_queue_size", "queue policy/timeout", "server/nodes", "device pool/count", "site/cores",
      "service law/turns", "measured point/items",
      // how a scenario is simulated
      "run/seed", "run/precision", "run/confidence", "run/min_replications", "run/max_replications", "run/cycles",
      "run/window"};
  std::set<std::string> known = inputs;
  known.insert(none.begin(), none.end());
  CHECK(found == known);
}

}  // namespace saturn::tests
