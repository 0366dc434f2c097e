#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace saturn {

/// The candidate that a mistyped name most likely meant: smallest edit distance (insertions, deletions, substitutions
/// and swaps of neighbours; a letter in the wrong case costs nothing), at most a third of the longer name, at least 1.
/// @returns the name, or an empty text when none is near; of equally near ones the first
/// Cost: O(length²) for each candidate
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& candidates);

/// What an unknown name may have stood for: the near one in a question, or all that are known.
/// @param question  "did you mean", or with a capital where a sentence begins
/// @param listing   what goes before all names: "it has"
std::string name_meant(std::string_view wrong, const std::vector<std::string>& known, const std::string& question,
                       const std::string& listing);

/// "allowed is "gpu", "fpga" or "cpu".", with a question for the near one.
std::string allowed_names(std::string_view wrong, const std::vector<std::string>& allowed);

/// One thing that is wrong with the user's input.
struct Complaint {
  std::string source{};               ///< file as the user named it, or "--set /pointer=value"
  std::size_t line = 0;               ///< from 1; 0 when the source has no lines
  std::size_t column = 0;             ///< from 1, in characters; 0: the whole line
  std::string code{};                 ///< stable, e.g. "scenario.missing_unit"
  std::string text{};                 ///< a sentence: pointer, value found, what is allowed, the way out
  std::string excerpt{};              ///< the line of the source or the part of it round the column, or empty
  std::size_t excerpt_begins_at = 1;  ///< column of the excerpt's first character

  /// "file:line:column: code\n  text\n  41 |   ...\n     |   ^", without a final newline. Long lines are cut round the
  /// caret; control characters of the input are not echoed.
  std::string formatted() const;
};

/// All complaints about an input at once. Exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Complaint> complaints);
  const std::vector<Complaint>& complaints() const { return complaints_; }

 private:
  std::vector<Complaint> complaints_;
};

/// Complains of one input, without a line. @param source  a file, or an option: "--out"
/// @throws InputError  always
[[noreturn]] void refuse_input(const std::string& source, const std::string& code, const std::string& text);

/// The texts of all complaints in one line.
std::string in_one_line(const InputError& error);

}  // namespace saturn
