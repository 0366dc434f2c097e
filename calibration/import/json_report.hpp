#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/import_kit.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

/// A JSON document to import from, with the places of its values.
class JsonReport {
 public:
  /// @param way_out  added to the complaint about a text that is no JSON, with a leading blank; may be empty
  /// @throws InputError  import.not_json, with line and column
  JsonReport(Import& import, const std::string& way_out);

  Import& import() { return import_; }
  const Document& document() const { return document_; }
  const Node& root() const { return document_.root; }
  /// Cost: O(log(lines))
  FoundAt at(const Node& node) const;

  /// Adds a complaint about a value.
  void leave_out(const Node& node, const std::string& code, const std::string& text);
  /// Ends the import with a complaint about a value.
  [[noreturn]] void refuse(const Node& node, const std::string& code, const std::string& text);

 private:
  Import& import_;
  Document document_;
  std::vector<std::size_t> line_ends_{};  ///< [byte]
};

/// The value at a path of keys, such as {"end", "sum_sent"}; nullptr when one is absent.
const Node* json_at(const Node& node, std::initializer_list<std::string_view> keys);

/// A number of JSON; nothing when the value is absent, no number, negative, or beyond what is measurable.
std::optional<double> json_figure(const Node* node);

/// A text of JSON; empty when the value is absent or no text.
std::string json_words(const Node* node);

/// True for the JSON value `true`, and for a number other than 0.
bool json_holds(const Node* node);

/// True when the text begins like a JSON object, comments before it aside.
bool begins_as_object(std::string_view text);

}  // namespace saturn
