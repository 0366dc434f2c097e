#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/import/read_measured_file.hpp"
#include "calibration/score/own_measurements.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/study/measured/pointer_fit.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

/// What is typed, before anything is read.
struct TypedFit {
  std::vector<std::string> files{};
  std::vector<std::string> pointers{};
  std::vector<std::string> points{};
  std::vector<std::string> judges{};
  std::vector<std::string> structures{};
  std::string quantities{};
  std::string model{};
  std::optional<std::uint64_t> batch{};
  ScenarioOptions scenario{};
};

/// The parts between commas, without blanks; none of an empty text.
std::vector<std::string> listed_parts(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts)
    for (const std::string_view part : split_at(text, ','))
      if (const std::string_view one = trimmed(part); !one.empty()) parts.emplace_back(one);
  return parts;
}

bool is_case(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  // What is no file may be a shipped case; the reader of cases says what there is.
  if (!file) return true;
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find("saturn-measured/") != std::string::npos;
}

/// Rows by the file that they are of.
struct OfferedRows {
  std::vector<NamedRow> rows{};
  std::vector<std::string> data{};
};

std::vector<std::string> labels_of(const OfferedRows& offered) {
  std::vector<std::string> labels;
  for (const NamedRow& one : offered.rows) labels.push_back(one.row.point.label);
  return labels;
}

/// Labels may contain commas, so that a text is a label, or a list of them.
std::vector<std::string> names_in(const std::vector<std::string>& texts, const OfferedRows& offered) {
  const std::vector<std::string> labels = labels_of(offered);
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    // A label takes as many parts as it has.
    const std::vector<std::string> parts = listed_parts({text});
    for (std::size_t i = 0; i < parts.size();) {
      std::size_t taken = parts.size() - i;
      std::string name;
      for (; taken > 0; --taken) {
        name = joined(
            {parts.begin() + static_cast<std::ptrdiff_t>(i), parts.begin() + static_cast<std::ptrdiff_t>(i + taken)});
        if (std::find(labels.begin(), labels.end(), name) != labels.end()) break;
      }
      names.push_back(taken > 0 ? name : parts[i]);
      i += std::max<std::size_t>(taken, 1);
    }
  }
  return names;
}

class QuestionReader {
 public:
  QuestionReader(TypedFit typed, Monitor& monitor) : typed_(std::move(typed)), monitor_(monitor) {}

  FitQuestion read();

 private:
  void read_cases();
  void read_own_files(const ReadScenario& read);
  void choose_scenario();
  void read_structures();
  void read_pointers(const std::string& resolved);
  void read_pointer(const std::string& text, const ScenarioPlaces& places);
  void take_range(const std::string& range, FitPointer& pointer);
  void read_quantities();
  void take_rows(const std::vector<std::string>& texts, bool judges);

  TypedFit typed_;
  Monitor& monitor_;
  Complaints complaints_{};
  OfferedRows offered_{};
  std::vector<MeasuredCase> cases_{};
  std::vector<std::string> own_{};
  FitQuestion question_{};
};

void QuestionReader::read_cases() {
  for (const std::string& name : typed_.files) {
    if (!is_case(name)) {
      own_.push_back(name);
      continue;
    }
    complaints_.of([&] {
      std::vector<MeasuredCase> found = read_measured_cases(name);
      if (found.size() > 1)
        refuse_input(name, "fit.several_cases",
                     "Several shipped cases begin so, and a fit is to the rows of one: " +
                         joined(texts_of(found, [](const MeasuredCase& one) { return one.about.id; }), ", ", 20) + ".");
      cases_.push_back(std::move(found.front()));
    });
  }
}

void QuestionReader::choose_scenario() {
  std::set<std::string> named;
  for (const MeasuredCase& one : cases_) named.insert(one.about.scenario);
  question_.scenario = typed_.scenario.scenario;
  if (!question_.scenario.empty()) return;
  if (named.size() == 1)
    question_.scenario = *named.begin();
  else
    complaints_.add("--fit", "fit.no_scenario",
                    named.empty() ? "Fields of a scenario are fitted, and none is named; add --scenario SCENARIO."
                                  : "The cases are of several scenarios, " + listed({named.begin(), named.end()}) +
                                        "; say with --scenario which one is fitted.");
}

