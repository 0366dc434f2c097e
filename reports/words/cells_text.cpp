#include "reports/words/cells_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "models/results/calibrated_results.hpp"
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

constexpr std::string_view ask_for_whole = "--set /run/whole=true simulates the whole.";

/// What is left to expect of the whole; events are not faster than unloaded ones.
std::string rest_text(const Results& results) {
  const AnsweringCell& cell = *results.cell;
  if (cell.by_chance) return ", which chance explains";
  const double rest = cell.expected_rest();
  const double most = results.all_jobs.times_grow ? rest : std::max(results.all_jobs["slowdown"].mean - 1.0, 0.0);
  if (rest > most)
    return ", so that up to " + percent_text(most) + " less, down to the unloaded time, is expected of the whole";
  return ", so that some " + percent_text(std::abs(rest)) + (rest < 0.0 ? " more" : " less") +
         " is expected of the whole";
}

/// A time of requests of which the sizes leave more open than was asked.
struct LeftOpen {
  std::string what{};
  double share = 0.0;  ///< of the time [1]
};

std::vector<LeftOpen> left_open(const Results& results, double precision) {
  std::vector<LeftOpen> left;
  for (const ModelResults& model : results.models)
    model.each([&](const Measure& measure, const Estimate& estimate) {
      const double half_width = left_by_size(estimate);
      const bool by_chance = half_width > 0.0 && half_width <= estimate.parts->half_width_simulation();
      if (measure.swept != Swept::of_each || measure.unit != MeasureUnit::seconds || by_chance) return;
      if (half_width > precision * std::abs(estimate.mean))
        left.push_back(
            {.what = std::string(measure.title) + " of " + model.name, .share = half_width / std::abs(estimate.mean)});
    });
  return left;
}

std::string left_open_text(const Results& results, double precision) {
  constexpr std::size_t most = 3;
  const std::vector<LeftOpen> left = left_open(results, precision);
  if (left.empty()) return "";
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(left.size(), most); ++i)
    texts.push_back(left[i].what + " " + percent_text(left[i].share));
  if (left.size() > most) texts.push_back(counted(left.size() - most, "other"));
  return " More than the asked " + percent_text(precision) +
         " may lie between it and the whole, which the intervals hold: " + joined(texts) + ".";
}

}  // namespace

std::string share_text(const AnsweringCell& cell) {
  if (cell.is_whole()) return "whole";
  const std::uint64_t common = std::gcd(cell.parts, cell.of);
  return std::to_string(cell.parts / common) + "/" + std::to_string(cell.of / common);
}

std::string cell_text(const Results& results, double precision, std::string_view device_word) {
  const AnsweringCell& cell = *results.cell;
  if (cell.is_whole()) return "Simulated as a whole, since cells of it do not agree: " + difference_text(cell) + ".";
  std::string text = "Answered by a cell of " + share_text(cell) + ": " + counted(cell.jobs, "job") + " on " +
                     counted(cell.devices, device_word) + "; " + difference_text(cell);
  if (!cell.smaller_is_slower_by) return text + ".";
  if (!cell.agrees) return text + ": they do NOT AGREE, and the whole is too large.";
  return text + rest_text(results) + "." + left_open_text(results, precision) + " " + std::string(ask_for_whole);
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
  if (!cell.agrees)
    ++unchecked_;
  else if (!cell.by_chance)
    largest_rest_ = std::max(largest_rest_, std::abs(cell.expected_rest()));
}

std::string CellTally::text() const {
  if (by_cells_ == 0) return "";
  std::string text = whole_text(by_cells_) + " of " + counted(simulations_, "simulation") +
                     (by_cells_ == 1 ? " is" : " are") + " answered by cells, parts of the farm of at least " +
                     whole_text(fewest_streams_) + " streams";
  if (unchecked_ > 0)
    text += "; " +
            (unchecked_ == by_cells_
                 ? std::string("none of them agrees")
                 : whole_text(unchecked_) + (unchecked_ == 1 ? " of them does NOT agree" : " of them do NOT agree")) +
            " with a part of another size, so that the whole may be otherwise";
  if (unchecked_ < by_cells_)
    text += largest_rest_ > 0.0 ? "; by event time the whole is within " + percent_text(largest_rest_) + " of " +
                                      (unchecked_ > 0   ? "the others"
                                       : by_cells_ == 1 ? "it"
                                                        : "them")
                                : "; between sizes event times differ by chance alone";
  return text + ". " + std::string(ask_for_whole);
}

void CellTally::say(Answer& answer) const {
  if (by_cells_ > 0) answer.say(text(), {"cells"});
}

}  // namespace saturn
