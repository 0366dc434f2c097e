#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_breakdowns = 4;
constexpr double width_of_one_panel = 520.0;
constexpr double width_of_several = 270.0;  ///< in the template
constexpr double width_of_label = 30.0;

struct LatencyPart {
  const char* name;
  Key<Subject::model> time;
};

const std::array<LatencyPart, 5> latency_parts{
    {{"send", "send_s"}, {"host", "host_s"}, {"queue", "queue_s"}, {"compute", "compute_s"}, {"receive", "receive_s"}}};

/// Requests and answers in flight: what a model's time matters by.
double seconds_per_second(const ModelResults& model) {
  const double time = model["requests_per_s"].mean * model["latency_s"].mean;
  return std::isfinite(time) ? time : 0.0;
}

/// The busiest models first.
std::vector<std::string> models_by_time(const SaturationStudy& study) {
  std::vector<std::pair<double, std::string>> models;
  for (const SimulatedLoad& load : study.simulated) {
    for (const ModelResults& model : load.summary.models) {
      const auto known =
          std::find_if(models.begin(), models.end(), [&](const auto& entry) { return entry.second == model.name; });
      if (known == models.end()) {
        models.emplace_back(seconds_per_second(model), model.name);
      } else {
        known->first = std::max(known->first, seconds_per_second(model));
      }
    }
  }
  std::stable_sort(models.begin(), models.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (auto& [time, name] : models) names.push_back(std::move(name));
  return names;
}

double sum_of_parts(const ModelResults& model) {
  double sum = 0.0;
  for (const LatencyPart& part : latency_parts) sum += model[part.time].mean;
  return sum;
}

bool has_latency(const SimulatedLoad& load, const ModelResults& model, const std::string& name) {
  const double sum = sum_of_parts(model);
  return model.name == name && has_times(load) && std::isfinite(sum) && sum > 0.0;
}

/// The rows of one model; none where it was never asked.
std::vector<std::vector<RowCell>> panel_rows(const SaturationStudy& study, const std::string& name, double factor) {
  const LoadAxis axis = load_axis(study.facts);
  std::vector<std::vector<RowCell>> rows;
  for (const SimulatedLoad& load : study.simulated) {
    for (const ModelResults& model : load.summary.models) {
      if (!has_latency(load, model, name)) continue;
      const double sum = sum_of_parts(model);
      for (const LatencyPart& part : latency_parts) {
        const Estimate& time = model[part.time];
        rows.push_back({name, number_cell(axis.of_streams(load.clients)), part.name, time.mean * factor,
                        number_cell(time.low * factor), number_cell(time.high * factor), 100.0 * time.mean / sum});
      }
    }
  }
  return rows;
}

/// Places of parts in the template's legend, which is upside down, that no shown model spends time in.
std::vector<std::size_t> parts_of_no_time(const TidyRows& rows) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < latency_parts.size(); ++i) {
    const std::string part = latency_parts[latency_parts.size() - 1 - i].name;
    const bool any = std::any_of(rows.rows.begin(), rows.rows.end(), [&](const std::vector<RowCell>& row) {
      return std::get<std::string>(row[2]) == part && std::get<double>(row[3]) > 0.0;
    });
    if (!any) places.push_back(i);
  }
  return places;
}

std::size_t loads_in(const TidyRows& rows) {
  std::set<double> loads;
  for (const std::vector<RowCell>& row : rows.rows)
    if (const double* load = std::get_if<double>(&row[1])) loads.insert(*load);
  return loads.size();
}

ShownUnit latency_unit(const SaturationStudy& study) {
  double most = 0.0;
  for (const SimulatedLoad& load : study.simulated)
    for (const ModelResults& model : load.summary.models)
      if (has_latency(load, model, model.name)) most = std::max(most, sum_of_parts(model));
  return shown_unit(most, "s");
}

