#include <algorithm>
#include <stdexcept>

#include "scenarios/fields/law_rules.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

namespace {

const Definition& stage_definition() {
  static const Definition definition{
      "stage",
      "A step of an event: either it computes on the job's own core (\"cpu\"), or it calls a model (\"infer\").",
      {},
      {cpu_stage_shape().rule().text, infer_stage_shape().rule().text}};
  return definition;
}

template <class Kind>
std::optional<Stage> as_stage(std::optional<Kind> stage) {
  if (!stage) return std::nullopt;
  return Stage{std::move(*stage)};
}

Rule<std::vector<std::string>> needs_rule() {
  return list_of(line_rule(), 1, 1000);
}
constexpr const char* needs_sentence =
    "Labels of earlier asynchronous stages of the event; this one begins when all their answers are there.";

template <class Member>
auto of_calls(Member member) {
  return [member](InferStage & stage) -> auto& {
    return stage.rules.*member;
  };
}

Rule<Seconds> cost_rule() {
  return duration_rule({.low = "0 s", .high = "1e9 s", .usual = "ms"});
}

}  // namespace

const Shape<ClientCost>& client_cost_shape() {
  static const Shape<ClientCost> shape =
      Shape<ClientCost>("client cost",
                        "Time on the job's own core before a request can be sent: per_request + items·per_item. The "
                        "requests of a window are serialised one after the other.")
          .defaulted("per_request", cost_rule(), &ClientCost::per_request, "Part that every request costs.")
          .measured()
          .defaulted("per_item", cost_rule(), &ClientCost::per_item, "Part that each item costs.")
          .measured();
  return shape;
}

const Shape<CpuStage>& cpu_stage_shape() {
  static const Shape<CpuStage> shape =
      Shape<CpuStage>("cpu stage", "Work on the job's own core.")
          .required("cpu", time_rule("s"), &CpuStage::time, "\"110 s\"", "Time on one core.")
          .measured()
          .optional("label", line_rule(), &CpuStage::label, "`\"cpu\"`", "What breakdowns call the stage.")
          .unchosen()
          .optional("part_of", name_rule(), &CpuStage::part_of, "work that every job does",
                    "Name of the model that this work prepares or follows: it is done because the model is offloaded "
                    "(t_pre of the formula), and not by a job that infers on its own CPU.")
          .optional("needs", needs_rule(), &CpuStage::needs, "nothing", needs_sentence)
          .finish([](CpuStage& stage, const Spot&, ComplaintList&) {
            if (stage.label.empty()) stage.label = "cpu";
          });
  return shape;
}

const Shape<InferStage>& infer_stage_shape() {
  static const Shape<InferStage> shape =
      Shape<InferStage>("infer stage", "Calls of a model on a server.")
          .required("infer", name_rule(), &InferStage::model, "\"emtrk\"", "Name of the model, from `models`.")
          .required("items", items_rule(), &InferStage::items, "55000",
                    "Inferences that an event needs. An event that needs none sends no request.")
          .measured()
          .optional(
              "request_batch", count_rule(1, 1'000'000'000), &InferStage::request_batch,
              "all items of an event in one request",
              "Items that a request carries; the last request carries the rest. At most `max_batch_size` of the model.")
          .searched(SearchStart::request_sizes)
          .defaulted("in_flight", count_rule(1, 100'000), &InferStage::in_flight,
                     "Requests of this stage that may be outstanding at once; 1 means that each call blocks.")
          .optional("label", line_rule(), &InferStage::label, "the model's name", "What breakdowns call the stage.")
          .unchosen()
          .optional(
              "cpu_alternative", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "s"}),
              &InferStage::cpu_alternative, "not known",
              "Time that the same inferences (of an event with the mean number of items) take on the job's own core: "
              "for "
              "comparison, and for those that a server rejects (`queue_policy`), which the job then computes itself.")
          .measured()
          .optional("priority", count_rule(1, 1000), &InferStage::priority, "the model's default level",
                    "Priority of the requests, 1 first; at most `priority_levels` of the model.")
          .optional(
              "item_lengths", list_of(number_rule({.low = 0.0, .high = 1e6, .above_low = true}), 1, 10'000),
              &InferStage::item_lengths, "1",
              "Lengths of the items, relative to those that the service law was measured with, for example `[0.5, "
              "1, 2.5]`: all items of a request have one of them, each as likely.")
          .measured()
          .defaulted(
              "asynchronous", flag_rule(), &InferStage::asynchronous,
              "True: the event goes on with its next stages while the requests are under way, up to a stage that "
              "`needs` this one, or to its end. False: the event waits for the answers, and keeps its core.")
          .optional("needs", needs_rule(), &InferStage::needs, "nothing", needs_sentence)
          .optional("client_cost", client_cost_shape().rule(), &InferStage::client_cost, "sending costs nothing",
                    "What sending costs on the job's own core.")
          .optional(
              "deadline", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "s", .above_low = true}),
              of_calls(&CallRules::deadline), "streams wait as long as it takes",
              "Time after which a try is given up. Its answer, when it comes at last, is thrown away, but has cost "
              "the server its work.")
          .optional("retries", retry_shape().rule(), of_calls(&CallRules::retries), "none",
                    "What becomes of a call that was given up, rejected or lost.")
          .optional("fallback", fallback_shape().rule(), of_calls(&CallRules::fallback),
                    "the job's own core where `cpu_alternative` is known, else nobody",
                    "Who does the work of a call that all its tries have failed.")
          .defaulted("when_failed",
                     choice_rule<FailedCall>(
                         {{"event_goes_on", FailedCall::event_goes_on}, {"job_ends", FailedCall::job_ends}}),
                     of_calls(&CallRules::when_failed),
                     "What becomes of an event when nobody does the work of one of its calls: it goes on without the "
                     "answer; or it is lost, and the next job begins with its set-up, as in CMSSW.")
          .optional("servers", list_of(name_rule(), 1, 100), of_calls(&CallRules::servers),
                    "all that hold the model, as one",
                    "Servers in the order of preference: a call goes to the first that has a node in service.")
          .defaulted("discovery",
                     choice_rule<Discovery>({{"per_call", Discovery::per_call}, {"per_job", Discovery::per_job}}),
                     of_calls(&CallRules::discovery),
                     "When one of `servers` is chosen: for every try, or at the first call of each job, which then "
                     "stays there.")
          .defaulted("sequence",
                     choice_rule<SequenceScope>({{"job", SequenceScope::job}, {"event", SequenceScope::event}}),
                     &InferStage::sequence,
                     "Where the model keeps state (`sequence_batching`): which requests of a stream are one sequence, "
                     "those of a job or those of an event.")
          .finish([](InferStage& stage, const Spot& spot, ComplaintList&) {
            if (stage.label.empty()) stage.label = stage.model;
            if (spot.node.find("request_batch") == nullptr)
              stage.request_batch = std::max<std::uint64_t>(1, stage.items.largest());
          });
  return shape;
}

