#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/report/report_parts.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t most_fleet_points = 24;
constexpr std::size_t most_batches = 5;
constexpr double nearly_all = 0.95;

/// Numbers of steps of the fleet that are drawn: to twice what is there or needed.
std::vector<std::uint64_t> fleet_steps(const Scenario& scenario, const Plan* plan) {
  const DeviceFleet fleet(scenario);
  std::uint64_t most = fleet.present_steps();
  const std::uint64_t in_step = std::max<std::uint64_t>(1, device_count(fleet.with_steps(1)));
  if (plan != nullptr && plan->answer.gpus) most = std::max(most, *plan->answer.gpus / in_step);
  most = std::max<std::uint64_t>(4, 2 * most);
  std::set<std::uint64_t> steps{fleet.present_steps()};
  const std::uint64_t count = std::min(most, most_fleet_points);
  for (std::uint64_t i = 1; i <= count; ++i) steps.insert(std::max<std::uint64_t>(1, i * most / count));
  return {steps.begin(), steps.end()};
}

std::optional<Estimate> cost_of(const CandidateFigures& figures) {
  const CandidateFigures::Entry* entry = figures.find(measure("cost_per_million"));
  return entry == nullptr ? std::nullopt : std::optional(entry->value);
}

std::optional<double> mean_of_figure(const CandidateFigures& figures, MeasureId figure) {
  const CandidateFigures::Entry* entry = figures.find(figure);
  return entry == nullptr ? std::nullopt : std::optional(entry->value.mean);
}

CostPoint by_bound(const System& system) {
  const auto& [scenario, network, bounds] = system;
  CostPoint point{.gpus = device_count(scenario),
                  .bound_usd = compute_expenses(system, {}).usd_per_million(bounds.events_per_s)};
  if (!bounds.knees.empty() && bounds.clients >= nearly_all * bounds.knees.front().clients)
    point.binding = network.resources[bounds.knees.front().resource].name;
  return point;
}

/// Present, needed, one less and one more, and the ends: what a buyer looks at.
void simulate_costs(CostStudy& cost, const StudyContext& context, const std::vector<std::uint64_t>& steps,
                    const Plan* plan) {
  const DeviceFleet fleet(context.scenario());
  std::set<std::size_t> chosen{0, steps.size() - 1};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool present = steps[i] == fleet.present_steps();
    const bool needed = plan != nullptr && plan->answer.gpus && cost.points[i].gpus == *plan->answer.gpus;
    if (!present && !needed) continue;
    chosen.insert(i);
    if (i > 0) chosen.insert(i - 1);
    if (i + 1 < steps.size()) chosen.insert(i + 1);
  }
  std::vector<Scenario> scenarios;
  for (const std::size_t i : chosen) scenarios.push_back(fleet.with_steps(steps[i]));
  const std::vector<Results> summaries = context.simulate(scenarios);
  std::size_t next = 0;
  for (const std::size_t i : chosen) {
    cost.points[i].simulated_usd = cost_of(figures_by_simulation(scenarios[next], summaries[next], {}));
    ++next;
  }
}

/// The free variable of a scenario's only server: its devices, or its nodes.
std::optional<std::string> device_pointer(const Scenario& scenario) {
  if (scenario.servers.size() != 1) return std::nullopt;
  const Server& server = scenario.servers.front();
  return "/servers/" + std::to_string(server.place) + (server.nodes > 1 ? "/nodes" : "/devices/count");
}

struct NamedSearch {
  PlanSearch found{};
  std::string command{};
};

NamedSearch named_search(const StudyContext& context, std::uint64_t most_steps) {
  SearchOptions options;
  options.free = {*device_pointer(context.scenario()) + "=1:" + std::to_string(most_steps)};
  options.slowdown = context.options.slowdown;
  options.objective = "cost";
  const SearchQuestion question = understand(options, context.read);
  CandidateRuns runs(context.run_options_until());
  const SearchControl control{.out_of_time = [&] { return context.is_over(); }};
  NamedSearch search;
  search.found = search_plan(question, {}, context.read.again, runs.evaluator(), control);
  search.command = scenario_command("plan", context.options.scenario) + " --free " + options.free.front() +
                   (options.slowdown ? " --slowdown " + shell_word(*options.slowdown) : "") + " --objective cost" +
                   seed_option(context.options.scenario.seed);
  return search;
}

void add_marks(CostStudy& cost, const PlanSearch& search) {
  for (const NamedAnswer& named : search.named) {
    if (!named.candidate) continue;
    const std::optional<double> gpus = mean_of_figure(named.candidate->figures, measure("gpus"));
    const std::optional<Estimate> usd = cost_of(named.candidate->figures);
    if (!gpus || !usd) continue;
    cost.marks.push_back({.name = named.name,
                          .gpus = static_cast<std::uint64_t>(std::llround(*gpus)),
                          .usd = usd->mean,
                          .remark = named.remark});
  }
}

