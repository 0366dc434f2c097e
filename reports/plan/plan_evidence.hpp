#pragma once

#include <string>

#include "reports/answer/answer.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/falsify.hpp"

/// What an answer depends on, and which measurements would contradict it.

namespace saturn {

/// One bar of a tornado: where the answer goes from '-' (the input lower by its uncertainty) to '+' (higher), with '|'
/// at the answer itself, on a scale on which `reach` takes half of the width.
/// @param answer  of which the bar starts
/// @param reach   largest distance from the answer that is drawn, > 0
/// @param width   characters, odd, >= 3
/// @returns `width` characters
std::string tornado_bar(double when_low, double when_high, double answer, double reach, std::size_t width);

/// The inputs with their bars, widest first, the measurement that would help most, and notes; at "sensitivity".
void add_sensitivity(Answer& answer, const Sensitivity& sensitivity);

/// What a measured number would say that differs from the predicted one, in a sentence or two.
std::string contradiction(const JobsTest& test, const Prediction& prediction, double margin);
std::string contradiction(const ModelTest& test, const Prediction& prediction);

/// "an event time outside 133.6 to 136.4 s": what would contradict first of all.
std::string event_times_that_contradict(const JobsTest& test);

/// What to run, what is predicted, and what would contradict; a row a predicted number, at "falsify".
void add_falsification(Answer& answer, const Falsification& falsification, const SystemFacts& facts);

}  // namespace saturn
