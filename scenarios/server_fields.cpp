#include <tuple>

#include "scenarios/price_rules.hpp"
#include "scenarios/scenario_fields.hpp"

namespace saturn {

const Shape<DevicePool>& device_pool_shape() {
  static const Shape<DevicePool> shape =
      Shape<DevicePool>("device pool", "The devices of a node.")
          .required("type", name_rule(), &DevicePool::type, "\"t4\"", "Device type, from `devices`.")
          .required("count", count_rule(1, 1024), &DevicePool::count, "4", "Devices in each node.")
          .searched(SearchStart::up_to_16)
          .optional(
              "mig", list_of(ratio_rule({.low = 0.01, .high = 1.0}), 1, 16), &DevicePool::mig, "undivided",
              "Shares of each device that its slices have (NVIDIA's multi-instance GPU), in sum at most 1. A slice "
              "works as a device of its own, on which the device part of a batch takes 1/share as long.")
          .defaulted(
              "interference", number_rule({.low = 0.0, .high = 1.0}), &DevicePool::interference,
              "How much the devices of a node are in each other's way, at its buses and its processors: while n of "
              "them are busy, each runs at n^(-interference) of its speed. 0: independent; 1: together they are as "
              "fast as one.")
          .measured();
  return shape;
}

const Shape<HostStage>& host_stage_shape() {
  const QuantityRange work{.low = "0 s", .high = "1e6 s", .usual = "us"};
  static const Shape<HostStage> shape =
      Shape<HostStage>("host stage",
                       "What a node's host does with a request before it joins a queue: receiving, unpacking, copying. "
                       "All requests that are at it share its workers equally, and none works faster than one worker.")
          .defaulted("per_request", duration_rule(work), &HostStage::per_request, "Work that every request costs.")
          .measured()
          .defaulted("per_item", duration_rule(work), &HostStage::per_item, "Work that each item of it costs.")
          .measured()
          .defaulted("workers", number_rule({.low = 0.0, .high = 1e6, .above_low = true}), &HostStage::workers,
                     "Workers that work side by side, of each node.")
          .measured()
          .defaulted("scatter", ratio_rule({.low = 0.0, .high = 10.0}), &HostStage::scatter,
                     "Coefficient of variation of a request's work, which is gamma distributed.")
          .measured();
  return shape;
}

const Shape<Attachment>& attachment_shape() {
  static const Shape<Attachment> shape =
      Shape<Attachment>("attachment",
                        "How the devices of worker nodes are reached: over the bus of the node, not over a network.")
          .required("bus", bandwidth_rule({.low = "1 bps", .high = "1000 Tbps", .usual = "GB/s"}), &Attachment::bus,
                    "\"12 GB/s\"", "Bandwidth of each node's bus, in each direction.")
          .measured()
          .defaulted("latency", duration_rule({.low = "0 s", .high = "1 s", .usual = "us"}), &Attachment::latency,
                     "Of the bus, one way.")
          .measured();
  return shape;
}

const Shape<Server>& server_shape() {
  const auto host_price = [](Server& server) { return std::tie(server.host_price, server.host_price_origin); };
  static const Shape<Server> shape =
      Shape<Server>(
          "server",
          "A pool of equal nodes. A node has one queue for each of its models, which the model's instances on all its "
          "devices draw from.")
          .required("name", name_rule(), &Server::name, "\"gke\"", "Unique among the servers.")
          .unchosen()
          .required("site", name_rule(), &Server::site, "\"iowa\"", "Where the nodes stand; links join sites.")
          .defaulted("nodes", count_rule(0, 100'000), &Server::nodes,
                     "Number of nodes. 0: as if the server were not there, which is what `--gpus NAME=0:4` may choose.")
          .searched(SearchStart::up_to_16)
          .optional("nic", bandwidth_rule({.low = "1 bps", .high = "1000 Tbps", .usual = "Gbps"}), &Server::nic,
                    "no limit", "Bandwidth of each node's network card, in each direction.")
          .measured()
          .optional("host", host_stage_shape().rule(), &Server::host, "handling requests costs nothing",
                    "The stage that every request passes before its queue; all devices of the node have it in common.")
          .required("devices", device_pool_shape().rule(), &Server::devices, "{ \"type\": \"t4\", \"count\": 4 }",
                    "The devices of each node.")
          .unspoken()
          .required("models", list_of(name_rule(), 1, 1000), &Server::models, "[\"emtrk\"]",
                    "Models that the server holds, from `models`.")
          .defaulted(
              "dispatch",
              choice_rule<Dispatch>({{"round_robin", Dispatch::round_robin},
                                     {"random", Dispatch::random},
                                     {"least_outstanding", Dispatch::least_outstanding},
                                     {"power_of_two", Dispatch::power_of_two}}),
              &Server::dispatch,
              "How requests, or connections, are spread over the nodes of all servers that hold the model: in "
              "turn; at random; to the node with the fewest unanswered requests, one of them at random on a tie; "
              "to the better of two nodes drawn at random, with replacement as Envoy draws them.")
          .defaulted(
              "balancing",
              choice_rule<Balancing>({{"per_request", Balancing::per_request},
                                      {"per_connection", Balancing::per_connection},
                                      {"central_queue", Balancing::central_queue}}),
              &Server::balancing,
              "When the node is chosen: for every request; once for every event loop of a job, which keeps its "
              "connection, as gRPC behind a layer-4 balancer does; or when an instance anywhere is free, from one "
              "queue that all nodes share (an ideal that no dispatch reaches).")
          .optional(
              "attached", attachment_shape().rule(), &Server::attached, "requests arrive over the network",
              "The nodes are worker nodes: the jobs of the same site run on them, each event loop on one of them, "
              "dealt out in turn (`per_connection`, `round_robin`), and call the devices of their own node.")
          .optional("host_price", rent_rule(), host_price, "not known, or contained in that of the devices",
                    "Price of one node for an hour, without its devices.")
          .costed()
          .finish([](Server& server, const Spot& spot, ComplaintList&) {
            // An event loop cannot leave its node.
            if (server.attached && spot.node.find("balancing") == nullptr) server.balancing = Balancing::per_connection;
          });
  return shape;
}

const Shape<DeviceType>& device_type_shape() {
  const auto price = [](DeviceType& type) { return std::tie(type.price, type.price_origin); };
  static const Shape<DeviceType> shape =
      Shape<DeviceType>("device type", "A kind of accelerator, with what it costs.")
          .required("kind",
                    choice_rule<ResourceKind>({{"gpu", ResourceKind::gpu},
                                               {"fpga", ResourceKind::fpga},
                                               {"ipu", ResourceKind::ipu},
                                               {"cpu", ResourceKind::cpu}}),
                    &DeviceType::kind, "\"gpu\"", "What the device is.")
          .defaulted("sharing",
                     choice_rule<DeviceSharing>({{"exclusive", DeviceSharing::exclusive},
                                                 {"processor_sharing", DeviceSharing::processor_sharing}}),
                     &DeviceType::sharing,
                     "How the device parts of several instances share a device: one after the other, first come first "
                     "served; or all at once, each at an equal share of its speed.")
          .defaulted("contention", number_rule({.low = 0.0, .high = 100.0}), &DeviceType::contention,
                     "How much longer, as a share, a device part takes while other instances use the device too; 0.1 "
                     "means 10 % longer.")
          .measured()
          .optional("price", rent_rule(), price, "not known", "Price of one device for an hour, busy or not.")
          .costed()
          .optional("power", power_rule({.low = "0 W", .high = "1 MW", .usual = "W"}), &DeviceType::power, "not known",
                    "Electrical power of one device.")
          .costed();
  return shape;
}

}  // namespace saturn
