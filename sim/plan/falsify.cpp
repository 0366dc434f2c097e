#include "sim/plan/falsify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/formula/system.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/served_work.hpp"

namespace saturn {

namespace {

constexpr double least_margin = 0.1;
constexpr double most_margin = 0.5;
constexpr double most_simulated_clients = 2e6;
// Half of the measurement's own error, so that it adds little to it in quadrature.
constexpr double simulated_precision = 0.005;
constexpr std::uint64_t most_replications_a_test = 8;

double half_width_of(double mean, double low, double high) {
  const double width = (high - low) / 2 / mean;
  return std::isfinite(width) ? width : 0.0;
}

/// The fewest whole jobs that have so many streams.
Scenario with_at_least(const Scenario& scenario, double clients) {
  Scenario more = with_streams(scenario, clients);
  // Rounded to whole jobs, pools may come out short of it.
  for (double asked = clients; stream_count(more) < clients;) {
    asked += std::max(1.0, clients - stream_count(more));
    more = with_streams(scenario, asked);
  }
  return more;
}

Scenario as_measured(Scenario scenario) {
  constexpr double finest_slowdown = 0.01;
  Scenario simulated = as_simulated(std::move(scenario), finest_slowdown, Care::confirmed);
  RunControl& run = simulated.run;
  run.precision = simulated_precision;
  run.max_replications = std::max(run.min_replications, std::min(run.max_replications, most_replications_a_test));
  return simulated;
}

/// Bound of the event time when the first resource asks `factor` of what it does.
double event_time_with(const Bounds& bounds, double factor) {
  double longest = std::max(bounds.ideal_event_time_s, bounds.own_event_time_s);
  for (std::size_t k = 0; k < bounds.knees.size(); ++k) {
    const double demand_s = bounds.knees[k].demand_s * (k == 0 ? factor : 1.0);
    longest = std::max(longest, bounds.clients * demand_s - bounds.set_up_s);
  }
  return longest;
}

}  // namespace

double relative_half_width(const Plan& plan) {
  const PlanAnswer& answer = plan.answer;
  double width = 0.0;
  if (answer.streams_per_gpu > 0)
    width = half_width_of(static_cast<double>(answer.streams_per_gpu), answer.streams_per_gpu_low,
                          answer.streams_per_gpu_high);
  // The answer's interval ends at saturation; that of the crossing does not.
  for (const PlanRow& row : plan.rows)
    if (row.streams_per_gpu && row.low && row.high && *row.streams_per_gpu > 0.0)
      width = std::max(width, half_width_of(*row.streams_per_gpu, *row.low, *row.high));
  return width;
}

double falsifying_margin(double half_width) {
  return std::clamp(2 * half_width, least_margin, most_margin);
}

std::string name_of(PredictedNumber number) {
  constexpr std::array<std::string_view, 6> names{"event_time_s", "events_per_s", "items_per_s",
                                                  "latency_s",    "queue_s",      "compute_s"};
  return std::string(names.at(static_cast<std::size_t>(number)));
}

Prediction prediction_of(PredictedNumber quantity, const Estimate& predicted, double other_errors) {
  Prediction prediction{.quantity = quantity, .predicted = predicted};
  if (!std::isfinite(predicted.mean) || !std::isfinite(predicted.low) || !std::isfinite(predicted.high))
    return prediction;
  const double below = predicted.mean - std::hypot(predicted.mean - predicted.low, other_errors);
  if (below > 0.0) prediction.contradicts_below = below;
  prediction.contradicts_above = predicted.mean + std::hypot(predicted.high - predicted.mean, other_errors);
  return prediction;
}

ChosenJobs choose_jobs(const System& system, double margin) {
  const auto& [scenario, network, bounds] = system;
  if (bounds.knees.empty())
    return {.why_not =
                "no number of jobs contradicts the plan: no device, link or network card does any work for an event, "
                "so that nothing saturates and events take as long with many jobs as with one"};
  const double clients = bounds.knees.front().clients / (1.0 - margin);
  if (!(clients <= most_simulated_clients))
    return {.why_not =
                "no number of jobs that can be simulated contradicts the plan: the first resource saturates at " +
                counted_in_words(std::round(bounds.knees.front().clients), stream_word_of(scenario)) +
                ", and below that its demand shows "
                "nowhere; at most " +
                in_words(most_simulated_clients) + " are simulated. Measure the models alone"};
  ChosenJobs found;
  found.chosen.scenario = as_measured(with_at_least(scenario, clients));
  JobsTest& test = found.chosen.test;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    const JobPool& pool = found.chosen.scenario.jobs[p];
    test.pools.push_back({.pool = pool.name, .jobs = pool.count});
    test.jobs += pool.count;
    if (pool.count != scenario.jobs[p].count)
      found.chosen.settings.push_back({"/jobs/" + std::to_string(p) + "/count", std::to_string(pool.count)});
  }
  test.clients = stream_count(found.chosen.scenario);
  test.saturates_at = bounds.knees.front().clients;
  return found;
}

