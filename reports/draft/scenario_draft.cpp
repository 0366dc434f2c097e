#include "reports/draft/scenario_draft.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t longest_value = 90;
constexpr std::size_t longest_draft_line = 120;

/// Writes a document with the comments that belong to its places.
class CommentedJson {
 public:
  explicit CommentedJson(std::map<std::string, std::string> comments) : comments_(std::move(comments)) {}

  std::string text(const OrderedJson& document) { return value_of(document, "", 0); }

 private:
  static std::string compact(const OrderedJson& value) {
    if (!value.is_structured() || value.empty()) return value.dump();
    std::vector<std::string> parts;
    for (const auto& [key, child] : value.items())
      parts.push_back((value.is_object() ? OrderedJson(key).dump() + ": " : "") + compact(child));
    return value.is_object() ? "{ " + joined(parts) + " }" : "[" + joined(parts) + "]";
  }

  bool is_commented_below(const std::string& pointer) const {
    const auto next = comments_.lower_bound(pointer + "/");
    return next != comments_.end() && next->first.starts_with(pointer + "/");
  }

  std::string value_of(const OrderedJson& value, const std::string& pointer, std::size_t depth) {
    std::string short_form = compact(value);
    const bool fits = width_of(short_form) + 2 * depth <= longest_value && !is_commented_below(pointer);
    if (!value.is_structured() || value.empty() || fits) return short_form;
    std::string text = value.is_object() ? "{\n" : "[\n";
    std::size_t left = value.size();
    std::size_t index = 0;
    for (const auto& [key, child] : value.items()) {
      const std::string name = value.is_object() ? OrderedJson(key).dump() + ": " : "";
      const std::string below = pointer + "/" + (value.is_object() ? escape_pointer(key) : std::to_string(index++));
      text += child_lines(name + value_of(child, below, depth + 1) + (--left > 0 ? "," : ""), below, depth + 1);
    }
    return text + std::string(2 * depth, ' ') + (value.is_object() ? "}" : "]");
  }

  /// Its comment stands behind a short value, above others.
  std::string child_lines(const std::string& lines, const std::string& pointer, std::size_t depth) const {
    const std::string indent(2 * depth, ' ');
    const auto comment = comments_.find(pointer);
    if (comment == comments_.end()) return indent + lines + "\n";
    const bool is_behind =
        lines.find('\n') == std::string::npos && width_of(indent + lines + comment->second) + 5 <= longest_draft_line;
    if (is_behind) return indent + lines + "  // " + comment->second + "\n";
    std::string text;
    for (const std::string& line : wrapped(comment->second, longest_draft_line - indent.size() - 3))
      text += indent + "// " + line + "\n";
    return text + indent + lines + "\n";
  }

  std::map<std::string, std::string> comments_;
};

std::string comment_of(const DraftOrigin& origin) {
  return printable_line((origin.basis == DraftBasis::assumed ? "assumed: change it" : "") +
                        std::string(origin.basis == DraftBasis::assumed && !origin.text.empty() ? "; " : "") +
                        origin.text);
}

}  // namespace

const char* name_of(DraftBasis basis) {
  switch (basis) {
    case DraftBasis::given:
      return "given";
    case DraftBasis::measured:
      return "measured";
    case DraftBasis::repository:
      return "repository";
    case DraftBasis::assumed:
      return "assumed";
  }
  throw std::logic_error("name_of: no such basis of a drafted value");
}

void ScenarioDraft::put(const std::string& pointer, const std::string& json) {
  put_.push_back({.value = {.pointer = pointer, .json = json, .origin = {}}});
}

void ScenarioDraft::put(const std::string& pointer, const std::string& json, DraftOrigin origin) {
  put_.push_back({.value = {.pointer = pointer, .json = json, .origin = std::move(origin)}, .has_origin = true});
}

std::vector<DraftedValue> ScenarioDraft::values() const {
  std::vector<DraftedValue> values;
  for (const Put& one : put_)
    if (one.has_origin) values.push_back(one.value);
  return values;
}

std::size_t ScenarioDraft::count(DraftBasis basis) const {
  return static_cast<std::size_t>(std::count_if(
      put_.begin(), put_.end(), [&](const Put& one) { return one.has_origin && one.value.origin.basis == basis; }));
}

std::string ScenarioDraft::text(const std::vector<std::string>& heading) const {
  OrderedJson document = OrderedJson::object();
  std::map<std::string, std::string> comments;
  for (const Put& one : put_) {
    document[OrderedJson::json_pointer(one.value.pointer)] = OrderedJson::parse(one.value.json);
    if (one.has_origin) comments[one.value.pointer] = comment_of(one.value.origin);
  }
  std::string text;
  for (const std::string& line : heading)
    for (const std::string& part : wrapped(printable_line(line), longest_draft_line - 3)) text += "// " + part + "\n";
  return text + CommentedJson(std::move(comments)).text(document) + "\n";
}

std::string json_of(const std::string& text) {
  return OrderedJson(text).dump();
}

}  // namespace saturn
