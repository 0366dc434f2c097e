#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/field_table.hpp"
#include "scenarios/value_rules.hpp"

/// Distributions as a document gives them: objects with one key, which names the law and holds its parameters.
namespace saturn {

/// One law: the key that names it, the value behind the key, and how that becomes a Law.
template <class Law>
struct LawKind {
  std::string key;
  ValueText value;
  std::function<std::optional<Law>(const Spot&, ComplaintList&)> read;
};

/// @param make  makes a Law of what the rule reads
template <class Law, class Value, class Make>
LawKind<Law> law_kind(const std::string& key, const Rule<Value>& rule, const Make& make) {
  return {key, rule.text, [rule, make](const Spot& spot, ComplaintList& complaints) -> std::optional<Law> {
            std::optional<Value> value = rule.read(spot, complaints);
            // Parameters that were refused are no law, even where the rule gives what it could read.
            if (!value || !complaints.sound(spot.pointer)) return std::nullopt;
            return make(std::move(*value));
          }};
}

/// `{ "key": ... }` in words and as JSON Schema.
ValueText law_text(const std::string& key, const ValueText& value);

/// Which law an object names; complains when it names none or several, or has further keys.
std::optional<std::size_t> chosen_law(const Spot& spot, const std::vector<std::string>& keys,
                                      ComplaintList& complaints);

/// A plain value or one of several laws.
template <class Law>
Definition law_definition(const std::string& name, const std::string& sentence, const ValueText& plain,
                          const std::vector<LawKind<Law>>& kinds) {
  Definition definition{name, sentence, {}, {}};
  definition.alternatives.push_back(plain);
  for (const LawKind<Law>& kind : kinds) definition.alternatives.push_back(law_text(kind.key, kind.value));
  return definition;
}

template <class Law>
std::optional<Law> read_law(const Spot& spot, const std::vector<LawKind<Law>>& kinds, ComplaintList& complaints) {
  std::vector<std::string> keys;
  for (const LawKind<Law>& kind : kinds) keys.push_back(kind.key);
  const std::optional<std::size_t> chosen = chosen_law(spot, keys, complaints);
  if (!chosen) return std::nullopt;
  return kinds[*chosen].read(spot.member(*spot.node.find(keys[*chosen])), complaints);
}

/// A plain value or one of several laws.
/// @param make      makes a Law of a plain value
/// @param plain_of  the plain value that a Law is, if it is one
template <class Law, class Plain, class Make, class PlainOf>
Rule<Law> plain_or_law(const Definition& definition, const Rule<Plain>& plain, const std::vector<LawKind<Law>>& kinds,
                       const Make& make, const PlainOf& plain_of) {
  return {reference_to(definition),
          [plain, &kinds, make](const Spot& spot, ComplaintList& complaints) -> std::optional<Law> {
            if (spot.node.kind == NodeKind::object) return read_law(spot, kinds, complaints);
            const std::optional<Plain> value = plain.read(spot, complaints);
            if (!value) return std::nullopt;
            return make(*value);
          },
          [plain, plain_of](const Law& law) {
            const std::optional<Plain> value = plain_of(law);
            return value ? plain.write(*value) : std::string();
          }};
}

}  // namespace saturn
