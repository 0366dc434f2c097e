#include <doctest/doctest.h>

#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

// "line:column code: text" of the only complaint about a text.
std::string complaint_about(const std::string& text) {
  const std::vector<Complaint> complaints = complaints_about(text);
  if (complaints.size() != 1) return std::to_string(complaints.size()) + " complaints";
  const Complaint& c = complaints.front();
  return std::to_string(c.line) + ":" + std::to_string(c.column) + " " + c.code + ": " + c.text;
}

}  // namespace

TEST_CASE("comments of both kinds are read over, wherever they stand") {
  CHECK(complaints_about("// first line\n/* and, a: {block} */" +
                         sound_scenario_with("\"count\": 268", "\"count\" /* : */ : // 1,\n 268 /* last */"))
            .empty());
}

TEST_CASE("places after comments and escaped texts are still right") {
  const std::string text =
      sound_scenario_with("\"name\": \"reco\"", "/* \"x\": { */ \"name\": \"a\\\"b\\\\\", // }\n \"odd\": 1");
  CHECK(places_and_codes(complaints_about(text)) == place_of(text, "\"odd\"") + " scenario.unknown_key");
}

TEST_CASE("a syntax error shows where, what was found, what is expected and the way out") {
  CHECK(complaint_about("{\n  \"a\": 1,\n}") ==
        "3:1 scenario.syntax: Found \"}\" where a key in double quotes is expected; remove the comma before it.");
  CHECK(complaint_about("{\"a\": [1, 2, ]}") ==
        "1:14 scenario.syntax: Found \"]\" where a value is expected; remove the comma before it.");
  CHECK(complaint_about("{\"a\": [1,, 2]}") ==
        "1:10 scenario.syntax: Found \",\" where a value is expected; remove one of the two commas.");
  CHECK(complaint_about("{\n  \"a\": 1\n  \"b\": 2\n}") ==
        "3:3 scenario.syntax: Found \"b\" where \",\" or \"}\" is expected; a comma is missing before it.");
  CHECK(complaint_about("{\"a\" 1}") ==
        "1:6 scenario.syntax: Found \"1\" where \":\" after the key is expected; write \"key\": value.");
  CHECK(complaint_about("{a: 1}") ==
        "1:2 scenario.syntax: Found \"a\" where a key in double quotes is expected; texts and keys stand in double "
        "quotes.");
  CHECK(complaint_about("{'a': 1}") ==
        "1:2 scenario.syntax: Found \"'\" where a key in double quotes is expected; texts and keys stand in double "
        "quotes.");
  CHECK(
      complaint_about("{\"a\": 1") ==
      "1:8 scenario.syntax: Found the end of the text where \",\" or \"}\" is expected; a bracket, a brace or a quote "
      "is not closed.");
  CHECK(complaint_about("{\"a\": 110 s}") ==
        "1:11 scenario.syntax: Found \"s\" where \",\" or \"}\" is expected; a comma is missing before it.");
  CHECK(complaint_about("{} {}") ==
        "1:4 scenario.syntax: Found \"{\" where the end of the text is expected; the document is one object, and ends "
        "with its closing brace.");
  CHECK(complaint_about("# a comment\n{}") ==
        "1:1 scenario.syntax: Found \"#\" where a value is expected; comments begin with \"//\".");
  CHECK(complaint_about("{\"a\": \"110 s\n}") ==
        "1:7 scenario.syntax: The text that begins here has no closing quote on its line.");
  CHECK(complaint_about("{\"a\": 1 /* never closed }") ==
        "1:9 scenario.syntax: The comment that begins here is not valid: write \"// ...\" or \"/* ... */\".");
}

TEST_CASE("numbers that are not finite are refused where they stand") {
  const std::string rest = " where a value is expected; a scenario holds finite numbers only.";
  CHECK(complaint_about("{\"a\": NaN}") == "1:7 scenario.syntax: Found \"NaN\"" + rest);
  CHECK(complaint_about("{\"a\": Infinity}") == "1:7 scenario.syntax: Found \"Infinity\"" + rest);
  CHECK(complaint_about("{\"a\": -Infinity}") == "1:7 scenario.syntax: Found \"-Infinity\"" + rest);
  CHECK(complaint_about("{\"a\": [1, 1e999]}") ==
        "1:11 scenario.not_finite: 1e999 is larger than any number that a computer holds; write a finite number.");
}

TEST_CASE("a key that is given twice is refused at its second place") {
  CHECK(complaint_about(sound_scenario_with("\"count\": 268", "\"count\": 268,\n      \"count\": 269")) ==
        "6:7 scenario.duplicate_key: /jobs/0/count is given twice, first on line 5; keep one of the two.");
}

TEST_CASE("nesting is read up to 64 levels and refused beyond, however deep") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(complaint_about(nested(64)) ==
        "1:1 scenario.wrong_type: The document is a list; a scenario in braces is needed.");
  const std::string refused =
      "1:65 scenario.too_deep: Lists and objects are nested more than 64 deep here; a scenario needs no more than ten "
      "levels.";
  CHECK(complaint_about(nested(65)) == refused);
  CHECK(complaint_about(nested(1'000'000)) == refused);
}

TEST_CASE("texts that cannot be JSON are named for what they are") {
  CHECK(complaint_about("").starts_with("0:0 scenario.empty_file"));
  CHECK(complaint_about(" \n\t ").starts_with("0:0 scenario.empty_file"));
  CHECK(complaint_about(std::string("\x7F\x45LF\0\0", 6)).starts_with("0:0 scenario.binary_file"));
  CHECK(complaint_about("{\n \"title\": \"caf\xE9\"}").starts_with("2:15 scenario.not_utf8"));
  CHECK(complaint_about(std::string(17U << 20U, ' ')).starts_with("0:0 scenario.too_large"));
  CHECK(complaints_about("\xEF\xBB\xBF" + sound_scenario()).empty());
}

TEST_CASE("a text of another version or another kind is refused by its schema") {
  CHECK(only_text("saturn-scenario/1", "saturn-scenario/2") ==
        "/schema is \"saturn-scenario/2\"; allowed is \"saturn-scenario/1\". Did you mean \"saturn-scenario/1\"?");
}

}  // namespace saturn::tests
