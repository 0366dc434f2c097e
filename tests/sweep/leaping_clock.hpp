#pragma once

namespace saturn {

/// For as long as it lives, the time of day in this process and in those that it forks leaps by days, forwards and
/// backwards, each time that somebody looks. The clock that nobody sets goes on as ever.
class LeapingClock {
 public:
  LeapingClock();
  ~LeapingClock();
  LeapingClock(const LeapingClock&) = delete;
  LeapingClock& operator=(const LeapingClock&) = delete;
};

}  // namespace saturn
