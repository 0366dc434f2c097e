#include "reports/words/facts_text.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// More of them are a list to read, no sum.
constexpr std::size_t most_summands = 6;

// As many decimals as give the whole event four digits; whole numbers of seconds stay as the scenario has them.
std::string summand(double seconds, double total) {
  const int decimals = std::max(0, 3 - decade_of(total));
  return fixed_text(seconds, seconds == std::round(seconds) ? 0 : decimals);
}

std::string part_label(const EventPart& part) {
  switch (part.part) {
    case StagePart::cpu:
      return part.label;
    case StagePart::bandwidth:
      return part.label + ": transfer at the bandwidth of one job";
    case StagePart::travel:
      return part.label + ": travel, one round trip a request";
    case StagePart::serialisation:
      return part.label + ": serialising requests on the job's core";
    case StagePart::device:
      return part.label + ": computing on the device";
  }
  return part.label;
}

}  // namespace

std::string jobs_text(const SystemFacts& facts) {
  const std::string jobs = counted(facts.jobs, "job");
  return facts.jobs == facts.clients ? jobs : jobs + " with " + counted(facts.clients, "stream");
}

std::optional<ResourceKind> kind_of(const SystemFacts& facts, const std::string& resource) {
  const auto found = std::find_if(facts.knees.begin(), facts.knees.end(),
                                  [&](const KneeFact& knee) { return knee.resource == resource; });
  return found == facts.knees.end() ? std::nullopt : std::optional(found->kind);
}

void add_breakdown(Answer& answer, const SystemFacts& facts, const std::vector<std::string>& root) {
  for (const PoolFacts& pool : facts.pools) {
    std::vector<EventPart> parts = pool.parts;
    const auto without_time =
        std::stable_partition(parts.begin(), parts.end(), [](const EventPart& part) { return part.seconds > 0.0; });
    const auto with_time = static_cast<std::size_t>(without_time - parts.begin());
    std::string sum;
    Table table{.place = below(root, "ideal_event"),
                .columns = {{.key = "jobs", .readers = For::programs, .names = true},
                            {.key = "label", .readers = For::programs, .names = true},
                            {.key = "part", .readers = For::programs, .names = true},
                            {.title = "part", .readers = For::people},
                            {.key = "time_s", .title = "time [s]", .shown = Shown::number, .digits = 3},
                            {.key = "share", .title = "share", .shown = Shown::percent}},
                .first_rows = with_time,
                .weight = 4};
    if (with_time < parts.size())
      table.more_rows = "and " + counted(static_cast<double>(parts.size() - with_time), "part") + " without time";
    for (const EventPart& part : parts) {
      if (part.seconds > 0.0 && with_time <= most_summands)
        append_part(sum, summand(part.seconds, pool.ideal_event_time_s), " + ");
      table.add_row({pool.name, part.label, std::string(name_of(part.part)), part_label(part), part.seconds,
                     part.seconds / pool.ideal_event_time_s});
    }
    table.caption = "Unloaded event of " + pool.name + ": " + sum + (sum.empty() ? "" : " = ") +
                    summand(pool.ideal_event_time_s, pool.ideal_event_time_s) + " s";
    answer.add(std::move(table));
  }
}

void add_cpu_comparison(Answer& answer, const SystemFacts& facts, const std::vector<std::string>& root) {
  Table table{.place = below(root, "cpu_only"),
              .caption = "Against inference on the job's own core, nothing waiting",
              .columns = {{.key = "jobs", .title = "jobs", .names = true},
                          {.key = "part", .title = "part", .names = true},
                          {.key = "cpu_s", .title = "CPU only [s]", .shown = Shown::number},
                          {.key = "service_s", .title = "as a service [s]", .shown = Shown::number},
                          {.key = "faster", .title = "times faster", .shown = Shown::number, .digits = 2}}};
  const auto add = [&](const std::string& jobs, const std::string& part, double cpu_s, double service_s) {
    table.add_row({jobs, part, cpu_s, service_s, service_s > 0.0 ? Cell(cpu_s / service_s) : Cell()});
  };
  for (const PoolFacts& pool : facts.pools) {
    if (!pool.cpu_only) continue;
    add(pool.name, "whole event", pool.cpu_only->event_time_s, pool.ideal_event_time_s);
    add(pool.name, "offloaded part", pool.cpu_only->offloaded_s, pool.cpu_only->as_a_service_s);
  }
  if (!table.rows.empty()) answer.add(std::move(table));
}

void add_prices(Answer& answer, const std::vector<QuotedPrice>& prices, const std::vector<std::string>& root) {
  Table table{.place = below(root, "prices"),
              .caption = prices.empty() ? "" : "Prices",
              .columns = {{.key = "of", .title = "of"},
                          {.key = "value", .title = "price"},
                          {.key = "date", .title = "date"},
                          {.key = "source", .title = "source"}}};
  for (const QuotedPrice& price : prices)
    table.add_row({price.of, price.value, cell_word(price.date), cell_word(price.source)});
  answer.add(std::move(table));
}

