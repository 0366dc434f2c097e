#pragma once

#include <stdexcept>

namespace saturn {

/// A run that went well but has nothing to say, because the scenario lets nothing happen that could be measured: the
/// input's fault, with the way out in its text.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace saturn
