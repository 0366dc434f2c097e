#include <algorithm>
#include <cmath>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double cost_width = 520.0;
constexpr double cost_height = 320.0;
constexpr std::size_t longest_line = 60;
constexpr std::size_t most_cost_lines = 8;
constexpr double same_clients = 1e-9;
constexpr double equal_costs = 0.01;

bool drawable(const LoadCost& point) {
  return std::isfinite(point.clients) && std::isfinite(point.usd) && point.clients > 0.0 && point.usd >= 0.0;
}

std::string usd_text(double usd) {
  return number_text(usd, 4) + " USD";
}

/// What a line costs with the scenario's own clients; nullptr where it ends before them.
const LoadCost* at_own(const CostStudy& study, const CostLine& line) {
  const auto found = std::find_if(line.points.begin(), line.points.end(), [&](const LoadCost& point) {
    return drawable(point) && std::abs(point.clients - study.clients) <= same_clients * study.clients;
  });
  return found == line.points.end() ? nullptr : &*found;
}

/// The cheapest with the scenario's own clients; the planned one where nothing is cheaper by more than what counts as
/// equal.
const CostLine* cheapest_line(const CostStudy& study) {
  const CostLine* cheapest = nullptr;
  const CostLine* planned = nullptr;
  for (const CostLine& line : study.lines) {
    const LoadCost* point = at_own(study, line);
    if (point == nullptr || line.late) continue;
    if (line.planned) planned = &line;
    if (cheapest == nullptr || point->usd < at_own(study, *cheapest)->usd) cheapest = &line;
  }
  if (planned != nullptr && at_own(study, *planned)->usd <= (1.0 + equal_costs) * at_own(study, *cheapest)->usd)
    return planned;
  return cheapest;
}

/// What is drawn: the first lines, of which the planned one and that of own cores come first.
std::vector<CostLine> drawn_lines(const CostStudy& study) {
  std::vector<CostLine> lines;
  for (const CostLine& line : study.lines)
    if (std::any_of(line.points.begin(), line.points.end(), drawable)) lines.push_back(line);
  std::stable_sort(lines.begin(), lines.end(), [](const CostLine& a, const CostLine& b) {
    const auto order = [](const CostLine& line) { return line.planned ? 0 : line.own_cores ? 1 : 2; };
    return order(a) < order(b);
  });
  if (lines.size() > most_cost_lines) lines.resize(most_cost_lines);
  for (CostLine& line : lines) {
    line.name = shortened(line.name, longest_line);
    if (line.late) line.name += ", where events take longer";
  }
  return lines;
}

/// A single job pays for a whole device: what lies far above the rest is cut off.
FigureScale cost_scale(const CostStudy& study, const std::vector<CostLine>& lines) {
  std::vector<double> telling;
  for (const CostLine& line : lines) {
    const LoadCost* own = at_own(study, line);
    telling.push_back(own != nullptr ? own->usd : line.points.back().usd);
    for (const LoadCost& point : line.points)
      if (drawable(point) && point.clients >= study.clients / 2) telling.push_back(point.usd);
  }
  return scale_of(telling, {.pixels = cost_height, .from_zero = true, .margin = 0.12});
}

FigureRows cost_rows(const CostStudy& study, const std::vector<CostLine>& lines, double top) {
  FigureRows rows({{.name = "kind"},
                   {.name = "series"},
                   {.name = "clients"},
                   {.name = "cost", .unit = "usd"},
                   {.name = "gpus"},
                   {.name = "text"}});
  for (const CostLine& line : lines) {
    for (const LoadCost& point : line.points) {
      if (!drawable(point)) continue;
      rows.add(
          {{"kind", std::string("line")}, {"series", line.name}, {"clients", point.clients}, {"cost_usd", point.usd}});
      if (point.devices > 0) rows.amend({{"gpus", static_cast<double>(point.devices)}});
    }
    if (const LoadCost* own = at_own(study, line)) {
      rows.add(
          {{"kind", std::string("here")}, {"series", line.name}, {"clients", own->clients}, {"cost_usd", own->usd}});
      if (own->devices > 0) rows.amend({{"gpus", static_cast<double>(own->devices)}});
    }
  }
  if (study.clients > 0.0)
    rows.add({{"kind", std::string("own")},
              {"clients", study.clients},
              {"cost_usd", top},
              {"text", "you are here: " + counted(study.clients, study.stream_word)}});
  return rows;
}

