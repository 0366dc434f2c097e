#include "sim/plan/comparison/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "sim/formula/starvation.hpp"

namespace saturn {

namespace {

constexpr double microseconds_in_second = 1e6;

/// The requests that reach a model, of all jobs.
struct Traffic {
  std::set<std::string> calls;  ///< the models that jobs call: the model itself, or ensembles that pass through it
  std::uint64_t largest_request = 1;  ///< [item]
  double longest_item = 1.0;          ///< relative length [1]
};

std::map<std::string, Traffic> traffic_of(const Scenario& scenario) {
  std::map<std::string, Traffic> traffic;
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      for (const std::string& name : model_steps(scenario.models, infer->model)) {
        Traffic& there = traffic[name];
        there.calls.insert(infer->model);
        there.largest_request = std::max(there.largest_request, std::min(infer->request_batch, infer->items.largest()));
        for (const double length : infer->item_lengths) there.longest_item = std::max(there.longest_item, length);
      }
    }
  }
  return traffic;
}

/// A duration as people write it, to a nanosecond.
std::string duration_text(double seconds) {
  const double microseconds = std::round(seconds * microseconds_in_second * 1e3) / 1e3;
  if (microseconds >= 1e6) return shortest(microseconds / 1e6) + " s";
  if (microseconds >= 1e3) return shortest(microseconds / 1e3) + " ms";
  return shortest(microseconds) + " us";
}

/// Triton counts delays in whole microseconds; two digits of a first guess are enough.
double round_delay(double seconds) {
  const double microseconds = std::max(1.0, seconds * microseconds_in_second);
  const double unit = std::max(1.0, std::pow(10.0, std::floor(std::log10(microseconds)) - 1.0));
  return std::round(microseconds / unit) * unit / microseconds_in_second;
}

std::string list_text(const std::vector<std::uint64_t>& sizes) {
  return "[" + joined(texts_of(sizes, [](std::uint64_t size) { return std::to_string(size); }), ",") + "]";
}

/// The changes of one model.
class ModelChanges {
 public:
  ModelChanges(const Scenario& scenario, const std::string& name, const Traffic& traffic, Neighbours& found)
      : name_(name), model_(scenario.models.at(name)), traffic_(traffic), found_(found) {
    for (const Server& server : scenario.servers) {
      const bool holds = std::find(server.models.begin(), server.models.end(), name) != server.models.end();
      if (holds && server.devices.dispatch == DeviceDispatch::shared_queue && units_of(server.devices) > 1)
        shared_by_devices_.push_back(server.place);
    }
    double trusted = std::numeric_limits<double>::infinity();
    for (const auto& [type, law] : model_.service)
      trusted = std::min(trusted, largest_batch(law) / traffic.longest_item);
    // Larger than any batch that the scenario's fields admit, and exact as a double.
    largest_trusted_ = static_cast<std::uint64_t>(std::floor(std::min(trusted, 9e15)));
  }

  void add_all() {
    add_instances();
    if (model_.sequence_batching) {
      leave_out("another batcher", "sequences keep to their instances.");
    } else if (model_.dynamic_batching) {
      add_shares();
      add_delays();
      add_larger_batch();
      add_smaller_batch();
      if (!model_.preferred_batch_size.empty())
        add("no preferred sizes, not " + list_text(model_.preferred_batch_size),
            {setting("preferred_batch_size", "[]")});
    } else {
      add_batching();
      leave_out("a longer delay, a larger batch", "each request is a batch of its own while dynamic batching is off.");
    }
  }

 private:
  Override setting(const std::string& key, const std::string& value) const {
    return {.pointer = "/models/" + escape_pointer(name_) + "/" + key, .value = value};
  }
  void add(const std::string& what, std::vector<Override> settings) {
    found_.changes.push_back({.what = name_ + ": " + what,
                              .settings = std::move(settings),
                              .calls = {traffic_.calls.begin(), traffic_.calls.end()}});
  }
  void leave_out(const std::string& what, const std::string& why) {
    found_.left_out.push_back({.what = name_ + ": " + what, .why = why});
  }
  std::string trust() const {
    return "its measured batches are trusted up to " + with_commas(largest_trusted_) +
           " items, twice the largest; measure larger ones.";
  }

