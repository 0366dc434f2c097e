#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/triton/triton_config_text.hpp"
#include "scenarios/triton/triton_fields.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

// A model configuration as people write them: comments, both list styles, fields that only the server needs.
constexpr const char* tag_config = R"(# jet tagger
name: "tag"
backend: "onnxruntime"
max_batch_size : 48   # items
input [ { name: "x" data_type: TYPE_FP32 dims: [ -1, 16 ] } ]
output { name: "y" data_type: TYPE_FP32 dims: [ 4 ] }
instance_group [
	{ count: 3 kind: KIND_GPU gpus: [ 0, 1 ] }
]
dynamic_batching {
  preferred_batch_size: [ 12, 24 ]
  max_queue_delay_microseconds: 250
  priority_levels: 3
  default_priority_level: 2
  default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 9000 max_queue_size: 70 }
}
)";

/// The batching scenario with "tag", which nobody calls, told by a config.pbtxt that stands beside it.
class WithConfig {
 public:
  explicit WithConfig(const std::string& config) : folder_("config.pbtxt", config) {}

  ReadScenario read(const std::vector<Override>& changes = {}) const {
    std::vector<Override> all{{"/models/tag", R"({ "input": "1 kB", "triton_config": "config.pbtxt",
                                                   "service": { "t4": { "per_item": "20 us" } } })"},
                              {"/models/chain/max_batch_size", "1"},
                              {"/jobs/0/event", R"([{ "cpu": "1 s" }])"}};
    all.insert(all.end(), changes.begin(), changes.end());
    return batching_with(all, folder_.path("s.json"));
  }
  Model tag(const std::vector<Override>& changes = {}) const { return read(changes).scenario.models.at("tag"); }

  /// "line:column code\ntext" of the only complaint, when it is about the configuration.
  std::string complaint(const std::vector<Override>& changes = {}) const {
    try {
      read(changes);
    } catch (const InputError& error) {
      return shown_in_config(error.complaints());
    }
    return "none";
  }
  std::string warnings() const { return shown_in_config(read().warnings); }

 private:
  std::string shown_in_config(const std::vector<Complaint>& complaints) const {
    std::string text;
    for (const Complaint& c : complaints) {
      const std::string where = c.source == folder_.path("config.pbtxt") ? "" : c.source + ":";
      text += (text.empty() ? "" : "\n") + where + std::to_string(c.line) + ":" + std::to_string(c.column) + " " +
              c.code + "\n" + c.text;
    }
    return text;
  }

  ScratchFolder folder_;
};

}  // namespace

TEST_CASE("a model takes from its config.pbtxt what the scenario does not say") {
  const WithConfig config(tag_config);
  const Model tag = config.tag();
  CHECK(tag.max_batch_size == 48);
  CHECK(tag.instances == 3);
  CHECK(tag.dynamic_batching);
  CHECK(tag.preferred_batch_size == std::vector<std::uint64_t>{12, 24});
  CHECK(tag.max_queue_delay == Seconds{250e-6});
  CHECK(tag.priority_levels == 3);
  CHECK(tag.default_priority_level == 2);
  CHECK(tag.queue_policy.timeout == Seconds{9e-3});
  CHECK(tag.queue_policy.timeout_action == TimeoutAction::delay);
  CHECK(tag.queue_policy.max_queue_size == 70);
  CHECK(tag.triton_config.value().ends_with("/config.pbtxt"));
  CHECK(config.warnings() == "");
}

TEST_CASE("what the scenario says wins over the config.pbtxt") {
  const WithConfig config(tag_config);
  const Model tag = config.tag({{"/models/tag/instances", "2"}, {"/models/tag/max_queue_delay", "1 ms"}});
  CHECK(tag.instances == 2);
  CHECK(tag.max_queue_delay == Seconds{1e-3});
  CHECK(tag.preferred_batch_size == std::vector<std::uint64_t>{12, 24});
  const Model off = config.tag({{"/models/tag/dynamic_batching", "false"}});
  CHECK_FALSE(off.dynamic_batching);
  CHECK(off.preferred_batch_size.empty());
  CHECK(off.max_queue_delay == Seconds{0.0});
}

