#include "scenarios/document/text_files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "models/words/numbers.hpp"
#include "scenarios/fields/arrival_trace.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

std::optional<FileFault> read_regular_file(const std::string& name, std::size_t largest, std::string& text) {
  if (name.empty() || name.find('\0') != std::string::npos)
    return FileFault{"scenario.missing_file", ", no file's name."};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(name, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return FileFault{"scenario.missing_file", ", but there is no such file."};
  if (std::filesystem::is_directory(status)) return FileFault{"scenario.not_a_file", ", but that is a folder."};
  // A pipe or a device may never end.
  if (!error && !std::filesystem::is_regular_file(status))
    return FileFault{"scenario.not_a_file", ", but that is no regular file."};
  const std::uintmax_t size = error ? 0 : std::filesystem::file_size(name, error);
  if (error) return FileFault{"scenario.unreadable_file", ", which cannot be read: " + error.message() + "."};
  if (size > largest)
    return FileFault{"scenario.too_large",
                     ", which has " + with_commas(size) + " bytes; at most " + with_commas(largest) + " are read."};
  errno = 0;
  std::ifstream stream(name, std::ios::binary);
  text.resize(size);
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream) return std::nullopt;
  return FileFault{"scenario.unreadable_file", ", which cannot be read: " + std::string(std::strerror(errno)) + "."};
}

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

namespace {

using Traces = std::map<std::string, std::shared_ptr<const RecordedDates>>;

/// Nothing after a complaint.
std::shared_ptr<const RecordedDates> read_trace(const std::string& name, const Node& path, const std::string& pointer,
                                                Document& document, ComplaintList& complaints) {
  std::string text;
  if (const std::optional<FileFault> fault = read_regular_file(name, largest_trace_file, text)) {
    complaints.refuse(path.place, pointer, fault->code,
                      pointer + " names " + shown(name) + fault->text +
                          " Name a CSV file with the dates of the arrivals, relative to this file.");
    return nullptr;
  }
  ParsedTrace parsed = parse_arrival_trace(text);
  if (parsed.faults.empty()) return std::make_shared<const RecordedDates>(std::move(parsed.recorded));
  const std::size_t source = document.sources.size();
  document.sources.push_back({name, std::move(text), true});
  for (const SyntaxFault& fault : parsed.faults)
    complaints.refuse({source, fault.offset}, pointer, fault.code, fault.text);
  return nullptr;
}

void note_fingerprint(Node& arrivals, const RecordedDates& recorded) {
  Node fingerprint;
  fingerprint.kind = NodeKind::text;
  fingerprint.key = "fingerprint";
  fingerprint.text = recorded.fingerprint;
  arrivals.children.push_back(std::move(fingerprint));
}

}  // namespace

void attach_traces(Scenario& scenario, Document& document, const std::filesystem::path& folder,
                   ComplaintList& complaints) {
  Traces known;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    auto* law = scenario.jobs[j].arrivals ? std::get_if<TraceArrivals>(&*scenario.jobs[j].arrivals) : nullptr;
    const std::string pointer = "/jobs/" + std::to_string(j) + "/arrivals";
    if (law == nullptr || !complaints.sound(pointer)) continue;
    Node* arrivals = node_at(document.root, pointer);
    const std::string name = (folder / law->file).string();
    const auto [entry, is_new] = known.try_emplace(name);
    if (is_new) entry->second = read_trace(name, *arrivals->find("trace"), pointer + "/trace", document, complaints);
    if (entry->second == nullptr) {
      complaints.distrust(pointer);
      continue;
    }
    law->recorded = entry->second;
    note_fingerprint(*arrivals, *law->recorded);
  }
}

}  // namespace saturn
