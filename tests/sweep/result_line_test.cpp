#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <string>

#include "models/sha256.hpp"
#include "sim/sweep/result_log.hpp"
#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

std::string without_newline(std::string line) {
  line.pop_back();
  return line;
}

// A line that nobody tore, whatever its JSON says.
std::string checked(const std::string& before) {
  return before + ",\"check\":\"" + sha256_hex(before).substr(0, 16) + "\"}";
}

// One to three bytes changed, dropped or added, or a piece cut out.
std::string damaged(std::string line) {
  for (int hits = *rc::gen::inRange(1, 4); hits > 0 && !line.empty(); --hits) {
    const auto at = *rc::gen::inRange<std::size_t>(0, line.size());
    const auto byte = *rc::gen::arbitrary<char>();
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        line[at] = byte;
        break;
      case 1:
        line.erase(at, 1);
        break;
      case 2:
        line.insert(at, 1, byte);
        break;
      case 3:
        line.resize(at);
        break;
      default:
        line.erase(at, *rc::gen::inRange<std::size_t>(0, line.size()));
    }
  }
  return line;
}

}  // namespace

TEST_CASE("a result that is written reads back the same, whatever its texts and finite numbers") {
  CHECK(rc::check("read(write(x)) == x", [] {
    const std::string id = any_text();
    const PointResult result = any_result();
    const std::string line = result_line(id, result);
    RC_ASSERT(line.find('\n') == line.size() - 1);
    const auto read = parse_result_line(without_newline(line));
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->id == id);
    RC_ASSERT(same_result(read->result, result));
    RC_ASSERT(result_line(read->id, read->result) == line);
  }));
}

TEST_CASE("a line with any byte changed, dropped or added is never taken for a result") {
  CHECK(rc::check("damage", [] {
    const std::string line = without_newline(result_line("id", any_result()));
    const std::string other = damaged(line);
    RC_ASSERT(parse_result_line(other).has_value() == (other == line));
  }));
  const std::string line = without_newline(result_line("0a", answered(0.5)));
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string other = line;
      other[at] = static_cast<char>(other[at] ^ (1 << bit));
      CHECK_FALSE(parse_result_line(other).has_value());
    }
    CHECK_FALSE(parse_result_line(std::string_view(line).substr(0, at)).has_value());
    CHECK_FALSE(parse_result_line(std::string_view(line).substr(at + 1)).has_value());
  }
}

TEST_CASE("any bytes are read without a crash, and are no result") {
  CHECK(rc::check("bytes", [](const std::string& bytes) { RC_ASSERT(!parse_result_line(bytes).has_value()); }));
}

TEST_CASE("a line whose check fits but which is no result is dropped") {
  const std::string sound = R"({"id":"a","result":{"status":"failed","failure":"no plan","reason":""})";
  REQUIRE(parse_result_line(checked(sound)).has_value());
  const std::string answer = R"({"id":"a","result":{"status":"answered","replications":1,"metrics":[],"words":[]})";
  REQUIRE(parse_result_line(checked(answer)).has_value());
  const std::string begin = R"({"id":"a","result":)";
  for (const std::string& result : {
           std::string("null"),
           std::string("[]"),
           std::string("{}"),
           std::string(100000, '['),
           std::string(R"({"status":"missing"})"),
           std::string(R"({"status":"failed","failure":"","reason":""})"),
           std::string(R"({"status":"failed","failure":"x"})"),
           std::string(R"({"status":"failed","failure":"x","reason":"","more":1})"),
           std::string(R"({"status":"answered","replications":-1,"metrics":[],"words":[]})"),
           std::string(R"({"status":"answered","replications":4294967296,"metrics":[],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",1e999]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",null]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",1,2]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[["a","s",1,2,"3"]],"words":[]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":[],"words":[["a"]]})"),
           std::string(R"({"status":"answered","replications":1,"metrics":{},"words":[]})"),
       }) {
    CAPTURE(result.substr(0, 80));
    CHECK_FALSE(parse_result_line(checked(begin + result)).has_value());
  }
  CHECK_FALSE(
      parse_result_line(checked(R"({"id":1,"result":{"status":"failed","failure":"x","reason":""})")).has_value());
  CHECK_FALSE(parse_result_line(checked("")).has_value());
}

TEST_CASE("the check is the SHA-256 of what stands before it, so that other programs can tell torn lines") {
  const std::string line = result_line("0a", answered(0.5));
  const std::string before =
      R"({"id":"0a","result":{"status":"answered","replications":3,"metrics":[["event_time","s",0.5,0.25,1]],)"
      R"("words":[["binding","gke/t4"]]})";
  CHECK(line == checked(before) + "\n");
}

TEST_CASE("bytes that are no UTF-8 are replaced, so that the line is valid JSON") {
  const auto read =
      parse_result_line(without_newline(result_line("id", failed_result("crashed", "bad \xFF\xC3 byte"))));
  REQUIRE(read.has_value());
  CHECK(read->result.reason == "bad \xEF\xBF\xBD\xEF\xBF\xBD byte");
}

TEST_CASE("what is no result, or no finite number, is never written") {
  PointResult imprecise = answered(1.0);
  imprecise.answer.precision_reached = false;
  PointResult failed_answer = failed_result("killed", "");
  failed_answer.answer.replications = 1;
  for (const PointResult& result :
       {PointResult{}, imprecise, failed_answer, failed_result("", "no kind"), answered(std::nan("")),
        answered(std::numeric_limits<double>::infinity()), answered(-std::numeric_limits<double>::max())}) {
    CHECK_THROWS_AS(result_line("id", result), std::logic_error);
  }
  CHECK_THROWS_AS(result_line(std::string(longest_result_line, 'x'), answered(1.0)), std::logic_error);
}
