#include "calibration/measured_case.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <sstream>

namespace saturn {

namespace {

using Json = nlohmann::json;

constexpr std::size_t largest_file_bytes = std::size_t{16} << 20U;

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
  const Json* member(const Json& object, const std::string& at, const char* key, bool required);
  void only(const Json& object, const std::string& at, std::initializer_list<const char*> keys);
  std::string word(const Json& object, const std::string& at, const char* key, bool required);
  std::optional<double> number(const Json& object, const std::string& at, const char* key, bool required);
  std::optional<MeasuredValue> value(const Json& object, const std::string& at, const char* key);
  MeasuredRow row(const Json& json, const std::string& at);
  void set(const Json& json, const std::string& at, MeasuredRow& row);

  std::string name_;
  std::vector<Complaint> complaints_;
};

const Json* MeasuredReader::member(const Json& object, const std::string& at, const char* key, bool required) {
  if (!object.is_object()) {
    if (required) complain("wrong_type", (at.empty() ? "the document" : at) + " has to be an object { ... }.");
    return nullptr;
  }
  const auto found = object.find(key);
  if (found != object.end()) return &*found;
  if (required) complain("missing", at + "/" + key + " is missing.");
  return nullptr;
}

void MeasuredReader::only(const Json& object, const std::string& at, std::initializer_list<const char*> keys) {
  if (!object.is_object()) return;
  for (const auto& [key, ignored] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const char* one : keys) known += (known.empty() ? "" : ", ") + std::string(one);
    complain("unknown_key", at + "/" + key + " is not a key of the schema; here are known: " + known + ".");
  }
}

std::string MeasuredReader::word(const Json& object, const std::string& at, const char* key, bool required) {
  const Json* found = member(object, at, key, required);
  if (found == nullptr) return "";
  if (found->is_string()) return found->get<std::string>();
  complain("wrong_type", at + "/" + key + " is " + found->dump() + "; it has to be a text in quotes.");
  return "";
}

std::optional<double> MeasuredReader::number(const Json& object, const std::string& at, const char* key,
                                             bool required) {
  const Json* found = member(object, at, key, required);
  if (found == nullptr) return std::nullopt;
  if (!found->is_number()) {
    complain("wrong_type",
             at + "/" + key + " is " + found->dump() + "; it has to be a number in the unit of its name.");
    return std::nullopt;
  }
  const double value = found->get<double>();
  if (std::isfinite(value) && value > 0.0) return value;
  complain("out_of_range", at + "/" + key + " is " + found->dump() + "; it has to be above 0.");
  return std::nullopt;
}

std::optional<MeasuredValue> MeasuredReader::value(const Json& object, const std::string& at, const char* key) {
  const Json* found = member(object, at, key, false);
  if (found == nullptr) return std::nullopt;
  const std::string here = at + "/" + key;
  only(*found, here, {"value", "sd", "sem"});
  const auto mean = number(*found, here, "value", true);
  return MeasuredValue{
      .value = mean.value_or(1.0), .sd = number(*found, here, "sd", false), .sem = number(*found, here, "sem", false)};
}

void MeasuredReader::set(const Json& json, const std::string& at, MeasuredRow& row) {
  const Json* found = member(json, at, "set", true);
  if (found == nullptr) return;
  if (!found->is_object()) {
    complain("wrong_type", at + "/set has to be an object of \"/json/pointer\": value.");
    return;
  }
  for (const auto& [pointer, value] : found->items()) {
    row.set.push_back({.pointer = pointer, .value = value.is_string() ? value.get<std::string>() : value.dump()});
    if (pointer == "/jobs/0/count" && value.is_number()) row.jobs = value.get<double>();
  }
  if (!(row.jobs > 0.0)) complain("missing", at + "/set needs \"/jobs/0/count\": how many jobs ran at once, above 0.");
}

MeasuredRow MeasuredReader::row(const Json& json, const std::string& at) {
  only(json, at, {"set", "nonml_s", "measured", "remark"});
  MeasuredRow row;
  set(json, at, row);
  row.nonml_s = number(json, at, "nonml_s", false);
  row.remark = word(json, at, "remark", false);
  if (const Json* measured = member(json, at, "measured", true)) {
    const std::string here = at + "/measured";
    only(*measured, here, {"event_time_s", "module_time_s", "events_per_s"});
    row.event_time_s = value(*measured, here, "event_time_s");
    row.module_time_s = value(*measured, here, "module_time_s");
    row.events_per_s = value(*measured, here, "events_per_s");
    if (!row.event_time_s && !row.module_time_s && !row.events_per_s) {
      complain("missing", here + " holds no quantity; give event_time_s, module_time_s or events_per_s.");
    }
    if (row.module_time_s && !row.nonml_s) {
      complain("missing", at + "/nonml_s is missing; module_time_s is compared with the event time minus it.");
    }
  }
  return row;
}

MeasuredCase MeasuredReader::decode(const Json& json) {
  MeasuredCase result;
  const std::string schema = word(json, "", "schema", true);
  if (!schema.empty() && schema != "saturn-measured/1") {
    complain("schema", "/schema is \"" + schema + "\"; this program reads \"saturn-measured/1\".");
  }
  only(json, "", {"schema", "id", "title", "source", "verified", "notes", "scenario", "rows"});
  result.id = word(json, "", "id", true);
  result.title = word(json, "", "title", true);
  result.notes = word(json, "", "notes", false);
  result.scenario = word(json, "", "scenario", true);
  if (const Json* source = member(json, "", "source", true)) {
    only(*source, "/source", {"text", "url", "commit", "file"});
    result.source = {.text = word(*source, "/source", "text", true),
                     .url = word(*source, "/source", "url", false),
                     .commit = word(*source, "/source", "commit", false),
                     .file = word(*source, "/source", "file", false)};
  }
  if (const Json* verified = member(json, "", "verified", true)) {
    if (!verified->is_boolean()) complain("wrong_type", "/verified has to be true or false.");
    result.verified = verified->is_boolean() && verified->get<bool>();
  }
  const Json* rows = member(json, "", "rows", true);
  if (rows == nullptr) return result;
  if (!rows->is_array() || rows->empty()) {
    complain("wrong_type", "/rows has to be a list [ ... ] of at least one row.");
    return result;
  }
  for (std::size_t i = 0; i < rows->size(); ++i) {
    result.rows.push_back(row((*rows)[i], "/rows/" + std::to_string(i)));
  }
  return result;
}

[[noreturn]] void complain_of_file(const std::string& path, const std::string& what) {
  throw InputError({{.source = path, .code = "measured.no_file", .text = what, .excerpt = ""}});
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

MeasuredCase read_measured_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::string known;
    for (const EmbeddedFile& shipped : shipped_measurements()) {
      if (shipped.name == path || shipped.name == path + ".json")
        return read_measured_text(std::string(shipped.text), path);
      known += (known.empty() ? "" : ", ") + std::string(shipped.name.substr(0, shipped.name.rfind('.')));
    }
    complain_of_file(path, "There is no such file, and no shipped case has this name; shipped are: " + known + ".");
  }
  std::string text(largest_file_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (file.bad() || text.empty()) complain_of_file(path, "The file is empty or cannot be read.");
  if (text.size() > largest_file_bytes) complain_of_file(path, "The file is larger than 16 MiB.");
  return read_measured_text(text, path);
}

}  // namespace saturn
