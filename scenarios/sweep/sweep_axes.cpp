#include "scenarios/sweep/sweep_axes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "scenarios/fields/value_range.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "scenarios/sweep/sweep_columns.hpp"

namespace saturn {

namespace {

/// An option as it was typed, cut where it is very long; nothing of what is no text.
std::string typed(const std::string& option, const std::string& value) {
  constexpr std::size_t longest = 200;
  if (value.empty() || first_invalid_utf8(value) != std::string::npos) return option;
  if (value.size() <= longest) return option + " " + value;
  std::string begin = value.substr(0, longest);
  if (const std::size_t torn = first_invalid_utf8(begin); torn != std::string::npos) begin.resize(torn);
  return option + " " + begin + "...";
}

std::string element(const std::string& list, std::size_t index) {
  return list.empty() ? list : list + "/" + std::to_string(index);
}

}  // namespace

void SweepComplaints::about_axis(std::size_t axis, const char* code, const std::string& sentence) {
  add("--axis", text_.axes[axis], element(text_.places.axes, axis), code, sentence);
}

void SweepComplaints::about_axes(const char* code, const std::string& sentence) {
  add("--axis", text_.axes.size() == 1 ? text_.axes.front() : "", text_.places.axes, code, sentence);
}

void SweepComplaints::about_condition(std::size_t condition, const char* code, const std::string& sentence) {
  add("--where", text_.where[condition], element(text_.places.where, condition), code, sentence);
}

void SweepComplaints::about_sample(const char* code, const std::string& sentence) {
  add("--sample", std::to_string(text_.sample.value_or(0)), text_.places.sample, code, sentence);
}

void SweepComplaints::stop_if_any() const {
  if (!complaints_.empty()) throw InputError(complaints_);
}

void SweepComplaints::add(const std::string& option, const std::string& value, const std::string& pointer,
                          const char* code, const std::string& sentence) {
  if (!pointer.empty() && read_.about_sweep)
    complaints_.push_back(read_.about_sweep(pointer, code, sentence));
  else
    complaints_.push_back({.source = typed(option, value), .code = code, .text = sentence});
}

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
  return joined_or(found);
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
        pointer.empty() || pointer == "/" ? std::string() : suggest_pointers(pointer, places, allowed);
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
    if (const std::string meant = suggest_pointers(pointer, places, allowed);
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
  for (const std::string_view part : split_at(range, ',')) {
    if (trimmed(part, " \t\r\n").empty() || part.find(':') != std::string::npos)
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
  if (trimmed(range, " \t\r\n").empty())
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
        {.pointer = std::string(trimmed(part.substr(0, sign), " \t\r\n")),
         .range = sign == std::string::npos ? std::string() : std::string(trimmed(part.substr(sign + 1), " \t\r\n"))});
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

namespace {

void complain_of_uneven(const std::vector<SweptColumn>& columns, std::size_t axis, SweepComplaints& complaints) {
  const auto count_of = [](const SweptColumn& column) {
    return column.pointer + " has " + counted_with_commas(column.values.size(), "value");
  };
  const bool even = std::all_of(columns.begin(), columns.end(), [&](const SweptColumn& column) {
    return column.values.size() == columns.front().values.size();
  });
  if (!even)
    complaints.about_axis(
        axis, "sweep.uneven",
        joined_and(texts_of(columns, count_of)) + "; those that run along with each other have equally many.");
}

/// The first two steps of zipped columns that say the same.
void complain_of_equal_steps(const SweepSpace::Axis& axis, std::size_t number, SweepComplaints& complaints) {
  std::map<std::vector<std::string>, std::size_t> seen;
  for (std::size_t step = 0; step < axis.cells.front().size(); ++step) {
    std::vector<std::string> texts;
    for (const std::vector<AxisCell>& cells : axis.cells)
      texts.push_back(cells[step].number ? shortest(*cells[step].number) : cells[step].text);
    const auto [known, is_new] = seen.emplace(std::move(texts), step);
    if (is_new) continue;
    complaints.about_axis(number, "sweep.twice",
                          "Its values number " + with_commas(known->second + 1) + " and number " +
                              with_commas(step + 1) + " are the same; give each combination once.");
    return;
  }
}

SweepSpace::Axis axis_of(const std::vector<SweptColumn>& columns) {
  SweepSpace::Axis axis;
  for (const SweptColumn& column : columns) {
    const PlaceType& type = column.places.front().type;
    axis.columns.push_back({.pointer = column.pointer,
                            .name = "",
                            .unit = type.kind == PlaceKind::quantity ? std::string(column_unit(type.dimension)) : ""});
    std::vector<std::string>& pointers = axis.places.emplace_back();
    for (const NamedPlace& place : column.places) pointers.push_back(place.pointer);
    std::vector<AxisCell>& cells = axis.cells.emplace_back();
    for (const std::string& value : column.values) cells.push_back(cell_of(value, type));
  }
  return axis;
}

/// Places that two columns set, or of which one holds the other.
void complain_of_places_twice(const std::vector<std::vector<SweptColumn>>& axes, SweepComplaints& complaints) {
  std::map<std::string, std::string> swept_by;
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (const SweptColumn& column : axes[a])
      for (const NamedPlace& place : column.places) {
        const auto [known, is_new] = swept_by.emplace(place.pointer, column.pointer);
        if (is_new) continue;
        complaints.about_axis(
            a, "sweep.twice",
            place.pointer + " is swept twice" +
                (known->second == column.pointer && known->second == place.pointer
                     ? "; give it one axis with all its values."
                     : ", by " + known->second + " and by " + column.pointer + "; keep one of them."));
        break;
      }
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (const SweptColumn& column : axes[a])
      for (const NamedPlace& place : column.places)
        for (std::size_t end = place.pointer.rfind('/'); end != 0; end = place.pointer.rfind('/', end - 1)) {
          const auto holder = swept_by.find(place.pointer.substr(0, end));
          if (holder == swept_by.end()) continue;
          complaints.about_axis(
              a, "sweep.twice",
              place.pointer + " is inside of " + holder->first + ", which is swept too; keep one of them.");
          return;
        }
}

/// The columns of one axis, as far as their places are known.
std::vector<SweptColumn> read_columns(const std::string& text, std::size_t axis, const ReadScenario& read,
                                      const ScenarioPlaces& places, SweepComplaints& complaints, bool& named) {
  if (first_invalid_utf8(text) != std::string::npos) {
    complaints.about_axis(axis, "sweep.unknown_pointer", "The axis is not valid UTF-8 text.");
    named = false;
    return {};
  }
  std::vector<SweptColumn> columns = split_axis(text);
  for (SweptColumn& column : columns) {
    try {
      read_column(column, columns.size() > 1, read, places);
    } catch (const ColumnFault& fault) {
      complaints.about_axis(axis, fault.code, fault.text);
    }
    // What words a condition may name is known from the values alone.
    const bool is_known =
        !column.places.empty() && (!column.values.empty() || !is_word(column.places.front().type.kind));
    named = named && is_known;
  }
  std::erase_if(columns, [](const SweptColumn& column) { return column.places.empty(); });
  return columns;
}

void name_columns(std::vector<SweepSpace::Axis>& axes) {
  std::vector<std::string> pointers;
  for (const SweepSpace::Axis& axis : axes)
    for (const AxisColumn& column : axis.columns) pointers.push_back(column.pointer);
  const std::vector<std::string> names = column_names(pointers);
  std::size_t number = 0;
  for (SweepSpace::Axis& axis : axes)
    for (AxisColumn& column : axis.columns) column.name = names[number++];
}

}  // namespace

ReadAxes read_axes(const SweepText& text, const ReadScenario& read, SweepComplaints& complaints) {
  ReadAxes result;
  if (text.axes.empty())
    complaints.about_axes("sweep.no_axis",
                          "There is nothing to vary; write --axis /jobs/0/count=1:64:x2, or give the scenario a "
                          "\"sweep\" with \"axes\".");
  const ScenarioPlaces places(read.resolved);
  std::vector<std::vector<SweptColumn>> axes;
  for (std::size_t a = 0; a < text.axes.size(); ++a) {
    const std::size_t complaints_before = complaints.count();
    axes.push_back(read_columns(text.axes[a], a, read, places, complaints, result.named));
    result.axes.push_back(axis_of(axes.back()));
    if (complaints.count() == complaints_before) complain_of_uneven(axes.back(), a, complaints);
    if (complaints.count() == complaints_before && axes.back().size() > 1)
      complain_of_equal_steps(result.axes.back(), a, complaints);
  }
  complain_of_places_twice(axes, complaints);
  name_columns(result.axes);
  return result;
}

}  // namespace saturn
