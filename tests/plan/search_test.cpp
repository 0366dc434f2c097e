#include "sim/plan/search/search.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/plan/search/figures_by_bound.hpp"
#include "tests/plan/search_all.hpp"
#include "tests/plan/searched_problems.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

const std::vector<Objective> all_objectives = {
    {measure("gpus"), true, "fewest-gpus"},           {measure("cost_per_million"), true, "cost"},
    {measure("throughput"), false, "throughput"},     {measure("campaign_time"), true, "campaign-time"},
    {measure("jobs_per_gpu"), false, "jobs-per-gpu"}, {measure("rent"), true, "rent"}};

MadeUpProblem any_problem() {
  MadeUpProblem problem{.devices = {1, 2, 4, 8},
                        .jobs = {8, 13, 40},
                        .delays_s = {0.0, 0.4},
                        .service_s = *rc::gen::element(0.5, 1.0, 2.0),
                        .think_s = *rc::gen::element(10.0, 30.0),
                        .seed = *rc::gen::inRange<std::uint64_t>(1, 1000)};
  problem.objective = *rc::gen::elementOf(all_objectives);
  problem.requirements = {required(measure("slowdown"), *rc::gen::element(0.03, 0.1, 0.3, 1.0))};
  if (*rc::gen::arbitrary<bool>())
    problem.requirements.push_back(required(measure("throughput"), *rc::gen::element(0.3, 1.0, 2.5, 9.0), false));
  if (*rc::gen::arbitrary<bool>())
    problem.requirements.push_back(required(measure("gpus"), *rc::gen::element(2.0, 6.0)));
  return problem;
}

PlanSearch searched(const MadeUpProblem& problem, const SearchControl& control = {}) {
  return search_plan(question_of(problem), {}, scenarios_of(problem), made_up_simulations(problem), control);
}

PlanSearch all_of(const MadeUpProblem& problem) {
  return search_all(question_of(problem), {}, scenarios_of(problem), made_up_simulations(problem));
}

double objective_of(const PlanSearch& search) {
  return search.answer->figures.find(search.objective.figure)->value.mean;
}

double figure_of(const SearchedCandidate& candidate, MeasureId figure) {
  return candidate.figures.find(figure)->value.mean;
}

/// The same purchase, as good by the objective, and with room wherever the other has some.
void require_as_good(const MadeUpProblem& problem, const PlanSearch& found, const PlanSearch& best) {
  for (const MeasureId figure : {measure("gpus"), measure("rent")})
    RC_ASSERT(figure_of(*found.answer, figure) == figure_of(*best.answer, figure));
  const double objective = objective_of(best);
  RC_ASSERT(std::abs(objective_of(found) - objective) <= objective_resolution * std::abs(objective));
  const auto room = [&](const PlanSearch& search) {
    double least = 1.0;
    for (const Requirement& one : problem.requirements)
      if (one.figure != measure("gpus")) least = std::min(least, -excess(one, figure_of(*search.answer, one.figure)));
    return least;
  };
  constexpr double ample = 0.1;
  RC_ASSERT(room(found) >= std::min(room(best), ample));
}

/// True where nobody can say whether a requirement is met.
bool holds_a_limit(const PlanSearch& search, const SearchedCandidate& candidate) {
  return std::any_of(search.requirements.begin(), search.requirements.end(), [&](const Requirement& one) {
    const Estimate& value = candidate.figures.find(one.figure)->value;
    return value.low < one.limit && one.limit < value.high;
  });
}

/// By how much a candidate misses all requirements together.
double missed_in_all(const MadeUpProblem& problem, const SearchedCandidate& candidate) {
  double sum = 0.0;
  for (const Requirement& requirement : problem.requirements)
    sum += std::max(0.0, excess(requirement, figure_of(candidate, requirement.figure)));
  return sum;
}

std::uint64_t total(const PlanSearch& search) {
  std::uint64_t sum = search.answer ? 1 : 0;
  for (const auto& [kind, count] : search.counts) sum += count;
  return sum;
}

/// Of more candidates, or fewer requirements.
void require_no_worse(const PlanSearch& more, const PlanSearch& fewer) {
  if (!fewer.answer) return;
  RC_ASSERT(more.answer.has_value());
  const double sign = fewer.objective.least ? 1.0 : -1.0;
  // Differences of 0.1 % are no reason to buy more.
  RC_ASSERT(sign * objective_of(more) <= sign * objective_of(fewer) + 1.5e-3 * std::abs(objective_of(fewer)));
}

}  // namespace