void QuestionReader::read_own_files(const ReadScenario& read) {
  if (own_.empty()) return;
  std::vector<MeasuredFile> files;
  complaints_.of([&] { files = read_measured_files(own_); });
  complaints_.raise();
  OwnChoice choice{.scenario = question_.scenario, .model = typed_.model};
  if (typed_.batch) choice.batch = static_cast<double>(*typed_.batch);
  OwnMeasurements own = own_measurements(read.scenario, files, read.fitted_files, choice);
  say_warnings(own.warnings, monitor_);
  for (const MeasuredFile& file : files) offered_.data.push_back(file.path + " (SHA-256 " + file.sha256 + ")");
  for (MeasuredCase& one : own.cases)
    for (MeasuredRow& row : one.rows) offered_.rows.push_back({.file = one.about.id, .row = std::move(row)});
}

void QuestionReader::read_structures() {
  for (const std::string& text : typed_.structures) {
    const std::size_t colon = text.find(':');
    NamedStructure structure{.name = std::string(trimmed(text.substr(0, colon)))};
    if (colon == std::string::npos || structure.name.empty() || structure.name.starts_with('/')) {
      complaints_.add("--structure " + text, "fit.bad_structure",
                      "A structure is a name and what it changes, as in --structure 'sharing: "
                      "/devices/a100/sharing=processor_sharing; /models/net/batch_forming=ahead'; a name alone with a "
                      "colon is the scenario as it stands.");
      continue;
    }
    complaints_.of([&] {
      for (const std::string_view part : split_at(std::string_view(text).substr(colon + 1), ';'))
        if (const std::string_view one = trimmed(part); !one.empty())
          structure.set.push_back(parse_override(std::string(one)));
    });
    const bool is_known = std::any_of(question_.structures.begin(), question_.structures.end(),
                                      [&](const NamedStructure& other) { return other.name == structure.name; });
    if (is_known)
      complaints_.add("--structure " + text, "fit.bad_structure",
                      "Two structures are called " + in_quotes(structure.name) + "; give each a name of its own.");
    question_.structures.push_back(std::move(structure));
  }
  if (typed_.structures.empty()) question_.structures.emplace_back();
}

void QuestionReader::take_range(const std::string& range, FitPointer& pointer) {
  const std::size_t colon = range.find(':');
  const auto number = [&](const std::string& text) -> std::optional<double> {
    const std::string part(trimmed(text));
    if (const auto dimension = dimension_of(pointer.type)) {
      const ReadQuantity read = read_quantity(part, *dimension);
      if (read.reading == QuantityReading::good) return read.value;
      if (*dimension != Dimension::ratio) return std::nullopt;
    }
    return read_number(part);
  };
  if (colon != std::string::npos) {
    pointer.low = number(range.substr(0, colon));
    pointer.high = number(range.substr(colon + 1));
  }
  if (!pointer.low || !pointer.high || *pointer.low >= *pointer.high)
    complaints_.add("--fit " + pointer.pointer + "=" + range, "fit.bad_range",
                    "A range is its least and its greatest value, as a scenario spells them, with a colon between "
                    "them: /devices/t4/contention=0:2, /servers/0/host/per_request=\"10 us:1 ms\".");
}

void QuestionReader::read_pointer(const std::string& text, const ScenarioPlaces& places) {
  const std::size_t equals = text.find('=');
  FitPointer pointer{.pointer = text.substr(0, equals)};
  const auto refuse = [&](const char* code, const std::string& sentence) {
    complaints_.add("--fit " + text, code, sentence);
  };
  if (!pointer.pointer.starts_with('/'))
    return refuse("fit.unknown_pointer",
                  shown(pointer.pointer) + " is no JSON pointer" +
                      suggest_pointers(pointer.pointer, places, [](const std::string&) { return true; }) + ".");
  if (pointer.pointer.find('*') != std::string::npos)
    return refuse("fit.unknown_pointer", "A fit gives each field a value of its own; name them one by one, without *.");
  const NamedPlaces named = places.named(pointer.pointer);
  if (named.places.empty()) return refuse("fit.unknown_pointer", named.fault);
  pointer.type = named.places.front().type;
  switch (pointer.type.kind) {
    case PlaceKind::number:
    case PlaceKind::quantity:
    case PlaceKind::ratio:
      break;
    case PlaceKind::whole:
      return refuse("fit.not_a_number", pointer.pointer +
                                            " is a whole number, which no small step changes; compare "
                                            "its values as structures: --structure 'two: " +
                                            pointer.pointer + "=2'.");
    default:
      return refuse("fit.not_a_number", pointer.pointer +
                                            " is no number; compare its values as structures: "
                                            "--structure 'other: " +
                                            pointer.pointer + "=...'.");
  }
  if (std::any_of(question_.pointers.begin(), question_.pointers.end(),
                  [&](const FitPointer& other) { return other.pointer == pointer.pointer; }))
    return refuse("fit.unknown_pointer", pointer.pointer + " is named twice.");
  if (equals != std::string::npos) take_range(text.substr(equals + 1), pointer);
  question_.pointers.push_back(std::move(pointer));
}

