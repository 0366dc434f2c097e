#pragma once

#include <string>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/fields/field_text.hpp"

/// The field table along a JSON pointer.

namespace saturn {

/// What the field table says of one place of a document.
struct TablePlace {
  std::vector<const ValueText*> values{};  ///< what may stand there, alternatives resolved; empty: no such place
  const FieldText* field = nullptr;        ///< the entry of the last key; none of an element or a name
  const Definition* owner = nullptr;       ///< the object that the last key is a field of, where it has a name
  InputRole input = InputRole::none;
};

/// The whole document. @param node  it, or null where none is looked at
TablePlace whole_table(const Node* node);

/// A key's place, an index's, or that behind a name; "*" is any of them.
/// @param node  what stands there: alternatives that it does not suit are left out; null where nothing does
TablePlace place_in(const TablePlace& parent, const std::string& key, const Node* node);

/// The place of an element of a tuple; none where the place holds no tuple.
TablePlace part_of_tuple(const TablePlace& tuple, std::size_t element, const Node* node);

/// The places on the way of a pointer, the first key's first, as far as the table has them.
std::vector<TablePlace> places_along(const std::string& pointer);

PlaceType type_of(const TablePlace& place);

/// True where all children are of one kind, by index or by name.
bool has_equal_children(const TablePlace& place);

/// The fields of an object.
const std::vector<FieldText>& fields_of(const ValueText& object);

/// Keys of the objects that may stand at a place, by alphabet.
std::vector<std::string> keys_of_all(const TablePlace& place);

/// Every definition that a scenario can contain, the scenario's first, each once, in the order of first use.
std::vector<const Definition*> all_definitions();

}  // namespace saturn
