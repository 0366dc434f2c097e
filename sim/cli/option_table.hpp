#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a user may write after "saturn": one row a verb and one row an option. From them come what is understood and
/// refused, the help, the man page, the completion of shells, and the command that repeats an answer.

namespace saturn {

/// What an option is for; the help lists the groups in this order.
enum class OptionGroup {
  argument,
  question,
  search,
  changes,
  points,
  measurements,
  view,
  simulation,
  cluster,
  output,
  machine
};

/// What stands after an option.
enum class ValueKind {
  flag,      ///< nothing
  text,      ///< whatever the verb understands
  quantity,  ///< a number with its unit, which the verb reads
  whole,     ///< a whole number from least to most
  choice,    ///< one of some words
  file,
  folder,
  scenario,  ///< a scenario file or the name of a shipped scenario
  verb,
};

/// Texts with several words are lists, separated by spaces.
struct OptionRow {
  std::string_view verbs;  ///< that have it
  std::string_view name;   ///< "--workers"; an argument has no dashes
  std::string_view value;  ///< what stands for the value in the help: "DIR"
  ValueKind kind;
  OptionGroup group;
  std::string_view help;

  bool decides = true;          ///< the answer depends on it, so that the command that repeats the answer has it
  bool is_required = false;     ///< an argument that the verb cannot do without
  bool is_repeatable = false;   ///< an option with one value each time, or an argument that takes several
  std::uint64_t least = 0;      ///< of a whole number
  std::uint64_t most = 0;       ///< of a whole number
  std::string_view letter{};    ///< "-j"
  std::string_view choices{};   ///< in the order of what they stand for
  std::string_view excludes{};  ///< options that it may not stand beside
  std::string_view needs{};     ///< an option that it may not stand without
  std::string_view now{};       ///< of a former name, understood for one version: what takes its place

  constexpr bool is_argument() const { return !name.starts_with('-'); }
};

struct VerbRow {
  std::string_view name;
  std::string_view help;       ///< one line
  std::string_view examples;   ///< one a line
  std::string_view closing{};  ///< what else is to say, below everything
};

std::span<const OptionRow> option_rows();

/// In the order in which they are listed.
std::span<const VerbRow> verb_rows();

/// Those of a verb, in the order in which the repeated command spells them, former names among them.
std::vector<const OptionRow*> options_of(std::string_view verb);

/// @returns nullptr where there is none
const OptionRow* find_option(std::string_view verb, std::string_view name);
const VerbRow* find_verb(std::string_view name);
std::vector<std::string> verb_names();

/// The words of a list.
std::vector<std::string> words_of(std::string_view list);

/// What the help calls a group: "Question".
std::string_view title_of(OptionGroup group);

}  // namespace saturn
