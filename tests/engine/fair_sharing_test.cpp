#include "models/fair_sharing.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace saturn;

TEST_CASE("three classes on two links get the textbook's max-min rates") {
  // Bertsekas & Gallager, Data Networks, section 6.5: the class over both links is held back where it is most crowded.
  FairSharing sharing;
  const std::size_t first = sharing.add_link(10.0);
  const std::size_t second = sharing.add_link(4.0);
  const std::size_t both = sharing.add_class(100.0, {first, second});
  const std::size_t on_first = sharing.add_class(100.0, {first});
  const std::size_t on_second = sharing.add_class(100.0, {second});
  sharing.start(both);
  sharing.start(on_first);
  sharing.start(on_second);
  CHECK(sharing.rate(both) == doctest::Approx(2.0));
  CHECK(sharing.rate(on_second) == doctest::Approx(2.0));
  CHECK(sharing.rate(on_first) == doctest::Approx(8.0));
  sharing.finish(on_second);
  CHECK(sharing.rate(both) == doctest::Approx(4.0));
  CHECK(sharing.rate(on_first) == doctest::Approx(6.0));
}

TEST_CASE("a link whose flows want no more than it has holds nobody back") {
  FairSharing sharing;
  const std::size_t link = sharing.add_link(10.0);
  const std::size_t slow = sharing.add_class(2.0, {link});
  for (int i = 0; i < 5; ++i) CHECK_FALSE(sharing.start(slow));
  CHECK(sharing.rate(slow) == 2.0);
  CHECK(sharing.start(slow));
  CHECK(sharing.rate(slow) == doctest::Approx(10.0 / 6.0));
  CHECK(sharing.finish(slow));
  CHECK(sharing.rate(slow) == 2.0);
}

TEST_CASE("rates are max-min fair for whatever links, classes and flows are drawn") {
  CHECK(rc::check("max-min", [] {
    FairSharing sharing;
    const auto capacities = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 50)));
    for (const int capacity : capacities) sharing.add_link(capacity);
    const int classes = *rc::gen::inRange(1, 7);
    std::vector<std::vector<std::size_t>> links(static_cast<std::size_t>(classes));
    for (auto& route : links) {
      for (std::size_t l = 0; l < capacities.size(); ++l)
        if (*rc::gen::arbitrary<bool>()) route.push_back(l);
      sharing.add_class(*rc::gen::inRange(1, 40), route);
    }
    for (const auto c : *rc::gen::container<std::vector<std::size_t>>(
             rc::gen::inRange<std::size_t>(0, static_cast<std::size_t>(classes)))) {
      if (sharing.flows(c) > 0 && *rc::gen::inRange(0, 3) == 0) {
        sharing.finish(c);
      } else {
        sharing.start(c);
      }
    }
    // Bertsekas & Gallager: rates are max-min fair if no link is overloaded and every flow below its cap crosses a full
    // link on which no flow is faster.
    std::vector<double> load(capacities.size(), 0.0);
    for (std::size_t c = 0; c < links.size(); ++c)
      for (const std::size_t l : links[c]) load[l] += sharing.rate(c) * static_cast<double>(sharing.flows(c));
    for (std::size_t l = 0; l < load.size(); ++l) RC_ASSERT(load[l] <= capacities[l] * (1 + 1e-9));
    for (std::size_t c = 0; c < links.size(); ++c) {
      RC_ASSERT(sharing.rate(c) <= sharing.cap(c));
      if (sharing.flows(c) == 0 || sharing.rate(c) == sharing.cap(c)) continue;
      const bool held_back = std::any_of(links[c].begin(), links[c].end(), [&](std::size_t l) {
        if (load[l] < capacities[l] * (1 - 1e-9)) return false;
        for (std::size_t other = 0; other < links.size(); ++other) {
          const bool here = std::find(links[other].begin(), links[other].end(), l) != links[other].end();
          if (here && sharing.flows(other) > 0 && sharing.rate(other) > sharing.rate(c) * (1 + 1e-9)) return false;
        }
        return true;
      });
      RC_ASSERT(held_back);
    }
  }));
}
