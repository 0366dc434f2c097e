#include "sim/plan/question/requirement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

const CandidateFigures::Entry* CandidateFigures::find(MeasureId figure, std::string_view of) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.figure == figure && entry.of == of; });
  return found == entries.end() ? nullptr : &*found;
}

double excess(const Requirement& requirement, double value) {
  // What is not a number meets nothing.
  if (std::isnan(value)) return std::numeric_limits<double>::infinity();
  const double beyond = requirement.at_most ? value - requirement.limit : requirement.limit - value;
  return requirement.limit == 0.0 ? beyond : beyond / std::abs(requirement.limit);
}

double worst_end(const Requirement& requirement, const Estimate& value) {
  return requirement.at_most ? value.high : value.low;
}

double best_end(const Requirement& requirement, const Estimate& value) {
  return requirement.at_most ? value.low : value.high;
}

namespace {

/// How a limit of a figure is written.
struct LimitForm {
  std::optional<Dimension> dimension{};  ///< absent: a bare number
  std::string own_unit{};                ///< that a bare number may carry: "USD", "kWh"
  std::string example{};
};

LimitForm form_of(MeasureId figure) {
  const std::string unit(text_of(figure->unit).symbol);
  switch (figure->unit) {
    case MeasureUnit::share:
    case MeasureUnit::excess:
      return {Dimension::ratio, "", "1 %"};
    case MeasureUnit::seconds:
    case MeasureUnit::seconds_per_event:
      return {Dimension::duration, "", figure == measure("campaign_time") ? "30 d" : "50 ms"};
    case MeasureUnit::per_second:
      return {Dimension::rate, "", "100 /s"};
    case MeasureUnit::usd_per_hour:
      return {Dimension::price, "", "5 USD/h"};
    case MeasureUnit::watts:
      return {Dimension::power, "", "2 kW"};
    case MeasureUnit::one:
      return {std::nullopt, "", "8"};
    case MeasureUnit::usd_per_million:
    case MeasureUnit::kwh_per_million:
    case MeasureUnit::joules:
      break;
  }
  return {std::nullopt, unit, "200 " + unit};
}

/// The limit in the figure's unit; nothing where it is none.
std::optional<double> read_limit(const std::string& text, const LimitForm& form) {
  std::string number = text;
  if (!form.own_unit.empty() && number.ends_with(form.own_unit))
    number = std::string(trimmed(number.substr(0, number.size() - form.own_unit.size()), " \t"));
  const bool may_be_bare = !form.dimension || form.dimension == Dimension::ratio;
  if (may_be_bare)
    if (const std::optional<double> value = read_number(number)) return value;
  if (!form.dimension) return std::nullopt;
  // "100 events/s" is a rate too.
  const std::size_t events = form.dimension == Dimension::rate ? number.find("events/") : std::string::npos;
  if (events != std::string::npos) number.erase(events, std::string_view("events").size());
  const ReadQuantity read = read_quantity(number, *form.dimension);
  return read.reading == QuantityReading::good ? std::optional(read.value) : std::nullopt;
}

/// Shares that somebody may have meant who wrote a number without a unit: "5 %" as percents, as 5 times as long, as
/// such. Of what a bare number may mean, what is allowed.
std::vector<std::string> meant_slowdowns(double number) {
  constexpr double most = 100.0;
  std::vector<std::string> meant;
  const auto add = [&](double share) {
    if (!(share > 0.0 && share <= most)) return;
    // To be typed: without commas.
    std::string text = percent(share);
    std::erase(text, ',');
    meant.push_back("'" + text + "'");
  };
  if (number >= 1.0 && number == std::floor(number)) add(number / 100);
  if (number > 1.0) add(number - 1);
  add(number);
  return meant;
}

std::string wrong_limit(const std::string& text, MeasureId figure, const LimitForm& form) {
  const std::string asked = form.dimension == Dimension::ratio ? "a share"
                            : form.dimension                   ? "a " + std::string(name_of(*form.dimension))
                            : form.own_unit.empty()            ? "a number without a unit"
                                                               : "an amount in " + form.own_unit;
  return "The limit of " + std::string(figure->name) + " is " + shown(text) + "; " + asked +
         " is needed, for example \"" + form.example + "\".";
}

/// Where the comparison stands: "<=", "<", ">=", ">", or the signs of mathematics.
struct Comparison {
  std::size_t begin = std::string::npos;
  std::size_t end = 0;
  bool at_most = true;
};

Comparison find_comparison(const std::string& text) {
  static const std::vector<std::pair<std::string, bool>> signs{{"<=", true},      {">=", false}, {"\u2264", true},
                                                               {"\u2265", false}, {"<", true},   {">", false}};
  Comparison found;
  for (const auto& [sign, at_most] : signs) {
    const std::size_t at = text.find(sign);
    if (at < found.begin) found = {at, at + sign.size(), at_most};
  }
  return found;
}

std::vector<std::string> all_figures() {
  std::vector<std::string> names;
  for (const MeasureId figure : measures_where([](const Measure& one) { return one.required; }))
    names.emplace_back(figure->name);
  return names;
}

std::vector<std::string> network_names(const Scenario& scenario) {
  std::set<std::string> names;
  const auto add = [&](const DirectionNames& both) { names.insert({both.forth, both.back}); };
  for (const Link& link : scenario.links) add(link_names(link));
  for (const auto& [name, site] : scenario.sites)
    if (site.uplink) add(uplink_names(name));
  for (const Server& server : scenario.servers)
    if (server.nic || server.attached) add(inlet_names(server));
  if (scenario.platform)
    for (const auto& link : scenario.platform->links) names.insert(link.name);
  return {names.begin(), names.end()};
}

std::string unknown_figure(const std::string& name) {
  const std::vector<std::string> known = all_figures();
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return shown(name) + " is no figure; did you mean \"" + nearest + "\"?";
  // "p99" is a part of several names.
  std::vector<std::string> longer;
  for (const std::string& one : known)
    if (!name.empty() && ("_" + one + "_").find("_" + name + "_") != std::string::npos)
      longer.push_back(in_quotes(one));
  if (!longer.empty()) return shown(name) + " is no figure; did you mean " + joined_or(longer) + "?";
  return shown(name) + " is no figure; there are " + joined(known) + ".";
}

/// Times of events are asked of one pool, too.
bool is_of_pools(MeasureId figure) {
  return figure->subject == Subject::jobs || figure == measure("slowdown");
}

/// "latency_p99:tagger" or "latency_p99(tagger)", in parts.
struct AskedFigure {
  std::string name{};
  std::optional<std::string> of{};
};

AskedFigure asked_figure(const std::string& left) {
  const auto part = [&](std::size_t begin, std::size_t end) {
    return std::string(trimmed(left.substr(begin, end - begin), " \t"));
  };
  const std::size_t mark = left.find_first_of(":(");
  if (mark == std::string::npos) return {.name = left};
  const bool in_brackets = left[mark] == '(' && left.ends_with(')');
  return {.name = part(0, mark), .of = part(mark + 1, left.size() - (in_brackets ? 1 : 0))};
}

std::string unknown_name(MeasureId figure, const std::string& name, const std::vector<std::string>& known) {
  const std::string figure_name(figure->name);
  if (!figure->of_each && !is_of_pools(figure))
    return figure_name + " is asked of everything together; leave " + shown(name) + " out.";
  if (known.empty()) return figure_name + " has nothing that could be called " + shown(name) + " in this scenario.";
  const std::string nearest = nearest_name(name, known);
  return figure_name + " cannot be asked of " + shown(name) + "; " +
         (nearest.empty() ? "there are " + listed(known) + "." : "did you mean \"" + nearest + "\"?");
}

}  // namespace