bool is_refused(const SearchedCandidate& candidate) {
  if (!candidate.rejection) return false;
  const RejectionKind kind = candidate.rejection->kind;
  return kind == RejectionKind::bound || kind == RejectionKind::implied || kind == RejectionKind::screened ||
         kind == RejectionKind::simulated || kind == RejectionKind::failed || kind == RejectionKind::invalid;
}

/// Devices by batch sizes, by the bounds.
class CandidateGrid {
 public:
  CandidateGrid(const StudyContext& context, const PlanSearch* search) : context_(context), search_(search) {
    const SystemFacts facts = gather_facts(context.scenario());
    device_ = facts.device_word;
    study_ = {.x_title = "cost of a million events", .x_unit = "USD", .y_title = "event time", .y_unit = "s"};
  }

  ParetoStudy filled(const std::vector<std::uint64_t>& steps) {
    VariedAxis batches = batch_axis(context_.read);
    if (batches.axis.values.empty()) batches.settings = {{}};
    const std::size_t size = batches.settings.size();
    const std::size_t stride = (size + most_batches - 1) / most_batches;
    for (std::size_t b = 0; b < size; ++b) {
      const bool present = is_present(batches, b);
      if (!present && b % stride != 0) continue;
      const std::string words =
          batches.axis.values.empty() ? "" : ", " + batches.axis.title + " " + number_text(batches.axis.values[b], 4);
      try {
        const DeviceFleet fleet(context_.read.again(batches.settings[b]));
        for (const std::uint64_t step : steps) add(fleet.with_steps(step), present, words);
      } catch (const InputError&) {
        continue;  // the map of clients over batches says why
      }
    }
    return study_;
  }

 private:
  static bool is_present(const VariedAxis& batches, std::size_t b) {
    return !batches.axis.present || batches.axis.values[b] == *batches.axis.present;
  }

  const SearchedCandidate* simulated_with(double gpus) const {
    if (search_ == nullptr) return nullptr;
    for (const SearchedCandidate& one : search_->looked_at)
      if (one.fidelity == Fidelity::full && mean_of_figure(one.figures, measure("gpus")) == gpus) return &one;
    return nullptr;
  }

  std::string name_with(double gpus) const {
    if (search_ == nullptr) return "";
    std::vector<std::string> names;
    for (const NamedAnswer& named : search_->named)
      if (named.candidate && mean_of_figure(named.candidate->figures, measure("gpus")) == gpus)
        names.push_back(named.name);
    return joined_plans(names, search_->named.size());
  }

  void add(const Scenario& scenario, bool present, const std::string& words) {
    const auto gpus = static_cast<double>(device_count(scenario));
    const SearchedCandidate* simulated = present ? simulated_with(gpus) : nullptr;
    std::optional<ParetoPoint> point = simulated != nullptr ? simulated_point(*simulated) : bound_point(scenario);
    if (!point) return;
    point->label = counted(gpus, device_) + words;
    if (present) point->name = name_with(gpus);
    study_.points.push_back(std::move(*point));
  }

  static std::optional<ParetoPoint> simulated_point(const SearchedCandidate& simulated) {
    const CandidateFigures::Entry* time = simulated.figures.find(measure("event_time"));
    const std::optional<double> usd = mean_of_figure(simulated.figures, measure("cost_per_million"));
    if (time == nullptr || !usd) return std::nullopt;
    return ParetoPoint{.x = *usd,
                       .y = time->value.mean,
                       .y_low = time->value.low,
                       .y_high = time->value.high,
                       .simulated = true,
                       .feasible = !is_refused(simulated)};
  }

  /// The bounds themselves, without the allowance for chance with which a search refuses candidates.
  std::optional<ParetoPoint> bound_point(const System& system) const {
    if (figures_by_bound(system, {}).find(measure("event_time")) == nullptr) return std::nullopt;
    const Bounds& bounds = system.bounds;
    const std::optional<double> usd = compute_expenses(system, {}).usd_per_million(bounds.events_per_s);
    if (!usd) return std::nullopt;
    const double slowdown = bounds.event_time_s / bounds.ideal_event_time_s - 1.0;
    return ParetoPoint{.x = *usd, .y = bounds.event_time_s, .feasible = slowdown <= context_.question.slowdown};
  }

  const StudyContext& context_;
  const PlanSearch* search_;
  std::string device_;
  ParetoStudy study_{};
};

