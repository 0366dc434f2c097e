#include "scenarios/triton/triton_syntax.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <set>
#include <string_view>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/triton_model.pb.h"

namespace saturn {

namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
}

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::size_t end_of_piece(const std::string& text, std::size_t begin) {
  const char first = text[begin];
  std::size_t end = begin + 1;
  if (first == '#') return std::min(text.find('\n', begin), text.size());
  if (first == '"' || first == '\'') {
    while (end < text.size() && text[end] != first && text[end] != '\n') end += text[end] == '\\' ? 2U : 1U;
    return std::min(end + 1, text.size());
  }
  while (is_of_word(first) && end < text.size() && is_of_word(text[end])) ++end;
  return end;
}

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using google::protobuf::TextFormat;
using Tree = TextFormat::ParseInfoTree;

/// A part of a text, from the first character of a field's name to behind its value. [byte]
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The text that protobuf's parser is given: a file's with a colon before every list that follows its field's name
/// directly, as in `parameters [ ... ]`, which the parser asks for when it skips fields that it does not know.
class GivenText {
 public:
  /// Cost: O(length)
  explicit GivenText(const std::string& file) : length_(file.size()) {
    bool after_colon = false;
    bool after_name = false;
    for (std::size_t i = 0; i < file.size();) {
      const char c = file[i];
      if (c == '[' && after_name) put(':', i);
      if (c != '#' && !is_blank(c)) {
        after_name = is_of_word(c) && !after_colon;
        after_colon = c == ':';
      }
      for (const std::size_t end = end_of_piece(file, i); i < end; ++i) put(file[i], i + 1);
    }
  }

  const std::string& text() const { return text_; }

  /// Offset in the file, at most its length, of a place as protobuf counts: lines and columns from 0, columns in bytes,
  /// and a tab goes on to the next multiple of 8. [byte] Cost: O(log(length))
  std::size_t offset(int line, int column) const {
    const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), std::pair{line, column},
                                        [](const std::pair<int, int>& place, const Anchor& anchor) {
                                          return place < std::pair{anchor.line, anchor.column};
                                        });
    const Anchor& anchor = *(after - 1);
    if (anchor.line != line) return length_;
    return std::min(anchor.offset + static_cast<std::size_t>(column - anchor.column), length_);
  }

 private:
  /// A place from which on columns and bytes of the file run alike.
  struct Anchor {
    int line = 0;
    int column = 0;
    std::size_t offset = 0;
  };

  /// @param next  offset in the file of what follows
  void put(char c, std::size_t next) {
    constexpr int tab_width = 8;
    text_ += c;
    here_.line += c == '\n' ? 1 : 0;
    here_.column = c == '\n' ? 0 : here_.column + (c == '\t' ? tab_width - here_.column % tab_width : 1);
    here_.offset = next;
    if (c == '\n' || c == '\t' || c == ':') anchors_.push_back(here_);
  }

  std::size_t length_;
  std::string text_;
  Anchor here_{};
  std::vector<Anchor> anchors_{Anchor{}};
};

// What is wrong with a config.pbtxt, in our own words.

constexpr int deepest_field = 64;

SyntaxFault fault_at(std::size_t offset, const char* code, std::string text) {
  return {.offset = offset, .code = code, .text = std::move(text)};
}

/// The n-th text in double quotes of a message, from 0.
std::string quoted_in(const std::string& message, int n) {
  std::size_t at = 0;
  for (;; --n) {
    const std::size_t open = message.find('"', at);
    const std::size_t close = open == std::string::npos ? open : message.find('"', open + 1);
    if (close == std::string::npos) return "";
    if (n == 0) return message.substr(open + 1, close - open - 1);
    at = close + 1;
  }
}

/// Where a word last stands before a place.
std::size_t word_before(const std::string& text, std::size_t offset, const std::string& word) {
  const std::size_t at = word.empty() || offset == 0 ? std::string::npos : text.rfind(word, offset - 1);
  return at == std::string::npos ? offset : at;
}

/// The first mark of a template on the line of a place: its offset and what it looks like.
std::optional<std::pair<std::size_t, std::string>> template_mark(const std::string& text, std::size_t offset) {
  const std::size_t newline = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  const std::string_view line = std::string_view(text).substr(begin, end - begin);
  using Brackets = std::pair<std::string_view, std::string_view>;
  constexpr std::array brackets{Brackets{"${", "}"}, Brackets{"{{", "}}"}, Brackets{"{%", "%}"}, Brackets{"$(", ")"},
                                Brackets{"<", ">"}};
  for (const auto& [open, close] : brackets) {
    const std::size_t first = line.find(open);
    if (first == std::string_view::npos) continue;
    const std::size_t last = line.find(close, first);
    if (last == std::string_view::npos) continue;
    return std::pair{begin + first, std::string(line.substr(first, last + close.size() - first))};
  }
  return std::nullopt;
}

