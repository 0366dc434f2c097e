#include "sim/sweep/json_pieces.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <stdexcept>

#include "models/words/numbers.hpp"

namespace saturn {

void add_json_text(std::string& line, const std::string& text) {
  line += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_json_number(std::string& line, double value, std::string_view what) {
  if (!std::isfinite(value)) throw std::logic_error(std::string(what) + " is no finite number");
  // "-0" reads back as the whole number 0, without its sign.
  if (value == 0.0 && std::signbit(value)) {
    line += "-0.0";
    return;
  }
  line += exact_text(value);
}

void add_json_number(std::string& line, const std::optional<double>& value, std::string_view what) {
  if (value)
    add_json_number(line, *value, what);
  else
    line += "null";
}

}  // namespace saturn
