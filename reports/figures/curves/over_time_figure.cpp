#include <algorithm>
#include <cmath>
#include <utility>

#include "models/results/results.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/run/living_part.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t longest_outage = 44;

using MomentNumber = Estimate MomentResults::*;

std::vector<RowColumn> over_time_columns(const std::string& unit) {
  return {{.name = "kind"},
          {.name = "series"},
          {.name = "label"},
          {.name = "time", .unit = unit},
          {.name = "until", .unit = unit},
          {.name = "value"},
          {.name = "low"},
          {.name = "high"}};
}

/// A number of every moment, as a step that ends with it.
void add_steps(FigureRows& rows, const std::vector<MomentResults>& moments, const std::string& kind,
               const std::string& series, MomentNumber number, const ShownUnit& unit) {
  for (const MomentResults& moment : moments) {
    const Estimate& estimate = moment.*number;
    if (!std::isfinite(estimate.mean)) continue;
    rows.add({{"kind", kind},
              {"series", series},
              {"time_" + unit.name, moment.until_s * unit.factor},
              {"value", estimate.mean},
              {"low", number_cell(estimate.low)},
              {"high", number_cell(estimate.high)}});
  }
}

/// Where nodes are added or taken away, in the mean of the replications and rounded.
std::size_t add_scaling(FigureRows& rows, const std::vector<MomentResults>& moments, const ShownUnit& unit) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    const double before = std::round(moments[i - 1].nodes_paid.mean);
    const double after = std::round(moments[i].nodes_paid.mean);
    if (!std::isfinite(before) || !std::isfinite(after) || before == after) continue;
    rows.add({{"kind", "scaling"},
              {"series", after > before ? "scale-out" : "scale-in"},
              {"label", compact_number(before, 3) + " → " + compact_number(after, 3)},
              {"time_" + unit.name, moments[i].until_s * unit.factor},
              {"value", moments[i].nodes_paid.mean}});
    ++changes;
  }
  return changes;
}

/// What was out, and when all was as before.
void add_outages(FigureRows& rows, const RunReport& report, double end_s, const ShownUnit& unit) {
  for (const Outage& outage : report.outages) {
    const double back_s = (outage.from + outage.length).value;
    if (!(outage.from.value < end_s)) continue;
    rows.add({{"kind", "outage"},
              {"label", terminal_text(outage_words(outage), longest_outage) + " out"},
              {"time_" + unit.name, outage.from.value * unit.factor},
              {"until_" + unit.name, std::min(back_s, end_s) * unit.factor}});
    if (const auto at = recovered_at(report.summary.over_time, outage.from.value, back_s))
      rows.add({{"kind", "recovered"}, {"label", "as before"}, {"time_" + unit.name, *at * unit.factor}});
  }
}

bool any_above(const std::vector<MomentResults>& moments, MomentNumber number, double least) {
  return std::any_of(moments.begin(), moments.end(),
                     [&](const MomentResults& moment) { return (moment.*number).mean > least; });
}

/// What clients ask and what they get: calls, where there are any; else events.
std::vector<std::string> add_load(FigureRows& rows, const std::vector<MomentResults>& moments, const ShownUnit& unit) {
  if (!any_above(moments, &MomentResults::calls_per_s, 0.0)) {
    add_steps(rows, moments, "rate", "events that end", &MomentResults::events_per_s, unit);
    return {"events that end"};
  }
  std::vector<std::string> names{"calls that end"};
  add_steps(rows, moments, "rate", names[0], &MomentResults::calls_per_s, unit);
  const bool tried_again = std::any_of(moments.begin(), moments.end(), [](const MomentResults& moment) {
    return std::abs(moment.tries_per_s.mean - moment.calls_per_s.mean) > 0.005 * moment.calls_per_s.mean;
  });
  if (tried_again) {
    names.emplace_back("tries that end");
    add_steps(rows, moments, "rate", names.back(), &MomentResults::tries_per_s, unit);
  }
  if (!any_above(moments, &MomentResults::unserved, 0.0)) return names;
  names.emplace_back("answered in time by servers");
  std::vector<MomentResults> answered = moments;
  for (MomentResults& moment : answered)
    moment.calls_per_s = {
        .mean = moment.calls_per_s.mean * (1.0 - moment.unserved.mean), .low = std::nan(""), .high = std::nan("")};
  add_steps(rows, answered, "rate", names.back(), &MomentResults::calls_per_s, unit);
  return names;
}

}  // namespace

