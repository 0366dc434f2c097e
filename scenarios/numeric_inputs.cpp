#include "scenarios/numeric_inputs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/fitted_place.hpp"
#include "scenarios/input_places.hpp"
#include "scenarios/node_text.hpp"
#include "scenarios/parse_document.hpp"
#include "scenarios/quantity_text.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

namespace {

// Of a whole number below ten, one step is more than the tenth that inputs are varied by.
constexpr double least_fine_whole = 10.0;
// Largest whole number that a double counts exactly.
constexpr double largest_whole = 9007199254740992.0;

bool fits(const Node& node, InputForm form) {
  switch (form) {
    case InputForm::number:
      return node.kind == NodeKind::number || node.kind == NodeKind::text;
    case InputForm::whole:
      return node.kind == NodeKind::number;
    case InputForm::numbers:
      return node.kind == NodeKind::list || node.kind == NodeKind::object;
    case InputForm::wholes:
    case InputForm::points:
    case InputForm::profile:
      break;
  }
  return node.kind == NodeKind::list;
}

/// A number with what stands behind it: " us", "%", or nothing.
struct Split {
  double number = 0.0;
  std::string unit{};
};

std::optional<Split> split(const Node& node) {
  if (node.kind == NodeKind::number) {
    const std::optional<double> number = number_in(node);
    return number ? std::optional(Split{.number = *number}) : std::nullopt;
  }
  if (node.kind != NodeKind::text) return std::nullopt;
  for (const Unit& unit : units()) {
    if (!node.text.ends_with(unit.name)) continue;
    const ReadQuantity read = read_quantity(node.text, unit.dimension);
    if (read.reading != QuantityReading::good) continue;
    double number = 0.0;
    const char* end = read.number.data() + read.number.size();
    if (std::from_chars(read.number.data(), end, number).ptr != end || !std::isfinite(number)) return std::nullopt;
    return Split{.number = number, .unit = node.text.substr(read.number.size())};
  }
  return std::nullopt;
}

/// The numbers of a value that vary together.
template <class Visit>
void for_each_number(Node& node, InputForm form, const Visit& visit) {
  switch (form) {
    case InputForm::number:
    case InputForm::whole:
      visit(node);
      break;
    case InputForm::numbers:
    case InputForm::wholes:
      for (Node& child : node.children) visit(child);
      break;
    case InputForm::points:
      for (Node& point : node.children)
        for (Node& child : point.children)
          if (child.key == "time" || child.key == "device") visit(child);
      break;
    case InputForm::profile:
      for (Node& point : node.children)
        if (point.children.size() == 2) visit(point.children.back());
      break;
  }
}

bool is_counted(InputForm form) {
  return form == InputForm::whole || form == InputForm::wholes;
}

/// Their sum, each in its own unit; 0 when there is nothing to scale.
double sum_of(const NumericInput& input) {
  Node copy = input.node;
  double sum = 0.0;
  for_each_number(copy, input.form, [&](const Node& one) {
    if (const auto read = split(one)) sum += std::abs(read->number);
  });
  return sum;
}

const Node* text_child(const Node& node, std::string_view key) {
  const auto found = std::find_if(node.children.begin(), node.children.end(),
                                  [&](const Node& child) { return child.key == key && child.kind == NodeKind::text; });
  return found == node.children.end() ? nullptr : &*found;
}

/// What people call a member of a list: its name, its label, the model that it calls, the sites that it joins.
std::string name_of(const Node& member, std::size_t index) {
  for (const std::string_view key : {"name", "label", "infer"})
    if (const Node* text = text_child(member, key)) return text->text;
  for (const Node& child : member.children)
    if (child.key == "between" && child.children.size() == 2)
      return child.children.front().text + " to " + child.children.back().text;
  return std::to_string(index);
}

/// Groups whose members have names of their own, and what every price has.
bool says_nothing(const std::string& key) {
  constexpr std::array<std::string_view, 9> silent{"jobs",  "event", "models",  "network", "links",
                                                   "sites", "value", "servers", "devices"};
  return std::find(silent.begin(), silent.end(), key) != silent.end();
}

class Collector {
 public:
  std::vector<NumericInput> collect(const Node& root) {
    visit(root);
    return std::move(found_);
  }

