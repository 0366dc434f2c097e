#include "scenarios/inputs/fitted_files.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/text_files.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/fitted_values.hpp"

namespace saturn {

const Definition& fitted_definition() {
  static const Definition definition{
      "fitted",
      "A fitted parameter file (`saturn calibrate FILES... --out fitted.json`) in the place of a duration, a time, a "
      "bandwidth or a service law. The fit's value is what is simulated; `run` and `plan` also draw its parameters "
      "from their covariance, so that intervals hold what the measurements leave open.",
      {{"fitted",
        {"file name", R"({"type":"string","minLength":1})", ValueForm::single, {PlaceKind::text}},
        true,
        R"("fitted.json")",
        "",
        "",
        "The file, relative to the scenario file."},
       {"fit",
        {"name of a fit", R"({"type":"string","minLength":1})", ValueForm::single, {PlaceKind::text}},
        false,
        "",
        "",
        "the only fit of the wanted kind; for a service law, a fit named like the model comes first",
        "Which of the file's fits."}},
      {}};
  return definition;
}

std::optional<FittedPlace> fitted_place(const std::string& pointer) {
  const std::vector<TablePlace> places = places_along(pointer);
  if (places.empty() || places.size() != split_pointer(pointer).size()) return std::nullopt;
  const TablePlace& place = places.back();
  const auto may_be = [&](const Definition& definition) {
    return std::any_of(place.values.begin(), place.values.end(),
                       [&](const ValueText* value) { return value->definition == &definition; });
  };
  if (may_be(service_law_shape().definition())) return FittedPlace{FitKind::service_law, false};
  // Elements of lists and the plain value of a distribution stand in their fit's place as a whole.
  if (place.owner == nullptr || !may_be(fitted_definition())) return std::nullopt;
  const bool plain = place.values.size() == 2;
  return FittedPlace{type_of(place).dimension == Dimension::bandwidth ? FitKind::bandwidth : FitKind::time, plain};
}

namespace {

constexpr FilePurpose fitted_purpose{
    "a fitted parameter file",
    "Name a file that `saturn calibrate FILES... --out fitted.json` wrote, relative to "
    "this file, or write the value here.",
    largest_fitted_file};
constexpr const char* make_one = "make one with `saturn calibrate FILES... --out fitted.json`.";

/// A reference that is being followed.
struct Reference {
  Node& node;
  std::string pointer;
  FittedPlace place;
};

class FittedFiles {
 public:
  FittedFiles(Document& document, const std::filesystem::path& folder, ComplaintList& complaints)
      : document_(document), complaints_(complaints), texts_(document, folder, complaints) {}

  void walk(Node& node, const std::string& pointer) {
    if (complaints_.full()) return;
    if (node.kind == NodeKind::object && node.find("fitted") != nullptr) {
      if (const std::optional<FittedPlace> place = fitted_place(pointer)) return follow({node, pointer, *place});
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      Node& child = node.children[i];
      if (node.kind == NodeKind::object) walk(child, pointer + "/" + escape_pointer(child.key));
      if (node.kind == NodeKind::list) walk(child, pointer + "/" + std::to_string(i));
    }
  }

  FittedValues take() { return std::move(values_); }

 private:
  void refuse(Place place, const Reference& from, const char* code, const std::string& text) {
    complaints_.refuse(place, from.pointer, code, text);
  }

  void follow(const Reference& from) {
    if (!complaints_.sound(from.pointer) || !replace(from)) stand_in(from);
  }

  /// What the place would have held is not known, so nothing else can be wrong with it.
  void stand_in(const Reference& from) {
    complaints_.distrust(from.pointer);
    const char* text = from.place.kind == FitKind::bandwidth ? "\"1 Gbps\"" : "\"1 s\"";
    put(from, parse_document(from.place.kind == FitKind::service_law ? R"({"per_item":"1 s"})" : text, 0).root);
  }

  /// Keys of a service law that say something of times wherever these stand.
  static bool is_beside_times(const Node& child) {
    return child.key == "speed" || child.key == "padded_to" || child.key == "per_request" || child.key == "rests_on";
  }