std::string left_out_models(std::size_t models, std::size_t panels) {
  if (models <= panels) return "";
  return " The " + std::to_string(panels) + " of " + std::to_string(models) +
         " models with the most requests in flight are shown.";
}

// "At 137 jobs per GPU, 97 % of a request's time is queue": the largest part where load is heaviest.
std::string breakdown_title(const SaturationStudy& study, const TidyRows& rows, bool several) {
  std::string plain = "Where a request's time goes as jobs are added";
  if (study.simulated.size() < 2 || rows.rows.empty()) return plain;
  const std::vector<RowCell>* most = nullptr;
  for (const std::vector<RowCell>& row : rows.rows) {
    // Rows come model by model and by load: those of the first model's last load stay.
    if (row[0] != rows.rows.front()[0]) break;
    const bool next_load = most == nullptr || row[1] != (*most)[1];
    if (next_load || std::get<double>(row[6]) > std::get<double>((*most)[6])) most = &row;
  }
  const double* load = std::get_if<double>(&(*most)[1]);
  if (load == nullptr) return plain;
  return "At " + counted_load(plan_number(*load), load_axis(study.facts)) + ", " +
         percent_text(std::get<double>((*most)[6]) / 100.0) + " of a request's time" +
         (several ? " to " + shortened(std::get<std::string>((*most)[0]), 24) : "") + " is " +
         std::get<std::string>((*most)[2]);
}

}  // namespace

Figure latency_breakdown_figure(const SaturationStudy& study) {
  const LoadAxis axis = load_axis(study.facts);
  const ShownUnit unit = latency_unit(study);
  Figure figure{.name = "latency_breakdown",
                .title = "Where a request's time goes as jobs are added",
                .subtitle = figure_subtitle(study.scenario, study.seed)};
  figure.rows.columns = {{.name = "model"},
                         {.name = axis.head},
                         {.name = "part"},
                         {.name = "mean", .unit = unit.name},
                         {.name = "mean_low", .unit = unit.name},
                         {.name = "mean_high", .unit = unit.name},
                         {.name = "share", .unit = "percent"}};
  std::size_t panels = 0;
  std::size_t models = 0;
  for (const std::string& name : models_by_time(study)) {
    const auto rows = panel_rows(study, name, unit.factor);
    if (rows.empty()) continue;
    ++models;
    if (panels == most_breakdowns) continue;
    ++panels;
    figure.rows.rows.insert(figure.rows.rows.end(), rows.begin(), rows.end());
  }
  if (panels == 0) {
    figure.cannot = "No simulated run has answered requests whose times could be taken apart.";
    return figure;
  }
  figure.title = breakdown_title(study, figure.rows, models > 1);
  figure.caption =
      "Simulated means. Send and receive are the network, host the handling by the server's host, queue the wait in "
      "the server, compute the time in an instance with its wait for the device." +
      left_out_models(models, panels);
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  const double width = panels == 1 ? width_of_one_panel : width_of_several;
  changes.push_back({"/spec/width", width});
  if (static_cast<double>(loads_in(figure.rows)) * width_of_label > width)
    changes.push_back({"/spec/encoding/x/axis/labelAngle", -45.0});
  const std::string colours = "/spec/encoding/color/scale/";
  take_away(changes, {colours + "domain", colours + "range"}, parts_of_no_time(figure.rows));
  figure.spec = with_words(filled_spec("latency_breakdown", changes),
                           {{"load", axis.head},
                            {"load words", axis.title},
                            {"mean", "mean_" + unit.name},
                            {"mean_low", "mean_low_" + unit.name},
                            {"mean_high", "mean_high_" + unit.name},
                            {"latency of a request [unit]", "latency of a request [" + unit.name + "]"},
                            {"mean [unit]", "mean [" + unit.name + "]"},
                            {"from [unit]", "from [" + unit.name + "]"},
                            {"to [unit]", "to [" + unit.name + "]"}});
  return figure;
}

}  // namespace saturn
