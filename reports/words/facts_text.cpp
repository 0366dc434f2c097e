#include "reports/words/facts_text.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

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

std::string ratio_text(double numerator, double denominator) {
  return denominator > 0.0 ? number_text(numerator / denominator, 2) + "x" : "none";
}

}  // namespace

std::optional<ResourceKind> kind_of(const SystemFacts& facts, const std::string& resource) {
  const auto found = std::find_if(facts.knees.begin(), facts.knees.end(),
                                  [&](const KneeFact& knee) { return knee.resource == resource; });
  return found == facts.knees.end() ? std::nullopt : std::optional(found->kind);
}

std::string breakdown_text(const SystemFacts& facts, TextStyle style) {
  std::string text;
  for (const PoolFacts& pool : facts.pools) {
    std::string sum;
    TextTable table({{"part"}, {"time [s]", Align::right}, {"share", Align::right}});
    for (const EventPart& part : pool.parts) {
      append_part(sum, summand(part.seconds, pool.ideal_event_time_s), " + ");
      table.add_row(
          {part_label(part), number_text(part.seconds, 3), percent_text(part.seconds / pool.ideal_event_time_s)});
    }
    text += heading("An event of " + pool.name + " that waits for nobody: " + sum + " = " +
                        summand(pool.ideal_event_time_s, pool.ideal_event_time_s) + " s",
                    style);
    text += table.text(style);
  }
  return text;
}

std::string cpu_comparison_text(const SystemFacts& facts, TextStyle style) {
  std::string text;
  for (const PoolFacts& pool : facts.pools) {
    if (!pool.cpu_only) continue;
    const CpuOnly& cpu = *pool.cpu_only;
    TextTable table(
        {{pool.name}, {"CPU only [s]", Align::right}, {"as a service [s]", Align::right}, {"faster", Align::right}});
    table.add_row({"whole event", number_text(cpu.event_time_s), number_text(pool.ideal_event_time_s),
                   ratio_text(cpu.event_time_s, pool.ideal_event_time_s)});
    table.add_row({"offloaded part", number_text(cpu.offloaded_s), number_text(cpu.as_a_service_s, 3),
                   ratio_text(cpu.offloaded_s, cpu.as_a_service_s)});
    text += table.text(style);
  }
  return text.empty() ? text : heading("Against inference on the job's own core, nothing waiting", style) + text;
}

void add_facts(CsvRows& rows, const SystemFacts& facts) {
  rows.add("scenario", facts.title, "jobs", facts.jobs);
  rows.add("scenario", facts.title, "clients", facts.clients);
  rows.add("scenario", facts.title, "devices", facts.devices);
  rows.add("scenario", facts.title, "ideal_event_time_s", facts.ideal_event_time_s);
  rows.add("scenario", facts.title, "bound_event_time_s", facts.bound_event_time_s);
  for (const PoolFacts& pool : facts.pools) {
    for (const EventPart& part : pool.parts) {
      rows.add("ideal_event", pool.name + "/" + part.label, std::string(name_of(part.part)) + "_s", part.seconds);
    }
    if (!pool.cpu_only) continue;
    rows.add("cpu_only", pool.name, "cpu_event_time_s", pool.cpu_only->event_time_s);
    rows.add("cpu_only", pool.name, "cpu_offloaded_s", pool.cpu_only->offloaded_s);
    rows.add("cpu_only", pool.name, "service_offloaded_s", pool.cpu_only->as_a_service_s);
  }
  for (const KneeFact& knee : facts.knees) {
    rows.add("knees", knee.resource, "demand_s_per_event", knee.demand_s_per_event);
    rows.add("knees", knee.resource, "saturates_at_jobs", knee.jobs);
  }
}

}  // namespace saturn
