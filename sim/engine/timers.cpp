#include "sim/engine/timers.hpp"

#include "sim/engine/client.hpp"

namespace saturn {

void Timers::fire(double) {
  Client& sleeper = *sleepers_.next();
  // With many clients it has left the caches; it comes back while the others are put in order, and the next meanwhile.
  prefetch(&sleeper, client_lines);
  sleepers_.pop();
  if (!sleepers_.empty()) prefetch(sleepers_.next(), client_lines);
  firing_ = true;
  sleeper.go_on();
  firing_ = false;
  calendar_.reschedule(source_, sleepers_.empty() ? Calendar::never : sleepers_.next_date());
}

}  // namespace saturn
