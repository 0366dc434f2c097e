#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace saturn::fuzz {

namespace {

constexpr std::array<std::string_view, 34> numbers{"0",
                                                   "-0",
                                                   "-1",
                                                   "1",
                                                   "2",
                                                   "0.5",
                                                   "1e308",
                                                   "-1e308",
                                                   "1e-308",
                                                   "5e-324",
                                                   "1e400",
                                                   "-1e400",
                                                   "nan",
                                                   "NaN",
                                                   "inf",
                                                   "-Infinity",
                                                   "null",
                                                   "2147483647",
                                                   "2147483648",
                                                   "-2147483649",
                                                   "4294967296",
                                                   "9007199254740993",
                                                   "9223372036854775807",
                                                   "9223372036854775808",
                                                   "18446744073709551616",
                                                   "1e18",
                                                   "1e9",
                                                   "1000000",
                                                   "0x10",
                                                   "1.",
                                                   ".5",
                                                   "1e",
                                                   "00012",
                                                   "3.333333333333333333333333333333333e-17"};

constexpr std::array<std::string_view, 24> words{"",
                                                 "\"",
                                                 "\\",
                                                 "\033[2J\033]0;x\007",
                                                 "\xC2\x9B"
                                                 "31m",
                                                 "\xE2\x80\xAE"
                                                 "txt.exe",
                                                 "\xFF\xFE",
                                                 "\xED\xA0\x80",
                                                 "\\u0000",
                                                 "\\ud800",
                                                 "../../../../etc/passwd",
                                                 "/dev/zero",
                                                 "=1+1",
                                                 "@SUM(A1)",
                                                 "%s%n%n",
                                                 "${jndi:ldap}",
                                                 "-1 s",
                                                 "1e308 s",
                                                 "0 Gbps",
                                                 "1e308 %",
                                                 "1 / 0",
                                                 "<script>",
                                                 "~1~0~",
                                                 "1:1e9:x1.0000001"};

std::size_t somewhere(const std::string& text, SeededDraws& dice) {
  return text.empty() ? 0 : dice.up_to(text.size());
}

/// Where tokens begin and how long they are: runs of letters and digits, of blanks, and single marks.
struct Token {
  std::size_t begin = 0;
  std::size_t length = 0;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
}

std::vector<Token> tokens_of(const std::string& text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const auto same = [&](char c) { return is_word(text[at]) ? is_word(c) : false; };
    std::size_t end = at + 1;
    while (end < text.size() && same(text[end])) ++end;
    tokens.push_back({at, end - at});
    at = end;
  }
  return tokens;
}

bool begins_number(const std::string& text, const Token& token) {
  const char first = text[token.begin];
  return std::isdigit(static_cast<unsigned char>(first)) != 0 ||
         (first == '-' && token.length > 1 && std::isdigit(static_cast<unsigned char>(text[token.begin + 1])) != 0);
}

void flip_bytes(std::string& text, SeededDraws& dice) {
  for (std::size_t n = 1 + dice.up_to(8); n > 0 && !text.empty(); --n)
    text[somewhere(text, dice)] ^= static_cast<char>(1U << dice.up_to(8));
}

void tear(std::string& text, SeededDraws& dice) {
  const std::size_t at = somewhere(text, dice);
  const std::size_t how = dice.up_to(3);
  if (how == 0) text.resize(at);
  if (how == 1) text.erase(0, at);
  if (how == 2) text.erase(at, 1 + dice.up_to(text.size() - at + 1));
}

void swap_tokens(std::string& text, SeededDraws& dice) {
  const std::vector<Token> tokens = tokens_of(text);
  if (tokens.size() < 2) return;
  Token a = tokens[dice.up_to(tokens.size())];
  Token b = tokens[dice.up_to(tokens.size())];
  if (a.begin > b.begin) std::swap(a, b);
  if (a.begin == b.begin) return;
  const std::string first = text.substr(a.begin, a.length);
  const std::string second = text.substr(b.begin, b.length);
  text.replace(b.begin, b.length, first);
  text.replace(a.begin, a.length, second);
}

void change_number(std::string& text, SeededDraws& dice) {
  std::vector<Token> found;
  for (const Token& token : tokens_of(text))
    if (begins_number(text, token)) found.push_back(token);
  if (found.empty()) return;
  const Token at = found[dice.up_to(found.size())];
  text.replace(at.begin, at.length, numbers[dice.up_to(numbers.size())]);
}

/// A piece from one separator to the next of its kind: in JSON a key with its value, in CSV a cell or a line.
Token piece_of(const std::string& text, SeededDraws& dice) {
  constexpr std::string_view separators = ",\n;}]";
  const char separator = separators[dice.up_to(separators.size())];
  const std::size_t begin = text.find(separator, somewhere(text, dice));
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find(separator, begin + 1);
  return {begin, (end == std::string::npos ? text.size() : end) - begin};
}

void delete_piece(std::string& text, SeededDraws& dice) {
  const Token piece = piece_of(text, dice);
  text.erase(piece.begin, piece.length);
}

void double_piece(std::string& text, SeededDraws& dice) {
  const Token piece = piece_of(text, dice);
  const std::string copy = text.substr(piece.begin, piece.length);
  const std::size_t times = dice.up_to(8) == 0 ? 200 : 1;
  for (std::size_t n = 0; n < times && text.size() < 200'000; ++n) text.insert(piece.begin, copy);
}

void put_hostile_word(std::string& text, SeededDraws& dice) {
  std::string word(words[dice.up_to(words.size())]);
  if (dice.up_to(20) == 0) word = std::string(100'000, "A\t\0\x7F"[dice.up_to(4)]);
  if (dice.up_to(2) == 0) {
    text.insert(somewhere(text, dice), word);
    return;
  }
  const std::size_t quote = text.find('"', somewhere(text, dice));
  const std::size_t end = quote == std::string::npos ? quote : text.find('"', quote + 1);
  if (end != std::string::npos) text.replace(quote + 1, end - quote - 1, word);
}

void nest(std::string& text, SeededDraws& dice) {
  constexpr std::array<std::string_view, 3> openings{"[", "{\"a\":", "("};
  const std::string_view opening = openings[dice.up_to(openings.size())];
  std::string deep;
  for (std::size_t n = std::size_t{1} << dice.up_to(15); n > 0; --n) deep += opening;
  text.insert(somewhere(text, dice), deep);
}

void splice(std::string& text, std::span<const std::string> samples, SeededDraws& dice) {
  const std::string& other = samples[dice.up_to(samples.size())];
  const std::size_t from = somewhere(other, dice);
  text.insert(somewhere(text, dice), other.substr(from, dice.up_to(400)));
}

}  // namespace

std::uint64_t SeededDraws::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t bits = state_;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31U);
}

std::string mutant_of(std::span<const std::string> samples, SeededDraws dice) {
  std::string text = samples[dice.up_to(samples.size())];
  using Blow = void (*)(std::string&, SeededDraws&);
  // Numbers, words and pieces come more often: most other texts end at the syntax.
  constexpr std::array<Blow, 13> blows{
      flip_bytes,   tear,         swap_tokens,  change_number,    change_number,    change_number, change_number,
      delete_piece, delete_piece, double_piece, put_hostile_word, put_hostile_word, nest};
  for (std::size_t n = 1 + dice.up_to(1 + dice.up_to(5)); n > 0; --n) {
    const std::size_t blow = dice.up_to(blows.size() + 1);
    if (blow == blows.size())
      splice(text, samples, dice);
    else
      blows[blow](text, dice);
  }
  return text;
}

}  // namespace saturn::fuzz