std::string why_not_falsified(const Scenario& scenario) {
  const ChosenJobs jobs = choose_jobs(scenario, least_margin);
  return jobs.why_not.empty() ? "without a plan there is no prediction that a measurement could contradict"
                              : jobs.why_not;
}

JobsTest predicted(const ChosenTest<JobsTest>& chosen, const Results& summary, double margin,
                   double fitted_half_width) {
  JobsTest test = chosen.test;
  const auto& [scenario, network, bounds] = System(chosen.scenario);
  test.binding = network.resources[bounds.knees.front().resource].name;
  if (bounds.knees.size() > 1) test.next = network.resources[bounds.knees[1].resource].name;
  const Estimate& event_time = summary.all_jobs["event_time_s"];
  // Waiting that the bound does not know of grows and shrinks with the rest.
  const double scale = event_time.mean / event_time_with(bounds, 1.0);
  test.unhindered_s = event_time_with(bounds, 0.0);
  test.faster_s = std::max(test.unhindered_s, scale * event_time_with(bounds, 1.0 - margin));
  test.slower_s = scale * event_time_with(bounds, 1.0 + margin);
  test.unserved_share = unserved_share(chosen.scenario, summary).mean;
  const Estimate& rate = summary.all_jobs["events_per_s"];
  const double error = std::hypot(measurement_error, fitted_half_width);
  test.event_time = prediction_of(PredictedNumber::event_time, event_time, error * event_time.mean);
  test.events_per_s = prediction_of(PredictedNumber::events_per_s, rate, error * rate.mean);
  return test;
}

