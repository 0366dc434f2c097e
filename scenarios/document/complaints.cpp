#include "scenarios/document/complaints.hpp"

#include <algorithm>
#include <cctype>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr std::size_t longest_compared = 100;

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Optimal string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + substitution});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t smallest = longest_compared;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(wrong.size(), candidate.size());
    if (longer > longest_compared) continue;
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < smallest && distance < longer && distance <= std::max<std::size_t>(1, longer / 3)) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string name_meant(std::string_view wrong, const std::vector<std::string>& known, const std::string& question,
                       const std::string& listing) {
  const std::string nearest = nearest_name(wrong, known);
  return nearest.empty() ? listing + " " + listed(known) + "." : question + " \"" + nearest + "\"?";
}

std::string allowed_names(std::string_view wrong, const std::vector<std::string>& allowed) {
  const std::string nearest = nearest_name(wrong, allowed);
  return "allowed is " + listed(allowed) + (nearest.empty() ? "." : ". Did you mean \"" + nearest + "\"?");
}

namespace {

// Characters of a line that are shown on each side of the caret.
constexpr std::size_t shown_before = 60;
constexpr std::size_t shown_after = 50;

std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U && !characters.empty())
      characters.back() += c;
    else
      characters.emplace_back(1, c);
  }
  return characters;
}

std::string shown_character(const std::string& character) {
  const EchoedCharacter echoed = character_at(character, 0);
  return echoed.kind == CharacterKind::shown && echoed.length == character.size() ? character : "?";
}

std::string excerpt_lines(const Complaint& complaint) {
  std::vector<std::string> characters = characters_of(complaint.excerpt);
  if (!characters.empty() && characters.back() == "\r") characters.pop_back();
  const std::size_t begin = complaint.excerpt_begins_at;
  const std::size_t caret = std::min(complaint.column > begin ? complaint.column - begin : 0, characters.size());
  const std::size_t first = caret > shown_before ? caret - shown_before : 0;
  const std::size_t last = std::min(characters.size(), caret + shown_after);

  const bool cut_left = first > 0 || complaint.excerpt_begins_at > 1;
  std::string line = cut_left ? "..." : "";
  std::string marker = cut_left ? "   " : "";
  for (std::size_t i = first; i < last; ++i) {
    const bool tab = characters[i] == "\t";
    line += tab ? "\t" : shown_character(characters[i]);
    if (i < caret) marker += tab ? "\t" : " ";
  }
  if (last < characters.size()) line += "...";
  const std::string number = std::to_string(complaint.line);
  return "\n  " + number + " | " + line + "\n  " + std::string(number.size(), ' ') + " | " + marker + "^";
}

std::string lines_of(const std::vector<Complaint>& complaints) {
  return joined(texts_of(complaints, [](const Complaint& complaint) { return complaint.formatted(); }), "\n");
}

}  // namespace

std::string Complaint::formatted() const {
  std::string message = printable_line(source);
  if (line > 0) message += ":" + std::to_string(line) + (column > 0 ? ":" + std::to_string(column) : "");
  append_part(message, code + "\n  " + printable_line(text), ": ");
  if (line > 0 && !excerpt.empty()) message += excerpt_lines(*this);
  return message;
}

InputError::InputError(std::vector<Complaint> complaints)
    : std::runtime_error(lines_of(complaints)), complaints_(std::move(complaints)) {}

void refuse_input(const std::string& source, const std::string& code, const std::string& text) {
  throw InputError({{.source = source, .code = code, .text = text}});
}

std::string in_one_line(const InputError& error) {
  return joined(texts_of(error.complaints(), [](const Complaint& complaint) { return complaint.text; }), " ");
}

}  // namespace saturn
