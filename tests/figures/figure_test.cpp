#include "reports/figures/figure.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <string>

using namespace saturn;

namespace {

TidyRows rows_of_every_kind() {
  return {.columns = {{.name = "method"}, {.name = "event_time", .unit = "s"}},
          .rows = {{"bound", 1.5}, {"a \"b\", </script>", std::numeric_limits<double>::quiet_NaN()}, {"bound", {}}}};
}

}  // namespace

TEST_CASE("rows become CSV with units in the heads, quoted words, and nothing where there is no finite number") {
  CHECK(rows_csv(rows_of_every_kind()) == "method,event_time_s\nbound,1.5\n\"a \"\"b\"\", </script>\",\nbound,\n");
}

TEST_CASE("rows become JSON by column with repeated words written once") {
  const auto json = nlohmann::json::parse(rows_json(rows_of_every_kind()));
  CHECK(json["columns"] == nlohmann::json::array({"method", "event_time_s"}));
  CHECK(json["values"][0]["words"].size() == 2);
  CHECK(json["values"][0]["of"] == nlohmann::json::array({0, 1, 0}));
  CHECK(json["values"][1] == nlohmann::json::array({1.5, nullptr, nullptr}));
}

TEST_CASE("a specification beside its CSV names it and the type of every column") {
  const Figure figure{
      .name = "event_time", .spec = R"({"data":{"name":"rows"},"mark":"point"})", .rows = rows_of_every_kind()};
  const auto spec = nlohmann::json::parse(spec_beside_csv(figure));
  CHECK(spec["data"]["url"] == "event_time.csv");
  CHECK(spec["data"]["format"]["parse"] == nlohmann::json{{"method", "string"}, {"event_time_s", "number"}});
  const auto inside = nlohmann::json::parse(spec_with_rows(figure));
  CHECK(inside["data"]["values"][1] == nlohmann::json{{"method", "a \"b\", </script>"}, {"event_time_s", nullptr}});
}
