#include "scenarios/sweep/sweep_space.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/scenarios/scenario_samples.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

const ReadScenario& scenario_of_conditions() {
  static const ReadScenario read = sound_with({});
  return read;
}

/// Jobs 1 to 4, three round trips, three bandwidths, two dispatches.
std::vector<std::string> axes_of_conditions() {
  return {"/jobs/0/count=1:4", "/network/links/0/rtt=1ms,0.3ms,20ms",
          "/network/links/0/bandwidth=1 Gbps,10 Gbps,1 GB/s", "/servers/0/dispatch=round_robin,least_outstanding"};
}

std::string complaint_of(const std::string& condition) {
  try {
    sweep_space({.axes = axes_of_conditions(), .where = {condition}}, scenario_of_conditions());
  } catch (const InputError& error) {
    const Complaint& first = error.complaints().front();
    return error.complaints().size() > 1 ? "several" : first.source + ": " + first.code + " " + first.text;
  }
  return "none";
}

/// What is wrong with a condition as such.
std::string fault_of(const std::string& condition) {
  const std::string complaint = complaint_of(condition);
  const std::string head = "--where " + condition + ": sweep.bad_condition ";
  return complaint.starts_with(head) ? complaint.substr(head.size()) : complaint;
}

/// The points that meet a condition are those for which the function of (count, rtt, bandwidth, dispatch) is true.
template <class Meets>
bool leaves_just(const std::vector<std::string>& where, const Meets& meets) {
  const SweepSpace all = sweep_space({.axes = axes_of_conditions()}, scenario_of_conditions());
  std::vector<std::vector<std::uint32_t>> expected;
  for (std::uint64_t point = 0; point < all.size(); ++point) {
    const std::vector<AxisCell> cells = all.cells(point);
    if (meets(*cells[0].number, *cells[1].number, *cells[2].number, cells[3].text))
      expected.push_back(all.steps(point));
  }
  const SweepSpace space = sweep_space({.axes = axes_of_conditions(), .where = where}, scenario_of_conditions());
  std::vector<std::vector<std::uint32_t>> found;
  for (std::uint64_t point = 0; point < space.size(); ++point) found.push_back(space.steps(point));
  return found == expected && !expected.empty() && expected.size() < all.size();
}

}  // namespace

TEST_CASE("conditions compare axes, called by name or pointer, with quantities in any unit") {
  CHECK(leaves_just({"count*2 <= 4"}, [](double n, double, double, const auto&) { return n <= 2; }));
  CHECK(leaves_just({"rtt < 5 ms"}, [](double, double rtt, double, const auto&) { return rtt < 0.005; }));
  CHECK(leaves_just({"/network/links/0/rtt>=0.001s"},
                    [](double, double rtt, double, const auto&) { return rtt > 9e-4; }));
  CHECK(leaves_just({"rtt == 1000 us"}, [](double, double rtt, double, const auto&) { return rtt == 0.001; }));
  CHECK(leaves_just({"3 * 0.1 ms = rtt"}, [](double, double rtt, double, const auto&) { return rtt < 0.0005; }));
  CHECK(leaves_just({"bandwidth != 8 Gbps"}, [](double, double, double b, const auto&) { return b != 1e9; }));
  CHECK(leaves_just({"bandwidth*rtt > 1 MB"}, [](double, double rtt, double b, const auto&) { return b * rtt > 1e6; }));
  CHECK(leaves_just({"count / 4 < 60 %"}, [](double n, double, double, const auto&) { return n / 4 < 0.6; }));
  CHECK(leaves_just({"max(count, 2) ^ 2 - 1 > 3 + 1"}, [](double n, double, double, const auto&) { return n > 2; }));
  CHECK(leaves_just({"-count < -2"}, [](double n, double, double, const auto&) { return n > 2; }));
  CHECK(leaves_just({"rtt * 2 /s > 0.01"}, [](double, double rtt, double, const auto&) { return rtt * 2 > 0.01; }));
}

