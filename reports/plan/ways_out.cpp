#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/plan/search_report.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// Ways out that the first screen has room for.
constexpr std::size_t most_ways_on_screen = 4;

/// By how much a requirement would have to give, relative; from ten times on, how many times as much as it allows.
std::string off_text(const Requirement& requirement, double relative) {
  constexpr double much = 10.0;
  if (requirement.limit == 0.0) return "where nothing was allowed";
  return relative < much ? percent_text(relative) + " off" : number_text(1.0 + relative, 2) + " times as much";
}

/// What the limit would have to be: by a bound at least, by a short look about that.
std::string needed_text(const Requirement& requirement, const Relaxation& one) {
  std::string text = limit_text(requirement, one.needed_limit);
  if (one.simulated) return text;
  if (!is_by_formula(one.candidate)) return "about " + text;
  return (requirement.at_most ? "at least " : "at most ") + text;
}

/// Of times, losses and rates, of which more devices make better ones.
bool gains_by_devices(const Requirement& requirement) {
  const MeasureUnit unit = requirement.figure->unit;
  return unit == MeasureUnit::seconds || unit == MeasureUnit::excess || unit == MeasureUnit::share ||
         requirement.figure == measure("throughput");
}

/// Where the cheapest way out has as much as it may have of what makes it faster, more of that is another.
std::string at_the_end_text(const PlanSearch& search) {
  const SearchedCandidate& candidate = search.relaxations.front().candidate;
  const bool gains = std::ranges::all_of(search.relaxations, [&](const Relaxation& one) {
    const bool gives = one.together || &one == &search.relaxations.front();
    return !gives || gains_by_devices(search.requirements.at(one.requirement));
  });
  if (!gains) return "";
  if (search.relaxations.front().nobody_waits)
    return " More devices would not help: nobody waits there, and it takes that long.";
  std::vector<std::string> ended;
  for (std::size_t v = 0; v < search.variables.size(); ++v) {
    const FreeVariable& variable = search.variables[v];
    const auto devices = [](const FreeValue& value) { return value.nodes * value.node_size; };
    const auto has = std::ranges::find(variable.values, candidate.values.at(v), &FreeValue::text);
    if (has == variable.values.end()) continue;
    const bool most = variable.more_is_faster
                          ? has + 1 == variable.values.end()
                          : devices(*has) > 0 && std::ranges::all_of(variable.values, [&](const auto& one) {
                              return devices(one) <= devices(*has);
                            });
    if (most) ended.push_back(variable.name);
  }
  if (ended.empty()) return "";
  return " Or widen " + joined(ended) + ": this is with the most that the " +
         (ended.size() == 1 ? "range allows" : "ranges allow") +
         (candidate.saturates_at_jobs > 0.0 && std::isfinite(candidate.saturates_at_jobs)
              ? ", which saturates at " + counted(std::floor(candidate.saturates_at_jobs), "job") + "."
              : ".");
}

}  // namespace

std::string known_by(const Relaxation& one) {
  if (one.simulated) return "simulation";
  return is_by_formula(one.candidate) ? "bound" : std::string(name_of(one.candidate.fidelity));
}

std::string no_answer_text(const PlanSearch& search) {
  if (!search.complete) return "No candidate was confirmed before the search ended.";
  if (!search.undecided_better.empty())
    return "Undecided: no candidate is sure to meet every requirement, and " +
           counted(search.undecided_better.size(), "candidate") + " may.";
  const auto invalid = search.counts.find(RejectionKind::invalid);
  if (invalid != search.counts.end() && invalid->second == search.candidates)
    return "No plan: none of " + counted(search.candidates, "candidate") +
           " is a valid scenario. The first: " + search.rejections.front().words;
  const std::string text = "No plan: none of " + counted(search.candidates, "candidate") + " meets every requirement.";
  // What is no candidate at all is the least of the news.
  std::string aside;
  const auto first = std::ranges::find(search.rejections, RejectionKind::invalid, &Rejection::kind);
  if (first != search.rejections.end())
    aside = " " + with_commas(invalid->second) + " of them " + (invalid->second == 1 ? "is" : "are") +
            " no valid scenario, the first because " + first->words;
  if (search.relaxations.empty()) return text + aside;
  const Relaxation& cheapest = search.relaxations.front();
  const Requirement& requirement = search.requirements.at(cheapest.requirement);
  if (cheapest.together)
    return text + " No single requirement is in the way: these would have to give together." + at_the_end_text(search) +
           aside;
  return text + " The cheapest way out: " + requirement.text + " would have to be " +
         needed_text(requirement, cheapest) + ", " + off_text(requirement, cheapest.relative) + "." +
         at_the_end_text(search) + aside;
}

void add_ways_out(Answer& document, const PlanSearch& search) {
  Table screen = first_screen();
  for (std::size_t i = 0; i < std::min(search.relaxations.size(), most_ways_on_screen); ++i) {
    const Relaxation& one = search.relaxations[i];
    const Requirement& requirement = search.requirements.at(one.requirement);
    add_line(screen,
             i > 0                                 ? ""
             : search.relaxations.front().together ? "all of"
                                                   : "either",
             needed_text(requirement, one),
             "in place of " + requirement.text + ", " + off_text(requirement, one.relative) + ", by " +
                 (one.simulated                  ? ""
                  : is_by_formula(one.candidate) ? "the "
                                                 : "a ") +
                 known_by(one));
  }
  document.add(std::move(screen));
}

}  // namespace saturn
