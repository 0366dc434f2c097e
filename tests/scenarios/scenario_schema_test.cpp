#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <regex>

#include "scenarios/fields/table_walk.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

using Json = nlohmann::json;

// What the schema's authors' rules ask of every object of ours, checked without a validator: see the two tests below.
std::vector<std::string> faults_of_object(const Json& schema) {
  std::vector<std::string> faults;
  if (schema.value("additionalProperties", true)) faults.push_back("lets unknown keys pass");
  for (const auto& [key, field] : schema.at("properties").items())
    if (field.value("description", "").empty()) faults.push_back(key + " has no description");
  return faults;
}

void collect_references(const Json& schema, std::vector<std::string>& references) {
  if (schema.is_object() && schema.contains("$ref")) references.push_back(schema["$ref"]);
  if (schema.is_structured())
    for (const Json& child : schema) collect_references(child, references);
}

}  // namespace

TEST_CASE("the schema is of draft 2020-12, describes every key, and closes every object") {
  const Json schema = Json::parse(scenario_schema());
  CHECK(schema.at("$schema") == "https://json-schema.org/draft/2020-12/schema");
  for (const auto& definition : schema.at("$defs").items())
    if (!definition.value().contains("oneOf"))
      CHECK_MESSAGE(faults_of_object(definition.value()).empty(), definition.key());
  std::vector<std::string> references;
  collect_references(schema, references);
  CHECK(references.size() > 10);
  for (const std::string& reference : references)
    CHECK_MESSAGE(schema.contains(Json::json_pointer(reference.substr(1))), reference);
}

TEST_CASE("defaults and ranges in the schema are those of the reader") {
  const Json definitions = Json::parse(scenario_schema()).at("$defs");
  const Json& run = definitions.at("run").at("properties");
  CHECK(run.at("seed").at("default") == RunControl{}.seed);
  CHECK(run.at("precision").at("default") == RunControl{}.precision);
  CHECK(definitions.at("link").at("properties").at("rtt").at("default") == "0 s");
  CHECK(definitions.at("server").at("properties").at("dispatch").at("default") == "round_robin");
  const Json& count = definitions.at("job_pool").at("properties").at("count");
  const std::string most = std::to_string(count.at("maximum").get<std::uint64_t>());
  const std::string beyond = std::to_string(count.at("maximum").get<std::uint64_t>() + 1);
  CHECK(complaints_about(sound_scenario_with("268", most)).empty());
  const std::string too_many = sound_scenario_with("268", beyond);
  CHECK(places_and_codes(complaints_about(too_many)) == place_of(too_many, beyond) + " scenario.out_of_range");
}

TEST_CASE("every default and every example of the table passes the rule of its own field") {
  // Each example is put into the sound scenario in turn; names in it may then be unknown, but no field may be refused.
  const std::vector<std::pair<std::string, std::string>> homes{{"scenario", ""},
                                                               {"job pool", "/jobs/0"},
                                                               {"infer stage", "/jobs/0/event/2"},
                                                               {"cpu stage", "/jobs/0/event/0"},
                                                               {"model", "/models/emtrk"},
                                                               {"service law", "/models/emtrk/service/t4"},
                                                               {"server", "/servers/0"},
                                                               {"device pool", "/servers/0/devices"},
                                                               {"device type", "/devices/t4"},
                                                               {"network", "/network"},
                                                               {"link", "/network/links/0"},
                                                               {"attachment", "/servers/0/attached"},
                                                               {"route", "/network/routes/0"},
                                                               {"run", "/run"}};
  const Override attached{"/servers/0/attached", R"({ "bus": "1 GB/s" })"};
  const Override route{"/network/routes", R"([{ "between": ["fnal", "iowa"], "via": ["cern"] }])"};
  std::size_t tried = 0;
  for (const Definition* definition : all_definitions()) {
    for (const auto& [name, pointer] : homes) {
      if (name != definition->name) continue;
      for (const FieldText& field : definition->fields) {
        const std::string value = field.required ? field.example : field.fallback;
        if (value.empty()) continue;
        ++tried;
        for (const Complaint& complaint :
             complaints_about(sound_scenario(), {attached, route, {pointer + "/" + field.key, value}})) {
          const bool about_fields =
              complaint.code == "scenario.wrong_type" || complaint.code == "scenario.out_of_range" ||
              complaint.code == "scenario.missing_unit" || complaint.code == "scenario.unknown_key" ||
              complaint.code == "scenario.missing_key" || complaint.code == "scenario.not_a_choice";
          CHECK_MESSAGE(!about_fields, complaint.formatted());
        }
      }
    }
  }
  CHECK(tried > 30);
}

TEST_CASE("the schema's pattern of a quantity accepts exactly the texts that the reader understands") {
  for (const Dimension dimension :
       {Dimension::duration, Dimension::size, Dimension::bandwidth, Dimension::price, Dimension::energy_price,
        Dimension::traffic_price, Dimension::power, Dimension::ratio}) {
    const std::regex pattern(quantity_pattern(dimension));
    CHECK(rc::check("pattern matches <=> reader understands", [&] {
      const auto any_unit = rc::gen::elementOf(std::vector<Unit>(units().begin(), units().end()));
      const std::string text =
          *rc::gen::element<std::string>("1", "0.5", "1e3", "2.5E-3", "1.", ".5", "-1", "+1", "", "1e", "07") +
          *rc::gen::element<std::string>("", " ", "  ", "\t") + std::string((*any_unit).name) +
          *rc::gen::element<std::string>("", "", "", " ", "s");
      const QuantityReading reading = read_quantity(text, dimension).reading;
      const bool negative = text.starts_with('-');
      RC_ASSERT(std::regex_match(text, pattern) == (reading == QuantityReading::good && !negative));
    }));
  }
}

}  // namespace saturn::tests
