#include <algorithm>
#include <utility>

#include "calibration/import/json_report.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/field_table.hpp"
#include "scenarios/fields/quantity_text.hpp"

namespace saturn {

namespace {

constexpr const char* schema_name = "saturn-numbers/1";

struct Quantity {
  double value = 0.0;
  std::string unit{};  // SI
};

const Rule<Seconds>& written_time_rule() {
  static const Rule<Seconds> rule = duration_rule({.low = "0 s", .high = "1000 d", .usual = "s"});
  return rule;
}
const Rule<Bandwidth>& written_bandwidth_rule() {
  static const Rule<Bandwidth> rule = bandwidth_rule({.low = "0 bps", .high = "1000 Tbps", .usual = "Gbps"});
  return rule;
}

std::string unit_of(Dimension dimension) {
  return dimension == Dimension::rate ? "1/s" : std::string(base_unit(dimension));
}

std::optional<Quantity> any_quantity(const Spot& spot, ComplaintList& complaints) {
  if (spot.node.kind == NodeKind::number) {
    if (const std::optional<double> value = json_figure(&spot.node)) return Quantity{.value = *value};
  } else if (spot.node.kind == NodeKind::text) {
    for (const Dimension dimension :
         {Dimension::duration, Dimension::bandwidth, Dimension::size, Dimension::rate, Dimension::ratio}) {
      const ReadQuantity read = read_quantity(spot.node.text, dimension);
      if (read.reading == QuantityReading::good && read.value >= 0.0 && is_measurable(read.value))
        return Quantity{.value = read.value, .unit = unit_of(dimension)};
    }
  }
  complaints.refuse(spot.node.place, spot.pointer, "scenario.not_a_quantity",
                    spot.subject() + " is " + shown(spot.node) +
                        "; a number of 0 or more with its unit is needed, for example \"7 s\", \"2 Gbps\", \"9216 B\" "
                        "or \"12 Hz\", or a bare number for a count.");
  return std::nullopt;
}

std::optional<Quantity> quantity_of(const std::string& name, const Spot& spot, ComplaintList& complaints) {
  if (name == "preprocessing" || name == "travel" || name == "gpu") {
    const std::optional<Seconds> time = written_time_rule().read(spot, complaints);
    return time ? std::optional(Quantity{.value = time->value, .unit = "s"}) : std::nullopt;
  }
  if (name == "bandwidth") {
    const std::optional<Bandwidth> rate = written_bandwidth_rule().read(spot, complaints);
    return rate ? std::optional(Quantity{.value = rate->value, .unit = "B/s"}) : std::nullopt;
  }
  return any_quantity(spot, complaints);
}

void know_keys(const Spot& spot, const std::vector<std::string>& keys, ComplaintList& complaints) {
  for (const Node& child : spot.node.children) {
    if (std::find(keys.begin(), keys.end(), child.key) != keys.end()) continue;
    const std::string near = nearest_name(child.key, keys);
    complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.unknown_key",
                      spot.member(child).pointer + " is no key of this schema; " +
                          (near.empty() ? "known here are " + listed(keys) + "." : "did you mean \"" + near + "\"?"));
  }
}

std::string text_member(const Spot& spot, std::string_view key, ComplaintList& complaints) {
  const Node* node = spot.node.find(key);
  if (node == nullptr) return "";
  return line_rule().read(spot.member(*node), complaints).value_or("");
}

const Node* object_member(const Spot& spot, const std::string& key, ComplaintList& complaints) {
  const Node* node = spot.node.find(key);
  if (node != nullptr && node->kind == NodeKind::object && !node->children.empty()) return node;
  complaints.refuse(node == nullptr ? spot.node.place : node->place, spot.pointer + "/" + key, "scenario.missing_key",
                    spot.pointer + "/" + key + (node == nullptr ? " is missing" : " is " + shown(*node)) +
                        "; it holds the numbers by name: {\"gpu\": {\"value\": \"2.7 s\", \"error\": \"0.3 s\"}}.");
  return nullptr;
}

class NumbersReader {
 public:
  explicit NumbersReader(JsonReport& report) : report_(report) {}

