#pragma once

#include <string>

namespace saturn {

/// A number for a sentence: at most four significant digits, "269.7".
std::string in_words(double number);

/// A fraction as a percentage for a sentence: at most three significant digits, 0.01 -> "1 %".
std::string percent(double fraction);

/// "1 client", "2 clients".
std::string clients_in_words(double clients);

}  // namespace saturn
