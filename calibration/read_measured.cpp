#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "calibration/measured_case.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::json;

using Keys = std::vector<std::string>;

const Keys offline_keys{"items_per_s", "latency_mean_s", "latency_p50_s",   "latency_p95_s",   "latency_p99_s",
                        "transfer_s",  "queue_s",        "compute_input_s", "compute_infer_s", "compute_output_s"};

Keys quantity_names() {
  Keys names;
  for (const MeasuredQuantity& quantity : measured_quantities()) names.emplace_back(quantity.name);
  return names;
}

/// Walks the document and gathers what is wrong with it, each complaint by its JSON pointer.
class MeasuredReader {
 public:
  explicit MeasuredReader(std::string name) : name_(std::move(name)) {}

  MeasuredCase decode(const Json& json);
  void finish() const {
    if (!complaints_.empty()) throw InputError(complaints_);
  }

 private:
  void complain(const std::string& code, const std::string& text) {
    complaints_.push_back({.source = name_, .code = "measured." + code, .text = text, .excerpt = ""});
  }
  const Json* member(const Json& object, const std::string& at, std::string_view key, bool required);
  const Json* object(const Json& parent, const std::string& at, std::string_view key, bool required);
  void only(const Json& object, const std::string& at, const Keys& keys);
  std::string word(const Json& object, const std::string& at, std::string_view key, bool required);
  bool truth(const Json& object, const std::string& at, std::string_view key, bool absent);
  std::optional<double> number(const Json& object, const std::string& at, std::string_view key, bool required,
                               bool zero_allowed = false);
  template <class Each>
  void list(const Json& object, const std::string& at, std::string_view key, bool required, Each each);

  MeasuredSystem about(const Json& json);
  std::string source(const Json& json);
  std::vector<ErrorTarget> targets(const Json& json);
  MeasuredRow row(const Json& json, const std::string& at);
  std::vector<Override> overrides(const Json& json, const std::string& at, bool required);
  void hypotheses(const Json& json, MeasuredCase& result);
  void set(const Json& json, const std::string& at, MeasuredRow& row);
  PointUse use(const Json& json, const std::string& at, const std::string& remark);
  std::vector<MeasuredValue> values(const Json& json, const std::string& at);
  OfflineRow offline(const Json& json, const std::string& at);

  std::string name_;
  std::vector<Complaint> complaints_;
};

const Json* MeasuredReader::member(const Json& object, const std::string& at, std::string_view key, bool required) {
  if (!object.is_object()) {
    if (required) complain("wrong_type", (at.empty() ? "the document" : at) + " has to be an object { ... }.");
    return nullptr;
  }
  const auto found = object.find(key);
  if (found != object.end()) return &*found;
  if (required) complain("missing", at + "/" + std::string(key) + " is missing.");
  return nullptr;
}

const Json* MeasuredReader::object(const Json& parent, const std::string& at, std::string_view key, bool required) {
  const Json* found = member(parent, at, key, required);
  if (found == nullptr || found->is_object()) return found;
  complain("wrong_type", at + "/" + std::string(key) + " is " + found->dump() + "; it has to be an object { ... }.");
  return nullptr;
}

void MeasuredReader::only(const Json& object, const std::string& at, const Keys& keys) {
  if (!object.is_object()) return;
  for (const auto& [key, ignored] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    complain("unknown_key", at + "/" + key + " is not a key of the schema; here are known: " + joined(keys) + ".");
  }
}

std::string MeasuredReader::word(const Json& object, const std::string& at, std::string_view key, bool required) {
  const Json* found = member(object, at, key, required);
  if (found == nullptr) return "";
  if (found->is_string()) return found->get<std::string>();
  complain("wrong_type", at + "/" + std::string(key) + " is " + found->dump() + "; it has to be a text in quotes.");
  return "";
}

bool MeasuredReader::truth(const Json& object, const std::string& at, std::string_view key, bool absent) {
  const Json* found = member(object, at, key, false);
  if (found == nullptr) return absent;
  if (found->is_boolean()) return found->get<bool>();
  complain("wrong_type", at + "/" + std::string(key) + " is " + found->dump() + "; it has to be true or false.");
  return absent;
}

std::optional<double> MeasuredReader::number(const Json& object, const std::string& at, std::string_view key,
                                             bool required, bool zero_allowed) {
  const Json* found = member(object, at, key, required);
  if (found == nullptr) return std::nullopt;
  const std::string place = at + "/" + std::string(key) + " is " + found->dump();
  if (!found->is_number()) {
    complain("wrong_type", place + "; it has to be a number in the unit of its name.");
    return std::nullopt;
  }
  const double value = found->get<double>();
  if (std::isfinite(value) && (value > 0.0 || (zero_allowed && value == 0.0))) return value;
  complain("out_of_range", place + (zero_allowed ? "; it has to be 0 or above." : "; it has to be above 0."));
  return std::nullopt;
}