namespace {

constexpr std::size_t shown_at_once = 6;

Cell simulated_use(std::span<const ResourceResults> simulated, const std::string& resource) {
  const auto found = std::find_if(simulated.begin(), simulated.end(),
                                  [&](const ResourceResults& one) { return one.name == resource; });
  return found == simulated.end() ? Cell() : Cell((*found)["busy_fraction"]);
}

/// "gke/t4 binds at 9479 events/s; next streams, at 10,150."
std::string open_sentence(const SystemFacts& facts) {
  const std::vector<EventLimit> limits = rate_limits(facts);
  std::string text = limits[0].name + (!limits[0].kind ? " bind at " : " binds at ") +
                     number_text(limits[0].events_per_s, 4) + " events/s";
  if (limits.size() > 1) text += "; next " + limits[1].name + ", at " + number_text(limits[1].events_per_s, 4);
  return text + ".";
}

/// Resources that saturate before the streams do, where events arrive; else all of them.
std::size_t resources_before_streams(const SystemFacts& facts) {
  if (!facts.all_open) return facts.knees.size();
  const std::vector<EventLimit> limits = rate_limits(facts);
  const auto streams = std::find_if(limits.begin(), limits.end(), [](const EventLimit& one) { return !one.kind; });
  return static_cast<std::size_t>(streams - limits.begin());
}

std::string role_of(std::size_t rank) {
  if (rank == 0) return "binds first";
  return rank == 1 ? "binds next" : "";
}

}  // namespace

std::vector<EventLimit> rate_limits(const SystemFacts& facts) {
  std::vector<EventLimit> limits;
  for (const KneeFact& knee : facts.knees)
    limits.push_back({.events_per_s = 1.0 / knee.demand_s_per_event, .name = knee.resource, .kind = knee.kind});
  const double event_time_s = std::max(facts.ideal_event_time_s, facts.own_event_time_s);
  if (facts.pools.size() == 1 && event_time_s > 0.0)
    limits.push_back({.events_per_s = facts.clients / event_time_s, .name = "streams"});
  std::stable_sort(limits.begin(), limits.end(),
                   [](const EventLimit& a, const EventLimit& b) { return a.events_per_s < b.events_per_s; });
  return limits;
}

void say_laws(Answer& answer, const SystemFacts& facts) {
  const auto said_of = [](LawBasis basis) -> std::string {
    switch (basis) {
      case LawBasis::synthetic:
        return " on a SYNTHETIC load (perf_analyzer's, or a loop on the device), of which production got 34 to 108 % "
               "in four measured models. ";
      case LawBasis::published:
        return " on PUBLISHED numbers, without the rows behind them. ";
      case LawBasis::assumed:
        return " on an ASSUMPTION, which nobody has measured. ";
      case LawBasis::production:
        break;
    }
    return "";
  };
  std::string text;
  for (const LawBasis basis : {LawBasis::synthetic, LawBasis::published, LawBasis::assumed}) {
    std::vector<std::string> laws;
    for (const LawFact& law : facts.laws)
      if (law.rests_on == basis) laws.push_back(law.model + " on " + law.device_type);
    if (laws.empty()) continue;
    text += "The " + std::string(laws.size() == 1 ? "law" : "laws") + " of " + joined_and(laws) +
            (laws.size() == 1 ? " rests" : " rest") + said_of(basis);
  }
  if (text.empty()) return;
  const std::vector<EventLimit> limits = facts.all_open ? rate_limits(facts) : std::vector<EventLimit>{};
  std::string row = "under load";
  if (!limits.empty())
    row = "at " + number_text(limits.front().events_per_s, 4) + " events/s or more";
  else if (!facts.knees.empty())
    row = "with " + counted(std::ceil(facts.knees.front().jobs), "job") + " or more, where " +
          facts.knees.front().resource + " binds";
  answer.say(text + "One row of production decides: its rate and latency " + row + "; then saturn validate.");
}

void say_starving(Answer& answer, const SystemFacts& facts) {
  for (const SharedQueue& queue : facts.starving) answer.say("Devices may STARVE: " + in_words(queue));
}

std::string binding_sentence(const SystemFacts& facts) {
  if (facts.knees.empty()) return "No resource is shared, so nothing ever saturates.";
  if (facts.all_open) return open_sentence(facts);
  const std::string jobs = whole_text(facts.knees[0].jobs);
  std::string text = facts.knees[0].resource + " binds at " + jobs + (jobs == "1" ? " job" : " jobs");
  if (facts.knees.size() > 1) text += "; next " + facts.knees[1].resource + ", at " + whole_text(facts.knees[1].jobs);
  return text + ".";
}

