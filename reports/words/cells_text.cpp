#include "reports/words/cells_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

std::string difference_text(const AnsweringCell& cell) {
  if (!cell.smaller_is_slower_by) return "no other size was simulated";
  const double difference = *cell.smaller_is_slower_by;
  return "in one of " + whole_text(cell.smaller_streams) + " streams events take " +
         percent_text(std::abs(difference)) + (difference < 0.0 ? " less long" : " longer");
}

}  // namespace

std::string share_text(const AnsweringCell& cell) {
  if (cell.is_whole()) return "whole";
  const std::uint64_t common = std::gcd(cell.parts, cell.of);
  return std::to_string(cell.parts / common) + "/" + std::to_string(cell.of / common);
}

std::string cell_text(const AnsweringCell& cell, std::string_view device_word) {
  if (cell.is_whole()) return "Simulated as a whole, since cells of it do not agree: " + difference_text(cell) + ".";
  std::string text = "Answered by a cell of " + share_text(cell) + ": " + counted(cell.jobs, "job") + " on " +
                     counted(cell.devices, device_word) + "; " + difference_text(cell);
  if (!cell.smaller_is_slower_by) return text + ".";
  if (!cell.agrees) return text + ": they do NOT AGREE, and the whole is too large.";
  if (cell.by_chance) return text + ", which chance explains.";
  return text + ", so that some " + percent_text(std::abs(cell.expected_rest())) +
         (cell.expected_rest() < 0.0 ? " more" : " less") + " is expected of the whole.";
}

void add_cell(Answer& answer, const AnsweringCell& cell, std::vector<std::string> place) {
  answer.add_facts(std::move(place),
                   {{"share", share_text(cell)},
                    {"jobs", cell.jobs},
                    {"streams", cell.streams},
                    {"devices", cell.devices},
                    {"smaller_streams", cell.smaller_is_slower_by ? Cell(cell.smaller_streams) : Cell()},
                    {"smaller_is_slower_by", cell.smaller_is_slower_by ? Cell(*cell.smaller_is_slower_by) : Cell()},
                    {"expected_rest", cell.expected_rest()},
                    {"by_chance", cell.by_chance},
                    {"agrees", cell.agrees}});
}

void CellTally::take(const Results& results) {
  ++simulations_;
  if (!results.cell || results.cell->is_whole()) return;
  const AnsweringCell& cell = *results.cell;
  fewest_streams_ = by_cells_ == 0 ? cell.streams : std::min(fewest_streams_, cell.streams);
  ++by_cells_;
  if (!cell.agrees) ++unchecked_;
  largest_rest_ = std::max(largest_rest_, cell.by_chance ? 0.0 : std::abs(cell.expected_rest()));
}

std::string CellTally::text() const {
  if (by_cells_ == 0) return "";
  std::string text = whole_text(by_cells_) + " of " + counted(simulations_, "simulation") +
                     (by_cells_ == 1 ? " is" : " are") + " answered by cells of " + whole_text(fewest_streams_) +
                     " streams or more, beyond chance at most " + percent_text(largest_rest_) +
                     " from what is expected of the whole";
  if (unchecked_ > 0) text += ", and " + whole_text(unchecked_) + " of them do NOT AGREE";
  return text + ".";
}

void CellTally::say(Answer& answer) const {
  if (by_cells_ > 0) answer.say(text(), {"cells"});
}

}  // namespace saturn
