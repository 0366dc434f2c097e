#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "models/values/text.hpp"
#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"

using namespace saturn;

namespace {

std::string printed(const char* format, int digits, double value) {
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), format, digits, value);
  return text.data();
}

/// Any double, numbers of few digits, and halves of the last digit, which are rounded to even.
double drawn_number() {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  const auto mantissa = static_cast<double>(*rc::gen::inRange(-100'000, 100'000));
  const int kind = *rc::gen::inRange(0, 3);
  if (kind == 0) return std::bit_cast<double>(bits);
  if (kind == 1) return std::ldexp(mantissa, *rc::gen::inRange(-20, 20));
  return mantissa * std::pow(10.0, *rc::gen::inRange(-10, 10));
}

}  // namespace

TEST_CASE("numbers are rounded as printf rounds them, in every corner") {
  const auto agrees = [](double value) {
    for (const int digits : {1, 2, 3, 4, 6, 9, 10}) {
      if (significant(value, digits) != printed("%.*g", digits, value)) return false;
      if (!std::isfinite(value)) continue;
      std::string fixed = fixed_text(value, digits);
      std::erase(fixed, ',');
      // Zero has no sign.
      if (fixed != printed("%.*f", digits, value) && "-" + fixed != printed("%.*f", digits, value)) return false;
    }
    return true;
  };
  for (const double value :
       {0.0, -0.0, 0.5, 2.5, 0.125, 999999.5, 9.9995e-5, 1e5, 1e6, 1e-4, 1e-5, 5e-324, 1e308,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("")})
    CHECK(agrees(value));
  CHECK(rc::check("drawn numbers", [&] { RC_ASSERT(agrees(drawn_number())); }));
}

TEST_CASE("the shortest text of a number reads back as the same number") {
  CHECK(rc::check("drawn numbers", [] {
    const double value = drawn_number();
    RC_PRE(std::isfinite(value));
    RC_ASSERT(std::strtod(exact_text(value).c_str(), nullptr) == value);
    RC_ASSERT(std::strtod(shortest(value).c_str(), nullptr) == value);
    RC_ASSERT(exact_text(value).size() <= shortest(value).size());
  }));
  CHECK(exact_text(100000.0) == "1e+05");
  CHECK(shortest(100000.0) == "100000");
  CHECK(shortest(0.00001) == "0.00001");
  CHECK(shortest(0.000001) == "1e-06");
  CHECK(exact_seconds(0.032) == "0.032 s");
}

TEST_CASE("a number rounded to digits is the one that those digits write") {
  CHECK(rounded_to(0.12345, 2) == 0.12);
  CHECK(rounded_to(-98765.0, 3) == -98800.0);
  CHECK(rounded_to(0.0, 4) == 0.0);
  CHECK(rc::check("drawn numbers", [] {
    const double value = drawn_number();
    RC_PRE(std::isfinite(value) && std::abs(value) < 1e300);
    const int digits = *rc::gen::inRange(1, 17);
    RC_ASSERT(rounded_to(value, digits) == std::strtod(printed("%.*e", digits - 1, value).c_str(), nullptr));
  }));
}

TEST_CASE("a number is read from a whole text or not at all") {
  CHECK(read_number("-1.5e3") == -1500.0);
  CHECK(read_count("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", " 1", "1 ", "+1", "1,000", "0x1", "inf", "nan", "1e999", "one"}) {
    CHECK_FALSE(read_number(text));
    CHECK_FALSE(read_count(text));
  }
  CHECK_FALSE(read_count("1.0"));
  CHECK_FALSE(read_count("-1"));
  CHECK_FALSE(read_count("18446744073709551616"));
}