Rule<Stage> stage_rule() {
  return {reference_to(stage_definition()), [](const Spot& spot, ComplaintList& complaints) -> std::optional<Stage> {
            if (spot.node.kind != NodeKind::object)
              return refuse_value(spot, complaints, "scenario.wrong_type",
                                  "; a stage in braces is needed, for example { \"cpu\": \"110 s\" }.");
            const std::optional<std::size_t> chosen = chosen_key(spot, {"cpu", "infer"}, "a stage", complaints);
            if (!chosen) return std::nullopt;
            return *chosen == 0 ? as_stage(cpu_stage_shape().read(spot, complaints))
                                : as_stage(infer_stage_shape().read(spot, complaints));
          }};
}

/// What concerns jobs that begin their events themselves means nothing where events arrive.
void check_open_pool(const JobPool& pool, const Spot& spot, ComplaintList& complaints) {
  const auto refuse = [&](const char* key, const char* code, const std::string& text) {
    const Node* node = spot.node.find(key);
    if (node != nullptr)
      complaints.refuse(node->key_place, spot.pointer + "/" + key, code, spot.pointer + "/" + key + text);
  };
  if (spot.node.find("arrivals") == nullptr) {
    if (pool.buffer)
      refuse("buffer", "scenario.buffer_without_arrivals",
             " is where arrived events wait, but this pool has no \"arrivals\"; add them, or leave the buffer out.");
    return;
  }
  for (const char* key : {"start", "start_over", "events_per_job", "job_setup"})
    refuse(key, "scenario.beside_arrivals",
           " concerns jobs that begin their events themselves, but here events come from \"arrivals\"; leave one of "
           "the two out.");
}

