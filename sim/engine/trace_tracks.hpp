#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/engine/run_trace.hpp"

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

}  // namespace saturn