TEST_CASE("a whole number may be written in powers of ten") {
  CHECK(read_whole("12") == 12U);
  CHECK(read_whole("1e6") == 1'000'000U);
  CHECK(read_whole("2.5E3") == 2'500U);
  CHECK(read_whole("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "1.0", "1.5e0", "-1e3", "1e17", "1e-3", "e6", "1e6 "}) CHECK_FALSE(read_whole(text));
}

TEST_CASE("a sentence writes counts to their last digit, and other numbers with four") {
  CHECK(in_words(268312.0) == "268,312");
  CHECK(in_words(269.74) == "269.7");
  CHECK(in_words(12345.6) == "12,346");
  CHECK(in_words(0.000012345) == "1.234e-05");
  CHECK(in_words(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(percent(0.12345) == "12.3 %");
  CHECK(percent(12.345) == "1234 %");
  CHECK(percent_text(0.12345, 3) == "12.3 %");
  CHECK(percent_text(0.5) == "50 %");
}

TEST_CASE("compact numbers have neither commas nor zeros that say nothing") {
  CHECK(compact_number(0.5, 3) == "0.5");
  CHECK(compact_number(1718.6, 4) == "1719");
  CHECK(compact_number(123456.0, 2) == "120000");
  CHECK(compact_number(1e-7, 3) == "1e-7");
  CHECK(compact_number(-2.5e18, 3) == "-2.5e18");
  CHECK(compact_number(0.0, 3) == "0");
  CHECK(label_number(12500.0, 2) == "12,500");
  CHECK(label_number(0.25, 3) == "0.25");
  CHECK(decimal_text(99.0, 1) == "99");
  CHECK(decimal_text(0.25, 6) == "0.25");
}

TEST_CASE("thousands are apart from four digits on in limits, and from five on in tables") {
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1700) == "1,700");
  CHECK(with_commas(1234567) == "1,234,567");
  CHECK(whole_text(1700) == "1700");
  CHECK(whole_text(12400) == "12,400");
  CHECK(whole_text(-1234567.0) == "-1,234,567");
}

TEST_CASE("nouns stand in the plural with every number but one") {
  CHECK(plural(1, "point") == "point");
  CHECK(plural(0, "point") == "points");
  CHECK(plural(2, "entry", "entries") == "entries");
  CHECK(counted(1.0, "GPU") == "1 GPU");
  CHECK(counted(12400, "request") == "12,400 requests");
  CHECK(counted_with_commas(1700, "point") == "1,700 points");
  CHECK(counted_in_words(0.5, "job") == "0.5 jobs");
  CHECK(with_article("ensemble") == "an ensemble");
  CHECK(with_article("job pool") == "a job pool");
}

TEST_CASE("a list is joined by commas and ends with its conjunction, or with how many more there are") {
  const std::vector<std::string> three{"a", "b", "c"};
  CHECK(joined(three) == "a, b, c");
  CHECK(joined(three, "; ") == "a; b; c");
  CHECK(joined(three, ", ", 2) == "a, b and 1 more");
  CHECK(joined_and(three) == "a, b and c");
  CHECK(joined_or(three) == "a, b or c");
  CHECK(joined_or({"a", "b"}) == "a or b");
  CHECK(joined_and({"a"}) == "a");
  CHECK(joined_and({}).empty());
  CHECK(joined_and(three, 1) == "a and 2 more");
  CHECK(listed(three) == R"("a", "b" or "c")");
  CHECK(listed(std::vector<std::string>(23, "x")).ends_with(R"("x", "x" and 3 more)"));
  CHECK(joined(texts_of(std::vector<int>{3, 4}, [](int n) { return std::to_string(n); })) == "3, 4");
  std::string list;
  append_part(list, "one");
  append_part(list, "two", "; ");
  CHECK(list == "one; two");
}

TEST_CASE("texts are quoted, trimmed and aligned by the characters that are seen") {
  CHECK(in_quotes("a\"b") == "\"a\"b\"");
  CHECK(escaped_in_quotes("a\"\\") == R"("a\"\\")");
  CHECK(trimmed(" \t a b\v ") == "a b");
  CHECK(trimmed(" \t ").empty());
  CHECK(trimmed("\va ", " ") == "\va");
  CHECK(trimmed_end("  a  ") == "  a");
  CHECK(split_at("a,,b ", ',') == std::vector<std::string_view>{"a", "", "b "});
  CHECK(split_at("", ',') == std::vector<std::string_view>{""});
  CHECK(replaced_all("a\"\"b", "\"", "\"\"") == "a\"\"\"\"b");
  CHECK(replaced_all("line\nline", "\n", "\n  ") == "line\n  line");
  CHECK(lower_case("GPU Ä") == "gpu Ä");
  CHECK(capitalised("event time") == "Event time");
  CHECK(capitalised("").empty());
  CHECK(repeated("─", 3) == "───");
  CHECK(width_of("µs –") == 4);
  CHECK(right_aligned("µs", 4) == "  µs");
  CHECK(left_aligned("µs", 4) == "µs  ");
  CHECK(right_aligned("longer", 3) == "longer");
  CHECK(shortened("µµµµ", 4) == "µµµµ");
  CHECK(shortened("µµµµ", 3) == "µµ…");
  CHECK(shortened("ab", 1) == "…");
}

TEST_CASE("lines are broken at blanks, and only words longer than a line stand over") {
  CHECK(wrapped("one two  three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("", 7) == std::vector<std::string>{""});
  CHECK(wrapped("a verylongword b", 4) == std::vector<std::string>{"a", "verylongword", "b"});
}

TEST_CASE("quantities are written in the unit that suits their size") {
  CHECK(time_text(0.0118) == "11.80 ms");
  CHECK(time_text(121.4, 3) == "121 s");
  CHECK(time_text(3e-6, 2) == "3.0 us");
  CHECK(time_text(std::numeric_limits<double>::infinity()) == no_value);
  CHECK(with_unit("5", "ms") == "5 ms");
  CHECK(with_unit("5", "") == "5");
  CHECK(name_with_unit("rtt", "ms") == "rtt [ms]");
  CHECK(name_with_unit("clients", "") == "clients");
  CHECK(written_unit("bytes_per_s") == "B/s");
  CHECK(written_unit("usd_per_h") == "usd/h");
  CHECK(written_unit("per_s") == "1/s");
  CHECK(handiest_unit(std::vector<double>{0.005, 0.02}, "s", 3).name == "ms");
}

TEST_CASE("every control, every mark of direction and every byte that is no UTF-8 is replaced, and nothing else") {
  std::string controls;
  for (int c = 0; c < 0x20; ++c) controls += static_cast<char>(c);
  controls += "\x7F";
  CHECK(printable_line(controls) == std::string(33, '?'));
  for (int c = 0x80; c < 0xA0; ++c) CHECK(printable_line(std::string("\xC2") + static_cast<char>(c)) == "?");
  // U+061C, U+200E, U+200F, U+2028, U+202A, U+202E, U+2066, U+2069.
  for (const char* mark : {"\xD8\x9C", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8", "\xE2\x80\xAA", "\xE2\x80\xAE",
                           "\xE2\x81\xA6", "\xE2\x81\xA9"})
    CHECK(printable_line(mark) == "?");
  // A lone continuation, an overlong slash, a surrogate, beyond U+10FFFF, a torn character.
  CHECK(printable_line("\x80") == "?");
  CHECK(printable_line("\xC0\xAF") == "??");
  CHECK(printable_line("\xED\xA0\x80") == "???");
  CHECK(printable_line("\xF4\x90\x80\x80") == "????");
  CHECK(printable_line("\xE2\x82") == "??");
  // U+00A0, U+00B5, U+2026, U+2030, U+206A's neighbour U+2065, U+D7FF, U+10FFFF.
  const std::string fine = "plain \xC2\xA0\xC2\xB5\xE2\x80\xA6\xE2\x80\xB0\xE2\x81\xA5\xED\x9F\xBF\xF4\x8F\xBF\xBF";
  CHECK(printable_line(fine) == fine);
}

TEST_CASE("lines and tabs stay in an answer, and of escapes only the program's own colours") {
  CHECK(printable_lines("a\tb\nc\rd") == "a\tb\nc?d");
  CHECK(printable_line("a\tb\nc") == "a?b?c");
  const std::string own =
      "\033[1mbold\033[0m \033[2mdim\033[0m \033[38;5;36mbar\033[0m \033[38;5;15;48;5;22mcell\033[0m\n";
  CHECK(printable_lines(own, true) == own);
  CHECK(printable_lines(own).find('\033') == std::string::npos);
  for (const char* foreign :
       {"\033[2J", "\033[8m", "\033[1;8m", "\033[38;5;1;8m", "\033]0;title\007", "\033[1", "\033"})
    CHECK(printable_lines(foreign, true).find('\033') == std::string::npos);
}