const Shape<JobPool>& job_pool_shape() {
  static const Shape<JobPool> shape =
      Shape<JobPool>("job pool", "Equal jobs at one site; each runs one event after the other.")
          .required("name", name_rule(), &JobPool::name, "\"reco\"", "Unique among the pools.")
          .unchosen()
          .required("site", name_rule(), &JobPool::site, "\"fnal\"", "Where the jobs run; links join sites.")
          .required("count", count_rule(1, 1'000'000'000'000), &JobPool::count, "268", "Number of jobs.")
          .searched(SearchStart::job_counts)
          .defaulted("threads", count_rule(1, 1024), &JobPool::threads, "Cores of a job.")
          .optional("streams", count_rule(1, 1024), &JobPool::streams, "as many as `threads`",
                    "Streams of a job. More than `threads` share its cores, first come first served: a stream holds a "
                    "core while it computes and through blocking calls, and gives it back while it waits for "
                    "asynchronous stages.")
          .formerly("concurrent_events")
          .defaulted(
              "speed", speed_rule(), &JobPool::speed,
              "Speed of the worker nodes, relative to the one that CPU times were measured on: a job's CPU times "
              "are divided by it.")
          .measured()
          .defaulted("start", choice_rule<JobStart>({{"random", JobStart::random}, {"staggered", JobStart::staggered}}),
                     &JobPool::start,
                     "How the jobs begin: each at a random moment within `start_over`, or evenly spread over it.")
          .optional("start_over", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "min"}), &JobPool::start_over,
                    "one unloaded event time", "Period over which the jobs begin. It is part of the warm-up.")
          .optional("events_per_job", count_rule(1, 1'000'000'000), &JobPool::events_per_job, "jobs without end",
                    "Events after which a job ends and the next one takes its place. Each stream counts its own "
                    "share of them, rounded up.")
          .measured()
          .defaulted("replaced", flag_rule(), &JobPool::replaced,
                     "Whether the next job takes the place of one that has ended. False: a campaign, which ends; needs "
                     "`events_per_job` and a `horizon` of the run.")
          .defaulted("job_setup", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "s"}), &JobPool::job_setup,
                     "CPU time with which each stream of the next job begins; no part of an event.")
          .measured()
          .optional("arrivals", arrival_rule(), &JobPool::arrivals, "each stream begins its next event itself",
                    "How events arrive from outside: the streams process them, first come first served, and wait "
                    "when there are none.")
          .measured()
          .optional("buffer",
                    count_rule(1, 1'000'000'000,
                               "allowed is 1 to 1,000,000,000. Leave the buffer out where it has no limit; 1 is the "
                               "smallest that lets events wait at all."),
                    &JobPool::buffer, "no limit",
                    "Arrived events that may wait for a free stream; further ones are lost and counted.")
          .required("event", list_of(stage_rule(), 1, 1000), &JobPool::event, "[{ \"cpu\": \"110 s\" }]",
                    "The stages of an event, one after the other.")
          .unspoken()
          .finish(check_open_pool);
  return shape;
}

namespace {

/// Appends the steps of `model`; `open` are the ensembles that are being resolved.
void append_steps(const std::map<std::string, Model>& models, const std::string& model, std::vector<std::string>& open,
                  std::vector<std::string>& steps) {
  const auto found = models.find(model);
  if (found == models.end()) throw std::invalid_argument("model_steps: there is no model " + model);
  if (found->second.ensemble.empty()) {
    steps.push_back(model);
    return;
  }
  if (std::find(open.begin(), open.end(), model) != open.end())
    throw std::invalid_argument("model_steps: the ensemble " + model + " contains itself");
  open.push_back(model);
  for (const std::string& step : found->second.ensemble) append_steps(models, step, open, steps);
  open.pop_back();
}

}  // namespace

std::vector<std::string> model_steps(const std::map<std::string, Model>& models, const std::string& model) {
  std::vector<std::string> steps;
  std::vector<std::string> open;
  append_steps(models, model, open, steps);
  return steps;
}

BatchingRules batching_rules(const Model& model) {
  const bool one_row = model.sequence_batching && model.max_batch_size == unlimited_batch;
  BatchingRules rules{.dynamic = joins_requests(model),
                      .max_batch_size = one_row ? 1 : static_cast<std::uint32_t>(model.max_batch_size),
                      .preferred_batch_size = {},
                      .max_queue_delay = model.max_queue_delay,
                      .forming = model.forming,
                      .priority_levels = static_cast<std::uint32_t>(model.priority_levels),
                      .queue_policy = model.queue_policy};
  for (const std::uint64_t size : model.preferred_batch_size)
    rules.preferred_batch_size.push_back(static_cast<std::uint32_t>(size));
  std::sort(rules.preferred_batch_size.begin(), rules.preferred_batch_size.end());
  return rules;
}

