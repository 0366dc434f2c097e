#include "reports/page/page_template.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "reports/words/escaped_text.hpp"
#include "scenarios/document/text_files.hpp"

namespace saturn {

std::span<const EmbeddedFile> page_templates();

namespace {

/// "{{#name}}": where it stands, what it is, and where the text after it begins.
struct Tag {
  std::size_t begin = 0;
  std::size_t end = 0;
  char kind = ' ';  ///< '#', '^', '/' of sections, '{' of HTML, '!' of a remark, ' ' of text
  std::string_view name{};
};

class Filling {
 public:
  explicit Filling(const PageValues& values) : all_(values) { scopes_.push_back(&all_); }

  std::string filled(std::string_view text) {
    fill(text);
    return std::move(html_);
  }

 private:
  [[noreturn]] static void refuse(std::string_view what, std::string_view name) {
    throw std::logic_error("template of the page: " + std::string(what) + " " + std::string(name));
  }

  static bool next_tag(std::string_view text, std::size_t from, Tag& tag) {
    tag.begin = text.find("{{", from);
    if (tag.begin == std::string_view::npos) return false;
    const char first = text.at(tag.begin + 2);
    const bool plain = first != '#' && first != '^' && first != '/' && first != '{' && first != '!';
    tag.kind = plain ? ' ' : first;
    const std::string_view closes = first == '{' ? "}}}" : "}}";
    const std::size_t name = tag.begin + (plain ? 2 : 3);
    const std::size_t close = text.find(closes, name);
    if (close == std::string_view::npos) refuse("no end of", text.substr(tag.begin, 20));
    tag.name = text.substr(name, close - name);
    tag.end = close + closes.size();
    if (tag.kind == ' ' || tag.kind == '{') return true;
    // Lines of sections and remarks leave nothing behind.
    const bool starts = tag.begin == 0 || text[tag.begin - 1] == '\n';
    if (starts && tag.end < text.size() && text[tag.end] == '\n') ++tag.end;
    return true;
  }

  const PageValue& value(std::string_view name) const {
    if (name == ".") return *scopes_.back();
    for (std::size_t inner = scopes_.size(); inner-- > 0;) {
      const auto* values = std::get_if<PageValues>(&scopes_[inner]->is);
      if (values == nullptr) continue;
      if (const auto found = values->find(name); found != values->end()) return found->second;
    }
    refuse("no value of", name);
  }

  const std::string& text_of(std::string_view name) const {
    const auto* text = std::get_if<std::string>(&value(name).is);
    if (text == nullptr) refuse("no text is", name);
    return *text;
  }

  static bool is_there(const PageValue& value) {
    if (const bool* so = std::get_if<bool>(&value.is)) return *so;
    if (const auto* text = std::get_if<std::string>(&value.is)) return !text->empty();
    if (const auto* list = std::get_if<PageValue::List>(&value.is)) return !list->empty();
    return true;
  }

  void fill(std::string_view text) {
    Tag tag;
    std::size_t at = 0;
    for (; next_tag(text, at, tag); at = tag.end) {
      html_ += text.substr(at, tag.begin - at);
      if (tag.kind == '/') refuse("no begin of", tag.name);
      if (tag.kind == ' ')
        html_ += html_text(text_of(tag.name));
      else if (tag.kind == '{')
        html_ += text_of(tag.name);
      else if (tag.kind != '!')
        tag.end = section(text, tag);
    }
    html_ += text.substr(at);
  }

  /// @returns where the text after the section begins
  std::size_t section(std::string_view text, const Tag& opening) {
    Tag closing;
    std::size_t depth = 1;
    for (std::size_t at = opening.end; next_tag(text, at, closing); at = closing.end) {
      if (closing.name != opening.name || closing.kind == ' ' || closing.kind == '{') continue;
      depth += closing.kind == '/' ? std::size_t(-1) : 1;
      if (depth > 0) continue;
      repeat(text.substr(opening.end, closing.begin - opening.end), value(opening.name), opening.kind == '#');
      return closing.end;
    }
    refuse("no end of", opening.name);
  }

  void repeat(std::string_view body, const PageValue& of, bool where_there) {
    if (is_there(of) != where_there) return;
    const auto* list = std::get_if<PageValue::List>(&of.is);
    if (!where_there || list == nullptr) return within(body, where_there ? of : *scopes_.back());
    for (const PageValue& item : *list) within(body, item);
  }

  void within(std::string_view body, const PageValue& scope) {
    scopes_.push_back(&scope);
    fill(body);
    scopes_.pop_back();
  }

  PageValue all_;
  std::vector<const PageValue*> scopes_;
  std::string html_;
};

}  // namespace

std::string filled_page_template(std::string_view text, const PageValues& values) {
  return Filling(values).filled(text);
}

std::string page_part(std::string_view name, const PageValues& values) {
  const auto files = page_templates();
  const std::string file_name = std::string(name) + ".html";
  const auto file = std::ranges::find_if(files, [&](const EmbeddedFile& one) { return one.name == file_name; });
  if (file == files.end()) throw std::logic_error("template of the page: no file " + file_name);
  return filled_page_template(file->text, values);
}

}  // namespace saturn
