#include <doctest/doctest.h>

#include "tests/calibration/imported_files.hpp"
#include "tests/complaint_table.hpp"

namespace saturn::tests {

namespace {

/// A row's inputs behind each other: names of its files, and texts in backticks.
std::string text_of_row(const ComplaintRow& row) {
  std::string text;
  for (const std::string& input : row.input) {
    std::size_t at = 0;
    text += input.starts_with('`') ? quoted_text(input, at) : row.files.at(input);
  }
  return text;
}

std::size_t readings_in(const MeasuredFile& file) {
  return file.loads.size() + file.counters.size() + file.closed_loop.size() + file.cpu_times.size() +
         file.round_trips.size() + file.throughputs.size() + file.numbers.size();
}

}  // namespace

TEST_CASE("of every file of the table just so many readings are left, with just these complaints") {
  for (const ComplaintRow& row : read_complaint_table(SATURN_SOURCE_DIR "/tests/calibration/complaints.txt")) {
    std::vector<std::string> found;
    const auto say = [&](const std::string& outcome, const std::vector<Complaint>& complaints) {
      found.push_back(outcome);
      for (const Complaint& one : complaints)
        found.push_back(on_one_line(std::to_string(one.line) + " " + one.code + ": " + one.text));
    };
    try {
      const MeasuredFile file = imported(text_of_row(row));
      say(std::to_string(readings_in(file)) + " read", file.left_out);
    } catch (const InputError& error) {
      say("refused", error.complaints());
    }
    compare_row(row, found);
  }
}

}  // namespace saturn::tests
