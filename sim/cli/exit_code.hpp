#pragma once

namespace saturn {

/// What the program's exit code means. Scripts rely on it.
enum class ExitCode {
  answered = 0,
  our_bug = 1,
  input = 2,               ///< something is wrong with what the user gave
  no_plan = 3,             ///< no number of jobs, or of devices, meets the constraints
  outside_band = no_plan,  ///< validate: an error leaves its stated band; like no_plan, what was asked for is not met
  precision_not_reached = 4,  ///< the results are printed all the same
  usage = 64,                 ///< the command line itself
  interrupted = 130,
};

}  // namespace saturn
