#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "models/serving/dispatch.hpp"
#include "models/values/containers.hpp"
#include "scenarios/living.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_queue.hpp"
#include "sim/engine/recording/meters.hpp"

namespace saturn {

class AdmissionDoor;
class InferenceService;
class TriedCalls;

/// One try of a call: what the service carries in its place.
struct Try : Call {
  TriedCalls* owner = nullptr;
  Call* asked = nullptr;     ///< the client's call; null: it was given up, and nobody waits for the answer
  std::uint64_t serial = 0;  ///< counts the tries that this one has been
  std::uint32_t number = 0;  ///< retries of the call so far
  std::uint32_t failed_on = Balancer::nobody;  ///< the balancer's number of the node that is to be avoided
  bool falls_back = false;                     ///< goes to the fallback server
};

/// How a stage's calls are tried.
struct TryPlan {
  CallRules rules{};
  std::vector<std::uint16_t> groups{};            ///< of nodes, in the order of preference; at least one
  std::vector<const AdmissionDoor*> doors{};      ///< of the groups' servers, null where nobody judges; or empty
  std::optional<std::uint16_t> fallback_group{};  ///< of the fallback server
  bool own_core = false;                          ///< the job does the work that is left
};

/// The calls of one stage, each of which is tried until an answer is there in time, all retries have failed and nobody
/// is left to fall back to. A try whose deadline has come is given up: it goes on through the service without its
/// client, and its answer is thrown away.
/// Cost of a call: as without it, and O(1); a retry O(log waiting retries).
class TriedCalls final : private Source {
 public:
  /// @param stream   random numbers of the waits
  /// @param clients  streams of all pools
  TriedCalls(Calendar& calendar, InferenceService& service, TryPlan plan, RandomStream stream, CallMeter& meter,
             std::size_t clients);

  /// A window asks for an answer to a call; it is told by CallWindow::answered() what came of it.
  void send(Call& asked, double now);
  /// A try is back.
  void answered(Try& tried, double now);
  /// A try is nowhere any more, and nobody has told its client.
  void vanished(Try& tried);
  /// The stream's next job has begun.
  void new_job(std::uint32_t client);

  /// Nothing waits for a deadline or for its retry.
  bool idle() const { return waits_.empty() && deadlines_.empty(); }

 private:
  struct Deadline {
    double date;
    Try* tried;
    std::uint64_t serial;
  };

  void fire(double now) override;
  void dispatch(Try& tried, double now);
  void fail(Try& tried, double now);
  void end(Try& tried, bool answered, double now);
  void give_up(Try& tried, double now);
  std::optional<std::uint16_t> group_for(std::uint32_t client, double now);
  bool takes_job(std::size_t group, double now) const;
  double wait_s(std::uint32_t retry);
  void reschedule();
  Try& take();
  void release(Try& tried);

  Calendar& calendar_;
  InferenceService& service_;
  TryPlan plan_;
  RandomStream stream_;
  CallMeter& meter_;
  std::size_t source_;
  Ring<Deadline> deadlines_;  // all as far ahead, so in order
  DatedHeap<Try*> waits_;
  std::deque<Try> tries_;  // they stay where they are
  std::vector<Try*> spare_;
  std::vector<std::int32_t> chosen_;  // by stream, where each job chooses once: place among the groups, or below 0
  bool firing_ = false;
};

}  // namespace saturn