  void read() {
    const Spot document{report_.root(), ""};
    if (document.node.kind == NodeKind::object) {
      know_keys(document, {"schema", "source", "numbers"}, complaints_);
      check_schema(document);
      source_ = text_member(document, "source", complaints_);
      if (const Node* numbers = object_member(document, "numbers", complaints_))
        for (const Node& number : numbers->children) read_number({number, "/numbers/" + escape_pointer(number.key)});
    }
    if (complaints_.empty()) return;
    std::vector<Complaint> all = complaints_.complaints(report_.document());
    constexpr std::string_view scenario = "scenario.";
    for (Complaint& complaint : all)
      if (complaint.code.starts_with(scenario)) complaint.code.replace(0, scenario.size(), "import.");
    throw InputError(std::move(all));
  }

 private:
  void check_schema(const Spot& document) {
    const Node* schema = document.node.find("schema");
    if (schema != nullptr && json_words(schema) == schema_name) return;
    complaints_.refuse(schema == nullptr ? document.node.place : schema->place, "/schema", "scenario.schema",
                       "/schema is " + (schema == nullptr ? "missing" : shown(*schema)) + "; \"" + schema_name +
                           "\" is the one that is known.");
  }

  void read_number(const Spot& spot) {
    const std::string& name = spot.node.key;
    if (spot.node.kind != NodeKind::object) {
      complaints_.refuse(spot.node.place, spot.pointer, "scenario.wrong_type",
                         spot.pointer + " is " + shown(spot.node) +
                             "; an object with its value is needed: {\"value\": \"7 s\", \"error\": \"0.5 s\"}.");
      return;
    }
    know_keys(spot, {"value", "error", "source"}, complaints_);
    SingleNumber number{.at = report_.at(spot.node), .name = name};
    number.source = text_member(spot, "source", complaints_);
    if (number.source.empty()) number.source = source_;
    const Node* value = spot.node.find("value");
    if (value == nullptr) {
      complaints_.refuse(spot.node.place, spot.pointer + "/value", "scenario.missing_key",
                         spot.pointer + "/value is missing; it holds the number with its unit, for example \"7 s\".");
      return;
    }
    const std::optional<Quantity> read = quantity_of(name, spot.member(*value), complaints_);
    if (!read) return;
    if (read->value == 0.0) {
      complaints_.refuse(value->place, spot.pointer + "/value", "scenario.out_of_range",
                         spot.pointer + "/value is " + shown(*value) + "; a number above 0 is needed.");
      return;
    }
    number.value = read->value;
    number.unit = read->unit;
    read_error(spot, number);
    report_.import().file().numbers.push_back(std::move(number));
  }

  void read_error(const Spot& spot, SingleNumber& number) {
    const Node* error = spot.node.find("error");
    if (error == nullptr) return;
    const Spot at = spot.member(*error);
    const ReadQuantity share =
        error->kind == NodeKind::text ? read_quantity(error->text, Dimension::ratio) : ReadQuantity{};
    if (share.reading == QuantityReading::good && share.value >= 0.0 && is_measurable(share.value * number.value)) {
      number.standard_error = share.value * number.value;
      return;
    }
    const std::optional<Quantity> read = quantity_of(number.name, at, complaints_);
    if (read && read->unit == number.unit) number.standard_error = read->value;
    if (read && read->unit != number.unit)
      complaints_.refuse(error->place, at.pointer, "scenario.wrong_unit",
                         at.pointer + " is " + shown(*error) +
                             ", not in a unit of the value's; write it as the value, " +
                             shown(*spot.node.find("value")) + ", or in per cent.");
  }

  JsonReport& report_;
  ComplaintList complaints_{};
  std::string source_{};
};

bool recognises_written_numbers(std::string_view text) {
  constexpr std::string_view key = "\"schema\"";
  constexpr std::string_view value = "\"saturn-numbers/";
  if (!begins_as_object(text)) return false;
  for (std::size_t found = text.find(key); found != std::string_view::npos; found = text.find(key, found + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n:", found + key.size());
    if (next != std::string_view::npos && text.substr(next).starts_with(value)) return true;
  }
  return false;
}

void read_written_numbers(Import& import) {
  JsonReport report(import, "");
  NumbersReader(report).read();
}

}  // namespace

ImportFormat written_numbers() {
  return {.name = "saturn-numbers JSON",
          .looks_like = "a JSON object with \"schema\": \"saturn-numbers/1\"",
          .recognises = recognises_written_numbers,
          .read = read_written_numbers};
}

}  // namespace saturn
