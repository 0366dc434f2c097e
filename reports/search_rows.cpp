
#include "models/words/texts.hpp"
#include "reports/figure_text.hpp"
#include "reports/number_text.hpp"
#include "reports/search_report.hpp"

namespace saturn {

namespace {

std::string asked_text(const Requirement& requirement) {
  return (requirement.at_most ? "at most " : "at least ") + figure_text(requirement.figure, requirement.limit);
}

std::string missed(const PlanSearch& search, const Rejection& rejection) {
  if (!rejection.requirement) return "a requirement is missed";
  const Requirement& requirement = search.requirements.at(*rejection.requirement);
  std::string text(requirement.figure->words);
  if (!requirement.of.empty()) text += " of " + requirement.of;
  return text + " is " + figure_text(requirement.figure, rejection.value) + " (" + asked_text(requirement) + ")";
}

std::string undecided(const PlanSearch& search, const Rejection& rejection) {
  const Requirement& requirement = search.requirements.at(rejection.requirement.value());
  std::string text(requirement.figure->words);
  if (!requirement.of.empty()) text += " of " + requirement.of;
  return text + " is " + figure_text(requirement.figure, rejection.interval.value()) +
         ", and the interval holds the limit (" + asked_text(requirement) + ")";
}

std::string saturation(const Rejection& rejection) {
  return rejection.binding.empty() ? "" : "; " + rejection.binding + " saturates first";
}

std::string values_text(const PlanSearch& search, std::uint64_t candidate) {
  return joined(candidate_values(search, candidate));
}

}  // namespace

std::vector<std::string> candidate_values(const PlanSearch& search, std::uint64_t candidate) {
  std::vector<std::string> values(search.variables.size());
  for (std::size_t v = search.variables.size(); v-- > 0;) {
    const std::vector<FreeValue>& choices = search.variables[v].values;
    values[v] = choices.at(candidate % choices.size()).text;
    candidate /= choices.size();
  }
  return values;
}

std::string rejection_text(const PlanSearch& search, const Rejection& rejection) {
  switch (rejection.kind) {
    case RejectionKind::invalid:
      return "no valid scenario: " + rejection.words;
    case RejectionKind::bound:
      return "by the bound alone, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::cannot_win:
      return "by the bound, " + std::string(search.objective.figure->words) + " cannot be better than " +
             figure_text(search.objective.figure, rejection.value);
    case RejectionKind::implied:
      return "with more of the same, " + missed(search, rejection) +
             (rejection.than ? " (" + values_text(search, *rejection.than) + ")" : "");
    case RejectionKind::screened:
      return "in a short run, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::simulated:
      return "simulated, " + missed(search, rejection) + saturation(rejection);
    case RejectionKind::undecided:
      return "simulated as long as may be, " + undecided(search, rejection);
    case RejectionKind::worse:
      return "meets everything; " + std::string(search.objective.figure->words) + " is " +
             figure_text(search.objective.figure, rejection.value);
    case RejectionKind::failed:
      return "its simulation gave no result: " + rejection.words;
    case RejectionKind::out_of_budget:
      return "not decided when the budget ended";
  }
  return "";
}

std::string search_progress_text(const PlanSearch& search) {
  if (!search.answer) return "no candidate meets everything so far";
  const SearchedCandidate& best = *search.answer;
  std::string text = best.fidelity == Fidelity::formula || best.fidelity == Fidelity::mva
                         ? "by the " + std::string(name_of(best.fidelity)) + ": "
                         : "simulated: ";
  std::vector<std::string> values;
  for (std::size_t v = 0; v < best.values.size(); ++v)
    values.push_back(search.variables.at(v).name + " = " + best.values[v]);
  text += joined(values);
  if (const auto* entry = best.figures.find(search.objective.figure))
    text += (best.values.empty() ? "" : "; ") + std::string(search.objective.figure->words) + " " +
            figure_text(search.objective.figure, entry->value);
  return text;
}

}  // namespace saturn
