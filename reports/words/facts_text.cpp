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
                .first_rows = with_time};
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

}  // namespace saturn
