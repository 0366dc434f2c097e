#include "scenarios/condition_kinds.hpp"

#include <array>

#include "models/words/texts.hpp"


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
  if (!dimension) return bare_kind;
  switch (*dimension) {
    case Dimension::duration:
      return time_kind;
    case Dimension::size:
      return size_kind;
    case Dimension::bandwidth:
      return size_kind - time_kind;
    case Dimension::rate:
      return -time_kind;
    case Dimension::price:
      return price_kind;
    case Dimension::energy_price:
      return energy_price_kind;
    case Dimension::traffic_price:
      return traffic_price_kind;
    case Dimension::power:
      return power_kind;
    case Dimension::ratio:
      break;
  }
  return bare_kind;
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

}  // namespace saturn
