#include "sim/run/outcome_bytes.hpp"

namespace saturn {

std::string to_bytes(RunOutcome outcome) {
  return bytes_of(outcome);
}

RunOutcome outcome_from_bytes(std::string_view bytes) {
  return from_bytes<RunOutcome>(bytes);
}

std::string to_bytes(TracedRun run) {
  return bytes_of(run);
}

TracedRun traced_run_from_bytes(std::string_view bytes) {
  return from_bytes<TracedRun>(bytes);
}

}  // namespace saturn
