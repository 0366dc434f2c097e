#include "scenarios/inputs/fitted_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "models/laws/parameter_spread.hpp"
#include "models/laws/random_stream.hpp"
#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/fields/value_rules.hpp"

namespace saturn {

namespace {

std::optional<double> quantity_in(const Node& node, Dimension dimension) {
  if (node.kind != NodeKind::text) return std::nullopt;
  const ReadQuantity read = read_quantity(node.text, dimension);
  return read.reading == QuantityReading::good ? std::optional<double>(read.value) : std::nullopt;
}

/// Mean of a list of durations.
std::optional<double> mean_of(const Node& list) {
  if (list.kind != NodeKind::list || list.children.empty()) return std::nullopt;
  double sum = 0.0;
  for (const Node& child : list.children) {
    const std::optional<double> one = quantity_in(child, Dimension::duration);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum / static_cast<double>(list.children.size());
}

void write(Node& place, double value, const std::string& unit) {
  place.kind = unit.empty() ? NodeKind::number : NodeKind::text;
  place.text = with_unit(shortest(value), unit);
}

}  // namespace

std::optional<Dimension> fitted_dimension(const std::string& unit) {
  if (unit == "s") return Dimension::duration;
  if (unit == "B/s") return Dimension::bandwidth;
  if (unit == "B") return Dimension::size;
  if (unit == "1/s") return Dimension::rate;
  return std::nullopt;
}

std::optional<double> standing_value(const Node& place, const std::string& unit) {
  const std::optional<Dimension> dimension = fitted_dimension(unit);
  if (!dimension) return number_in(place);
  if (const std::optional<double> value = quantity_in(place, *dimension)) return value;
  if (*dimension == Dimension::duration) return mean_of(place);
  if (*dimension != Dimension::rate) return std::nullopt;
  const std::optional<double> time = quantity_in(place, Dimension::duration);
  return time && *time > 0.0 ? std::optional<double>(1.0 / *time) : std::nullopt;
}

void put_value(Node& place, const std::string& unit, double value) {
  if (unit == "s" && place.kind == NodeKind::list) {
    const double factor = value / mean_of(place).value_or(value);
    for (Node& child : place.children)
      write(child, factor * quantity_in(child, Dimension::duration).value_or(0.0), "s");
    return;
  }
  if (unit == "1/s") {
    const bool as_time = quantity_in(place, Dimension::duration).has_value();
    // One per second is a hertz; the file's other units are the scenario's.
    return as_time ? write(place, 1.0 / value, "s") : write(place, value, "Hz");
  }
  write(place, value, unit);
}

const char* name_of(FitKind kind) {
  // In the order of FitKind.
  return std::array{"service law", "time", "bandwidth", "count", "closed loop"}.at(static_cast<std::size_t>(kind));
}

std::optional<FitKind> find_fit_kind(std::string_view name) {
  for (const FitKind kind :
       {FitKind::service_law, FitKind::time, FitKind::bandwidth, FitKind::count, FitKind::closed_loop})
    if (name == name_of(kind)) return kind;
  return std::nullopt;
}

std::string value_with(const UsedFit& fit, const std::vector<double>& parameters) {
  ParsedText parsed = parse_document(fit.value, 0);
  if (!parsed.complete) {
    parsed.root = {};
    parsed.root.kind = NodeKind::text;
    parsed.root.text = fit.value;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Node* place = node_at(parsed.root, fit.at[i]);
    if (place == nullptr) throw std::logic_error("a fit's value has lost its parameter " + fit.at[i]);
    put_value(*place, fit.units[i], parameters[i]);
  }
  return override_text(parsed.root);
}

namespace {

constexpr std::size_t longest_printed_line = 200;

class FitReader {
 public:
  FitReader(const Node& fit, const std::string& name, const std::string& used, ComplaintList& complaints)
      : fit_(fit), at_("/fits/" + escape_pointer(name)), used_(used), complaints_(complaints) {}