/// What can be seen before the text is parsed: nothing in it, or fields nested too deep.
std::optional<SyntaxFault> shape_fault(const std::string& text) {
  int depth = 0;
  bool anything = false;
  for (std::size_t i = 0; i < text.size(); i = end_of_piece(text, i)) {
    const char c = text[i];
    anything = anything || (c != '#' && !is_blank(c));
    if (c == '{' || c == '[' || c == '<') ++depth;
    if (c == '}' || c == ']' || c == '>') --depth;
    if (depth > deepest_field)
      return fault_at(i, "triton.too_deep",
                      "Fields are nested more than " + std::to_string(deepest_field) +
                          " deep here; a model configuration needs no more than ten levels.");
  }
  if (anything) return std::nullopt;
  return fault_at(0, "triton.empty",
                  "The model configuration is empty; leave \"triton_config\" out, or name the file that the "
                  "server uses.");
}

/// Explains an error of protobuf's parser.
/// @param offset   where it stopped [byte]
/// @param message  its own words
/// @param allowed  values of the enumeration that the message is about, if any
SyntaxFault parser_fault(const std::string& text, std::size_t offset, const std::string& message,
                         const std::vector<std::string>& allowed) {
  if (!allowed.empty()) {
    const std::string value = quoted_in(message, 0);
    return fault_at(
        word_before(text, offset, value), "triton.unknown_value",
        shown(value) + " is no value of " + shown(quoted_in(message, 1)) + "; " + allowed_names(value, allowed));
  }
  if (const auto hole = template_mark(text, offset))
    return fault_at(hole->first, "triton.template",
                    "The file is a template: " + shown(hole->second) +
                        " stands where a value belongs. Fill the template in, as for the server, and name the result.");
  if (std::all_of(text.begin() + static_cast<std::ptrdiff_t>(offset), text.end(), is_blank))
    return fault_at(offset, "triton.cut_short",
                    "The text ends in the middle of a field: the file was cut short. Copy it again as a whole.");
  return fault_at(
      offset, "triton.syntax",
      "This is no model configuration in protobuf's text format; its parser says: " + message.substr(0, 200) +
          (message.ends_with('.') ? "" : ".") + " Correct the line, or fill it in if the file is a template.");
}

/// Keeps the first error, after which protobuf's messages are only consequences, and every warning.
class Listener : public google::protobuf::io::ErrorCollector {
 public:
  Listener(const std::string& text, const GivenText& given, ParsedTriton& parsed)
      : text_(text), given_(given), parsed_(parsed) {}

