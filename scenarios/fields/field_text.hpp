#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "scenarios/fields/quantity_text.hpp"

/// What the field table says of a key and of its value. Reader, JSON Schema, reference, the inputs of a sensitivity and
/// the variables of a search are all made from it.

namespace saturn {

/// What a single value is.
enum class PlaceKind {
  whole,
  number,
  quantity,  ///< a number with a unit
  ratio,     ///< a bare number or a percentage
  flag,      ///< true or false
  choice,    ///< one of a few words
  text,
  structure,  ///< no single value: a list or an object
};

struct PlaceType {
  PlaceKind kind = PlaceKind::structure;
  Dimension dimension{};               ///< of a quantity
  std::vector<std::string> choices{};  ///< of a choice
};

/// How a value is made up.
enum class ValueForm {
  single,
  any,     ///< whatever stands there; it is looked at elsewhere
  list,    ///< `parts`: what each element is
  tuple,   ///< `fields`: what the elements are, one after the other
  map,     ///< `parts`: what stands behind each name
  object,  ///< `definition`, or `fields` where it has no name of its own
  either,  ///< `parts`: one of them
};

struct Definition;
struct FieldText;

/// What a value may be. A template, since a member's default is looked at only where it is used then, and FieldText,
/// which holds a value itself, is complete by that time.
template <class Field>
struct ValueTextOf {
  std::string words;     ///< "whole number, 1 to 1,024"
  std::string schema{};  ///< of a single value: its JSON Schema, as JSON text
  ValueForm form = ValueForm::single;
  PlaceType type{};        ///< of a single value
  bool described = false;  ///< the schema repeats the words, as it cannot say the range of a quantity
  std::size_t least = 0;   ///< elements of a list
  std::size_t most = 0;    ///< elements of a list
  std::vector<ValueTextOf> parts{};
  std::vector<Field> fields{};
  const Definition* definition = nullptr;
};
using ValueText = ValueTextOf<FieldText>;

/// What a sensitivity makes of the numbers of a field.
enum class InputRole {
  inherited,  ///< what it makes of those of the object that the field stands in
  none,       ///< nothing: they are chosen, or say how a scenario is simulated
  measured,   ///< somebody measured, fitted or believed them: they are varied
  costed,     ///< the same, of money and power alone, which no simulation depends on
};

/// What a search tries where the field is freed without a range; flags and words take all their values.
enum class SearchStart {
  nothing,        ///< a range has to be given
  up_to_4,        ///< 1, 2, 3, 4
  up_to_16,       ///< 1 to 16
  batch_sizes,    ///< powers of two, as far as the service laws are trusted
  queue_delays,   ///< none, and a quarter to four times a full batch's time
  request_sizes,  ///< powers of two, up to what a request may carry
  job_counts,     ///< up to 1.2 times what saturates the first resource
};

/// One key of an object.
struct FieldText {
  std::string key;
  ValueText value;
  bool required = false;
  std::string example{};   ///< JSON text; of required fields
  std::string fallback{};  ///< default as JSON text; empty when required or when absence has a meaning of its own
  std::string absent{};    ///< what absence means, in words, when there is no fallback
  std::string sentence{};
  InputRole input = InputRole::inherited;
  SearchStart search = SearchStart::nothing;
  bool chosen = true;    ///< false where nobody gains by another value: names, and how a scenario is simulated
  bool answers = true;   ///< false where it changes no answer
  bool spoken = true;    ///< false where the key says nothing beside the names of what stands in it
  std::string former{};  ///< name that the key had before; empty when it always had this one
};

// Makes the compiler look at the members' defaults here: where it first meets them later, GCC 12 breaks off.
static_assert(std::is_default_constructible_v<ValueText>);

/// An object, or a choice between several.
struct Definition {
  std::string name;  ///< "job pool"
  std::string sentence;
  std::vector<FieldText> fields;
  std::vector<ValueText> alternatives;  ///< when not empty: the value is exactly one of these, and `fields` is empty
  bool varies_as_one = false;           ///< its numbers are one input, as the two ends of a range
};

}  // namespace saturn
