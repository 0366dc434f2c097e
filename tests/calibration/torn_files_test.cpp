#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "calibration/import/triton/triton_counters.hpp"
#include "tests/calibration/imported_files.hpp"
#include "tests/calibration/sample_files.hpp"

namespace saturn::tests {

namespace {

std::string timetracker_bytes() {
  const ImportFolder folder;
  std::ifstream file(write_database(folder, "t.db",
                                    timetracker_tables() + "INSERT INTO TimeEvent VALUES(1,0,1,2.0),(1,0,2,4.0);"
                                                           "INSERT INTO TimeModule VALUES(1,0,1,'p','a','A',0.5);"),
                     std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// All formats of the library: what is recognised by one may be read by any.
std::vector<ImportFormat> all_formats() {
  std::vector<ImportFormat> formats(client_formats().begin(), client_formats().end());
  formats.insert(formats.end(), server_formats().begin(), server_formats().end());
  return formats;
}

const std::vector<std::string>& all_samples() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all = sample_client_files();
    all.insert(all.end(), sample_server_files().begin(), sample_server_files().end());
    return all;
  }();
  return texts;
}

// Replaces, removes or doubles some bytes, and may cut the end off.
std::string damaged(std::string text) {
  const int blows = *rc::gen::inRange(0, 6);
  for (int k = 0; k < blows && !text.empty(); ++k) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 40);
    const std::string with = *rc::gen::element<std::string>(
        "", "", "-", "e308", "nan", "inf", "1e-320", "9999999999999999999999", "\"", ",", ".", "\n", "\r\n", "{", "}",
        "[", "]", "(", "=", "/", ":", ";", "\\", "\t", std::string(1, '\0'), "\xff", " ", "0", "9", "null");
    if (*rc::gen::inRange(0, 4) == 0)
      text.insert(at, text.substr(at, length));
    else
      text.replace(at, length / 3, with);
  }
  if (*rc::gen::inRange(0, 2) == 0) text.resize(*rc::gen::inRange<std::size_t>(0, text.size() + 1));
  return text;
}

void sound(const std::optional<double>& value) {
  RC_ASSERT(!value || (std::isfinite(*value) && *value >= 0.0));
}
void positive(const std::optional<double>& value) {
  RC_ASSERT(!value || (std::isfinite(*value) && *value > 0.0));
}

void check_load(const LoadPoint& point) {
  positive(point.items_per_s);
  positive(point.concurrency);
  positive(point.request_rate_per_s);
  RC_ASSERT(point.concurrency.has_value() != point.request_rate_per_s.has_value());
  positive(point.request_batch);
  positive(point.executed_batch);
  positive(point.instances);
  if (point.requests) sound(*point.requests);
  for (const auto& [name, value] : point.measured) sound(value);
}

void check_counters(const ServerCounters& counters) {
  positive(counters.requests);
  sound(counters.failures);
  sound(counters.items);
  sound(counters.executions);
  RC_ASSERT(counters.ensemble || (counters.items > 0.0 && counters.executions > 0.0));
  for (const auto& [name, value] : counters.sums_s) sound(value);
  positive(counters.elapsed_s);
}

void check_numbers(const MeasuredFile& file) {
  for (const LoadPoint& point : file.loads) check_load(point);
  for (const ServerCounters& counters : file.counters) check_counters(counters);
  for (const ClosedLoopPoint& point : file.closed_loop) {
    positive(point.clients);
    for (const auto& [name, value] : point.measured) sound(value);
  }
  for (const CpuTimes& times : file.cpu_times) {
    positive(times.mean_s);
    sound(times.sd_s);
    RC_ASSERT(times.count > 0U);
    RC_ASSERT(!times.name.empty());
    for (const double value : times.values_s) sound(value);
  }
  for (const RoundTrips& trips : file.round_trips) {
    for (const double value : trips.values_s) positive(value);
    sound(trips.mean_s);
    sound(trips.sd_s);
    RC_ASSERT(trips.mean_s || !trips.values_s.empty());
    RC_ASSERT(trips.lost <= trips.sent);
  }
  for (const Throughputs& rates : file.throughputs) {
    positive(rates.mean_bytes_per_s);
    sound(rates.retransmits);
    for (const double value : rates.values_bytes_per_s) sound(value);
  }
  for (const SingleNumber& number : file.numbers) {
    positive(number.value);
    sound(number.standard_error);
  }
}

