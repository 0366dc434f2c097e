#include "scenarios/sweep/condition_terms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

namespace {

// Exponents of units up to 31 do not touch their neighbours'; a condition is too short to raise one beyond that.
constexpr double time_kind = 1.0;
constexpr double size_kind = 64.0 * time_kind;
constexpr double price_kind = 64.0 * size_kind;
constexpr double energy_price_kind = 64.0 * price_kind;
constexpr double traffic_price_kind = 64.0 * energy_price_kind;
constexpr double power_kind = 64.0 * traffic_price_kind;

constexpr std::array dimensions{Dimension::duration, Dimension::size,         Dimension::bandwidth,
                                Dimension::rate,     Dimension::price,        Dimension::energy_price,
                                Dimension::power,    Dimension::traffic_price};

std::string noun_of(ConditionKind kind) {
  if (kind == bare_kind) return "a bare number";
  if (kind == truth_kind) return "a condition";
  if (kind == word_kind) return "a word";
  for (const Dimension dimension : dimensions)
    if (kind_of(dimension) == kind) return with_article(std::string(name_of(dimension)));
  return "a product of quantities";
}

bool is_number(ConditionKind kind) {
  return kind != truth_kind && kind != word_kind;
}

void need_numbers(ConditionKind a, ConditionKind b) {
  for (const ConditionKind kind : {a, b})
    if (!is_number(kind))
      throw ConditionFault{"It computes with " + noun_of(kind) +
                           "; only numbers can be. Write \"a < b and b < c\" for two conditions."};
}

void need_one_kind(const std::string& verb, ConditionKind a, ConditionKind b) {
  if (a == b) return;
  const bool lacks_unit = a == bare_kind || b == bare_kind;
  throw ConditionFault{"It " + verb + " " + noun_of(a) + " with " + noun_of(b) + "; both sides need units of one kind" +
                       (lacks_unit ? ", and a number its unit, as in \"rtt < 5 ms\"." : ".")};
}

}  // namespace

ConditionKind kind_of(std::optional<Dimension> dimension) {
  // In the order of Dimension.
  constexpr std::array<ConditionKind, 9> kinds{time_kind,          size_kind,  size_kind - time_kind,
                                               -time_kind,         price_kind, energy_price_kind,
                                               traffic_price_kind, power_kind, bare_kind};
  return dimension ? kinds.at(static_cast<std::size_t>(*dimension)) : bare_kind;
}

ConditionKind kind_of_sum(ConditionKind a, ConditionKind b) {
  need_numbers(a, b);
  need_one_kind("adds or joins", a, b);
  return a;
}

ConditionKind kind_of_product(ConditionKind a, ConditionKind b) {
  need_numbers(a, b);
  return a + b;
}

ConditionKind kind_of_quotient(ConditionKind a, ConditionKind b) {
  need_numbers(a, b);
  return a - b;
}

ConditionKind kind_of_power(ConditionKind a, ConditionKind b) {
  need_numbers(a, b);
  if (a != bare_kind || b != bare_kind)
    throw ConditionFault{"It raises " + noun_of(a == bare_kind ? b : a) +
                         " to a power; only bare numbers can be. Write a product, such as \"rtt * rtt\"."};
  return bare_kind;
}

ConditionKind kind_of_order(ConditionKind a, ConditionKind b) {
  for (const ConditionKind kind : {a, b})
    if (!is_number(kind))
      throw ConditionFault{"It asks whether " + noun_of(kind) +
                           (kind == word_kind ? " is less or greater; words are equal (==) or not (!=)."
                                              : " is less or greater; write \"a < b and b < c\" for two conditions.")};
  need_one_kind("compares", a, b);
  return truth_kind;
}

ConditionKind kind_of_equality(ConditionKind a, ConditionKind b) {
  need_one_kind("compares", a, b);
  return truth_kind;
}

ConditionKind kind_of_choice(ConditionKind a, ConditionKind b) {
  for (const ConditionKind kind : {a, b})
    if (kind != truth_kind)
      throw ConditionFault{"It has " + noun_of(kind) +
                           " beside \"and\" or \"or\", which join conditions, as in \"a < b and b < c\"."};
  return truth_kind;
}

