#include <algorithm>
#include <string_view>

#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/scenario_text.hpp"
#include "scenarios/inputs/numeric_inputs.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/study/report/report_parts.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

// Comments above a whole section explain the format, not a value.
constexpr std::size_t least_depth_with_comment = 2;
constexpr std::size_t longest_comment = 300;
constexpr std::size_t nearly_full_line = 95;

bool is_comment(const std::string& line) {
  return trimmed(line, " \t\r").starts_with("//");
}

/// True of "//   a line of its own".
bool is_set_in(const std::string& line) {
  return trimmed(line, " \t\r").starts_with("//   ");
}

/// Columns within a line become a short gap: the page has less room than the file.
std::string without_columns(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != ' ' || i + 3 > text.size() || text.compare(i, 4, "    ") != 0) shown += text[i];
  return shown;
}

/// What stands behind "//" outside of texts.
std::string comment_in(const std::string& line) {
  bool in_text = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) in_text = !in_text;
    if (!in_text && line[i] == '/' && line[i + 1] == '/') return std::string(trimmed(line.substr(i + 2), " \t\r"));
  }
  return "";
}

/// What the scenario's file says beside its values.
class FileComments {
 public:
  explicit FileComments(const std::string& path) {
    ScenarioText file;
    try {
      // Standard input was read already.
      if (path == "-") return;
      file = checked_text(load_scenario(path));
    } catch (const InputError&) {
      return;
    }
    ParsedText parsed = parse_document(file.text, 0);
    if (!parsed.complete) return;
    for (const std::string_view line : split_at(file.text, '\n')) lines_.emplace_back(line);
    document_.sources.push_back({.name = file.name, .text = std::move(file.text)});
    document_.root = std::move(parsed.root);
  }

  /// The comment behind a value, above it, or above what it is part of; empty: none.
  std::string about(const std::string& pointer) const {
    if (lines_.empty()) return "";
    std::vector<const Node*> way{&document_.root};
    for (const std::string& key : split_pointer(pointer)) {
      const Node* child = child_of(*way.back(), key);
      if (child == nullptr) break;
      way.push_back(child);
    }
    std::size_t line_of_value = 0;
    for (std::size_t depth = way.size() - 1; depth >= least_depth_with_comment; --depth) {
      const std::size_t line = document_.line_of(way[depth]->key.empty() ? way[depth]->place : way[depth]->key_place);
      if (line == line_of_value) continue;
      line_of_value = line;
      std::string comment = at(line);
      if (comment.empty()) continue;
      // What is said of a whole may be meant for another part of it.
      const std::string whole = depth + 1 < way.size() ? "of " + place_of(pointer, depth) + ": " : "";
      return shortened(whole + comment);
    }
    return "";
  }

  /// Paragraph by paragraph: one ends where a sentence or a command does before the line is full. Lines that are set
  /// in, as commands are, stay lines.
  std::vector<std::string> first() const {
    std::vector<std::string> paragraphs;
    bool open = false;
    for (const std::string& line : lines_) {
      if (!is_comment(line)) break;
      const std::string text = comment_in(line);
      if (is_set_in(line) && !text.empty()) {
        if (paragraphs.empty() || !paragraphs.back().ends_with('\n')) paragraphs.emplace_back();
        paragraphs.back() += without_columns(text) + '\n';
        open = false;
        continue;
      }
      if (open && !text.starts_with("Sources:")) {
        paragraphs.back() += (text.empty() ? "" : " ") + text;
      } else if (!text.empty()) {
        paragraphs.push_back(text);
      }
      const bool ends = text.empty() || text.back() == '.' || text.find("saturn ") != std::string::npos;
      open = !text.empty() && (!ends || text.size() >= nearly_full_line);
    }
    return paragraphs;
  }

