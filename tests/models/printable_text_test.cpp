#include <doctest/doctest.h>

#include <string>

#include "models/values/text.hpp"

using namespace saturn;

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
