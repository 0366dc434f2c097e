#pragma once

#include "models/distribution.hpp"
#include "models/random_stream.hpp"
#include "models/units.hpp"

namespace saturn {

/// A duration as it is found while it lasts.
struct TimeUnderWay {
  Seconds past;
  Seconds left;

  Seconds whole() const { return past + left; }
};

/// Draws a duration that is under way at a moment chosen without regard to it: long ones are met more often, so the
/// whole is drawn with its length as weight, and the moment is uniform within it. A process of such durations, one
/// after the other, that begins with what is left is stationary from its first moment on. Length-biased laws:
/// exponential → gamma of shape 2; gamma of shape k → k + 1; lognormal → the same cv, the mean times 1 + cv²; uniform →
/// density in proportion to the length; empirical → each value with its length as weight.
/// @param time  of mean > 0
/// Source  D. R. Cox, "Renewal Theory" (1962), section 5.4
/// Cost: as sample() and one uniform number; O(n) for n empirical values
TimeUnderWay sample_under_way(const TimeDistribution& time, RandomStream& stream);

}  // namespace saturn