 private:
  /// Of a line, from 1.
  std::string at(std::size_t line) const {
    if (line == 0 || line > lines_.size()) return "";
    std::string comment = comment_in(lines_[line - 1]);
    if (!comment.empty()) return comment;
    std::size_t begin = line - 1;
    while (begin > 0 && is_comment(lines_[begin - 1])) --begin;
    for (std::size_t i = begin; i + 1 < line; ++i) append_part(comment, comment_in(lines_[i]), " ");
    return comment;
  }

  /// The first keys of a pointer, "/network/links/0".
  static std::string place_of(const std::string& pointer, std::size_t keys) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < keys && end != std::string::npos; ++i) end = pointer.find('/', end + 1);
    return pointer.substr(0, end);
  }

  static std::string shortened(std::string text) {
    if (text.size() <= longest_comment) return text;
    std::size_t end = text.rfind(' ', longest_comment);
    if (end == std::string::npos) end = longest_comment;
    return text.substr(0, end) + " ...";
  }

  Document document_{};
  std::vector<std::string> lines_{};
};

/// Where a price is from, "Google Cloud price list, 2025-11-16", as it stands beside its value; else empty.
std::string price_source(const Document& resolved, const std::string& pointer) {
  if (!pointer.ends_with("/value")) return "";
  const Node& price = resolved.nearest(pointer.substr(0, pointer.rfind('/')));
  std::string text;
  for (const char* key : {"source", "date"})
    if (const Node* said = price.find(key); said != nullptr && !said->text.empty()) append_part(text, said->text);
  return text;
}

/// What a law says that it rests on, for its numbers; else empty.
std::string law_basis(const Document& resolved, const std::string& pointer) {
  const std::vector<std::string> keys = split_pointer(pointer);
  constexpr std::size_t keys_of_law = 4;  // /models/NAME/service/DEVICE
  if (keys.size() <= keys_of_law || keys[0] != "models" || keys[2] != "service") return "";
  const Node* law = &resolved.root;
  for (std::size_t i = 0; i < keys_of_law && law != nullptr; ++i) law = law->find(keys[i]);
  const Node* said = law != nullptr ? law->find("rests_on") : nullptr;
  return said != nullptr && !said->text.empty() ? "rests on: " + said->text : "";
}

bool lies_in(const std::string& pointer, const std::string& place) {
  return pointer == place || pointer.starts_with(place + "/");
}

std::string fit_source(const ReadScenario& read, const std::string& pointer) {
  for (const UsedFit& fit : read.fits)
    for (const std::string& place : fit.places)
      if (lies_in(pointer, place)) return "fit \"" + fit.name + "\" of " + fit.file;
  return "";
}

std::string setting_source(const std::vector<Override>& settings, const std::string& pointer) {
  const bool set =
      std::any_of(settings.begin(), settings.end(), [&](const Override& one) { return lies_in(pointer, one.pointer); });
  return set ? "--set" : "";
}

}  // namespace

std::vector<Assumption> assumptions_of(const StudyContext& context) {
  const FileComments comments(context.options.scenario.scenario);
  const std::vector<Override> settings = overrides_of(context.options.scenario);
  Document resolved;
  resolved.root = parse_document(context.read.resolved, 0).root;
  // The file's opening words may name sources of any value.
  const std::string unsaid = comments.first().empty() ? "assumed" : "nothing beside it; see \"What is asked\"";
  std::vector<Assumption> assumptions;
  for (const NumericInput& input : numeric_inputs(context.read.resolved)) {
    Assumption one{.what = input.pointer, .value = shown_value(input)};
    for (const std::string& source : {setting_source(settings, input.pointer), fit_source(context.read, input.pointer),
                                      price_source(resolved, input.pointer), comments.about(input.pointer),
                                      law_basis(resolved, input.pointer), unsaid})
      if (one.source.empty()) one.source = source;
    assumptions.push_back(std::move(one));
  }
  return assumptions;
}

std::vector<std::string> first_comment(const StudyContext& context) {
  return FileComments(context.options.scenario.scenario).first();
}

}  // namespace saturn
