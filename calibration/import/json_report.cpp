#include "calibration/import/json_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/document/parse_document.hpp"

namespace saturn {

namespace {

// The parser's words for these two speak of scenarios.
std::string fault_text(const SyntaxFault& fault) {
  if (fault.code == "scenario.too_deep") return "Lists and objects are nested deeper here than any report's.";
  if (fault.code == "scenario.too_many_values")
    return "The document holds more than " + std::to_string(most_values) + " values; import a shorter measurement.";
  return fault.text;
}

}  // namespace

JsonReport::JsonReport(Import& import, const std::string& way_out) : import_(import) {
  document_.sources.push_back({.name = import.path(), .text = std::string(import.text())});
  const std::string& source = document_.sources.front().text;
  for (std::size_t i = 0; i < source.size(); ++i)
    if (source[i] == '\n') line_ends_.push_back(i);
  if (const std::size_t bad = first_invalid_utf8(source); bad != std::string_view::npos)
    throw InputError({document_.complaint_at({0, bad}, "import.not_json",
                                             "This is no JSON: a byte here is not valid UTF-8." + way_out)});
  ParsedText parsed = parse_document(source, 0);
  document_.root = std::move(parsed.root);
  if (parsed.complete && parsed.faults.empty()) return;
  std::vector<Complaint> complaints;
  for (const SyntaxFault& fault : parsed.faults)
    complaints.push_back(document_.complaint_at({0, fault.offset}, "import.not_json", fault_text(fault) + way_out));
  if (complaints.empty())
    complaints.push_back({.source = import.path(), .code = "import.not_json", .text = "This is no JSON."});
  throw InputError(std::move(complaints));
}

FoundAt JsonReport::at(const Node& node) const {
  const auto before = std::lower_bound(line_ends_.begin(), line_ends_.end(), node.place.offset);
  return {.file = import_.path(), .line = static_cast<std::size_t>(before - line_ends_.begin()) + 1};
}

void JsonReport::leave_out(const Node& node, const std::string& code, const std::string& text) {
  import_.leave_out(import_.full() ? Complaint{} : document_.complaint_at(node.place, code, text));
}

void JsonReport::refuse(const Node& node, const std::string& code, const std::string& text) {
  throw InputError({document_.complaint_at(node.place, code, text)});
}

const Node* json_at(const Node& node, std::initializer_list<std::string_view> keys) {
  const Node* found = &node;
  for (const std::string_view key : keys) {
    found = found->find(key);
    if (found == nullptr) return nullptr;
  }
  return found;
}

std::optional<double> json_figure(const Node* node) {
  if (node == nullptr || node->kind != NodeKind::number) return std::nullopt;
  const std::optional<double> value = imported_number(node->text);
  if (!value || !is_measurable(*value)) return std::nullopt;
  return value;
}

std::string json_words(const Node* node) {
  return node == nullptr || node->kind != NodeKind::text ? "" : node->text;
}

bool json_holds(const Node* node) {
  if (node == nullptr) return false;
  if (node->kind == NodeKind::boolean) return node->text == "true";
  return json_figure(node).value_or(0.0) > 0.0;
}

bool begins_as_object(std::string_view text) {
  constexpr std::size_t longest_preface = 10'000;
  const std::string beginning(text.substr(0, longest_preface));
  const std::size_t first = skip_blank(beginning, 0);
  return first < beginning.size() && beginning[first] == '{';
}

}  // namespace saturn
