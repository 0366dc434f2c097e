#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/document/parse_document.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

// Reads a text; anything but a scenario or complaints leaves as an exception, which fails the property.
bool is_read_or_refused(const std::string& text, const std::vector<Override>& changes = {}) {
  try {
    const ReadScenario read = read_scenario_text(text, "s.json", changes);
    RC_ASSERT(!read.scenario.jobs.empty());
    return true;
  } catch (const InputError& error) {
    RC_ASSERT(!error.complaints().empty());
    for (const Complaint& complaint : error.complaints()) {
      RC_ASSERT(!complaint.code.empty());
      RC_ASSERT(!complaint.text.empty());
      for (const char c : complaint.formatted())
        RC_ASSERT(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 32);
    }
    return false;
  }
}

std::string any_shipped_text() {
  const auto files = shipped_scenarios();
  return std::string(files[*rc::gen::inRange<std::size_t>(0, files.size())].text);
}

std::string random_json(int depth) {
  static const std::vector<std::string> words{"schema",    "jobs",  "models", "servers", "name",  "site",
                                              "count",     "event", "cpu",    "infer",   "items", "t4",
                                              "per_batch", "run",   "links",  "seed"};
  static const std::vector<std::string> leaves{"1",
                                               "-1",
                                               "0",
                                               "1e308",
                                               "1e-400",
                                               "true",
                                               "null",
                                               "\"\"",
                                               "\"1 s\"",
                                               "\"9 GB\"",
                                               "\"NaN\"",
                                               "\"1 %\"",
                                               "12.5",
                                               "\"emtrk\"",
                                               "\"\\u0000\"",
                                               "\"\\ud83d\\ude00\"",
                                               "18446744073709551616"};
  const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 3);
  if (kind == 0) return *rc::gen::elementOf(leaves);
  const int children = *rc::gen::inRange(0, 5);
  std::string text;
  for (int i = 0; i < children; ++i) {
    if (i > 0) text += ",";
    if (kind == 2) text += "\"" + *rc::gen::elementOf(words) + "\":";
    text += random_json(depth - 1);
  }
  return kind == 1 ? "[" + text + "]" : "{" + text + "}";
}

}  // namespace

TEST_CASE("a shipped scenario with flipped, torn, swapped or repeated pieces is read or refused, never more") {
  std::vector<std::string> samples;
  for (const EmbeddedFile& file : shipped_scenarios()) samples.emplace_back(file.text);
  CHECK(rc::check("mutants", [&] {
    is_read_or_refused(fuzz::mutant_of(samples, fuzz::SeededDraws(*rc::gen::arbitrary<std::uint64_t>())));
  }));
}

TEST_CASE("a shipped scenario that ends early is refused") {
  CHECK(rc::check("truncated text", [] {
    const std::string text = any_shipped_text();
    const std::size_t last_brace = text.rfind('}');
    RC_ASSERT_FALSE(is_read_or_refused(text.substr(0, *rc::gen::inRange<std::size_t>(0, last_brace + 1))));
  }));
}

TEST_CASE("random JSON in any place of a scenario is read or refused") {
  CHECK(rc::check("random values", [] {
    const std::string pieces = *rc::gen::element<std::string>(
        "\"110 s\"", "268", "\"32.2 us\"", "[\"fnal\", \"iowa\"]", "{ \"seed\": 42 }",
        "{ \"type\": \"t4\", \"count\": 4 }", "[\"emtrk\"]", "{ \"kind\": \"gpu\" }", "\"9216 B\"", "\"reco\"");
    is_read_or_refused(sound_scenario_with(pieces, random_json(4)));
    is_read_or_refused(random_json(6));
  }));
}

TEST_CASE("random JSON in any key of a model, its law, a server, a device or a call is read or refused") {
  CHECK(rc::check("random keys", [] {
    const auto any_key = [](const char* definition) {
      for (const Definition* each : all_definitions())
        if (each->name == definition) return each->fields[*rc::gen::inRange<std::size_t>(0, each->fields.size())].key;
      return std::string();
    };
    const std::vector<std::pair<std::string, const char*>> homes{
        {"/models/tag", "model"},          {"/models/chain", "model"},     {"/models/tag/service/t4", "service law"},
        {"/servers/0", "server"},          {"/devices/t4", "device type"}, {"/servers/0/devices", "device pool"},
        {"/jobs/0/event/0", "infer stage"}};
    std::vector<Override> changes;
    const int number = *rc::gen::inRange(1, 5);
    for (int i = 0; i < number; ++i) {
      const auto& [pointer, definition] = *rc::gen::elementOf(homes);
      const std::string value =
          *rc::gen::arbitrary<bool>()
              ? random_json(3)
              : *rc::gen::element<std::string>("true", "[8, 4]", "[\"chain\"]", "[\"tag\", \"clean\"]", "64", "0.5",
                                               "\"central_queue\"", "\"ahead\"", R"({ "timeout": "1 ms" })",
                                               "\"10 us\"", "[0.5, 0.25]");
      changes.push_back({pointer + "/" + any_key(definition), value});
    }
    is_read_or_refused(batching_scenario(), changes);
  }));
}

TEST_CASE("random overrides are taken or refused") {
  CHECK(rc::check("random overrides", [] {
    std::string pointer;
    const int steps = *rc::gen::inRange(0, 5);
    for (int i = 0; i < steps; ++i)
      pointer += "/" + *rc::gen::element<std::string>("jobs", "0", "event", "count", "-", "models", "emtrk", "~1", "~",
                                                      "run", "seed", "", "99999999999999999999", "\xFF");
    is_read_or_refused(sound_scenario(),
                       {{pointer, random_json(3)}, {pointer + "/x", *rc::gen::arbitrary<std::string>()}});
  }));
}

TEST_CASE("a document of a million mistakes is refused in the time of reading it") {
  std::string text = "{";
  for (int i = 0; i < 500'000; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  const std::vector<Complaint> complaints = complaints_about(text + "}");
  CHECK(complaints.size() == 51);
}

TEST_CASE("a document of more values than are read is refused at the first one beyond") {
  std::string text = "[";
  while (text.size() < 2 * most_values) text += "0,";
  const std::vector<Complaint> complaints = complaints_about(text + "0]");
  CHECK(places_and_codes(complaints) == "1:" + std::to_string(2 * most_values) + " scenario.too_many_values");
}

}  // namespace saturn::tests
