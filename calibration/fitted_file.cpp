#include "calibration/fitted_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/laws/parameter_spread.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/text_files.hpp"
#include "scenarios/inputs/fitted_files.hpp"
#include "scenarios/inputs/fitted_values.hpp"

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

namespace {

constexpr const char* fit_again = "; fit the measurements again: saturn calibrate FILES --out FITTED.json.";

/// Reads what it finds: texts and numbers that are not there stay empty, and what is of another kind is complained of.
class FittedFileReader {
 public:
  explicit FittedFileReader(Document document) : document_(std::move(document)) {}

  SavedCalibration read() {
    const Node& root = document_.root;
    SavedCalibration saved{.created = text_in(root, "created", "")};
    read_tool(saved, text_in(root, "tool", ""));
    saved.command = text_in(root, "command", "");
    for (const Node* file : objects(root, "data", ""))
      saved.data.push_back({.path = text_in(*file, "path", "/data"),
                            .format = text_in(*file, "format", "/data"),
                            .sha256 = text_in(*file, "sha256", "/data"),
                            .used = count_in(*file, "used"),
                            .left_out = count_in(*file, "left_out")});
    if (const Node* fits = root.find("fits"))
      for (const Node& fit : fits->children) read_named_fit(saved.calibration.fits, fit);
    for (const Node* one : objects(root, "comparisons", ""))
      saved.calibration.comparisons.push_back(comparison_in(*one));
    saved.saturation.scenario = text_in(root, "scenario", "");
    for (const Node* one : objects(root, "saturation", ""))
      saved.saturation.knees.push_back(
          {.source = text_in(*one, "from", "/saturation"),
           .saturation = {.device_time_s = estimate_in(*one, "device_time_s", "/saturation"),
                          .jobs = estimate_in(*one, "jobs", "/saturation")},
           .decided_by = text_in(*one, "decided_by", "/saturation")});
    saved.saturation.notes = texts_in(root, "saturation_notes");
    if (!complaints_.empty()) throw InputError(complaints_);
    return saved;
  }

 private:
  void refuse(const Node& node, const std::string& pointer, const std::string& wanted) {
    constexpr std::size_t most_complaints = 20;
    if (complaints_.size() < most_complaints)
      complaints_.push_back(document_.complaint_at(
          node.place, "report.bad_fit", pointer + " is " + shown(node) + "; " + wanted + " is needed" + fit_again));
  }

  std::string text_in(const Node& parent, const char* key, const std::string& pointer) {
    const Node* found = parent.find(key);
    if (found == nullptr || found->kind == NodeKind::null) return "";
    if (found->kind != NodeKind::text) refuse(*found, pointer + "/" + key, "a text in double quotes");
    return found->text;
  }

  /// Absent where it is null: JSON has no infinity.
  std::optional<double> number_of(const Node& node, const std::string& pointer) {
    if (node.kind == NodeKind::null) return std::nullopt;
    const std::optional<double> number = number_in(node);
    if (!number) refuse(node, pointer, "a number");
    return number;
  }

  std::optional<double> number_at(const Node& parent, const char* key, const std::string& pointer) {
    const Node* found = parent.find(key);
    return found == nullptr ? std::nullopt : number_of(*found, pointer + "/" + key);
  }

  std::size_t count_in(const Node& parent, const char* key) {
    constexpr double most_counted = 1e6;
    return static_cast<std::size_t>(std::clamp(number_at(parent, key, "/data").value_or(0.0), 0.0, most_counted));
  }

  std::vector<const Node*> objects(const Node& parent, const char* key, const std::string& pointer) {
    std::vector<const Node*> found;
    const Node* list = parent.find(key);
    if (list == nullptr) return found;
    if (list->kind != NodeKind::list) {
      refuse(*list, pointer + "/" + key, "a list in square brackets");
      return found;
    }
    for (std::size_t i = 0; i < list->children.size(); ++i) {
      const Node& one = list->children[i];
      if (one.kind == NodeKind::object)
        found.push_back(&one);
      else
        refuse(one, pointer + "/" + key + "/" + std::to_string(i), "an object in braces");
    }
    return found;
  }

  std::vector<std::string> texts_in(const Node& parent, const char* key) {
    std::vector<std::string> texts;
    if (const Node* list = parent.find(key))
      for (const Node& one : list->children)
        if (one.kind == NodeKind::text) texts.push_back(one.text);
    return texts;
  }