TEST_CASE("a search finds what simulating every candidate in full finds, with a tenth of the requests" *
          doctest::test_suite("release")) {
  std::uint64_t requests = 0;
  std::uint64_t requests_of_all = 0;
  CHECK(rc::check([&] {
    MadeUpProblem problem = any_problem();
    // Of fewer candidates a search spares less.
    problem.devices = {1, 2, 3, 4, 6, 8};
    problem.jobs = {8, 13, 20, 40, 60};
    const PlanSearch fast = searched(problem, {.answer_alone = true});
    const PlanSearch slow = all_of(problem);
    RC_ASSERT(fast.complete);
    RC_ASSERT(fast.answer.has_value() == slow.answer.has_value());
    if (slow.answer) require_as_good(problem, fast, slow);
    RC_ASSERT(total(fast) == fast.candidates);
    RC_ASSERT(total(slow) == slow.candidates);
    RC_ASSERT(fast.rejections.size() == fast.candidates);
    requests += fast.simulated_requests;
    requests_of_all += slow.simulated_requests;
  }));
  CHECK(requests_of_all > 10 * requests);
}

TEST_CASE("more devices to choose from never give a worse answer" * doctest::test_suite("release")) {
  CHECK(rc::check([] {
    MadeUpProblem problem = any_problem();
    problem.objective = *rc::gen::element(all_objectives[0], all_objectives[1], all_objectives[2]);
    const PlanSearch more = searched(problem, {.answer_alone = true});
    problem.devices.resize(*rc::gen::inRange<std::size_t>(1, problem.devices.size()));
    require_no_worse(more, searched(problem, {.answer_alone = true}));
  }));
}

TEST_CASE("relaxing a requirement never gives a worse answer" * doctest::test_suite("release")) {
  CHECK(rc::check([] {
    MadeUpProblem problem = any_problem();
    const PlanSearch strict = searched(problem, {.answer_alone = true});
    problem.requirements.front().limit *= 2;
    require_no_worse(searched(problem, {.answer_alone = true}), strict);
  }));
}

TEST_CASE("the answer does not depend on how many simulations run side by side" * doctest::test_suite("release")) {
  CHECK(rc::check([] {
    MadeUpProblem problem = any_problem();
    problem.devices = {1, 2, 6};
    problem.jobs = {8, 30};
    const PlanSearch one = searched(problem, {.side_by_side = 1});
    const PlanSearch many = searched(problem, {.side_by_side = *rc::gen::inRange<std::size_t>(2, 40)});
    RC_ASSERT(one.answer.has_value() == many.answer.has_value());
    if (one.answer) RC_ASSERT(one.answer->index == many.answer->index);
    RC_ASSERT(one.simulations == many.simulations);
    RC_ASSERT(one.counts == many.counts);
  }));
}

TEST_CASE("an infeasible request says how much each requirement must give, and with that much it is feasible" *
          doctest::test_suite("drawn")) {
  int requests = 0;
  int relaxed = 0;
  CHECK(rc::check([&] {
    ++requests;
    MadeUpProblem problem = any_problem();
    problem.devices = {1, 2, 4};
    problem.jobs = {20, 40};
    problem.delays_s = {0.0};
    problem.requirements = {required(measure("slowdown"), 0.0005), required(measure("gpus"), 1),
                            required(measure("jobs"), 40, false)};
    const PlanSearch strict = searched(problem);
    RC_ASSERT(!strict.answer.has_value());
    RC_ASSERT(strict.named.empty());
    for (std::size_t i = 1; i < strict.relaxations.size(); ++i)
      RC_ASSERT(strict.relaxations[i - 1].relative <= strict.relaxations[i].relative);
    for (const Relaxation& relaxation : strict.relaxations) {
      if (!relaxation.simulated) continue;
      MadeUpProblem loose = problem;
      loose.requirements[relaxation.requirement].limit = relaxation.needed_limit;
      RC_ASSERT(searched(loose, {.answer_alone = true}).answer.has_value());
      // A little less is not enough.
      const double sign = problem.requirements[relaxation.requirement].at_most ? 1.0 : -1.0;
      loose.requirements[relaxation.requirement].limit -= sign * 0.01 * relaxation.needed_limit;
      RC_ASSERT(!searched(loose, {.answer_alone = true}).answer.has_value());
      ++relaxed;
    }
  }));
  CHECK(relaxed > requests);
}

