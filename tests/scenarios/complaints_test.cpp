#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "scenarios/sweep/sweep_space.hpp"
#include "tests/complaint_table.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path tables = SATURN_SOURCE_DIR "/tests/scenarios/complaints";

/// First and last line of a value.
using Lines = std::pair<std::size_t, std::size_t>;

/// Writes a document with each value on lines of its own, and remembers on which.
void write_value(const Json& value, const std::string& pointer, std::string& text, std::size_t& line,
                 std::map<std::string, Lines>& lines) {
  const std::size_t first = line;
  const auto next_line = [&] {
    text += '\n';
    ++line;
  };
  if (value.is_structured()) {
    text += value.is_object() ? '{' : '[';
    bool some = false;
    for (const auto& [key, child] : value.items()) {
      if (some) text += ',';
      some = true;
      next_line();
      if (value.is_object()) text += Json(key).dump() + ": ";
      write_value(
          child,
          pointer + "/" + std::regex_replace(std::regex_replace(key, std::regex("~"), "~0"), std::regex("/"), "~1"),
          text, line, lines);
    }
    if (some) next_line();
    text += value.is_object() ? '}' : ']';
  } else {
    text += value.dump();
  }
  lines[pointer] = {first, line};
}

/// What a row asks: a scenario with its changes, files beside it, and options.
struct Question {
  std::string text{};
  std::map<std::string, Lines> lines{};  ///< of each value of the text; empty when the text was changed as a text
  std::map<std::string, std::string> files{};
  std::vector<Override> overrides{};
  std::vector<std::string> options{};  ///< as they are spelt in the row: what complaints call their source
  SweepText sweep{};
  std::optional<KnownPlatform> platform{};  ///< absent: nobody reads platform files
};

/// `/pointer = value` or `/pointer removed`.
void change_document(Json& document, const std::string& change) {
  const std::string removed = " removed";
  if (change.ends_with(removed)) {
    const Json::json_pointer pointer(change.substr(0, change.size() - removed.size()));
    document.at(pointer.parent_pointer()).erase(pointer.back());
    return;
  }
  const std::size_t equals = change.find(" = ");
  document[Json::json_pointer(change.substr(0, equals))] = Json::parse(change.substr(equals + 3));
}

void add_option(Question& question, const std::string& option) {
  question.options.push_back(option);
  const std::size_t space = option.find(' ');
  const std::string name = option.substr(0, space);
  const std::string value = space == std::string::npos ? "" : option.substr(space + 1);
  if (name == "--set") {
    const std::size_t equals = value.find('=');
    question.overrides.push_back({value.substr(0, equals), value.substr(equals + 1)});
  } else if (name == "--axis") {
    question.sweep.axes.push_back(value);
  } else if (name == "--where") {
    question.sweep.where.push_back(value);
  } else if (name == "--sample") {
    question.sweep.sample = std::stoull(value);
  } else if (option == "--sampling random") {
    question.sweep.sampling = Sampling::random;
  } else {
    throw std::runtime_error("no such option: " + option);
  }
}

/// `platform`, or `platform PART = value`.
void change_platform(KnownPlatform& platform, const std::string& change) {
  const std::size_t equals = change.find(" = ");
  if (equals == std::string::npos) return;
  const std::string part = change.substr(9, equals - 9);
  const std::string value = change.substr(equals + 3);
  if (part == "hosts") {
    platform.hosts = Json::parse(value).get<std::vector<std::string>>();
  } else if (part == "fault") {
    platform.fault = value;
  } else if (part.starts_with("fault from ")) {
    platform.faults[part.substr(11)] = value;
  } else if (part == "link") {
    std::size_t at = 0;
    platform.link.name = quoted_text(value, at);
  } else if (part == "bandwidth") {
    platform.link.bandwidth = Bandwidth{std::stod(value)};
  } else if (part == "latency") {
    platform.latency = Seconds{std::stod(value)};
  } else {
    throw std::runtime_error("a platform has no " + part);
  }
}

Question question_of(const ComplaintRow& row) {
  Question question{.files = row.files};
  question.text = row.base == "batching" ? batching_scenario() : sound_scenario();
  Json document = Json::parse(question.text);
  bool as_text = false;
  for (const std::string& change : row.input) {
    const std::string word = change.substr(0, change.find(' '));
    if (change.starts_with('/')) {
      change_document(document, change);
    } else if (change.starts_with("--")) {
      add_option(question, change);
    } else if (word == "platform") {
      if (!question.platform) question.platform.emplace();
      change_platform(*question.platform, change);
    } else if (word == "document" || change.starts_with('`')) {
      as_text = true;
      change_text(question.text, change);
    } else {
      change_text(question.files[word], change);
    }
  }
  if (as_text) return question;
  question.text.clear();
  std::size_t line = 1;
  write_value(document, "", question.text, line, question.lines);
  return question;
}

