#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/recording/run_trace.hpp"

namespace saturn {

/// Where a batch is executed.
struct InstancePlace {
  std::uint32_t node = 0;      ///< number over all servers
  std::uint32_t unit = 0;      ///< the device of the node, or the slice of one
  std::uint16_t model = 0;     ///< number of the model
  std::uint32_t instance = 0;  ///< of the model on that unit, from 0; the lowest that is free

  auto operator<=>(const InstancePlace&) const = default;
};

/// Gives numbers and names to all that a trace speaks of: clients, instances, stages and models.
class TraceTracks {
 public:
  explicit TraceTracks(const Scenario& scenario);

  std::size_t models() const { return models_; }
  /// Takes the lowest free instance at a place, whose own number is not looked at.
  InstancePlace occupy(InstancePlace place);
  void release(const InstancePlace& place);
  /// The number of the track of its batches until compact(); a client's is its own number.
  std::uint32_t track_of(const InstancePlace& place);

  /// A model's label is its number.
  std::vector<std::string> labels() const { return labels_; }
  /// @param stage  of the client's event; beyond the last: the job's set-up
  std::uint32_t stage_label(std::uint32_t client, std::size_t stage) const;

  /// Renumbers the tracks of the spans, clients before instances, and drops those without spans.
  std::vector<TraceTrack> compact(std::vector<TraceSpan>& spans) const;

 private:
  struct Pool {
    std::uint32_t first_client = 0;
    std::string name{};
    std::vector<std::uint32_t> stages{};  // labels, and the set-up's
  };
  struct Node {
    std::string group{};
    std::uint32_t number = 0;  // in its server
    bool alone = true;         // the server has no other node
    bool one_queue = false;    // the node stands for all of its server
    std::uint32_t units = 1;   // of each node
    std::uint32_t slices = 1;  // of each device
    bool one_model = true;     // has instances
  };

  std::uint32_t label(const std::string& text);
  const Pool& pool_of(std::uint32_t client) const;
  TraceTrack client_track(std::uint32_t client) const;
  TraceTrack instance_track(const InstancePlace& place) const;

  std::size_t models_ = 0;
  std::uint32_t clients_ = 0;
  std::vector<Pool> pools_;
  std::vector<Node> nodes_;
  std::vector<std::string> labels_;
  std::map<std::string, std::uint32_t> label_numbers_;
  std::map<InstancePlace, std::vector<bool>> in_use_;  // by the place with instance 0
  std::map<InstancePlace, std::uint32_t> instances_;   // by place
  std::vector<InstancePlace> places_;
};

/// Is told what clients, requests and instances do, from date 0 on, and keeps the spans that touch a window, of
/// requests all their parts. Changes nothing of what it watches. Cost: O(1) each; memory for TraceWindow::most_spans
/// and for what is under way.
class RunTracer {
 public:
  /// @param end  date at which the run ends [s]
  RunTracer(const Scenario& scenario, const TraceWindow& window, double end);

  /// A client computes from `begin` to `end`, which may lie ahead [s].
  /// @param stage  of the event; beyond the last: the job's set-up
  void computes(std::uint32_t client, std::size_t stage, double begin, double end);

  void sent(const Call& call, double now);
  /// The call is at a node, or back from a step of an ensemble, and waits for an instance of that model.
  void waits(const Call& call, std::uint16_t model, double now);
  /// An instance takes a batch. @param execution  the node's number of it  @param first  of the batch's calls
  void batch_begins(const InstancePlace& place, std::uint32_t execution, const Call& first, std::uint32_t items,
                    double now);
  void batch_ends(std::uint32_t node, std::uint32_t execution, double now);
  /// The call leaves its node, served or rejected.
  void leaves(const Call& call, double now);
  void answered(const Call& call, double now);

  /// The window, as far as the run reaches [s].
  double from_s() const { return from_; }
  double until_s() const { return until_; }

  /// Integral of the number of requests that have waited for instances of a model, by the model's number [s].
  std::vector<double> waiting_areas(double now) const;

  /// What was recorded; what is under way ends now. To be called once.
  RunTrace finish(double now);

 private:
  enum class Phase : std::uint8_t { sending, waiting, executing, between, receiving };
  struct OpenCall {
    std::uint64_t number = 0;
    double sent = 0.0;
    double since = 0.0;  // of the phase
    std::uint32_t client = 0;
    std::uint32_t items = 0;
    std::uint16_t model = 0;  // that the client called
    std::uint16_t step = 0;   // the model that it waits for
    Phase phase = Phase::sending;
    bool rejected = false;
    std::vector<TraceSpan> parts{};  // that are over
  };
  struct OpenBatch {
    InstancePlace place{};
    double begin = 0.0;
    std::uint32_t items = 0;
    std::vector<const Call*> calls{};
  };
  struct Waiting {
    std::int64_t now = 0;
    double area = 0.0;  // up to the date
    double date = 0.0;
  };

  void end_phase(OpenCall& call, double now);
  void end_call(OpenCall& call, double now);
  void end_batch(const OpenBatch& batch, double now);
  bool touches(const TraceSpan& span) const {
    return span.begin_s < end_ && span.end_s > from_ && span.begin_s < span.end_s;
  }
  void add(const TraceSpan& span, double now);
  void end_when_full(double now);
  void count_waiting(std::uint16_t model, int change, double now);

  double from_;   // the window, within the run [s]
  double until_;  // [s]
  double end_;    // of what is recorded: until_, or where most_spans_ was reached [s]
  std::size_t most_spans_;
  std::uint64_t calls_sent_ = 0;
  TraceTracks tracks_;
  std::vector<Waiting> waiting_;                          // by model
  std::unordered_map<const Call*, OpenCall> calls_;       // under way
  std::unordered_map<std::uint64_t, OpenBatch> batches_;  // under way, by node and execution
  std::vector<TraceSpan> spans_;
};

}  // namespace saturn
