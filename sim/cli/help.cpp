#include "sim/cli/help.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/results/measure_reference.hpp"
#include "models/results/measures.hpp"
#include "models/words/texts.hpp"
#include "reports/run/provenance.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t help_width = 104;
/// Where what is explained ends.
constexpr std::size_t options_column = 28;
constexpr std::size_t verbs_column = 14;
constexpr std::size_t commands_column = 36;

constexpr const char* purpose_of_program =
    "How many CPU jobs can one GPU serve, what saturates first, what next, and what does it cost?";

struct MeaningOfCode {
  const char* code;
  const char* meaning;
};

constexpr std::array exit_codes{MeaningOfCode{"0", "answered"},
                                MeaningOfCode{"1", "our bug"},
                                MeaningOfCode{"2", "your input"},
                                MeaningOfCode{"3", "no plan or (validate) an error outside its band"},
                                MeaningOfCode{"4", "precision not reached"},
                                MeaningOfCode{"64", "usage"},
                                MeaningOfCode{"130", "interrupted: what was known by then is printed"}};

/// What can be typed, on the left: "-j, --workers N".
std::string left_of(const OptionRow& row) {
  if (row.is_argument()) return std::string(row.value);
  std::string text = row.letter.empty() ? "" : std::string(row.letter) + ", ";
  text += row.name;
  if (!row.value.empty()) text += " " + std::string(row.value);
  return row.is_repeatable ? text + " ..." : text;
}

/// Options that may not stand beside it, whichever of the two rows says so.
std::vector<std::string> not_beside(std::string_view verb, const OptionRow& row) {
  std::vector<std::string> names = words_of(row.excludes);
  for (const OptionRow* other : options_of(verb))
    for (const std::string& name : words_of(other->excludes))
      if (name == row.name) names.emplace_back(other->name);
  return names;
}

std::string right_of(std::string_view verb, const OptionRow& row) {
  std::string text = row.help_text();
  if (!row.needs.empty()) text += "; only with " + std::string(row.needs);
  const std::vector<std::string> others = not_beside(verb, row);
  return others.empty() ? text : text + "; not with " + joined_or(others);
}

std::string two_columns(const std::string& left, const std::string& right, std::size_t column) {
  const std::string begin = "  " + left;
  const std::string indent(column, ' ');
  if (width_of(begin) >= column) return begin + "\n" + wrapped_text(right, help_width, indent, indent);
  return wrapped_text(right, help_width, left_aligned(begin, column), indent);
}

/// In the order of the groups, and of the table in each.
std::map<OptionGroup, std::vector<const OptionRow*>> rows_by_group(std::string_view verb) {
  std::map<OptionGroup, std::vector<const OptionRow*>> groups;
  for (const OptionRow* row : options_of(verb)) groups[row->group].push_back(row);
  return groups;
}

/// What options share that is too long for each of them: a title, and what is explained.
struct Explanation {
  std::string title{};
  std::vector<std::array<std::string, 2>> items{};
};

Explanation ranges() {
  return {.title = "Values of a RANGE, whose ends have their units",
          .items = {{"1,2,4", "a list of numbers, quantities or words"},
                    {"0:100:10", "first, last and step; whole numbers go by one where the step is left out"},
                    {"1:1024:x2", "first, last and factor"},
                    {"0.1ms:100ms:log13", "first, last and how many, evenly on a logarithmic scale"}}};
}

/// From the table of measures.
Explanation figures() {
  const auto names_of = [](auto... subjects) {
    const auto is_meant = [&](const Measure& one) { return one.required && ((one.subject == subjects) || ...); };
    std::vector<std::string> names;
    for (const MeasureId one : measures_where(is_meant)) names.push_back(required_name(*one));
    return joined(names);
  };
  return {
      .title =
          "What a FIGURE may be (saturn schema --measures says more); without brackets the worst one's, or all events'",
      .items = {{"of an event", names_of(Subject::jobs)},
                {"of a model's request", names_of(Subject::model)},
                {"of all together", names_of(Subject::candidate, Subject::run)}}};
}

/// Those of words that stand for values of the verb's options.
std::vector<Explanation> explanations_of(std::string_view verb) {
  const auto has_value = [rows = options_of(verb)](std::string_view word) {
    return std::ranges::any_of(rows, [&](const OptionRow* row) { return row->value.find(word) != row->value.npos; });
  };
  std::vector<Explanation> all;
  if (has_value("RANGE")) all.push_back(ranges());
  if (has_value("FIGURE")) all.push_back(figures());
  return all;
}