/// Lines are drawn by formulas, which do not know what happens over time: they may miss by a factor.
std::string why_no_lines(const CostStudy& cost, std::uint64_t present) {
  std::string text =
      "Runs have a fixed length (/run/horizon) in which something happens, so that formulas, by which costs are drawn "
      "against " +
      cost.stream_word + "s, do not hold.";
  const auto own = std::ranges::find_if(cost.points, [&](const CostPoint& point) { return point.gpus == present; });
  if (own != cost.points.end() && own->simulated_usd)
    text += " Simulated, the " + counted(present, cost.device_word) + " of the scenario cost " +
            estimate_text(*own->simulated_usd) + " USD per million events.";
  return text;
}

std::string without_price(const Scenario& scenario) {
  for (const Server& server : scenario.servers) {
    const auto type = scenario.devices.find(server.devices.type);
    if (type != scenario.devices.end() && !type->second.price)
      return "Nothing is said of costs: /devices/" + server.devices.type + "/price is missing.";
  }
  return "Nothing of the scenario has a price.";
}

}  // namespace

Studied<MoneyStudy> money_study(const StudyContext& context, const Plan* plan, const NeedStudy* need) {
  const Scenario& scenario = context.scenario();
  if (any_open(scenario) || scenario.servers.empty()) return {};
  const Expenses expenses = compute_expenses(scenario, {});
  if (!expenses.rent_usd_per_h()) return {.study = {}, .why_not = without_price(scenario)};
  MoneyStudy money;
  const SystemFacts facts = gather_facts(scenario);
  money.cost.device_word = facts.device_word;
  money.cost.stream_word = stream_word_of(facts);
  money.cost.clients = facts.clients;
  money.cost.priced = priced_words(priced_parts(expenses), facts.device_word);
  money.cost.cpu_only_usd = cpu_only_usd_per_million(scenario);
  money.cost.prices = quoted_prices(scenario);
  const bool steady = !has_no_steady_state(scenario);
  if (steady) add_cost_lines(money.cost, context, need);
  const std::vector<std::uint64_t> steps = fleet_steps(scenario, plan);
  const DeviceFleet fleet(scenario);
  for (const std::uint64_t step : steps) money.cost.points.push_back(by_bound(fleet.with_steps(step)));
  simulate_costs(money.cost, context, steps, plan);
  if (!steady) money.cost.why_no_lines = why_no_lines(money.cost, device_count(scenario));
  std::optional<NamedSearch> search;
  if (!device_pointer(scenario)) {
    money.why_no_candidates =
        "The named plans are searched where one server's devices can be chosen; here are several.";
  } else if (!steady) {
    money.why_no_candidates =
        "Over a run of a fixed length (/run/horizon) what happens makes events slower whatever is bought, so that no "
        "plan is named for a slowdown of the unloaded event. saturn plan --free with --require \"late <= 0.1 %\", say, "
        "searches.";
  } else if (context.is_over()) {
    money.why_no_candidates = "The budget was spent before the named plans were searched.";
  } else {
    search = named_search(context, steps.back());
    money.search_command = search->command;
    add_marks(money.cost, search->found);
  }
  money.candidates = CandidateGrid(context, search ? &search->found : nullptr).filled(steps);
  return {.study = std::move(money), .why_not = ""};
}

namespace {

constexpr double close_enough = 0.01;
// How far the map goes beyond the jobs that are there, and beyond those that saturate the first resource.
constexpr double load_beyond = 4.0;

ComparedAlternative read_way(Alternative alternative, const StudyContext& context) {
  // Break-evens are drawn by formula over two inputs; the simulated ones along one are the business of compare.
  alternative.service = false;
  if (!alternative.why_not.empty()) return {.about = std::move(alternative), .scenario = {}};
  try {
    Scenario scenario =
        alternative.cpu_only ? cpu_only_scenario(context.scenario()) : context.read.again(alternative.settings);
    return {.about = std::move(alternative), .scenario = std::move(scenario)};
  } catch (const InputError& error) {
    alternative.why_not = error.complaints().front().text;
    return {.about = std::move(alternative), .scenario = {}};
  }
}

/// A way at each round trip, or at any where it does not depend on it.
struct MappedWay {
  std::vector<System> systems{};  ///< (round trips), or one
  bool per_job = false;

