#include "calibration/exact_text.hpp"

#include <array>
#include <charconv>

namespace saturn {

std::string exact_text(double value) {
  std::array<char, 40> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), written.ptr};
}

std::string exact_seconds(double value) {
  return exact_text(value) + " s";
}

}  // namespace saturn
