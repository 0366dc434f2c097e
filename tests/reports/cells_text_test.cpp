#include "reports/words/cells_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "models/results/calibrated_results.hpp"
#include "models/results/farm_outcome.hpp"
#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"

using namespace saturn;

namespace {

AnsweringCell cell() {
  return {.parts = 10,
          .of = 250,
          .jobs = 4000,
          .streams = 4000,
          .devices = 40,
          .smaller_is_slower_by = 0.006,
          .smaller_streams = 1000};
}

}  // namespace

TEST_CASE("an answer by a cell says which part it is, how another size differs and what that leaves to expect") {
  const auto text_of = [](const AnsweringCell& cell, double slowdown = 1.5) {
    Results results;
    results.cell = cell;
    results.all_jobs["slowdown"].mean = slowdown;
    return cell_text(results, 0.01, "GPU");
  };
  CHECK(text_of(cell()) ==
        "Answered by a cell of 1/25: 4000 jobs on 40 GPUs; in one of 1000 streams events take 0.6 % longer, so that "
        "some 0.2 % less is expected of the whole. --set /run/whole=true simulates the whole.");
  // No event is faster than an unloaded one.
  CHECK(text_of(cell(), 1.001).find("so that up to 0.1 % less, down to the unloaded time, is expected") !=
        std::string::npos);
  AnsweringCell unlike = cell();
  unlike.agrees = false;
  CHECK(text_of(unlike).ends_with("they do NOT AGREE, and the whole is too large."));
  AnsweringCell alike = cell();
  alike.by_chance = true;
  CHECK(text_of(alike).find("events take 0.6 % longer, which chance explains.") != std::string::npos);
  AnsweringCell unchecked = cell();
  unchecked.smaller_is_slower_by.reset();
  CHECK(text_of(unchecked).ends_with("on 40 GPUs; no other size was simulated."));
  AnsweringCell whole = cell();
  whole.parts = whole.of;
  CHECK(text_of(whole).starts_with("Simulated as a whole"));
}

TEST_CASE("a latency of which two sizes leave more open than was asked is named, one that chance explains is not") {
  Results results;
  results.cell = cell();
  results.all_jobs["slowdown"].mean = 1.5;
  Results smaller = results;
  const auto with_latency = [](double mean_s, double half_width_s, double compute_s) {
    ModelResults model;
    model.name = "tag";
    model["latency_s"] = {.mean = mean_s, .low = mean_s - half_width_s, .high = mean_s + half_width_s};
    model["compute_s"] = {.mean = compute_s, .low = compute_s - 1.0, .high = compute_s + 1.0};
    return model;
  };
  results.models = {with_latency(10.0, 0.1, 2.0)};
  smaller.models = {with_latency(13.0, 0.1, 2.3)};
  widen_by_size(results, smaller, 4.0);
  const std::string text = cell_text(results, 0.01, "GPU");
  CHECK(text.find("which the intervals hold: latency of tag 10 %.") != std::string::npos);
  CHECK(cell_text(results, 0.2, "GPU").find("the intervals hold") == std::string::npos);
}

TEST_CASE("of several simulations it is said how many are by cells, and how far the whole may be from them") {
  Results results;
  CellTally tally;
  tally.take(results);
  CHECK(tally.text().empty());
  results.cell = cell();
  tally.take(results);
  CHECK(tally.text() ==
        "1 of 2 simulations is answered by cells, parts of the farm of at least 4000 streams; by event time the whole "
        "is within 0.2 % of it. --set /run/whole=true simulates the whole.");
  results.cell->agrees = false;
  results.cell->smaller_is_slower_by = 0.3;
  tally.take(results);
  CHECK(tally.text().find("1 of them does NOT agree with a part of another size") != std::string::npos);
  CHECK(tally.text().find("within 0.2 % of the others") != std::string::npos);
  CellTally unchecked;
  unchecked.take(results);
  CHECK(unchecked.text().find("none of them agrees") != std::string::npos);
  CHECK(unchecked.text().find("within") == std::string::npos);
  Answer answer;
  tally.say(answer);
  CHECK(answer.parts.size() == 1);
}
