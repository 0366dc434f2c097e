#include "reports/page/planner_model.hpp"

namespace saturn {

const char* name_of(DemandFollows follows) {
  switch (follows) {
    case DemandFollows::device:
      return "device";
    case DemandFollows::bandwidth:
      return "bandwidth";
    case DemandFollows::nothing:
      break;
  }
  return "nothing";
}

}  // namespace saturn
