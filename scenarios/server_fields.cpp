#include "scenarios/scenario_fields.hpp"
#include "scenarios/time_rule.hpp"

namespace saturn {

const Shape<ServiceLaw>& service_law_shape() {
  static const Shape<ServiceLaw> shape =
      Shape<ServiceLaw>("service law",
                        "Time that a device needs for a batch of b items: T(b) = per_batch + b·per_item. Its mean must "
                        "be above 0 s.")
          .defaulted("per_batch", time_rule("ms"), &ServiceLaw::per_batch, "Part that every batch costs, t0.")
          .defaulted("per_item", time_rule("us"), &ServiceLaw::per_item, "Part that each item costs, t1.");
  return shape;
}

const Shape<Model>& model_shape() {
  const QuantityRange data{.low = "0 B", .high = "1 TB", .usual = "B"};
  static const Shape<Model> shape =
      Shape<Model>("model", "A model as the servers execute it.")
          .required("input", size_rule(data), &Model::input, "\"9216 B\"", "Data of a request, for each item.")
          .defaulted("output", size_rule(data), &Model::output, "Data of an answer, for each item.")
          .required("max_batch_size", count_rule(1, 1'000'000'000), &Model::max_batch_size, "65536",
                    "Most items that a request may carry.")
          .defaulted(
              "instances",
              count_rule(1, 1, "several instances that share a device are not simulated by this version: write 1."),
              &Model::instances, "Copies of the model on each device.")
          .required("service", map_of(service_law_shape().rule(), "device type", 1000), &Model::service,
                    "{ \"t4\": { \"per_item\": \"32.2 us\" } }", "How long a batch takes on each type of device.");
  return shape;
}

const Shape<DevicePool>& device_pool_shape() {
  static const Shape<DevicePool> shape =
      Shape<DevicePool>("device pool", "The devices of a node.")
          .required("type", name_rule(), &DevicePool::type, "\"t4\"", "Device type, from `devices`.")
          .required("count", count_rule(1, 1024), &DevicePool::count, "4", "Devices in each node.");
  return shape;
}

const Shape<Server>& server_shape() {
  static const Shape<Server> shape =
      Shape<Server>(
          "server",
          "A pool of equal nodes. A node has one queue, first come first served, that all its devices draw from; "
          "a device serves one request at a time.")
          .required("name", name_rule(), &Server::name, "\"gke\"", "Unique among the servers.")
          .required("site", name_rule(), &Server::site, "\"iowa\"", "Where the nodes stand; links join sites.")
          .defaulted("nodes", count_rule(1, 100'000), &Server::nodes, "Number of nodes.")
          .optional("nic", bandwidth_rule({.low = "1 bps", .high = "1000 Tbps", .usual = "Gbps"}), &Server::nic,
                    "no limit", "Bandwidth of each node's network card, in each direction.")
          .required("devices", device_pool_shape().rule(), &Server::devices, "{ \"type\": \"t4\", \"count\": 4 }",
                    "The devices of each node.")
          .required("models", list_of(name_rule(), 1, 1000), &Server::models, "[\"emtrk\"]",
                    "Models that the server holds, from `models`.")
          .defaulted("dispatch",
                     choice_rule<Dispatch>({{"round_robin", Dispatch::round_robin},
                                            {"random", Dispatch::random},
                                            {"least_outstanding", Dispatch::least_outstanding},
                                            {"power_of_two", Dispatch::power_of_two}}),
                     &Server::dispatch, "How requests are spread over the nodes of all servers that hold the model.");
  return shape;
}

const Shape<DeviceType>& device_type_shape() {
  static const Shape<DeviceType> shape =
      Shape<DeviceType>("device type", "A kind of accelerator, with what it costs.")
          .required("kind",
                    choice_rule<ResourceKind>({{"gpu", ResourceKind::gpu},
                                               {"fpga", ResourceKind::fpga},
                                               {"ipu", ResourceKind::ipu},
                                               {"cpu", ResourceKind::cpu}}),
                    &DeviceType::kind, "\"gpu\"", "What the device is.")
          .optional("price", price_rule({.low = "0 USD/h", .high = "1e6 USD/h", .usual = "USD/h"}), &DeviceType::price,
                    "not known", "Price of renting one device.")
          .optional("power", power_rule({.low = "0 W", .high = "1 MW", .usual = "W"}), &DeviceType::power, "not known",
                    "Electrical power of one device.");
  return shape;
}

}  // namespace saturn
