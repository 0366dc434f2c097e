#include "reports/run/check_report.hpp"

#include <utility>

#include "models/words/texts.hpp"
#include "reports/run/living_part.hpp"
#include "reports/run/run_report.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"

namespace saturn {

namespace {

/// What changes while the scenario runs; empty where nothing does.
std::string changes_text(const Scenario& scenario) {
  std::string text;
  for (const Outage& outage : scenario.outages) append_part(text, outage_text(outage), "; ");
  for (const Server& server : scenario.servers) {
    if (server.failures || server.devices.failures)
      append_part(text, (server.failures ? "nodes of " : "devices of ") + server.name + " break", "; ");
    if (server.autoscaler) append_part(text, "nodes of " + server.name + " follow the load", "; ");
  }
  for (const Link& link : scenario.links)
    if (link.failures) append_part(text, "the link of " + link.site_a + " and " + link.site_b + " breaks", "; ");
  return text;
}

}  // namespace

Answer check_answer(const ReadScenario& read, const SystemFacts& facts, const Provenance& provenance) {
  const std::vector<std::string> root{"result"};
  Answer answer{.title = facts.title, .provenance = provenance, .says_provenance = false};
  const std::string verdict =
      read.warnings.empty() ? "is sound"
                            : "can be simulated, with " + counted(static_cast<double>(read.warnings.size()), "warning");
  std::string unloaded = "Unloaded event time " + number_text(facts.ideal_event_time_s) + " s";
  if (facts.least_event_time_s)
    unloaded += " on average, " + number_text(*facts.least_event_time_s) +
                " s with every call at the server that is fastest for it";
  if (!facts.all_open) {
    unloaded += "; with all these jobs at least " + number_text(facts.bound_event_time_s) + " s";
    if (!facts.bound_caveat.empty()) unloaded += " on average, " + facts.bound_caveat;
  }
  answer.say("The scenario " + verdict + ": " + jobs_text(facts) + " on " + counted(facts.devices, facts.device_word) +
             ".");
  answer.say(unloaded + ".");
  answer.say(binding_here(facts));
  if (const std::string changes = changes_text(read.scenario); !changes.empty())
    answer.say("Not in these numbers: " + changes + ". saturn run has it.");
  if (has_constant_times(read.scenario) && !facts.all_open)
    answer.say(std::string(nothing_varies) +
               ": near saturation rates and quantiles may be right by chance. What may vary: an event's \"cpu\", as a "
               "distribution, and a law by its \"scatter\" (docs/scenario-reference.md).");
  say_laws(answer, facts);
  say_starving(answer, facts);

  Table numbers = facts_for_programs(root);
  numbers.add("jobs", facts.jobs);
  numbers.add("streams", facts.clients);
  numbers.add("gpus", facts.devices);
  numbers.add("ideal_event_time_s", facts.ideal_event_time_s);
  if (facts.least_event_time_s) numbers.add("least_event_time_s", *facts.least_event_time_s);
  numbers.add("bound_event_time_s", facts.bound_event_time_s);
  numbers.add("product_form_violations", facts.product_form_violations);
  std::vector<std::string> starving;
  for (const SharedQueue& queue : facts.starving) starving.push_back(queue.model + " at " + queue.server);
  numbers.add("starving", starving);
  answer.add(std::move(numbers));

  // One pool's event is what the first screen has room for.
  const std::size_t before = answer.parts.size();
  add_breakdown(answer, facts, root);
  if (answer.parts.size() == before + 1) std::get<Table>(answer.parts.back()).details = false;
  add_cpu_comparison(answer, facts, root);
  add_bottlenecks(answer, facts, {}, root);
  if (!facts.product_form_violations.empty()) {
    answer.detail("Mean value analysis is an approximation here, since", true);
    for (const std::string& violation : facts.product_form_violations) answer.detail("  " + violation);
  }
  answer.more.emplace_back("saturn plan (how many jobs a GPU carries), saturn run (simulate it)");
  answer.parts.emplace_back(Paragraph{.text = read.resolved, .place = {"scenario"}, .is_json = true});
  return answer;
}

Answer listing_answer(const std::string& what, const std::vector<ListedItem>& items) {
  Answer answer{.says_provenance = false};
  Table table{.place = {what + "s"},
              .columns = {{.key = "name", .title = what}, {.key = "title", .title = "what it is"}},
              .details = false,
              .csv_alone = true};
  for (const ListedItem& item : items) table.add_row({item.name, item.title});
  answer.add(std::move(table));
  return answer;
}

Answer no_plan_answer(const std::string& why, Provenance provenance) {
  Answer answer{.title = "No plan: " + why, .provenance = std::move(provenance), .says_provenance = false};
  answer.add_facts({}, {{"answer", Cell()}, {"no_plan", why}});
  return answer;
}

namespace {

/// What a million events cost at the rate that each method has for them; nothing where nothing has a price.
void add_costs(Answer& answer, const System& system, const std::vector<ReferencePoint>& references,
               const std::vector<std::string>& root, bool details) {
  const Expenses expenses = compute_expenses(system, {});
  const std::optional<double> rent = expenses.rent_usd_per_h();
  if (!rent) return;
  Table costs{.place = below(root, "costs"),
              .columns = {{.key = "method", .title = "method"},
                          {.key = "rent_usd_per_h", .title = "rent [USD/h]", .shown = Shown::number, .digits = 3},
                          {.key = "cost_per_million_events",
                           .title = "USD per million events",
                           .shown = Shown::number,
                           .digits = 3}},
              .details = details};
  for (const ReferencePoint& point : references)
    if (point.events_per_s && *point.events_per_s > 0.0)
      costs.add_row({point.method, *rent, cell(expenses.usd_per_million(*point.events_per_s))});
  answer.add(std::move(costs));
}

/// A row for each method that has a number, or the first alone.
void add_rows(Table& all, const std::string& name, const System& system, const SystemFacts& facts,
              const std::vector<ReferencePoint>& references, bool first_alone) {
  const bool binds = !facts.knees.empty();
  const auto add = [&](const ReferencePoint& point) {
    const double per_s = point.events_per_s.value_or(0.0);
    all.add_row({name, point.method, cell(point.event_time_s),
                 point.event_time_s ? Cell(*point.event_time_s / facts.ideal_event_time_s) : Cell(),
                 cell(point.events_per_s),
                 per_s > 0.0 ? cell(compute_expenses(system, {}).usd_per_million(per_s)) : Cell(),
                 binds ? facts.knees.front().resource : "nothing is shared"});
  };
  add(references.empty() ? ReferencePoint{} : references.front());
  if (first_alone) return;
  for (std::size_t i = 1; i < references.size(); ++i)
    if (references[i].event_time_s && references[i].by != references[i - 1].by) add(references[i]);
}

/// @param all  of several scenarios: takes rows of this one
void add_formulas(Answer& answer, const UnconfirmedScenario& one, const UnconfirmedReport& report, Table& all) {
  const bool alone = report.scenarios.size() == 1;
  const System system(one.scenario);
  const SystemFacts facts = gather_facts(system);
  const std::vector<std::string> root =
      alone ? std::vector<std::string>{"result"} : std::vector<std::string>{"result", "scenarios", one.name};
  const std::vector<ReferencePoint> references = reference_points(system, report.methods);
  answer.parts.emplace_back(Paragraph{.text = alone ? facts.title : one.name, .heading = true, .details = !alone});
  alone ? answer.say(binding_here(facts)) : answer.detail(binding_here(facts));
  answer.add_facts(root, {{"events_per_s", Cell()}, {"event_time_s", Cell()}, {"slowdown", Cell()}});
  Table methods = methods_table(root);
  methods.details = !alone;
  add_references(methods, references, facts.ideal_event_time_s);
  answer.add(std::move(methods));
  add_scopes(answer, references);
  if (!report.budget_s) add_costs(answer, system, references, root, !alone);
  add_rows(all, one.name, system, facts, references, report.cut);
  add_bottlenecks(answer, facts, {}, root);
}

}  // namespace

Answer unconfirmed_answer(const UnconfirmedReport& report) {
  Answer answer{.title = "Nothing was simulated: by " + report.methods.text() + " alone",
                .provenance = report.provenance};
  if (!report.refused.empty()) {
    answer.title = "NOT CONFIRMED: too large to be simulated";
    answer.say("What is left is what the formulas say. The simulation was " + report.refused +
               ". --memory-limit and --time-limit let it have more.");
    answer.add_facts({"result"}, {{"not_simulated", report.refused}});
  } else if (report.cut) {
    answer.title =
        "NOT CONFIRMED: " +
        (report.budget_s ? "the budget of " + number_text(*report.budget_s, 3) + " s ended" : "interrupted") +
        " before a simulation was complete";
    answer.say("What is left is what the formulas say. With more time: " + report.provenance.command);
  }
  Table all{.columns = {{.title = "scenario"},
                        {.title = "by"},
                        {.title = "event time [s]", .shown = Shown::number},
                        {.title = "slowdown", .shown = Shown::slower},
                        {.title = "events/s", .shown = Shown::number},
                        {.title = "USD per 10⁶", .shown = Shown::number, .digits = 3},
                        {.title = "binds first"}},
            .readers = For::people,
            .details = false};
  const std::size_t place = answer.parts.size();
  for (const UnconfirmedScenario& one : report.scenarios) add_formulas(answer, one, report, all);
  if (report.scenarios.size() > 1)
    answer.parts.insert(answer.parts.begin() + static_cast<std::ptrdiff_t>(place), std::move(all));
  answer.add_facts({"result"}, {{"confirmed", false}});
  if (report.cut || !report.refused.empty())
    answer.add_facts({"result"}, {{"precision/reached", false},
                                  {"precision/budget_s", cell(report.budget_s)},
                                  {"precision/out_of_time", report.cut}});
  return answer;
}

}  // namespace saturn
