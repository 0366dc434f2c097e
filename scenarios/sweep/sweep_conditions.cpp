#include "scenarios/sweep/sweep_conditions.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <muParser.h>
#include <string>
#include <utility>

#include "scenarios/document/document.hpp"
#include "scenarios/sweep/condition_terms.hpp"
#include "scenarios/sweep/sweep_columns.hpp"

namespace saturn {

namespace {

using Sort = ConditionTerm::Sort;

/// "2 * 0.15 ms" is to be "0.3 ms", which the last digits of a double do not know.
bool nearly_equal(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

ConditionKind kind_of_extreme(const double* kinds, int count) {
  if (count < 1) throw ConditionFault{"It takes the least or greatest of nothing; write \"min(a, b)\"."};
  for (int i = 1; i < count; ++i) kind_of_sum(kinds[i], kinds[0]);
  return kind_of_sign(kinds[0]);
}

void define_operators(mu::Parser& parser) {
  const auto binary = [&](const char* name, mu::fun_type2 function, unsigned precedence,
                          mu::EOprtAssociativity side = mu::oaLEFT) {
    parser.DefineOprt(name, function, precedence, side);
  };
  binary(
      "||", [](double a, double b) { return a != 0.0 || b != 0.0 ? 1.0 : 0.0; }, mu::prLOR);
  binary(
      "&&", [](double a, double b) { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }, mu::prLAND);
  binary(
      "==", [](double a, double b) { return nearly_equal(a, b) ? 1.0 : 0.0; }, mu::prCMP);
  binary(
      "!=", [](double a, double b) { return nearly_equal(a, b) ? 0.0 : 1.0; }, mu::prCMP);
  binary(
      "<", [](double a, double b) { return a < b && !nearly_equal(a, b) ? 1.0 : 0.0; }, mu::prCMP);
  binary(
      ">", [](double a, double b) { return a > b && !nearly_equal(a, b) ? 1.0 : 0.0; }, mu::prCMP);
  binary(
      "<=", [](double a, double b) { return a < b || nearly_equal(a, b) ? 1.0 : 0.0; }, mu::prCMP);
  binary(
      ">=", [](double a, double b) { return a > b || nearly_equal(a, b) ? 1.0 : 0.0; }, mu::prCMP);
  binary(
      "+", [](double a, double b) { return a + b; }, mu::prADD_SUB);
  binary(
      "-", [](double a, double b) { return a - b; }, mu::prADD_SUB);
  binary(
      "*", [](double a, double b) { return a * b; }, mu::prMUL_DIV);
  binary(
      "/", [](double a, double b) { return a / b; }, mu::prMUL_DIV);
  binary(
      "^", [](double a, double b) { return std::pow(a, b); }, mu::prPOW, mu::oaRIGHT);
  parser.DefineInfixOprt(
      "!", [](double a) { return a == 0.0 ? 1.0 : 0.0; }, mu::prLOGIC);
  parser.DefineInfixOprt("-", [](double a) { return -a; });
  parser.DefineInfixOprt("+", [](double a) { return a; });
  parser.DefineFun("min", [](const double* a, int n) { return *std::min_element(a, a + n); });
  parser.DefineFun("max", [](const double* a, int n) { return *std::max_element(a, a + n); });
  parser.DefineFun("abs", [](double a) { return std::abs(a); });
  parser.DefineFun("floor", [](double a) { return std::floor(a); });
  parser.DefineFun("ceil", [](double a) { return std::ceil(a); });
  parser.DefineFun("round", [](double a) { return std::round(a); });
  parser.DefineFun("sqrt", [](double a) { return std::sqrt(a); });
  parser.DefineFun("log2", [](double a) { return std::log2(a); });
}

/// The same operators on kinds.
void define_kinds(mu::Parser& parser) {
  const auto binary = [&](const char* name, mu::fun_type2 function, unsigned precedence,
                          mu::EOprtAssociativity side = mu::oaLEFT) {
    parser.DefineOprt(name, function, precedence, side);
  };
  binary("||", kind_of_choice, mu::prLOR);
  binary("&&", kind_of_choice, mu::prLAND);
  for (const char* equality : {"==", "!="}) binary(equality, kind_of_equality, mu::prCMP);
  for (const char* order : {"<", ">", "<=", ">="}) binary(order, kind_of_order, mu::prCMP);
  for (const char* sum : {"+", "-"}) binary(sum, kind_of_sum, mu::prADD_SUB);
  binary("*", kind_of_product, mu::prMUL_DIV);
  binary("/", kind_of_quotient, mu::prMUL_DIV);
  binary("^", kind_of_power, mu::prPOW, mu::oaRIGHT);
  parser.DefineInfixOprt("!", kind_of_not, mu::prLOGIC);
  for (const char* sign : {"-", "+"}) parser.DefineInfixOprt(sign, kind_of_sign);
  for (const char* extreme : {"min", "max"}) parser.DefineFun(extreme, kind_of_extreme);
  parser.DefineFun("abs", kind_of_sign);
  for (const char* function : {"floor", "ceil", "round", "sqrt", "log2"}) parser.DefineFun(function, kind_of_bare);
}

void forget_builtins(mu::Parser& parser) {
  parser.EnableBuiltInOprt(false);
  parser.EnableOptimizer(false);
  parser.ClearFun();
  parser.ClearConst();
  parser.ClearInfixOprt();
  parser.ClearPostfixOprt();
  parser.DefineOprtChars("+-*/^<>=!&|");
  parser.DefineInfixOprtChars("+-!");
}

/// A condition as muParser reads it: a name for every column and constant, so that it reads no numbers, which it would
/// do by the user's language.
struct ParserText {
  std::string text{};
  std::vector<std::size_t> begins{};  ///< by term
};

ParserText parser_text(const std::vector<ConditionTerm>& terms) {
  ParserText result;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    result.begins.push_back(result.text.size());
    const ConditionTerm& term = terms[i];
    result.text += term.sort == Sort::column     ? "v" + std::to_string(term.column)
                   : term.sort == Sort::constant ? "k" + std::to_string(i)
                                                 : term.symbol;
    // A function is one only with its parenthesis right behind it.
    const bool is_function = term.sort == Sort::symbol && std::isalpha(static_cast<unsigned char>(term.symbol.front()));
    if (!is_function) result.text += ' ';
  }
  return result;
}

std::string sentence_of(const mu::ParserError& error, const std::vector<ConditionTerm>& terms,
                        const std::vector<std::size_t>& begins) {
  switch (error.GetCode()) {
    case mu::ecEMPTY_EXPRESSION:
      return "It is empty; write one such as \"rtt < 5 ms\".";
    case mu::ecUNEXPECTED_EOF:
      return "It ends too early; something is missing behind " + shown(terms.back().text) + ".";
    case mu::ecMISSING_PARENS:
      return "It opens a parenthesis that is never closed.";
    case mu::ecTOO_FEW_PARAMS:
    case mu::ecTOO_MANY_PARAMS:
      return "It gives a function too many values, or too few.";
    default:
      break;
  }
  const auto at = static_cast<std::size_t>(std::max(error.GetPos(), 0));
  std::size_t guilty = 0;
  while (guilty + 1 < begins.size() && begins[guilty + 1] <= at) ++guilty;
  return "It cannot be understood at " + shown(terms[guilty].text) +
         (guilty == 0 ? ", where it begins." : ", behind " + shown(terms[guilty - 1].text) + ".");
}

std::vector<ConditionName> names_of(const std::vector<SweepSpace::Axis>& axes) {
  std::vector<ConditionName> names;
  std::size_t number = 0;
  for (const SweepSpace::Axis& axis : axes)
    for (const AxisColumn& column : axis.columns) {
      names.push_back({column.name, number});
      if (column.pointer != column.name) names.push_back({column.pointer, number});
      ++number;
    }
  return names;
}

bool has_words(const std::vector<AxisCell>& cells) {
  return !cells.empty() && !cells.front().number;
}

WordNumbers words_of(const std::vector<SweepSpace::Axis>& axes) {
  WordNumbers words;
  for (const SweepSpace::Axis& axis : axes)
    for (const std::vector<AxisCell>& cells : axis.cells)
      if (has_words(cells))
        for (const AxisCell& cell : cells) words.emplace(cell.text, static_cast<double>(words.size()));
  return words;
}

}  // namespace

/// One condition, ready to be asked.
class SweepConditions::Condition {
 public:
  /// @param kinds  (columns)
  /// @param now    (columns) values that it is asked of
  Condition(const std::vector<ConditionTerm>& terms, std::vector<double>& kinds, std::vector<double>& now) {
    const ParserText text = parser_text(terms);
    try {
      mu::Parser kinds_parser;
      forget_builtins(kinds_parser);
      define_kinds(kinds_parser);
      fill(kinds_parser, terms, text, kinds, [](const ConditionTerm& term) { return term.kind; });
      if (kinds_parser.Eval() != truth_kind)
        throw ConditionFault{"It is no condition, since it compares nothing; write one such as \"rtt < 5 ms\"."};
      if (kinds_parser.GetNumResults() != 1)
        throw ConditionFault{"It has a comma between conditions; join them by \"and\"."};
      forget_builtins(parser_);
      define_operators(parser_);
      fill(parser_, terms, text, now, [](const ConditionTerm& term) { return term.value; });
    } catch (const mu::ParserError& error) {
      throw ConditionFault{sentence_of(error, terms, text.begins)};
    }
  }

