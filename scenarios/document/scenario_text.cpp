#include "scenarios/document/scenario_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

namespace {

Node value_of(const std::string& text, std::size_t source, const std::string& pointer, ComplaintList& complaints) {
  ParsedText parsed = parse_document(text, source);
  if (!parsed.complete) {
    Node node;
    node.kind = NodeKind::text;
    node.text = text;
    node.place = {source, 0};
    return node;
  }
  for (const SyntaxFault& fault : parsed.faults)
    complaints.refuse({source, 0}, pointer, fault.code,
                      fault.pointer + " is given twice in the value; keep one of the two.");
  return std::move(parsed.root);
}

std::vector<std::string> names_in(const Node& node) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < node.children.size() && i < 1000; ++i)
    names.push_back(node.kind == NodeKind::object ? escape_pointer(node.children[i].key) : std::to_string(i));
  return names;
}

std::string nothing_there(const Node& parent, const std::string& parent_pointer, const std::string& key) {
  const std::string owner = parent_pointer.empty() ? "The document" : parent_pointer;
  if (parent.kind == NodeKind::list) {
    const std::size_t length = parent.children.size();
    return owner + " is a list of " + with_commas(length) + "; " +
           (length == 0   ? ""
            : length == 1 ? "its only element is 0, and "
                          : "its elements are 0 to " + std::to_string(length - 1) + ", and ") +
           "\"-\" adds one.";
  }
  if (parent.kind != NodeKind::object) return owner + " is " + shown(parent) + " and has nothing inside.";
  const std::vector<std::string> names = names_in(parent);
  const std::string nearest = nearest_name(escape_pointer(key), names);
  if (!nearest.empty())
    return owner + " has no " + shown(key) + "; did you mean " + parent_pointer + "/" + nearest + "?";
  return owner + " has no " + shown(key) + "; it has " + (names.empty() ? "no keys" : listed(names)) + ".";
}

bool is_optional_object(const std::string& key) {
  for (const FieldText& field : scenario_shape().definition().fields)
    if (field.key == key)
      return !field.required && (field.value.definition != nullptr ||
                                 (!field.value.parts.empty() && field.value.parts.front().definition != nullptr));
  return false;
}

Node& add_key(Node& object, const std::string& key, std::size_t source) {
  Node& child = object.children.emplace_back();
  child.key = key;
  child.key_place = child.place = {source, 0};
  return child;
}

// The value that a pointer names, made if it may be; nullptr after a complaint.
Node* target_of(Document& document, const std::vector<std::string>& keys, std::size_t source,
                ComplaintList& complaints) {
  Node* node = &document.root;
  std::string pointer;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool last = i + 1 == keys.size();
    Node* child = child_of(*node, keys[i]);
    if (child == nullptr && node->kind == NodeKind::list && keys[i] == "-") {
      child = &node->children.emplace_back();
      child->kind = last ? NodeKind::null : NodeKind::object;
      child->place = {source, 0};
    } else if (child == nullptr && node->kind == NodeKind::object &&
               (last || (i == 0 && is_optional_object(keys[i])))) {
      child = &add_key(*node, keys[i], source);
      child->kind = NodeKind::object;
    }
    if (child == nullptr) {
      complaints.refuse({source, 0}, pointer + "/" + escape_pointer(keys[i]), "set.unknown_pointer",
                        nothing_there(*node, pointer, keys[i]));
      return nullptr;
    }
    pointer += "/" + escape_pointer(keys[i]);
    node = child;
  }
  return node;
}

// True when the pointer names a key of an object, which is then gone; elements of lists have to stay where they are.
bool remove_key(Node& root, const std::vector<std::string>& keys) {
  Node* parent = &root;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) parent = child_of(*parent, keys[i]);
  if (parent->kind != NodeKind::object) return false;
  std::erase_if(parent->children, [&](const Node& child) { return child.key == keys.back(); });
  return true;
}

using Keys = std::vector<std::string>;

void collect_places(const Node& node, std::span<const std::string> left, Keys& so_far, std::vector<Keys>& found) {
  const bool last = left.size() == 1;
  const auto go_on = [&](const std::string& key, const Node* child) {
    so_far.push_back(key);
    if (last) found.push_back(so_far);
    if (!last && child != nullptr) collect_places(*child, left.subspan(1), so_far, found);
    so_far.pop_back();
  };
  const Node* child = child_of(node, left.front());
  if (left.front() != "*" || child != nullptr) {
    go_on(left.front(), child);
    return;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i)
    go_on(node.kind == NodeKind::object ? node.children[i].key : std::to_string(i), &node.children[i]);
}

/// The places that a pointer with "*" stands for: every element or key that is there, where what holds the last key is
/// there, too, as in a sweep's columns. One that names none stands for itself, and is refused.
std::vector<Keys> places_meant(const Node& root, const Keys& keys) {
  std::vector<Keys> found;
  Keys so_far;
  if (std::count(keys.begin(), keys.end(), "*") > 0) collect_places(root, keys, so_far, found);
  return found.empty() ? std::vector<Keys>{keys} : found;
}

}  // namespace

