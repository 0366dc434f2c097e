#include "calibration/score/own_measurements.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "calibration/calibrate.hpp"
#include "calibration/closed_loop_rates.hpp"
#include "calibration/import/import_kit.hpp"
#include "calibration/import/load_points.hpp"
#include "calibration/impossible_rows.hpp"
#include "calibration/score/placed_rows.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

using Json = nlohmann::json;

/// A text of an object; empty where there is none. The scenario's reader has checked what it needs of the file alone.
std::string text_at(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Json child(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found == object.end() ? Json() : *found;
}

/// What the fitted file calls the measured file; empty where it was not made from it.
std::set<std::string> names_of(const MeasuredFile& file, const Json& document) {
  std::set<std::string> names;
  for (const Json& one : child(document, "data")) {
    if (text_at(one, "sha256") == file.sha256) names.insert(text_at(one, "path"));
  }
  return names;
}

/// The lines of the file that the fit's residuals name.
std::set<std::size_t> lines_of(const Json& fit, const std::set<std::string>& names, std::span<const PlacedRow> rows) {
  std::set<std::string> from;
  for (const Json& residual : child(fit, "residuals")) from.insert(text_at(residual, "from"));
  std::set<std::size_t> lines;
  for (const PlacedRow& row : rows) {
    for (const std::string& name : names) {
      if (from.contains(FoundAt{.file = name, .line = row.at.line}.text())) lines.insert(row.at.line);
    }
  }
  return lines;
}

void remark(PlacedRow& row, const std::string& text) {
  std::string& remark = row.row.point.remark;
  if (remark.find(text) == std::string::npos) append_part(remark, text, "; ");
}

}  // namespace

/// Says of rows that a fit of the scenario was made from them: by remarks at the rows that the fit's residuals name.
/// A file is known by the SHA-256 of its bytes, so that another name does not hide it.
/// @param fitted  the fitted parameter files of the scenario
/// @returns a sentence that names the fits; empty where no fit was made from the file
std::string mark_fitted_rows(const MeasuredFile& file, std::span<const FittedFile> fitted,
                             std::vector<PlacedRow>& rows) {
  std::vector<std::string> fits;
  std::set<std::size_t> used;
  for (const FittedFile& one : fitted) {
    const Json document = Json::parse(one.text, nullptr, false);
    if (document.is_discarded()) continue;
    const std::set<std::string> names = names_of(file, document);
    if (names.empty()) continue;
    fits.push_back(one.path);
    const Json all = child(document, "fits");
    for (const Json& fit : all) used.merge(lines_of(fit, names, rows));
  }
  if (fits.empty()) return "";
  for (PlacedRow& row : rows) {
    if (used.contains(row.at.line)) remark(row, "a fit was made from this row: no prediction");
  }
  return "NO PREDICTION: " + joined(fits) + ", which the scenario takes values from, was fitted to this very file" +
         (used.empty() ? "" : ", " + counted(used.size(), "row") + " of it among the fitted points") +
         ". The errors say how well the fit describes its own data; validate with measurements that it has not seen.";
}

namespace {

std::string pool_pointer(std::size_t pool) {
  return "/jobs/" + std::to_string(pool) + "/count";
}

std::string pools_text(const Scenario& scenario) {
  std::vector<std::string> pools;
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i)
    pools.push_back("--vary " + pool_pointer(i) + " (" + shown(scenario.jobs[i].name) + ")");
  return joined(pools);
}

/// Index of the pool whose jobs are the clients; nothing after a complaint.
std::optional<std::size_t> pool_of_clients(const Scenario& scenario, const OwnChoice& choice,
                                           std::vector<Complaint>& complaints) {
  const auto complain = [&](const std::string& source, const std::string& code, const std::string& text) {
    complaints.push_back({.source = source, .code = code, .text = text});
    return std::nullopt;
  };
  std::size_t pool = 0;
  if (!choice.vary.empty()) {
    while (pool < scenario.jobs.size() && choice.vary != pool_pointer(pool)) ++pool;
    if (pool == scenario.jobs.size())
      return complain(
          "--vary", "score.not_a_pool",
          "--vary is " + shown(choice.vary) +
              "; it names the count of the pool whose jobs are the measured clients: " + pools_text(scenario) + ".");
  } else if (scenario.jobs.size() > 1) {
    return complain(choice.scenario, "score.several_pools",
                    "The scenario has " + counted(scenario.jobs.size(), "pool") +
                        " of jobs, and the rows give one number of clients; say which pool they are: " +
                        pools_text(scenario) + ".");
  }
  if (scenario.jobs[pool].arrivals)
    return complain(choice.scenario, "score.open_jobs",
                    "/jobs/" + std::to_string(pool) +
                        " has \"arrivals\", so that its events do not follow from the number of clients that the rows "
                        "give; use a scenario whose jobs begin their next event themselves.");
  return pool;
}