TEST_CASE("the resolved scenario holds what came from the config.pbtxt and needs the file no more") {
  const ReadScenario read = WithConfig(tag_config).read();
  CHECK(read.resolved.find("\"max_queue_delay\": \"250 us\"") != std::string::npos);
  CHECK(read.resolved.find("triton_config") == std::string::npos);
  const ReadScenario again = read_scenario_text(read.resolved, "elsewhere.json", {});
  CHECK(again.resolved == read.resolved);
  CHECK(again.scenario.models.at("tag").instances == 3);
}

TEST_CASE("max_batch_size 0 is a model that takes any request and does not batch") {
  const WithConfig config("max_batch_size: 0\ndynamic_batching { }\n");
  const Model tag = config.tag();
  CHECK(tag.max_batch_size == unlimited_batch);
  CHECK_FALSE(tag.dynamic_batching);
  CHECK(tag.instances == 1);
}

TEST_CASE("an empty dynamic_batching switches the batcher on, without preferred sizes or delay") {
  const Model tag = WithConfig("max_batch_size: 48 dynamic_batching {}").tag();
  CHECK(tag.dynamic_batching);
  CHECK(tag.preferred_batch_size.empty());
  CHECK(tag.max_queue_delay == Seconds{0.0});
}

TEST_CASE("a sequence batcher is taken with its strategy, slots, sizes, delay and idle time") {
  const Model oldest =
      WithConfig(
          "max_batch_size: 60\nsequence_batching {\n  max_sequence_idle_microseconds: 5000000\n"
          "  control_input [ { name: \"START\" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: "
          "[ 0, 1 ] } ] } ]\n  oldest { max_candidate_sequences: 400 preferred_batch_size: [ 48 ] "
          "max_queue_delay_microseconds: 1000 }\n}\n")
          .tag();
  REQUIRE(oldest.sequence_batching);
  CHECK(oldest.sequence_batching->strategy == SequenceStrategy::oldest);
  CHECK(sequence_slots(oldest) == 400);
  CHECK(oldest.sequence_batching->max_idle == Seconds{5.0});
  CHECK(oldest.preferred_batch_size == std::vector<std::uint64_t>{48});
  CHECK(oldest.max_queue_delay == Seconds{1e-3});
  const Model direct = WithConfig("max_batch_size: 48\nsequence_batching { }").tag();
  REQUIRE(direct.sequence_batching);
  CHECK(direct.sequence_batching->strategy == SequenceStrategy::direct);
  CHECK(sequence_slots(direct) == 48);
  CHECK(direct.sequence_batching->max_idle == Seconds{1.0});
  CHECK(sequence_slots(WithConfig("max_batch_size: 0\nsequence_batching { direct { } }").tag()) == 1);
}

TEST_CASE("instance groups add up on each device, and those on CPUs are left out") {
  const auto instances = [](const std::string& groups) {
    return WithConfig("max_batch_size: 48\n" + groups).tag().instances;
  };
  CHECK(instances("instance_group { kind: KIND_GPU }") == 1);
  CHECK(instances("instance_group { count: 2 } instance_group { count: 3 kind: KIND_GPU }") == 5);
  CHECK(instances("instance_group [ { count: 2 gpus: [0, 1] }, { count: 1 gpus: 0 gpus: 1 } ]") == 3);
  CHECK(instances("instance_group [ { count: 2 gpus: 0 }, { count: 2 gpus: 1 } ]") == 2);
  CHECK(instances("instance_group { count: 2 } instance_group { count: 4 kind: KIND_CPU }") == 2);
}

TEST_CASE("TensorRT's backend executes one batch a device, and says so where there are several instances") {
  for (const std::string named : {"platform: \"tensorrt_plan\"", "backend: \"tensorrt\""}) {
    CAPTURE(named);
    const WithConfig config(named + "\nmax_batch_size: 8\ninstance_group { count: 2 }");
    CHECK(config.tag().execution == ExecutionPolicy::one_per_device);
    CHECK(config.warnings().starts_with("1:"));
    CHECK(config.warnings().find("triton.one_per_device") != std::string::npos);
    const Override own{"/models/tag/execution", "per_instance"};
    CHECK(config.tag({own}).execution == ExecutionPolicy::per_instance);
    const WithConfig single(named + "\nmax_batch_size: 8");
    CHECK(single.tag().execution == ExecutionPolicy::one_per_device);
    CHECK(single.warnings().empty());
  }
  for (const std::string named : {"platform: \"onnxruntime_onnx\"", "backend: \"pytorch\"", ""})
    CHECK(WithConfig(named + "\nmax_batch_size: 8\ninstance_group { count: 2 }").tag().execution ==
          ExecutionPolicy::per_instance);
}