namespace {

constexpr std::uint64_t most_items = 1'000'000'000;

const Shape<QueuePolicy>& queue_policy_shape() {
  static const Shape<QueuePolicy> shape =
      Shape<QueuePolicy>("queue policy",
                         "Limits of the queue in which requests wait to be batched; of each priority "
                         "level, where there are several.")
          .optional(
              "max_queue_size", count_rule(1, most_items), &QueuePolicy::max_queue_size, "no limit",
              "Requests that may wait; further ones are rejected. A stream whose request is rejected goes on with "
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

const Shape<SequenceBatching>& sequence_batching_shape() {
  static const Shape<SequenceBatching> shape =
      Shape<SequenceBatching>(
          "sequence batching",
          "The sequence batcher of a stateful model. A sequence of requests, of one item each, takes a slot of an "
          "instance with its first request and keeps it to its end; while no slot is free, new sequences wait, first "
          "come first served. docs/models/batching.md has the rules.")
          .defaulted("strategy",
                     choice_rule<SequenceStrategy>(
                         {{"direct", SequenceStrategy::direct}, {"oldest", SequenceStrategy::oldest}}),
                     &SequenceBatching::strategy,
                     "How batches are made of the sequences of an instance: every slot has its row, and rows that are "
                     "not ready are executed empty up to the last one that is; or requests are joined as by the "
                     "dynamic batcher, with `preferred_batch_size` and `max_queue_delay`.")
          .optional("candidates", count_rule(1, 1'000'000), &SequenceBatching::candidates, "`max_batch_size`",
                    "Sequences that each instance serves at once (Triton's max_candidate_sequences). Needs the "
                    "strategy \"oldest\", which needs it: of \"direct\" they are `max_batch_size`.")
          .searched(SearchStart::batch_sizes)
          .defaulted("max_idle", duration_rule({.low = "1 us", .high = "1e6 s", .usual = "s"}),
                     &SequenceBatching::max_idle,
                     "Time without a request after which the server takes the slot from a sequence. Sequences that "
                     "pause for longer are refused.");
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
  const Rule<Bytes> memory_rule = size_rule({.low = "0 B", .high = "100 TB", .usual = "GB"});
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
              "execution (of TensorRT's backend), dynamic_batching or sequence_batching and what belongs to it, "
              "ensemble.")
          .optional("max_batch_size", count_rule(1, most_items), &Model::max_batch_size,
                    "what `triton_config` says; required without it",
                    "Most items of a batch, and of a request; requests are never split.")
          .searched(SearchStart::batch_sizes)
          .defaulted("instances", count_rule(1, 1024), &Model::instances,
                     "Copies of the model on each device, or on each slice of a device; each executes one batch at a "
                     "time.")
          .searched(SearchStart::up_to_4)
          .defaulted(
              "execution",
              choice_rule<ExecutionPolicy>({{"per_instance", ExecutionPolicy::per_instance},
                                            {"one_per_device", ExecutionPolicy::one_per_device}}),
              &Model::execution,
              "How many batches of the model a device, or a slice of one, executes at once: one on each "
              "instance; or one in all, from launch to end, since a single thread issues those of all instances "
              "(the default of TensorRT's backend). Further instances then only let more batches be formed ahead.")
          .defaulted("dynamic_batching", flag_rule(), &Model::dynamic_batching,
                     "Whether waiting requests are joined into batches; otherwise each request is a batch of its own.")
          .optional("preferred_batch_size", list_of(count_rule(1, most_items), 0, 100), &Model::preferred_batch_size,
                    "none",
                    "Sizes at which a batch is sent at once, each at most max_batch_size. Needs "
                    "dynamic_batching, or sequences by the strategy \"oldest\".")
          .defaulted("max_queue_delay", duration_rule({.low = "0 s", .high = "1e6 s", .usual = "us"}),
                     &Model::max_queue_delay,
                     "Time for which the oldest waiting request may be held back, so that its batch fills, while an "
                     "instance is free. Needs dynamic_batching, or sequences by the strategy \"oldest\".")
          .searched(SearchStart::queue_delays)
          .defaulted(
              "batch_forming",
              choice_rule<BatchForming>({{"when_idle", BatchForming::when_idle}, {"ahead", BatchForming::ahead}}),
              &Model::forming,
              "When batches are formed: for an instance that is free, or ahead of it, up to two batches an "
              "instance, as Triton's releases 21.09 to 21.12 do; with a max_queue_delay, of 1 us too, an instance "
              "joins those that have waited for longer. Needs dynamic_batching.")
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
          .optional("sequence_batching", sequence_batching_shape().rule(), &Model::sequence_batching,
                    "the model has no state",
                    "The model keeps the state of each sequence of requests, which all go to one instance. In place "
                    "of dynamic_batching.")
          .optional("ensemble", list_of(name_rule(), 1, 1000), &Model::ensemble, "a model with instances of its own",
                    "Models that a request passes one after the other within its node, without going back to the "
                    "client. An ensemble has no instances, no batching and no service law of its own, and every server "
                    "that holds it holds its steps.")
          .optional("service", map_of(service_law_shape().rule(), "device type", 1000), &Model::service,
                    "none: the model is an ensemble",
                    "How long a batch takes on each type of device, for example `{ \"t4\": { \"per_item\": \"32.2 us\" "
                    "} }`.")
          .defaulted("memory", memory_rule, &Model::memory, "Memory that each instance takes on its device.")
          .defaulted("load_time", duration_rule({.low = "0 s", .high = "1e6 s", .usual = "s"}), &Model::load_time,
                     "Time that a node takes to load it when it starts up, one model after the other.")
          .measured()
          .finish([](Model&, const Spot& spot, ComplaintList& complaints) { check_presence(spot, complaints); });
  return shape;
}

}  // namespace saturn