  Estimate estimate_in(const Node& parent, const char* key, const std::string& pointer) {
    const Node* found = parent.find(key);
    if (found == nullptr) return {};
    const std::string at = pointer + "/" + key;
    const double mean = number_at(*found, "mean", at).value_or(0.0);
    return {.mean = mean,
            .low = number_at(*found, "low", at).value_or(mean),
            .high = number_at(*found, "high", at).value_or(mean)};
  }

  SourceComparison comparison_in(const Node& one) {
    const Node* contradict = one.find("contradict");
    return {.quantity = text_in(one, "quantity", "/comparisons"),
            .first = text_in(one, "first", "/comparisons"),
            .second = text_in(one, "second", "/comparisons"),
            .first_value = estimate_in(one, "first_value", "/comparisons"),
            .second_value = estimate_in(one, "second_value", "/comparisons"),
            .factor = estimate_in(one, "factor", "/comparisons"),
            .p = number_at(one, "p", "/comparisons").value_or(1.0),
            .contradict = contradict != nullptr && contradict->kind == NodeKind::boolean && contradict->text == "true"};
  }

  /// "saturn 0.1.0 (4da4232)"
  static void read_tool(SavedCalibration& saved, const std::string& tool) {
    const std::size_t open = tool.find(" (");
    const std::size_t begin = tool.find(' ');
    if (open == std::string::npos || begin >= open || !tool.ends_with(')')) {
      saved.version = tool;
      return;
    }
    saved.version = tool.substr(begin + 1, open - begin - 1);
    saved.git = tool.substr(open + 2, tool.size() - open - 3);
  }

  void read_named_fit(std::vector<NamedFit>& fits, const Node& fit) {
    const std::string at = "/fits/" + escape_pointer(fit.key);
    if (fit.kind != NodeKind::object) return refuse(fit, at, "an object in braces");
    const std::optional<FitKind> kind = find_fit_kind(text_in(fit, "kind", at));
    NamedFit named{.name = fit.key,
                   .kind = kind.value_or(FitKind::count),
                   .about = text_in(fit, "about", at),
                   .sources = texts_in(fit, "from"),
                   .notes = texts_in(fit, "notes")};
    named.fit.law = text_in(fit, "law", at);
    named.fit.used = static_cast<std::size_t>(std::clamp(number_at(fit, "points", at).value_or(0.0), 0.0, 1e9));
    if (const Node* value = fit.find("value")) named.value = json_text(*value, -1);
    for (const Node* parameter : objects(fit, "parameters", at)) read_parameter(named, *parameter, at + "/parameters");
    const std::size_t n = named.fit.parameters.values.size();
    named.fit.parameters.covariance.assign(n * n, 0.0);
    for (const Node* residual : objects(fit, "residuals", at)) read_residual(named.fit, *residual, at + "/residuals");
    read_plot(named, fit.find("plot"), at + "/plot");
    fits.push_back(std::move(named));
  }

  void read_parameter(NamedFit& named, const Node& parameter, const std::string& at) {
    const std::optional<double> value = number_at(parameter, "value", at);
    if (!value) {
      if (parameter.find("value") == nullptr) refuse(parameter, at, "an object with a \"value\"");
      return;
    }
    named.fit.parameters.names.push_back(text_in(parameter, "name", at));
    named.fit.parameters.values.push_back(*value);
    named.fit.parameters.intervals_95.push_back({.low = number_at(parameter, "low", at).value_or(*value),
                                                 .high = number_at(parameter, "high", at).value_or(*value)});
    named.at.push_back(text_in(parameter, "at", at));
    named.units.push_back(text_in(parameter, "unit", at));
  }

  void read_residual(Fit& fit, const Node& residual, const std::string& at) {
    const std::optional<double> x = number_at(residual, "x", at);
    const std::optional<double> y = number_at(residual, "y", at);
    const std::optional<double> fitted = number_at(residual, "fitted", at);
    if (!x || !y || !fitted) return;
    const Node* outlier = residual.find("outlier");
    fit.residuals.push_back({.point = {.x = *x,
                                       .y = *y,
                                       .standard_error = number_at(residual, "standard_error", at),
                                       .label = text_in(residual, "from", at)},
                             .fitted = *fitted,
                             .standardised = number_at(residual, "standardised", at).value_or(0.0),
                             .outlier = outlier != nullptr && outlier->text == "true"});
  }