/// "service at iowa is the cheapest for 268 jobs: 1980 USD per million events; jobs' own cores: 4350 USD"
std::string cost_title(const CostStudy& study) {
  const CostLine* best = cheapest_line(study);
  if (best == nullptr) return "What a million events cost against " + study.stream_word + "s";
  const std::string jobs = counted(study.clients, study.stream_word);
  const auto other = std::find_if(study.lines.begin(), study.lines.end(), [&](const CostLine& line) {
    return &line != best && (best->planned ? line.own_cores : line.planned) && at_own(study, line) != nullptr;
  });
  const bool alone = std::none_of(study.lines.begin(), study.lines.end(), [&](const CostLine& line) {
    return &line != best && at_own(study, line) != nullptr;
  });
  const std::string usd = usd_text(at_own(study, *best)->usd) + " per million events";
  const std::string name = best->own_cores ? best->name : "the " + best->name;
  if (alone) return jobs + " on " + name + ": " + usd;
  const bool late_costs_less = std::any_of(study.lines.begin(), study.lines.end(), [&](const CostLine& line) {
    return line.late && at_own(study, line) != nullptr && at_own(study, line)->usd < at_own(study, *best)->usd;
  });
  std::string text = "Least for " + jobs + (late_costs_less ? " without longer events: " : ": ") + name + ", " + usd;
  if (other != study.lines.end()) text += "; " + other->name + " " + usd_text(at_own(study, *other)->usd);
  return text;
}

/// "Service and own cores break even at 3.86 USD/h for a t4, now 0.35"
std::string break_even_text(const CostStudy& study) {
  if (!study.break_even_times) return "";
  const double times = *study.break_even_times;
  if (!(times > 0.0)) return "Even free " + study.device_word + "s would not make the service as cheap as own cores";
  const std::string begin = "Service and own cores break even at ";
  if (study.break_even_device.empty())
    return begin + compact_number(times, 3) + " times the present prices of " + study.device_word + "s";
  return begin + compact_number(times * study.device_usd_per_h, 3) + " USD/h for a " +
         shortened(study.break_even_device, 20) + ", now " + compact_number(study.device_usd_per_h, 3);
}

std::string cost_caption(const CostStudy& study, const std::vector<CostLine>& lines) {
  std::string text =
      "What a million events cost, at the rate of events by the bounds. Each service has as many " + study.device_word +
      "s as keep events within " + percent_text(study.tolerated_slowdown) +
      " of their time without waiting, so that a line falls until the next one is bought; lines that stay level "
      "grow with the " +
      study.stream_word + "s. Diamonds are the scenario's own " + study.stream_word + "s; costs within " +
      percent_text(equal_costs) + " count as equal.";
  if (!study.why_no_break_even.empty())
    text += " At which price of " + study.device_word +
            "s service and own cores break even is not known: " + study.why_no_break_even + ".";
  for (const CostLine& line : lines)
    if (!line.ends_at.empty())
      text += " The line of the " + line.name + " ends at " +
              counted(std::floor(line.points.back().clients), study.stream_word) + ", where " + line.ends_at +
              " saturates.";
  return text;
}

}  // namespace

std::string joined_plans(const std::vector<std::string>& names, std::size_t all) {
  if (names.size() == all && all > 2) return "all " + std::to_string(all) + " named plans";
  return joined(names);
}

Figure cost_figure(const CostStudy& study, const FigureContext& context) {
  Figure figure{
      .name = "cost", .title = cost_title(study), .subtitle = figure_subtitle(context.scenario, context.seed)};
  const std::vector<CostLine> lines = drawn_lines(study);
  if (lines.empty()) {
    figure.cannot = !study.why_no_lines.empty() ? study.why_no_lines
                                                : "No way to serve the " + study.stream_word +
                                                      "s has a cost: something that it needs has no price.";
    return figure;
  }
  const FigureScale y = cost_scale(study, lines);
  FigureRows rows = cost_rows(study, lines, y.high);
  std::vector<std::string> series;
  std::vector<double> clients{study.clients};
  for (const CostLine& line : lines) {
    series.push_back(line.name);
    for (const LoadCost& point : line.points)
      if (drawable(point)) clients.push_back(point.clients);
  }
  figure.caption = cost_caption(study, lines);
  std::vector<std::string> subtitle{figure.subtitle};
  if (!study.priced.empty()) subtitle.push_back("Priced: " + study.priced);
  if (const std::string text = break_even_text(study); !text.empty()) subtitle.push_back(text);
  const double most = *std::max_element(clients.begin(), clients.end());
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", subtitle},
                                  {"/encoding/x/axis/title", study.stream_word + "s"},
                                  {"/layer/1/encoding/color/scale/domain", series},
                                  {"/layer/1/encoding/strokeDash/scale/domain", series}};
  put_scale(changes, "/encoding/x", {.low = 0.0, .high = most, .pixels = cost_width});
  put_scale(changes, "/encoding/y", y);
  for (const std::string layer : {"/layer/4", "/layer/5"}) {
    const std::string align = text_alignment(study.clients, 0.0, most);
    changes.push_back({layer + "/mark/align", align});
    changes.push_back({layer + "/mark/dx", align == "left" ? 5.0 : align == "right" ? -5.0 : 0.0});
  }
  figure.spec = with_words(filled_spec("cost", changes), {{"jobs", tooltip_title(study.stream_word + "s")},
                                                          {"GPUs", tooltip_title(study.device_word + "s")}});
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
