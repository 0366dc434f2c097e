#include "sim/sweep/run_sweep.hpp"

namespace saturn {

bool is_of_machine(const std::string& failure) {
  return failure == "out of time" || failure == "out of memory" || failure == killed_kind;
}

}  // namespace saturn
