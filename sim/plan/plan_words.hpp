#pragma once

#include <string>

#include "scenarios/scenario.hpp"

namespace saturn {

/// A number for a sentence: at most four significant digits, "269.7".
std::string in_words(double number);

/// A fraction as a percentage for a sentence: at most three significant digits, 0.01 -> "1 %".
std::string percent(double fraction);

/// "1 client", "2 clients".
std::string clients_in_words(double clients);

/// What to think of where no plan is found although nothing is saturated: a batcher's delay that holds back also those
/// who wait for nobody. Empty, or the end of a sentence.
std::string delay_hint(const Scenario& scenario);

}  // namespace saturn