namespace {

constexpr double normal_97_5 = 1.959964;
constexpr std::uint64_t windows_of_clients = 100;           // 1/measurement_error
constexpr std::uint64_t most_simulated_requests = 200'000;  // of a replication
constexpr double most_concurrency = 10'000;
constexpr double most_for_full_batches = 1024;
constexpr std::uint64_t most_threads = 1000;
constexpr double most_message_bytes = 2147483647.0;

/// The largest request of any job, and where it comes from.
struct Call {
  std::string model;
  std::uint64_t items = 0;
  std::size_t pool = 0;
  bool has_lengths = false;
  std::set<std::string> sites{};
};

std::vector<Call> calls_of(const Scenario& scenario) {
  std::vector<Call> calls;
  for (std::size_t p = 0; p < scenario.jobs.size(); ++p) {
    for (const Stage& stage : scenario.jobs[p].event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      auto call = std::find_if(calls.begin(), calls.end(), [&](const Call& c) { return c.model == infer->model; });
      if (call == calls.end()) call = calls.insert(calls.end(), Call{.model = infer->model});
      call->sites.insert(scenario.jobs[p].site);
      call->has_lengths = call->has_lengths || !infer->item_lengths.empty();
      const std::uint64_t items = std::min(infer->request_batch, infer->items.largest());
      if (items <= call->items) continue;
      call->items = items;
      call->pool = p;
    }
  }
  return calls;
}

/// The jobs that perf_analyzer is: each request follows the answer to the one before.
JobPool perf_jobs(const Call& call, const std::string& site, std::uint64_t concurrency) {
  return {.name = "perf_analyzer",
          .site = site,
          .count = concurrency,
          .start = JobStart::random,
          .event = {
              InferStage{.label = call.model, .model = call.model, .items = call.items, .request_batch = call.items}}};
}

/// Requests in the batches that keep every instance of the model, or of an ensemble's steps, full: one batch that is
/// executed and one that fills meanwhile.
double for_full_batches(const Scenario& scenario, const Server& server, const Call& call) {
  double most = 0.0;
  const double slices = server.devices.mig.empty() ? 1.0 : static_cast<double>(server.devices.mig.size());
  for (const std::string& step : model_steps(scenario.models, call.model)) {
    const Model& model = scenario.models.at(step);
    if (!model.dynamic_batching) continue;
    const double instances = static_cast<double>(batches_at_once(model) * server.devices.count * server.nodes) * slices;
    const auto fitting = static_cast<double>(std::max<std::uint64_t>(1, model.max_batch_size / call.items));
    most = std::max(most, 2.0 * instances * fitting);
  }
  return most;
}

RunControl perf_control(const RunControl& original) {
  return {.seed = original.seed,
          .precision = 0.005,
          .confidence = original.confidence,
          .min_replications = 3,
          .max_replications = 8,
          .cycles = windows_of_clients,
          .window = Seconds{0.0}};
}

/// Model and items in a file's name, whatever characters the model's name has.
std::string csv_name(const ModelTest& test) {
  std::string name;
  for (const char c : test.model) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    name += plain ? c : '-';
  }
  return name + "-b" + std::to_string(test.request_batch) + "-c" + std::to_string(test.concurrency) + ".csv";
}

std::vector<std::string> command_of(const ModelTest& test) {
  const std::string concurrency = std::to_string(test.concurrency);
  std::vector<std::string> words{"env", "TRITON_CLIENT_GRPC_CHANNEL_MAX_SHARE_COUNT=1", "perf_analyzer"};
  const auto add = [&](const std::string& option, const std::string& value) {
    words.push_back(option);
    words.push_back(value);
  };
  add("-m", test.model);
  add("-b", std::to_string(test.request_batch));
  add("-i", "grpc");
  add("-u", "SERVER:8001");
  add("--concurrency-range", concurrency + ":" + concurrency);
  if (test.concurrency > most_threads) words.emplace_back("-a");
  add("--measurement-mode", "count_windows");
  add("--measurement-request-count", std::to_string(test.requests));
  add("-f", csv_name(test));
  words.emplace_back("--verbose-csv");
  return words;
}

/// Requests that a window must count so that its rate is known to the measurement's error: those in flight at its ends
/// are then so small a part of it, and what is drawn for each averages out.
std::uint64_t requests_needed(const Scenario& perf) {
  const JobPool& pool = perf.jobs.front();
  const double scatter = relative_scatter(perf, pool);
  const double drawn = std::ceil(std::pow(normal_97_5 * scatter / measurement_error, 2));
  constexpr double most = 1e9;
  const auto averaged = static_cast<std::uint64_t>(std::isfinite(drawn) ? std::min(drawn, most) : most);
  return std::max(windows_of_clients * pool.count, averaged);
}

std::string bytes_in_words(double bytes) {
  return bytes >= 1e9 ? in_words(bytes / 1e9) + " GB" : in_words(bytes) + " B";
}

