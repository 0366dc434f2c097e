#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "tests/calibration/imported_files.hpp"
#include "tests/calibration/sample_files.hpp"

namespace saturn::tests {

namespace {

std::string timetracker_bytes() {
  const TemporaryFolder folder;
  return text_of_file(write_database(folder, "t.db",
                                     timetracker_tables() + "INSERT INTO TimeEvent VALUES(1,0,1,2.0),(1,0,2,4.0);"
                                                            "INSERT INTO TimeModule VALUES(1,0,1,'p','a','A',0.5);"));
}

// One of each format.
const std::vector<SampleFile>& whole_files() {
  static const std::vector<SampleFile> files = [] {
    std::vector<SampleFile> all = sample_files();
    all.push_back({"TimeTracker database", timetracker_bytes()});
    return all;
  }();
  return files;
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

// Sound numbers, at least one, or a refusal with its reasons, each at a line that the text has; anything else leaves as
// a failed property.
std::optional<MeasuredFile> read_or_refused(const ImportFormat& format, const std::string& text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto named = [&](const std::vector<Complaint>& complaints) {
    for (const Complaint& complaint : complaints) {
      RC_ASSERT(complaint.source == "f");
      RC_ASSERT(complaint.line <= lines);
      RC_ASSERT(complaint.code.starts_with("import."));
      RC_ASSERT(!complaint.text.empty());
    }
  };
  try {
    MeasuredFile file = imported_as(format, text);
    RC_ASSERT(holds_something(file));
    check_numbers(file);
    named(file.left_out);
    return file;
  } catch (const InputError& error) {
    RC_ASSERT(!error.complaints().empty());
    named(error.complaints());
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE(
    "a file of any format, whole, torn at any byte or damaged, is read or refused at a place, with sound numbers") {
  for (const ImportFormat& format : import_formats()) {
    CAPTURE(format.name);
    CHECK(std::any_of(whole_files().begin(), whole_files().end(),
                      [&](const SampleFile& file) { return file.format == format.name; }));
  }
  for (const SampleFile& file : whole_files()) {
    CAPTURE(file.format);
    CHECK(recognised_as(file.text) == file.format);
    // At every byte of a text, at some of a database.
    const std::size_t step = file.text.size() < 4096 ? 1 : file.text.size() / 150;
    for (std::size_t length = 0; length <= file.text.size(); length += step)
      for (const ImportFormat& format : import_formats())
        if (const std::string torn = file.text.substr(0, length); format.recognises(torn))
          read_or_refused(format, torn);
  }
  CHECK(rc::check([] {
    const std::string text = damaged((*rc::gen::elementOf(whole_files())).text);
    for (const ImportFormat& format : import_formats()) {
      format.recognises(text);
      read_or_refused(format, text);
    }
  }));
}

TEST_CASE("the difference of damaged readings is sane or refused") {
  CHECK(rc::check("damaged readings", [] {
    const SampleFile& sample = sample_files().back();
    std::optional<MeasuredFile> read[2];
    for (auto& file : read) file = read_or_refused(triton_metrics(), damaged(sample.text));
    if (!read[0] || !read[1]) return;
    try {
      const MeasuredFile between = difference(*read[0], *read[1]);
      for (const ServerCounters& counters : between.counters) check_counters(counters);
    } catch (const InputError& error) {
      RC_ASSERT(!error.complaints().empty());
    }
  }));
}

}  // namespace saturn::tests
