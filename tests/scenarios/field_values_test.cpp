#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/fields/quantity_text.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

double seconds(const std::string& text) {
  return read_quantity(text, Dimension::duration).value;
}
double bytes_per_s(const std::string& text) {
  return read_quantity(text, Dimension::bandwidth).value;
}

TimeDistribution first_stage_time(const std::string& time) {
  return std::get<CpuStage>(sound_with({{"/jobs/0/event/0/cpu", time}}).scenario.jobs[0].event[0]).time;
}

}  // namespace

TEST_CASE("every unit has its meaning") {
  CHECK(seconds("1 ns") == 1e-9);
  CHECK(seconds("1 us") == 1e-6);
  CHECK(seconds("1 \u00B5s") == 1e-6);
  CHECK(seconds("1 \u03BCs") == 1e-6);
  CHECK(seconds("1ms") == 1e-3);
  CHECK(seconds("1.5 min") == 90.0);
  CHECK(seconds("2 h") == 7200.0);
  CHECK(seconds("1 d") == 86400.0);
  CHECK(bytes_per_s("8 bps") == 1.0);
  CHECK(bytes_per_s("100 Gbps") == 12.5e9);
  CHECK(bytes_per_s("100 Gbit/s") == 12.5e9);
  CHECK(bytes_per_s("1 Tb/s") == 125e9);
  CHECK(bytes_per_s("3 MB/s") == 3e6);
  CHECK(read_quantity("2 KiB", Dimension::size).value == 2048.0);
  CHECK(read_quantity("2 kB", Dimension::size).value == 2000.0);
  CHECK(read_quantity("1 GiB", Dimension::size).value == 1073741824.0);
  CHECK(read_quantity("0.35 USD/h", Dimension::price).value == 0.35);
  for (const char* one_an_hour : {"730 USD/month", "8766 USD/year", "24 USD/d"})
    CHECK(read_quantity(one_an_hour, Dimension::price).value == doctest::Approx(1.0));
  CHECK(read_quantity("150 USD/MWh", Dimension::energy_price).value == 0.15);
  CHECK(read_quantity("120 USD/TB", Dimension::traffic_price).value == 0.12);
  CHECK(read_quantity("1.073741824 USD/GiB", Dimension::traffic_price).value == doctest::Approx(1.0));
  CHECK(read_quantity("0.3 kW", Dimension::power).value == 300.0);
  CHECK(read_quantity("1 %", Dimension::ratio).value == 0.01);
}

TEST_CASE("a decimal text is rounded once, with its unit") {
  // 32.2 · 1e-6 in doubles is not 32.2e-6.
  CHECK(seconds("32.2 us") == 32.2e-6);
  CHECK(seconds("11.8 ms") == 0.0118);
  CHECK(seconds("1.5e3 ms") == 1.5);
  CHECK(seconds("15e+2 ms") == 1.5);
  CHECK(seconds("1e-400 s") == 0.0);
}

TEST_CASE("a duration written with the fewest digits is read back to the last bit") {
  CHECK(rc::check("read(write(x)) == x", [](unsigned numerator, unsigned denominator) {
    const double value = static_cast<double>(numerator) / (1.0 + static_cast<double>(denominator));
    const ReadQuantity read = read_quantity(quantity_text(value, Dimension::duration), Dimension::duration);
    RC_ASSERT(read.reading == QuantityReading::good);
    RC_ASSERT(read.value == value);
  }));
}

TEST_CASE("texts that are no quantity are told apart") {
  const auto reading = [](const std::string& text) { return read_quantity(text, Dimension::duration).reading; };
  CHECK(reading("") == QuantityReading::no_number);
  CHECK(reading("s") == QuantityReading::no_number);
  CHECK(reading("NaN s") == QuantityReading::no_number);
  CHECK(reading("inf s") == QuantityReading::no_number);
  CHECK(reading("0x10 s") == QuantityReading::unknown_unit);
  CHECK(reading("1.2.3 s") == QuantityReading::no_number);
  CHECK(reading("1 2 s") == QuantityReading::no_number);
  CHECK(reading("5") == QuantityReading::no_unit);
  CHECK(reading("5 sec") == QuantityReading::unknown_unit);
  CHECK(reading("5 S") == QuantityReading::unknown_unit);
  CHECK(reading("5 GB") == QuantityReading::other_dimension);
  CHECK(reading("1e999 s") == QuantityReading::too_large);
  CHECK(reading("1e99999999999999999999 s") == QuantityReading::too_large);
  CHECK(reading(std::string(400, '9') + " s") == QuantityReading::too_large);
}

TEST_CASE("any time may be a distribution") {
  CHECK(std::get<ConstantTime>(first_stage_time("\"2 min\"")).value == Seconds{120.0});
  CHECK(std::get<ConstantTime>(first_stage_time(R"({ "constant": "2 s" })")).value == Seconds{2.0});
  CHECK(std::get<ExponentialTime>(first_stage_time(R"({ "exponential": { "mean": "3 s" } })")).mean == Seconds{3.0});
  const auto gamma = std::get<GammaTime>(first_stage_time(R"({ "gamma": { "mean": "3 s", "cv": 0.5 } })"));
  CHECK(gamma.mean == Seconds{3.0});
  CHECK(gamma.cv == 0.5);
  const auto lognormal =
      std::get<LognormalTime>(first_stage_time(R"({ "lognormal": { "mean": "3 s", "cv": "20 %" } })"));
  CHECK(lognormal.cv == 0.2);
  const auto uniform = std::get<UniformTime>(first_stage_time(R"({ "uniform": { "low": "1 s", "high": "2 s" } })"));
  CHECK(uniform.low == Seconds{1.0});
  CHECK(uniform.high == Seconds{2.0});
  const auto empirical = std::get<EmpiricalTime>(first_stage_time(R"({ "empirical": ["1 s", "250 ms"] })"));
  CHECK(empirical.values == std::vector<Seconds>{Seconds{1.0}, Seconds{0.25}});
}

TEST_CASE("what is left out takes its default") {
  const Scenario scenario = sound_with({}).scenario;
  CHECK(scenario.title.empty());
  CHECK(scenario.jobs[0].threads == 1);
  CHECK(scenario.jobs[0].start == JobStart::staggered);
  CHECK(scenario.servers[0].nodes == 1);
  CHECK_FALSE(scenario.servers[0].nic);
  CHECK(scenario.servers[0].dispatch == Dispatch::round_robin);
  CHECK(scenario.models.at("emtrk").output == Bytes{0.0});
  CHECK(mean(scenario.models.at("emtrk").service.at("t4").per_batch) == Seconds{0.0});
  CHECK(scenario.run.precision == 0.01);
  const ReadScenario one_request = sound_with({{"/jobs/0/event/2/request_batch", "null"}});
  const auto& infer = std::get<InferStage>(one_request.scenario.jobs[0].event[2]);
  CHECK(infer.request_batch == 55000);
  CHECK(infer.in_flight == 1);
  CHECK(infer.label == "emtrk");
  CHECK(std::get<CpuStage>(scenario.jobs[0].event[0]).label == "cpu");
}

}  // namespace saturn::tests
