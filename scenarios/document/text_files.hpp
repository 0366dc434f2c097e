#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/document/document.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// A file that was compiled into the program, so that it is found wherever the program is installed.
struct EmbeddedFile {
  std::string_view name;  ///< without its folder, e.g. "protodune-big-batch.json"
  std::string_view text;
};

/// Why a file that a scenario names was not read.
struct FileFault {
  const char* code;
  std::string text;  ///< what follows the file's name in a sentence
};

/// Reads a whole regular file of at most `largest` bytes into `text`.
/// @returns the fault, or nothing. Codes: scenario.missing_file, .not_a_file, .unreadable_file, .too_large
std::optional<FileFault> read_regular_file(const std::string& name, std::size_t largest, std::string& text);

/// Most bytes of a model configuration, law or fitted parameter file, and of all of them together, each counted as
/// often as it is named.
inline constexpr std::size_t largest_referenced_file = std::size_t{1} << 20U;
inline constexpr std::size_t most_referenced_bytes = std::size_t{64} << 20U;

/// What a file is for, in the words of complaints.
struct FilePurpose {
  const char* noun;
  const char* way_out;
  std::size_t largest = largest_referenced_file;  ///< [byte]
};

/// The text files that a document names. Each is read once, and becomes one of the document's sources.
class TextFiles {
 public:
  /// @param folder  that their paths are relative to
  TextFiles(Document& document, const std::filesystem::path& folder, ComplaintList& complaints)
      : document_(document), folder_(folder), complaints_(complaints) {}

  /// The path as the file is opened.
  std::string joined(const std::string& path) const;

  /// Index of the file among the document's sources; nothing after a complaint.
  /// @param path     the text that names the file
  /// @param pointer  of that text
  /// Codes: scenario.missing_file, .not_a_file, .unreadable_file, .too_large, .empty_file, .binary_file, .not_utf8
  std::optional<std::size_t> load(const Node& path, const std::string& pointer, const FilePurpose& purpose);

  /// The bytes of a file that was loaded.
  std::string bytes(std::size_t source) const;

 private:
  std::optional<std::size_t> checked(const std::string& name, std::string text, const std::string& pointer,
                                     const FilePurpose& purpose);

  Document& document_;
  const std::filesystem::path& folder_;
  ComplaintList& complaints_;
  std::map<std::string, std::optional<std::size_t>> loaded_;
  std::set<std::size_t> marked_;  ///< sources that began with a byte-order mark
  std::size_t bytes_ = 0;
};

/// Most bytes of a trace of arrivals: some 50 million dates.
inline constexpr std::size_t largest_trace_file = std::size_t{1} << 30U;

/// Reads the traces that pools name (paths relative to `folder`; a file that several name is read once) and gives them
/// to the scenario. In the document each trace's object gets the file's fingerprint, so that the scenario's hash
/// changes with the file. Codes: scenario.missing_file, .not_a_file, .unreadable_file, .too_large, those of
/// parse_arrival_trace()
void attach_traces(Scenario& scenario, Document& document, const std::filesystem::path& folder,
                   ComplaintList& complaints);

}  // namespace saturn
