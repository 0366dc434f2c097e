#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_resource_lines = 8;
constexpr std::size_t longest_resource = 40;
constexpr double least_busy_shown = 0.005;

struct UsedResource {
  std::string name{};
  double most_busy = 0.0;  ///< a share
};

bool was_used(const ResourceResults& resource) {
  return std::isfinite(resource["busy_fraction"].mean) && resource["busy_fraction"].mean > 0.0;
}

std::size_t rank_of(const SystemFacts& facts, const std::string& resource) {
  for (std::size_t i = 0; i < std::min<std::size_t>(2, facts.knees.size()); ++i)
    if (facts.knees[i].resource == resource) return i;
  return 2;
}

/// The resource that binds, the next limit, then the most used first.
std::vector<UsedResource> used_resources(const SaturationStudy& study) {
  std::vector<UsedResource> resources;
  for (const SimulatedLoad& load : study.simulated) {
    for (const ResourceResults& resource : load.summary.resources) {
      if (!was_used(resource)) continue;
      const auto known = std::find_if(resources.begin(), resources.end(),
                                      [&](const UsedResource& one) { return one.name == resource.name; });
      if (known == resources.end()) {
        resources.push_back({.name = resource.name, .most_busy = resource["busy_fraction"].mean});
      } else {
        known->most_busy = std::max(known->most_busy, resource["busy_fraction"].mean);
      }
    }
  }
  std::stable_sort(resources.begin(), resources.end(), [&](const UsedResource& a, const UsedResource& b) {
    const std::size_t rank_a = rank_of(study.facts, a.name);
    const std::size_t rank_b = rank_of(study.facts, b.name);
    return rank_a != rank_b ? rank_a < rank_b : a.most_busy > b.most_busy;
  });
  return resources;
}

const char* role_of(const SystemFacts& facts, const std::string& resource) {
  switch (rank_of(facts, resource)) {
    case 0:
      return "binding";
    case 1:
      return "next";
    default:
      return "other";
  }
}

std::vector<std::vector<RowCell>> use_rows(const SaturationStudy& study, const std::string& name) {
  const LoadAxis axis = load_axis(study.facts);
  std::vector<std::vector<RowCell>> rows;
  for (const SimulatedLoad& load : study.simulated) {
    for (const ResourceResults& resource : load.summary.resources) {
      if (resource.name != name || !std::isfinite(resource["busy_fraction"].mean)) continue;
      const Estimate& busy = resource["busy_fraction"];
      rows.push_back({"use", name, role_of(study.facts, name), RowCell(), axis.of_streams(load.clients),
                      100.0 * busy.mean, number_cell(100.0 * busy.low), number_cell(100.0 * busy.high)});
    }
  }
  return rows;
}

std::string saturation_words(const KneeFact& knee, bool is_next, double load) {
  return (is_next ? "next limit: " : "") + terminal_text(knee.resource, longest_resource) + " saturates at " +
         compact_number(load, 3);
}

struct LoadRange {
  double low = 0.0;
  double high = 0.0;
};

LoadRange loads_of(const SaturationStudy& study, const LoadAxis& axis) {
  LoadRange loads{.low = axis.of_streams(study.simulated.front().clients), .high = 0.0};
  loads.high = loads.low;
  for (const SimulatedLoad& load : study.simulated) {
    loads.low = std::min(loads.low, axis.of_streams(load.clients));
    loads.high = std::max(loads.high, axis.of_streams(load.clients));
  }
  return loads;
}

/// Marks where the first two resources saturate; what lies beyond the figure is written at its end.
void add_saturations(const SaturationStudy& study, const LoadAxis& axis, const LoadRange& loads, TidyRows& rows,
                     std::vector<SpecChange>& changes, std::vector<std::size_t>& empty) {
  bool any_rule = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const bool known = i < study.facts.knees.size() && std::isfinite(study.facts.knees[i].jobs);
    const double load = known ? axis.of_jobs(study.facts.knees[i].jobs) : 0.0;
    if (!known || load < 0.0) {
      empty.push_back(i + 1);
      continue;
    }
    const KneeFact& knee = study.facts.knees[i];
    const bool beyond = load > loads.high;
    rows.rows.push_back({beyond ? "beyond" : "saturation",
                         knee.resource,
                         role_of(study.facts, knee.resource),
                         saturation_words(knee, i == 1, load) + (beyond ? " →" : ""),
                         beyond ? loads.high : load,
                         {},
                         {},
                         {}});
    changes.push_back(
        {"/layer/" + std::to_string(i + 1) + "/mark/align", beyond ? "right" : text_alignment(load, 0.0, loads.high)});
    any_rule = any_rule || !beyond;
  }
  if (!any_rule) empty.insert(empty.begin(), 0);
}