/// True where the line of a complaint is one of the value whose pointer its sentence begins with, or of the nearest
/// value round it that is there.
bool stands_at_its_pointer(const Complaint& complaint, const std::map<std::string, Lines>& lines) {
  std::string pointer = complaint.text.substr(0, complaint.text.find(' '));
  if (!pointer.starts_with('/')) return true;
  while (!lines.contains(pointer)) pointer.erase(pointer.rfind('/'));
  const auto [first, last] = lines.at(pointer);
  return first <= complaint.line && complaint.line <= last;
}

/// The complaints as the table spells them: "code: text", after a place that is neither the scenario's value itself nor
/// one of the row's options.
std::vector<std::string> spelt(const std::vector<Complaint>& complaints, const Question& question,
                               const ScratchFolder& folder, const std::string& head = "") {
  const auto without_folder = [&](std::string text) {
    const std::string path = folder.path("");
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) text.erase(at, path.size());
    return text;
  };
  std::vector<std::string> all;
  for (const Complaint& one : complaints) {
    const std::string source = without_folder(one.source);
    const bool option = std::find(question.options.begin(), question.options.end(), source) != question.options.end();
    const std::string place = std::to_string(one.line) + ":" + std::to_string(one.column);
    std::string where;
    if (source == "s.json" && question.lines.empty()) where = place + " ";
    if (source == "s.json" && !question.lines.empty() && !stands_at_its_pointer(one, question.lines))
      where = "at the wrong line, " + place + " ";
    if (source != "s.json" && !option) where = source + (one.line > 0 ? ":" + place : "") + " ";
    all.push_back(head + where + one.code + ": " + on_one_line(without_folder(one.text)));
  }
  return all;
}

std::vector<std::string> said_of(const Question& question) {
  const ScratchFolder folder;
  for (const auto& [name, text] : question.files) folder.write(name, text);
  PlatformReader reader;
  if (question.platform) reader = *question.platform;
  try {
    const ReadScenario read = read_scenario_text(question.text, folder.path("s.json"), question.overrides, reader);
    const bool sweeps = !question.sweep.axes.empty() || !question.sweep.where.empty() || question.sweep.sample;
    if (sweeps) sweep_space(question.sweep, read);
    return spelt(read.warnings, question, folder, "warning ");
  } catch (const InputError& error) {
    return spelt(error.complaints(), question, folder);
  }
}

/// The codes that the sources of scenarios/ can say.
std::set<std::string> codes_of_sources() {
  const std::regex literal("\"((scenario|set|sweep|fitted|trace|triton)\\.[a-z0-9_]+)\"");
  std::set<std::string> codes;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(SATURN_SOURCE_DIR) / "scenarios")) {
    if (file.path().extension() != ".cpp") continue;
    std::ifstream stream(file.path());
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    for (std::sregex_iterator found(text.begin(), text.end(), literal), end; found != end; ++found)
      codes.insert((*found)[1].str());
  }
  codes.erase("fitted.json");  // the name of a file
  return codes;
}

}  // namespace

TEST_CASE("every row of the tables of complaints gets just the complaints that it names, each at its place") {
  for (const ComplaintRow& row : read_complaint_tables(tables)) {
    std::vector<std::string> found;
    try {
      found = said_of(question_of(row));
    } catch (const std::exception& error) {
      found = {std::string("the row cannot be asked: ") + error.what()};
    }
    compare_row(row, found.empty() ? std::vector<std::string>{"none"} : found);
  }
}

TEST_CASE("every complaint that scenarios/ can make is made in a row of the tables, or excused with a reason") {
  const std::set<std::string> codes = codes_of_sources();
  std::set<std::string> missing = codes;
  CHECK(missing.size() > 150);
  for (const ComplaintRow& row : read_complaint_tables(tables))
    for (const std::string& said : row.expected)
      for (const std::string& code : codes)
        if (said.starts_with(code + ": ") || said.find(" " + code + ": ") != std::string::npos) missing.erase(code);
  for (const ComplaintRow& row : read_complaint_table(tables / "excused" / "codes.txt")) {
    CHECK_MESSAGE(missing.contains(row.input.at(0)), row.input.at(0) << " is excused without need");
    CHECK_MESSAGE(row.expected.at(0).size() > 20, row.input.at(0) << " is excused without a reason");
    missing.erase(row.input.at(0));
  }
  for (const std::string& code : missing) FAIL_CHECK(code << " is in no row");
}

}  // namespace saturn::tests
