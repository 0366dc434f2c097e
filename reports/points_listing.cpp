#include "reports/points_listing.hpp"

#include <nlohmann/json.hpp>

#include "models/csv_text.hpp"
#include "models/words/texts.hpp"
#include "reports/json_parts.hpp"
#include "reports/number_text.hpp"
#include "reports/sweep_progress_text.hpp"
#include "reports/facts_text.hpp"

namespace saturn {

namespace {

/// Of longer lists only both ends are shown.
constexpr std::uint64_t shown_whole = 60;
constexpr std::uint64_t shown_at_each_end = 10;

std::vector<std::string> row_of(const PointsListing& listing, std::uint64_t point) {
  std::vector<std::string> row{std::to_string(point)};
  for (const AxisCell& cell : listing.cells(point)) row.push_back(cell.text);
  return row;
}

std::string estimate_of_time(const PointsListing& listing) {
  return counted(listing.points, "point") + ", each answering \"" + listing.answer +
         "\": " + (listing.at_least ? "more than " : "about ") + spoken_time(listing.seconds()) + " on " +
         counted(listing.workers, "worker") + ", from " + counted(listing.tried, "point") + " that " +
         (listing.tried == 1 ? "was" : "were") + " tried (" + number_text(listing.seconds_a_point, 2) + " s each).\n";
}

}  // namespace

std::string points_listing_text(const PointsListing& listing, TextStyle style) {
  std::string text = heading(listing.title, style) + estimate_of_time(listing) + "\n";
  std::vector<TextTable::Column> columns{{"point", TextTable::Align::right}};
  for (const AxisColumn& column : listing.columns) columns.push_back({column.name, TextTable::Align::right});
  TextTable table(columns);
  const bool whole = listing.points <= shown_whole;
  for (std::uint64_t point = 0; point < listing.points; ++point) {
    if (!whole && point == shown_at_each_end) {
      table.add_row(std::vector<std::string>(columns.size(), "..."));
      point = listing.points - shown_at_each_end;
    }
    table.add_row(row_of(listing, point));
  }
  text += table.text(style);
  if (!whole) text += "All of them: --format csv.\n";
  return text;
}

std::string points_listing_json(const PointsListing& listing) {
  using Json = nlohmann::ordered_json;
  Json document{{"title", listing.title},
                {"answer", listing.answer},
                {"points", listing.points},
                {"estimate", {{"seconds", listing.seconds()}, {"workers", listing.workers}, {"tried", listing.tried}}}};
  for (const AxisColumn& column : listing.columns) document["columns"].push_back(column.head());
  for (std::uint64_t point = 0; point < listing.points; ++point) {
    Json row = Json::array();
    for (const AxisCell& cell : listing.cells(point)) row.push_back(cell.number ? Json(*cell.number) : Json(cell.text));
    document["values"].push_back(std::move(row));
  }
  return json_document(document, 1);
}

std::string points_listing_csv(const PointsListing& listing) {
  std::string text = "point";
  for (const AxisColumn& column : listing.columns) text += "," + csv_cell(column.head());
  text += "\n";
  for (std::uint64_t point = 0; point < listing.points; ++point) {
    text += std::to_string(point);
    for (const AxisCell& cell : listing.cells(point))
      text += "," + (cell.number ? csv_number(*cell.number) : csv_cell(cell.text));
    text += "\n";
  }
  return text;
}

}  // namespace saturn