Figure over_time_figure(const RunReport& report, const FigureContext& context) {
  const std::vector<MomentResults>& moments = report.summary.over_time;
  Figure figure{.name = "over_time",
                .title = "Queue, nodes and load over time",
                .subtitle = figure_subtitle(context.scenario, context.seed)};
  const double end_s = moments.empty() ? 0.0 : moments.back().until_s;
  constexpr double minutes_from_s = 600.0;
  const ShownUnit unit =
      end_s > minutes_from_s ? ShownUnit{.name = "min", .factor = 1.0 / 60.0} : shown_unit(end_s, "s");
  FigureRows rows(over_time_columns(unit.name));
  if (!(end_s > 0.0) || !std::isfinite(end_s)) {
    figure.rows = rows.taken();
    figure.cannot = "Runs have no fixed length: /run/horizon gives them one.";
    return figure;
  }
  add_steps(rows, moments, "queue", "requests at servers, queued or served", &MomentResults::present, unit);
  add_steps(rows, moments, "nodes", "in service", &MomentResults::nodes_in_service, unit);
  add_steps(rows, moments, "nodes", "paid for", &MomentResults::nodes_paid, unit);
  add_steps(rows, moments, "nodes", "least that would have done", &MomentResults::nodes_least, unit);
  const std::vector<std::string> names = add_load(rows, moments, unit);
  add_outages(rows, report, end_s, unit);
  const std::size_t scalings = add_scaling(rows, moments, unit);
  const std::vector<const char*> panels{"queue", "nodes", "rate"};
  std::vector<std::size_t> empty_panels;
  for (std::size_t i = 0; i < panels.size(); ++i)
    if (rows.count(panels[i]) == 0) empty_panels.push_back(i);
  figure.rows = rows.taken();
  figure.caption = "Means over " + counted(report.summary.replications, "replication") +
                   " that begin with an empty system; each step is the mean over its interval, the band round the "
                   "queue its " +
                   percent_text(moments.back().present.confidence, 2) +
                   " interval. From above: requests at the servers; the nodes of all servers beside the fewest that "
                   "could have carried what was carried, had it been known beforehand; what clients asked and got.";
  if (!report.outages.empty())
    figure.caption +=
        " Grey: out; the dashed rule: requests at the servers are as few as before, none is late, and servers answer "
        "all calls.";
  if (scalings > 0) figure.caption += " Triangles: the mean number of nodes paid for, rounded, has risen or fallen.";
  std::vector<SpecChange> changes{{"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  for (const char* panel : {"0", "1", "2"})
    changes.push_back(
        {std::string("/vconcat/") + panel + "/encoding/x/scale/domain", std::vector<double>{0.0, end_s * unit.factor}});
  for (const char* channel : {"color", "strokeDash"})
    changes.push_back({std::string("/vconcat/2/layer/2/encoding/") + channel + "/scale/domain", names});
  if (scalings == 0) take_away(changes, {"/vconcat/1/layer"}, {3, 4});
  take_away(changes, {"/vconcat"}, empty_panels);
  figure.spec = with_words(filled_spec("over_time", changes),
                           {{"time", "time_" + unit.name},
                            {"until", "until_" + unit.name},
                            {"time words", "time since the run's beginning [" + unit.name + "]"},
                            {"rate words", names[0] == "calls that end" ? "calls per second" : "events per second"}});
  return figure;
}

}  // namespace saturn
