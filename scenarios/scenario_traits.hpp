#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/scenario.hpp"

namespace saturn {

/// True when a node of the one server does for a request what a node of the other does, over the same network.
bool alike(const Server& a, const Server& b);

/// True when all servers that hold the model are alike.
bool on_alike_servers(const Scenario& scenario, const std::string& model);

/// A stage that calls a model, of one pool of jobs.
struct ModelCall {
  const JobPool& pool;
  const InferStage& infer;
  std::size_t job = 0;    ///< index of the pool
  std::size_t stage = 0;  ///< index in the event

  /// JSON pointer of the stage.
  std::string pointer() const { return "/jobs/" + std::to_string(job) + "/event/" + std::to_string(stage); }
};

/// Of all pools, in the order of the scenario, which must outlive them.
std::vector<ModelCall> model_calls(const Scenario& scenario);

/// Of one pool.
std::vector<const InferStage*> model_calls(const JobPool& pool);

/// A site of jobs and one of a server that they call over the network.
using CallingSites = std::pair<std::string, std::string>;

/// Whether a model, or a step of an ensemble, keeps the state of sequences.
/// @throws std::invalid_argument  as model_steps()
bool keeps_state(const Scenario& scenario, const std::string& model);

/// Each once, in the order of the calls; not those of attached servers.
std::vector<CallingSites> calling_sites(const Scenario& scenario);

/// Models that jobs call themselves: their requests cross the network.
std::set<std::string> called_models(const Scenario& scenario);

/// Models whose refusals spoil events: those that requests of the pools pass, where no core does their work instead.
std::set<std::string> models_that_spoil(const Scenario& scenario, std::span<const JobPool> pools);

/// True when the queue policy of some model may refuse requests.
bool may_refuse(const Scenario& scenario);
/// Whether a call may be given up at a deadline, so that its event goes on without an answer, or asks elsewhere.
bool may_give_up(const Scenario& scenario);

/// True when no time in the scenario varies from draw to draw.
bool has_constant_times(const Scenario& scenario);

/// True when nothing at all is drawn: constant times, staggered starts, no dispatch by lot. All replications are then
/// the same run.
bool is_deterministic(const Scenario& scenario);

/// True when a stage says what becomes of calls that come late or fail.
bool has_rules(const CallRules& rules);

/// True when nodes or links break, come or go.
bool changes_over_time(const Scenario& scenario);

/// Runs have a fixed length, and what jobs meet changes in it: nodes or links that fail, servers that scale, campaigns
/// that end. No mean over it is what a device carries.
bool has_no_steady_state(const Scenario& scenario);

/// True when calls may come late, fail or be tried again: then every call is counted by what became of it.
bool follows_calls(const Scenario& scenario);

/// "2 nodes of farm", "link cern to fnal"
std::string outage_words(const Outage& outage);

/// What one device of the scenario's servers is called: "GPU", "FPGA", "IPU", "CPU"; "device" where they are of several
/// kinds.
std::string device_word_of(const Scenario& scenario);

/// What plans count, and figures are drawn against: "job"; "stream" where a job has several.
std::string stream_word(double jobs, double streams);
std::string stream_word_of(const Scenario& scenario);

/// A file's content in a few words, "<size> bytes, FNV-1a <hash>", for the resolved scenario: it tells files apart, not
/// forgeries. Source: Fowler, Noll & Vo, 64 bits; offset basis and prime as in RFC 9923
std::string fingerprint_of(std::string_view text);

}  // namespace saturn