void QuestionReader::read_pointers(const std::string& resolved) {
  const ScenarioPlaces places(resolved);
  for (const std::string& text : listed_parts(typed_.pointers)) read_pointer(text, places);
  if (question_.pointers.empty() && complaints_.size() == 0)
    complaints_.add("--fit", "fit.unknown_pointer", "No field is named; write pointers with commas between them.");
}

void QuestionReader::read_quantities() {
  question_.quantities = listed_parts({typed_.quantities});
  for (const std::string& name : question_.quantities) {
    const std::vector<std::string>& known = fit_term_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
      complaints_.add("--quantities " + typed_.quantities, "fit.unknown_quantity",
                      shown(name) + " is none of them; " + allowed_names(name, known));
  }
}

void QuestionReader::take_rows(const std::vector<std::string>& texts, bool judges) {
  const std::string option = judges ? "--judge" : "--points";
  for (const std::string& name : names_in(texts, offered_)) {
    bool found = false;
    for (const NamedRow& one : offered_.rows) {
      if (one.row.point.label != name) continue;
      found = true;
      question_.rows.push_back(one);
      question_.rows.back().judges = judges;
    }
    if (!found)
      complaints_.add(option, "fit.unknown_point",
                      "There is no row " + in_quotes(name) + "; there are " +
                          joined(texts_of(labels_of(offered_), in_quotes), ", ", 40) + ".");
  }
}

FitQuestion QuestionReader::read() {
  read_cases();
  read_structures();
  read_quantities();
  choose_scenario();
  complaints_.raise();
  question_.changes = overrides_of(typed_.scenario);
  ScenarioOptions named = typed_.scenario;
  named.scenario = question_.scenario;
  const ReadScenario read = load_scenario(named, monitor_);
  if (cases_.size() == 1 && cases_.front().about.scenario == question_.scenario)
    question_.of_case = cases_.front().about.set;
  for (const MeasuredCase& one : cases_) {
    offered_.data.push_back(one.about.id);
    for (const MeasuredRow& row : one.rows) {
      offered_.rows.push_back({.file = one.about.id, .row = row});
      if (row.model.empty()) offered_.rows.back().row.model = one.model;
    }
  }
  read_own_files(read);
  // A structure may bring the object that a field stands in.
  const std::vector<Override> first = question_.without_row(question_.structures.front());
  read_pointers(read_scenario_file(question_.scenario, first, read_platform_file).resolved);
  if (typed_.points.empty())
    complaints_.add("--points", "fit.no_points",
                    "Which rows are fitted has to be said; there are " +
                        joined(texts_of(labels_of(offered_), in_quotes), ", ", 40) + ".");
  take_rows(typed_.points, false);
  take_rows(typed_.judges, true);
  for (const NamedRow& one : question_.rows)
    if (one.judges && std::any_of(question_.rows.begin(), question_.rows.end(), [&](const NamedRow& other) {
          return !other.judges && other.file == one.file && other.row.point.label == one.row.point.label;
        }))
      complaints_.add("--judge", "fit.unknown_point",
                      in_quotes(one.row.point.label) + " is fitted, too; rows that judge are others.");
  complaints_.raise();
  question_.data = offered_.data;
  return std::move(question_);
}

}  // namespace

std::vector<Override> FitQuestion::after_row(const NamedStructure& structure) const {
  std::vector<Override> all = changes;
  all.insert(all.end(), structure.set.begin(), structure.set.end());
  return all;
}