 private:
  void visit(const Node& node) {
    const std::optional<InputPlace> place = input_place(keys_);
    if (place && fits(node, place->form)) {
      NumericInput input{
          .pointer = pointer(), .words = words(), .node = node, .form = place->form, .simulated = place->simulated};
      if (sum_of(input) > 0.0) found_.push_back(std::move(input));
      return;
    }
    const bool in_object = node.kind == NodeKind::object;
    // The only pool of jobs needs no name.
    const bool is_alone = !in_object && keys_ == std::vector<std::string>{"jobs"} && node.children.size() == 1;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node& child = node.children[i];
      keys_.push_back(in_object ? child.key : std::to_string(i));
      names_.push_back(in_object ? (says_nothing(child.key) ? "" : child.key) : is_alone ? "" : name_of(child, i));
      visit(child);
      keys_.pop_back();
      names_.pop_back();
    }
  }

  std::string words() const {
    std::string text;
    for (const std::string& name : names_)
      if (!name.empty()) append_part(text, name, " ");
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
  }

  std::string pointer() const {
    std::string text;
    for (const std::string& key : keys_) text += "/" + escape_pointer(key);
    return text;
  }

  std::vector<std::string> keys_;
  std::vector<std::string> names_;  // of the same places, empty where they say nothing
  std::vector<NumericInput> found_;
};

void write(Node& node, const Split& value) {
  node.text = shortest(value.number) + (node.kind == NodeKind::text ? value.unit : "");
}

/// @returns by how much the sum changed
double scale(Node& node, InputForm form, double factor) {
  double before = 0.0;
  double after = 0.0;
  for_each_number(node, form, [&](Node& one) {
    std::optional<Split> value = split(one);
    if (!value) return;
    before += value->number;
    value->number *= factor;
    if (is_counted(form)) value->number = std::round(value->number);
    after += value->number;
    write(one, *value);
  });
  return after / before;
}

}  // namespace

std::vector<NumericInput> numeric_inputs(const std::string& resolved) {
  const ParsedText parsed = parse_document(resolved, 0);
  return parsed.complete ? Collector().collect(parsed.root) : std::vector<NumericInput>{};
}

std::string shown_value(const NumericInput& input) {
  if (input.form == InputForm::number || input.form == InputForm::whole) return input.node.text;
  if (input.node.kind == NodeKind::object) {
    std::string text;
    for (const Node& child : input.node.children) append_part(text, child.text, " to ");
    return text;
  }
  const std::string count = with_commas(input.node.children.size());
  return count + (input.form == InputForm::numbers || input.form == InputForm::wholes ? " numbers" : " points");
}

bool is_coarse(const NumericInput& input) {
  if (!is_counted(input.form)) return false;
  const auto parts = static_cast<double>(input.form == InputForm::whole ? 1 : input.node.children.size());
  return sum_of(input) / parts < least_fine_whole;
}

std::optional<ScaledInput> scaled(const NumericInput& input, double factor) {
  ScaledInput result{.change = {.pointer = input.pointer, .value = {}}};
  Node node = input.node;
  result.factor = scale(node, input.form, factor);
  if (input.form == InputForm::whole && result.factor == 1.0) {
    const double moved = sum_of(input) + (factor < 1.0 ? -1.0 : 1.0);
    write(node, {.number = moved});
    result.factor = moved / sum_of(input);
  }
  if (is_counted(input.form) && sum_of(input) > largest_whole) return std::nullopt;
  if (!(result.factor > 0.0) || !std::isfinite(result.factor) || result.factor == 1.0) return std::nullopt;
  result.change.value = override_text(node);
  return result;
}

}  // namespace saturn
