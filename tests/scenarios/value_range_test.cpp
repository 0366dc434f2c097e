#include "scenarios/fields/value_range.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <charconv>
#include <cmath>

using namespace saturn;

namespace {

/// The values in one text, "a | b | c", or the fault.
std::string read(std::string_view text, bool whole = true, std::optional<Dimension> dimension = std::nullopt,
                 std::size_t most = 1000) {
  const ValueRange range = read_value_range(text, whole, dimension, most);
  if (!range.fault.empty()) return (range.empty ? "empty: " : "") + range.fault;
  std::string all;
  for (const std::string& value : range.values) all += (all.empty() ? "" : " | ") + value;
  return all;
}

std::string duration(std::string_view text) {
  return read(text, false, Dimension::duration);
}
std::string number(std::string_view text) {
  return read(text, false);
}

double as_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  RC_ASSERT(error == std::errc{} && end == text.data() + text.size());
  return value;
}

}  // namespace

TEST_CASE("lists, linear and geometric ranges give the values that a person would write") {
  CHECK(read(" 1, 2 ,4,8 ") == "1 | 2 | 4 | 8");
  CHECK(read("1e3") == "1000");
  CHECK(read("0:100:25") == "0 | 25 | 50 | 75 | 100");
  CHECK(read("0:95:25") == "0 | 25 | 50 | 75");
  CHECK(read("3:6") == "3 | 4 | 5 | 6");
  CHECK(read("5:5") == "5");
  CHECK(read("-2:2:2") == "-2 | 0 | 2");
  CHECK(read("1:1000:x2") == "1 | 2 | 4 | 8 | 16 | 32 | 64 | 128 | 256 | 512");
  CHECK(read("1:65536:x16") == "1 | 16 | 256 | 4096 | 65536");
  CHECK(read("1:4:log7") == "1 | 2 | 3 | 4");
  CHECK(number("0.1:0.5:0.1") == "0.1 | 0.2 | 0.3 | 0.4 | 0.5");
  CHECK(number("-0.3:0.3:0.1") == "-0.3 | -0.2 | -0.1 | 0 | 0.1 | 0.2 | 0.3");
  CHECK(number("1:10:x1.5") == "1 | 1.5 | 2.25 | 3.375 | 5.0625 | 7.59375");
  CHECK(number("fnal,iowa, true ,null,007") == "fnal | iowa | true | null | 007");
}

TEST_CASE("quantities keep their unit, and a range that of its first value") {
  CHECK(duration("0.5ms, 1 ms,2s") == "0.5 ms | 1 ms | 2 s");
  CHECK(duration("0.1ms:100ms:log4") == "0.1 ms | 1 ms | 10 ms | 100 ms");
  CHECK(duration("0.1ms:100ms:log5") == "0.1 ms | 0.5623 ms | 3.162 ms | 17.78 ms | 100 ms");
  CHECK(duration("200ms:1s:400000us") == "200 ms | 600 ms | 1000 ms");
  CHECK(duration("100us:1ms:x2") == "100 us | 200 us | 400 us | 800 us");
  CHECK(duration("0h:1d:6h") == "0 h | 6 h | 12 h | 18 h | 24 h");
  CHECK(read("1Gbps:1.25GB/s:x10", false, Dimension::bandwidth) == "1 Gbps | 10 Gbps");
  CHECK(read("10%:50%:20%", false, Dimension::ratio) == "10 % | 30 % | 50 %");
  CHECK(read("0.1, 50%", false, Dimension::ratio) == "0.1 | 50 %");
}

TEST_CASE("a range without a text is empty, and one of too many values is refused with the limit") {
  CHECK(read("") == "empty: There are no values; write a list such as \"1,2,4\" or a range such as \"1:8\".");
  CHECK(read("1:1000000000") ==
        "It has 1,000,000,000 values; at most 1,000 are allowed. Take a larger step, or a factor such as \"x2\".");
}

TEST_CASE("ranges rise from their first value to their last, whatever the ends and steps") {
  const bool holds = rc::check([] {
    const int first = *rc::gen::inRange(1, 3000);
    const int last = first + *rc::gen::inRange(0, 5000);
    const bool whole = *rc::gen::arbitrary<bool>();
    const std::string step = *rc::gen::element<std::string>("1", "7", "x2", "x1.1", "log2", "log13", "log40");
    const std::string text = std::to_string(first) + ":" + std::to_string(last) + ":" + step;
    const ValueRange range = read_value_range(text, whole, std::nullopt, 10'000);
    if (!range.fault.empty()) {
      RC_ASSERT(range.fault.find("passes the last value at once") != std::string::npos);
      return;
    }
    RC_ASSERT(as_number(range.values.front()) == first);
    const double end = as_number(range.values.back());
    RC_ASSERT(end <= last);
    const double next = step == "x2" ? 2.0 * end : step == "x1.1" ? 1.1 * end + (whole ? 1.0 : 1e-3 * end) : end + 7.0;
    if (step.starts_with("log")) RC_ASSERT(end == last);
    if (step == "1") RC_ASSERT(end == last);
    RC_ASSERT(next > last);
    for (std::size_t i = 1; i < range.values.size(); ++i) {
      RC_ASSERT(as_number(range.values[i]) > as_number(range.values[i - 1]));
      RC_ASSERT(!whole || as_number(range.values[i]) == std::floor(as_number(range.values[i])));
    }
  });
  CHECK(holds);
}

TEST_CASE("any text is either read or refused with a sentence") {
  const bool holds = rc::check([] {
    const auto piece = rc::gen::element<std::string>("1", "0", ":", ",", "x", "log", "e9", "-", ".", "ms", " ", "%",
                                                     "\xff", "s", "nan", "9999999999999999999");
    std::string text;
    for (const std::string& one : *rc::gen::container<std::vector<std::string>>(piece)) text += one;
    const bool whole = *rc::gen::arbitrary<bool>();
    const auto dimension =
        *rc::gen::element<std::optional<Dimension>>(std::nullopt, Dimension::duration, Dimension::ratio);
    const ValueRange range = read_value_range(text, whole, whole ? std::nullopt : dimension, 100);
    RC_ASSERT(range.fault.empty() != range.values.empty());
    RC_ASSERT(range.values.size() <= 100);
    RC_ASSERT(range.fault.empty() || range.fault.ends_with('.'));
  });
  CHECK(holds);
}
