#include "tests/complaint_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace saturn::tests {

namespace {

/// The parts between separators that stand outside backticks.
std::vector<std::string> split_outside_quotes(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts{""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') quoted = !quoted;
    if (!quoted && text.compare(i, separator.size(), separator) == 0) {
      parts.emplace_back();
      i += separator.size() - 1;
    } else {
      parts.back() += text[i];
    }
  }
  for (std::string& part : parts) {
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return parts;
}

/// Splits `input & input | said | said` into the row.
void fill_row(ComplaintRow& row, const std::string& text, const std::vector<std::string>& with) {
  std::vector<std::string> parts = split_outside_quotes(text, " | ");
  if (parts.size() < 2)
    throw std::runtime_error(row.table + ":" + std::to_string(row.line) + ": a row is `input | what is said`");
  row.input = with;
  for (const std::string& part : split_outside_quotes(parts.front(), " & "))
    if (!part.empty()) row.input.push_back(part);
  row.expected.assign(parts.begin() + 1, parts.end());
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : separator) + part;
  return all;
}

}  // namespace

std::string quoted_text(const std::string& from, std::size_t& at) {
  const auto refuse = [&] { throw std::runtime_error("a text in backticks is needed in: " + from); };
  if (at >= from.size() || from[at] != '`') refuse();
  std::string text;
  for (++at; at < from.size() && from[at] != '`'; ++at) {
    if (from[at] != '\\') {
      text += from[at];
      continue;
    }
    if (++at >= from.size()) refuse();
    if (from[at] == 'x') {
      text += static_cast<char>(std::stoi(from.substr(at + 1, 2), nullptr, 16));
      at += 2;
    } else {
      text += from[at] == 'n' ? '\n' : from[at] == 't' ? '\t' : from[at];
    }
  }
  if (at >= from.size()) refuse();
  ++at;
  return text;
}

void change_text(std::string& text, const std::string& change) {
  std::size_t at = change.find('`');
  const std::string first = quoted_text(change, at);
  const std::size_t arrow = change.find("-> `", at);
  if (arrow == std::string::npos) {
    text = first;
    return;
  }
  const std::size_t place = text.find(first);
  if (place == std::string::npos) throw std::runtime_error("nothing to replace: " + change);
  at = arrow + 3;
  text.replace(place, first.size(), quoted_text(change, at));
}

std::string on_one_line(const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  const auto is_high = [&](std::size_t at) { return at < text.size() && static_cast<unsigned char>(text[at]) > 0x7F; };
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    // In UTF-8 no such byte stands alone.
    const bool alone = is_high(i) && !is_high(i + 1) && (i == 0 || !is_high(i - 1));
    if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else if (byte < 0x20 || alone)
      line += std::string("\\x") + digits[byte >> 4U] + digits[byte & 15U];
    else
      line += c;
  }
  return line;
}

std::vector<ComplaintRow> read_complaint_table(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  std::vector<ComplaintRow> rows;
  ComplaintRow next{.table = path.string()};
  std::vector<std::string> with;
  std::string text;  // of the row that is being read
  const auto finish = [&] {
    if (text.empty()) return;
    rows.push_back(next);
    fill_row(rows.back(), text, with);
    text.clear();
  };
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.starts_with(' ')) {
      text += line;
      continue;
    }
    finish();
    next.line = number;
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("@base ")) {
      next.base = line.substr(6);
    } else if (line.starts_with("@with")) {
      with.clear();
      for (const std::string& part : split_outside_quotes(line.substr(5), " & "))
        if (!part.empty()) with.push_back(part);
    } else if (line.starts_with("@file ")) {
      std::string& file = next.files[line.substr(6)];
      file.clear();
      for (++number; std::getline(stream, line) && line != "@end"; ++number) file += line + "\n";
    } else {
      text = line;
    }
  }
  finish();
  return rows;
}

std::vector<ComplaintRow> read_complaint_tables(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<ComplaintRow> rows;
  for (const auto& path : paths)
    for (ComplaintRow& row : read_complaint_table(path)) rows.push_back(std::move(row));
  return rows;
}

void compare_row(const ComplaintRow& row, std::vector<std::string> found) {
  CHECK(true);
  for (std::size_t i = 0; i < found.size() && i < row.expected.size(); ++i) {
    const std::string& expected = row.expected[i];
    if (expected.ends_with("...") && found[i].starts_with(expected.substr(0, expected.size() - 3))) found[i] = expected;
  }
  if (found == row.expected) return;
  const std::string message = joined(row.input, " & ") + "\n  expected | " + joined(row.expected, "\n           | ") +
                              "\n  found    | " + joined(found, "\n           | ");
  ADD_FAIL_CHECK_AT(row.table.c_str(), row.line, message);
}

}  // namespace saturn::tests
