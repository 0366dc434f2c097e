#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/calibration/imported_client_file.hpp"
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
std::string damaged(std::string text) {
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
    is_read_or_refused(damaged(texts[*rc::gen::inRange<std::size_t>(0, texts.size())]));
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
