#include "scenarios/inputs/numeric_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

namespace {

// Of a whole number below ten, one step is more than the tenth that inputs are varied by.
constexpr double least_fine_whole = 10.0;
// Largest whole number that a double counts exactly.
constexpr double largest_whole = 9007199254740992.0;

/// A number with what stands behind it: " us", "%", or nothing.
struct Split {
  double number = 0.0;
  std::string unit{};
};

std::optional<Split> split(const Node& node, const PlaceType& type) {
  if (node.kind == NodeKind::number) {
    const std::optional<double> number = number_in(node);
    return number ? std::optional(Split{.number = *number}) : std::nullopt;
  }
  if (node.kind != NodeKind::text) return std::nullopt;
  const ReadQuantity read = read_quantity(node.text, type.dimension);
  if (read.reading != QuantityReading::good) return std::nullopt;
  // A decimal that is too small for a double is zero.
  return Split{.number = read_number(read.number).value_or(0.0), .unit = node.text.substr(read.number.size())};
}

/// The numbers of a value that vary together.
template <class Visit>
void for_each_number(const NumericInput& input, Node& value, const Visit& visit) {
  for (const std::vector<std::size_t>& path : input.numbers) {
    Node* node = &value;
    for (const std::size_t child : path) node = &node->children[child];
    visit(*node);
  }
}

bool is_whole(const NumericInput& input) {
  return input.type.kind == PlaceKind::whole;
}

bool is_one_number(const NumericInput& input) {
  return input.numbers.front().empty();
}

/// Their sum, each in its own unit; 0 when there is nothing to scale.
double sum_of(const NumericInput& input) {
  Node copy = input.node;
  double sum = 0.0;
  for_each_number(input, copy, [&](const Node& one) {
    if (const auto read = split(one, input.type)) sum += std::abs(read->number);
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

bool is_input(InputRole role) {
  return role == InputRole::measured || role == InputRole::costed;
}

/// True for a number that the table calls an input.
bool is_number(const Node& node, const TablePlace& place) {
  switch (is_input(place.input) ? type_of(place).kind : PlaceKind::structure) {
    case PlaceKind::whole:
      return node.kind == NodeKind::number;
    case PlaceKind::number:
    case PlaceKind::quantity:
    case PlaceKind::ratio:
      return node.kind == NodeKind::number || node.kind == NodeKind::text;
    default:
      return false;
  }
}

TablePlace child_place(const TablePlace& place, const Node& node, std::size_t child) {
  const Node& there = node.children[child];
  if (node.kind == NodeKind::object) return place_in(place, there.key, &there);
  TablePlace part = part_of_tuple(place, child, &there);
  return part.values.empty() ? place_in(place, std::to_string(child), &there) : part;
}

/// True where all numbers of a value are one input.
bool vary_together(const Node& node, const TablePlace& place) {
  if (!is_input(place.input)) return false;
  return node.kind == NodeKind::list ||
         (node.kind == NodeKind::object &&
          std::any_of(place.values.begin(), place.values.end(), [](const ValueText* value) {
            return value->definition != nullptr && value->definition->varies_as_one;
          }));
}

class Collector {
 public:
  std::vector<NumericInput> collect(const Node& root) {
    visit(root, whole_table(&root));
    return std::move(found_);
  }

 private:
  void visit(const Node& node, const TablePlace& place) {
    if (is_number(node, place) || vary_together(node, place)) {
      NumericInput input{
          .pointer = pointer(), .words = words(), .node = node, .simulated = place.input == InputRole::measured};
      add_numbers(node, place, {}, input);
      if (!input.numbers.empty() && sum_of(input) > 0.0) found_.push_back(std::move(input));
      return;
    }
    const bool in_object = node.kind == NodeKind::object;
    // The only pool of jobs needs no name.
    const bool is_alone = !in_object && keys_ == std::vector<std::string>{"jobs"} && node.children.size() == 1;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node& child = node.children[i];
      const TablePlace there = child_place(place, node, i);
      const bool is_spoken = there.field == nullptr || there.field->spoken;
      keys_.push_back(in_object ? child.key : std::to_string(i));
      names_.push_back(in_object ? (is_spoken ? child.key : "") : is_alone ? "" : name_of(child, i));
      visit(child, there);
      keys_.pop_back();
      names_.pop_back();
    }
  }

  static void add_numbers(const Node& node, const TablePlace& place, std::vector<std::size_t> path,
                          NumericInput& input) {
    if (is_number(node, place)) {
      input.type = type_of(place);
      input.numbers.push_back(path);
      return;
    }
    path.push_back(0);
    for (; path.back() < node.children.size(); ++path.back())
      add_numbers(node.children[path.back()], child_place(place, node, path.back()), path, input);
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
double scale(const NumericInput& input, Node& node, double factor) {
  double before = 0.0;
  double after = 0.0;
  for_each_number(input, node, [&](Node& one) {
    std::optional<Split> value = split(one, input.type);
    if (!value) return;
    before += value->number;
    value->number *= factor;
    if (is_whole(input)) value->number = std::round(value->number);
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
  if (is_one_number(input)) return input.node.text;
  if (input.node.kind == NodeKind::object) {
    std::string text;
    for (const Node& child : input.node.children) append_part(text, child.text, " to ");
    return text;
  }
  const std::string count = with_commas(input.node.children.size());
  return count + (input.numbers.front().size() == 1 ? " numbers" : " points");
}

bool is_coarse(const NumericInput& input) {
  return is_whole(input) && sum_of(input) / static_cast<double>(input.numbers.size()) < least_fine_whole;
}

std::optional<ScaledInput> scaled(const NumericInput& input, double factor) {
  ScaledInput result{.change = {.pointer = input.pointer, .value = {}}};
  Node node = input.node;
  result.factor = scale(input, node, factor);
  if (is_one_number(input) && is_whole(input) && result.factor == 1.0) {
    const double moved = sum_of(input) + (factor < 1.0 ? -1.0 : 1.0);
    write(node, {.number = moved});
    result.factor = moved / sum_of(input);
  }
  if (is_whole(input) && sum_of(input) > largest_whole) return std::nullopt;
  if (!(result.factor > 0.0) || !std::isfinite(result.factor) || result.factor == 1.0) return std::nullopt;
  result.change.value = override_text(node);
  return result;
}

}  // namespace saturn