bool holds_something(const MeasuredFile& file) {
  return !file.loads.empty() || !file.counters.empty() || !file.closed_loop.empty() || !file.cpu_times.empty() ||
         !file.round_trips.empty() || !file.throughputs.empty() || !file.numbers.empty();
}

// Sound numbers, at least one, or a refusal with its reasons; anything else leaves as a failed property.
std::optional<MeasuredFile> read_or_refused(const ImportFormat& format, const std::string& text) {
  MeasuredFile file{.path = "f"};
  try {
    format.read(text, "f", file);
  } catch (const InputError& error) {
    RC_ASSERT(!error.complaints().empty());
    for (const Complaint& complaint : error.complaints()) RC_ASSERT(!complaint.text.empty());
    return std::nullopt;
  }
  RC_ASSERT(holds_something(file));
  check_numbers(file);
  return file;
}

}  // namespace

TEST_CASE(
    "a file torn at any byte is read or refused by every format that knows it, never with a number that cannot be") {
  for (const std::string& text : all_samples())
    for (std::size_t length = 0; length <= text.size(); ++length)
      for (const ImportFormat& format : all_formats())
        if (const std::string torn = text.substr(0, length); format.recognises(torn)) read_or_refused(format, torn);
}

TEST_CASE("a damaged file is read or refused by every format, never with a number that cannot be") {
  CHECK(rc::check([] {
    const std::string text = damaged(*rc::gen::elementOf(all_samples()));
    for (const ImportFormat& format : all_formats()) {
      format.recognises(text);
      read_or_refused(format, text);
    }
  }));
}

TEST_CASE("damaged databases are read or refused, never with a number that cannot be") {
  const std::string bytes = timetracker_bytes();
  REQUIRE(bytes.size() > 4096);
  CHECK(rc::check([&] {
    std::string torn = bytes;
    const int changes = *rc::gen::inRange(1, 30);
    for (int i = 0; i < changes; ++i)
      torn[*rc::gen::inRange<std::size_t>(16, torn.size())] = static_cast<char>(*rc::gen::inRange(0, 256));
    if (*rc::gen::inRange(0, 3) == 0) torn.resize(*rc::gen::inRange<std::size_t>(16, torn.size()));
    for (const ImportFormat& format : all_formats())
      if (format.recognises(torn)) read_or_refused(format, torn);
  }));
}

TEST_CASE("the difference of damaged readings is sane or refused") {
  CHECK(rc::check("damaged readings", [] {
    const std::string& text = sample_server_files().back();
    std::optional<MeasuredFile> read[2];
    for (auto& file : read)
      for (const ImportFormat& format : server_formats())
        if (format.recognises(text)) file = read_or_refused(format, damaged(text));
    if (!read[0] || !read[1]) return;
    try {
      const MeasuredFile between = difference(*read[0], *read[1]);
      for (const ServerCounters& counters : between.counters) check_counters(counters);
    } catch (const InputError& error) {
      RC_ASSERT(!error.complaints().empty());
    }
  }));
}

TEST_CASE("each whole file is recognised by one reader") {
  for (const std::string& text : sample_server_files())
    CHECK(server_files::recognised_as(text).find(',') == std::string::npos);
  for (const char* other : {"", "\n", "{}", "a,b\n1,2\n", "PING host\n64 bytes: time=11 ms",
                            "clients,event_time_s\n1,2\n", "{\"start\":{\"test_start\":{}},\"intervals\":[]}"})
    CHECK(server_files::recognised_as(other).empty());
}

}  // namespace saturn::tests
