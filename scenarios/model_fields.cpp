#include "scenarios/scenario_fields.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t most_items = 1'000'000'000;

const Shape<QueuePolicy>& queue_policy_shape() {
  static const Shape<QueuePolicy> shape =
      Shape<QueuePolicy>("queue policy",
                         "Limits of the queue in which requests wait to be batched; of each priority "
                         "level, where there are several.")
          .optional(
              "max_queue_size", count_rule(1, most_items), &QueuePolicy::max_queue_size, "no limit",
              "Requests that may wait; further ones are rejected. A client whose request is rejected goes on with "
              "its event, and first computes the items itself where the stage says how long that takes "
              "(cpu_alternative).")
          .optional("timeout", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "ms", .above_low = true}),
                    &QueuePolicy::timeout, "requests wait as long as it takes",
                    "Time after which a waiting request has timed out.")
          .defaulted(
              "timeout_action",
              choice_rule<TimeoutAction>({{"reject", TimeoutAction::reject}, {"delay", TimeoutAction::delay}}),
              &QueuePolicy::timeout_action,
              "What becomes of a request that has timed out: it is answered with an error, or it waits on behind "
              "all that have not.");
  return shape;
}

void check_presence(const Spot& spot, ComplaintList& complaints) {
  if (spot.node.find("max_batch_size") == nullptr)
    complaints.refuse(
        spot.node.place, spot.pointer + "/max_batch_size", "scenario.missing_key",
        spot.subject() + " lacks \"max_batch_size\", which a model needs, for example \"max_batch_size\": 65536.");
  if (spot.node.find("service") != nullptr || spot.node.find("ensemble") != nullptr) return;
  if (!complaints.complete(spot.pointer)) return;
  complaints.refuse(spot.node.place, spot.pointer + "/service", "scenario.missing_key",
                    spot.subject() +
                        " lacks \"service\", which a model needs, for example \"service\": { \"t4\": { \"per_item\": "
                        "\"32.2 us\" } }, or \"ensemble\" with the models that it chains.");
}

}  // namespace

const Shape<Model>& model_shape() {
  const QuantityRange data{.low = "0 B", .high = "1 TB", .usual = "B"};
  static const Shape<Model> shape =
      Shape<Model>("model",
                   "A model as the servers execute it: on instances of its own, which take batches from one queue a "
                   "node, or as an ensemble, a chain of other models. The rules of batching are those of NVIDIA's "
                   "Triton Inference Server.")
          .required("input", size_rule(data), &Model::input, "\"9216 B\"", "Data of a request, for each item.")
          .measured()
          .defaulted("output", size_rule(data), &Model::output, "Data of an answer, for each item.")
          .measured()
          .optional(
              "triton_config", line_rule(), &Model::triton_config, "every value stands here",
              "Path of the model's config.pbtxt, relative to the scenario file. Keys that the model lacks here are "
              "taken from it: max_batch_size (its 0 counts as no limit, without batching), instances, "
              "dynamic_batching and what belongs to it, ensemble.")
          .optional("max_batch_size", count_rule(1, most_items), &Model::max_batch_size,
                    "what `triton_config` says; required without it",
                    "Most items of a batch, and of a request; requests are never split.")
          .searched(SearchStart::batch_sizes)
          .defaulted("instances", count_rule(1, 1024), &Model::instances,
                     "Copies of the model on each device, or on each slice of a device; each executes one batch at a "
                     "time.")
          .searched(SearchStart::up_to_4)
          .defaulted("dynamic_batching", flag_rule(), &Model::dynamic_batching,
                     "Whether waiting requests are joined into batches; otherwise each request is a batch of its own.")
          .optional("preferred_batch_size", list_of(count_rule(1, most_items), 0, 100), &Model::preferred_batch_size,
                    "none",
                    "Sizes at which a batch is sent at once, each at most max_batch_size. Needs "
                    "dynamic_batching.")
          .defaulted("max_queue_delay", duration_rule({.low = "0 s", .high = "1e6 s", .usual = "us"}),
                     &Model::max_queue_delay,
                     "Time for which the oldest waiting request may be held back, so that its batch fills, while an "
                     "instance is free. Needs dynamic_batching.")
          .searched(SearchStart::queue_delays)
          .defaulted(
              "batch_forming",
              choice_rule<BatchForming>({{"when_idle", BatchForming::when_idle}, {"ahead", BatchForming::ahead}}),
              &Model::forming,
              "When batches are formed: for an instance that is free, or ahead of it, up to two batches an "
              "instance, as servers of 2021 do. Needs dynamic_batching.")
          .defaulted(
              "item_lengths", choice_rule<LengthRule>({{"ragged", LengthRule::ragged}, {"padded", LengthRule::padded}}),
              &Model::lengths,
              "How items of different lengths make up a batch: it costs by their sum, or every item costs as much "
              "as the longest.")
          .defaulted("priority_levels", count_rule(1, 1000), &Model::priority_levels,
                     "Levels of priority; 1 is served first. Needs dynamic_batching.")
          .optional("default_priority_level", count_rule(1, 1000), &Model::default_priority_level, "the last level",
                    "Level of requests that name none.")
          .optional("queue_policy", queue_policy_shape().rule(), &Model::queue_policy, "no limits",
                    "Limits of the queue. Needs dynamic_batching.")
          .optional("ensemble", list_of(name_rule(), 1, 1000), &Model::ensemble, "a model with instances of its own",
                    "Models that a request passes one after the other within its node, without going back to the "
                    "client. An ensemble has no instances, no batching and no service law of its own, and every server "
                    "that holds it holds its steps.")
          .optional("service", map_of(service_law_shape().rule(), "device type", 1000), &Model::service,
                    "none: the model is an ensemble",
                    "How long a batch takes on each type of device, for example `{ \"t4\": { \"per_item\": \"32.2 us\" "
                    "} }`.")
          .finish([](Model&, const Spot& spot, ComplaintList& complaints) { check_presence(spot, complaints); });
  return shape;
}

}  // namespace saturn