TEST_CASE("where no requirement can give alone, those that the nearest candidate misses give together" *
          doctest::test_suite("drawn")) {
  CHECK(rc::check([] {
    MadeUpProblem problem = any_problem();
    problem.devices = {1, 3};
    problem.jobs = {8, 40};
    problem.requirements = {required(measure("slowdown"), *rc::gen::element(0.1, 0.3, 1.0)),
                            required(measure("gpus"), 0.5), required(measure("jobs"), 100, false)};
    const PlanSearch strict = searched(problem);
    RC_ASSERT(!strict.answer.has_value());
    RC_ASSERT(strict.relaxations.size() >= 2u);
    MadeUpProblem loose = problem;
    for (const Relaxation& relaxation : strict.relaxations) {
      RC_ASSERT(relaxation.together);
      RC_ASSERT(relaxation.simulated);
      RC_ASSERT(relaxation.candidate.index == strict.relaxations.front().candidate.index);
      loose.requirements[relaxation.requirement].limit = relaxation.needed_limit;
    }
    RC_ASSERT(searched(loose, {.answer_alone = true}).answer.has_value());
    const std::vector<SearchedCandidate> all = all_of(problem).looked_at;
    double least = missed_in_all(problem, all.front());
    for (const SearchedCandidate& one : all) least = std::min(least, missed_in_all(problem, one));
    RC_ASSERT(missed_in_all(problem, strict.relaxations.front().candidate) <= least * (1.0 + 1e-9));
  }));
}

TEST_CASE("where more load takes long to simulate, the rows beside the answer end, and say what is known" *
          doctest::test_suite("drawn")) {
  int between = 0;
  CHECK(rc::check([&] {
    MadeUpProblem problem = any_problem();
    problem.devices = {1, 2, 6};
    problem.jobs = {8, 40};
    const EvaluateEach quick = made_up_simulations(problem);
    std::uint64_t raised = 0;
    const EvaluateEach slow = [&](std::span<const SearchedScenario> scenarios) {
      std::vector<SearchedRun> runs = quick(scenarios);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::uint64_t jobs = scenarios[i].scenario.jobs[0].count;
        if (std::find(problem.jobs.begin(), problem.jobs.end(), jobs) != problem.jobs.end()) continue;
        runs[i].requests = 10'000'000'000;
        ++raised;
      }
      return runs;
    };
    const PlanSearch search = search_plan(question_of(problem), {}, scenarios_of(problem), slow, {});
    const PlanSearch alone = searched(problem, {.answer_alone = true});
    RC_ASSERT(search.answer.has_value() == alone.answer.has_value());
    // One batch for the row, and one load that the answer may stand.
    RC_ASSERT(raised <= 8 + 1u);
    if (!search.answer) return;
    RC_ASSERT(search.answer->index == alone.answer->index);
    if (search.named[2].remark.find("the answer stands between") != std::string::npos) ++between;
  }));
  CHECK(between > 0);
}

TEST_CASE("what a full simulation has judged is not called hopeless by the formulas" * doctest::test_suite("drawn")) {
  CHECK(rc::check([] {
    const PlanSearch search = searched(any_problem());
    for (const SearchedCandidate& one : search.looked_at) {
      if (one.fidelity != Fidelity::full || !one.rejection || !search.answer) continue;
      if (holds_a_limit(search, one)) continue;
      RC_ASSERT(one.rejection->kind == RejectionKind::simulated || one.rejection->kind == RejectionKind::worse);
      if (one.rejection->kind == RejectionKind::worse) continue;
      const Requirement& missed = search.requirements[one.rejection->requirement.value()];
      RC_ASSERT(excess(missed, one.rejection->value) > 0.0);
      RC_ASSERT(one.rejection->value == figure_of(one, missed.figure));
    }
  }));
}

TEST_CASE("the three named answers are the best of their kind" * doctest::test_suite("release")) {
  CHECK(rc::check([] {
    MadeUpProblem problem = any_problem();
    problem.jobs = {8, 30};
    const PlanSearch search = searched(problem);
    if (!search.answer) return;
    RC_ASSERT(search.named.size() == 3u);
    MadeUpProblem other = problem;
    other.objective = all_objectives[1];
    RC_ASSERT(search.named[1].candidate->index == all_of(other).answer->index);
    other.objective = all_objectives[0];
    const PlanSearch least = all_of(other);
    // Of several that cost the same the answer itself, or the best of them that the search has simulated.
    const SearchedCandidate& smallest = search.named[0].candidate.value();
    bool cheap = true;
    for (const MeasureId figure : {measure("gpus"), measure("rent")}) {
      RC_ASSERT(figure_of(smallest, figure) == figure_of(*least.answer, figure));
      cheap = cheap && figure_of(*search.answer, figure) <= figure_of(*least.answer, figure);
    }
    if (cheap) RC_ASSERT(smallest.index == search.answer->index);
    const double sign = problem.objective.least ? 1.0 : -1.0;
    RC_ASSERT(sign * figure_of(*search.answer, problem.objective.figure) <=
              sign * figure_of(smallest, problem.objective.figure) +
                  1.5e-3 * std::abs(figure_of(smallest, problem.objective.figure)));
    const NamedAnswer& robust = search.named[2];
    RC_ASSERT(robust.candidate.has_value() || robust.remark.starts_with("no candidate meets"));
  }));
}