  bool holds() const { return parser_.Eval() != 0.0; }

  std::size_t last_axis = 0;

 private:
  template <class NumberOf>
  static void fill(mu::Parser& parser, const std::vector<ConditionTerm>& terms, const ParserText& text,
                   std::vector<double>& values, const NumberOf& number_of) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (terms[i].sort == Sort::constant) parser.DefineConst("k" + std::to_string(i), number_of(terms[i]));
      if (terms[i].sort == Sort::column)
        parser.DefineVar("v" + std::to_string(terms[i].column), &values.at(terms[i].column));
    }
    parser.SetExpr(text.text);
  }

  mu::Parser parser_{};
};

SweepConditions::SweepConditions(const std::vector<SweepSpace::Axis>& axes, const SweepText& text,
                                 SweepComplaints& complaints) {
  const WordNumbers words = words_of(axes);
  std::vector<double> kinds;
  std::vector<std::size_t> axis_of_column;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    std::vector<std::size_t>& columns = columns_of_axis_.emplace_back();
    for (std::size_t c = 0; c < axes[a].columns.size(); ++c) {
      const std::vector<AxisCell>& cells = axes[a].cells[c];
      columns.push_back(numbers_.size());
      axis_of_column.push_back(a);
      kinds.push_back(has_words(cells) ? word_kind : kind_of(dimension_of_column(axes[a].columns[c].unit)));
      std::vector<double>& numbers = numbers_.emplace_back();
      for (const AxisCell& cell : cells) numbers.push_back(cell.number ? *cell.number : words.at(cell.text));
    }
  }
  now_.assign(numbers_.size(), 0.0);
  const std::vector<ConditionName> names = names_of(axes);
  for (std::size_t i = 0; i < text.where.size(); ++i) {
    try {
      const std::vector<ConditionTerm> terms = condition_terms(text.where[i], names, words);
      if (terms.empty()) throw ConditionFault{"It is empty; write one such as \"rtt < 5 ms\"."};
      conditions_.push_back(std::make_unique<Condition>(terms, kinds, now_));
      for (const ConditionTerm& term : terms)
        if (term.sort == Sort::column)
          conditions_.back()->last_axis = std::max(conditions_.back()->last_axis, axis_of_column[term.column]);
    } catch (const ConditionFault& fault) {
      complaints.about_condition(i, "sweep.bad_condition", fault.text);
    }
  }
}

