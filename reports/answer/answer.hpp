#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/results/results.hpp"
#include "reports/run/provenance.hpp"
#include "reports/tables/text_table.hpp"

/// What a verb answers, whatever the verb: paragraphs, tables and pictures in the order in which people read them. The
/// writers make every format of it and know no verb, so that all formats hold the same rows and numbers.

namespace saturn {

/// One place of a table: empty, exact (a count, a number), measured (with an interval), a word, or several.
using Cell = std::variant<std::monostate, bool, std::uint64_t, double, Estimate, std::string, std::vector<std::string>>;

/// A number that may be absent.
Cell cell(const std::optional<double>& number);
/// A word; empty where there is none.
Cell cell_word(const std::string& word);

/// How people read the cells of a column. Programs get every digit, in the unit of the key.
enum class Shown : std::uint8_t {
  word,     ///< as it is, set to the left
  number,   ///< with `digits` digits; what is measured with its interval
  mean,     ///< the same without the interval
  whole,    ///< without digits after the point
  percent,  ///< a share [1] as a percentage
  slower,   ///< a ratio of event times [1] as "0.14 % slower"
};

/// Whom a column or a table is for. What people see that programs do not are other forms of numbers that these have.
enum class For : std::uint8_t { everyone, programs, people };

/// A column of a table.
struct Column {
  std::string key{};    ///< with its unit: quantity in CSV, and the key in JSON; empty: for people alone
  std::string title{};  ///< for people, with its unit: "event time [s]"
  Shown shown = Shown::word;
  double factor = 1.0;  ///< multiplies what people see, for a unit of handy numbers
  int digits = 4;
  For readers = For::everyone;
  std::string json{};     ///< its path in the row's object: "event_time_s/p99"; * is the key as it is; empty: *
  bool quantile = false;  ///< stands in JSON beside the mean of the same time, its bounds as "p99_low", "p99_high"
  bool names = false;     ///< is one of those that name the row in CSV; where there are none, the first one does
};

/// A place further down in JSON.
std::vector<std::string> below(std::vector<std::string> place, std::string name);

/// A column for programs alone.
Column hidden(std::string key);

/// How a table stands in JSON.
enum class JsonShape : std::uint8_t {
  list,     ///< an object a row
  by_name,  ///< an object whose keys are the first column, each with an object of the others
  object,   ///< of one row: an object
};

/// Rows of numbers under columns that say what they are.
struct Table {
  std::vector<std::string> place{};  ///< in JSON, from the document's root; its last names are the section in CSV
  std::string caption{};             ///< for people; empty: it goes on from what stands above it
  JsonShape shape = JsonShape::list;
  std::vector<Column> columns{};
  std::vector<std::vector<Cell>> rows{};  ///< (rows, columns)
  For readers = For::everyone;
  bool details = true;                 ///< people see it with --details alone
  std::vector<std::string> remarks{};  ///< paragraphs below it, for people
  std::size_t first_rows = SIZE_MAX;   ///< people see no more rows than these
  bool csv_alone = false;              ///< the CSV is this table alone, a line a row
  std::string more_rows{};             ///< what then stands in place of the others: "and 3 resources more, later"
  /// The column of numbers whose largest stay where the first screen has no room for all rows; absent: all rows stay.
  std::optional<std::size_t> weight{};

  /// @throws std::invalid_argument  not one cell a column
  void add_row(std::vector<Cell> cells);
  /// Of one row: one more number with its key, for programs. In JSON "precision/asked" is a key inside another.
  void add(std::string key, Cell value);
  /// Of one row: one more measured number at its place in JSON, as the table of measures has it.
  void add(const Measure& measure, const Estimate& estimate);
};

/// A table of one row for programs: an object of JSON.
Table facts_for_programs(std::vector<std::string> place);

/// Lines for people; programs see those that have a place.
struct Paragraph {
  std::string text{};
  bool heading = false;              ///< it begins a section
  bool details = true;               ///< people see it with --details alone
  std::vector<std::string> place{};  ///< in JSON; empty: for people alone
  bool is_json = false;              ///< a JSON document inside the one of the answer; people do not see it
};

/// What is drawn of characters, for people.
struct Picture {
  std::function<std::string(TextStyle)> draw{};
  bool details = true;
};

using AnswerPart = std::variant<Paragraph, Table, Picture>;

/// What a verb answers.
struct Answer {
  std::string title{};
  std::vector<AnswerPart> parts{};
  Provenance provenance{};
  bool says_provenance = true;      ///< people see it, below the details
  std::vector<std::string> more{};  ///< what else can be asked for, below the first screen
  /// Where programs get a file with a format of its own, such as fitted parameters: what it holds.
  std::function<std::string()> json_file{};
  std::function<std::string()> csv_file{};

  Table& add(Table table);
  /// A table of one row for programs: an object of JSON. A key is a path in it: "precision/asked".
  void add_facts(std::vector<std::string> place, const std::vector<std::pair<std::string, Cell>>& facts);
  /// A sentence or several lines of the first screen.
  void say(std::string text, std::vector<std::string> place = {});
  /// The same with --details alone.
  void detail(std::string text, bool heading = false);
  /// Paragraphs "name: remark" below what stands there already; those without a remark are left out.
  void remark(const std::vector<std::pair<std::string, std::string>>& remarks, bool details = true);
};

/// Every number that a subject has, as a table of one row for programs.
template <Subject subject>
Table numbers_table(std::vector<std::string> place, const Numbers<subject>& numbers) {
  Table table = facts_for_programs(std::move(place));
  numbers.each([&](const Measure& measure, const Estimate& estimate) { table.add(measure, estimate); });
  return table;
}

/// A cell as people read it.
std::string cell_text(const Column& column, const Cell& value);

/// The columns and rows of a table that people see, as text.
struct ShownTable {
  std::vector<const Column*> columns{};
  std::vector<std::vector<std::string>> rows{};  ///< (rows, columns)

  /// @param table      must live as long as this
  /// @param most_rows  keeps so many, those with the most in Table::weight, in the order in which they stand
  explicit ShownTable(const Table& table, std::size_t most_rows = SIZE_MAX);
  bool has_titles() const;
};

/// As it is printed on a terminal: the first screen, or all of it.
std::string terminal_text(const Answer& answer, TextStyle style, bool details);
/// All of it as Markdown, for notes and mails.
std::string markdown_text(const Answer& answer);
/// All of it as a page of its own, without scripts.
std::string html_page(const Answer& answer);
/// One document {provenance, ...}, the same bytes for the same answer, newline at its end.
std::string json_text(const Answer& answer);
/// Tidy rows section,name,quantity,mean,low,high,confidence,replications (RFC 4180): one number or word a row. Where
/// one table is the answer, its rows as they are, with four more columns behind what is measured.
std::string csv_text(const Answer& answer);

}  // namespace saturn