std::vector<std::string> notes_of(const Scenario& scenario, const Call& call, const Server& server,
                                  const Scenario& perf) {
  const ModelTest test{.model = call.model, .request_batch = call.items, .concurrency = perf.jobs.front().count};
  std::vector<std::string> notes;
  const std::string node = server.nodes > 1 && perf.servers.front().nodes == 1
                               ? "one of the " + std::to_string(server.nodes) + " nodes of " + server.name
                               : server.name;
  std::string from = "Run it at " + perf.jobs.front().site;
  if (server.attached) from = "Run it on the worker node itself";
  if (call.sites.size() > 1) from += ", whose jobs send the largest requests of all sites that call the model";
  notes.push_back(from + ", with nothing else on the server; SERVER stands for " + node + ".");
  const Model& model = scenario.models.at(call.model);
  notes.push_back("Predicted for " + bytes_in_words(model.input.value) + " in and " +
                  bytes_in_words(model.output.value) +
                  " out an item: inputs of variable dimensions need --shape NAME:D1,D2,... that give them.");
  const double message = std::max(model.input.value, model.output.value) * static_cast<double>(call.items);
  if (message > most_message_bytes)
    notes.push_back("A request or answer of " + bytes_in_words(message) +
                    " is more than a gRPC message may hold (2 GiB): the jobs' own requests will fail too. Lower "
                    "\"request_batch\".");
  if (call.has_lengths) notes.emplace_back("Predicted for items of length 1, as the service law was measured.");
  if (test.concurrency > most_threads)
    notes.emplace_back("-a, since each request in flight would otherwise have a thread of its own.");
  if (std::min(for_full_batches(perf, perf.servers.front(), call), 1e18) > most_for_full_batches)
    notes.emplace_back("Full batches would need more requests in flight; the prediction holds for these.");
  return notes;
}

/// The scenario in which perf_analyzer alone calls the model at one node of one server.
ChosenTest<ModelTest> perf_scenario(const Scenario& scenario, const Call& call,
                                    const std::vector<std::size_t>& servers) {
  ChosenTest<ModelTest> chosen{.test = {.model = call.model, .request_batch = call.items}, .scenario = scenario};
  Scenario& perf = chosen.scenario;
  perf.alternatives.clear();
  perf.run = perf_control(scenario.run);
  if (servers.size() > 1) perf.servers = {scenario.servers[servers.front()]};
  for (Server& server : perf.servers) {
    const bool holds = std::find(server.models.begin(), server.models.end(), call.model) != server.models.end();
    // Nodes that share one queue cannot be told apart from outside.
    if (holds && server.balancing != Balancing::central_queue) server.nodes = 1;
  }
  perf.jobs = {perf_jobs(call, scenario.jobs[call.pool].site, 1)};
  return chosen;
}

std::string run_json(const RunControl& run) {
  return "{\"seed\":" + std::to_string(run.seed) + ",\"precision\":\"0.5 %\",\"confidence\":\"" +
         in_words(100 * run.confidence) + " %\",\"min_replications\":" + std::to_string(run.min_replications) +
         ",\"max_replications\":" + std::to_string(run.max_replications) +
         ",\"cycles\":" + std::to_string(*run.cycles) + "}";
}

/// What makes the measurement's scenario of the user's, as --set takes it; empty where servers were left out.
std::vector<Override> settings_of(const Scenario& scenario, const Scenario& perf, const Call& call) {
  if (perf.servers.size() != scenario.servers.size()) return {};
  const JobPool& pool = perf.jobs.front();
  std::vector<Override> settings{
      {"/jobs", "[{\"name\":\"perf_analyzer\",\"site\":" + escaped_in_quotes(pool.site) +
                    ",\"count\":" + std::to_string(pool.count) + ",\"start\":\"random\",\"event\":[{\"infer\":" +
                    escaped_in_quotes(call.model) + ",\"items\":" + std::to_string(call.items) +
                    ",\"request_batch\":" + std::to_string(call.items) + "}]}]"},
      {"/run", run_json(perf.run)}};
  for (std::size_t s = 0; s < scenario.servers.size(); ++s)
    if (perf.servers[s].nodes != scenario.servers[s].nodes)
      settings.push_back(
          {"/servers/" + std::to_string(scenario.servers[s].place) + "/nodes", std::to_string(perf.servers[s].nodes)});
  return settings;
}

