#include "scenarios/swept_column.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/document.hpp"
#include "scenarios/meant_fields.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/table_walk.hpp"
#include "scenarios/value_range.hpp"

namespace saturn {

namespace {

constexpr const char* way_of_writing = "; write /jobs/0/count=1:64:x2.";

/// True where a field stands in a part of the scenario that changes no answer.
bool is_beside(const std::string& pointer) {
  const std::vector<TablePlace> places = places_along(pointer);
  return std::any_of(places.begin(), places.end(),
                     [](const TablePlace& place) { return place.field != nullptr && !place.field->answers; });
}

bool may_be_swept(const PlaceType& type) {
  return type.kind != PlaceKind::text && type.kind != PlaceKind::structure;
}

bool pattern_may_be_swept(const std::string& pattern, const ScenarioPlaces& places) {
  if (is_beside(pattern)) return false;
  const NamedPlaces named = places.named(pattern);
  return !named.places.empty() && may_be_swept(named.places.front().type);
}

/// True where the pattern names something inside of what the pointer names.
bool is_inside(const std::vector<std::string>& pattern, const std::vector<std::string>& pointer) {
  if (pattern.size() <= pointer.size()) return false;
  for (std::size_t i = 0; i < pointer.size(); ++i)
    if (pattern[i] != pointer[i] && pattern[i] != "*" && pointer[i] != "*") return false;
  return true;
}

/// Fields in a list or an object that may be swept, for a sentence: "/jobs/0/count or /jobs/0/threads".
std::string sweepable_inside(const std::string& pointer, const ScenarioPlaces& places) {
  constexpr std::size_t most = 5;
  const std::vector<std::string> keys = split_pointer(pointer);
  std::vector<std::string> found;
  for (const std::string& pattern : places.patterns()) {
    const std::vector<std::string> inside = split_pointer(pattern);
    if (found.size() == most || !is_inside(inside, keys)) continue;
    std::string field = pointer;
    for (std::size_t i = keys.size(); i < inside.size(); ++i) field += "/" + escape_pointer(inside[i]);
    if (pattern_may_be_swept(field, places)) found.push_back(field);
  }
  return list_in_words(found, " or ");
}

[[noreturn]] void refuse_kind(const std::string& pointer, const PlaceType& type, const ScenarioPlaces& places) {
  const std::string swept = "a sweep varies numbers, quantities, true or false, and words out of a few";
  if (type.kind == PlaceKind::text) throw ColumnFault{"sweep.not_numeric", pointer + " is a text; " + swept + "."};
  const std::string inside = sweepable_inside(pointer, places);
  throw ColumnFault{"sweep.not_numeric", pointer + " holds a list or an object; " + swept +
                                             (inside.empty() ? "." : ". Name a field in it, such as " + inside + ".")};
}

std::vector<NamedPlace> places_of(const std::string& pointer, const ScenarioPlaces& places) {
  const auto allowed = [&](const std::string& pattern) { return pattern_may_be_swept(pattern, places); };
  if (!pointer.starts_with('/') || pointer == "/") {
    const std::string meant =
        pointer.empty() || pointer == "/" ? std::string() : meant_pointers(pointer, places, allowed);
    throw ColumnFault{"sweep.unknown_pointer",
                      shown(pointer) + " is no JSON pointer" + (meant.empty() ? way_of_writing : meant)};
  }
  if (is_beside(pointer))
    throw ColumnFault{"sweep.not_numeric", pointer +
                                               " changes no answer; a sweep varies fields of the jobs, the "
                                               "models, the servers, the network and the like."};
  NamedPlaces named = places.named(pointer);
  if (named.places.empty()) {
    std::string fault = named.fault;
    if (const std::string meant = meant_pointers(pointer, places, allowed);
        !meant.empty() && fault.find("did you mean") == std::string::npos) {
      if (fault.ends_with('.')) fault.pop_back();
      fault += meant;
    }
    throw ColumnFault{"sweep.unknown_pointer", fault};
  }
  const PlaceType& type = named.places.front().type;
  if (!may_be_swept(type)) refuse_kind(pointer, type, places);
  for (const NamedPlace& place : named.places)
    if (place.type.kind != type.kind || place.type.dimension != type.dimension)
      throw ColumnFault{"sweep.not_numeric", pointer + " names fields of different kinds, as " +
                                                 named.places.front().pointer + " and " + place.pointer +
                                                 " are; name one of them."};
  return std::move(named.places);
}

/// A list of columns that run along with each other may say a value twice, as in "/a=1,1,2 with /b=1,2,2".
ValueRange listed_one_by_one(const std::string& range, const PlaceType& type) {
  ValueRange all;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = range.find(',', begin);
    const std::string part = range.substr(begin, end == std::string::npos ? end : end - begin);
    if (trimmed(part).empty() || part.find(':') != std::string::npos)
      return read_value_range(range, type.kind == PlaceKind::whole, dimension_of(type), most_axis_values);
    ValueRange one = read_value_range(part, type.kind == PlaceKind::whole, dimension_of(type), 1);
    if (!one.fault.empty()) return one;
    all.values.push_back(one.values.front());
  }
  return all;
}

std::vector<std::string> values_of(const SweptColumn& column, bool zipped) {
  const PlaceType& type = column.places.front().type;
  const std::string& range = column.range;
  if (trimmed(range).empty())
    throw ColumnFault{"sweep.empty_range", column.pointer + " has no values; write a list, as in " + column.pointer +
                                               "=" + (is_word(type.kind) ? "one,another" : "1,2,4") +
                                               (is_word(type.kind) ? "." : ", or a range such as 1:8.")};
  const bool is_list = range.find(',') != std::string::npos;
  if (is_word(type.kind) && range.find(':') != std::string::npos && !is_list)
    throw ColumnFault{"sweep.not_numeric",
                      column.pointer + " is not numeric, so that it has no range; list its values, as in " +
                          column.pointer + "=" +
                          (type.kind == PlaceKind::flag ? std::string("false,true")
                                                        : type.choices.front() + "," + type.choices.back()) +
                          "."};
  const ValueRange read =
      zipped && is_list && range.size() <= 64 * most_axis_values
          ? listed_one_by_one(range, type)
          : read_value_range(range, type.kind == PlaceKind::whole, dimension_of(type), most_axis_values);
  if (!read.fault.empty())
    throw ColumnFault{read.empty ? "sweep.empty_range" : "sweep.bad_range", column.pointer + ": " + read.fault};
  return read.values;
}

/// Drops the places that "*" stands for and where the key makes no sense, as those of ensembles.
void drop_impossible(SweptColumn& column, const ReadScenario& read) {
  if (column.pointer.find('*') == std::string::npos || column.places.size() == 1) return;
  std::vector<NamedPlace> possible;
  for (const NamedPlace& place : column.places) {
    const std::vector<Override> setting{{place.pointer, column.values.front()}};
    if (!can_never_stand(place, read, setting)) possible.push_back(place);
  }
  if (!possible.empty()) column.places = std::move(possible);
}

}  // namespace

std::vector<SweptColumn> split_axis(const std::string& text) {
  constexpr std::string_view joint = " with ";
  std::vector<SweptColumn> columns;
  std::size_t begin = 0;
  while (begin != std::string::npos) {
    // A name in a pointer may hold the word too; what joins stands behind values.
    const std::size_t equals = text.find('=', begin);
    const std::size_t end = equals == std::string::npos ? equals : text.find(joint, equals);
    const std::string_view part = std::string_view(text).substr(begin, end == std::string::npos ? end : end - begin);
    const std::size_t sign = part.find('=');
    columns.push_back(
        {.pointer = std::string(trimmed(part.substr(0, sign))),
         .range = sign == std::string::npos ? std::string() : std::string(trimmed(part.substr(sign + 1)))});
    begin = end == std::string::npos ? end : end + joint.size();
  }
  return columns;
}

void read_column(SweptColumn& column, bool zipped, const ReadScenario& read, const ScenarioPlaces& places) {
  column.places = places_of(column.pointer, places);
  column.values = values_of(column, zipped);
  drop_impossible(column, read);
  const std::string refused = refused_values(column, places);
  if (!refused.empty()) throw ColumnFault{"sweep.not_allowed", refused};
}

}  // namespace saturn