  /// What is compared: cost of a million events [USD], or the event time [s].
  double value(std::size_t ix, double clients, bool by_cost) const {
    const System& system = systems[std::min(ix, systems.size() - 1)];
    const Bounds bounds = per_job ? system.bounds : asymptotic_bounds(with_clients(system.network, clients));
    if (!by_cost) return bounds.event_time_s;
    const Expenses expenses = compute_expenses(per_job ? system : with_streams(system.scenario, clients), {});
    return expenses.usd_per_million(bounds.events_per_s).value_or(std::numeric_limits<double>::infinity());
  }
};

MappedWay mapped(const ComparedAlternative& way, bool far, const MapAxis& round_trips) {
  MappedWay result{.per_job = way.about.per_job};
  if (far) {
    for (const double seconds : round_trips.values)
      result.systems.emplace_back(with_round_trip(*way.scenario, seconds));
  } else {
    result.systems.emplace_back(*way.scenario);
  }
  return result;
}

/// Hardware that grows with the jobs is never slower: only what it costs decides, if all parts have a price.
bool all_priced(const std::vector<ComparedAlternative>& ways) {
  return std::all_of(ways.begin(), ways.end(), [](const ComparedAlternative& way) {
    return !way.scenario || (way.scenario->costs.core && compute_expenses(*way.scenario, {}).rent_usd_per_h());
  });
}

WinnerCell compared(const std::vector<MappedWay>& ways, std::size_t ix, double clients, bool by_cost) {
  std::vector<std::optional<double>> values;
  values.reserve(ways.size());
  for (const MappedWay& way : ways) values.emplace_back(way.value(ix, clients, by_cost));
  return winner_cell(std::move(values), close_enough);
}

MapAxis load_axis_of(const System& system) {
  const Scenario& scenario = system.scenario;
  const auto devices = static_cast<double>(device_count(scenario));
  const double present = stream_count(scenario) / devices;
  double most = present;
  if (std::isfinite(system.knee_streams())) most = std::clamp(system.knee_streams() / devices, present, 64.0 * present);
  MapAxis axis{.title = stream_word_of(scenario) + "s per " + device_word_of(scenario), .unit = "", .present = present};
  axis.values = geometric_values(present, std::max(1.0 / devices, present / 16.0), load_beyond * most, std::sqrt(2.0));
  return axis;
}

/// @param service  index of the way whose distance is varied
Studied<WinnerMap> winner_map(const StudyContext& context, const std::vector<ComparedAlternative>& ways,
                              std::size_t service) {
  const Scenario& scenario = context.scenario();
  if (may_refuse(scenario))
    return {.study = {},
            .why_not = "Requests may be refused, of which the formulas that would draw a map know nothing."};
  const bool by_cost = all_priced(ways);
  WinnerMap map{.value_title = by_cost ? "cost of a million events" : "event time",
                .value_unit = by_cost ? "USD" : "s",
                .method = "by the bounds",
                .close_within = close_enough,
                .note = "Upwards more jobs share the " +
                        counted(static_cast<double>(device_count(scenario)), device_word_of(scenario)) +
                        " of a service; devices in worker nodes grow with the jobs."};
  map.x = round_trip_axis(scenario);
  if (map.x.values.empty())
    return {.study = {}, .why_not = "Jobs and servers share a site, so that no distance can be varied."};
  map.y = load_axis_of(scenario);
  std::vector<MappedWay> mapped_ways;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (!ways[i].scenario) continue;
    map.alternatives.push_back(ways[i].about.name);
    mapped_ways.push_back(mapped(ways[i], i == service, map.x));
  }
  if (map.alternatives.size() < 2)
    return {.study = {}, .why_not = "There is nothing to compare: only one of the alternatives can be made."};
  const auto devices = static_cast<double>(device_count(scenario));
  for (const double clients : map.y.values)
    for (std::size_t ix = 0; ix < map.x.size(); ++ix) {
      if (context.is_over()) throw OutOfBudget();
      map.cells.push_back(compared(mapped_ways, ix, clients * devices, by_cost));
    }
  return {.study = std::move(map), .why_not = ""};
}

}  // namespace

Studied<WaysStudy> ways_study(const StudyContext& context) {
  const Scenario& scenario = context.scenario();
  if (any_open(scenario) || scenario.servers.empty()) return {};
  std::vector<ComparedAlternative> ways;
  std::size_t service = 0;
  for (Alternative& one : alternatives(scenario, context.read.resolved, {})) {
    if (one.service) service = ways.size();
    ways.push_back(read_way(std::move(one), context));
  }
  const auto made = std::count_if(ways.begin(), ways.end(), [](const auto& way) { return way.scenario.has_value(); });
  if (made < 2) {
    std::string why = "Nothing to compare with:";
    for (const ComparedAlternative& way : ways)
      if (!way.scenario) why += " " + way.about.name + ": " + way.about.why_not + ".";
    return {.study = {}, .why_not = why};
  }
  WaysStudy study;
  Studied<WinnerMap> winners = winner_map(context, ways, service);
  study.winners = std::move(winners.study);
  study.why_no_winners = std::move(winners.why_not);
  study.comparison = compare_alternatives(ways, std::nullopt, scenario.run.precision, context.evaluator());
  return {.study = std::move(study), .why_not = ""};
}

}  // namespace saturn
