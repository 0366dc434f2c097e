#pragma once

#include <string>

namespace saturn {

/// A price as a report shows it.
struct QuotedPrice {
  std::string of{};      ///< "t4", "core", "traffic out of iowa"
  std::string value{};   ///< with its unit, "0.35 USD/h"
  std::string date{};    ///< "2025-11"; empty: not said
  std::string source{};  ///< empty: not said
};

}  // namespace saturn
