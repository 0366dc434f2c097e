#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/cli/exit_code.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
class Option;
}  // namespace CLI

namespace saturn {

/// A verb registers what it does here when it was chosen; main calls it once.
using Chosen = std::function<ExitCode()>;

/// An option of a verb. CLI11 parses it, behind verb.cpp: each file that sees CLI11 takes seconds longer to compile.
class VerbOption {
 public:
  explicit VerbOption(CLI::Option& option) : option_(&option) {}

  /// What stands for the value in the help: "DIR".
  VerbOption type_name(const std::string& name) const;
  VerbOption required() const;
  /// Accepts whole numbers from `least` to `most`, and says so when it does not.
  VerbOption whole_number(std::uint64_t least, std::uint64_t most) const;
  VerbOption one_of(const std::vector<std::string>& words) const;
  /// Takes one value each time it is given, any number of times.
  VerbOption repeatable() const;
  /// Takes one value, once.
  VerbOption single() const;
  /// May be given only with another one, or only without.
  VerbOption needs(const VerbOption& other) const;
  VerbOption needs(const std::string& other) const;
  VerbOption excludes(const VerbOption& other) const;
  VerbOption excludes(const std::string& other) const;
  /// Understood for one version, and left out of the help.
  /// @param now  what takes its place, for the note: "--workers (or -j)"
  VerbOption former_name(const std::string& now) const;

 private:
  CLI::Option* option_;
};

/// What a user may write after a verb.
class Verb {
 public:
  Verb(CLI::App& program, const std::string& name, const std::string& help);

  /// @param value  a string, a number, a path, an optional or a list of them, as they are instantiated in verb.cpp; it
  ///               must live until the program has parsed its command line
  template <class Value>
  VerbOption add_option(const std::string& name, Value& value, const std::string& help = "") const;
  VerbOption add_flag(const std::string& name, bool& value, const std::string& help) const;

  /// An option that takes one of these words and becomes what each stands for.
  template <class Value>
  VerbOption add_choice(const std::string& name, Value& value, const std::map<std::string, Value>& words,
                        const std::string& help) const {
    std::map<std::string, int> numbers;
    for (const auto& [word, meaning] : words) numbers[word] = static_cast<int>(meaning);
    return add_numbered(
        name, numbers, [&value](int number) { value = static_cast<Value>(number); }, help);
  }

  /// Below the help: examples.
  void footer(const std::string& text) const;
  /// What the verb does when it is the chosen one.
  void answers(Chosen& chosen, const Chosen& answer) const;

 private:
  VerbOption add_numbered(const std::string& name, const std::map<std::string, int>& words,
                          const std::function<void(int)>& take, const std::string& help) const;

  CLI::App* app_;
};

}  // namespace saturn