template <class Each>
void MeasuredReader::list(const Json& object, const std::string& at, std::string_view key, bool required, Each each) {
  const Json* found = member(object, at, key, required);
  if (found == nullptr) return;
  const std::string place = at + "/" + std::string(key);
  if (!found->is_array() || found->empty()) {
    complain("wrong_type", place + " has to be a list [ ... ] of at least one row.");
    return;
  }
  for (std::size_t i = 0; i < found->size(); ++i) each((*found)[i], place + "/" + std::to_string(i));
}

std::string MeasuredReader::source(const Json& json) {
  const Json* found = object(json, "", "source", true);
  if (found == nullptr) return "";
  only(*found, "/source", {"text", "url", "commit", "file"});
  std::string text = word(*found, "/source", "text", true);
  for (const char* part : {"url", "commit", "file"}) {
    const std::string more = word(*found, "/source", part, false);
    if (!more.empty()) text += ", " + more;
  }
  return text;
}

std::vector<ErrorTarget> MeasuredReader::targets(const Json& json) {
  std::vector<ErrorTarget> result;
  const Json* found = object(json, "", "targets", false);
  if (found == nullptr) return result;
  only(*found, "/targets", quantity_names());
  for (const MeasuredQuantity& quantity : measured_quantities()) {
    const Json* target = object(*found, "/targets", quantity.name, false);
    if (target == nullptr) continue;
    const std::string at = "/targets/" + std::string(quantity.name);
    only(*target, at, {"median", "worst"});
    result.push_back({.quantity = &quantity,
                      .median = number(*target, at, "median", false),
                      .worst = number(*target, at, "worst", false)});
    if (target->empty()) complain("missing", at + " is empty; give median, worst or both, as fractions: 0.03 for 3 %.");
  }
  return result;
}

MeasuredSystem MeasuredReader::about(const Json& json) {
  MeasuredSystem about;
  about.id = word(json, "", "id", true);
  about.title = word(json, "", "title", true);
  about.source = source(json);
  member(json, "", "verified", true);
  about.verified = truth(json, "", "verified", false);
  about.scenario = word(json, "", "scenario", true);
  about.set = overrides(json, "", false);
  about.notes = word(json, "", "notes", false);
  about.calibration = word(json, "", "calibration", false);
  about.targets = targets(json);
  return about;
}

std::vector<Override> MeasuredReader::overrides(const Json& json, const std::string& at, bool required) {
  std::vector<Override> result;
  const Json* found = object(json, at, "set", required);
  if (found == nullptr) return result;
  for (const auto& [pointer, value] : found->items()) {
    result.push_back({.pointer = pointer, .value = value.is_string() ? value.get<std::string>() : value.dump()});
  }
  return result;
}

void MeasuredReader::hypotheses(const Json& json, MeasuredCase& result) {
  if (member(json, "", "hypotheses", false) == nullptr) return;
  list(json, "", "hypotheses", true, [&](const Json& one, const std::string& at) {
    only(one, at, {"name", "scenario", "set", "says"});
    result.about.hypotheses.push_back({.name = word(one, at, "name", true),
                                       .scenario = word(one, at, "scenario", true),
                                       .set = overrides(one, at, false),
                                       .says = word(one, at, "says", true)});
  });
  if (result.about.hypotheses.size() != 2) {
    complain("out_of_range", "/hypotheses has " + std::to_string(result.about.hypotheses.size()) + " " +
                                 plural(result.about.hypotheses.size(), "entry", "entries") +
                                 "; two that rival are compared.");
  }
  const std::string name = word(json, "", "decides_by", true);
  result.about.decides_because = word(json, "", "decides_because", true);
  result.about.decides_by = find_measured_quantity(name);
  if (!name.empty() && result.about.decides_by == nullptr) {
    complain("out_of_range",
             "/decides_by is \"" + name + "\"; it has to be a measured quantity: " + joined(quantity_names()) + ".");
  }
}

void MeasuredReader::set(const Json& json, const std::string& at, MeasuredRow& row) {
  row.set = overrides(json, at, true);
  std::string jobs;
  for (const Override& change : row.set) {
    if (change.pointer == "/jobs/0/count") jobs = change.value;
  }
  if (row.point.label.empty() && !jobs.empty()) row.point.label = jobs + (jobs == "1" ? " job" : " jobs");
  if (row.point.label.empty()) {
    complain("missing", at + "/point is missing: a short name of the row, such as \"concurrency 16\"; only a row whose "
                             "set has \"/jobs/0/count\" does without.");
  }
}

