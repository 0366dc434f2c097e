#include "reports/bottlenecks.hpp"

#include <algorithm>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

constexpr std::size_t shown_at_once = 6;

std::string simulated_use(std::span<const ResourceResults> simulated, const std::string& resource) {
  const auto found = std::find_if(simulated.begin(), simulated.end(),
                                  [&](const ResourceResults& one) { return one.name == resource; });
  return found == simulated.end() ? no_value : estimate_text((*found)["busy_fraction"], 100.0) + " %";
}

/// Where events arrive from outside, the number of jobs is not what saturates a resource.
std::string knee_heading(const SystemFacts& facts) {
  return facts.all_open ? "saturates at [events/s]" : "saturates at [jobs]";
}
std::string knee_text(const SystemFacts& facts, const KneeFact& knee) {
  return facts.all_open ? number_text(1.0 / knee.demand_s_per_event, 4) : whole_text(knee.jobs);
}

/// "gke/t4 binds at 9479 events/s; next event loops, at 10,150."
std::string open_sentence(const SystemFacts& facts) {
  const std::vector<RateLimit> limits = rate_limits(facts);
  std::string text = limits[0].name + (!limits[0].kind ? " bind at " : " binds at ") +
                     number_text(limits[0].events_per_s, 4) + " events/s";
  if (limits.size() > 1) text += "; next " + limits[1].name + ", at " + number_text(limits[1].events_per_s, 4);
  return text + ".";
}

std::string role_of(std::size_t rank) {
  if (rank == 0) return "binds first";
  return rank == 1 ? "binds next" : "";
}

}  // namespace

std::vector<RateLimit> rate_limits(const SystemFacts& facts) {
  std::vector<RateLimit> limits;
  for (const KneeFact& knee : facts.knees)
    limits.push_back({.events_per_s = 1.0 / knee.demand_s_per_event, .name = knee.resource, .kind = knee.kind});
  const double event_time_s = std::max(facts.ideal_event_time_s, facts.own_event_time_s);
  if (facts.pools.size() == 1 && event_time_s > 0.0)
    limits.push_back({.events_per_s = facts.clients / event_time_s, .name = "event loops"});
  std::stable_sort(limits.begin(), limits.end(),
                   [](const RateLimit& a, const RateLimit& b) { return a.events_per_s < b.events_per_s; });
  return limits;
}

std::string binding_sentence(const SystemFacts& facts) {
  if (facts.knees.empty()) return "No resource is shared, so nothing ever saturates.";
  if (facts.all_open) return open_sentence(facts);
  std::string text = facts.knees[0].resource + " binds at " + knee_text(facts, facts.knees[0]) + " jobs";
  if (facts.knees.size() > 1) text += "; next " + facts.knees[1].resource + ", at " + knee_text(facts, facts.knees[1]);
  return text + ".";
}

std::string binding_here(const SystemFacts& facts) {
  std::string sentence = binding_sentence(facts);
  if (facts.own_event_time_s > facts.ideal_event_time_s)
    sentence += " Event loops wait for the cores of their jobs, at any number of jobs.";
  if (facts.knees.empty() || facts.all_open) return sentence;
  // Past the knee of one pool's way, other pools may go on as before.
  if (facts.pools.size() > 1) return sentence + " Numbers are for the mix of jobs that nothing hinders.";
  const auto saturated = std::count_if(facts.knees.begin(), facts.knees.end(),
                                       [&](const KneeFact& knee) { return facts.jobs >= knee.jobs; });
  const std::string jobs = "The " + counted(facts.jobs, "job") + " here ";
  if (saturated == 0) return sentence + " " + jobs + (facts.jobs == 1.0 ? "saturates" : "saturate") + " nothing.";
  // Behind a saturated resource no more events come, so the next one never saturates as well.
  return sentence + " " + jobs + (facts.jobs == 1.0 ? "is" : "are") + " past that: more of them only wait.";
}

double bound_use(const SystemFacts& facts, const KneeFact& knee) {
  return facts.clients / facts.mixed_event_time_s.value_or(facts.bound_event_time_s) * knee.demand_s_per_event;
}

std::string bottlenecks_text(const SystemFacts& facts, std::span<const ResourceResults> simulated, TextStyle style) {
  if (facts.knees.empty()) return heading("No resource is shared, so nothing ever saturates", style);
  const bool with_simulation = !simulated.empty();
  std::vector<TextTable::Column> columns{{"resource"}, {"kind"}, {"demand [s/event]", Align::right}};
  // The bound takes its loops as never idle, which is not how open pools are used.
  if (!facts.all_open) columns.push_back({"busy by the bound", Align::right});
  if (with_simulation) columns.push_back({"busy, simulated", Align::right});
  columns.push_back({knee_heading(facts), Align::right});
  if (with_simulation) columns.push_back({""});
  TextTable table(std::move(columns));
  const std::size_t shown = with_simulation ? facts.knees.size() : std::min(shown_at_once, facts.knees.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const KneeFact& knee = facts.knees[i];
    std::vector<std::string> cells{knee.resource, name_of(knee.kind), number_text(knee.demand_s_per_event, 3)};
    if (!facts.all_open) cells.push_back(percent_text(bound_use(facts, knee)));
    if (with_simulation) cells.push_back(simulated_use(simulated, knee.resource));
    cells.push_back(knee_text(facts, knee));
    if (with_simulation) cells.push_back(role_of(i));
    table.add_row(std::move(cells));
  }
  std::string text = heading("What saturates, first to last", style) + table.text(style);
  if (facts.knees.size() > shown) {
    text += "  and " + counted(static_cast<double>(facts.knees.size() - shown), "resource") + " more, later\n";
  }
  return text;
}

}  // namespace saturn
