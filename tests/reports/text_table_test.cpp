#include "reports/text_table.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

#include "models/words/texts.hpp"

using namespace saturn;

TEST_CASE("columns are aligned by characters, not by bytes") {
  TextTable table({{"name"}, {"time [µs]", TextTable::Align::right}});
  table.add_row({"ä", "1.0 ± 0.1"});
  table.add_row({"long name", "10"});
  CHECK(table.text({}) ==
        "  name       time [µs]\n"
        "  ä          1.0 ± 0.1\n"
        "  long name         10\n");
}

TEST_CASE("a long last cell is broken at words and stays in its column") {
  TextTable table({{"method"}, {"remark"}});
  std::string remark;
  for (int i = 0; i < 40; ++i) remark += "seven_7 ";
  table.add_row({"bound", remark});
  std::istringstream lines(table.text({}));
  std::string line;
  std::getline(lines, line);
  std::size_t words = 0;
  while (std::getline(lines, line)) {
    CHECK(width_of(line) <= 110);
    CHECK(line.substr(10, 7) == "seven_7");
    for (std::size_t at = line.find("seven_7"); at != std::string::npos; at = line.find("seven_7", at + 1)) ++words;
  }
  CHECK(words == 40);
}

TEST_CASE("colour codes appear only where they are allowed") {
  TextTable table({{"a"}});
  table.add_row({"1"});
  CHECK((heading("x", {}) + table.text({})).find('\033') == std::string::npos);
  CHECK(heading("x", {.colour = true}) == "\033[1mx\033[0m\n");
}

TEST_CASE("a table in Markdown shows its cells as they are, also those that would format it or end a row") {
  TextTable table({{"a|b"}, {"n", TextTable::Align::right}});
  table.add_row({"hepcloud_* <b> [x]", "1\n2"});
  CHECK(table.markdown() ==
        "| a\\|b | n |\n"
        "|---|---:|\n"
        "| hepcloud_\\* \\<b\\> \\[x\\] | 1 2 |\n");
}

TEST_CASE("a row with the wrong number of cells is our bug") {
  TextTable table({{"a"}, {"b"}});
  CHECK_THROWS_AS(table.add_row({"1"}), std::invalid_argument);
}
