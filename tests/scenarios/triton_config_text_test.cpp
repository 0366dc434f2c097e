#include "scenarios/triton_config_text.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/quantity_text.hpp"
#include "scenarios/triton_fields.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

/// The model that a scenario gets from a config.pbtxt alone.
Model model_of(const std::string& config) {
  const ScratchFolder folder;
  folder.write("config.pbtxt", config);
  const std::vector<Override> changes{{"/models/tag", R"({ "input": "1 kB", "triton_config": "config.pbtxt",
                                                           "service": { "t4": { "per_item": "20 us" } } })"},
                                      {"/models/chain/max_batch_size", "1"},
                                      {"/jobs/0/event", R"([{ "cpu": "1 s" }])"}};
  return read_scenario_text(batching_scenario(), folder.path("s.json"), changes).scenario.models.at("tag");
}

bool same_settings(const Model& a, const Model& b) {
  return a.max_batch_size == b.max_batch_size && a.instances == b.instances &&
         a.dynamic_batching == b.dynamic_batching && a.preferred_batch_size == b.preferred_batch_size &&
         a.max_queue_delay == b.max_queue_delay && a.priority_levels == b.priority_levels &&
         a.default_priority_level == b.default_priority_level &&
         a.queue_policy.max_queue_size == b.queue_policy.max_queue_size &&
         a.queue_policy.timeout == b.queue_policy.timeout &&
         a.queue_policy.timeout_action == b.queue_policy.timeout_action && a.ensemble == b.ensemble;
}

Seconds whole_microseconds(std::uint64_t number) {
  return Seconds{read_quantity(std::to_string(number) + " us", Dimension::duration).value};
}

Model any_model() {
  Model model;
  model.max_batch_size = *rc::gen::inRange<std::uint64_t>(1, 1000);
  model.instances = *rc::gen::inRange<std::uint64_t>(1, 20);
  model.dynamic_batching = *rc::gen::arbitrary<bool>();
  if (!model.dynamic_batching) {
    if (*rc::gen::inRange(0, 4) == 0) model.max_batch_size = unlimited_batch;
    return model;
  }
  const std::size_t sizes = *rc::gen::inRange<std::size_t>(0, 4);
  for (std::size_t i = 1; i <= sizes && i <= model.max_batch_size; ++i) model.preferred_batch_size.push_back(i);
  model.max_queue_delay = whole_microseconds(*rc::gen::inRange<std::uint64_t>(0, 3) * 1234567);
  if (*rc::gen::arbitrary<bool>()) {
    model.priority_levels = *rc::gen::inRange<std::uint64_t>(2, 9);
    model.default_priority_level = *rc::gen::inRange<std::uint64_t>(1, model.priority_levels + 1);
  }
  if (*rc::gen::arbitrary<bool>()) model.queue_policy.max_queue_size = *rc::gen::inRange<std::uint64_t>(1, 100);
  if (*rc::gen::arbitrary<bool>()) {
    model.queue_policy.timeout = whole_microseconds(*rc::gen::inRange<std::uint64_t>(1, 1'000'000));
    model.queue_policy.timeout_action = *rc::gen::element(TimeoutAction::reject, TimeoutAction::delay);
  }
  return model;
}

// Configurations of every style; each keeps words that no edit may lose.
const std::vector<std::string> originals{
    "",
    "name: \"tag\"",
    "name: \"tag\"\nmax_batch_size : 7, # kept\ninstance_group { kind: KIND_GPU }\n",
    "# kept\nmax_batch_size: 0; parameters [ { key: \"a\" value { string_value: \"}\" } } ]\ninstance_group [ { count: "
    "2 "
    "kind: KIND_GPU rate_limiter { priority: 3 } } ]\ndynamic_batching {}",
    "dynamic_batching: <preferred_batch_size: [3, 4] unknown: [1] priority_levels: 2 default_priority_level: 1> # kept "
    "}\n"
    "max_batch_size: 4",
    "max_batch_size: 99 instance_group [ { count: 2 }, { count: 3 kind: KIND_GPU }, { count: 5 kind: KIND_CPU } ]\n"
    "dynamic_batching { preferred_batch_size: 3 preferred_batch_size: 9 max_queue_delay_microseconds: 5\n"
    "default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 8 } # kept\n preserve_ordering: true "
    "}\n",
};

}  // namespace

