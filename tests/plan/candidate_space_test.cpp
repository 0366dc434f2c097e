#include "sim/plan/candidate_space.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <limits>
#include <stdexcept>

using namespace saturn;

namespace {

FreeVariable variable(const std::string& pointer, std::size_t values) {
  FreeVariable made{.name = pointer};
  for (std::size_t i = 0; i < values; ++i) made.values.push_back({std::to_string(i), {{pointer, std::to_string(i)}}});
  return made;
}

}  // namespace

TEST_CASE("a candidate is the number of its coordinates, the last one changing fastest") {
  const CandidateSpace space({variable("/a", 2), variable("/b", 3)});
  CHECK(space.size() == 6);
  CHECK(space.coordinates(0) == std::vector<std::size_t>{0, 0});
  CHECK(space.coordinates(1) == std::vector<std::size_t>{0, 1});
  CHECK(space.coordinates(5) == std::vector<std::size_t>{1, 2});
  const std::vector<Override> settings = space.settings(4);
  REQUIRE(settings.size() == 2);
  CHECK(text_of(settings[0]) == "/a=1");
  CHECK(text_of(settings[1]) == "/b=1");
  CHECK_THROWS_AS(space.coordinates(6), std::logic_error);
}

TEST_CASE("nothing free is one candidate, and more than 64 bits hold are as many as they hold") {
  CHECK(CandidateSpace({}).size() == 1);
  CHECK(CandidateSpace({}).settings(0).empty());
  CHECK(CandidateSpace({variable("/a", 4), variable("/b", 0)}).size() == 0);
  std::vector<FreeVariable> many;
  for (int i = 0; i < 22; ++i) many.push_back(variable("/" + std::to_string(i), 8));
  CHECK(CandidateSpace(many).size() == std::numeric_limits<std::uint64_t>::max());
  many.resize(21);
  CHECK(CandidateSpace(many).size() == std::uint64_t{1} << 63U);
}

TEST_CASE("candidates and coordinates lead back to each other, in the order of the coordinates") {
  const bool holds = rc::check([] {
    std::vector<FreeVariable> variables;
    const int count = *rc::gen::inRange(1, 5);
    for (int i = 0; i < count; ++i)
      variables.push_back(variable("/" + std::to_string(i), static_cast<std::size_t>(*rc::gen::inRange(1, 7))));
    const CandidateSpace space(variables);
    const auto candidate = *rc::gen::inRange<std::uint64_t>(0, space.size());
    const std::vector<std::size_t> coordinates = space.coordinates(candidate);
    RC_ASSERT(space.candidate_at(coordinates) == candidate);
    for (std::size_t v = 0; v < variables.size(); ++v) RC_ASSERT(coordinates[v] < variables[v].values.size());
    if (candidate + 1 < space.size()) RC_ASSERT(coordinates < space.coordinates(candidate + 1));
  });
  CHECK(holds);
}
