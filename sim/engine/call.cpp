#include "sim/engine/call.hpp"

#include "sim/engine/call_window.hpp"

namespace saturn {

void DelayedSends::fire(double now) {
  Call& call = *calls_.pop();
  calendar_.reschedule(source_, calls_.empty() ? Calendar::never : calls_.top().date);
  call.window->serialised(call, now);
}

}  // namespace saturn
