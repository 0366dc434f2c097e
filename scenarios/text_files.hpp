#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "scenarios/complaint_list.hpp"
#include "scenarios/document.hpp"

namespace saturn {

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

}  // namespace saturn
