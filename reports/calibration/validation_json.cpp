#include <nlohmann/json.hpp>

#include "reports/calibration/validation_report.hpp"
#include "reports/tables/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

Json json_comparison(const ValidationRow& row, std::size_t index) {
  const MeasuredValue& measured = row.measured.values[index];
  Json json = Json::object();
  json["measured"] = json_number<Json>(measured.value);
  json["measured_sem"] = json_number<Json>(measured.sem);
  json["simulated"] = json_estimate<Json>(row.simulated[index]);
  json["error"] = json_number<Json>(row.error(index));
  json["scored"] = row.scored(index);
  return json;
}

Json json_row(const ValidationRow& row) {
  Json json = Json::object();
  json["point"] = row.measured.label;
  for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
    json[std::string(row.measured.values[i].quantity->name)] = json_comparison(row, i);
  }
  json["little_ratio"] = json_number<Json>(row.little_ratio);
  json["unscored"] = row.unscored();
  json["mark"] = row.mark();
  json["remark"] = row.measured.remark;
  return json;
}

Json json_target(const ErrorTarget& target) {
  Json json = Json::object();
  json["median"] = json_number<Json>(target.median);
  json["worst"] = json_number<Json>(target.worst);
  return json;
}

Json json_trend(const RankCorrelation& trend) {
  Json json = Json::object();
  json["rho"] = json_number<Json>(trend.rho);
  json["p_value"] = json_number<Json>(trend.p_value);
  return json;
}

Json json_score(const Score& score) {
  const bool any = score.rows > 0;
  const auto within = score.within();
  Json json = Json::object();
  json["rows"] = score.rows;
  json["median_absolute_error"] = any ? json_number<Json>(score.median_absolute_error) : Json(nullptr);
  json["worst_error"] = any ? json_number<Json>(score.worst_error) : Json(nullptr);
  json["worst_at"] = any ? Json(score.worst_at) : Json(nullptr);
  json["mean_error"] = any ? json_number<Json>(score.mean_error) : Json(nullptr);
  json["trend"] = score.trend ? json_trend(*score.trend) : Json(nullptr);
  json["says"] = verdict_in_words(score);
  json["target"] = score.target ? json_target(*score.target) : Json(nullptr);
  json["within_target"] = within ? Json(*within) : Json(nullptr);
  return json;
}

Json json_judgement(const Judgement& one) {
  const HypothesisComparison& comparison = one.comparison;
  const auto fit = [](const std::string& name, const HypothesisFit& found) {
    return Json{{"name", name}, {"rms_log_error", found.typical_error}, {"rows_closer", found.rows_closer}};
  };
  Json json = Json::object();
  json["by"] = std::string(one.quantity->name);
  json["rows"] = comparison.rows;
  json["telling_rows"] = comparison.telling_rows;
  json["hypotheses"] = {fit(one.first, comparison.first), fit(one.second, comparison.second)};
  json["log_likelihood_ratio"] = json_number<Json>(comparison.log_likelihood_ratio);
  json["p_value"] = json_number<Json>(comparison.p_value);
  json["favours"] = comparison.can_tell() ? Json(comparison.favours_first() ? one.first : one.second) : Json(nullptr);
  json["says"] = judgement_in_words(comparison, one.first, one.second);
  return json;
}

Json json_hypothesis(const ValidationCase& validation, std::size_t number) {
  const MeasuredHypothesis& hypothesis = validation.about.hypotheses[number];
  Json json = Json::object();
  json["name"] = hypothesis.name;
  json["scenario"] = hypothesis.scenario_in_words();
  json["says"] = hypothesis.says;
  json["rows"] = Json::array();
  for (std::size_t i = 0; i < validation.rows.size(); ++i) {
    const PublishedPoint& measured = validation.rows[i].measured;
    Json row = Json::object();
    row["point"] = measured.label;
    for (std::size_t k = 0; k < measured.values.size(); ++k) {
      row[std::string(measured.values[k].quantity->name)] = json_estimate<Json>(validation.rivals[number][i][k]);
    }
    json["rows"].push_back(std::move(row));
  }
  return json;
}

void add_hypotheses(Json& json, const ValidationCase& validation) {
  if (validation.rivals.empty()) return;
  json["hypotheses"] = Json::array();
  for (std::size_t i = 0; i < validation.rivals.size(); ++i)
    json["hypotheses"].push_back(json_hypothesis(validation, i));
  json["decides_by"] = std::string(validation.about.decides_by->name);
  json["judgements"] = Json::array();
  for (const Judgement& one : judgements(validation)) json["judgements"].push_back(json_judgement(one));
}

Json json_case(const ValidationCase& validation) {
  const MeasuredSystem& about = validation.about;
  Json json = Json::object();
  json["case"] = about.id;
  json["title"] = about.title;
  json["source"] = about.source;
  json["verified"] = about.verified;
  json["published"] = about.published;
  json["scenario"] = about.scenario;
  json["notes"] = about.notes;
  json["calibration"] = about.calibration;
  json["rows"] = Json::array();
  for (const ValidationRow& row : validation.rows) json["rows"].push_back(json_row(row));
  json["errors"] = Json::object();
  for (const Score& score : scores(validation)) {
    json["errors"][std::string(score.quantity->name)] = json_score(score);
  }
  add_hypotheses(json, validation);
  return json;
}

}  // namespace

std::string validation_json(const ValidationReport& report) {
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["changes"] = report.changes;
  document["cases"] = Json::array();
  for (const ValidationCase& validation : report.cases) document["cases"].push_back(json_case(validation));
  if (const auto joint = joint_judgement(report)) document["judgement_of_all_cases"] = json_judgement(*joint);
  return json_document(document);
}

}  // namespace saturn
