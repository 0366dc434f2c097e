#include "sim/engine/call.hpp"

#include "sim/engine/call_window.hpp"

namespace saturn {

void prefetch_waiter(const Call& call) {
  call.window->prefetch_waiter();
}

void DelayedSends::fire(double now) {
  Call& call = *calls_.pop().value;
  calendar_.reschedule(source_, calls_.empty() ? Calendar::never : calls_.next_date());
  call.window->serialised(call, now);
}

}  // namespace saturn