std::optional<std::string> bare_slowdown(const std::string& text) {
  const std::optional<double> number = read_number(trimmed(text, " \t"));
  if (!number) return std::nullopt;
  const std::vector<std::string> meant = meant_slowdowns(*number);
  if (meant.empty())
    return "A slowdown is a share above 0, up to 10000 %, by which events take longer than unloaded ones, and not " +
           shown(text) + "; write for example '1 %'.";
  return "A slowdown is a share, by which events take longer than unloaded ones, and " + shown(text) +
         " could be a ratio as well; did you mean " + joined_or(meant) + "?";
}

std::vector<std::string> names_for(MeasureId figure, const Scenario& scenario) {
  if (is_of_pools(figure)) return texts_of(scenario.jobs, [](const JobPool& pool) { return pool.name; });
  if (!figure->of_each) return {};
  if (figure == measure("network_share")) return network_names(scenario);
  std::vector<std::string> names;
  if (figure == measure("gpu_share")) {
    for (const Server& server : scenario.servers) names.push_back(server.name);
  } else {
    for (const auto& entry : scenario.models) names.push_back(entry.first);
  }
  return names;
}

std::optional<Requirement> read_requirement(const std::string& text, const Scenario& scenario,
                                            OptionComplaints& complaints) {
  const std::string option = "--require " + text;
  const auto refuse = [&](const char* code, const std::string& sentence) {
    complaints.refuse(option, code, sentence);
    return std::nullopt;
  };
  if (first_invalid_utf8(text) != std::string::npos)
    return refuse("require.unknown_figure", "The option is not valid UTF-8 text.");
  const Comparison comparison = find_comparison(text);
  if (comparison.begin == std::string::npos && text.find('=') != std::string::npos)
    return refuse("require.no_limit", "\"=\" asks for one value, which nothing simulated has exactly; write <= or >=.");
  const std::string left(trimmed(text.substr(0, comparison.begin), " \t"));
  const AskedFigure asked = asked_figure(left);
  const std::string& name = asked.name;
  const std::optional<MeasureId> figure = find_measure(name);
  if (!figure) return refuse("require.unknown_figure", unknown_figure(name));
  const LimitForm form = form_of(*figure);
  const std::string example = name + ((*figure)->better == Better::less ? " <= " : " >= ") + form.example;
  if (comparison.begin == std::string::npos)
    return refuse("require.no_limit", shown(text) + " has no limit; write \"" + example + "\".");

  Requirement requirement{.figure = *figure, .at_most = comparison.at_most};
  if (asked.of) {
    requirement.of = *asked.of;
    const std::vector<std::string> known = names_for(*figure, scenario);
    if (std::find(known.begin(), known.end(), requirement.of) == known.end())
      return refuse("require.unknown_name", unknown_name(*figure, requirement.of, known));
  }
  const std::string limit(trimmed(text.substr(comparison.end), " \t"));
  if (limit.empty()) return refuse("require.no_limit", shown(text) + " has no limit; write \"" + example + "\".");
  if (*figure == measure("slowdown"))
    if (const auto bare = bare_slowdown(limit)) return refuse("require.bare_slowdown", *bare);
  const std::optional<double> value = read_limit(limit, form);
  if (!value) return refuse("require.wrong_unit", wrong_limit(limit, *figure, form));
  requirement.limit = *value;
  requirement.text = left + (comparison.at_most ? " <= " : " >= ") + limit;
  return requirement;
}

