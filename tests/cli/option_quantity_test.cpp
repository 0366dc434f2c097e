#include "sim/cli/option_quantity.hpp"

#include <doctest/doctest.h>

#include <string>

#include "scenarios/complaint.hpp"
#include "sim/cli/command_line.hpp"

using namespace saturn;

TEST_CASE("quantities of the command line are read with their units") {
  CHECK(parse_duration("--time-limit", "10 min").value == 600.0);
  CHECK(parse_memory("--memory-limit", "8 GB") == 8000000000U);
  CHECK(parse_memory("--memory-limit", "1 GiB") == 1U << 30U);
  CHECK(parse_fraction("--slowdown", "1 %") == 0.01);
  CHECK(parse_fraction("--slowdown", "0.01") == 0.01);
}

TEST_CASE("a share that is not above zero or not a number is refused") {
  for (const char* text : {"0", "-1 %", "nan", "inf", "", "%", "1 s", "1e9"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_fraction("--slowdown", text), InputError);
  }
}

TEST_CASE("words are quoted so that a shell reads them back") {
  CHECK(shell_word("/jobs/0/count=300") == "/jobs/0/count=300");
  CHECK(shell_word("/jobs/0/event/0/cpu=100 s") == "'/jobs/0/event/0/cpu=100 s'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
}
