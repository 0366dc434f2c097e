#pragma once

#include <cstdint>

namespace saturn {

class CallWindow;

/// One request on its way. It lives in the frame of the client that sent it and is never copied; whoever has it keeps a
/// pointer. Every phase ends by handing it to the next.
struct Call {
  CallWindow* window = nullptr;  ///< is told when the answer is there
  double sent = 0.0;             ///< date of the client's call [s]
  double phase_start = 0.0;      ///< date at which the present phase began [s]
  std::uint32_t items = 0;
  std::uint32_t node = 0;    ///< number of the node that serves it, over all servers
  std::uint32_t choice = 0;  ///< the balancer's number of that node
  std::uint16_t model = 0;
  std::uint16_t site = 0;  ///< of the client
};

/// Takes a call over when a phase has ended.
class CallReceiver {
 public:
  CallReceiver() = default;
  CallReceiver(const CallReceiver&) = delete;
  CallReceiver& operator=(const CallReceiver&) = delete;
  virtual ~CallReceiver() = default;
  virtual void receive(Call& call, double now) = 0;
};

}  // namespace saturn