void apply_overrides(Document& document, std::span<const Override> overrides, ComplaintList& complaints) {
  for (const Override& change : overrides) {
    const std::size_t source = document.sources.size();
    const std::string value = change.value.substr(0, 200);
    document.sources.push_back({"--set " + change.pointer + "=" + value, "", false});
    if (first_invalid_utf8(change.pointer) != std::string::npos ||
        first_invalid_utf8(change.value) != std::string::npos) {
      complaints.refuse({source, 0}, "", "scenario.not_utf8", "The option is not valid UTF-8 text.");
      continue;
    }
    if (change.pointer.empty() || change.pointer.front() != '/') {
      complaints.refuse({source, 0}, "", "set.not_an_override",
                        shown(change.pointer) + " is no JSON pointer; write --set /jobs/0/count=100.");
      continue;
    }
    for (const Keys& keys : places_meant(document.root, split_pointer(change.pointer))) {
      Node* target = target_of(document, keys, source, complaints);
      if (target == nullptr) continue;
      Node node = value_of(change.value, source, change.pointer, complaints);
      if (node.kind == NodeKind::null && remove_key(document.root, keys)) continue;
      node.key = std::move(target->key);
      node.key_place = {source, 0};
      *target = std::move(node);
    }
  }
}

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (!text.starts_with('/') || equals == std::string::npos)
    refuse_input("--set " + text, "set.not_an_override",
                 shown(text) +
                     " is no override; write --set /json/pointer=value, for example --set "
                     "/jobs/0/count=100.");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string text_of(const Override& setting) {
  return setting.pointer + "=" + setting.value;
}

namespace {

std::string in_mebibytes(std::uintmax_t bytes) {
  return std::to_string((bytes + (1U << 19U)) >> 20U) + " MiB";
}

[[noreturn]] void refuse_size(const std::string& name, const std::string& size) {
  refuse_input(name, "scenario.too_large",
               "The scenario is " + size + "; at most " + in_mebibytes(largest_scenario) +
                   " are read. Is this a scenario file? Describe equal jobs by their count.");
}

// Reads one byte more than allowed, so that an endless stream is noticed as well.
std::string read_stream(std::istream& stream, const std::string& name) {
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16U);
  while (text.size() <= largest_scenario && stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > largest_scenario) refuse_size(name, "larger than " + in_mebibytes(largest_scenario));
  if (stream.bad())
    refuse_input(name, "scenario.unreadable_file",
                 "The file cannot be read: " + std::string(std::strerror(errno)) + ".");
  return text;
}

const EmbeddedFile* shipped(const std::string& name) {
  for (const EmbeddedFile& file : shipped_scenarios())
    if (name == file.name || name + ".json" == file.name) return &file;
  return nullptr;
}

[[noreturn]] void refuse_missing(const std::string& path) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : shipped_scenarios())
    names.push_back(std::filesystem::path(file.name).stem().string());
  const std::string asked = std::filesystem::path(path).stem().string();
  const std::string nearest = nearest_name(asked, names);
  if (!nearest.empty())
    refuse_input(path, "scenario.missing_file",
                 "There is no such file; did you mean the shipped scenario \"" + nearest + "\"?");
  std::erase_if(names, [&](const std::string& name) { return asked.empty() || !name.starts_with(asked); });
  refuse_input(path, "scenario.missing_file",
               "There is no such file, and no shipped scenario of that name; " +
                   (names.empty() ? "`saturn examples` lists them." : "there are " + listed(names) + "."));
}

}  // namespace

ScenarioText load_scenario(const std::string& path) {
  if (path == "-") return {"standard input", read_stream(std::cin, "standard input")};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (path.find('\0') != std::string::npos || status.type() == std::filesystem::file_type::not_found) {
    const EmbeddedFile* file = shipped(path);
    if (file == nullptr) refuse_missing(path);
    return {std::string(file->name), std::string(file->text)};
  }
  if (error) refuse_input(path, "scenario.unreadable_file", "The file cannot be read: " + error.message() + ".");
  if (std::filesystem::is_directory(status))
    refuse_input(path, "scenario.not_a_file", "This is a folder; name a scenario file inside it.");
  if (std::filesystem::is_regular_file(status)) {
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error && size > largest_scenario) refuse_size(path, in_mebibytes(size));
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    refuse_input(path, "scenario.unreadable_file",
                 "The file cannot be opened: " + std::string(std::strerror(errno)) + ".");
  return {path, read_stream(stream, path)};
}

ScenarioText checked_text(ScenarioText scenario) {
  std::string& text = scenario.text;
  if (text.size() > largest_scenario) refuse_size(scenario.name, in_mebibytes(text.size()));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse_input(scenario.name, "scenario.empty_file",
                 "The scenario is empty; the shipped scenario \"first-steps\" is a place to begin.");
  if (text.find('\0') != std::string::npos)
    refuse_input(scenario.name, "scenario.binary_file", "This is a binary file; a scenario is a JSON text in UTF-8.");
  const std::size_t invalid = first_invalid_utf8(text);
  if (invalid != std::string::npos) {
    const Document document{.sources = {{scenario.name, text, true}}, .root = {}};
    throw InputError({document.complaint_at({0, invalid}, "scenario.not_utf8",
                                            "This byte is not part of UTF-8 text; save the file with that encoding.")});
  }
  return scenario;
}

}  // namespace saturn