  static void put(const Reference& from, Node value) {
    if (from.place.kind == FitKind::service_law)
      for (Node& child : from.node.children)
        if (is_beside_times(child)) {
          // The scenario's word counts before the file's.
          std::erase_if(value.children, [&](const Node& own) { return own.key == child.key; });
          value.children.push_back(std::move(child));
        }
    value.key = std::move(from.node.key);
    value.key_place = from.node.key_place;
    from.node = std::move(value);
  }

  /// False after a complaint.
  bool replace(const Reference& from) {
    const Node* path = from.node.find("fitted");
    if (path->kind != NodeKind::text || path->text.empty()) {
      refuse(path->place, from, "scenario.fitted_path",
             from.pointer + "/fitted is " + shown(*path) + "; the name of a file in double quotes is needed.");
      return false;
    }
    const bool is_law = from.place.kind == FitKind::service_law;
    for (const Node& child : from.node.children)
      if (child.key != "fitted" && child.key != "fit" && !(is_law && is_beside_times(child))) {
        refuse(child.key_place, from, "scenario.beside_fitted",
               from.pointer + " has the key " + shown(child.key) +
                   " beside \"fitted\"; the fit holds the whole value, and only " +
                   (is_law ? "\"fit\", \"speed\", \"padded_to\", \"per_request\" and \"rests_on\"" : "\"fit\"") +
                   " may stand beside it: leave out \"fitted\" or the others.");
        return false;
      }
    const std::optional<std::size_t> source = texts_.load(*path, from.pointer + "/fitted", fitted_purpose);
    if (!source) return false;
    const Node* fits = fits_of(*source, from);
    const Node* fit = fits == nullptr ? nullptr : chosen(*fits, from, texts_.joined(path->text));
    return fit != nullptr && use(*fit, *source, from);
  }

  /// The object behind "fits"; null after a complaint. A file is parsed once.
  const Node* fits_of(std::size_t source, const Reference& from) {
    if (const auto known = parsed_.find(source); known != parsed_.end()) {
      if (const Node* fits = known->second.find("fits"); known->second.kind == NodeKind::object) return fits;
      complaints_.distrust(from.pointer);
      return nullptr;
    }
    ParsedText parsed = parse_document(document_.sources[source].text, source);
    for (const SyntaxFault& fault : parsed.faults) refuse({source, fault.offset}, from, fault.code.c_str(), fault.text);
    Node& root = parsed_[source];
    if (!parsed.complete || !parsed.faults.empty()) return nullptr;
    if (!is_fitted(parsed.root, from)) return nullptr;
    root = std::move(parsed.root);
    values_.files.push_back({document_.sources[source].name, texts_.bytes(source)});
    return root.find("fits");
  }

  bool is_fitted(const Node& root, const Reference& from) {
    const Node* schema = root.find("schema");
    if (schema == nullptr || schema->kind != NodeKind::text || schema->text != fitted_schema_name) {
      const std::string says = root.kind != NodeKind::object ? "This is " + shown(root)
                               : schema == nullptr           ? "This file has no \"schema\""
                                                             : "This file's \"schema\" is " + shown(*schema);
      refuse(schema == nullptr ? root.place : schema->place, from, "scenario.not_fitted",
             says + "; a fitted parameter file has the schema \"" + fitted_schema_name + "\": " + make_one);
      return false;
    }
    const Node* fits = root.find("fits");
    if (fits != nullptr && fits->kind == NodeKind::object && !fits->children.empty()) return true;
    refuse(fits == nullptr ? root.place : fits->place, from, "scenario.not_fitted",
           fits == nullptr
               ? std::string("This file has no \"fits\"; ") + make_one
               : "\"fits\" is " + shown(*fits) + "; an object with at least one fit is needed: " + make_one);
    return false;
  }

  static std::optional<FitKind> kind_of(const Node& fit) {
    const Node* kind = fit.find("kind");
    return kind != nullptr && kind->kind == NodeKind::text ? find_fit_kind(kind->text) : std::nullopt;
  }

