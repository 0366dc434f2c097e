#include "sim/cli/read_fitted_file.hpp"

#include <algorithm>
#include <optional>

#include "scenarios/fitted_files.hpp"
#include "scenarios/node_text.hpp"
#include "scenarios/parse_document.hpp"
#include "scenarios/read_fit.hpp"
#include "scenarios/regular_file.hpp"
#include "sim/cli/report_kinds.hpp"

namespace saturn {

namespace {

constexpr const char* fit_again = "; fit the measurements again: saturn calibrate FILES --out FITTED.json.";

/// Reads what it finds: texts and numbers that are not there stay empty, and what is of another kind is complained of.
class FittedFileReader {
 public:
  explicit FittedFileReader(Document document) : document_(std::move(document)) {}

  CalibrationReport read() {
    const Node& root = document_.root;
    CalibrationReport report{.created = text_in(root, "created", "")};
    read_tool(report, text_in(root, "tool", ""));
    report.provenance.command = text_in(root, "command", "");
    for (const Node* file : objects(root, "data", ""))
      report.files.push_back({.path = text_in(*file, "path", "/data"),
                              .format = text_in(*file, "format", "/data"),
                              .sha256 = text_in(*file, "sha256", "/data"),
                              .left_out = std::vector<std::string>(count_in(*file, "left_out")),
                              .used = count_in(*file, "used")});
    if (const Node* fits = root.find("fits"))
      for (const Node& fit : fits->children) read_fit_facts(report, fit);
    for (const Node* one : objects(root, "comparisons", "")) report.comparisons.push_back(comparison_in(*one));
    report.scenario = text_in(root, "scenario", "");
    for (const Node* one : objects(root, "saturation", ""))
      report.knees.push_back({.source = text_in(*one, "from", "/saturation"),
                              .device_time_s = estimate_in(*one, "device_time_s", "/saturation"),
                              .jobs = estimate_in(*one, "jobs", "/saturation"),
                              .decided_by = text_in(*one, "decided_by", "/saturation")});
    report.knee_notes = texts_in(root, "saturation_notes");
    if (!complaints_.empty()) throw InputError(complaints_);
    return report;
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
  static void read_tool(CalibrationReport& report, const std::string& tool) {
    const std::size_t open = tool.find(" (");
    const std::size_t begin = tool.find(' ');
    report.provenance.simgrid = "not needed for fits";
    if (open == std::string::npos || begin >= open || !tool.ends_with(')')) {
      report.provenance.version = tool;
      return;
    }
    report.provenance.version = tool.substr(begin + 1, open - begin - 1);
    report.provenance.git = tool.substr(open + 2, tool.size() - open - 3);
  }

  void read_fit_facts(CalibrationReport& report, const Node& fit) {
    const std::string at = "/fits/" + escape_pointer(fit.key);
    if (fit.kind != NodeKind::object) return refuse(fit, at, "an object in braces");
    FitFacts facts{.name = fit.key,
                   .kind = text_in(fit, "kind", at),
                   .about = text_in(fit, "about", at),
                   .sources = texts_in(fit, "from"),
                   .notes = texts_in(fit, "notes")};
    facts.fit.law = text_in(fit, "law", at);
    facts.fit.used = static_cast<std::size_t>(std::clamp(number_at(fit, "points", at).value_or(0.0), 0.0, 1e9));
    if (const Node* value = fit.find("value")) facts.value = json_text(*value, -1);
    for (const Node* parameter : objects(fit, "parameters", at)) read_parameter(facts, *parameter, at + "/parameters");
    const std::size_t n = facts.fit.parameters.values.size();
    facts.fit.parameters.covariance.assign(n * n, 0.0);
    for (const Node* residual : objects(fit, "residuals", at)) read_residual(facts.fit, *residual, at + "/residuals");
    read_plot(facts, fit.find("plot"), at + "/plot");
    report.fits.push_back(std::move(facts));
  }

  void read_parameter(FitFacts& facts, const Node& parameter, const std::string& at) {
    const std::optional<double> value = number_at(parameter, "value", at);
    if (!value) {
      if (parameter.find("value") == nullptr) refuse(parameter, at, "an object with a \"value\"");
      return;
    }
    facts.fit.parameters.names.push_back(text_in(parameter, "name", at));
    facts.fit.parameters.values.push_back(*value);
    facts.fit.parameters.intervals_95.push_back({.low = number_at(parameter, "low", at).value_or(*value),
                                                 .high = number_at(parameter, "high", at).value_or(*value)});
    facts.at.push_back(text_in(parameter, "at", at));
    facts.units.push_back(text_in(parameter, "unit", at));
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

  void read_plot(FitFacts& facts, const Node* plot, const std::string& at) {
    if (plot == nullptr) return derive_plot(facts);
    facts.x_title = text_in(*plot, "x", at);
    facts.y_title = text_in(*plot, "y", at);
    facts.y_unit = text_in(*plot, "unit", at);
    facts.fit.x_low = number_at(*plot, "from", at).value_or(0.0);
    facts.fit.x_high = number_at(*plot, "to", at).value_or(0.0);
    facts.curve = pairs_in(*plot, "curve", at);
    facts.measured = pairs_in(*plot, "measured", at);
  }

  /// Files of former versions have the fitted value at every point alone.
  static void derive_plot(FitFacts& facts) {
    if (facts.fit.residuals.empty()) return;
    facts.x_title = facts.kind == "service law" ? "batch [items]" : "x";
    facts.y_title = facts.kind == "service law" ? "time" : "value";
    if (facts.kind == "service law" || facts.kind == "time") facts.y_unit = "s";
    for (const FitResidual& residual : facts.fit.residuals) facts.curve.emplace_back(residual.point.x, residual.fitted);
    std::sort(facts.curve.begin(), facts.curve.end());
    facts.fit.x_low = facts.curve.front().first;
    facts.fit.x_high = facts.curve.back().first;
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
    throw InputError({{.source = path, .code = fault->code, .text = path + " " + fault->text}});
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

CalibrationReport read_fitted_file(const std::string& path) {
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