  /// A law without a cost per item was written for one size of batches; beyond it, it would promise any gain.
  bool is_free() const {
    return std::any_of(model_.service.begin(), model_.service.end(), [](const auto& entry) {
      return entry.second.points.empty() && mean(entry.second.per_item).value == 0.0;
    });
  }
  /// Several devices draw from one queue, and an idle one takes all that waits.
  bool starves_devices() const { return !shared_by_devices_.empty() && model_.forming != BatchForming::ahead; }

  void add_limit(std::uint64_t items, const std::string& remark = "") {
    add("batches of up to " + with_commas(items) + " items, " +
            (remark.empty() ? "not " + with_commas(model_.max_batch_size) : remark),
        {setting("max_batch_size", std::to_string(items))});
  }

  static std::string free_items() {
    return "its service law has no cost per item, so that larger batches would seem free: give it per_item, or "
           "measured points.";
  }

  void add_instances() {
    const auto add_one = [&](std::uint64_t other) {
      add(counted(other, "instance") + " on each device, not " + std::to_string(model_.instances),
          {setting("instances", std::to_string(other))});
    };
    add_one(model_.instances + 1);
    if (model_.instances > 1) add_one(model_.instances - 1);
  }

  void add_batching() {
    const std::uint64_t room = 2 * traffic_.largest_request;
    const std::string requests = "two requests of " + counted_with_commas(traffic_.largest_request, "item");
    if (room > model_.max_batch_size) {
      leave_out("dynamic batching", requests + " do not fit into its max_batch_size, " +
                                        with_commas(model_.max_batch_size) +
                                        "; raise it if the model and its service law hold for larger batches.");
    } else if (is_free()) {
      leave_out("dynamic batching", free_items());
    } else if (room > largest_trusted_) {
      leave_out("dynamic batching", requests + " are too large for one batch: " + trust());
    } else {
      // Without batching, max_batch_size bounds requests alone, and may be beyond what the law is trusted for.
      const std::uint64_t size = std::min(model_.max_batch_size, largest_trusted_);
      std::vector<Override> settings{setting("dynamic_batching", "true")};
      if (size != model_.max_batch_size) settings.push_back(setting("max_batch_size", std::to_string(size)));
      add("dynamic batching, of up to " + with_commas(size) + " items", std::move(settings));
    }
  }

  /// What a limit of a device's batches, batches formed ahead, no batching or a queue for each would change for the
  /// devices that go without, which all cost nothing.
  void add_shares() {
    if (!starves_devices()) return;
    std::vector<Override> apart;
    for (const std::size_t place : shared_by_devices_)
      apart.push_back(
          {.pointer = "/servers/" + std::to_string(place) + "/devices/dispatch", .value = "per_device_queue"});
    add("a queue for each device", std::move(apart));
    add("batches formed ahead, as Triton 21.09 to 21.12 do", {setting("batch_forming", "ahead")});
    if (!model_.preferred_batch_size.empty()) return;
    const std::uint64_t enough = enough_items(model_, traffic_.largest_request, traffic_.longest_item,
                                              std::min(model_.max_batch_size, largest_trusted_));
    if (enough < model_.max_batch_size && enough > traffic_.largest_request) add_limit(enough);
    if (traffic_.largest_request < model_.max_batch_size)
      add_limit(traffic_.largest_request, "which no second request joins");
  }