  std::vector<std::pair<double, double>> pairs_in(const Node& plot, const char* key, const std::string& at) {
    std::vector<std::pair<double, double>> pairs;
    const Node* list = plot.find(key);
    if (list == nullptr) return pairs;
    for (const Node& pair : list->children) {
      if (pair.children.size() != 2) {
        refuse(pair, at + "/" + key, "a list of pairs of numbers");
        break;
      }
      const std::optional<double> x = number_of(pair.children[0], at + "/" + key);
      const std::optional<double> y = number_of(pair.children[1], at + "/" + key);
      if (x && y) pairs.emplace_back(*x, *y);
    }
    return pairs;
  }

  void read_plot(NamedFit& named, const Node* plot, const std::string& at) {
    if (plot == nullptr) return derive_plot(named);
    named.x_title = text_in(*plot, "x", at);
    named.y_title = text_in(*plot, "y", at);
    named.y_unit = text_in(*plot, "unit", at);
    named.fit.x_low = number_at(*plot, "from", at).value_or(0.0);
    named.fit.x_high = number_at(*plot, "to", at).value_or(0.0);
    named.curve = pairs_in(*plot, "curve", at);
    named.measured = pairs_in(*plot, "measured", at);
  }

  /// Files of former versions have the fitted value at every point alone.
  static void derive_plot(NamedFit& named) {
    if (named.fit.residuals.empty()) return;
    named.x_title = named.kind == FitKind::service_law ? "batch [items]" : "x";
    named.y_title = named.kind == FitKind::service_law ? "time" : "value";
    if (named.kind == FitKind::service_law || named.kind == FitKind::time) named.y_unit = "s";
    for (const FitResidual& residual : named.fit.residuals) named.curve.emplace_back(residual.point.x, residual.fitted);
    std::sort(named.curve.begin(), named.curve.end());
    named.fit.x_low = named.curve.front().first;
    named.fit.x_high = named.curve.back().first;
  }

  Document document_;
  std::vector<Complaint> complaints_{};
};

Document parsed_file(const std::string& path) {
  Document document;
  document.sources.emplace_back();
  document.sources.front().name = path;
  std::string& text = document.sources.front().text;
  if (const auto fault = read_regular_file(path, largest_fitted_file, text))
    refuse_input(path, fault->code, path + " " + fault->text);
  if (first_invalid_utf8(text) != std::string::npos)
    throw InputError(
        {{.source = path,
          .code = "report.bad_json",
          .text = "The file holds bytes that are no UTF-8, so that it is no fitted file" + std::string(fit_again)}});
  ParsedText parsed = parse_document(text, 0);
  std::vector<Complaint> complaints;
  for (const SyntaxFault& fault : parsed.faults)
    complaints.push_back(document.complaint_at({.source = 0, .offset = fault.offset}, "report.bad_json", fault.text));
  if (!complaints.empty()) throw InputError(complaints);
  document.root = std::move(parsed.root);
  return document;
}

const Node* schema_in(const Node& root) {
  const Node* schema = root.find("schema");
  return schema != nullptr && schema->kind == NodeKind::text && schema->text == fitted_schema_name ? schema : nullptr;
}

}  // namespace

SavedCalibration read_fitted_file(const std::string& path) {
  Document document = parsed_file(path);
  const Node* fits = document.root.find("fits");
  if (schema_in(document.root) == nullptr || fits == nullptr || fits->kind != NodeKind::object)
    throw InputError(
        {document.complaint_at(document.root.place, "report.not_fitted",
                               "This is no fitted file: it needs the schema \"" + std::string(fitted_schema_name) +
                                   "\" and an object \"fits\"" + fit_again)});
  return FittedFileReader(std::move(document)).read();
}

bool is_fitted_file(const std::string& path) {
  std::string text;
  if (read_regular_file(path, largest_fitted_file, text) || first_invalid_utf8(text) != std::string::npos) return false;
  // A torn file is still one of calibrate's, and its complaint says where it is torn.
  const std::size_t schema = text.find("\"schema\"");
  const std::size_t value = text.find(std::string("\"") + fitted_schema_name + "\"");
  return schema != std::string::npos && value != std::string::npos && value > schema &&
         text.find_first_not_of(" \t\r\n:", schema + 8) == value;
}

}  // namespace saturn
