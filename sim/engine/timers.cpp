#include "sim/engine/timers.hpp"

#include "sim/engine/client.hpp"

namespace saturn {

void Timers::fire(double) {
  Client& sleeper = *heap_.top().value;
  // With many clients it has left the caches; it comes back while the heap is put in order, and the next meanwhile.
  prefetch(&sleeper, client_lines);
  heap_.pop();
  if (!heap_.empty()) prefetch(heap_.top().value, client_lines);
  firing_ = true;
  sleeper.go_on();
  firing_ = false;
  calendar_.reschedule(source_, heap_.empty() ? Calendar::never : heap_.top().date);
}

}  // namespace saturn
