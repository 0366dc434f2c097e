#pragma once

#include <string>

#include "reports/tables/csv_rows.hpp"
#include "reports/tables/text_table.hpp"
#include "sim/plan/comparison/sensitivity.hpp"

/// What an answer depends on, as reports say it.

namespace saturn {

/// One bar of a tornado: where the answer goes from '-' (the input lower by its uncertainty) to '+' (higher), with '|'
/// at the answer itself, on a scale on which `reach` takes half of the width.
/// @param answer  of which the bar starts
/// @param reach   largest distance from the answer that is drawn, > 0
/// @param width   characters, odd, >= 3
/// @returns `width` characters
std::string tornado_bar(double when_low, double when_high, double answer, double reach, std::size_t width);

/// A section of a report for people: the tornado, widest bar first, the measurement that would help most, and notes.
std::string sensitivity_text(const Sensitivity& sensitivity, TextStyle style);

/// Rows of the section "sensitivity", named after the input: elasticity, answer_when_low, answer_when_high,
/// uncertainty, variance_share.
void add_sensitivity(CsvRows& rows, const Sensitivity& sensitivity);

}  // namespace saturn
