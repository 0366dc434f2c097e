#include "models/serving/fair_sharing.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/engine/flow_topologies.hpp"

using namespace saturn;

namespace {

FairSharing sharing_of(const FlowTopology& topology) {
  FairSharing sharing;
  for (const double capacity : topology.capacities) sharing.add_link(capacity);
  for (std::size_t c = 0; c < topology.caps.size(); ++c) sharing.add_class(topology.caps[c], topology.routes[c]);
  return sharing;
}

/// Lets flows start and finish, more of the one and then more of the other, and compares all rates each time.
void rates_stay_max_min(const FlowTopology& topology, Dice& dice, std::size_t steps) {
  FairSharing sharing = sharing_of(topology);
  if (dice(2) == 0) sharing.leave_out_wide_links();
  const std::size_t classes = topology.caps.size();
  std::vector<std::uint64_t> flows(classes, 0);
  std::vector<double> known(classes);
  for (std::size_t c = 0; c < classes; ++c) known[c] = sharing.rate(c);
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t c = dice(classes);
    const bool grows = step / 50 % 2 == 0;
    const bool finishes = flows[c] > 0 && dice(4) < (grows ? 1u : 3u);
    flows[c] = finishes ? flows[c] - 1 : flows[c] + 1;
    const bool changed = finishes ? sharing.finish(c) : sharing.start(c);
    const std::vector<double> expected = max_min_rates(topology, flows);
    for (std::size_t other = 0; other < classes; ++other) {
      const double rate = sharing.rate(other);
      if (flows[other] > 0) RC_ASSERT(std::abs(rate - expected[other]) <= 1e-9 * expected[other]);
      // Who listens to what has changed must know all rates.
      const std::size_t link = sharing.bottleneck(other);
      const bool told = std::count(sharing.moved().begin(), sharing.moved().end(), other) > 0 ||
                        std::count(sharing.relevelled().begin(), sharing.relevelled().end(), link) > 0;
      RC_ASSERT(rate == known[other] || (changed && told));
      known[other] = rate;
    }
  }
}

}  // namespace

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

TEST_CASE("links that carry all that narrower ones let through are left out of the routes, and no others") {
  struct Case {
    std::vector<double> capacities;
    std::vector<std::vector<std::size_t>> routes;
    std::vector<std::vector<std::size_t>> left;
  };
  for (const auto& [capacities, routes, left] : std::vector<Case>{
           // Uplinks before a narrow card; uplinks that the card carries together, and that it does not.
           {{10, 10, 10}, {{0, 2}, {1, 2}}, {{2}, {2}}},
           {{10, 10, 20}, {{0, 2}, {1, 2}}, {{0}, {1}}},
           {{10, 10, 19}, {{0, 2}, {1, 2}}, {{0, 2}, {1, 2}}},
           // Two of equal width: one is left. What nothing else limits stays.
           {{10, 10}, {{0, 1}}, {{1}}},
           {{10, 30}, {{0, 1}, {1}}, {{0, 1}, {1}}},
           // A chain in which each could be left out for the next.
           {{30, 20, 10}, {{0, 1, 2}, {1, 2}}, {{2}, {2}}},
       }) {
    const FlowTopology topology{
        .capacities = capacities, .caps = std::vector<double>(routes.size(), 100.0), .routes = routes};
    FairSharing sharing = sharing_of(topology);
    sharing.leave_out_wide_links();
    for (std::size_t c = 0; c < routes.size(); ++c) CHECK(sharing.links(c) == left[c]);
  }
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
    if (*rc::gen::arbitrary<bool>()) sharing.leave_out_wide_links();
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

TEST_CASE("after every start and finish the rates are those of a filling from scratch") {
  const auto seed = [] { return *rc::gen::resize(1000, rc::gen::arbitrary<std::uint32_t>()); };
  for (const auto& drawn : {drawn_mesh, drawn_star, drawn_grid}) {
    CHECK(rc::check([&] {
      Dice dice(seed());
      rates_stay_max_min(drawn(dice), dice, 150);
    }));
  }
}

TEST_CASE("on one saturated link of 64 sites rates are hardly ever reckoned from scratch, whatever their caps") {
  for (const std::size_t different_caps : {1u, 64u}) {
    FairSharing sharing;
    const std::size_t shared = sharing.add_link(6400.0);
    for (std::size_t site = 0; site < 64; ++site)
      sharing.add_class(5.0 + static_cast<double>(site % different_caps) / 8.0, {shared, sharing.add_link(1000.0)});
    // Between half of what saturates the link and four times as much, so that it relaxes and the level passes all caps.
    Dice dice(1);
    std::size_t flows = 0;
    for (std::size_t step = 0; step < 20000; ++step) {
      const std::size_t wanted = step / 4000 % 2 == 0 ? 4000 : 500;
      const std::size_t site = dice(64);
      if (flows < wanted) {
        sharing.start(site);
        ++flows;
      } else if (sharing.flows(site) > 0) {
        sharing.finish(site);
        --flows;
      }
    }
    // One in so many updates renews the sums; one more whenever the link first crowds after they were renewed.
    CHECK(sharing.fillings() <= 12);
  }
}