  void AddError(int line, int column, const std::string& message) override {
    if (!parsed_.fault) parsed_.fault = parser_fault(text_, given_.offset(line, column), message, enumerators(message));
  }
  void AddWarning(int line, int column, const std::string& message) override {
    // Of what is not simulated as a whole, the parts need no warnings.
    if (message.find("\"" + triton::SequenceBatching::descriptor()->full_name() + "\"") != std::string::npos) return;
    constexpr std::size_t most_warnings = 100;
    if (parsed_.warnings.size() >= most_warnings || !seen_.insert(message).second) return;
    const std::string field = quoted_in(message, 1);
    const std::string nearest = nearest_name(field, field_names(quoted_in(message, 0)));
    parsed_.warnings.push_back(fault_at(word_before(text_, given_.offset(line, column), field), "triton.unknown_field",
                                        shown(field) + " is not read, as the simulation has no use for it." +
                                            (nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?")));
  }

 private:
  /// Names of a message's fields; empty when there is no such message.
  static std::vector<std::string> field_names(const std::string& message_type) {
    std::vector<std::string> names;
    const Descriptor* type = triton::ModelConfig::descriptor()->file()->pool()->FindMessageTypeByName(message_type);
    for (int i = 0; type != nullptr && i < type->field_count(); ++i) names.push_back(type->field(i)->name());
    return names;
  }

  /// Allowed values of the first field of enumeration type that the message names in quotes.
  static std::vector<std::string> enumerators(const std::string& message) {
    std::vector<std::string> names;
    const auto visit = [&](const Descriptor* type, const auto& self) -> void {
      for (int i = 0; i < type->field_count(); ++i) {
        const FieldDescriptor* field = type->field(i);
        if (!names.empty() || field->enum_type() == nullptr) continue;
        if (message.find("for field \"" + field->name() + "\"") == std::string::npos) continue;
        for (int k = 0; k < field->enum_type()->value_count(); ++k)
          names.push_back(field->enum_type()->value(k)->name());
      }
      for (int i = 0; i < type->nested_type_count(); ++i) self(type->nested_type(i), self);
    };
    const google::protobuf::FileDescriptor* file = triton::ModelConfig::descriptor()->file();
    for (int i = 0; i < file->message_type_count(); ++i) visit(file->message_type(i), visit);
    return names;
  }

  const std::string& text_;
  const GivenText& given_;
  ParsedTriton& parsed_;
  std::set<std::string> seen_;
};

/// Turns a message into a document.
class MessageNodes {
 public:
  /// @param ends  where the fields' ends are noted
  MessageNodes(const GivenText& given, std::size_t source, std::map<std::size_t, std::size_t>& ends)
      : given_(given), source_(source), ends_(ends) {}

  /// @param whole  where the message stands, and with it what has no place of its own
  Node object(const Message& message, const Tree* tree, TextSpan whole) {
    Node node = node_at(whole, NodeKind::object);
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      // What is not repeated has its place under index -1.
      Node child = field->is_repeated() ? list(message, field, tree, whole) : value(message, field, -1, tree, whole);
      child.key = field->name();
      node.children.push_back(std::move(child));
    }
    return node;
  }

 private:
  Node node_at(TextSpan span, NodeKind kind) const {
    Node node;
    node.kind = kind;
    node.place = node.key_place = {source_, span.begin};
    return node;
  }

  Node list(const Message& message, const FieldDescriptor* field, const Tree* tree, TextSpan whole) {
    Node node = node_at(whole, NodeKind::list);
    for (int i = 0; i < message.GetReflection()->FieldSize(message, field); ++i)
      node.children.push_back(value(message, field, i, tree, whole));
    node.place = node.key_place = node.children.front().place;
    return node;
  }

  Node value(const Message& message, const FieldDescriptor* field, int index, const Tree* tree, TextSpan whole) {
    const TextSpan span = tree == nullptr ? whole : span_of(*tree, field, index, whole);
    ends_.emplace(span.begin, span.end);
    const Reflection& read = *message.GetReflection();
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
      return object(index < 0 ? read.GetMessage(message, field) : read.GetRepeatedMessage(message, field, index),
                    tree == nullptr ? nullptr : tree->GetTreeForNested(field, index), span);
    Node node = node_at(span, NodeKind::number);
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      node.kind = NodeKind::text;
      node.text = index < 0 ? read.GetString(message, field) : read.GetRepeatedString(message, field, index);
      return node;
    }
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_BOOL) node.kind = NodeKind::boolean;
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_ENUM) node.kind = NodeKind::text;
    printer_.PrintFieldValueToString(message, field, index, &node.text);
    return node;
  }

  TextSpan span_of(const Tree& tree, const FieldDescriptor* field, int index, TextSpan whole) const {
    // Places are numbered by fields as written, of which one may hold a whole list: the last one at most.
    int last = index;
    if (index >= 0) {
      int first_without = 0;
      int end = index + 1;
      while (first_without < end) {
        const int middle = first_without + (end - first_without) / 2;
        if (tree.GetLocationRange(field, middle).start.line >= 0)
          first_without = middle + 1;
        else
          end = middle;
      }
      last = first_without - 1;
      if (last < 0) return whole;
    }
    const TextFormat::ParseLocationRange range = tree.GetLocationRange(field, last);
    if (range.start.line < 0) return whole;
    return {given_.offset(range.start.line, range.start.column), given_.offset(range.end.line, range.end.column)};
  }

  const GivenText& given_;
  std::size_t source_;
  std::map<std::size_t, std::size_t>& ends_;
  TextFormat::Printer printer_;
};

}  // namespace

ParsedTriton parse_triton_config(const std::string& text, std::size_t source) {
  ParsedTriton parsed;
  parsed.fault = shape_fault(text);
  if (parsed.fault) return parsed;
  const GivenText given(text);
  Listener listener(text, given, parsed);
  Tree tree;
  triton::ModelConfig model;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&listener);
  parser.WriteLocationsTo(&tree);
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(2 * deepest_field);
  const bool read = parser.ParseFromString(given.text(), &model);
  if (!read && !parsed.fault) parsed.fault = parser_fault(text, text.size(), "It cannot be parsed.", {});
  if (parsed.fault) return parsed;
  parsed.config = MessageNodes(given, source, parsed.ends).object(model, &tree, {0, text.size()});
  return parsed;
}

}  // namespace saturn
