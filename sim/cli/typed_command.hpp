#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "models/words/numbers.hpp"
#include "sim/cli/option_table.hpp"

namespace saturn {

/// A command line that nobody could understand. Its text says all that is wrong with it, a line each.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A verb and what was typed after it.
class TypedCommand {
 public:
  TypedCommand(const VerbRow& verb, std::map<const OptionRow*, std::vector<std::string>> values);

  const VerbRow& verb() const { return *verb_; }

  /// One for each time that the option was typed; of a flag an empty one.
  /// @throws std::logic_error  the table gives the verb no such option
  const std::vector<std::string>& values_of(std::string_view option) const;

  /// Whether nothing may be said on stderr but complaints.
  bool is_quiet() const;

  /// Puts what was typed where a verb looks for it: a bool or an enumeration (of a flag, or the number of the word in
  /// the list of choices), a number, a text or a path, an optional or a list of them. Leaves alone what was not typed.
  template <class Target>
  void take(std::string_view option, Target& target) const {
    used_.insert(&row_of(option));
    for (const std::string& text : values_of(option)) put(row_of(option), text, target);
  }

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

  /// Lines for whoever used names that the next version will not know.
  std::string notes_on_former_names() const;

 private:
  const OptionRow& row_of(std::string_view option) const;
  std::string spelled_with(bool (*is_meant)(const OptionRow&)) const;

  template <class Target>
  static void put(const OptionRow& row, const std::string& text, Target& target) {
    if constexpr (std::is_same_v<Target, bool> || std::is_enum_v<Target>)
      target = static_cast<Target>(row.kind == ValueKind::flag ? 1 : number_of_choice(row, text));
    else if constexpr (std::is_arithmetic_v<Target>)
      target = static_cast<Target>(*read_count(text));
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

/// What a user typed, without the program's name. "--help" and "--version" are as the verbs that do the same.
/// @throws UsageError  verbs, options and words that there are not, each with the nearest one that there is
TypedCommand read_typed_command(const std::vector<std::string>& arguments);

}  // namespace saturn
