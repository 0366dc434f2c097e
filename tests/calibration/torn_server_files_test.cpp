#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "calibration/import/counter_difference.hpp"
#include "tests/calibration/imported_server_file.hpp"
#include "tests/calibration/sample_files.hpp"

namespace saturn::tests::server_files {

namespace {

std::string damaged(std::string text) {
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
    const std::string text = damaged(*rc::gen::elementOf(sample_server_files()));
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
        if (format.recognises(text)) file = read_or_refused(format, damaged(text));
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
