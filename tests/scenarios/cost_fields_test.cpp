#include <doctest/doctest.h>

#include "scenarios/fields/quantity_text.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

std::string with_alternatives(const std::string& list) {
  return sound_scenario_with("\"schema\"", "\"alternatives\": " + list + ",\n  \"schema\"");
}

std::string only_complaint(const std::string& list) {
  const std::vector<Complaint> complaints = complaints_about(with_alternatives(list));
  return complaints.size() == 1 ? complaints.front().text : std::to_string(complaints.size()) + " complaints";
}

}  // namespace

TEST_CASE("an alternative keeps its changes in their order, and as --set would take them") {
  const Scenario scenario = read_scenario_text(with_alternatives(R"([{ "name": "near", "set": {
          "/servers/0/site": "fnal", "/jobs/0/count": 5, "/title": "7",
          "/network/links/-": { "between": ["fnal", "fnal"], "bandwidth": "10 Gbps" } } }])"),
                                               "s.json", {})
                                .scenario;
  REQUIRE(scenario.alternatives.size() == 1);
  const std::vector<Override>& set = scenario.alternatives[0].set;
  REQUIRE(set.size() == 4);
  CHECK(set[0].pointer == "/servers/0/site");
  CHECK(set[0].value == "fnal");
  CHECK(set[1].value == "5");
  // Without its quotes it would be a number.
  CHECK(set[2].value == "\"7\"");
  CHECK(set[3].value == R"({"bandwidth":"10 Gbps","between":["fnal","fnal"]})");
}

TEST_CASE("alternatives that make no sense are refused") {
  CHECK(only_complaint(R"([{ "name": "CPU only", "set": {} }])") ==
        "/alternatives/0/name is \"CPU only\", the row that every comparison has; it follows from the "
        "\"cpu_alternative\" of the stages. Choose another name.");
  CHECK(only_complaint(R"([{ "name": "a", "set": { "jobs": 3 } }])") ==
        "/alternatives/0/set has the key \"jobs\"; a JSON pointer into the scenario is needed, for example "
        "\"/servers/0/site\".");
  CHECK(only_complaint(R"([{ "name": "a", "set": { "/alternatives/0/name": "b" } }])") ==
        "/alternatives/0/set has the key \"/alternatives/0/name\"; an alternative cannot change the list of "
        "alternatives.");
  CHECK(only_complaint(R"([{ "name": "a", "set": {} }, { "name": "a", "set": {} }])") ==
        "/alternatives/1/name is \"a\", as is /alternatives/0/name; give each its own name.");
}

TEST_CASE("an override with null takes a key away, and not an element of a list") {
  const std::string text = sound_scenario();
  const std::vector<Override> without_title{{"/title", "null"}};
  CHECK(read_scenario_text(text, "s.json", without_title).scenario.title.empty());
  const std::vector<Complaint> required = complaints_about(text, {{"/jobs", "null"}});
  REQUIRE(required.size() == 1);
  CHECK(required[0].code == "scenario.missing_key");
  const std::vector<Complaint> element = complaints_about(text, {{"/jobs/0/event/0", "null"}});
  REQUIRE(element.size() == 1);
  CHECK(element[0].code == "scenario.wrong_type");
}

namespace {

Scenario costed(const std::vector<Override>& changes) {
  return read_scenario_text(sound_scenario(), "s.json", changes).scenario;
}

/// The texts of all complaints, one a line.
std::string complaints(const std::vector<Override>& changes) {
  std::string all;
  for (const Complaint& complaint : complaints_about(sound_scenario(), changes))
    all += (all.empty() ? "" : "\n") + complaint.text;
  return all;
}

std::string about_date(const std::string& date) {
  return complaints({{"/devices/t4/price", R"({ "value": "0.35 USD/h", "date": ")" + date + "\" }"}});
}

}  // namespace

TEST_CASE("units of money have their meaning") {
  const auto rent = [](const std::string& text) { return read_quantity(text, Dimension::price).value; };
  CHECK(rent("730 USD/month") == doctest::Approx(1.0));
  CHECK(rent("8766 USD/year") == doctest::Approx(1.0));
  CHECK(rent("24 USD/d") == doctest::Approx(1.0));
  CHECK(read_quantity("150 USD/MWh", Dimension::energy_price).value == 0.15);
  CHECK(read_quantity("120 USD/TB", Dimension::traffic_price).value == 0.12);
  CHECK(read_quantity("1.073741824 USD/GiB", Dimension::traffic_price).value == doctest::Approx(1.0));
}