  std::optional<UsedFit> read() {
    if (!is_object(fit_, at_)) return std::nullopt;
    UsedFit used;
    if (const std::optional<std::string> kind = text(fit_, "kind", at_))
      used.kind = find_fit_kind(*kind).value_or(FitKind::time);
    read_about(used);
    const Node* value = wanted(fit_, "value", at_);
    if (value == nullptr) return std::nullopt;
    used.value = override_text(*value);
    read_parameters(used, *value);
    if (sound_) read_covariance(used);
    read_freedom(used);
    read_range(used);
    return sound_ ? std::optional<UsedFit>(std::move(used)) : std::nullopt;
  }

 private:
  void refuse(Place place, const char* code, const std::string& text) {
    sound_ = false;
    complaints_.refuse(place, used_, code, text);
  }

  bool is_object(const Node& node, const std::string& pointer) {
    if (node.kind == NodeKind::object) return true;
    refuse(node.place, "fitted.wrong_type", pointer + " is " + shown(node) + "; an object in braces is needed.");
    return false;
  }

  const Node* wanted(const Node& parent, const char* key, const std::string& pointer) {
    const Node* found = parent.find(key);
    if (found == nullptr)
      refuse(parent.place, "fitted.missing_key", pointer + " lacks \"" + key + "\"; fit the measurements again.");
    return found;
  }

  std::optional<std::string> text(const Node& parent, const char* key, const std::string& pointer) {
    const Node* found = wanted(parent, key, pointer);
    if (found == nullptr) return std::nullopt;
    if (found->kind == NodeKind::text) return found->text;
    refuse(found->place, "fitted.wrong_type",
           pointer + "/" + key + " is " + shown(*found) + "; a text in double quotes is needed.");
    return std::nullopt;
  }

  std::optional<double> number(const Node& node, const std::string& pointer) {
    const std::optional<double> value = number_in(node);
    if (!value)
      refuse(node.place, "fitted.wrong_type", pointer + " is " + shown(node) + "; a finite number is needed.");
    return value;
  }

  const Node* list(const char* key) {
    const Node* found = wanted(fit_, key, at_);
    if (found == nullptr || found->kind == NodeKind::list) return found;
    refuse(found->place, "fitted.wrong_type",
           at_ + "/" + key + " is " + shown(*found) + "; a list in square brackets is needed.");
    return nullptr;
  }

  /// It is printed, and so is the fit's name.
  void read_about(UsedFit& used) {
    const Node* about = fit_.find("about");
    if (about != nullptr && about->kind == NodeKind::text) used.about = about->text;
    const auto is_line = [](const std::string& text) {
      return text.size() <= longest_printed_line && std::none_of(text.begin(), text.end(), [](char c) {
               return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
             });
    };
    if (is_line(used.about) && is_line(fit_.key)) return;
    const bool name = !is_line(fit_.key);
    refuse(name ? fit_.key_place : about->place, "fitted.not_one_line",
           (name ? "The name of the fit is " + shown(fit_.key) : at_ + "/about is " + shown(*about)) +
               "; it is printed: allowed are up to " + std::to_string(longest_printed_line) +
               " characters on one line.");
  }

  void read_parameters(UsedFit& used, const Node& value) {
    const Node* parameters = list("parameters");
    if (parameters == nullptr) return;
    if (parameters->children.size() > most_fitted_parameters) {
      refuse(parameters->place, "fitted.too_many_parameters",
             at_ + "/parameters has " + with_commas(parameters->children.size()) + " elements; at most " +
                 with_commas(most_fitted_parameters) + " are drawn together.");
      return;
    }
    for (std::size_t i = 0; i < parameters->children.size(); ++i)
      read_parameter(used, value, parameters->children[i], at_ + "/parameters/" + std::to_string(i));
  }

