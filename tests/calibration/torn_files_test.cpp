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

// Replaces, removes or doubles a few bytes, and may cut the end off.
std::string damage_client_file(std::string text) {
  static const std::string spice = "0-9.,;:eE\"{}[]\n\r\t naN(=/\xff";
  const int changes = *rc::gen::inRange(0, 6);
  for (int i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char c = spice[*rc::gen::inRange<std::size_t>(0, spice.size())];
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text[at] = c;
        break;
      case 1:
        text.erase(at, *rc::gen::inRange<std::size_t>(1, 20));
        break;
      case 2:
        text.insert(at, 1, c);
        break;
      default:
        text.insert(at, text.substr(at, *rc::gen::inRange<std::size_t>(1, 40)));
    }
  }
  if (*rc::gen::inRange(0, 2) == 0) text.resize(*rc::gen::inRange<std::size_t>(0, text.size() + 1));
  return text;
}

void sound(double value) {
  RC_ASSERT(std::isfinite(value));
  RC_ASSERT(value >= 0.0);
}
void sound(const std::optional<double>& value) {
  if (value) sound(*value);
}
void positive(double value) {
  sound(value);
  RC_ASSERT(value > 0.0);
}

void check_numbers(const MeasuredFile& file) {
  for (const LoadPoint& point : file.loads) {
    positive(point.items_per_s);
    positive(point.concurrency.value());
    if (point.request_batch) positive(*point.request_batch);
    for (const auto& [name, value] : point.measured) sound(value);
  }
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

void is_read_or_refused(const std::string& text) {
  try {
    check_numbers(imported_text_of_client(text));
  } catch (const InputError& error) {
    RC_ASSERT(!error.complaints().empty());
    for (const Complaint& complaint : error.complaints()) RC_ASSERT(!complaint.text.empty());
  }
}

}  // namespace

TEST_CASE("every beginning of a valid file is read or refused, never with a number that cannot be") {
  for (const std::string& text : sample_client_files())
    for (std::size_t length = 0; length <= text.size(); ++length) is_read_or_refused(text.substr(0, length));
}

TEST_CASE("damaged files are read or refused, never with a number that cannot be") {
  CHECK(rc::check([] {
    const auto& texts = sample_client_files();
    is_read_or_refused(damage_client_file(texts[*rc::gen::inRange<std::size_t>(0, texts.size())]));
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
    is_read_or_refused(torn);
  }));
}

}  // namespace saturn::tests

namespace saturn::tests::server_files {

namespace {

std::string damage_server_file(std::string text) {
  const int blows = *rc::gen::inRange(1, 5);
  for (int k = 0; k < blows && !text.empty(); ++k) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 12);
    const std::string with = *rc::gen::element<std::string>(
        "", "", "-", "e308", "nan", "inf", "1e-320", "9999999999999999999999", "\"", ",", "\n", "\r\n", "{", "}", "[",
        "]", ":", ";", "\\", std::string(1, '\0'), "\xff", " ", "0", "null");
    text.replace(at, length, with);
  }
  return text;
}

void is_sane(double value) {
  RC_ASSERT(std::isfinite(value));
  RC_ASSERT(value >= 0.0);
}

void is_positive(const std::optional<double>& value) {
  RC_ASSERT(!value || (std::isfinite(*value) && *value > 0.0));
}

void is_sane(const LoadPoint& point) {
  is_positive(point.items_per_s);
  is_positive(point.concurrency);
  is_positive(point.request_rate_per_s);
  RC_ASSERT(point.concurrency.has_value() != point.request_rate_per_s.has_value());
  is_positive(point.request_batch);
  is_positive(point.executed_batch);
  is_positive(point.instances);
  if (point.requests) is_sane(*point.requests);
  for (const auto& [name, value] : point.measured) is_sane(value);
}

void is_sane(const ServerCounters& counters) {
  is_positive(counters.requests);
  is_sane(counters.failures);
  is_sane(counters.items);
  is_sane(counters.executions);
  RC_ASSERT(counters.ensemble || (counters.items > 0.0 && counters.executions > 0.0));
  for (const auto& [name, value] : counters.sums_s) is_sane(value);
  is_positive(counters.elapsed_s);
}

// Anything but sane figures or a refusal with its reasons leaves as a failed property.
std::optional<MeasuredFile> read_or_refused(const ImportFormat& format, const std::string& text) {
  MeasuredFile file{.path = "m.txt"};
  try {
    format.read(text, "m.txt", file);
  } catch (const InputError& error) {
    RC_ASSERT(!error.complaints().empty());
    RC_ASSERT(!error.complaints()[0].text.empty());
    return std::nullopt;
  }
  RC_ASSERT(!file.loads.empty() || !file.counters.empty());
  for (const LoadPoint& point : file.loads) is_sane(point);
  for (const ServerCounters& counters : file.counters) is_sane(counters);
  return file;
}

}  // namespace

TEST_CASE("every prefix of a file is read sanely or refused") {
  for (const std::string& text : sample_server_files()) {
    for (std::size_t length = 0; length <= text.size(); ++length) {
      const std::string prefix = text.substr(0, length);
      for (const ImportFormat& format : server_formats())
        if (format.recognises(prefix)) read_or_refused(format, prefix);
    }
  }
}

TEST_CASE("a damaged file is read sanely or refused, by every reader") {
  CHECK(rc::check("damaged files", [] {
    const std::string text = damage_server_file(*rc::gen::elementOf(sample_server_files()));
    for (const ImportFormat& format : server_formats()) {
      format.recognises(text);
      read_or_refused(format, text);
    }
  }));
}

TEST_CASE("the difference of damaged readings is sane or refused") {
  CHECK(rc::check("damaged readings", [] {
    const std::string& text = sample_server_files().back();
    std::optional<MeasuredFile> read[2];
    for (auto& file : read)
      for (const ImportFormat& format : server_formats())
        if (format.recognises(text)) file = read_or_refused(format, damage_server_file(text));
    if (!read[0] || !read[1]) return;
    try {
      const MeasuredFile between = difference(*read[0], *read[1]);
      for (const ServerCounters& counters : between.counters) is_sane(counters);
    } catch (const InputError& error) {
      RC_ASSERT(!error.complaints().empty());
    }
  }));
}

TEST_CASE("each whole file is recognised by one reader") {
  for (const std::string& text : sample_server_files()) CHECK(recognised_as(text).find(',') == std::string::npos);
  for (const char* other : {"", "\n", "{}", "a,b\n1,2\n", "PING host\n64 bytes: time=11 ms",
                            "clients,event_time_s\n1,2\n", "{\"start\":{\"test_start\":{}},\"intervals\":[]}"})
    CHECK(recognised_as(other).empty());
}

}  // namespace saturn::tests::server_files
