#include "sim/engine/recording/run_trace.hpp"

namespace saturn {

const char* name_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::compute:
      return "compute";
    case SpanKind::call:
      return "call";
    case SpanKind::send:
      return "send";
    case SpanKind::queue:
      return "queue";
    case SpanKind::execute:
      return "execute";
    case SpanKind::receive:
      return "receive";
    case SpanKind::batch:
      break;
  }
  return "batch";
}

}  // namespace saturn
