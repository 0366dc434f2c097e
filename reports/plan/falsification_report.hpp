#pragma once

#include <string>

#include "reports/answer/answer.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/falsify.hpp"

/// Measurements that would contradict a plan, as reports say them.

namespace saturn {

/// What a measured number would say that differs from the predicted one, in a sentence or two.
std::string contradiction(const JobsTest& test, const Prediction& prediction, double margin);
std::string contradiction(const ModelTest& test, const Prediction& prediction);

/// The words of a command, a space between them.
std::string command_text(const ModelTest& test);

/// "an event time outside 133.6 to 136.4 s": what would contradict first of all.
std::string event_times_that_contradict(const JobsTest& test);

/// What to run, what is predicted, and what would contradict; a row a predicted number, at "falsify".
void add_falsification(Answer& answer, const Falsification& falsification, const SystemFacts& facts);

}  // namespace saturn
