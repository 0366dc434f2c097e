#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>

#include "reports/plan/compare_report.hpp"
#include "reports/plan/plan_evidence.hpp"
#include "reports/plan/plan_report.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;

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

}  // namespace

TEST_CASE("what is priced is a list with the device's own word") {
  CHECK(priced_words({PricedPart::devices}, "GPU") == "GPUs");
  CHECK(priced_words({PricedPart::devices, PricedPart::cores}, "FPGA") == "FPGAs and cores");
  CHECK(priced_words({PricedPart::devices, PricedPart::hosts, PricedPart::traffic}, "GPU") ==
        "GPUs, hosts and traffic");
  CHECK(priced_words({}, "GPU").empty());
}

TEST_CASE("a plan says what it counted, what CPU alone costs, and the offloaded part") {
  const std::string text = shown(plan_answer(priced_plan()));
  CHECK(holds(text, "176 USD per million events for the GPUs and cores, against 435 on CPU alone.\n"));
  CHECK(holds(text,
              "The offloaded part alone: 187 USD per million events as a service (12.5 s), 290 on the job's own core "
              "(220 s).\n"));
  CHECK(holds(text, "2025-11  price list"));

  const nlohmann::json answer = nlohmann::json::parse(json_text(plan_answer(priced_plan())))["answer"];
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
  const std::string text = shown(compare_answer(report));
  CHECK(holds(text, "Cheapest, by the rent of GPUs and cores: service, 475 USD per million events.\n"));
  CHECK(holds(text, "offloaded part alone"));
  CHECK(holds(text, "2025-11  price list"));
}

TEST_CASE("A bar reaches from the lower input to the higher one, whichever way the answer moves") {
  CHECK(tornado_bar(45, 55, 50, 5, 11) == "-====|====+");
  CHECK(tornado_bar(52.5, 47.5, 50, 5, 11) == "  +==|==-  ");
  CHECK(tornado_bar(50, 55, 50, 5, 11) == "     |====+");
  CHECK(tornado_bar(-1e9, std::numeric_limits<double>::infinity(), 50, 5, 11) == "-====|     ");
}

TEST_CASE("Every bar has its width and exactly one answer, for any numbers") {
  CHECK(rc::check([](double low, double high, double answer) {
    const double reach = 0.1 + *rc::gen::inRange(0, 1000);
    const std::string bar = tornado_bar(low, high, answer, reach, 21);
    RC_ASSERT(bar.size() == 21U);
    RC_ASSERT(std::count(bar.begin(), bar.end(), '|') == 1);
    RC_ASSERT(bar[10] == '|');
  }));
}

TEST_CASE("The tornado shows every row in the unit that fits, the next measurement and what has no effect") {
  const std::string text = shown_of([](Answer& answer) { add_sensitivity(answer, sample_sensitivity()); });
  CHECK(holds(text, "What the answer depends on: 50.00 ms, mean event time\n"));
  CHECK(holds(text, "1.00 ± 0.10"));
  CHECK(holds(text, "45.00"));
  CHECK(holds(text, "-=======|=======+   2 ms    10 %  /models/m/service/t4/per_batch\n"));
  CHECK(holds(text, "where none is known"));
  CHECK(holds(text, "    +===|===-       2 ms    10 %  /network/links/0/bandwidth\n"));
  CHECK(holds(text, "  next: Measure it.\n"));
  CHECK(holds(text, "  no effect: /devices/t4/price\n"));
  CHECK(holds(text, "  note: something was left out.\n"));
}

TEST_CASE("A long tornado names what it leaves out, and nothing to show is no table") {
  Sensitivity many = sample_sensitivity();
  for (int i = 0; i < 20; ++i)
    many.rows.push_back(sample_sensitivity_row("/jobs/0/event/" + std::to_string(i) + "/cpu", 0, 0, 0, 0.01));
  const std::string text = shown_of([&](Answer& answer) { add_sensitivity(answer, many); });
  CHECK(holds(text, "/jobs/0/event/9/cpu\n"));
  CHECK_FALSE(holds(text, "/jobs/0/event/10/cpu"));
  CHECK(holds(text, "and 10 inputs with narrower bars, which bring 10 % of the variance"));
  Sensitivity none = sample_sensitivity();
  none.rows.clear();
  CHECK_FALSE(holds(shown_of([&](Answer& answer) { add_sensitivity(answer, none); }), "elasticity"));
}
