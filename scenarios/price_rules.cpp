#include "scenarios/price_rules.hpp"

#include <charconv>
#include <chrono>

#include "scenarios/field_table.hpp"

namespace saturn {

namespace {

/// The number that digits spell; nothing where something else stands among them.
std::optional<int> digits(std::string_view text) {
  int number = 0;
  for (const char c : text)
    if (c < '0' || c > '9') return std::nullopt;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{}) return std::nullopt;
  return number;
}

bool is_date(const std::string& text) {
  const bool with_day = text.size() == 10;
  if ((!with_day && text.size() != 7) || text[4] != '-' || (with_day && text[7] != '-')) return false;
  const std::string_view view = text;
  const auto year = digits(view.substr(0, 4));
  const auto month = digits(view.substr(5, 2));
  const auto day = with_day ? digits(view.substr(8, 2)) : std::optional(1);
  if (!year || !month || !day) return false;
  return std::chrono::year_month_day(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

/// A price within its object.
template <class Quantity>
Shape<OriginatedPrice<Quantity>> shape_of(const char* name, const char* sentence, const Rule<Quantity>& value,
                                          const char* example) {
  using Price = OriginatedPrice<Quantity>;
  const auto date = [](Price& price) -> std::string& { return price.second.date; };
  const auto source = [](Price& price) -> std::string& { return price.second.source; };
  return Shape<Price>(name, sentence)
      .required("value", value, &Price::first, example, "The price.")
      .unspoken()
      .optional("date", date_rule(), date, "not said", "When this was the price: a day or a month.")
      .unchosen()
      .optional("source", line_rule(), source, "not said", "Who says so.")
      .unchosen();
}

/// @param shape  must outlive the rule
template <class Quantity>
Rule<OriginatedPrice<Quantity>> plain_or_object(const Rule<Quantity>& plain,
                                                const Shape<OriginatedPrice<Quantity>>& shape) {
  const ValueText object = reference_to(shape.definition());
  return {{.words = plain.text.words + "; or an object " + object.words,
           .schema = {},
           .form = ValueForm::either,
           .parts = {plain.text, object}},
          [plain, &shape](const Spot& spot, ComplaintList& complaints) -> std::optional<OriginatedPrice<Quantity>> {
            if (spot.node.kind == NodeKind::object) return shape.read(spot, complaints);
            const std::optional<Quantity> value = plain.read(spot, complaints);
            if (!value) return std::nullopt;
            return OriginatedPrice<Quantity>{*value, {}};
          }};
}

}  // namespace

Rule<std::string> date_rule() {
  const char* schema = R"({"pattern":"^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$","type":"string"})";
  return {{"date, \"2026-11-01\" or \"2026-11\"", schema, ValueForm::single, {PlaceKind::text}},
          [](const Spot& spot, ComplaintList& complaints) -> std::optional<std::string> {
            if (spot.node.kind == NodeKind::text && is_date(spot.node.text)) return spot.node.text;
            complaints.refuse(spot.node.place, spot.pointer, "scenario.not_a_date",
                              spot.subject() + " is " + shown(spot.node) +
                                  "; a date of the calendar is needed, for example \"2026-11-01\", or a month, "
                                  "\"2026-11\".");
            return std::nullopt;
          }};
}

Rule<OriginatedPrice<UsdPerHour>> rent_rule() {
  static const Rule<UsdPerHour> plain = price_rule({.low = "0 USD/h", .high = "1e6 USD/h", .usual = "USD/h"});
  static const Shape<OriginatedPrice<UsdPerHour>> shape =
      shape_of("rent", "A price of renting, or a purchase spread over the hours of its life, with where it is from.",
               plain, "\"0.35 USD/h\"");
  return plain_or_object(plain, shape);
}

Rule<OriginatedPrice<UsdPerKilowattHour>> electricity_rule() {
  static const Rule<UsdPerKilowattHour> plain =
      energy_price_rule({.low = "0 USD/kWh", .high = "1000 USD/kWh", .usual = "USD/kWh"});
  static const Shape<OriginatedPrice<UsdPerKilowattHour>> shape =
      shape_of("electricity price", "A price of electricity with where it is from.", plain, "\"0.15 USD/kWh\"");
  return plain_or_object(plain, shape);
}

Rule<OriginatedPrice<UsdPerGigabyte>> traffic_rule() {
  static const Rule<UsdPerGigabyte> plain =
      traffic_price_rule({.low = "0 USD/GB", .high = "1e6 USD/GB", .usual = "USD/GB"});
  static const Shape<OriginatedPrice<UsdPerGigabyte>> shape =
      shape_of("traffic price", "A price of traffic with where it is from.", plain, "\"0.12 USD/GB\"");
  return plain_or_object(plain, shape);
}

}  // namespace saturn
