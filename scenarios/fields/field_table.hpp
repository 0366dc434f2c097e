#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario.hpp"

/// The field table: every key of a scenario with its rule, its default, its sentence and its uses, once.

namespace saturn {

/// Complains when the value is no object, about its unknown keys and about the required keys that it lacks.
/// @returns false when it is no object
bool check_keys(const Spot& spot, const Definition& definition, ComplaintList& complaints);

/// A definition's name as the JSON Schema has it: "job_pool".
std::string identifier(std::string name);

/// A rule's text that refers to a definition.
ValueText reference_to(const Definition& definition);

/// Which one of several keys an object has; complains when it has none or more than one.
/// @param noun  what the object is, "a stage"
std::optional<std::size_t> chosen_key(const Spot& spot, const std::vector<std::string>& keys, const std::string& noun,
                                      ComplaintList& complaints);

/// The fields of a struct.
template <class T>
class Shape {
 public:
  using Finish = std::function<void(T&, const Spot&, ComplaintList&)>;

  Shape(std::string name, std::string sentence) : definition_{std::move(name), std::move(sentence), {}, {}} {}

  /// A key that must be there. @param place  member of T, or a callable that gives a reference into T
  template <class M, class Member>
  Shape& required(const char* key, const Rule<M>& rule, Member place, const char* example, const char* sentence) {
    add({key, rule.text, true, example, "", "", sentence}, rule, place);
    return *this;
  }

  /// A key whose default is what a new T holds.
  template <class M, class Member>
  Shape& defaulted(const char* key, const Rule<M>& rule, Member place, const char* sentence) {
    T fresh{};
    add({key, rule.text, false, "", rule.write(std::invoke(place, fresh)), "", sentence}, rule, place);
    return *this;
  }

  /// A key whose absence means something that no value says. @param absent  that meaning
  template <class M, class Member>
  Shape& optional(const char* key, const Rule<M>& rule, Member place, const char* absent, const char* sentence) {
    add({key, rule.text, false, "", "", absent, sentence}, rule, place);
    return *this;
  }

  /// The key that was added last holds numbers that somebody measured, fitted or believed.
  Shape& measured() { return with_input(InputRole::measured); }
  /// The same, of money and power alone, which no simulation depends on.
  Shape& costed() { return with_input(InputRole::costed); }
  /// Its numbers are held fixed where those beside it are varied.
  Shape& held() { return with_input(InputRole::none); }

  /// What a search tries where the key that was added last is freed without a range.
  Shape& searched(SearchStart start) {
    definition_.fields.back().search = start;
    return *this;
  }
  /// Nobody gains by another value of the key that was added last.
  Shape& unchosen() {
    definition_.fields.back().chosen = false;
    return *this;
  }
  /// The key that was added last changes no answer.
  Shape& beside() {
    definition_.fields.back().answers = false;
    return *this;
  }
  /// The key that was added last says nothing beside the names of what stands in it.
  Shape& unspoken() {
    definition_.fields.back().spoken = false;
    return *this;
  }
  /// The name that the key added last had before, which a complaint about it tells.
  Shape& formerly(const char* name) {
    definition_.fields.back().former = name;
    return *this;
  }
  /// The numbers of the object are varied together.
  Shape& varies_as_one() {
    definition_.varies_as_one = true;
    return *this;
  }

  /// Runs after the fields, for what concerns several of them.
  Shape& finish(Finish finish) {
    finish_ = std::move(finish);
    return *this;
  }

  const Definition& definition() const { return definition_; }

  /// The object as a T; fields that could not be read keep their defaults, and nothing comes of a value that is no
  /// object.
  std::optional<T> read(const Spot& spot, ComplaintList& complaints) const {
    if (!check_keys(spot, definition_, complaints)) return std::nullopt;
    return decode(spot, complaints);
  }

  /// The keys of an object that are this shape's, whatever else it has.
  T decode(const Spot& spot, ComplaintList& complaints) const {
    T value{};
    for (const Store& store : stores_) store(value, spot, complaints);
    if (finish_) finish_(value, spot, complaints);
    return value;
  }

  /// This shape as the rule of a field. The shape must outlive the rule: shapes are static.
  Rule<T> rule() const {
    return {reference_to(definition_),
            [this](const Spot& spot, ComplaintList& complaints) { return read(spot, complaints); }};
  }

 private:
  using Store = std::function<void(T&, const Spot&, ComplaintList&)>;

  Shape& with_input(InputRole role) {
    definition_.fields.back().input = role;
    return *this;
  }

  template <class M, class Member>
  void add(FieldText field, const Rule<M>& rule, Member place) {
    stores_.push_back([key = field.key, rule, place](T& target, const Spot& spot, ComplaintList& complaints) {
      const Node* node = spot.node.find(key);
      if (node == nullptr) return;
      if (std::optional<M> value = rule.read(spot.member(*node), complaints))
        std::invoke(place, target) = std::move(*value);
    });
    definition_.fields.push_back(std::move(field));
  }

