#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/compare_report.hpp"
#include "reports/price_list.hpp"
#include "tests/reports/report_samples.hpp"

namespace saturn::tests {

namespace {

const std::vector<QuotedPrice> prices{
    {.of = "t4", .value = "0.35 USD/h", .date = "2025-11", .source = "price list"},
    {.of = "core", .value = "0.05 USD/h", .date = "", .source = ""},
    {.of = "traffic out of iowa", .value = "0.12 USD/GB", .date = "", .source = "contract"}};

PlanReport priced_plan() {
  PlanReport report = sample_plan_report();
  report.plan.answer.priced = {PricedPart::devices, PricedPart::cores};
  report.plan.answer.cpu_only_cost_per_million_events_usd = 435.0;
  report.plan.answer.module = {.cpu_only_usd_per_million = 290.0,
                               .as_a_service_usd_per_million = 187.0,
                               .cpu_only_s = 220.0,
                               .as_a_service_s = 12.5};
  report.plan.answer.prices = prices;
  return report;
}

bool holds(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

}  // namespace

TEST_CASE("every price says from when and from whom it is, or that nobody says so") {
  CHECK(price_list(prices) ==
        "Prices\n"
        "  t4 0.35 USD/h (2025-11, price list)\n"
        "  core 0.05 USD/h (no source)\n"
        "  traffic out of iowa 0.12 USD/GB (contract)\n");
  CHECK(price_list({}).empty());
}

TEST_CASE("what is priced is a list with the device's own word") {
  CHECK(priced_words({PricedPart::devices}, "GPU") == "GPUs");
  CHECK(priced_words({PricedPart::devices, PricedPart::cores}, "FPGA") == "FPGAs and cores");
  CHECK(priced_words({PricedPart::devices, PricedPart::hosts, PricedPart::traffic}, "GPU") ==
        "GPUs, hosts and traffic");
  CHECK(priced_words({}, "GPU").empty());
}

TEST_CASE("a plan says what it counted, what CPU alone costs, and the offloaded part") {
  const std::string text = plan_table(priced_plan(), {});
  CHECK(holds(text, "176 USD per million events for the GPUs and cores, against 435 on CPU alone.\n"));
  CHECK(holds(text,
              "The offloaded part alone: 187 USD per million events as a service (12.5 s), 290 on the job's own core "
              "(220 s).\n"));
  CHECK(holds(text, price_list(prices)));

  const nlohmann::json answer = nlohmann::json::parse(plan_json(priced_plan()))["answer"];
  CHECK(answer["cost_of"] == "GPUs and cores");
  CHECK(answer["cpu_only_cost_per_million_events"] == 435.0);
  CHECK(answer["module"]["service_usd_per_million_events"] == 187.0);
  CHECK(answer["prices"][0]["source"] == "price list");
  CHECK(answer["prices"][1]["source"].is_null());
}

TEST_CASE("a comparison has the offloaded part's price beside the whole event's") {
  CompareReport report;
  ComparedAlternative service{.about = {.name = "service"}};
  service.outcome = AlternativeOutcome{};
  service.outcome->cost_usd_per_million_events = 475.0;
  service.outcome->module_usd_per_million_events = 187.0;
  service.outcome->priced = {PricedPart::devices, PricedPart::cores};
  report.comparison.alternatives = {service};
  report.comparison.fastest = 0;
  report.comparison.cheapest = 0;
  report.comparison.cores_priced = true;
  report.comparison.prices = prices;
  const std::string text = compare_table(report, {});
  CHECK(holds(text, "Cheapest, by the rent of GPUs and cores: service, 475 USD per million events.\n"));
  CHECK(holds(text, "offloaded part alone"));
  CHECK(holds(text, price_list(prices)));
  const nlohmann::json row = nlohmann::json::parse(compare_json(report))["alternatives"][0]["result"];
  CHECK(row["module_usd_per_million_events"] == 187.0);
  CHECK(row["cost_of"] == nlohmann::json({"devices", "cores"}));
  CHECK(holds(compare_csv(report), "module_usd_per_million_events"));
}

}  // namespace saturn::tests