TEST_CASE("a model written as config.pbtxt is read back the same, over any configuration that was there") {
  CHECK(rc::check("read(write(model)) == model", [] {
    const Model model = any_model();
    const std::string original = *rc::gen::elementOf(originals);
    const std::string written = triton_config_text("tag", model, original, "s.json");
    RC_LOG() << written;
    RC_ASSERT(same_settings(model_of(written), model));
    for (const char* word : {"# kept", "rate_limiter { priority: 3 }", "unknown: [1]", "string_value: \"}\"",
                             "preserve_ordering: true", "name: \"tag\""}) {
      const bool of_several_groups = std::string(word).starts_with("rate_limiter") && model.instances != 2;
      const bool of_batcher = std::string(word).starts_with("unknown") || std::string(word).starts_with("preserve");
      if (original.find(word) == std::string::npos || (of_batcher && !model.dynamic_batching)) continue;
      const bool in_batcher_comment = original.find("preserve") != std::string::npos && word == std::string("# kept");
      if (in_batcher_comment && !model.dynamic_batching) continue;
      RC_ASSERT(written.find(word) != std::string::npos || of_several_groups);
    }
  }));
}

TEST_CASE("a configuration that says what the model says is left as it is, byte for byte") {
  for (const std::string& original : originals) {
    if (original.empty() || !original.ends_with('\n')) continue;
    CHECK(triton_config_text("tag", model_of(original), original) == original);
  }
}

TEST_CASE("a configuration is changed only where the model differs") {
  const std::string original =
      "name: \"tag\"  # ours\nmax_batch_size: 8\ninstance_group [ { count: 1 kind: KIND_GPU } ]\n"
      "dynamic_batching {\n  max_queue_delay_microseconds: 100\n}\noptimization { graph { level: 1 } }\n";
  Model model = model_of(original);
  model.max_batch_size = 16;
  model.instances = 2;
  model.max_queue_delay = whole_microseconds(300);
  CHECK(triton_config_text("tag", model, original) ==
        "name: \"tag\"  # ours\nmax_batch_size: 16\ninstance_group [ { count: 2 kind: KIND_GPU } ]\n"
        "dynamic_batching {\n  max_queue_delay_microseconds: 300\n}\noptimization { graph { level: 1 } }\n");
}

TEST_CASE("a new configuration says where it is from and what it lacks") {
  Model model;
  model.max_batch_size = 8;
  CHECK(triton_config_text("a \"b\"", model, "", "s.json") ==
        "# Written by saturn for s.json: how the model was simulated. Add what only the model file knows:\n"
        "# backend or platform, input and output.\nname: \"a \\\"b\\\"\"\nmax_batch_size: 8\ninstance_group [\n  {\n"
        "    count: 1\n    kind: KIND_GPU\n  }\n]\n");
}

TEST_CASE("an ensemble is written with its steps, and one whose steps differ from the original's is refused") {
  Model model;
  model.max_batch_size = 8;
  model.ensemble = {"clean", "tag"};
  const std::string written = triton_config_text("chain", model, "");
  const ParsedTriton parsed = parse_triton_config(written);
  REQUIRE(parsed.config.steps.size() == 2);
  CHECK(parsed.config.steps[0].model == "clean");
  CHECK(triton_config_text("chain", model, written) == written);
  model.ensemble = {"tag"};
  CHECK_THROWS_AS(triton_config_text("chain", model, written), std::invalid_argument);
  CHECK_THROWS_AS(triton_config_text("chain", model, "max_batch_size: ${n}"), InputError);
}

}  // namespace saturn::tests