ConditionKind kind_of_not(ConditionKind a) {
  if (a != truth_kind)
    throw ConditionFault{"It has " + noun_of(a) +
                         " behind \"not\", which turns a condition round, as in \"not (a < b)\"."};
  return truth_kind;
}

ConditionKind kind_of_sign(ConditionKind a) {
  need_numbers(a, a);
  return a;
}

ConditionKind kind_of_bare(ConditionKind a) {
  need_numbers(a, a);
  if (a != bare_kind)
    throw ConditionFault{"It takes a function of " + noun_of(a) +
                         ", which only bare numbers have; divide by a unit first, as in \"floor(rtt / 1 ms)\"."};
  return bare_kind;
}

namespace {

using Sort = ConditionTerm::Sort;

// Longer spellings before those that they begin with.
constexpr std::array<std::string_view, 18> symbols{"<=", ">=", "==", "!=", "&&", "||", "=", "<", ">",
                                                   "!",  "+",  "-",  "*",  "/",  "^",  "(", ")", ","};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> spelled_symbols{
    {{"and", "&&"}, {"or", "||"}, {"not", "!"}}};
constexpr std::array<std::string_view, 8> functions{"min", "max", "abs", "floor", "ceil", "round", "sqrt", "log2"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool is_digit_of_condition(char c) {
  return c >= '0' && c <= '9';
}

bool continues_name(std::string_view rest) {
  return !rest.empty() && (is_letter(rest.front()) || is_digit_of_condition(rest.front()) || rest.front() == '.');
}

class ConditionCutter {
 public:
  ConditionCutter(std::string_view text, const std::vector<ConditionName>& names, const WordNumbers& words)
      : rest_(text), names_(names), words_(words) {}

  std::vector<ConditionTerm> terms() {
    for (skip_space(); !rest_.empty(); skip_space())
      if (!(operand_expected() && (take_column() || take_number() || take_quoted())) && !take_symbol() && !take_word())
        refuse_rest();
    return std::move(terms_);
  }

 private:
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  /// Where an operand may begin a slash begins a pointer; elsewhere it divides.
  bool operand_expected() const {
    return terms_.empty() || (terms_.back().sort == Sort::symbol && terms_.back().symbol != ")");
  }

  ConditionTerm& add(std::size_t length, Sort sort) {
    terms_.push_back({.sort = sort, .text = std::string(rest_.substr(0, length))});
    rest_.remove_prefix(length);
    return terms_.back();
  }

  bool take_column() {
    const ConditionName* best = nullptr;
    for (const ConditionName& name : names_)
      if (rest_.starts_with(name.name) && !continues_name(rest_.substr(name.name.size())) &&
          (best == nullptr || name.name.size() > best->name.size()))
        best = &name;
    if (best == nullptr) return false;
    const std::size_t column = best->column;
    add(best->name.size(), Sort::column).column = column;
    return true;
  }

  bool take_number() {
    if (!is_digit_of_condition(rest_.front())) return false;
    double value = 0.0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const auto digits = static_cast<std::size_t>(read.ptr - rest_.data());
    if (read.ec != std::errc{}) throw ConditionFault{shown(rest_.substr(0, digits)) + " is too large for a number."};
    const std::size_t space = std::min(rest_.find_first_not_of(' ', digits), rest_.size()) - digits;
    const Unit* const unit = unit_at(rest_.substr(digits + space));
    if (unit == nullptr) {
      add(digits, Sort::constant).value = value;
      return true;
    }
    const std::string quantity = std::string(rest_.substr(0, digits)) + " " + std::string(unit->name);
    const ReadQuantity quantity_read = read_quantity(quantity, unit->dimension);
    if (quantity_read.reading != QuantityReading::good)
      throw ConditionFault{shown(quantity) + " is no quantity, or too large for one."};
    ConditionTerm& term = add(digits + space + unit->name.size(), Sort::constant);
    term.value = quantity_read.value;
    term.kind = kind_of(unit->dimension);
    return true;
  }

  /// The longest unit that the text begins with.
  static const Unit* unit_at(std::string_view text) {
    const Unit* best = nullptr;
    for (const Unit& unit : units())
      if (text.starts_with(unit.name) && !continues_name(text.substr(unit.name.size())) &&
          (best == nullptr || unit.name.size() > best->name.size()))
        best = &unit;
    return best;
  }

  bool take_quoted() {
    const char quote = rest_.front();
    if (quote != '"' && quote != '\'') return false;
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) throw ConditionFault{"It has a word without its closing quote."};
    take_word_of_axis(std::string(rest_.substr(1, end - 1)), end + 1);
    return true;
  }

  void take_word_of_axis(const std::string& word, std::size_t length) {
    const auto number = words_.find(word);
    if (number == words_.end())
      throw ConditionFault{"No axis takes the word " + shown(word) + known(words_, "; their words are ")};
    ConditionTerm& term = add(length, Sort::constant);
    term.value = number->second;
    term.kind = word_kind;
  }

  bool take_symbol() {
    for (const std::string_view symbol : symbols) {
      if (!rest_.starts_with(symbol)) continue;
      if (symbol == "/" && operand_expected()) return false;
      add(symbol.size(), Sort::symbol).symbol = symbol == "=" ? "==" : symbol;
      return true;
    }
    return false;
  }

  bool take_word() {
    if (!is_letter(rest_.front()) && rest_.front() != '/') return false;
    const std::size_t length = std::min(rest_.find_first_of(" \t\r\n()<>=!&|,+-^\"'"), rest_.size());
    const std::string word(rest_.substr(0, length));
    for (const auto& [spelling, symbol] : spelled_symbols)
      if (word == spelling) {
        add(length, Sort::symbol).symbol = symbol;
        return true;
      }
    if (!operand_expected() && terms_.back().sort == Sort::constant && terms_.back().kind == bare_kind)
      throw ConditionFault{
          "It has " + shown(word) + " behind " + terms_.back().text +
          ", which is neither an operator nor a unit; known units are s, ms, us, B, MB, Gbps, MB/s, Hz, "
          "USD/h, W, % and their like."};
    if (!operand_expected())
      throw ConditionFault{"It has " + shown(word) +
                           " where an operator is needed: <, <=, ==, !=, >=, >, +, -, *, /, ^, and, or."};
    if (std::find(functions.begin(), functions.end(), word) != functions.end())
      add(length, Sort::symbol).symbol = word;
    else if ((word == "true" || word == "false") && words_.contains(word))
      take_word_of_axis(word, length);
    else
      refuse_name(word);
    return true;
  }

  [[noreturn]] void refuse_name(const std::string& word) const {
    std::vector<std::string> known_names;
    for (const ConditionName& name : names_)
      if (name.name.starts_with('/') == word.starts_with('/')) known_names.push_back(name.name);
    throw ConditionFault{
        shown(word) + " is no axis of this sweep; " +
        (known_names.empty() ? "no axis could be read." : name_meant(word, known_names, "did you mean", "known is"))};
  }

  static std::string known(const WordNumbers& words, const std::string& introduction) {
    if (words.empty()) return "; all axes are numbers.";
    std::vector<std::string> names;
    for (const auto& [word, number] : words) names.push_back(word);
    return introduction + listed(names) + ".";
  }

  [[noreturn]] void refuse_rest() const {
    throw ConditionFault{"It cannot be understood at " + shown(rest_.substr(0, 20)) +
                         "; conditions are made of axes, numbers with units, < <= == != >= >, + - * / ^, parentheses, "
                         "and, or, not."};
  }

  std::string_view rest_;
  const std::vector<ConditionName>& names_;
  const WordNumbers& words_;
  std::vector<ConditionTerm> terms_;
};

}  // namespace

std::vector<ConditionTerm> condition_terms(std::string_view text, const std::vector<ConditionName>& names,
                                           const WordNumbers& words) {
  if (text.size() > longest_condition)
    throw ConditionFault{"It has " + with_commas(text.size()) + " characters; at most " +
                         with_commas(longest_condition) + " are allowed. Give --where several times."};
  if (first_invalid_utf8(text) != std::string::npos) throw ConditionFault{"It is not valid UTF-8 text."};
  return ConditionCutter(text, names, words).terms();
}

}  // namespace saturn
