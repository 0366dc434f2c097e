#include "calibration/fit/fit.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace saturn {

Complaint complaint_at(const std::string& label, std::string code, std::string text) {
  Complaint complaint{
      .source = label.empty() ? "measurements" : label, .code = std::move(code), .text = std::move(text)};
  const std::size_t colon = label.rfind(':');
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (colon != std::string::npos && colon + 1 < label.size() && label.size() - colon < 12 &&
      std::all_of(label.begin() + static_cast<std::ptrdiff_t>(colon) + 1, label.end(), is_digit)) {
    complaint.source = label.substr(0, colon);
    complaint.column = 1;
    complaint.line = std::strtoull(label.c_str() + colon + 1, nullptr, 10);
  }
  return complaint;
}

void refuse_fit(const std::string& label, std::string code, std::string text) {
  throw InputError({complaint_at(label, std::move(code), std::move(text))});
}

}  // namespace saturn
