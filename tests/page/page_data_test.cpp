#include "reports/page/page_data.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "models/results/measures.hpp"
#include "reports/words/escaped_text.hpp"
#include "tests/page/page_samples.hpp"

using namespace saturn;

namespace {

// What a browser makes of escaped text, written out.
std::string unescaped(std::string html) {
  const std::vector<std::pair<std::string, std::string>> entities = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [entity, character] : entities) {
    for (std::size_t at = html.find(entity); at != std::string::npos; at = html.find(entity, at + 1))
      html.replace(at, entity.size(), character);
  }
  return html;
}

}  // namespace

TEST_CASE("what a user wrote shows as text, in elements and in attributes") {
  CHECK(html_text("</script><b onclick=\"x()\">'&amp;") ==
        "&lt;/script&gt;&lt;b onclick=&quot;x()&quot;&gt;&#39;&amp;amp;");
  CHECK(html_text("µs, Übersicht, 日本") == "µs, Übersicht, 日本");
}

TEST_CASE("bytes that are no text are shown as replaced") {
  CHECK(html_text("a\xff"
                  "b") == "a\uFFFDb");
  CHECK(html_text("cut \xe6\x97") == "cut \uFFFD");
  CHECK(html_text(std::string("nul\0bell\a", 9)) == "nul\uFFFDbell\uFFFD");
}

TEST_CASE("escaped text reads back as it was and holds nothing that acts") {
  CHECK(rc::check([] {
    std::string text;
    for (const char c : *rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '~'))) text += c;
    const std::string html = html_text(text);
    RC_ASSERT(html.find_first_of("<>\"'") == std::string::npos);
    RC_ASSERT(unescaped(html) == text);
  }));
}

TEST_CASE("JSON in a script element cannot end it and reads back as it was") {
  CHECK(rc::check([] {
    const std::string text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("</script>!-& \"\\ab")));
    const nlohmann::json json = {{"title", text + "\u2028\u2029</script><!--"}};
    const std::string inside = script_json(json.dump());
    RC_ASSERT(inside.find_first_of("<>&") == std::string::npos);
    RC_ASSERT(inside.find("\u2028") == std::string::npos);
    RC_ASSERT(inside.find("\u2029") == std::string::npos);
    RC_ASSERT(nlohmann::json::parse(inside) == json);
  }));
}

TEST_CASE("scripts keep their meaning and cannot end their element") {
  CHECK(script_code("const a = '</SCRIPT>'; // <!-- b") == "const a = '\\x3c/SCRIPT>'; // \\x3c!-- b");
  CHECK(script_code("if (a < b) c = '</p>';") == "if (a < b) c = '</p>';");
}

TEST_CASE("an id has only what links can hold") {
  CHECK(html_id("Résumé 2") == "R--sum---2");
  CHECK(html_id("event_time-1") == "event_time-1");
  CHECK(html_id("") == "part");
}

using Json = nlohmann::json;

TEST_CASE("a map's data show times in the unit that reads best") {
  const Json data = Json::parse(map_data(sample_map(3, 4)));
  CHECK(data["y"]["unit"] == "ms");
  CHECK(data["y"]["words"] == Json::array({"0", "1", "2", "3"}));
  CHECK(data["y"]["present"] == 2);
  CHECK(data["breakdowns"]["unit"] == "ms");
  CHECK(data["breakdowns"]["times"][0] == Json::array({4, 2, 32, 1}));
  CHECK(data["curves"]["y_title"] == "event time [s]");
}

TEST_CASE("cells keep their values, intervals and reasons, row by row") {
  const Json data = Json::parse(map_data(sample_map(3, 2)));
  REQUIRE(data["value"].size() == 6);
  // Row y = 1, column x = 0: 20 + 50 / 1.1
  CHECK(data["value"][3].get<double>() == doctest::Approx(65.4545).epsilon(1e-4));
  CHECK(data["low"][3].get<double>() == doctest::Approx(64.4545).epsilon(1e-4));
  CHECK(data["value"][5].is_null());
  const Json& reasons = data["why_not"];
  CHECK(reasons["words"][reasons["of"][5].get<std::size_t>()] == "the point failed: out of memory");
}

TEST_CASE("a knee is marked only where the field is the curve's own axis") {
  LinkedMap linked = sample_map(2, 2);
  CHECK(Json::parse(map_data(linked))["curves"]["knee_factor"] == 1.0);
  linked.map.value_title = "cost";
  CHECK(Json::parse(map_data(linked))["curves"]["knee_factor"].is_null());
}

TEST_CASE("numbers that are not finite and maps of nothing give valid data") {
  LinkedMap linked = sample_map(2, 2);
  linked.map.cells[0].value = std::numeric_limits<double>::quiet_NaN();
  linked.map.cells[1].curve[0].y = std::numeric_limits<double>::infinity();
  linked.map.y.values[1] = std::numeric_limits<double>::quiet_NaN();
  const Json data = Json::parse(map_data(linked));
  CHECK(data["value"][0].is_null());
  CHECK(data["curves"]["y"][1][0].is_null());
  CHECK(data["y"]["words"][1] == "–");
  CHECK(Json::parse(map_data(LinkedMap{}))["value"].empty());
}

TEST_CASE("the planner's data leave prices out that nobody gave") {
  PlannerModel model = sample_planner();
  model.core_usd_per_hour.reset();
  const Json data = Json::parse(planner_data(model));
  CHECK(data["core_usd_per_hour"].is_null());
  CHECK(data["device_usd_per_hour"] == 0.35);
  CHECK(data["resources"][2]["follows"] == "bandwidth");
  CHECK(data["simulated"].size() == 6);
}

TEST_CASE("the planner's data name answers by the keys of the measures, and jobs only where jobs are counted") {
  const auto keys_of = [](const PlannerModel& model) { return Json::parse(planner_data(model))["keys"]; };
  PlannerModel model = sample_planner();
  const Json closed = keys_of(model);
  for (const char* key : {"ideal_event_time_s", "event_time_s", "slowdown", "events_per_s"}) {
    const Measure& measure = *std::ranges::find_if(
        measures::table, [&](const Measure& one) { return one.subject == Subject::jobs && one.has_key(key); });
    CHECK(closed[std::string(measure.name)] == key);
  }
  CHECK(closed["cost_per_million"] == measure("cost_per_million")->key());
  CHECK(closed["jobs_per_gpu"] == measure("jobs_per_gpu")->key());
  model.stream_word = "stream";
  CHECK_FALSE(keys_of(model).contains("jobs_per_gpu"));
  const Json open = keys_of(sample_open_planner());
  CHECK(open["gpus"] == measure("gpus")->key());
  CHECK_FALSE(open.contains("slowdown"));
}

TEST_CASE("the planner's data have a rate of arrivals and simulated losses only where events arrive") {
  CHECK(Json::parse(planner_data(sample_planner()))["arrivals_per_s"].is_null());
  CHECK(Json::parse(planner_data(sample_planner()))["losses"].empty());
  const Json data = Json::parse(planner_data(sample_open_planner()));
  CHECK(data["arrivals_per_s"] == 3.0);
  REQUIRE(data["losses"].size() == 3);
  CHECK(data["losses"][1] == Json({{"devices", 6.0}, {"lost_fraction", 0.012}, {"low", 0.01}, {"high", 0.014}}));
}
