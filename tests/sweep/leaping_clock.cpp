#include "tests/sweep/leaping_clock.hpp"

#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

bool leaping = false;
std::time_t leap = 0;

std::time_t next_leap() {
  if (!leaping) return 0;
  leap = leap > 0 ? -2 * leap - 86400 : 86400 - leap;
  if (leap < -1000000000) leap = 0;
  return leap;
}

int real_clock(clockid_t clock, timespec* time) {
  return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

}  // namespace

// A program's own definitions take the place of the C library's, for the libraries that it is linked with, too.
extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int failed = real_clock(clock, time);
  if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += next_leap();
  return failed;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  const int failed = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return failed;
}

std::time_t time(std::time_t* result) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}
}

namespace saturn {

LeapingClock::LeapingClock() {
  leaping = true;
}

LeapingClock::~LeapingClock() {
  leaping = false;
}

}  // namespace saturn