PointUse MeasuredReader::use(const Json& json, const std::string& at, const std::string& remark) {
  const std::string used = word(json, at, "used", false);
  if (!used.empty() && used != "calibration" && used != "identity") {
    complain("out_of_range", at + "/used is \"" + used + "\"; it can only be \"calibration\" or \"identity\".");
  }
  const bool scored = truth(json, at, "score", true);
  if (!scored && remark.empty()) {
    complain("missing", at + "/remark is missing; a row that is kept out of the score says why.");
  }
  if (!used.empty()) return used == "identity" && scored ? PointUse::identity : PointUse::calibration;
  return scored ? PointUse::scored : PointUse::shown;
}

std::vector<MeasuredValue> MeasuredReader::values(const Json& json, const std::string& at) {
  std::vector<MeasuredValue> result;
  const Json* measured = object(json, at, "measured", true);
  if (measured == nullptr) return result;
  const std::string here = at + "/measured";
  only(*measured, here, quantity_names());
  for (const MeasuredQuantity& quantity : measured_quantities()) {
    const Json* found = member(*measured, here, quantity.name, false);
    if (found == nullptr) continue;
    const std::string place = here + "/" + std::string(quantity.name);
    only(*found, place, {"value", "sd", "sem", "score"});
    result.push_back({.quantity = &quantity,
                      .value = number(*found, place, "value", true).value_or(1.0),
                      .sd = number(*found, place, "sd", false),
                      .sem = number(*found, place, "sem", false),
                      .scored = truth(*found, place, "score", true)});
  }
  if (measured->empty()) {
    complain("missing", here + " holds no quantity; give one or more of " + joined(quantity_names()) + ".");
  }
  return result;
}

MeasuredRow MeasuredReader::row(const Json& json, const std::string& at) {
  only(json, at, {"point", "set", "model", "nonml_s", "measured", "used", "score", "remark"});
  MeasuredRow row;
  row.point.label = word(json, at, "point", false);
  set(json, at, row);
  row.nonml_s = number(json, at, "nonml_s", false);
  row.model = word(json, at, "model", false);
  row.point.remark = word(json, at, "remark", false);
  row.point.use = use(json, at, row.point.remark);
  row.point.values = values(json, at);
  for (const MeasuredValue& value : row.point.values) {
    if (value.quantity->name != "module_time_s" || row.nonml_s) continue;
    complain("missing", at + "/nonml_s is missing; module_time_s is compared with the event time minus it.");
  }
  return row;
}

OfflineRow MeasuredReader::offline(const Json& json, const std::string& at) {
  only(json, at, {"batch", "measured"});
  OfflineRow row;
  row.batch = number(json, at, "batch", true).value_or(1.0);
  const Json* measured = object(json, at, "measured", true);
  if (measured == nullptr) return row;
  only(*measured, at + "/measured", offline_keys);
  for (const std::string_view key : offline_keys) {
    const auto value = number(*measured, at + "/measured", key, false, true);
    if (value) row.measured.emplace(key, *value);
  }
  return row;
}

MeasuredCase MeasuredReader::decode(const Json& json) {
  MeasuredCase result;
  const std::string schema = word(json, "", "schema", true);
  if (!schema.empty() && schema != "saturn-measured/1") {
    complain("schema", "/schema is \"" + schema + "\"; this program reads \"saturn-measured/1\".");
  }
  only(json, "",
       {"schema", "id", "title", "source", "verified", "notes", "calibration", "targets", "scenario", "set", "model",
        "rows", "offline", "hypotheses", "decides_by", "decides_because"});
  result.about = about(json);
  result.model = word(json, "", "model", false);
  hypotheses(json, result);
  list(json, "", "rows", true, [&](const Json& one, const std::string& at) {
    MeasuredRow& added = result.rows.emplace_back(row(one, at));
    added.set.insert(added.set.begin(), result.about.set.begin(), result.about.set.end());
  });
  list(json, "", "offline", false,
       [&](const Json& one, const std::string& at) { result.offline.push_back(offline(one, at)); });
  return result;
}

}  // namespace

MeasuredCase read_measured_text(const std::string& text, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text, nullptr, true, true);
  } catch (const Json::parse_error& error) {
    const std::string before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t start = before.rfind('\n') == std::string::npos ? 0 : before.rfind('\n') + 1;
    throw InputError({{.source = name,
                       .line = line,
                       .column = before.size() - start + 1,
                       .code = "measured.not_json",
                       .text = "The text is not JSON from here on.",
                       .excerpt = text.substr(start, text.find('\n', start) - start)}});
  }
  MeasuredReader reader(name);
  MeasuredCase result = reader.decode(json);
  reader.finish();
  return result;
}

}  // namespace saturn
