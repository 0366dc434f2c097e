#include <doctest/doctest.h>

#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

TEST_CASE("a complaint shows file, line, column, code, sentence, excerpt and caret") {
  const Complaint complaint{.source = "scenarios/library/cms-particlenet.json",
                            .line = 41,
                            .column = 24,
                            .code = "scenario.missing_unit",
                            .text =
                                "/models/particlenet/max_queue_delay is 0.8; a duration needs its unit, for example "
                                "\"0.8 ms\".",
                            .excerpt = "    \"max_queue_delay\": 0.8,"};
  CHECK(complaint.formatted() ==
        "scenarios/library/cms-particlenet.json:41:24: scenario.missing_unit\n"
        "  /models/particlenet/max_queue_delay is 0.8; a duration needs its unit, for example \"0.8 ms\".\n"
        "  41 |     \"max_queue_delay\": 0.8,\n"
        "     |                        ^");
}

TEST_CASE("a complaint about an option names it and shows no line") {
  const Complaint complaint{.source = "--set /jobs/0/count=0", .code = "scenario.out_of_range", .text = "It is 0."};
  CHECK(complaint.formatted() == "--set /jobs/0/count=0: scenario.out_of_range\n  It is 0.");
}

TEST_CASE("the caret stands under its character when the line holds tabs and letters of several bytes") {
  const Complaint complaint{
      .source = "f", .line = 7, .column = 6, .code = "c", .text = "t", .excerpt = "\t\"\u00B5\": 0.8"};
  CHECK(complaint.formatted() == "f:7:6: c\n  t\n  7 | \t\"\u00B5\": 0.8\n    | \t    ^");
}

TEST_CASE("a long line is cut on both sides of the caret") {
  const Complaint complaint{.source = "f",
                            .line = 1,
                            .column = 101,
                            .code = "c",
                            .text = "t",
                            .excerpt = std::string(100, 'a') + "X" + std::string(100, 'b')};
  CHECK(complaint.formatted() == "f:1:101: c\n  t\n  1 | ..." + std::string(60, 'a') + "X" + std::string(49, 'b') +
                                     "...\n    | " + std::string(63, ' ') + "^");
}

TEST_CASE("control characters of the input never reach the terminal") {
  const Complaint complaint{.source = "a\x1b[31m",
                            .line = 1,
                            .column = 2,
                            .code = "c",
                            .text = "bell \x07 and \xC2\x9B",
                            .excerpt = "\x1b[2J\x7F"};
  CHECK(complaint.formatted() == "a?[31m:1:2: c\n  bell ? and ?\n  1 | ?[2J?\n    |  ^");
}

TEST_CASE("a place that is refused after a thousand complaints is unsound as any other") {
  ComplaintList complaints;
  for (std::size_t i = 0; i < 3000; ++i) complaints.refuse({0, i}, "/jobs/" + std::to_string(i), "c", "t");
  CHECK(complaints.full());
  for (const char* pointer : {"/jobs/0", "/jobs/2999", "/jobs/2999/count", "/jobs"})
    CHECK_FALSE(complaints.sound(pointer));
  CHECK_FALSE(complaints.complete("/jobs/2999/event"));
  CHECK(complaints.sound("/models"));
}

TEST_CASE("a value far along a line of megabytes is located, and only its surroundings are kept") {
  std::string text = sound_scenario_with("\"seed\": 42", "\"seed\": -1");
  for (char& c : text)
    if (c == '\n') c = ' ';
  text.insert(1, std::string(2'000'000, ' '));
  const std::vector<Complaint> complaints = complaints_about(text);
  REQUIRE(complaints.size() == 1);
  CHECK(complaints[0].column == text.find("-1") + 1);
  CHECK(complaints[0].excerpt.size() < 1000);
  CHECK(complaints[0].formatted().find("\"run\": { \"seed\": -1 }") != std::string::npos);
}

TEST_CASE("all complaints come at once, by position, each once") {
  std::string text = sound_scenario_with("\"110 s\"", "110");
  text.replace(text.find("\"t4\", \"count\": 4"), 16, "\"t5\", \"count\": 0");
  text.replace(text.find("\"seed\""), 6, "\"sede\"");
  CHECK(places_and_codes(complaints_about(text)) == place_of(text, "110 }") + " scenario.missing_unit\n" +
                                                        place_of(text, "\"t5\"") + " scenario.unknown_device\n" +
                                                        place_of(text, "0 }, \"models\"") + " scenario.out_of_range\n" +
                                                        place_of(text, "\"sede\"") + " scenario.unknown_key");
}

TEST_CASE("after fifty complaints their number is told") {
  std::string stages;
  for (int i = 0; i < 60; ++i) stages += "{ \"cpu\": 1 }, ";
  const auto complaints = complaints_about(sound_scenario_with("{ \"cpu\": \"110 s\" }", stages + "{ \"cpu\": 1 }"));
  REQUIRE(complaints.size() == 51);
  CHECK(complaints.back().formatted() ==
        "s.json: scenario.more_complaints\n  And 11 more; correct these first and read again.");
}

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