TEST_CASE("an ensemble takes its steps from the config.pbtxt in the order of their tensors") {
  const std::string steps = R"(max_batch_size: 32
ensemble_scheduling {
  step [
    { model_name: "tag" model_version: -1 input_map { key: "x" value: "cleaned" } output_map { key: "y" value: "Y" } },
    { model_name: "clean" model_version: -1 input_map { key: "x" value: "X" } output_map { key: "y" value: "cleaned" } }
  ]
}
)";
  const ScratchFolder folder("chain.pbtxt", steps);
  const ReadScenario read = batching_with({{"/models/chain", R"({ "input": "1 kB", "triton_config": "chain.pbtxt" })"}},
                                          folder.path("s.json"));
  CHECK(read.scenario.models.at("chain").ensemble == std::vector<std::string>{"clean", "tag"});
  CHECK(read.warnings.empty());
  const auto order = [](const std::string& of_steps) {
    const ParsedTriton parsed = parse_triton_config("ensemble_scheduling { " + of_steps + " }");
    return order_of(parsed.config.find("ensemble_scheduling")->find("step")->children);
  };
  const TritonOrder side_by_side = order(R"(
    step { input_map { key: "x" value: "X" } output_map { key: "y" value: "a" } }
    step { input_map { key: "x" value: "X" } output_map { key: "y" value: "b" } }
    step { input_map { key: "x" value: "a" } input_map { key: "z" value: "b" } output_map { key: "y" value: "Y" } })");
  CHECK(side_by_side.steps == std::vector<std::size_t>{0, 1, 2});
  CHECK_FALSE(side_by_side.is_chain);
  CHECK(order(R"(step { input_map { key: "x" value: "b" } output_map { key: "y" value: "a" } }
                 step { input_map { key: "x" value: "a" } output_map { key: "y" value: "b" } })")
            .steps.empty());
  CHECK(order("step { } step { }").is_chain);
}

TEST_CASE("a config.pbtxt that is nested without end, or far too large, is refused") {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "a { ";
  CHECK(WithConfig(deep).complaint().starts_with("1:259 triton.too_deep\n"));
  CHECK(WithConfig(std::string(2'000'000, ' ')).complaint().find("scenario.too_large") != std::string::npos);
}

TEST_CASE("a config.pbtxt of a million characters on one line is read or refused in the time of reading it") {
  std::string sizes = "max_batch_size: 48 dynamic_batching { preferred_batch_size: [1";
  while (sizes.size() < 1'000'000) sizes += "\t, 1";
  CHECK(WithConfig(sizes + "] }").complaint().find("has 2") != std::string::npos);
  std::string groups = "max_batch_size: 48 ";
  while (groups.size() < 1'000'000) groups += "x: 1 instance_group { count: 1 }\t";
  CHECK(WithConfig(groups).complaint().find("/models/tag/instances is ") != std::string::npos);
}

TEST_CASE("a config.pbtxt with flipped, torn, swapped or repeated pieces is read or refused, never more") {
  const std::vector<std::string> samples{tag_config};
  CHECK(rc::check("mutants", [&] {
    const std::string text = fuzz::mutant_of(samples, fuzz::SeededDraws(*rc::gen::arbitrary<std::uint64_t>()));
    const ParsedTriton parsed = parse_triton_config(text);
    if (parsed.fault) {
      RC_ASSERT(!parsed.fault->text.empty());
      RC_ASSERT(parsed.fault->offset <= text.size());
      return;
    }
    Node model;
    model.kind = NodeKind::object;
    fill_from_triton(model, parsed.config);
    RC_ASSERT(model.find("max_batch_size") != nullptr);
    for (const Node& child : model.children) RC_ASSERT(child.place.offset <= text.size());
  }));
}

