#include "calibration/score/fitted_rows.hpp"

#include <nlohmann/json.hpp>

#include <set>

#include "calibration/import/imported_text.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document.hpp"

namespace saturn {

namespace {

using Json = nlohmann::json;

/// A text of an object; empty where there is none. The scenario's reader has checked what it needs of the file alone.
std::string text_at(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Json child(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found == object.end() ? Json() : *found;
}

/// What the fitted file calls the measured file; empty where it was not made from it.
std::set<std::string> names_of(const MeasuredFile& file, const Json& document) {
  std::set<std::string> names;
  for (const Json& one : child(document, "data")) {
    if (text_at(one, "sha256") == file.sha256) names.insert(text_at(one, "path"));
  }
  return names;
}

/// The lines of the file that the fit's residuals name.
std::set<std::size_t> lines_of(const Json& fit, const std::set<std::string>& names, std::span<const PlacedRow> rows) {
  std::set<std::string> from;
  for (const Json& residual : child(fit, "residuals")) from.insert(text_at(residual, "from"));
  std::set<std::size_t> lines;
  for (const PlacedRow& row : rows) {
    for (const std::string& name : names) {
      if (from.contains(FoundAt{.file = name, .line = row.at.line}.text())) lines.insert(row.at.line);
    }
  }
  return lines;
}

void remark(PlacedRow& row, const std::string& text) {
  std::string& remark = row.row.point.remark;
  if (remark.find(text) == std::string::npos) append_part(remark, text, "; ");
}

}  // namespace

std::string mark_fitted_rows(const MeasuredFile& file, std::span<const FittedFile> fitted,
                             std::vector<PlacedRow>& rows) {
  std::vector<std::string> fits;
  std::set<std::size_t> used;
  for (const FittedFile& one : fitted) {
    const Json document = Json::parse(one.text, nullptr, false);
    if (document.is_discarded()) continue;
    const std::set<std::string> names = names_of(file, document);
    if (names.empty()) continue;
    fits.push_back(one.path);
    const Json all = child(document, "fits");
    for (const Json& fit : all) used.merge(lines_of(fit, names, rows));
  }
  if (fits.empty()) return "";
  for (PlacedRow& row : rows) {
    if (used.contains(row.at.line)) remark(row, "a fit was made from this row: no prediction");
  }
  return "NO PREDICTION: " + joined(fits) + ", which the scenario takes values from, was fitted to this very file" +
         (used.empty() ? "" : ", " + counted_noun(used.size(), "row") + " of it among the fitted points") +
         ". The errors say how well the fit describes its own data; validate with measurements that it has not seen.";
}

}  // namespace saturn