  Definition definition_;
  std::vector<Store> stores_;
  Finish finish_;
};

/// How complaints speak of an object one key of which names its kind.
struct KindWords {
  std::string noun;   ///< "a distribution"
  std::string alone;  ///< why it has no other key: "a distribution has one key"
};

/// What a kind with these keys looks like, the first of which names it.
ValueText kind_text(const std::vector<FieldText>& fields);

/// Which of a definition's alternatives an object is, by the key that names the kind; complains when it has none or
/// several, and about keys that the kind does not have.
std::optional<std::size_t> chosen_kind(const Spot& spot, const Definition& definition, const KindWords& words,
                                       ComplaintList& complaints);

/// Values of several kinds, each an object one key of which names the kind; T can hold all of them.
template <class T>
class Kinds {
 public:
  Kinds(std::string name, std::string sentence, KindWords words)
      : definition_{std::move(name), std::move(sentence), {}, {}}, words_(std::move(words)) {}

  /// A kind whose parameters are what stands behind the key.
  /// @param make  makes a T of them; called only with parameters none of which was refused
  template <class Value, class Make = std::identity>
  Kinds& kind(const char* key, const Rule<Value>& rule, Make make = {}) {
    add({{.key = key, .value = rule.text, .required = true}},
        [key, rule, make](const Spot& spot, ComplaintList& complaints) -> std::optional<T> {
          const Spot inside = spot.member(*spot.node.find(key));
          std::optional<Value> value = rule.read(inside, complaints);
          if (!value || !complaints.sound(inside.pointer)) return std::nullopt;
          return make(std::move(*value));
        });
    return *this;
  }
  template <class Value, class Make = std::identity>
  Kinds& kind(const char* key, const Shape<Value>& shape, Make make = {}) {
    const auto kept = std::make_shared<const Shape<Value>>(shape);
    kept_.push_back(kept);
    return kind(key, kept->rule(), make);
  }

  /// A kind whose parameters stand beside the key that names it, the first of the shape.
  template <class Value>
  Kinds& kind_with(const Shape<Value>& shape) {
    add(shape.definition().fields, [shape](const Spot& spot, ComplaintList& complaints) -> std::optional<T> {
      return shape.decode(spot, complaints);
    });
    return *this;
  }

  /// What stands there instead of an object. @param text  for schema and reference
  Kinds& or_plain(const ValueText& text) {
    definition_.alternatives.push_back(text);
    read_.emplace_back();
    return *this;
  }

  /// An object as a T.
  std::optional<T> read(const Spot& spot, ComplaintList& complaints) const {
    const std::optional<std::size_t> chosen = chosen_kind(spot, definition_, words_, complaints);
    return chosen ? read_[*chosen](spot, complaints) : std::nullopt;
  }

  /// The rule of a field; what the rule reads that is no object is a plain value. The kinds must outlive the rule: they
  /// are static.
  /// @param make      makes a T of a plain value
  /// @param plain_of  the plain value that a T is, if it is one
  template <class Plain, class Make, class PlainOf>
  Rule<T> rule(const Rule<Plain>& plain, const Make& make, const PlainOf& plain_of) const {
    return {reference_to(definition_),
            [this, plain, make](const Spot& spot, ComplaintList& complaints) -> std::optional<T> {
              if (spot.node.kind == NodeKind::object) return read(spot, complaints);
              const std::optional<Plain> value = plain.read(spot, complaints);
              return value ? std::optional<T>(make(*value)) : std::nullopt;
            },
            [plain, plain_of](const T& value) {
              const std::optional<Plain> always = plain_of(value);
              return always ? plain.write(*always) : std::string();
            }};
  }
  /// The same where there is no plain value. @param wanted  "arrivals in braces are needed, for example ..."
  Rule<T> rule(const std::string& wanted) const {
    return {reference_to(definition_), [this, wanted](const Spot& spot, ComplaintList& complaints) -> std::optional<T> {
              if (spot.node.kind == NodeKind::object) return read(spot, complaints);
              return refuse_value(spot, complaints, "scenario.wrong_type", "; " + wanted);
            }};
  }

 private:
  using Read = std::function<std::optional<T>(const Spot&, ComplaintList&)>;

  void add(const std::vector<FieldText>& fields, Read read) {
    definition_.alternatives.push_back(kind_text(fields));
    read_.push_back(std::move(read));
  }

  Definition definition_;
  KindWords words_;
  std::vector<Read> read_;                         ///< by alternative of the definition; empty for the plain value
  std::vector<std::shared_ptr<const void>> kept_;  ///< shapes that the definition refers to
};

}  // namespace saturn
