#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/provenance.hpp"
#include "reports/system_facts.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// A scenario that was read without complaint, and what follows from it without simulation.
struct CheckReport {
  Provenance provenance;
  SystemFacts facts;
  std::vector<std::string> product_form_violations;  ///< why mean value analysis is only an approximation here
  std::size_t warnings = 0;                          ///< that were said when it was read
  std::string resolved;                              ///< the scenario's document as it was decoded
};

std::string check_table(const CheckReport& report, TextStyle style);
std::string check_json(const CheckReport& report);
std::string check_csv(const CheckReport& report);

}  // namespace saturn