class OwnCases {
 public:
  OwnCases(const Scenario& scenario, std::span<const FittedFile> fitted, const OwnChoice& choice)
      : scenario_(scenario), fitted_(fitted), choice_(choice) {}

  void choose_pool(std::span<const MeasuredFile> files);
  void add(const MeasuredFile& file);
  OwnMeasurements finished();

 private:
  RowsOfFile rows_of(MeasuredFile file);
  MeasuredCase case_of(const MeasuredFile& file, const RowsOfFile& found);
  std::vector<ErrorTarget> targets(const std::vector<PlacedRow>& rows) const;
  void complain_of_no_rows(const MeasuredFile& file, const RowsOfFile& found);

  const Scenario& scenario_;
  std::span<const FittedFile> fitted_;
  const OwnChoice& choice_;
  std::optional<std::size_t> pool_{};
  std::vector<PlacedRow> all_rows_{};
  std::vector<Complaint> complaints_{};
  OwnMeasurements result_{};
};

void OwnCases::choose_pool(std::span<const MeasuredFile> files) {
  const bool clients =
      std::any_of(files.begin(), files.end(), [](const MeasuredFile& file) { return !file.closed_loop.empty(); });
  if (clients || !choice_.vary.empty()) pool_ = pool_of_clients(scenario_, choice_, complaints_);
}

/// Rows of the same load get the line that they are from, so that a table tells them apart.
void tell_apart(std::vector<PlacedRow>& rows) {
  std::map<std::string, int> count;
  for (const PlacedRow& row : rows) ++count[row.row.point.label];
  for (PlacedRow& row : rows) {
    if (count[row.row.point.label] > 1 && row.at.line > 0)
      row.row.point.label += " (line " + std::to_string(row.at.line) + ")";
  }
}

void append(RowsOfFile& all, RowsOfFile more) {
  all.rows.insert(all.rows.end(), more.rows.begin(), more.rows.end());
  all.left_out.insert(all.left_out.end(), more.left_out.begin(), more.left_out.end());
  all.refusals.insert(all.refusals.end(), more.refusals.begin(), more.refusals.end());
  for (const std::string& text : more.notes) all.note(text);
}

void take_inferred(const InferredItems& inferred, RowsOfFile& found) {
  for (const std::string& text : inferred.notes) found.note(text);
  for (const Complaint& one : inferred.refusals) found.refuse(one.source, one.code, one.text);
}

/// A load generator drives one server, while a scenario may have as many as a plan gave it.
void note_nodes(const Scenario& scenario, RowsOfFile& found) {
  std::set<std::string> models;
  for (const PlacedRow& row : found.rows) models.insert(row.row.model);
  for (const std::string& model : models)
    for (const std::size_t s : servers_of(scenario, model)) {
      const Server& server = scenario.servers[s];
      if (server.nodes > 1)
        found.note(counted(static_cast<double>(server.nodes), "node") + " of \"" + server.name + "\" serve \"" + model +
                   "\" here; if one was measured, add --set /servers/" + std::to_string(server.place) + "/nodes=1.");
    }
}

RowsOfFile OwnCases::rows_of(MeasuredFile file) {
  RowsOfFile found;
  if (choice_.batch)
    set_batches(std::span(&file, 1), *choice_.batch);
  else
    take_inferred(infer_request_items(file, ItemsFor::every_run), found);
  found.left_out = file.left_out;
  for (const std::string& text : file.notes) found.note(text + (text.ends_with('.') ? "" : "."));
  for (const std::string& text : impossible_rows(file)) found.note(text + ".");
  if (pool_ && !file.closed_loop.empty()) append(found, client_rows(scenario_, file, *pool_));
  if (!file.loads.empty() && found.refusals.empty()) append(found, load_rows(scenario_, file, choice_.model));
  if (!file.loads.empty()) note_nodes(scenario_, found);
  if (!file.counters.empty()) append(found, server_rows(scenario_, file, choice_.model));
  std::stable_sort(found.rows.begin(), found.rows.end(), [](const PlacedRow& a, const PlacedRow& b) {
    return a.row.model != b.row.model ? a.row.model < b.row.model : a.load < b.load;
  });
  return found;
}

