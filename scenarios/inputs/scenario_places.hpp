#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/fields/field_text.hpp"
#include "scenarios/scenario.hpp"

/// The places of one scenario's document where values stand or may stand, as the field table knows them.

namespace saturn {

/// A place that a pattern names.
struct NamedPlace {
  std::string pointer{};
  PlaceType type{};
  bool present = false;  ///< the document has a value there; else it may have one
  std::string text{};    ///< of a number, a word, or a quantity that is there, as written; true, false and null too
  InputRole input = InputRole::none;
  SearchStart search = SearchStart::nothing;
};

/// What a pattern names, or a sentence why it names nothing.
struct NamedPlaces {
  std::vector<NamedPlace> places{};
  std::string fault{};
};

/// Settings tried out: what the fields themselves take, without a look at how values fit each other.
struct TriedSettings {
  std::optional<Scenario> scenario{};     ///< without the contents of other files; nothing where it cannot be decoded
  std::vector<std::string> complaints{};  ///< about the settings' own values
};

class ScenarioPlaces {
 public:
  /// @param resolved  JSON text of a document that was read (ReadScenario::resolved)
  explicit ScenarioPlaces(const std::string& resolved);

  /// The places of a JSON pointer, in which "*" stands for every element of a list and every name. Elements where the
  /// key cannot stand are passed over.
  NamedPlaces named(const std::string& pattern) const;

  /// Every field that a value may be given to, elements and names as "*": "/models/*/max_batch_size".
  std::vector<std::string> patterns() const;

  /// Cost: some 0.2 ms
  TriedSettings tried(std::span<const Override> settings) const;

 private:
  Document document_;
};

}  // namespace saturn
