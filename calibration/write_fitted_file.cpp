#include <nlohmann/json.hpp>

#include <cmath>

#include "calibration/fitted_file.hpp"
#include "models/parameter_draws.hpp"
#include "scenarios/read_fit.hpp"

namespace saturn {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double written_confidence = 0.95;

/// Null when it is not finite, since JSON has no infinity.
OrderedJson number_json(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

OrderedJson estimate_json(const Estimate& estimate) {
  return {{"mean", number_json(estimate.mean)},
          {"low", number_json(estimate.low)},
          {"high", number_json(estimate.high)},
          {"confidence", estimate.confidence},
          {"replications", estimate.replications}};
}

OrderedJson parameters_json(const NamedFit& named) {
  const FittedParameters& parameters = named.fit.parameters;
  OrderedJson list = OrderedJson::array();
  for (std::size_t i = 0; i < parameters.values.size(); ++i) {
    const ParameterInterval found = interval(parameters, i, written_confidence);
    OrderedJson json = OrderedJson::object();
    json["name"] = parameters.names[i];
    json["at"] = named.at[i];
    json["value"] = parameters.values[i];
    json["unit"] = named.units[i];
    json["standard_error"] = number_json(standard_error(parameters, i));
    json["low"] = number_json(found.low);
    json["high"] = number_json(found.high);
    list.push_back(std::move(json));
  }
  return list;
}

OrderedJson covariance_json(const FittedParameters& parameters) {
  const std::size_t n = parameters.values.size();
  OrderedJson rows = OrderedJson::array();
  for (std::size_t i = 0; i < n; ++i) {
    OrderedJson row = OrderedJson::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(parameters.covariance[i * n + j]);
    rows.push_back(std::move(row));
  }
  return rows;
}

OrderedJson residuals_json(const Fit& fit) {
  OrderedJson list = OrderedJson::array();
  for (const FitResidual& residual : fit.residuals) {
    list.push_back({{"from", residual.point.label},
                    {"x", number_json(residual.point.x)},
                    {"y", number_json(residual.point.y)},
                    {"standard_error", number_json(residual.point.standard_error.value_or(HUGE_VAL))},
                    {"fitted", number_json(residual.fitted)},
                    {"standardised", number_json(residual.standardised)},
                    {"outlier", residual.outlier}});
  }
  return list;
}

OrderedJson pairs_json(const std::vector<std::pair<double, double>>& pairs) {
  OrderedJson list = OrderedJson::array();
  for (const auto& [x, y] : pairs) list.push_back({number_json(x), number_json(y)});
  return list;
}

/// What a figure of the fit needs beside its residuals.
OrderedJson plot_json(const NamedFit& named) {
  return {{"x", named.x_title},
          {"y", named.y_title},
          {"unit", named.y_unit},
          {"from", number_json(named.fit.x_low)},
          {"to", number_json(named.fit.x_high)},
          {"curve", pairs_json(named.curve)},
          {"measured", pairs_json(named.measured)}};
}

OrderedJson fit_json(const NamedFit& named) {
  const Fit& fit = named.fit;
  OrderedJson json = OrderedJson::object();
  json["kind"] = name_of(named.kind);
  json["about"] = named.about;
  json["law"] = fit.law;
  if (!named.value.empty()) json["value"] = OrderedJson::parse(named.value);
  json["parameters"] = parameters_json(named);
  json["covariance"] = covariance_json(fit.parameters);
  json["degrees_of_freedom"] = fit.parameters.degrees_of_freedom;
  if (named.kind == FitKind::service_law) json["range"] = {{"items", {fit.x_low, fit.x_high}}};
  json["chi2"] = number_json(fit.chi2);
  json["points"] = fit.used;
  json["errors_known"] = fit.errors_known;
  if (fit.test) {
    json["test"] = {{"simpler", fit.test->simpler},
                    {"richer", fit.test->richer},
                    {"f", number_json(fit.test->f)},
                    {"p", number_json(fit.test->p)}};
  }
  json["from"] = named.sources;
  json["residuals"] = residuals_json(fit);
  if (!named.x_title.empty()) json["plot"] = plot_json(named);
  OrderedJson notes = fit.notes;
  for (const std::string& note : named.notes) notes.push_back(note);
  json["notes"] = std::move(notes);
  return json;
}

OrderedJson comparison_json(const SourceComparison& one) {
  OrderedJson json = OrderedJson::object();
  json["quantity"] = one.quantity;
  json["first"] = one.first;
  json["second"] = one.second;
  json["first_value"] = estimate_json(one.first_value);
  json["second_value"] = estimate_json(one.second_value);
  json["factor"] = estimate_json(one.factor);
  json["p"] = number_json(one.p);
  json["contradict"] = one.contradict;
  return json;
}

}  // namespace

std::vector<FittedData> fitted_data(std::span<const MeasuredFile> files) {
  std::vector<FittedData> data;
  for (const MeasuredFile& file : files)
    data.push_back({.path = file.path,
                    .format = file.format,
                    .sha256 = file.sha256,
                    .used = file.loads.size() + file.counters.size() + file.cpu_times.size() + file.round_trips.size() +
                            file.throughputs.size() + file.closed_loop.size() + file.numbers.size(),
                    .left_out = file.left_out.size()});
  return data;
}

std::string fitted_file_json(const SavedCalibration& saved) {
  OrderedJson json = OrderedJson::object();
  json["schema"] = fitted_schema_name;
  json["tool"] = "saturn " + saved.version + " (" + saved.git + ")";
  json["created"] = saved.created;
  json["command"] = saved.command;
  json["data"] = OrderedJson::array();
  for (const FittedData& file : saved.data) {
    json["data"].push_back({{"path", file.path},
                            {"sha256", file.sha256},
                            {"format", file.format},
                            {"used", file.used},
                            {"left_out", file.left_out}});
  }
  json["fits"] = OrderedJson::object();
  for (const NamedFit& named : saved.calibration.fits) json["fits"][named.name] = fit_json(named);
  json["comparisons"] = OrderedJson::array();
  for (const SourceComparison& one : saved.calibration.comparisons) json["comparisons"].push_back(comparison_json(one));
  if (!saved.saturation.scenario.empty()) {
    json["scenario"] = saved.saturation.scenario;
    json["saturation"] = OrderedJson::array();
    for (const SourceKnee& knee : saved.saturation.knees) {
      json["saturation"].push_back({{"from", knee.source},
                                    {"device_time_s", estimate_json(knee.saturation.device_time_s)},
                                    {"jobs", estimate_json(knee.saturation.jobs)},
                                    {"decided_by", knee.decided_by}});
    }
    json["saturation_notes"] = saved.saturation.notes;
  }
  // Names of files and what was typed need not be UTF-8, which JSON is: bytes that are not become U+FFFD.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace saturn
