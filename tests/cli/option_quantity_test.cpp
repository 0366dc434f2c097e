#include "sim/cli/option_quantity.hpp"

#include <doctest/doctest.h>

#include <string>

#include "scenarios/complaint.hpp"
#include "sim/cli/command_line.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;

TEST_CASE("quantities of the command line are read with their units") {
  CHECK(parse_duration("--time-limit", "10 min").value == 600.0);
  CHECK(parse_memory("--memory-limit", "8 GB") == 8000000000U);
  CHECK(parse_memory("--memory-limit", "1 GiB") == 1U << 30U);
  CHECK(parse_fraction("--loss", "1 %") == 0.01);
  CHECK(parse_fraction("--loss", "0.01") == 0.01);
  CHECK(parse_slowdown("5 %") == 0.05);
  CHECK(parse_slowdown(std::nullopt) == 0.01);
}

TEST_CASE("a slowdown of the command line needs its unit, and the complaint says what a bare number may mean") {
  for (const char* verb : {"plan", "report", "sweep --answer plan --axis /jobs/0/count=1,2 --out x"}) {
    const ProcessResult refused = saturn_process(std::string(verb) + " first-steps --slowdown 1.05" +
                                                 (std::string(verb) == "report" ? " --out x.html" : ""));
    CHECK(refused.exit_code == 2);
    CHECK(
        refused.err ==
        "--slowdown: require.bare_slowdown\n"
        "  A slowdown is a share, by which events take longer than when they wait for nobody, and \"1.05\" could be a "
        "ratio as well; did you mean '5 %' or '105 %'?\n");
  }
}

TEST_CASE("a share that is not above zero or not a number is refused") {
  for (const char* text : {"0", "-1 %", "nan", "inf", "", "%", "1 s", "1e9"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_fraction("--loss", text), InputError);
  }
}

TEST_CASE("words are quoted so that a shell reads them back") {
  CHECK(shell_word("/jobs/0/count=300") == "/jobs/0/count=300");
  CHECK(shell_word("/jobs/0/event/0/cpu=100 s") == "'/jobs/0/event/0/cpu=100 s'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
}
