#pragma once

#include <cstdint>

#include "sim/engine/calendar.hpp"
#include "sim/engine/dated_queue.hpp"

namespace saturn {

class CallWindow;

/// What else a call is beside a request.
enum class CallRole : std::uint8_t {
  plain,
  tried,   ///< a try of a call that has rules (TriedCalls)
  failed,  ///< a client's call whose tries have failed, and whose work nobody does
};

/// One request on its way. It lives in the frame of the client that sent it and is never copied; whoever has it keeps a
/// pointer. Every phase ends by handing it to the next.
struct Call {
  CallWindow* window = nullptr;  ///< is told when the answer is there
  Call* next = nullptr;          ///< in its batch; null for the last
  double sent = 0.0;             ///< date of the client's call [s]
  double phase_start = 0.0;    ///< date at which the present phase began; of the answer's way: of leaving the node [s]
  double arrived = 0.0;        ///< date of its arrival at the node [s]
  double admitted = 0.0;       ///< date at which the node's host had handled its input [s]
  double step_start = 0.0;     ///< date at which it entered the queue of its present step [s]
  double held_back = 0.0;      ///< in a queue: its idle clock at step_start; later the part of the wait it tells [s]
  double queue_s = 0.0;        ///< waiting, of all steps so far [s]
  double fill_s = 0.0;         ///< of it, while an instance was free [s]
  double compute_s = 0.0;      ///< in instances [s]
  double device_wait_s = 0.0;  ///< of it, for their devices [s]
  std::uint32_t items = 0;
  float length = 1.0F;       ///< of each item, relative to those that the service law was measured with
  std::uint32_t client = 0;  ///< number of the stream that sent it, over all pools
  std::uint32_t node = 0;    ///< number of the node that serves it, over all servers
  std::uint32_t choice = 0;  ///< the balancer's number of that node; Balancer::nobody where it counts it no longer
  std::uint16_t model = 0;
  std::uint16_t step = 0;          ///< of the model's chain
  std::uint16_t site = 0;          ///< of the client
  std::uint16_t priority = 0;      ///< level at the model's queue; 0: the model's default
  std::uint16_t group = 0;         ///< of nodes that one balancer chooses among; the model's number: all that hold it
  bool rejected : 1 = false;       ///< a queue policy refused it, or what it was at has failed: an error without data
  bool ends_sequence : 1 = false;  ///< the last of its sequence, with which the slot at its instance falls free
  CallRole role = CallRole::plain;
};

/// Asks for a call that will be needed soon, and the end of its window before it.
inline void prefetch_call(const Call& call) {
  prefetch(reinterpret_cast<const char*>(&call) - 64, 1 + (sizeof(Call) + 63) / 64);
}
/// Asks for the stream that waits for a call's answer, by way of the call's window, which should be near by now.
void prefetch_waiter(const Call& call);

/// Takes a call over when a phase has ended.
class CallReceiver {
 public:
  CallReceiver() = default;
  CallReceiver(const CallReceiver&) = delete;
  CallReceiver& operator=(const CallReceiver&) = delete;
  virtual ~CallReceiver() = default;
  virtual void receive(Call& call, double now) = 0;
};

/// Requests of asynchronous stages that are being serialised while their event goes on. Cost: as of DatedQueue.
class DelayedSends final : private Source {
 public:
  /// @param any  there are such stages: else the calendar has nothing to ask it
  DelayedSends(Calendar& calendar, bool any) : calendar_(calendar), source_(any ? calendar.add(*this) : 0) {}

  /// The call's window is told at `date` [s], not before the calendar's present.
  void send(Call& call, double date) {
    calls_.push(date, &call);
    calendar_.reschedule(source_, calls_.next_date());
  }
  bool empty() const { return calls_.empty(); }

 private:
  void fire(double now) override;

  Calendar& calendar_;
  std::size_t source_;
  DatedQueue<Call*> calls_;
};

}  // namespace saturn
