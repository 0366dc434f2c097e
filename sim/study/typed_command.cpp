#include "sim/study/typed_command.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  for (const std::string_view word : split_at(list, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

TypedCommand::TypedCommand(const VerbRow& verb, std::map<const OptionRow*, std::vector<std::string>> values)
    : verb_(&verb), values_(std::move(values)) {}

std::string OptionRow::help_text() const {
  const std::string shown(standard);
  return replaced_all(std::string(help), "{}", kind == ValueKind::whole ? shown : in_quotes(shown));
}

std::vector<std::string> TypedCommand::typed_of(std::initializer_list<const char*> options) const {
  std::vector<std::string> given;
  for (const char* option : options)
    if (!values_of(option).empty()) given.emplace_back(option);
  return given;
}

std::vector<std::string> TypedCommand::typed_where(bool OptionRow::*is_so) const {
  std::vector<std::string> given;
  for (const auto& [row, values] : values_)
    if (row->*is_so && !values.empty()) given.emplace_back(row->name);
  std::sort(given.begin(), given.end());
  return given;
}

const OptionRow* TypedCommand::find(std::string_view option) const {
  for (const auto& [row, values] : values_)
    if (row->name == option) return row;
  return nullptr;
}

const OptionRow& TypedCommand::row_of(std::string_view option) const {
  if (const OptionRow* row = find(option)) return *row;
  throw std::logic_error(std::string(verb_->name) + " has no option " + std::string(option) + " in the option table");
}

const std::vector<std::string>& TypedCommand::values_of(std::string_view option) const {
  return values_.at(&row_of(option));
}

void TypedCommand::refuse_unused() const {
  for (const auto& [row, values] : values_)
    if (!used_.contains(row))
      throw std::logic_error(std::string(verb_->name) + " does nothing with " + std::string(row->name));
}

std::size_t TypedCommand::number_of_choice(const OptionRow& row, const std::string& word) {
  const std::vector<std::string> words = words_of(row.choices);
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

namespace {

/// As a number is written, "7" for "007".
std::string normal_value(const OptionRow& row, const std::string& text) {
  return row.kind == ValueKind::whole ? std::to_string(*read_whole(text)) : text;
}

}  // namespace

std::string TypedCommand::spelled_with(bool (*is_meant)(const OptionRow&)) const {
  std::string command = "saturn " + std::string(verb_->name);
  std::string options;
  std::string arguments;
  bool like_options = false;
  for (const auto& [row, values] : values_) {
    if (!is_meant(*row)) continue;
    for (const std::string& value : values) {
      std::string& part = row->is_argument() ? arguments : options;
      if (!row->is_argument()) part += " " + std::string(row->name);
      if (row->kind != ValueKind::flag) part += " " + shell_word(normal_value(*row, value));
      like_options = like_options || (row->is_argument() && value.starts_with('-'));
    }
  }
  return like_options ? command + options + " --" + arguments : command + arguments + options;
}

}  // namespace saturn