  /// Null after a complaint.
  const Node* chosen(const Node& fits, const Reference& from, const std::string& file) {
    const Node* name = from.node.find("fit");
    if (name != nullptr) return named(fits, *name, from, file);
    std::vector<const Node*> wanted;
    std::vector<std::string> names;
    for (const Node& fit : fits.children) {
      if (kind_of(fit) != from.place.kind) continue;
      wanted.push_back(&fit);
      names.push_back(fit.key);
    }
    if (from.place.kind == FitKind::service_law)
      for (const Node* fit : wanted)
        if (fit->key == split_pointer(from.pointer)[1]) return fit;
    if (wanted.size() == 1) return wanted.front();
    const std::string takes =
        from.pointer + " takes " + with_article(name_of(from.place.kind)) + ", and " + shown(file);
    if (wanted.empty())
      refuse(from.node.find("fitted")->place, from, "scenario.fitted_kind",
             takes + " has no fit of that kind; it has " + all_of(fits) + ".");
    else
      refuse(from.node.find("fitted")->place, from, "scenario.which_fit",
             takes + " has " + std::to_string(wanted.size()) +
                 " fits of that kind; name one with \"fit\": " + listed(names) + ".");
    return nullptr;
  }

  static std::string all_of(const Node& fits) {
    std::string text;
    for (std::size_t i = 0; i < fits.children.size() && i < 20; ++i) {
      const std::optional<FitKind> kind = kind_of(fits.children[i]);
      append_part(text, shown(fits.children[i].key) + " (" + (kind ? name_of(*kind) : "of no known kind") + ")");
    }
    return text;
  }

  const Node* named(const Node& fits, const Node& name, const Reference& from, const std::string& file) {
    const Node* fit = name.kind == NodeKind::text ? fits.find(name.text) : nullptr;
    if (fit == nullptr) {
      std::vector<std::string> names;
      for (const Node& one : fits.children) names.push_back(one.key);
      refuse(name.place, from, "scenario.unknown_fit",
             from.pointer + "/fit is " + shown(name) + ", but " + shown(file) + " has no fit of that name; " +
                 name_meant(name.kind == NodeKind::text ? name.text : "", names, "did you mean", "it has"));
      return nullptr;
    }
    const std::optional<FitKind> kind = kind_of(*fit);
    if (kind == from.place.kind) return fit;
    refuse(name.place, from, "scenario.fitted_kind",
           from.pointer + " takes " + with_article(name_of(from.place.kind)) + ", but the fit " + shown(name.text) +
               " of " + shown(file) + (kind ? " is " + with_article(name_of(*kind)) + "." : " is of no known kind."));
    return nullptr;
  }

  bool use(const Node& fit, std::size_t source, const Reference& from) {
    const std::string& file = document_.sources[source].name;
    const Node* value = fit.find("value");
    if (from.place.plain && value != nullptr && value->kind != NodeKind::text) {
      refuse(value->place, from, "scenario.fitted_kind",
             from.pointer + " takes one " + (from.place.kind == FitKind::time ? "duration" : "bandwidth") +
                 ", but the fit " + shown(fit.key) + " of " + shown(file) + " is " +
                 (value->kind == NodeKind::object ? "a distribution" : shown(*value)) + ".");
      return false;
    }
    auto known = std::find_if(values_.fits.begin(), values_.fits.end(),
                              [&](const UsedFit& one) { return one.file == file && one.name == fit.key; });
    if (known == values_.fits.end()) {
      std::optional<UsedFit> read = read_fit(fit, fit.key, from.pointer, complaints_);
      if (!read) return false;
      read->file = file;
      values_.fits.push_back(std::move(*read));
      known = values_.fits.end() - 1;
    }
    known->places.push_back(from.pointer);
    put(from, *value);
    return true;
  }

  Document& document_;
  ComplaintList& complaints_;
  TextFiles texts_;
  std::map<std::size_t, Node> parsed_;  ///< by source; null where the file is refused
  FittedValues values_;
};

}  // namespace

FittedValues include_fitted_files(Document& document, const std::filesystem::path& folder, ComplaintList& complaints) {
  FittedFiles files(document, folder, complaints);
  files.walk(document.root, "");
  return files.take();
}

}  // namespace saturn
