#include "reports/words/cells_text.hpp"

#include <doctest/doctest.h>

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
  CHECK(cell_text(cell(), "GPU") ==
        "Answered by a cell of 1/25: 4000 jobs on 40 GPUs; in one of 1000 streams events take 0.6 % longer, so that "
        "some 0.2 % less is expected of the whole.");
  AnsweringCell unlike = cell();
  unlike.agrees = false;
  CHECK(cell_text(unlike, "GPU").ends_with("they do NOT AGREE, and the whole is too large."));
  AnsweringCell alike = cell();
  alike.by_chance = true;
  CHECK(cell_text(alike, "GPU").ends_with("events take 0.6 % longer, which chance explains."));
  AnsweringCell unchecked = cell();
  unchecked.smaller_is_slower_by.reset();
  CHECK(cell_text(unchecked, "GPU").ends_with("on 40 GPUs; no other size was simulated."));
  AnsweringCell whole = cell();
  whole.parts = whole.of;
  CHECK(cell_text(whole, "GPU").starts_with("Simulated as a whole"));
}

TEST_CASE("of several simulations it is said how many are by cells, and how far they are at most from the whole") {
  Results results;
  CellTally tally;
  tally.take(results);
  CHECK(tally.text().empty());
  results.cell = cell();
  tally.take(results);
  CHECK(tally.text() ==
        "1 of 2 simulations is answered by cells of 4000 streams or more, beyond chance at most 0.2 % from what is "
        "expected of the "
        "whole.");
  Answer answer;
  tally.say(answer);
  CHECK(answer.parts.size() == 1);
}