/// Lines along the bottom say nothing; of nothing but such lines all stay.
void leave_out_unused(std::vector<UsedResource>& resources, std::vector<UsedResource>& left_out) {
  const auto first_unused = std::stable_partition(resources.begin(), resources.end(), [](const UsedResource& resource) {
    return resource.most_busy >= least_busy_shown;
  });
  if (first_unused == resources.begin()) return;
  left_out.insert(left_out.end(), first_unused, resources.end());
  resources.erase(first_unused, resources.end());
}

std::string some_names(const std::vector<UsedResource>& resources) {
  const auto name_of = [](const UsedResource& one) { return terminal_text(one.name, longest_resource); };
  return joined(texts_of(resources, name_of), ", ", most_resource_lines) + ".";
}

std::string use_title(const SystemFacts& facts) {
  if (facts.knees.empty()) return "Use of resources as jobs are added";
  std::string title = terminal_text(facts.knees[0].resource, longest_resource) + " saturates first";
  if (facts.knees.size() > 1)
    title += ", " + terminal_text(facts.knees[1].resource, longest_resource) + " would be next";
  return title;
}

}  // namespace

Figure resource_use_figure(const SaturationStudy& study) {
  const LoadAxis axis = load_axis(study.facts);
  Figure figure{
      .name = "resource_use", .title = use_title(study.facts), .subtitle = figure_subtitle(study.scenario, study.seed)};
  figure.rows.columns = {{.name = "kind"},
                         {.name = "resource"},
                         {.name = "role"},
                         {.name = "label"},
                         {.name = axis.head},
                         {.name = "busy", .unit = "percent"},
                         {.name = "busy_low", .unit = "percent"},
                         {.name = "busy_high", .unit = "percent"}};
  std::vector<UsedResource> resources = used_resources(study);
  if (resources.empty()) {
    figure.cannot = "No simulated run has used a resource.";
    return figure;
  }
  std::vector<UsedResource> unused;
  leave_out_unused(resources, unused);
  std::vector<UsedResource> less_used;
  if (resources.size() > most_resource_lines) {
    less_used.assign(resources.begin() + most_resource_lines, resources.end());
    resources.resize(most_resource_lines);
  }
  std::vector<std::string> names;
  for (const UsedResource& resource : resources) {
    const auto rows = use_rows(study, resource.name);
    figure.rows.rows.insert(figure.rows.rows.end(), rows.begin(), rows.end());
    names.push_back(resource.name);
  }
  const LoadRange loads = loads_of(study, axis);
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
                                  {"/layer/5/encoding/color/scale/domain", names},
                                  {"/layer/5/encoding/strokeDash/scale/domain", names}};
  const std::vector<double> ends = ends_from_zero({loads.low, loads.high});
  changes.push_back({"/layer/5/encoding/x/scale/domain", ends});
  std::vector<std::size_t> empty;
  add_saturations(study, axis, loads, figure.rows, changes, empty);
  const bool has_binding = rank_of(study.facts, names.front()) == 0;
  if (!has_binding) empty.push_back(3);
  if (has_binding && names.size() == 1) empty.push_back(4);
  take_away(changes, {"/layer"}, empty);
  figure.caption =
      "Simulated. The bold line is the resource that binds; where a resource saturates is what the bounds say.";
  if (!less_used.empty()) figure.caption += " Less used and left out: " + some_names(less_used);
  if (!unused.empty()) figure.caption += " Never busy for 0.5 % and left out: " + some_names(unused);
  figure.spec = with_words(filled_spec("resource_use", changes), {{"load", axis.head}, {"load words", axis.title}});
  return figure;
}

}  // namespace saturn
