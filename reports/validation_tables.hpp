#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/text_table.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

/// The rows of a case beside their simulations; several tables where the case has many quantities.
std::vector<TextTable> point_tables(const ValidationCase& validation);

/// The scores of one case.
TextTable case_score_table(const ValidationCase& validation);

/// The scores of all cases, without where the worst error is, mean and trend.
TextTable all_scores_table(const ValidationReport& report);

/// What weakens rows, by the labels of the rows that share it.
std::vector<std::pair<std::string, std::string>> row_remarks(const ValidationCase& validation);

/// ", CHANGED: /pointer=value, ..."; empty where nothing was changed.
std::string changes_text(const std::vector<std::string>& changes);

}  // namespace saturn
