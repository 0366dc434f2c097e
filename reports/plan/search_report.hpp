#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/plan/plan_report.hpp"
#include "reports/run/provenance.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/search/search.hpp"

namespace saturn {

/// The best candidate of a search, why it is that one, and why the others are not.
struct SearchReport {
  Provenance provenance;
  SystemFacts facts;  ///< of the answer's scenario; without an answer, of the user's
  PlanSearch search;
  PurchaseTerms terms{};             ///< that it was searched with
  std::optional<Scenario> chosen{};  ///< the answer's; absent without one
  std::string run_command{};         ///< what simulates the answer in full, "saturn run ... --set ..."
  std::optional<Falsification> falsification{};
  std::optional<Sensitivity> sensitivity{};
  std::vector<std::string> notes{};  ///< what a reader must know: fits taken as exact, ...
};

/// The sentence that it begins with; absent without an answer, and where only some jobs begin their events themselves.
std::optional<PlanSentence> sentence_of(const SearchReport& report);

/// The best candidate, requirements with their margins, three named answers, what was rejected and why, and what was
/// simulated.
Answer search_answer(const SearchReport& report);

/// The best candidate and why it is that one, or why there is none, as people see it first; and the sentence.
void add_search_screen(Answer& answer, const SearchReport& report);

/// Why a search has no answer, and the cheapest way out, in a paragraph.
std::string no_answer_text(const PlanSearch& search);

/// How well it is known what would have to give: "simulation", "bound", "glance", "short run".
std::string known_by(const Relaxation& one);

/// What each requirement would have to be, the cheapest first.
void add_ways_out(Answer& answer, const PlanSearch& search);

/// Its figures are bounds, or those of mean value analysis: nothing of it was simulated.
bool is_by_formula(const SearchedCandidate& candidate);

/// "8 values, 1 to 8": what a variable was chosen out of.
std::string choices_text(const FreeVariable& variable);

/// One line for a terminal while the search goes on: what is the best so far, and how well it is known.
std::string search_progress_text(const PlanSearch& search);

/// Why a candidate is not the answer, in a sentence without its end: "by the bound, slowdown is 12 % (at most 1 %);
/// gke/t4 saturates first".
std::string rejection_text(const PlanSearch& search, const Rejection& rejection);

/// Each requirement with what the answer has: "latency_p99 <= 500 ms (480 ± 50 ms, its interval reaches beyond)".
std::vector<std::string> requirement_texts(const PlanSearch& search);

}  // namespace saturn
