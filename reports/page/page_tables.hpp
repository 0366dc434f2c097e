#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/estimate.hpp"
#include "models/words/quantities.hpp"
#include "reports/page/report_page.hpp"
#include "reports/facts_text.hpp"

/// Tables of a page and the texts of their cells.
namespace saturn {

/// A column: its head, and whether it holds numbers.
struct PageColumn {
  std::string head{};
  bool is_number = false;
};

/// A table without rows.
PageTable page_table(std::string caption, const std::vector<PageColumn>& columns);

/// "121.4 ± 0.1 s", "11.8 ms": in the unit that reads best.
std::string time_text(const Estimate& seconds);
std::string time_text(const std::optional<double>& seconds);

/// "121.4 s", or why it is withheld.
std::string quantile_text(const Estimate& seconds);

/// A number of clients, as a table shows it: whole from 100 on.
std::string clients_text(double clients);

/// "job"; "event loop" where a job has several.
std::string client_word(double jobs, double clients);

/// "16 jobs", "16 jobs with 64 event loops".
std::string jobs_text(const SystemFacts& facts);

/// A number of jobs as that of what a page counts, see client_word.
double as_clients(const SystemFacts& facts, double jobs);

}  // namespace saturn
