#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/words/numbers.hpp"
#include "sim/study/monitor.hpp"
#include "sim/study/reply.hpp"

/// What a row of the table of options and one of the table of verbs say, and a command that was understood by them.

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
  std::string_view verbs;  ///< that have it, and words under which others take it (VerbRow::shares)
  std::string_view name;   ///< "--workers"; an argument has no dashes
  std::string_view value;  ///< what stands for the value in the help: "DIR"
  ValueKind kind;
  OptionGroup group;
  std::string_view help;

  bool decides = true;          ///< the answer depends on it, so that the command that repeats the answer has it
  bool simulates = false;       ///< it says how to simulate, or asks for what only a simulation knows
  bool is_required = false;     ///< an argument that the verb cannot do without
  bool is_repeatable = false;   ///< an option with one value each time, or an argument that takes several
  std::uint64_t least = 0;      ///< of a whole number
  std::uint64_t most = 0;       ///< of a whole number
  std::string_view letter{};    ///< "-j"
  std::string_view choices{};   ///< in the order of what they stand for
  std::string_view standard{};  ///< what is meant where it is not typed; "{}" of the help
  std::string_view excludes{};  ///< options that it may not stand beside
  std::string_view needs{};     ///< an option that it may not stand without

  constexpr bool is_argument() const { return !name.starts_with('-'); }
  /// The help with what is meant where nothing is typed.
  std::string help_text() const;
};

class TypedCommand;

struct VerbRow {
  std::string_view name;
  std::string_view help;       ///< one line
  std::string_view examples;   ///< one a line
  std::string_view shares{};   ///< words of the options that it has in common with others
  std::string_view closing{};  ///< what else is to say, below everything
  Reply (*answer)(const TypedCommand& typed, Monitor& monitor) = nullptr;
};

/// The words of a list.
std::vector<std::string> words_of(std::string_view list);

/// A verb and what was typed after it.
class TypedCommand {
 public:
  /// @param values  of every option of the verb, none where it was not typed
  TypedCommand(const VerbRow& verb, std::map<const OptionRow*, std::vector<std::string>> values);

  const VerbRow& verb() const { return *verb_; }

  /// One for each time that the option was typed; of a flag an empty one.
  /// @throws std::logic_error  the table gives the verb no such option
  const std::vector<std::string>& values_of(std::string_view option) const;

  /// @returns nullptr where the verb has no such option
  const OptionRow* find(std::string_view option) const;

  /// Puts what was typed where a verb looks for it: a bool or an enumeration (of a flag, or the number of the word in
  /// the list of choices), a number, a text or a path, an optional or a list of them. Leaves alone what was not typed,
  /// unless the table says what is meant then.
  template <class Target>
  void take(std::string_view option, Target& target) const {
    used_.insert(&row_of(option));
    for (const std::string& text : values_of(option)) put(row_of(option), text, target);
    if (values_of(option).empty() && !row_of(option).standard.empty())
      put(row_of(option), std::string(row_of(option).standard), target);
  }

  /// The same where the verb has such an option.
  template <class Target>
  void take_if_any(std::string_view option, Target& target) const {
    if (find(option) != nullptr) take(option, target);
  }

  /// Those of some options that were typed, in this order.
  std::vector<std::string> typed_of(std::initializer_list<const char*> options) const;

  /// Those that were typed and that a row is so of, in the order of their names.
  std::vector<std::string> typed_where(bool OptionRow::*is_so) const;

  /// @throws std::logic_error  options of the verb that nothing took, though the table offers them
  void refuse_unused() const;

  /// What is read as this command, whatever order it was typed in: "saturn run mine.json --seed 7 --quiet".
  std::string spelled_back() const {
    return spelled_with([](const OptionRow&) { return true; });
  }

  /// The same without the options that the answer does not depend on.
  std::string repeating_the_answer() const {
    return spelled_with([](const OptionRow& row) { return row.decides; });
  }

 private:
  const OptionRow& row_of(std::string_view option) const;
  std::string spelled_with(bool (*is_meant)(const OptionRow&)) const;

  template <class Target>
  static void put(const OptionRow& row, const std::string& text, Target& target) {
    if constexpr (std::is_same_v<Target, bool> || std::is_enum_v<Target>)
      target = static_cast<Target>(row.kind == ValueKind::flag ? 1 : number_of_choice(row, text));
    else if constexpr (std::is_arithmetic_v<Target>)
      target = static_cast<Target>(*read_whole(text));
    else if constexpr (std::is_assignable_v<Target&, const std::string&>)
      target = text;
    else if constexpr (requires { target.emplace_back(text); })
      target.emplace_back(text);
    else
      put(row, text, target.emplace());
  }
  static std::size_t number_of_choice(const OptionRow& row, const std::string& word);

  const VerbRow* verb_;
  std::map<const OptionRow*, std::vector<std::string>> values_;
  mutable std::set<const OptionRow*> used_{};
};

}  // namespace saturn