  void read_parameter(UsedFit& used, const Node& value, const Node& parameter, const std::string& pointer) {
    if (!is_object(parameter, pointer)) return;
    const std::optional<std::string> name = text(parameter, "name", pointer);
    const std::optional<std::string> at = text(parameter, "at", pointer);
    const std::optional<std::string> unit = text(parameter, "unit", pointer);
    const Node* number_node = wanted(parameter, "value", pointer);
    const std::optional<double> fitted =
        number_node == nullptr ? std::nullopt : number(*number_node, pointer + "/value");
    if (!name || !at || !unit || !fitted) return;
    if (!unit->empty() && !fitted_dimension(*unit)) {
      refuse(parameter.find("unit")->place, "fitted.unknown_unit",
             pointer + "/unit is " + shown(*unit) + R"(; allowed is "s", "B/s", "B", "1/s" or "" of a bare number.)");
      return;
    }
    check_place(value, *parameter.find("at"), *unit, *fitted, pointer);
    used.parameters.names.push_back(*name);
    used.parameters.values.push_back(*fitted);
    used.at.push_back(*at);
    used.units.push_back(*unit);
  }

  /// The drawn values replace the one that stands there, so it must be there, and be the fitted one.
  void check_place(const Node& value, const Node& at, const std::string& unit, double fitted,
                   const std::string& pointer) {
    const Node* place = node_at(value, at.text);
    if (place == nullptr) {
      refuse(at.place, "fitted.nowhere",
             pointer + "/at is " + shown(at) + ", but " + at_ + "/value has nothing there; it is a JSON pointer into " +
                 "that value, and \"\" is the value itself.");
      return;
    }
    const std::optional<double> standing = standing_value(*place, unit);
    // People round what they write by hand.
    constexpr double rounding = 0.01;
    if (standing && std::abs(*standing - fitted) <= rounding * std::abs(fitted)) return;
    refuse(place->place, "fitted.disagrees",
           at_ + "/value" + at.text + " is " + shown(*place) + ", but its parameter, " + pointer + "/value, is " +
               with_unit(shortest(fitted), unit) + "; the two must be one: fit again.");
  }

  void read_covariance(UsedFit& used) {
    const Node* covariance = list("covariance");
    if (covariance == nullptr) return;
    const std::size_t n = used.parameters.values.size();
    const std::string pointer = at_ + "/covariance";
    const auto wrong_size = [&](const Node& node, const std::string& where) {
      refuse(node.place, "fitted.covariance",
             where + " has " + counted_with_commas(node.children.size(), "element") + "; of " +
                 counted_with_commas(n, "parameter") + " it is a square of " + with_commas(n) + " by " +
                 with_commas(n) + ".");
    };
    if (covariance->children.size() != n) return wrong_size(*covariance, pointer);
    for (std::size_t i = 0; i < n; ++i) {
      const Node& row = covariance->children[i];
      const std::string row_at = pointer + "/" + std::to_string(i);
      if (row.kind != NodeKind::list || row.children.size() != n) return wrong_size(row, row_at);
      for (std::size_t j = 0; j < n; ++j) {
        const std::optional<double> value = number(row.children[j], row_at + "/" + std::to_string(j));
        if (!value) return;
        used.parameters.covariance.push_back(*value);
      }
    }
    const std::string fault = covariance_fault(used.parameters);
    if (!fault.empty()) refuse(covariance->place, "fitted.covariance", pointer + " " + fault + "; fit again.");
  }

  void read_freedom(UsedFit& used) {
    const Node* freedom = fit_.find("degrees_of_freedom");
    if (freedom == nullptr) return;
    const std::optional<double> value = number(*freedom, at_ + "/degrees_of_freedom");
    if (value && *value < 0.0)
      refuse(freedom->place, "fitted.wrong_range",
             at_ + "/degrees_of_freedom is " + shown(*freedom) + "; allowed is 0, where errors were known, or more.");
    used.parameters.degrees_of_freedom = value.value_or(0.0);
  }

  void read_range(UsedFit& used) {
    const Node* range = fit_.find("range");
    const Node* items = range == nullptr ? nullptr : range->find("items");
    if (items == nullptr) return;
    const std::string pointer = at_ + "/range/items";
    const bool two = items->kind == NodeKind::list && items->children.size() == 2;
    const std::optional<double> low = two ? number_in(items->children[0]) : std::nullopt;
    const std::optional<double> high = two ? number_in(items->children[1]) : std::nullopt;
    if (!low || !high || !(*low > 0.0) || *low > *high)
      return refuse(items->place, "fitted.wrong_range",
                    pointer + " is " + (two ? json_text(*items, -1) : shown(*items)) +
                        "; the smallest and the largest fitted batch are needed, [1, 64].");
    used.batch_items = ParameterInterval{*low, *high};
  }

