#include "sim/plan/plan_words.hpp"

#include <cmath>
#include <cstdio>

namespace saturn {
namespace {

std::string rounded(double number, int digits) {
  char text[64];
  // Whole numbers are counts: "268312 clients", not "2.683e+05".
  if (number == std::floor(number) && std::abs(number) < 1e15) {
    std::snprintf(text, sizeof text, "%.0f", number);
  } else if (std::abs(number) >= std::pow(10.0, digits)) {
    std::snprintf(text, sizeof text, "%.0f", number);
  } else {
    std::snprintf(text, sizeof text, "%.*g", digits, number);
  }
  return text;
}

}  // namespace

std::string in_words(double number) {
  return rounded(number, 4);
}

std::string percent(double fraction) {
  return rounded(100 * fraction, 3) + " %";
}

std::string clients_in_words(double clients) {
  return in_words(clients) + (clients == 1 ? " client" : " clients");
}

}  // namespace saturn
