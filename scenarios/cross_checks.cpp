#include "scenarios/cross_checks.hpp"

namespace saturn {

void CheckedScenario::refuse(const std::string& pointer, const char* code, const std::string& text) const {
  complaints.refuse(document.nearest(pointer).place, pointer, code, text);
}

void CheckedScenario::warn(const std::string& pointer, const char* code, const std::string& text) const {
  complaints.warn(document.nearest(pointer).place, pointer, code, text);
}

void check_scenario(const CheckedScenario& checked) {
  check_names(checked);
  check_site_spelling(checked);
  check_sites(checked);
  check_routes(checked);
  check_links(checked);
  check_amounts(checked);
  check_jobs(checked);
  check_batching(checked);
  check_service_laws(checked);
  check_ensembles(checked);
  check_balancing(checked);
  check_attached(checked);
  check_costs(checked);
  check_platform(checked);
}

std::string model_at(const std::string& name) {
  return "/models/" + escape_pointer(name);
}

}  // namespace saturn