/// Share of a knee from which on nobody would say that nothing saturates.
constexpr double close_to_knee = 0.95;

std::string binding_here(const SystemFacts& facts) {
  std::string sentence = binding_sentence(facts);
  if (facts.own_event_time_s > facts.ideal_event_time_s)
    sentence += " Streams wait for the cores of their jobs, at any number of jobs.";
  if (facts.knees.empty() || facts.all_open) return sentence;
  // Past the knee of one pool's way, other pools may go on as before.
  if (facts.pools.size() > 1) return sentence + " Numbers are for the unloaded mix of jobs.";
  const auto saturated = std::count_if(facts.knees.begin(), facts.knees.end(),
                                       [&](const KneeFact& knee) { return facts.jobs >= knee.jobs; });
  const std::string jobs = "The " + counted(facts.jobs, "job") + " here ";
  // Rounded, both numbers may be the same.
  if (saturated == 0 && facts.jobs >= close_to_knee * facts.knees.front().jobs)
    return sentence + " " + jobs + (facts.jobs == 1.0 ? "is" : "are") + " close to that.";
  if (saturated == 0) return sentence + " " + jobs + (facts.jobs == 1.0 ? "saturates" : "saturate") + " nothing.";
  const std::string more =
      facts.only_waits ? "more of them only wait." : "what they ask beyond it waits, is refused or is given up.";
  if (facts.jobs == 1.0) return sentence + " " + jobs + "saturates it: " + more;
  // Behind a saturated resource no more events come, so the next one never saturates as well.
  return sentence + " " + jobs + "are past that: " + more;
}

void add_bottlenecks(Answer& answer, const SystemFacts& facts, std::span<const ResourceResults> simulated,
                     const std::vector<std::string>& root) {
  const bool binds = !facts.knees.empty();
  const bool follows = facts.knees.size() > 1;
  answer.add_facts(below(root, "binding"), {{"resource", binds ? Cell(facts.knees[0].resource) : Cell()},
                                            {"at_jobs", binds ? Cell(facts.knees[0].jobs) : Cell()},
                                            {"next", follows ? Cell(facts.knees[1].resource) : Cell()},
                                            {"next_at_jobs", follows ? Cell(facts.knees[1].jobs) : Cell()}});

  const bool with_simulation = !simulated.empty();
  // The bound takes its streams as never idle, which is not how open pools are used.
  const For use_by_bound = facts.all_open ? For::programs : For::everyone;
  const For rates = facts.all_open ? For::everyone : For::programs;
  const For jobs = facts.all_open ? For::programs : For::everyone;
  Table table{
      .place = below(root, "knees"),
      .caption = binds ? "What saturates, first to last" : "No resource is shared, so nothing ever saturates",
      .columns = {{.key = "name", .title = "resource"},
                  {.key = "kind", .title = "kind"},
                  {.key = "demand_s_per_event", .title = "demand [s/event]", .shown = Shown::number, .digits = 3},
                  {.key = "bound_busy_fraction",
                   .title = "busy by the bound",
                   .shown = Shown::percent,
                   .readers = use_by_bound},
                  {.key = "busy_fraction",
                   .title = "busy, simulated",
                   .shown = Shown::percent,
                   .readers = with_simulation ? For::everyone : For::programs},
                  {.key = "saturates_at_events_per_s",
                   .title = "saturates at [events/s]",
                   .shown = Shown::number,
                   .readers = rates},
                  {.key = "saturates_at_jobs", .title = "saturates at [jobs]", .shown = Shown::whole, .readers = jobs},
                  {.readers = with_simulation ? For::people : For::programs}},
      .first_rows = with_simulation ? facts.knees.size() : shown_at_once};
  if (!with_simulation) table.columns.pop_back();
  const std::size_t before_streams = resources_before_streams(facts);
  for (std::size_t i = 0; i < facts.knees.size(); ++i) {
    const KneeFact& knee = facts.knees[i];
    std::vector<Cell> cells{knee.resource,   std::string(name_of(knee.kind)),         knee.demand_s_per_event,
                            knee.bound_busy, simulated_use(simulated, knee.resource), 1.0 / knee.demand_s_per_event,
                            knee.jobs};
    if (with_simulation) cells.emplace_back(role_of(i < before_streams ? i : i + 1));
    table.add_row(std::move(cells));
  }
  if (facts.knees.size() > table.first_rows)
    table.more_rows =
        "and " + counted(static_cast<double>(facts.knees.size() - table.first_rows), "resource") + " more, later";
  if (!binds) answer.detail(table.caption, true);
  answer.add(std::move(table));
}

}  // namespace saturn
