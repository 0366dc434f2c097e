#include <algorithm>
#include <utility>

#include "calibration/import/import_kit.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr std::string_view title = "TimeTracker printout";

bool is_ruler(std::string_view line, char sign) {
  const std::string_view clean = trimmed(line, " \t");
  constexpr std::size_t shortest_ruler = 10;
  return clean.size() >= shortest_ruler && clean.find_first_not_of(sign) == std::string_view::npos;
}

std::vector<std::string> column_names(std::string_view line) {
  std::vector<std::string> names;
  for (const std::string_view word : words_of_line(line))
    if (word == "Min" || word == "Avg" || word == "Max" || word == "Median" || word == "RMS" || word == "nEvts")
      names.emplace_back(word);
  return names;
}

class TableReader {
 public:
  explicit TableReader(Import& import) : import_(import), cpu_times_(import.file().cpu_times) {}

  void read() {
    for (const ImportedLine& line : lines_to_import(import_.text())) take(line);
    end_table(false);
    name_tables();
    if (cpu_times_.empty())
      import_.refuse("import.no_cpu_time",
                     "TimeTracker's summary holds no row that could be used: a name, the times in seconds and the "
                     "number of events are needed, as the title's columns say.");
  }

 private:
  void take(const ImportedLine& line);
  void take_row(const ImportedLine& line);
  void take_figures(const ImportedLine& line, const std::string& name, const std::vector<std::string_view>& figures);
  std::optional<double> figure(const std::vector<std::string_view>& figures, std::string_view column) const;
  void end_table(bool closed);
  void name_tables();

  Import& import_;
  std::vector<CpuTimes>& cpu_times_;
  bool inside_ = false;
  std::size_t tables_ = 0;
  std::vector<std::size_t> table_of_{};  // for each entry of cpu_times
  std::vector<std::string> columns_{};
  std::string pending_name_{};  // of a row whose figures stand on the next line
  ImportedLine pending_line_{};
  std::size_t rows_ = 0;
  std::size_t strange_ = 0;  // lines in a row that are no rows
};

void TableReader::take(const ImportedLine& line) {
  if (line.text.find(title) != std::string_view::npos) {
    end_table(false);
    inside_ = true;
    ++tables_;
    columns_ = column_names(line.text);
    return;
  }
  if (!inside_ || trimmed(line.text, " \t").empty() || is_ruler(line.text, '-')) return;
  if (is_ruler(line.text, '=')) {
    if (rows_ > 0) end_table(true);
    return;
  }
  if (columns_.empty())
    columns_ = column_names(line.text);
  else
    take_row(line);
}

void TableReader::take_row(const ImportedLine& line) {
  std::vector<std::string_view> words = words_of_line(line.text);
  std::size_t names = words.size();
  while (names > 0 && words.size() - names < columns_.size() && imported_number(words[names - 1])) --names;
  std::string name;
  for (std::size_t i = 0; i < names; ++i) append_part(name, words[i], " ");
  const std::vector<std::string_view> figures(words.begin() + static_cast<std::ptrdiff_t>(names), words.end());
  if (figures.empty() && names == 1 && pending_name_.empty() && name.find(':') != std::string::npos) {
    pending_name_ = name;
    pending_line_ = line;
    return;
  }
  if (name.empty() && !pending_name_.empty()) name = pending_name_;
  pending_name_.clear();
  if (!name.empty() && figures.size() == columns_.size()) {
    strange_ = 0;
    ++rows_;
    take_figures(line, name, figures);
    return;
  }
  import_.leave_out(line, "import.no_row",
                    "This line is no row of TimeTracker's summary: a name and " + counted(columns_.size(), "number") +
                        " are needed; " + std::to_string(figures.size()) + " stand here.",
                    1);
  constexpr std::size_t most_strange = 5;
  if (++strange_ == most_strange) end_table(false);
}

std::optional<double> TableReader::figure(const std::vector<std::string_view>& figures, std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) return std::nullopt;
  const std::optional<double> value = imported_number(figures[static_cast<std::size_t>(found - columns_.begin())]);
  return value && is_measurable(*value) ? value : std::nullopt;
}

void TableReader::take_figures(const ImportedLine& line, const std::string& name,
                               const std::vector<std::string_view>& figures) {
  const std::optional<double> mean = figure(figures, "Avg");
  const std::optional<double> events = figure(figures, "nEvts");
  const double least = figure(figures, "Min").value_or(0.0);
  const double most = figure(figures, "Max").value_or(1e15);
  if (!mean || *mean == 0.0 || !events || *events < 1.0) {
    import_.leave_out(
        line, "import.unusable_time",
        "The mean time of " + name + " is not used: \"Avg\" above 0 (seconds) and \"nEvts\" of 1 or more are needed.",
        1);
    return;
  }
  constexpr double rounding = 1e-5;
  if (*mean < least * (1.0 - rounding) || *mean > most * (1.0 + rounding)) {
    import_.leave_out(line, "import.contradiction",
                      "The mean of " + name + ", " + significant(*mean, 6) + " s, is not between Min and Max, " +
                          significant(least, 6) + " s and " + significant(most, 6) + " s; it is not used.",
                      1);
    return;
  }
  CpuTimes times{.at = import_.at(line), .name = name, .mean_s = *mean};
  times.count = static_cast<std::size_t>(*events);
  if (times.count > 1) times.sd_s = figure(figures, "RMS");
  times.whole_event = name == "Full event";
  if (times.whole_event) times.name = "event";
  cpu_times_.push_back(std::move(times));
  table_of_.push_back(tables_);
}

void TableReader::end_table(bool closed) {
  if (!inside_) return;
  if (!pending_name_.empty())
    import_.leave_out(pending_line_, "import.no_row", "No numbers follow this name; it is not used.", 1);
  if (!closed)
    import_.note("TimeTracker: table " + std::to_string(tables_) +
                 " has no closing line; the text may be torn, and rows may be missing.");
  inside_ = false;
  columns_.clear();
  pending_name_.clear();
  rows_ = strange_ = 0;
}

void TableReader::name_tables() {
  if (!table_of_.empty())
    import_.note("TimeTracker: summaries only, no single times: mean and spread (RMS) of each module.");
  if (tables_ < 2) return;
  for (std::size_t i = 0; i < table_of_.size(); ++i)
    cpu_times_[i].name += " (table " + std::to_string(table_of_[i]) + ")";
  import_.note("TimeTracker: the text holds " + std::to_string(tables_) +
               " tables; \"(table 1)\" and so on behind the names keeps them apart.");
}

bool recognises_timetracker_table(std::string_view text) {
  return holds(text, title);
}

void read_timetracker_table(Import& import) {
  TableReader(import).read();
}

}  // namespace

ImportFormat timetracker_summary() {
  return {.name = "TimeTracker summary",
          .looks_like = "a log of art's with \"TimeTracker printout (sec)\"",
          .recognises = recognises_timetracker_table,
          .read = read_timetracker_table};
}

}  // namespace saturn
