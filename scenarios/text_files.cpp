#include "scenarios/text_files.hpp"

#include <utility>

#include "models/words/numbers.hpp"
#include "scenarios/regular_file.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

std::string TextFiles::bytes(std::size_t source) const {
  return std::string(marked_.contains(source) ? byte_order_mark : "") + document_.sources[source].text;
}

std::string TextFiles::joined(const std::string& path) const {
  return (folder_ / path).string();
}

std::optional<std::size_t> TextFiles::load(const Node& path, const std::string& pointer, const FilePurpose& purpose) {
  const std::string name = joined(path.text);
  const auto refuse = [&](const char* code, const std::string& text) {
    complaints_.refuse(path.place, pointer, code, pointer + " names " + shown(name) + text);
    return std::nullopt;
  };
  const auto known = loaded_.find(name);
  if (known != loaded_.end() && !known->second)
    return refuse("scenario.unreadable_file", ", which cannot be read, as said where it is named first.");
  std::optional<std::size_t> source;
  if (known != loaded_.end()) {
    source = known->second;
  } else {
    std::string text;
    loaded_.emplace(name, std::nullopt);
    if (const std::optional<FileFault> fault = read_regular_file(name, purpose.largest, text))
      return refuse(fault->code, fault->text + " " + purpose.way_out);
    source = checked(name, std::move(text), pointer, purpose);
    if (!source) return std::nullopt;
    loaded_[name] = source;
  }
  bytes_ += document_.sources[*source].text.size();
  if (bytes_ > most_referenced_bytes)
    return refuse("scenario.too_large", ", which brings such files to more than " + with_commas(most_referenced_bytes) +
                                            " bytes in all; name fewer of them.");
  return source;
}

/// Adds the text to the sources, unless it cannot be a text at all.
std::optional<std::size_t> TextFiles::checked(const std::string& name, std::string text, const std::string& pointer,
                                              const FilePurpose& purpose) {
  const std::size_t source = document_.sources.size();
  if (text.starts_with(byte_order_mark)) {
    text.erase(0, byte_order_mark.size());
    marked_.insert(source);
  }
  const bool empty = text.find_first_not_of(" \t\r\n") == std::string::npos;
  const bool binary = text.find('\0') != std::string::npos;
  const std::size_t invalid = first_invalid_utf8(text);
  document_.sources.push_back({name, std::move(text), true});
  const std::string wanted = std::string("; ") + purpose.noun + " is a text in UTF-8.";
  if (empty)
    complaints_.refuse({source, 0}, pointer, "scenario.empty_file", "The file is empty" + wanted);
  else if (binary)
    complaints_.refuse({source, 0}, pointer, "scenario.binary_file", "This is a binary file" + wanted);
  else if (invalid != std::string::npos)
    complaints_.refuse({source, invalid}, pointer, "scenario.not_utf8", "This byte is not part of UTF-8 text" + wanted);
  else
    return source;
  return std::nullopt;
}

}  // namespace saturn
