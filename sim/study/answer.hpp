#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "reports/run/check_report.hpp"
#include "reports/run/provenance.hpp"
#include "reports/tables/text_table.hpp"

namespace saturn {

/// What the program's exit code means. Scripts rely on it.
enum class ExitCode {
  answered = 0,
  our_bug = 1,
  input = 2,               ///< something is wrong with what the user gave
  no_plan = 3,             ///< no number of jobs, or of devices, meets the constraints
  outside_band = no_plan,  ///< validate: an error leaves its stated band; like no_plan, what was asked for is not met
  precision_not_reached = 4,  ///< the results are printed all the same
  usage = 64,                 ///< the command line itself
  interrupted = 130,
};

/// A file that an answer brings beside what is printed.
struct AnswerFile {
  std::string option{};  ///< that asked for it: "--emit"
  std::filesystem::path path{};
  std::string text{};
  std::string not_writable = "out.not_writable";  ///< code of the complaint when it cannot be written
};

/// What a study found, in the three forms that every verb offers. It owns what it prints. Without forms, nothing is
/// printed.
struct Answer {
  std::function<std::string(TextStyle)> table{};
  std::function<std::string()> json{};
  std::function<std::string()> csv{};
  ExitCode exit_code = ExitCode::answered;
  std::vector<AnswerFile> files{};  ///< to be written once the answer is printed
  std::string last_words{};         ///< lines for stderr after that
};

/// An answer that owns a report, of which three functions make its forms.
template <class Report, class Table, class Json, class Csv>
Answer answer_of(Report report, Table table, Json json, Csv csv, ExitCode exit_code = ExitCode::answered) {
  const auto owned = std::make_shared<const Report>(std::move(report));
  return {.table = [owned, table](TextStyle style) { return table(*owned, style); },
          .json = [owned, json] { return json(*owned); },
          .csv = [owned, csv] { return csv(*owned); },
          .exit_code = exit_code};
}

/// The same text in every format.
Answer answer_of_text(const std::string& text);

/// Names and titles of what is shipped. @param what  "scenario"
Answer listing_answer(const std::string& what, std::vector<ListedItem> items);

/// There is no plan. @param why  a sentence
Answer no_plan_answer(const std::string& why, Provenance provenance);

/// What the formulas say where the budget ended before a simulation was complete.
Answer unconfirmed_answer(UnconfirmedReport report);

}  // namespace saturn