  const Node& fit_;
  std::string at_;
  const std::string& used_;
  ComplaintList& complaints_;
  bool sound_ = true;
};

}  // namespace

std::optional<UsedFit> read_fit(const Node& fit, const std::string& name, const std::string& used,
                                ComplaintList& complaints) {
  std::optional<UsedFit> read = FitReader(fit, name, used, complaints).read();
  if (!read) return read;
  read->name = name;
  if (read->about.empty()) read->about = name_of(read->kind) + (" " + name);
  return read;
}

namespace {

constexpr std::uint32_t most_tries = 100;
// Streams of further tries lie behind those of any number of draws.
constexpr std::uint32_t stride = 1U << 20U;

std::vector<Override> changes_of(const UsedFit& fit, const std::vector<double>& parameters) {
  std::vector<Override> changes;
  const std::string value = value_with(fit, parameters);
  for (const std::string& place : fit.places) changes.push_back({.pointer = place, .value = value});
  return changes;
}

class Drawer {
 public:
  Drawer(const ReadScenario& read, std::size_t fit) : read_(read), fit_(read.fits.at(fit)), group_(fit) {}

  DrawnScenarios draw(std::size_t count) {
    const std::uint64_t seed = read_.scenario.run.seed;
    DrawnScenarios drawn{.draws = spread_draws(fit_.parameters, count, seed, static_cast<std::uint32_t>(group_)),
                         .scenarios = {}};
    for (std::size_t r = 0; r < count; ++r) {
      std::optional<DrawnScenario> one = accepted(drawn.draws.sets[r]);
      for (std::uint32_t tries = 1; !one; ++tries) {
        if (tries == most_tries) refuse();
        drawn.draws.matched = false;
        drawn.draws.sets[r] = again(static_cast<std::uint32_t>(r) + tries * stride);
        one = accepted(drawn.draws.sets[r]);
      }
      drawn.scenarios.push_back(std::move(*one));
    }
    return drawn;
  }

 private:
  std::optional<DrawnScenario> accepted(const std::vector<double>& parameters) {
    std::vector<Override> changes = changes_of(fit_, parameters);
    try {
      Scenario drawn = read_.again(changes);
      return DrawnScenario{.scenario = std::move(drawn), .changes = std::move(changes)};
    } catch (const InputError& refused) {
      why_ = refused.complaints().front().text;
      return std::nullopt;
    }
  }

  std::vector<double> again(std::uint32_t stream_number) const {
    FittedParameters normal = fit_.parameters;
    normal.degrees_of_freedom = 0.0;
    RandomStream stream(read_.scenario.run.seed, stream_number, static_cast<std::uint32_t>(group_),
                        Purpose::parameters);
    return draw_parameters(normal, stream);
  }

  [[noreturn]] void refuse() const {
    refuse_input(fit_.file, "fitted.too_uncertain",
                 "The fit " + shown(fit_.name) + " is too uncertain to draw from: " + std::to_string(most_tries) +
                     " draws of its parameters were refused, the last because " + why_ +
                     " Measure more, or leave the draws out with --no-calibration-draws.");
  }

  const ReadScenario& read_;
  const UsedFit& fit_;
  std::size_t group_;
  std::string why_;
};

}  // namespace

std::vector<std::size_t> uncertain_fits(const ReadScenario& read) {
  std::vector<std::size_t> uncertain;
  for (std::size_t i = 0; i < read.fits.size(); ++i)
    if (!is_exact(read.fits[i].parameters)) uncertain.push_back(i);
  return uncertain;
}

DrawnScenarios drawn_scenarios(const ReadScenario& read, std::size_t fit, std::size_t count) {
  return Drawer(read, fit).draw(count);
}

}  // namespace saturn
