#include "sim/sweep/point_id.hpp"

#include "models/sha256.hpp"

namespace saturn {

std::string point_id(const PointQuestion& question) {
  std::string text(results_version);
  for (const std::string_view part : {question.answer, question.resolved}) {
    text += '\n';
    text += part;
  }
  return sha256_hex(text).substr(0, 32);
}

}  // namespace saturn