std::optional<Requirement> read_slowdown(const std::string& text, OptionComplaints& complaints) {
  const std::string option = "--slowdown " + text;
  const std::string limit(trimmed(text, " \t"));
  if (const auto bare = bare_slowdown(limit)) {
    complaints.refuse(option, "require.bare_slowdown", *bare);
    return std::nullopt;
  }
  const std::optional<double> value = read_limit(limit, form_of(measure("slowdown")));
  if (!value) {
    complaints.refuse(option, "require.wrong_unit",
                      shown(text) + " is no share; the tolerated slowdown is written as \"1 %\".");
    return std::nullopt;
  }
  return Requirement{.figure = measure("slowdown"), .limit = *value, .text = "slowdown <= " + limit};
}

std::optional<double> read_events(const std::string& text, OptionComplaints& complaints) {
  const std::optional<double> value = read_number(trimmed(text, " \t"));
  if (value && *value > 0.0) return value;
  complaints.refuse("--events " + text, "events.not_a_number",
                    shown(text) + " is no number of events; write a number above 0, such as 1e9 or 1000000000.");
  return std::nullopt;
}

namespace {

/// Figures of which the first is never above the second.
constexpr std::array<std::pair<MeasureId, MeasureId>, 7> never_above{{
    {measure("event_time_p50"), measure("event_time_p95")},
    {measure("event_time_p50"), measure("event_time_p99")},
    {measure("event_time_p95"), measure("event_time_p99")},
    {measure("latency_p50"), measure("latency_p95")},
    {measure("latency_p50"), measure("latency_p99")},
    {measure("latency_p95"), measure("latency_p99")},
    {measure("nodes"), measure("gpus")},
}};

/// True where the figure `low` of a candidate is at most its figure `high`.
bool is_never_above(const Requirement& low, const Requirement& high) {
  // What one model has is at most what the worst one has.
  if (low.of != high.of && !high.of.empty()) return false;
  return low.figure == high.figure ||
         std::find(never_above.begin(), never_above.end(), std::pair{low.figure, high.figure}) != never_above.end();
}

/// Figures of which no candidate has 0.
bool is_above_zero(MeasureId figure) {
  return figure->subject == Subject::jobs || figure->subject == Subject::model ||
         is_one_of(figure, {measure("throughput"), measure("campaign_time"), measure("jobs")});
}

/// Why nothing meets a requirement, or everything does; empty for the others.
std::string alone(const Requirement& requirement) {
  const std::string name(requirement.figure->name);
  if (requirement.limit < 0.0) return name + " is never below 0; write a limit of 0 or more.";
  if (requirement.figure->unit == MeasureUnit::share && requirement.limit > 1.0)
    return name + " is never above 100 %; write a limit up to 100 %.";
  if (requirement.limit == 0.0 && requirement.at_most && is_above_zero(requirement.figure))
    return name + " is always above 0, so that nothing meets the limit; write one above 0.";
  return "";
}

/// Fewest events a second with which a campaign ends in time.
std::optional<double> least_rate(const Requirement& requirement, std::optional<double> campaign_events) {
  if (requirement.figure != measure("campaign_time") || !requirement.at_most || !campaign_events) return std::nullopt;
  return *campaign_events / requirement.limit;
}

std::string exclusion(const Requirement& low, const Requirement& high, std::optional<double> campaign_events) {
  if (!low.at_most && high.at_most && low.limit > high.limit && is_never_above(low, high)) {
    const bool same = low.figure == high.figure && low.of == high.of;
    return "\"" + low.text + "\" and \"" + high.text + "\" exclude each other" +
           (same ? "" : ", since the first is never above the second") + "; drop one, or change a limit.";
  }
  const std::optional<double> rate = least_rate(low, campaign_events);
  if (rate && high.figure == measure("throughput") && high.at_most && *rate > high.limit)
    return "\"" + low.text + "\" and \"" + high.text + "\" exclude each other: " + in_words(*campaign_events) +
           " events in that time are " + in_words(*rate) + " /s; drop one, or change a limit.";
  return "";
}

}  // namespace

void refuse_contradictions(std::span<const Requirement> requirements, std::span<const std::string> options,
                           std::optional<double> campaign_events, OptionComplaints& complaints) {
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const std::string why = alone(requirements[i]);
    if (!why.empty()) complaints.refuse(options[i], "require.contradictory", why);
  }
  for (std::size_t i = 0; i < requirements.size(); ++i)
    for (std::size_t k = 0; k < requirements.size(); ++k) {
      if (!alone(requirements[i]).empty() || !alone(requirements[k]).empty()) continue;
      const std::string why = exclusion(requirements[i], requirements[k], campaign_events);
      // Blamed on the one that was typed last.
      if (!why.empty()) complaints.refuse(options[std::max(i, k)], "require.contradictory", why);
    }
}

}  // namespace saturn
