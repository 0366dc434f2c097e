#include "scenarios/sweep_samples.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "scenarios/sweep_space.hpp"
#include "tests/scenarios/scenario_samples.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

constexpr std::uint64_t seed_of_samples = 42;

std::vector<std::uint32_t> drawn_sizes() {
  return *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(1, 40)));
}

/// Product of the sizes, or `most` where it is more.
std::uint64_t product(const std::vector<std::uint32_t>& sizes, std::uint64_t most) {
  std::uint64_t all = 1;
  for (const std::uint32_t size : sizes) all = std::min(most, all * size);
  return all;
}

/// True where the steps, sorted, can be matched with the strata in order: stratum i of n covers the steps from i/n to
/// (i+1)/n of the axis.
bool uses_every_stratum_once(std::vector<std::uint32_t> steps, double size) {
  std::sort(steps.begin(), steps.end());
  const auto points = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto stratum = static_cast<double>(i);
    if (steps[i] < std::floor(stratum * size / points) || steps[i] > std::ceil((stratum + 1) * size / points) - 1)
      return false;
  }
  return true;
}

std::vector<GridPoint> drawn(const SweepText& text, std::uint64_t seed) {
  const ReadScenario read =
      read_scenario_text(sound_scenario(), "s.json", std::vector<Override>{{"/run/seed", std::to_string(seed)}});
  const SweepSpace space = sweep_space(text, read);
  std::vector<GridPoint> points;
  for (std::uint64_t point = 0; point < space.size(); ++point) points.push_back(space.steps(point));
  return points;
}

std::string complaint_of_sample(const SweepText& text) {
  try {
    drawn(text, seed_of_samples);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

const std::vector<std::string> axes_of_samples{"/jobs/0/count=1:40", "/network/links/0/rtt=0.1ms:100ms:log1000",
                                               "/servers/0/dispatch=round_robin,least_outstanding"};

}  // namespace

TEST_CASE("a Latin hypercube uses every stratum of every axis once, and no point twice") {
  CHECK(rc::check("strata", [] {
    const std::vector<std::uint32_t> sizes = drawn_sizes();
    const auto points = *rc::gen::inRange<std::uint64_t>(1, std::max<std::uint64_t>(2, product(sizes, 200) / 2 + 1));
    const std::vector<GridPoint> sample = latin_hypercube(sizes, points, *rc::gen::arbitrary<std::uint64_t>());
    RC_ASSERT(std::set<GridPoint>(sample.begin(), sample.end()).size() == sample.size());
    RC_ASSERT(std::is_sorted(sample.begin(), sample.end()));
    RC_ASSERT(sample.size() <= points);
    RC_PRE(sample.size() == points);
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      std::vector<std::uint32_t> steps;
      for (const GridPoint& point : sample) steps.push_back(point[axis]);
      RC_ASSERT(uses_every_stratum_once(steps, sizes[axis]));
    }
  }));
}

TEST_CASE("of a grid with room a Latin hypercube has as many points as asked, also where few are left out") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CHECK(latin_hypercube({11, 13, 5}, 500, seed).size() == 500);
    CHECK(latin_hypercube({40, 40}, 40, seed).size() == 40);
    CHECK(latin_hypercube({4, 3}, 6, seed).size() == 6);
  }
}

TEST_CASE("random points are different, within the grid, and a larger sample holds the smaller one") {
  CHECK(rc::check("random points", [] {
    const std::vector<std::uint32_t> sizes = drawn_sizes();
    const std::uint64_t room = product(sizes, 300);
    const auto points = *rc::gen::inRange<std::uint64_t>(1, room + 1);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const std::uint64_t all = product(sizes, most_points + 1);
    const std::optional<std::uint64_t> combinations = all > most_points ? std::nullopt : std::optional(all);
    const auto any = [](const GridPoint&) { return true; };
    const std::vector<GridPoint> sample = random_points(sizes, points, seed, combinations, any);
    RC_ASSERT(sample.size() == points);
    RC_ASSERT(std::set<GridPoint>(sample.begin(), sample.end()).size() == points);
    for (const GridPoint& point : sample)
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) RC_ASSERT(point[axis] < sizes[axis]);
    const std::vector<GridPoint> larger = random_points(sizes, room, seed, combinations, any);
    RC_ASSERT(std::includes(larger.begin(), larger.end(), sample.begin(), sample.end()));
  }));
}

TEST_CASE("every point of a small grid is as likely as any other") {
  // 4,000 samples of 3 points out of 12: each point is expected 1,000 times, with a deviation of 27.
  std::vector<int> times(12, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed)
    for (const GridPoint& point : random_points({3, 4}, 3, seed, 12, [](const GridPoint&) { return true; }))
      ++times[point[0] * 4 + point[1]];
  for (const int count : times) CHECK(std::abs(count - 1000) < 5 * 27);
}

TEST_CASE("the seed of the scenario alone decides what is drawn") {
  for (const Sampling sampling : {Sampling::latin_hypercube, Sampling::random}) {
    const SweepText text{.axes = axes_of_samples, .where = {}, .sample = 30, .sampling = sampling};
    CHECK(drawn(text, 1) == drawn(text, 1));
    CHECK(drawn(text, 1) != drawn(text, 2));
    CHECK(drawn(text, 1).size() == 30);
  }
}

TEST_CASE("conditions hold in a sample: a hypercube loses points, random ones are drawn anew") {
  SweepText text{.axes = axes_of_samples, .where = {"count <= 10"}, .sample = 400};
  const std::vector<GridPoint> cube = drawn(text, seed_of_samples);
  CHECK(cube.size() == 100);
  text.sampling = Sampling::random;
  const std::vector<GridPoint> random = drawn(text, seed_of_samples);
  CHECK(random.size() == 400);
  for (const auto& sample : {cube, random})
    for (const GridPoint& point : sample) CHECK(point[0] < 10);
}

TEST_CASE("a sample is drawn from more combinations than can be counted") {
  std::vector<std::string> axes{"/jobs/0/count=1:100000", "/models/emtrk/max_batch_size=1:100000"};
  axes.push_back("/run/seed=1:100000");
  axes.push_back("/network/links/0/rtt=0.1ms:100ms:log5000");
  for (const Sampling sampling : {Sampling::latin_hypercube, Sampling::random})
    CHECK(drawn({.axes = axes, .where = {}, .sample = 50, .sampling = sampling}, seed_of_samples).size() == 50);
}

TEST_CASE("samples that cannot be are refused with the number that can") {
  const std::vector<std::string> small{"/jobs/0/count=1:4", "/servers/0/dispatch=round_robin,least_outstanding"};
  CHECK(complaint_of_sample({.axes = small, .where = {}, .sample = 9}) ==
        "--sample 9: sweep.bad_sample\n  The sample is to have 9 points, but the axes have only 8 combinations; leave "
        "--sample out, or ask for fewer.");
  CHECK(complaint_of_sample({.axes = small, .where = {"count < 3"}, .sample = 5, .sampling = Sampling::random}) ==
        "--sample 5: sweep.bad_sample\n  The sample is to have 5 points, but only 4 were found that meet the "
        "conditions; ask for these, or loosen the conditions.");
  CHECK(complaint_of_sample({.axes = small, .where = {"count > 4"}, .sample = 5}) ==
        "--where count > 4: sweep.no_points\n  No point that was drawn meets all conditions; loosen them, or draw more "
        "points.");
  CHECK(complaint_of_sample({.axes = small, .where = {}, .sample = 20'000'000}) ==
        "--sample 20000000: sweep.bad_sample\n  The sample is to have 20,000,000 points; allowed are 1 to 10,000,000.");
}
