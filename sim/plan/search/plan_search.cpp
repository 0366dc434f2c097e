#include "sim/plan/search/plan_search.hpp"

#include <stdexcept>

namespace saturn {

std::string_view name_of(RejectionKind kind) {
  switch (kind) {
    case RejectionKind::invalid:
      return "invalid";
    case RejectionKind::bound:
      return "bound";
    case RejectionKind::cannot_win:
      return "cannot win";
    case RejectionKind::implied:
      return "implied";
    case RejectionKind::screened:
      return "screened";
    case RejectionKind::simulated:
      return "simulated";
    case RejectionKind::undecided:
      return "undecided";
    case RejectionKind::worse:
      return "no better";
    case RejectionKind::failed:
      return "failed";
    case RejectionKind::out_of_budget:
      return "out of budget";
  }
  throw std::logic_error("name_of: a kind of rejection without a name");
}

std::string_view name_of(Fidelity fidelity) {
  switch (fidelity) {
    case Fidelity::formula:
      return "formula";
    case Fidelity::mva:
      return "mean value analysis";
    case Fidelity::glance:
      return "glance";
    case Fidelity::short_run:
      return "short run";
    case Fidelity::full:
      return "full";
  }
  throw std::logic_error("name_of: a fidelity without a name");
}

}  // namespace saturn
