#pragma once

#include <string>

#include "reports/tables/csv_rows.hpp"
#include "reports/tables/text_table.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/falsify.hpp"

/// Measurements that would contradict a plan, as reports say them.

namespace saturn {

/// What a measured number would say that differs from the predicted one, in a sentence or two.
std::string contradiction(const JobsTest& test, const Prediction& prediction, double margin);
std::string contradiction(const ModelTest& test, const Prediction& prediction);

/// The words of a command, a space between them.
std::string command_text(const ModelTest& test);

/// A section of a report for people: what to run, what is predicted, and what would contradict.
std::string falsification_text(const Falsification& falsification, const SystemFacts& facts, TextStyle style);

/// Rows of the section "falsify", named "jobs" or after the model; quantities in `_contradicts_below` and
/// `_contradicts_above` carry the limits.
void add_falsification(CsvRows& rows, const Falsification& falsification);

}  // namespace saturn
