#include <nlohmann/json.hpp>

#include "models/parameter_draws.hpp"
#include "reports/calibration_report.hpp"
#include "reports/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

constexpr double written_confidence = 0.95;

Json parameters_json(const FitFacts& facts) {
  const FittedParameters& parameters = facts.fit.parameters;
  Json list = Json::array();
  for (std::size_t i = 0; i < parameters.values.size(); ++i) {
    const ParameterInterval found = interval(parameters, i, written_confidence);
    Json json = Json::object();
    json["name"] = parameters.names[i];
    json["at"] = facts.at[i];
    json["value"] = parameters.values[i];
    json["unit"] = facts.units[i];
    json["standard_error"] = json_number<Json>(standard_error(parameters, i));
    json["low"] = json_number<Json>(found.low);
    json["high"] = json_number<Json>(found.high);
    list.push_back(std::move(json));
  }
  return list;
}

Json covariance_json(const FittedParameters& parameters) {
  const std::size_t n = parameters.values.size();
  Json rows = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < n; ++j) row.push_back(parameters.covariance[i * n + j]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json residuals_json(const Fit& fit) {
  Json list = Json::array();
  for (const FitResidual& residual : fit.residuals) {
    list.push_back({{"from", residual.point.label},
                    {"x", json_number<Json>(residual.point.x)},
                    {"y", json_number<Json>(residual.point.y)},
                    {"standard_error", json_number<Json>(residual.point.standard_error)},
                    {"fitted", json_number<Json>(residual.fitted)},
                    {"standardised", json_number<Json>(residual.standardised)},
                    {"outlier", residual.outlier}});
  }
  return list;
}

Json pairs_json(const std::vector<std::pair<double, double>>& pairs) {
  Json list = Json::array();
  for (const auto& [x, y] : pairs) list.push_back({json_number<Json>(x), json_number<Json>(y)});
  return list;
}

/// What a figure of the fit needs beside its residuals.
Json plot_json(const FitFacts& facts) {
  return {{"x", facts.x_title},
          {"y", facts.y_title},
          {"unit", facts.y_unit},
          {"from", json_number<Json>(facts.fit.x_low)},
          {"to", json_number<Json>(facts.fit.x_high)},
          {"curve", pairs_json(facts.curve)},
          {"measured", pairs_json(facts.measured)}};
}

Json fit_json(const FitFacts& facts) {
  const Fit& fit = facts.fit;
  Json json = Json::object();
  json["kind"] = facts.kind;
  json["about"] = facts.about;
  json["law"] = fit.law;
  if (!facts.value.empty()) json["value"] = Json::parse(facts.value);
  json["parameters"] = parameters_json(facts);
  json["covariance"] = covariance_json(fit.parameters);
  json["degrees_of_freedom"] = fit.parameters.degrees_of_freedom;
  if (facts.kind == "service law") json["range"] = {{"items", {fit.x_low, fit.x_high}}};
  json["chi2"] = json_number<Json>(fit.chi2);
  json["points"] = fit.used;
  json["errors_known"] = fit.errors_known;
  if (fit.test) {
    json["test"] = {{"simpler", fit.test->simpler},
                    {"richer", fit.test->richer},
                    {"f", json_number<Json>(fit.test->f)},
                    {"p", json_number<Json>(fit.test->p)}};
  }
  json["from"] = facts.sources;
  json["residuals"] = residuals_json(fit);
  if (!facts.x_title.empty()) json["plot"] = plot_json(facts);
  Json notes = fit.notes;
  for (const std::string& note : facts.notes) notes.push_back(note);
  json["notes"] = std::move(notes);
  return json;
}

Json comparison_json(const SourceComparison& one) {
  Json json = Json::object();
  json["quantity"] = one.quantity;
  json["first"] = one.first;
  json["second"] = one.second;
  json["first_value"] = json_estimate<Json>(one.first_value);
  json["second_value"] = json_estimate<Json>(one.second_value);
  json["factor"] = json_estimate<Json>(one.factor);
  json["p"] = json_number<Json>(one.p);
  json["contradict"] = one.contradict;
  return json;
}

}  // namespace

std::string fitted_file_json(const CalibrationReport& report) {
  Json json = Json::object();
  json["schema"] = "saturn-fitted/1";
  json["tool"] = "saturn " + report.provenance.version + " (" + report.provenance.git + ")";
  json["created"] = report.created;
  json["command"] = report.provenance.command;
  json["data"] = Json::array();
  for (const FileFacts& file : report.files) {
    json["data"].push_back({{"path", file.path},
                            {"sha256", file.sha256},
                            {"format", file.format},
                            {"used", file.used},
                            {"left_out", file.left_out.size()}});
  }
  json["fits"] = Json::object();
  for (const FitFacts& facts : report.fits) json["fits"][facts.name] = fit_json(facts);
  json["comparisons"] = Json::array();
  for (const SourceComparison& one : report.comparisons) json["comparisons"].push_back(comparison_json(one));
  if (!report.scenario.empty()) {
    json["scenario"] = report.scenario;
    json["saturation"] = Json::array();
    for (const SourceKnee& knee : report.knees) {
      json["saturation"].push_back({{"from", knee.source},
                                    {"device_time_s", json_estimate<Json>(knee.device_time_s)},
                                    {"jobs", json_estimate<Json>(knee.jobs)},
                                    {"decided_by", knee.decided_by}});
    }
    json["saturation_notes"] = report.knee_notes;
  }
  return json_document(json);
}

}  // namespace saturn
