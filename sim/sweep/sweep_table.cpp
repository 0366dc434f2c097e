#include "sim/sweep/sweep_table.hpp"

namespace saturn {

const char* name_of(PointStatus status) {
  switch (status) {
    case PointStatus::missing:
      return "missing";
    case PointStatus::answered:
      return "answered";
    case PointStatus::imprecise:
      return "imprecise";
    case PointStatus::failed:
      return "failed";
  }
  return "missing";
}

}  // namespace saturn
