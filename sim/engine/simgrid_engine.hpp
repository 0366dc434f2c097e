#pragma once

namespace simgrid::s4u {

class Engine;

}  // namespace simgrid::s4u

namespace saturn {

class Calendar;

/// SimGrid's engine, made at the first call with the settings of every run: network model CM02 as pure max-min fair
/// sharing (docs/models/network.md says which settings that takes). There is one a process, and it cannot be renewed.
simgrid::s4u::Engine& simgrid_engine();

/// Of SimGrid's hosts. Nothing is computed on them, since CPU time is given in seconds: it only has to be positive.
inline constexpr double nominal_speed = 1e9;

/// Lets SimGrid's engine own the clock until neither the calendar nor SimGrid has anything left to do, or the calendar
/// is stopped.
/// @param drain  as SimGridClock has it
/// @throws whatever an event of the calendar throws
void run_calendar(Calendar& calendar, bool drain);

}  // namespace saturn
