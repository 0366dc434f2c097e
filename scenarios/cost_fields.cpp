#include <tuple>

#include "scenarios/price_rules.hpp"
#include "scenarios/scenario_fields.hpp"

namespace saturn {

const Shape<Costs>& costs_shape() {
  const auto core = [](Costs& costs) { return std::tie(costs.core, costs.core_origin); };
  const auto electricity = [](Costs& costs) { return std::tie(costs.electricity, costs.electricity_origin); };
  static const Shape<Costs> shape =
      Shape<Costs>(
          "costs",
          "What is paid beside devices (`price` of a device type), hosts (`host_price` of a server) and traffic "
          "(`egress` of a site).")
          .optional("core", rent_rule(), core, "not known: what jobs cost is left out",
                    "Price of one core of a job for an hour, busy or not.")
          .costed()
          .optional("core_power", power_rule({.low = "0 W", .high = "10 kW", .usual = "W"}), &Costs::core_power,
                    "not known", "Electrical power of one core of a job, with its share of the node.")
          .costed()
          .optional("electricity", electricity_rule(), electricity, "contained in the other prices",
                    "Price of electricity, added for everything whose power is known. For hardware of one's own, whose "
                    "`price` is then what it loses in value; rented hardware has it in its price.")
          .costed();
  return shape;
}

}  // namespace saturn
