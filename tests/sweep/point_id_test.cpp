#include "sim/sweep/point_id.hpp"

#include <doctest/doctest.h>

namespace saturn {

TEST_CASE("an id depends on what is answered and on the scenario, and on where one ends and the other begins") {
  const std::string id = point_id({.answer = "run", .resolved = "{}"});
  CHECK(id.size() == 32);
  CHECK(id == point_id({.answer = "run", .resolved = "{}"}));
  CHECK(id != point_id({.answer = "plan", .resolved = "{}"}));
  CHECK(id != point_id({.answer = "run", .resolved = "{ }"}));
  CHECK(point_id({.answer = "a", .resolved = "b\nc"}) != point_id({.answer = "a\nb c", .resolved = ""}));
}

}  // namespace saturn
