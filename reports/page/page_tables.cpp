#include "reports/page/page_tables.hpp"

#include <cmath>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr int clients_digits = 3;
constexpr double whole_from = 100.0;

}  // namespace

PageTable page_table(std::string caption, const std::vector<PageColumn>& columns) {
  PageTable table{.caption = std::move(caption)};
  for (const PageColumn& column : columns) {
    table.head.push_back(column.head);
    table.is_number.push_back(column.is_number);
  }
  return table;
}

std::string quantile_text(const Estimate& seconds) {
  return seconds.caveat == Caveat::too_few_events ? std::string(words_of(seconds.caveat)) : time_text(seconds.mean);
}

std::string time_text(const Estimate& seconds) {
  if (!std::isfinite(seconds.mean)) return no_value;
  if (seconds.caveat != Caveat::none) return quantile_text(seconds) + ", " + std::string(words_of(seconds.caveat));
  const ShownUnit unit = shown_unit(seconds.mean, "s");
  return estimate_text(seconds, unit.factor) + " " + unit.name;
}

std::string time_text(const std::optional<double>& seconds) {
  return seconds ? time_text(*seconds) : no_value;
}

std::string clients_text(double clients) {
  if (!std::isfinite(clients)) return no_value;
  return clients >= whole_from ? whole_text(clients) : number_text(clients, clients_digits);
}

std::string client_word(double jobs, double clients) {
  return jobs == clients ? "job" : "event loop";
}

std::string jobs_text(const SystemFacts& facts) {
  const std::string jobs = counted(facts.jobs, "job");
  return facts.jobs == facts.clients ? jobs : jobs + " with " + counted(facts.clients, "event loop");
}

double as_clients(const SystemFacts& facts, double jobs) {
  return facts.jobs > 0.0 ? jobs * facts.clients / facts.jobs : jobs;
}

}  // namespace saturn
