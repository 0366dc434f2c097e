#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/sweep_space.hpp"
#include "tests/scenarios/scenario_samples.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

const ReadScenario& scenario_of_conditions() {
  static const ReadScenario read = read_scenario_text(sound_scenario(), "s.json", {});
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
  CHECK(fault_of("dispatch == \"round\"") ==
        "No axis takes the word \"round\"; their words are \"least_outstanding\" or \"round_robin\".");
  CHECK(fault_of("dispatch < \"round_robin\"") ==
        "It asks whether a word is less or greater; words are equal (==) or not (!=).");
  CHECK(fault_of("dispatch == 1") ==
        "It compares a word with a bare number; both sides need units of one kind, and a "
        "number its unit, as in \"rtt < 5 ms\".");
}

TEST_CASE("what has different units is neither compared nor added") {
  CHECK(fault_of("rtt < bandwidth") == "It compares a duration with a bandwidth; both sides need units of one kind.");
  CHECK(fault_of("rtt < 5") ==
        "It compares a duration with a bare number; both sides need units of one kind, and a "
        "number its unit, as in \"rtt < 5 ms\".");
  CHECK(fault_of("rtt + count < 5 ms") ==
        "It adds or joins a duration with a bare number; both sides need units of one kind, and a number its unit, as "
        "in \"rtt < 5 ms\".");
  CHECK(fault_of("rtt * rtt < 5 ms") ==
        "It compares a product of quantities with a duration; both sides need units of one kind.");
  CHECK(fault_of("rtt ^ 2 > 1 ms") ==
        "It raises a duration to a power; only bare numbers can be. Write a product, such as \"rtt * rtt\".");
  CHECK(fault_of("floor(rtt) > 1 ms") ==
        "It takes a function of a duration, which only bare numbers have; divide by a "
        "unit first, as in \"floor(rtt / 1 ms)\".");
  CHECK(fault_of("1 < count < 3") ==
        "It asks whether a condition is less or greater; write \"a < b and b < c\" for two conditions.");
  CHECK(fault_of("count and rtt < 1 ms") ==
        "It has a bare number beside \"and\" or \"or\", which join conditions, as in \"a < b and b < c\".");
}

TEST_CASE("what is no condition is refused with the place where it ceases to be one") {
  CHECK(fault_of("") == "--where: sweep.bad_condition It is empty; write one such as \"rtt < 5 ms\".");
  CHECK(fault_of("count") == "It is no condition, since it compares nothing; write one such as \"rtt < 5 ms\".");
  CHECK(fault_of("count <") == "It ends too early; something is missing behind \"<\".");
  CHECK(fault_of("(count < 3") == "It opens a parenthesis that is never closed.");
  CHECK(fault_of("count < 3)") == "It cannot be understood at \")\", behind \"3\".");
  CHECK(fault_of("count < * 3") == "It cannot be understood at \"*\", behind \"<\".");
  CHECK(fault_of("count < 3, rtt < 1 ms") == "It has a comma between conditions; join them by \"and\".");
  CHECK(fault_of("(count < 3) rtt") ==
        "It has \"rtt\" where an operator is needed: <, <=, ==, !=, >=, >, +, -, *, /, ^, and, or.");
  CHECK(
      fault_of("rtt < 3 sec") ==
      "It has \"sec\" behind 3, which is neither an operator nor a unit; known units are s, ms, us, B, MB, Gbps, MB/s, "
      "Hz, USD/h, W, % and their like.");
  CHECK(fault_of("min count, 2 < 3") == "It cannot be understood at \"min\", where it begins.");
  CHECK(fault_of("max() < 3") == "It gives a function too many values, or too few.");
  CHECK(fault_of("count # 3") ==
        "It cannot be understood at \"# 3\"; conditions are made of axes, numbers with units, < <= == != >= >, + - * / "
        "^, parentheses, and, or, not.");
  CHECK(fault_of("cuont < 3") == "\"cuont\" is no axis of this sweep; did you mean \"count\"?");
  CHECK(fault_of("seed < 3") ==
        "\"seed\" is no axis of this sweep; known is \"count\", \"rtt\", \"bandwidth\" or \"dispatch\".");
  CHECK(fault_of("/run/seed < 3") ==
        "\"/run/seed\" is no axis of this sweep; known is \"/jobs/0/count\", "
        "\"/network/links/0/rtt\", \"/network/links/0/bandwidth\" or "
        "\"/servers/0/dispatch\".");
  CHECK(complaint_of("count < 1" + std::string(3000, ' '))
            .find("It has 3,009 characters; at most 2,000 are allowed. "
                  "Give --where several times.") != std::string::npos);
}

TEST_CASE("conditions that nothing meets are a complaint") {
  CHECK(complaint_of("count > 4") ==
        "--where count > 4: sweep.no_points None of the 72 combinations meets all conditions; loosen them.");
  CHECK(complaint_of("count / 0 == 0 / 0").find("sweep.no_points") != std::string::npos);
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