void OwnCases::complain_of_no_rows(const MeasuredFile& file, const RowsOfFile& found) {
  // Why its rows cannot be used is said already.
  if (!found.refusals.empty() || (!file.closed_loop.empty() && !pool_)) return;
  const bool none = file.closed_loop.empty() && file.loads.empty() && file.counters.empty();
  complaints_.insert(complaints_.end(), found.left_out.begin(), found.left_out.end());
  complaints_.push_back(
      {.source = file.path,
       .code = "score.no_rows",
       .text = none ? "The file (" + file.format +
                          ") has no load that a scenario predicts: rows of clients with event times or rates, or of "
                          "concurrency with rates or latencies, or a server's counters, are needed. saturn calibrate "
                          "fits other measurements."
                    : "No row of the file can be simulated; the reasons stand above."});
}

std::vector<ErrorTarget> OwnCases::targets(const std::vector<PlacedRow>& rows) const {
  std::vector<ErrorTarget> result;
  if (!choice_.median && !choice_.worst) return result;
  for (const MeasuredQuantity& quantity : measured_quantities()) {
    const bool scored = std::any_of(rows.begin(), rows.end(), [&](const PlacedRow& row) {
      const auto& values = row.row.point.values;
      return std::any_of(values.begin(), values.end(),
                         [&](const MeasuredValue& value) { return value.quantity == &quantity && value.scored; });
    });
    if (scored) result.push_back({.quantity = &quantity, .median = choice_.median, .worst = choice_.worst});
  }
  return result;
}

std::string left_out_text(const std::vector<Complaint>& left_out) {
  constexpr std::size_t most_named = 10;
  if (left_out.empty()) return "";
  const auto placed = [](const Complaint& one) {
    return FoundAt{.file = one.source, .line = one.line}.text() + " (" + one.code + ")";
  };
  return "Left out: " + joined(texts_of(left_out, placed), ", ", most_named) + ".";
}

MeasuredCase OwnCases::case_of(const MeasuredFile& file, const RowsOfFile& found) {
  MeasuredCase measured;
  measured.about = {.id = file.path,
                    .title = file.path + " beside " + choice_.scenario,
                    .source = "your " + file.format + ", SHA-256 " + file.sha256.substr(0, 12),
                    .verified = false,
                    .scenario = choice_.scenario,
                    .notes = {},
                    .calibration = {},
                    .targets = targets(found.rows),
                    .published = false};
  for (const std::string& text : found.notes) append_part(measured.about.notes, text, " ");
  if (const std::string left = left_out_text(found.left_out); !left.empty())
    append_part(measured.about.notes, left, " ");
  for (const PlacedRow& row : found.rows) measured.rows.push_back(row.row);
  return measured;
}

void OwnCases::add(const MeasuredFile& file) {
  RowsOfFile found = rows_of(file);
  complaints_.insert(complaints_.end(), found.refusals.begin(), found.refusals.end());
  if (found.rows.empty()) {
    complain_of_no_rows(file, found);
    return;
  }
  all_rows_.insert(all_rows_.end(), found.rows.begin(), found.rows.end());
  result_.warnings.insert(result_.warnings.end(), found.left_out.begin(), found.left_out.end());
  tell_apart(found.rows);
  const std::string fitted = mark_fitted_rows(file, fitted_, found.rows);
  if (!fitted.empty()) result_.warnings.push_back({.source = file.path, .code = "score.fitted_to_it", .text = fitted});
  result_.cases.push_back(case_of(file, found));
  result_.cases.back().about.calibration = fitted;
}

OwnMeasurements OwnCases::finished() {
  if (!complaints_.empty()) throw InputError(std::move(complaints_));
  for (const Complaint& found : contradictions(all_rows_)) {
    result_.warnings.push_back(found);
    for (MeasuredCase& one : result_.cases) append_part(one.about.notes, found.text, " ");
  }
  return std::move(result_);
}

}  // namespace

OwnMeasurements own_measurements(const Scenario& scenario, std::span<const MeasuredFile> files,
                                 std::span<const FittedFile> fitted, const OwnChoice& choice) {
  OwnCases cases(scenario, fitted, choice);
  cases.choose_pool(files);
  // Of several readings of a server's counters what lies between two counts; the first is only its beginning.
  std::vector<MeasuredFile> compared = with_differences({files.begin(), files.end()});
  for (std::size_t i = 0; i < compared.size(); ++i)
    if (files[i].counters.empty() || !compared[i].counters.empty()) cases.add(compared[i]);
  return cases.finished();
}

}  // namespace saturn