std::vector<Override> FitQuestion::without_row(const NamedStructure& structure) const {
  std::vector<Override> all = of_case;
  const std::vector<Override> more = after_row(structure);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const std::vector<std::string>& fit_term_names() {
  static const std::vector<std::string> names{"time", "rate", "network", "queue", "compute", "p50", "p95", "p99"};
  return names;
}

FitQuestion fit_question(const TypedCommand& typed, Monitor& monitor) {
  TypedFit request{.scenario = scenario_options(typed)};
  typed.take("files", request.files);
  typed.take("--fit", request.pointers);
  typed.take("--points", request.points);
  typed.take("--judge", request.judges);
  typed.take("--structure", request.structures);
  typed.take("--quantities", request.quantities);
  typed.take("--model", request.model);
  typed.take("--batch", request.batch);
  typed.take("--scenario", request.scenario.scenario);
  return QuestionReader(std::move(request), monitor).read();
}

namespace {

/// The number that a value of a document is, in the base unit.
std::optional<double> number_of(const Node& node, const PlaceType& type) {
  if (node.kind == NodeKind::number) return number_in(node);
  const auto dimension = dimension_of(type);
  if (node.kind != NodeKind::text || !dimension) return std::nullopt;
  const ReadQuantity read = read_quantity(node.text, *dimension);
  return read.reading == QuantityReading::good ? std::optional(read.value) : std::nullopt;
}

/// What stands at a pointer, or what its absence means.
std::optional<double> present_value(const std::string& resolved, const FitPointer& pointer) {
  const Node root = parse_document(resolved, 0).root;
  if (const Node* node = node_at(root, pointer.pointer)) return number_of(*node, pointer.type);
  const std::vector<TablePlace> places = places_along(pointer.pointer);
  if (places.empty() || places.back().field == nullptr || places.back().field->fallback.empty()) return std::nullopt;
  return number_of(parse_document(places.back().field->fallback, 0).root, pointer.type);
}

/// The values that a field takes, found by asking its reader.
class AllowedRange {
 public:
  AllowedRange(const ScenarioPlaces& places, const FitPointer& pointer) : places_(places), pointer_(pointer) {}

  /// @param inside  allowed, > 0
  double least(double inside) const { return takes(0.0) ? 0.0 : last_allowed(inside, inside * 1e-15); }
  double greatest(double inside) const {
    const double far = inside * 1e15;
    return takes(far) ? std::numeric_limits<double>::infinity() : last_allowed(inside, far);
  }
  bool takes(double value) const {
    const std::vector<Override> setting{{pointer_.pointer, setting_text(value, pointer_.type)}};
    return places_.tried(setting).complaints.empty();
  }

 private:
  double last_allowed(double allowed, double refused) const {
    for (int i = 0; i < 60 && std::abs(std::log(refused / allowed)) > 1e-12; ++i) {
      const double middle = std::sqrt(allowed * refused);
      (takes(middle) ? allowed : refused) = middle;
    }
    return allowed;
  }

  const ScenarioPlaces& places_;
  const FitPointer& pointer_;
};

/// The size that a field without a value is looked for at; nothing where the field does not tell.
std::optional<double> usual_scale(const FitPointer& pointer) {
  const auto dimension = dimension_of(pointer.type);
  if (pointer.high) return *pointer.high / 10.0;
  if (dimension == Dimension::duration) return 1e-4;
  if (!dimension || dimension == Dimension::ratio) return 0.1;
  return std::nullopt;
}

}  // namespace

std::string setting_text(double value, const PlaceType& type) {
  return type.kind == PlaceKind::quantity ? quantity_text(value, type.dimension) : shortest(value);
}

std::vector<BoundedParameter> bounded_parameters(const FitQuestion& question, const std::string& resolved,
                                                 const std::string& where) {
  const ScenarioPlaces places(resolved);
  std::vector<BoundedParameter> all;
  for (const FitPointer& pointer : question.pointers) {
    const double present = present_value(resolved, pointer).value_or(0.0);
    const std::optional<double> scale = present > 0.0 ? present : usual_scale(pointer);
    const AllowedRange allowed(places, pointer);
    if (!scale || !allowed.takes(*scale))
      refuse_input("--fit " + pointer.pointer, "fit.no_start",
                   "Nothing tells where to begin" + where +
                       ": give the field a value with --set, or a range, "
                       "as in --fit " +
                       pointer.pointer + "=LOW:HIGH.");
    BoundedParameter one{.name = pointer.pointer, .start = *scale, .scale = *scale};
    one.low = std::max(pointer.low.value_or(0.0), allowed.least(*scale));
    one.high = std::min(pointer.high.value_or(std::numeric_limits<double>::infinity()), allowed.greatest(*scale));
    one.start = std::clamp(*scale, one.low, one.high);
    all.push_back(one);
  }
  return all;
}

}  // namespace saturn
