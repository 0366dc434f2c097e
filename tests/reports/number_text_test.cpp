#include "reports/words/number_text.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

#include "models/values/sha256.hpp"
#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/run/provenance.hpp"
#include "reports/tables/text_table.hpp"

using namespace saturn;

namespace {

Estimate around(double mean, double half_width) {
  return {.mean = mean, .low = mean - half_width, .high = mean + half_width, .confidence = 0.95, .replications = 3};
}

double without_commas(std::string text) {
  std::erase(text, ',');
  return std::stod(text);
}

}  // namespace

TEST_CASE("a mean is printed to the digit that its interval makes sense of") {
  CHECK(estimate_text(around(121.2345, 0.3)) == "121.2 ± 0.3");
  CHECK(estimate_text(around(121.2345, 0.13)) == "121.23 ± 0.13");
  CHECK(estimate_text(around(12345.6, 210.0)) == "12,300 ± 200");
  CHECK(estimate_text(around(0.0025, 0.00004)) == "0.00250 ± 0.00004");
  CHECK(estimate_text(around(0.5, 0.02), 100.0) == "50 ± 2");
}

TEST_CASE("a slowdown has one meaning for people: the share by which events are slower") {
  CHECK(slower_text(1.0016) == "0.16 % slower");
  CHECK(slower_text(around(1.00143, 0.00004)) == "0.143 ± 0.004 % slower");
  CHECK(slower_text(around(1.05, 0.01)) == "5.0 ± 1.0 % slower");
  CHECK(slower_text(1.543) == "54.3 % slower");
  CHECK(slower_text(3.5) == "250 % slower");
  CHECK(slower_text(99.5) == "9850 % slower");
  CHECK(slower_text(41000001.0) == "41,000,000 times slower");
  CHECK(slower_text(around(250.0, 3.0)) == "250 ± 3 times slower");
  CHECK(slower_text(around(0.998, 0.004)) == "0.2 ± 0.4 % faster");
  // Rounding errors of a ratio are no share.
  CHECK(slower_text(around(1.0 + 3e-16, 2e-16)) == "0 % slower");
  CHECK(slower_text(around(1.0015942, 1e-15)) == "0.159 % slower");
  CHECK(slower_text(std::numeric_limits<double>::infinity()) == "none");
  CHECK(slower_text(Estimate{.mean = std::nan("")}) == "none");
}

TEST_CASE("an interval that ends at 0 is written out, and a caveat takes the interval's place") {
  CHECK(estimate_text({.mean = 1.5, .low = 0.0, .high = 4.2}) == "1.5 (0 to 4.2)");
  CHECK(estimate_text({.mean = 1111.0, .low = 0.0, .high = 1.0, .caveat = Caveat::not_stationary}) ==
        "1111, not stationary");
  CHECK(estimate_text({.mean = 12.0, .low = 11.0, .high = 13.0, .caveat = Caveat::too_few_events}) == "too few events");
}

TEST_CASE("an interval too narrow to print is rounded up and an exact number has none") {
  CHECK(estimate_text(around(121.2347, 2e-5)) == "121.2347 ± 0.0001");
  CHECK(estimate_text(around(121.2345, 0.0)) == "121.2");
  // What remains of equal values after they are summed and divided again is no uncertainty.
  CHECK(estimate_text(around(121.2345, 1e-12)) == "121.2");
}

TEST_CASE("numbers that are not finite are called none") {
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "none");
  CHECK(estimate_text(around(std::nan(""), 0.1)) == "none");
  CHECK(csv_number(std::nan("")).empty());
}

TEST_CASE("numbers keep their significant digits and negative zero has no sign") {
  CHECK(number_text(0.03214) == "0.03214");
  CHECK(number_text(1.0, 3) == "1.00");
  CHECK(number_text(9.9996, 4) == "10.00");
  CHECK(number_text(-0.09996, 3) == "-0.100");
  CHECK(number_text(1234567.0) == "1,235,000");
  CHECK(number_text(1.5e-7, 2) == "1.5e-07");
  CHECK(fixed_text(-0.04, 1) == "0.0");
  CHECK(percent_text(0.01) == "1 %");
  CHECK(percent_text(0.0025) == "0.25 %");
}

TEST_CASE("a printed number is within half a unit of its last digit, and CSV numbers read back exactly") {
  const bool near = rc::check([] {
    const double value = static_cast<double>(*rc::gen::inRange(-1000000000, 1000000000)) * 1e-4;
    RC_PRE(value != 0.0);
    const double printed = without_commas(number_text(value, 4));
    RC_ASSERT(std::abs(printed - value) <= 0.5001e-3 * std::abs(value));
    RC_ASSERT(std::stod(csv_number(value)) == value);
  });
  CHECK(near);
}

TEST_CASE("a cell of CSV is no formula to a spreadsheet, and numbers stay numbers") {
  for (const char* formula : {"=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "-5 ms", "--1", "=", "-"})
    CHECK(csv_cell(formula).find('\'') <= 1);
  CHECK(csv_cell("=HYPERLINK(\"x\",1)") == "\"'=HYPERLINK(\"\"x\"\",1)\"");
  for (const char* number : {"-1", "+2.5", "-1e-9", "-inf", "17", "0.5 %", "t4", "a=b"})
    CHECK(csv_cell(number) == number);
}

TEST_CASE("SHA-256 gives the digests that its standard prints") {
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

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