TEST_CASE("by formulas alone a search takes the best of the candidates whose bounds meet everything" *
          doctest::test_suite("release")) {
  const EvaluateEach never = [](std::span<const SearchedScenario>) -> std::vector<SearchedRun> {
    throw std::logic_error("something was simulated");
  };
  CHECK(rc::check([&] {
    const MadeUpProblem problem = any_problem();
    const SearchQuestion question = question_of(problem);
    const MakeScenario make = scenarios_of(problem);
    const PlanSearch found = search_plan(question, {}, make, never, {.formulas_alone = true});
    std::optional<double> best;
    for (std::uint64_t c = 0; c < question.space.size(); ++c) {
      CandidateFigures figures;
      try {
        figures = figures_by_bound(make(question.space.settings(c)), {.campaign_events = question.campaign_events},
                                   BoundOf::expectations);
      } catch (const InputError&) {
        continue;
      }
      const bool meets = std::all_of(
          problem.requirements.begin(), problem.requirements.end(),
          [&](const Requirement& one) { return excess(one, figures.find(one.figure)->value.mean) <= 1e-9; });
      const double score = figures.find(problem.objective.figure)->value.mean;
      if (meets && (!best || (problem.objective.least ? score < *best : score > *best))) best = score;
    }
    RC_ASSERT(found.answer.has_value() == best.has_value());
    if (best) RC_ASSERT(std::abs(objective_of(found) - *best) <= objective_resolution * std::abs(*best));
    RC_ASSERT(found.complete);
    RC_ASSERT(found.simulations == 0u);
    RC_ASSERT(total(found) == found.candidates);
  }));
}

TEST_CASE("a search without time says so, and gives what it has" * doctest::test_suite("drawn")) {
  CHECK(rc::check([] {
    const MadeUpProblem problem = any_problem();
    const int allowed = *rc::gen::inRange(0, 30);
    int asked = 0;
    bool said = false;
    SearchControl control;
    control.out_of_time = [&] { return ++asked > allowed; };
    control.improved = [&](const PlanSearch& now) { said = said || now.answer.has_value(); };
    control.side_by_side = 8;
    const PlanSearch cut = searched(problem, control);
    const PlanSearch whole = searched(problem);
    RC_ASSERT(total(cut) == cut.candidates);
    if (cut.complete) {
      RC_ASSERT(cut.answer.has_value() == whole.answer.has_value());
      if (whole.answer) RC_ASSERT(cut.answer->index == whole.answer->index);
    } else {
      RC_ASSERT(cut.relaxations.empty());
    }
    if (cut.answer) RC_ASSERT(said);
  }));
}

TEST_CASE("a simulation that fails loses its candidate alone") {
  MadeUpProblem problem{.devices = {1, 2, 3, 4},
                        .jobs = {20},
                        .delays_s = {0.0},
                        .requirements = {required(measure("slowdown"), 0.3)},
                        .objective = all_objectives[0]};
  const PlanSearch whole = searched(problem);
  REQUIRE(whole.answer.has_value());
  const EvaluateEach good = made_up_simulations(problem);
  const std::string devices = whole.answer->settings.back().value;
  const PlanSearch search = search_plan(
      question_of(problem), {}, scenarios_of(problem),
      [&](std::span<const SearchedScenario> scenarios) {
        std::vector<SearchedRun> runs = good(scenarios);
        for (std::size_t i = 0; i < runs.size(); ++i)
          if (scenarios[i].settings[3].value == devices && scenarios[i].settings[0].value == whole.answer->values[0])
            runs[i].failure = "it crashed";
        return runs;
      },
      {});
  REQUIRE(search.answer.has_value());
  CHECK(search.answer->index != whole.answer->index);
  CHECK(search.rejections[whole.answer->index].kind == RejectionKind::failed);
  CHECK(search.rejections[whole.answer->index].words == "it crashed");
}
