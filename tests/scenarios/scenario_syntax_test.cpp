#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/text_files.hpp"
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

TEST_CASE("a document is written as nlohmann's library writes it, whatever it holds") {
  const auto is_written_alike = [](const std::string& text) {
    const Node root = parse_document(text, 0).root;
    const nlohmann::json known = nlohmann::json::parse(text, nullptr, true, true);
    for (const int indent : {-1, 0, 2}) CHECK(json_text(root, indent) == known.dump(indent));
  };
  for (const EmbeddedFile& file : shipped_scenarios()) is_written_alike(std::string(file.text));
  is_written_alike(R"({ "z": [], "a": {}, "b": [1, [2, {}], null, true, false], "A\n\"b\"": "\u0001\\ µ \u00e9 \u007f",
                        "twice": 1, "twice": [2], "numbers": [0, -0, -7, 1.0, 0.1, 1e3, 1.5E-7, 1e22, 12345678901234567,
                        18446744073709551615, 123456789012345678901234567890] })");
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

TEST_CASE("a text of 17 MB is refused for its size") {
  CHECK(complaint_about(std::string(17U << 20U, ' ')).starts_with("0:0 scenario.too_large"));
}

}  // namespace saturn::tests
