#include "calibration/import/measured_file.hpp"

namespace saturn {

std::string FoundAt::text() const {
  return line == 0 ? file : file + ":" + std::to_string(line);
}

}  // namespace saturn