TEST_CASE("a price is a quantity, or says from when and from whom it is") {
  const Scenario plain = costed({{"/devices/t4/price", "0.35 USD/h"}});
  CHECK(plain.devices.at("t4").price == UsdPerHour{0.35});
  CHECK(plain.devices.at("t4").price_origin.source.empty());

  const Scenario dated =
      costed({{"/devices/t4/price", R"({ "value": "0.4 USD/h", "date": "2024-02-29", "source": "price list" })"},
              {"/devices/t4/power", "70 W"},
              {"/servers/0/host_price", R"({ "value": "7300 USD/month", "date": "2024-02" })"},
              {"/network/sites", R"({ "iowa": { "egress": { "value": "0.12 USD/GB", "source": "contract" } } })"},
              {"/costs", R"({ "core": { "value": "0.05 USD/h", "source": "bill" }, "core_power": "5 W",
                       "electricity": "150 USD/MWh" })"}});
  const DeviceType& t4 = dated.devices.at("t4");
  CHECK(t4.price == UsdPerHour{0.4});
  CHECK(t4.price_origin.date == "2024-02-29");
  CHECK(t4.price_origin.source == "price list");
  CHECK(dated.servers[0].host_price->value == doctest::Approx(10.0));
  CHECK(dated.servers[0].host_price_origin.date == "2024-02");
  CHECK(dated.sites.at("iowa").egress == UsdPerGigabyte{0.12});
  CHECK(dated.sites.at("iowa").egress_origin.source == "contract");
  CHECK(dated.costs.core == UsdPerHour{0.05});
  CHECK(dated.costs.core_origin.source == "bill");
  CHECK(dated.costs.core_power == Watts{5});
  CHECK(dated.costs.electricity == UsdPerKilowattHour{0.15});
}

TEST_CASE("one part of a dated price may be changed") {
  const Scenario changed = costed({{"/devices/t4/price", R"({ "value": "0.4 USD/h", "source": "price list" })"},
                                   {"/devices/t4/price/value", "0.3 USD/h"}});
  CHECK(changed.devices.at("t4").price == UsdPerHour{0.3});
  CHECK(changed.devices.at("t4").price_origin.source == "price list");
  const Scenario replaced = costed({{"/devices/t4/price", R"({ "value": "0.4 USD/h", "source": "price list" })"},
                                    {"/devices/t4/price", "0.3 USD/h"}});
  CHECK(replaced.devices.at("t4").price_origin.source.empty());
}

TEST_CASE("prices that cannot be are refused with the way out") {
  CHECK(complaints({{"/devices/t4/price", "0.35"}}) ==
        "/devices/t4/price is 0.35; a price needs its unit, for example \"0.35 USD/h\".");
  CHECK(complaints({{"/devices/t4/price", "-1 USD/h"}}) ==
        "/devices/t4/price is \"-1 USD/h\"; allowed is 0 USD/h to 1e6 USD/h.");
  CHECK(complaints({{"/devices/t4/price", "0.35 USD/GB"}}) ==
        "/devices/t4/price is \"0.35 USD/GB\", which is a price of traffic; a price is needed, for example "
        "\"0.35 USD/h\".");
  CHECK(complaints({{"/costs", R"({ "electricity": "0.2 USD/h" })"}}) ==
        "/costs/electricity is \"0.2 USD/h\", which is a price; a price of electricity is needed, for example "
        "\"0.2 USD/kWh\".");
  CHECK(complaints({{"/devices/t4/price", R"({ "date": "2025-01" })"}}) ==
        "/devices/t4/price lacks \"value\", which a rent needs, for example \"value\": \"0.35 USD/h\".");
}

TEST_CASE("dates are days or months of the calendar") {
  CHECK(about_date("2026-11").empty());
  CHECK(about_date("2024-02-29").empty());
  CHECK(about_date("2023-02-29") ==
        "/devices/t4/price/date is \"2023-02-29\"; a date of the calendar is needed, for example \"2026-11-01\", or a "
        "month, \"2026-11\".");
  for (const char* wrong : {"", "2026", "2026-13", "2026-00", "26-11-01", "2026/11/01", "2026-1-1", "2026-11-1a",
                            "11.2026", "2026-11-", "+026-11", "2026-11-01 "})
    CHECK_MESSAGE(!about_date(wrong).empty(), wrong);
}

TEST_CASE("a price of electricity needs the power of every device in use") {
  const std::vector<Override> priced{{"/costs", R"({ "electricity": "0.2 USD/kWh" })"}};
  CHECK(complaints(priced) ==
        "/devices/t4 has no \"power\", but /costs/electricity is to be paid for what the devices use; give it its "
        "power, or leave \"electricity\" out.");
  std::vector<Override> known = priced;
  known.push_back({"/devices/t4/power", "70 W"});
  CHECK(complaints(known).empty());
}

}  // namespace saturn::tests