  void add_delays() {
    const double now = model_.max_queue_delay.value;
    double next = 2.0 * now;
    std::string from;
    if (now == 0.0) {
      double slowest = 0.0;
      for (const auto& [type, law] : model_.service) {
        const auto items = static_cast<double>(std::min(model_.max_batch_size, largest_trusted_));
        slowest = std::max(slowest, mean(law, items * traffic_.longest_item).value);
      }
      next = round_delay(slowest / 10.0);
      from = " (a tenth of a full batch)";
    }
    add("a delay of up to " + duration_text(next) + ", not " + duration_text(now) + from,
        {setting("max_queue_delay", duration_text(next))});
    if (now > 0.0) add("no delay, not " + duration_text(now), {setting("max_queue_delay", "0 s")});
  }

  void add_larger_batch() {
    std::vector<std::uint64_t> preferred = model_.preferred_batch_size;
    const std::uint64_t largest = preferred.empty() ? 0 : *std::max_element(preferred.begin(), preferred.end());
    if (largest > 0 && largest < model_.max_batch_size) {
      preferred.push_back(std::min(2 * largest, model_.max_batch_size));
      add("a preferred size of " + with_commas(preferred.back()) + ", not just up to " + with_commas(largest),
          {setting("preferred_batch_size", list_text(preferred))});
      return;
    }
    if (is_free()) {
      leave_out("a larger batch", free_items());
      return;
    }
    const std::uint64_t next = std::min(2 * model_.max_batch_size, largest_trusted_);
    if (next <= model_.max_batch_size) {
      leave_out("a larger batch", trust());
      return;
    }
    std::vector<Override> settings{setting("max_batch_size", std::to_string(next))};
    if (largest > 0) {
      preferred.push_back(next);
      settings.push_back(setting("preferred_batch_size", list_text(preferred)));
    }
    add("batches of up to " + with_commas(next) + " items, not " + with_commas(model_.max_batch_size),
        std::move(settings));
  }

  /// Half the limit, where add_shares has none and no preferred sizes go with it.
  void add_smaller_batch() {
    if (starves_devices() || !model_.preferred_batch_size.empty()) return;
    const std::uint64_t half = std::max(model_.max_batch_size / 2, traffic_.largest_request);
    if (half < model_.max_batch_size) add_limit(half);
  }

  const std::string& name_;
  const Model& model_;
  const Traffic& traffic_;
  std::uint64_t largest_trusted_ = 0;
  std::vector<std::size_t> shared_by_devices_{};  ///< places of the servers whose devices share the model's queue
  Neighbours& found_;
};

void add_devices(const Scenario& scenario, std::size_t index, const std::map<std::string, Traffic>& traffic,
                 Neighbours& found) {
  const Server& server = scenario.servers[index];
  std::set<std::string> calls;
  for (const std::string& name : server.models) {
    if (const auto reached = traffic.find(name); reached != traffic.end()) calls.merge(std::set(reached->second.calls));
  }
  const std::uint64_t now = server.devices.count;
  for (const std::uint64_t other : {now + 1, now - 1}) {
    if (other == 0) continue;
    const std::string what = server.name + ": " + std::to_string(other) + " " + server.devices.type +
                             " in each node, not " + std::to_string(now);
    if (calls.empty()) {
      found.left_out.push_back({.what = what, .why = "no job calls a model that it holds."});
      return;
    }
    found.changes.push_back({.what = what,
                             .settings = {{.pointer = "/servers/" + std::to_string(server.place) + "/devices/count",
                                           .value = std::to_string(other)}},
                             .calls = {calls.begin(), calls.end()}});
  }
}

}  // namespace

Neighbours neighbours(const Scenario& scenario) {
  Neighbours found;
  const std::map<std::string, Traffic> traffic = traffic_of(scenario);
  for (const auto& [name, model] : scenario.models) {
    if (!model.ensemble.empty()) continue;
    const auto reached = traffic.find(name);
    if (reached == traffic.end()) {
      found.left_out.push_back({.what = name + ": any change", .why = "no job calls it."});
      continue;
    }
    ModelChanges(scenario, name, reached->second, found).add_all();
  }
  for (std::size_t s = 0; s < scenario.servers.size(); ++s) add_devices(scenario, s, traffic, found);
  return found;
}

}  // namespace saturn