TEST_CASE("conditions are joined by and, or, not, with the precedence of those words, and all --where hold together") {
  CHECK(leaves_just({"not count < 3 and rtt < 5 ms"},
                    [](double n, double rtt, double, const auto&) { return n >= 3 && rtt < 0.005; }));
  CHECK(leaves_just({"count == 1 or count == 2 and rtt > 5 ms"},
                    [](double n, double rtt, double, const auto&) { return n == 1 || (n == 2 && rtt > 0.005); }));
  CHECK(leaves_just({"!(count < 2 || rtt > 5 ms) && bandwidth > 1 Gbps"},
                    [](double n, double rtt, double b, const auto&) { return n >= 2 && rtt < 0.005 && b > 1.3e8; }));
  CHECK(leaves_just({"count > 1", "bandwidth <= 1 GB/s", "rtt < 5 ms"},
                    [](double n, double rtt, double b, const auto&) { return n > 1 && b <= 1e9 && rtt < 0.005; }));
}

TEST_CASE("words are compared with quoted words") {
  CHECK(leaves_just({"dispatch == \"round_robin\" or count > 3"},
                    [](double n, double, double, const std::string& word) { return word == "round_robin" || n > 3; }));
  CHECK(leaves_just({"dispatch != 'round_robin'"},
                    [](double, double, double, const std::string& word) { return word != "round_robin"; }));
}

TEST_CASE("a condition of thousands of characters is refused") {
  CHECK(complaint_of("count < 1" + std::string(3000, ' '))
            .find("It has 3,009 characters; at most 2,000 are allowed. "
                  "Give --where several times.") != std::string::npos);
}

TEST_CASE("a condition on the first axes spares the combinations of the others, so that few of very many are found") {
  const SweepSpace space = sweep_space({.axes = {"/jobs/0/count=1:100000", "/models/emtrk/max_batch_size=1:100000"},
                                        .where = {"count == 7", "max_batch_size < 3000"}},
                                       scenario_of_conditions());
  CHECK(space.size() == 2999);
  CHECK(space.cells(2998).at(1).text == "2999");
}

TEST_CASE("no text of parts of conditions does any harm: it is understood or refused in a sentence") {
  CHECK(rc::check("understood or refused", [] {
    const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "count", "rtt", "dispatch", "/jobs/0/count", "1", "5 ms", "1e308", "\"round_robin\"", "<", "==", "and", "or",
        "not", "!", "(", ")", "(", ")", "+", "-", "*", "/", "^", ",", "min", "sqrt(", "max()", "?", ":", "&", "|", "=",
        "%", "\xC3\xA9", "0"));
    std::string condition;
    for (const std::string& part : parts) condition += part + (*rc::gen::arbitrary<bool>() ? " " : "");
    const std::string complaint = complaint_of(condition);
    const bool refused = complaint.find("sweep.bad_condition It ") != std::string::npos ||
                         complaint.find("sweep.bad_condition The ") != std::string::npos ||
                         complaint.find("sweep.bad_condition No ") != std::string::npos ||
                         complaint.find("sweep.bad_condition \"") != std::string::npos;
    RC_ASSERT(complaint == "none" || refused || complaint.find("sweep.no_points") != std::string::npos);
  }));
  CHECK(complaint_of(std::string(900, '(') + "count < 3" + std::string(900, ')')) == "none");
  CHECK(fault_of("--count < 3") == "It cannot be understood at \"-\", behind \"-\".");
  std::string turned = "count < 3";
  for (int i = 0; i < 400; ++i) turned = "!(" + turned + ")";
  CHECK(complaint_of(turned) == "none");
}

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
  const ReadScenario read = sound_with({{"/run/seed", std::to_string(seed)}});
  const SweepSpace space = sweep_space(text, read);
  std::vector<GridPoint> points;
  for (std::uint64_t point = 0; point < space.size(); ++point) points.push_back(space.steps(point));
  return points;
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