SweepConditions::~SweepConditions() = default;

void SweepConditions::set(std::size_t axis, std::uint32_t step) {
  for (const std::size_t column : columns_of_axis_[axis]) now_[column] = numbers_[column][step];
}

bool SweepConditions::hold_at(std::size_t axis) const {
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const auto& condition) { return condition->last_axis != axis || condition->holds(); });
}

bool SweepConditions::hold(const std::vector<std::uint32_t>& steps) {
  for (std::size_t axis = 0; axis < steps.size(); ++axis) {
    set(axis, steps[axis]);
    if (!hold_at(axis)) return false;
  }
  return true;
}

namespace {

// Combinations looked at before the program gives up: some ten seconds.
constexpr std::uint64_t most_looked_at = 100'000'000;
// Beyond this not every whole number is one of a double.
constexpr std::uint64_t most_combinations = std::uint64_t{1} << 53U;

class CombinationWalk {
 public:
  CombinationWalk(const std::vector<SweepSpace::Axis>& axes, SweepConditions& conditions, std::uint64_t most)
      : axes_(axes), conditions_(conditions), most_(most) {}

  FoundCombinations find() {
    visit(0, 0);
    return std::move(found_);
  }

 private:
  void visit(std::size_t axis, std::uint64_t before) {
    if (axis == axes_.size()) {
      found_.too_many = found_.combinations.size() == most_;
      if (!found_.too_many) found_.combinations.push_back(before);
      return;
    }
    const std::size_t steps = axes_[axis].cells.front().size();
    for (std::uint32_t step = 0; step < steps && !found_.too_many; ++step) {
      found_.too_many = ++looked_at_ > most_looked_at;
      conditions_.set(axis, step);
      if (conditions_.hold_at(axis)) visit(axis + 1, before * steps + step);
    }
  }

  const std::vector<SweepSpace::Axis>& axes_;
  SweepConditions& conditions_;
  std::uint64_t most_;
  std::uint64_t looked_at_ = 0;
  FoundCombinations found_{};
};

}  // namespace

FoundCombinations find_combinations(const std::vector<SweepSpace::Axis>& axes, SweepConditions& conditions,
                                    std::uint64_t most) {
  return CombinationWalk(axes, conditions, most).find();
}

std::optional<std::uint64_t> combinations_of(const std::vector<SweepSpace::Axis>& axes) {
  std::uint64_t combinations = 1;
  for (const SweepSpace::Axis& axis : axes) {
    const std::uint64_t steps = axis.cells.front().size();
    if (steps != 0 && combinations > most_combinations / steps) return std::nullopt;
    combinations *= steps;
  }
  return combinations;
}

}  // namespace saturn