/// "saturn plan SCENARIO [options]"
std::string synopsis(const VerbRow& verb) {
  std::string text = "saturn " + std::string(verb.name);
  bool has_options = false;
  for (const OptionRow* row : options_of(verb.name)) {
    has_options = has_options || !row->is_argument();
    if (!row->is_argument()) continue;
    const std::string value(row->value);
    text += row->is_required ? " " + value : " [" + value + "]";
  }
  return has_options ? text + " [options]" : text;
}

}  // namespace

std::string help_of_program() {
  std::string text = std::string(purpose_of_program) + "\n\nBegin with:\n" +
                     two_columns("saturn plan protodune-big-batch", "how many jobs one GPU carries", commands_column) +
                     two_columns("saturn examples", "the shipped scenarios", commands_column) +
                     two_columns("saturn help plan", "what a verb can do, with examples", commands_column) +
                     "\nUsage: saturn VERB [options]\n\nVerbs:\n";
  for (const VerbRow& verb : verb_rows())
    text += two_columns(std::string(verb.name), std::string(verb.help), verbs_column);
  std::string codes;
  for (const MeaningOfCode& one : exit_codes) append_part(codes, std::string(one.code) + " " + one.meaning);
  return text + "\n" + wrapped_text(codes, help_width, "Exit codes: ", "  ");
}

std::string help_of_verb(const VerbRow& verb) {
  std::string text = std::string(verb.help) + "\n\nExamples:\n";
  for (const std::string_view example : split_at(verb.examples, '\n')) text += "  " + std::string(example) + "\n";
  text += "\nUsage: " + synopsis(verb) + "\n";
  for (const auto& [group, rows] : rows_by_group(verb.name)) {
    text += "\n" + std::string(title_of(group)) + ":\n";
    for (const OptionRow* row : rows) text += two_columns(left_of(*row), right_of(verb.name, *row), options_column);
  }
  for (const Explanation& one : explanations_of(verb.name)) {
    text += "\n" + one.title + ":\n";
    for (const auto& [left, right] : one.items) text += two_columns(left, right, options_column);
  }
  if (!verb.closing.empty()) text += "\n" + std::string(verb.closing) + "\n";
  return text;
}

namespace {

/// A text as roff prints it, whatever it begins with.
std::string roff(std::string_view text) {
  return "\\&" + replaced_all(replaced_all(std::string(text), "\\", "\\e"), "-", "\\-");
}

std::string roff_heading(const std::string& macro, std::string_view text) {
  return "." + macro + " \"" + replaced_all(std::string(text), "\"", "\\(dq") + "\"\n";
}

std::string roff_item(std::string_view item, std::string_view text) {
  return ".TP\n\\fB" + roff(item) + "\\fR\n" + roff(text) + "\n";
}

std::string manual_of_verb(const VerbRow& verb) {
  std::string text = roff_heading("SS", "saturn " + std::string(verb.name)) + roff(verb.help) + ".\n.PP\n\\fB" +
                     roff(synopsis(verb)) + "\\fR\n.PP\nExamples:\n.PP\n.nf\n";
  for (const std::string_view example : split_at(verb.examples, '\n')) text += "  " + roff(example) + "\n";
  text += ".fi\n";
  for (const auto& [group, rows] : rows_by_group(verb.name)) {
    text += ".PP\n" + roff(title_of(group)) + ":\n";
    for (const OptionRow* row : rows) text += roff_item(left_of(*row), right_of(verb.name, *row));
  }
  for (const Explanation& one : explanations_of(verb.name)) {
    text += ".PP\n" + roff(one.title) + ":\n";
    for (const auto& [left, right] : one.items) text += roff_item(left, right);
  }
  return verb.closing.empty() ? text : text + ".PP\n" + roff(verb.closing) + "\n";
}

}  // namespace

std::string manual_page(const std::string& version) {
  std::string text = ".TH SATURN 1 \"\" " + roff_heading("", "saturn " + version).substr(2) +
                     ".SH NAME\nsaturn \\- simulate and plan CPU/GPU ratios of inference as a service\n"
                     ".SH SYNOPSIS\n\\fBsaturn\\fR \\fIVERB\\fR [options]\n.SH DESCRIPTION\n" +
                     roff(purpose_of_program) + "\n.SH VERBS\n";
  for (const VerbRow& verb : verb_rows()) text += manual_of_verb(verb);
  text += ".SH EXIT STATUS\n";
  for (const MeaningOfCode& one : exit_codes) text += roff_item(one.code, one.meaning);
  return text;
}

Reply answer_help(const TypedCommand& typed, Monitor& /*monitor*/) {
  std::string verb;
  typed.take("verb", verb);
  return {.text = verb.empty() ? help_of_program() : help_of_verb(*find_verb(verb))};
}

Reply answer_man(const TypedCommand& /*typed*/, Monitor& /*monitor*/) {
  return {.text = manual_page(provenance_of("", 0, "").version)};
}

}  // namespace saturn