namespace {

bool same_sequences(const Model& a, const Model& b) {
  if (!a.sequence_batching || !b.sequence_batching) return !a.sequence_batching && !b.sequence_batching;
  return a.sequence_batching->strategy == b.sequence_batching->strategy && sequence_slots(a) == sequence_slots(b) &&
         a.sequence_batching->max_idle == b.sequence_batching->max_idle;
}

bool same_settings(const Model& a, const Model& b) {
  return a.max_batch_size == b.max_batch_size && a.instances == b.instances &&
         a.dynamic_batching == b.dynamic_batching && a.preferred_batch_size == b.preferred_batch_size &&
         a.max_queue_delay == b.max_queue_delay && a.priority_levels == b.priority_levels &&
         a.default_priority_level == b.default_priority_level &&
         a.queue_policy.max_queue_size == b.queue_policy.max_queue_size &&
         a.queue_policy.timeout == b.queue_policy.timeout &&
         a.queue_policy.timeout_action == b.queue_policy.timeout_action && a.ensemble == b.ensemble &&
         same_sequences(a, b);
}

Seconds whole_microseconds(std::uint64_t number) {
  return Seconds{read_quantity(std::to_string(number) + " us", Dimension::duration).value};
}

Model any_model() {
  Model model;
  model.max_batch_size = *rc::gen::inRange<std::uint64_t>(1, 1000);
  model.instances = *rc::gen::inRange<std::uint64_t>(1, 20);
  if (*rc::gen::inRange(0, 3) == 0) {
    model.sequence_batching = SequenceBatching{};
    model.sequence_batching->max_idle = whole_microseconds(*rc::gen::inRange<std::uint64_t>(1, 4) * 500'000);
    if (*rc::gen::arbitrary<bool>()) return model;
    model.sequence_batching->strategy = SequenceStrategy::oldest;
    model.sequence_batching->candidates = *rc::gen::inRange<std::uint64_t>(1, 100);
    if (*rc::gen::arbitrary<bool>()) model.preferred_batch_size.push_back(1);
    model.max_queue_delay = whole_microseconds(*rc::gen::inRange<std::uint64_t>(0, 3) * 1234567);
    return model;
  }
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
    "max_batch_size: 8\nsequence_batching { control_input [ { name: \"START\" } ] oldest { max_candidate_sequences: 5 "
    "preferred_batch_size: 3 } }\n",
    "max_batch_size: 8\nsequence_batching { direct { } max_sequence_idle_microseconds: 1000000 }\n",
};

}  // namespace

TEST_CASE("a model written as config.pbtxt is read back the same, over any configuration that was there") {
  CHECK(rc::check("read(write(model)) == model", [] {
    const Model model = any_model();
    const std::string original = *rc::gen::elementOf(originals);
    const std::string written = triton_config_text("tag", model, original, "s.json");
    RC_LOG() << written;
    RC_ASSERT(same_settings(WithConfig(written).tag(), model));
    for (const char* word : {"# kept", "rate_limiter { priority: 3 }", "unknown: [1]", "string_value: \"}\"",
                             "preserve_ordering: true", "name: \"tag\"", "control_input [ { name: \"START\" } ]"}) {
      const bool of_several_groups = std::string(word).starts_with("rate_limiter") && model.instances != 2;
      const bool of_batcher = std::string(word).starts_with("unknown") || std::string(word).starts_with("preserve");
      if (std::string(word).starts_with("control") && !model.sequence_batching) continue;
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
    CHECK(triton_config_text("tag", WithConfig(original).tag(), original) == original);
  }
}

TEST_CASE("a configuration is changed only where the model differs") {
  const std::string original =
      "name: \"tag\"  # ours\nmax_batch_size: 8\ninstance_group [ { count: 1 kind: KIND_GPU } ]\n"
      "dynamic_batching {\n  max_queue_delay_microseconds: 100\n}\noptimization { graph { level: 1 } }\n";
  Model model = WithConfig(original).tag();
  model.max_batch_size = 16;
  model.instances = 2;
  model.max_queue_delay = whole_microseconds(300);
  CHECK(triton_config_text("tag", model, original) ==
        "name: \"tag\"  # ours\n# planned with batches up to 16, before: 8\nmax_batch_size: 16\ninstance_group [ { "
        "count: 2 kind: KIND_GPU } ]\n"
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
  CHECK(model_of_step(parsed.config.find("ensemble_scheduling")->find("step")->children.front()) == "clean");
  CHECK(triton_config_text("chain", model, written) == written);
  model.ensemble = {"tag"};
  CHECK_THROWS_AS(triton_config_text("chain", model, written), std::invalid_argument);
  CHECK_THROWS_AS(triton_config_text("chain", model, "max_batch_size: ${n}"), InputError);
}

}  // namespace saturn::tests
