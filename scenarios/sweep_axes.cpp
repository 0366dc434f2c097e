#include "scenarios/sweep_axes.hpp"

#include <map>

#include "scenarios/document.hpp"
#include "scenarios/meant_fields.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/sweep_columns.hpp"
#include "scenarios/swept_column.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

void complain_of_uneven(const std::vector<SweptColumn>& columns, std::size_t axis, SweepComplaints& complaints) {
  std::vector<std::string> counts;
  bool even = true;
  for (const SweptColumn& column : columns) {
    const std::size_t count = column.values.size();
    even = even && count == columns.front().values.size();
    counts.push_back(column.pointer + " has " + with_commas(count) + (count == 1 ? " value" : " values"));
  }
  if (!even)
    complaints.about_axis(axis, "sweep.uneven",
                          list_in_words(counts, " and ") + "; those that run along with each other have equally many.");
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
