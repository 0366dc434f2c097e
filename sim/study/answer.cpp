#include "sim/study/answer.hpp"

namespace saturn {

Answer answer_of_text(const std::string& text) {
  return {.table = [text](TextStyle) { return text; }, .json = [text] { return text; }, .csv = [text] { return text; }};
}

Answer listing_answer(const std::string& what, std::vector<ListedItem> items) {
  const auto table = [what](const std::vector<ListedItem>& all, TextStyle style) {
    return listing_table(what, all, style);
  };
  const auto json = [what](const std::vector<ListedItem>& all) { return listing_json(what, all); };
  return answer_of(std::move(items), table, json, listing_csv);
}

Answer no_plan_answer(const std::string& why, Provenance provenance) {
  return answer_of(NoPlanReport{.provenance = std::move(provenance), .why = why}, no_plan_text, no_plan_json,
                   no_plan_csv, ExitCode::no_plan);
}

Answer unconfirmed_answer(UnconfirmedReport report) {
  return answer_of(std::move(report), unconfirmed_table, unconfirmed_json, unconfirmed_csv,
                   ExitCode::precision_not_reached);
}

}  // namespace saturn