ChosenTest<ModelTest> choose_model(const Scenario& scenario, const Call& call, double margin) {
  const std::vector<std::size_t> servers = servers_of(scenario, call.model);
  ChosenTest<ModelTest> chosen = perf_scenario(scenario, call, servers);
  ModelTest& test = chosen.test;
  if (keeps_state(scenario, call.model)) {
    test.why_not = "it keeps the state of sequences, and perf_analyzer's sequences are not those of the jobs";
    return chosen;
  }
  double request_s = 0.0;
  for (const EventPart& part : ideal_event_parts(chosen.scenario, chosen.scenario.jobs.front()))
    request_s += part.seconds;
  if (!(request_s > 0.0)) {
    test.why_not = "its requests take no time, so that there is nothing to measure";
    return chosen;
  }
  const auto& [measured, network, bounds] = System(chosen.scenario);
  if (bounds.knees.empty()) {
    test.why_not = "no device, link or network card does any work for a request, so that nothing saturates";
    return chosen;
  }
  const Server& server = scenario.servers[servers.front()];
  const Server& node = chosen.scenario.servers[servers.size() > 1 ? 0 : servers.front()];
  const double by_bound = std::ceil(bounds.knees.front().clients / (1.0 - margin) - 1e-9);
  const double batches = std::min(for_full_batches(chosen.scenario, node, call), most_for_full_batches);
  const double concurrency = std::max({1.0, by_bound, batches});
  if (!(concurrency <= most_concurrency)) {
    test.why_not = "it would take " + in_words(concurrency) + " requests in flight to saturate \"" +
                   network.resources[bounds.knees.front().resource].name + "\", more than one perf_analyzer sends (" +
                   in_words(most_concurrency) +
                   " at most here): send larger requests, or measure from "
                   "nearer to the server";
    return chosen;
  }
  test.binding = network.resources[bounds.knees.front().resource].name;
  test.concurrency = static_cast<std::uint64_t>(concurrency);
  chosen.scenario.jobs.front().count = test.concurrency;
  RunControl& run = chosen.scenario.run;
  run.cycles = std::clamp(most_simulated_requests / test.concurrency, usual_cycles, windows_of_clients);
  test.requests = requests_needed(chosen.scenario);
  test.command = command_of(test);
  Scenario alone = chosen.scenario;
  alone.servers = {node};
  test.notes = notes_of(scenario, call, server, alone);
  chosen.settings = settings_of(scenario, chosen.scenario, call);
  return chosen;
}

}  // namespace

std::vector<ChosenTest<ModelTest>> choose_models(const Scenario& scenario, double margin) {
  std::vector<ChosenTest<ModelTest>> chosen;
  for (const Call& call : calls_of(scenario)) {
    // A stage that never has items sends no requests.
    if (call.items > 0) chosen.push_back(choose_model(scenario, call, margin));
  }
  return chosen;
}

ModelTest predicted(const ChosenTest<ModelTest>& chosen, const Results& summary, double fitted_half_width) {
  ModelTest test = chosen.test;
  const double error = std::hypot(measurement_error, fitted_half_width);
  const auto items = static_cast<double>(test.request_batch);
  const Estimate& requests_per_s = summary.all_jobs["events_per_s"];
  test.window_s = static_cast<double>(test.requests) / requests_per_s.mean;
  const Estimate rate = scaled(requests_per_s, items);
  const Estimate& latency = summary.all_jobs["event_time_s"];
  test.predictions = {prediction_of(PredictedNumber::items_per_s, rate, error * rate.mean),
                      prediction_of(PredictedNumber::latency, latency, error * latency.mean)};
  const bool instances = chosen.scenario.models.at(test.model).ensemble.empty();
  for (const ModelResults& model : summary.models) {
    if (model.name != test.model) continue;
    if (instances) {
      // A queue is what the others leave of the latency: what is wrong with them is wrong with it.
      test.predictions.push_back(prediction_of(PredictedNumber::queue, model["queue_s"], error * latency.mean));
      test.predictions.push_back(
          prediction_of(PredictedNumber::compute, model["compute_s"], error * model["compute_s"].mean));
    }
    if (model["rejected_per_s"].mean > 0.0)
      test.notes.emplace_back(
          "The queue policy refuses requests at this load; perf_analyzer reports them as errors. Lift it for the "
          "measurement.");
  }
  return test;
}

}  // namespace saturn
