#include "sim/study/draft/new_scenario.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/triton/triton_fields.hpp"
#include "sim/study/new_files.hpp"

namespace saturn {

const NamedFit* fit_named(const NewScenario& made, FitKind kind, const std::string& name) {
  for (const DeviceFits& fits : made.fits)
    for (const NamedFit& fit : fits.calibration.fits)
      if (fit.kind == kind && fit.name == name) return &fit;
  return nullptr;
}

double on_cpu_s(const DraftedModel& model) {
  return read_quantity(model.on_cpu->substr(1, model.on_cpu->size() - 2), Dimension::duration).value;
}

const NamedFit* whole_event_fit(const NewScenario& made) {
  for (const DeviceFits& fits : made.fits)
    for (const MeasuredFile& file : fits.files)
      for (const CpuTimes& times : file.cpu_times)
        if (times.whole_event) return fit_named(made, FitKind::time, times.name);
  return nullptr;
}

std::filesystem::path fitted_path(const NewScenario& made, const DeviceFits& fits) {
  const std::filesystem::path out = *made.out;
  const std::string name = out.extension() == ".json" ? out.stem().string() : out.filename().string();
  return out.parent_path() / (name + (made.fits.size() > 1 ? "." + fits.gpu : "") + ".fitted.json");
}

std::string title_of(const NewScenario& made) {
  std::vector<std::string> called;
  for (const DraftedModel& model : made.models)
    if (model.is_called()) called.push_back(model.name());
  return "Jobs that call " + joined_and(called, 4) + " on " +
         joined_and(texts_of(made.devices, [](const DraftedDevice& device) { return device.name; }));
}

namespace {

// What is assumed where nobody says more. The scenario says of each that it is.
constexpr const char* assumed_law = R"({ "per_batch": "2 ms", "per_item": "0.1 ms", "rests_on": "assumed" })";
constexpr double assumed_gain = 20.0;  ///< of a GPU over a core, where only the core's time is known
constexpr std::uint64_t assumed_batch = 100;

/// Writes the scenario down, with its fits in their places or by the names of their files.
class Drafter {
 public:
  Drafter(const NewScenario& made, bool in_place) : made_(made), in_place_(in_place) {}

  ScenarioDraft draft() {
    draft_.put("/schema", json_of("saturn-scenario/1"));
    draft_.put("/title", json_of(title_of(made_)));
    put_jobs();
    draft_.put("/models", "{}");
    for (const DraftedModel& model : made_.models) put_model(model);
    for (std::size_t i = 0; i < made_.devices.size(); ++i) put_server(i);
    put_devices();
    draft_.put("/network/links/0/between", R"(["farm", "centre"])");
    put_measured_or("/network/links/0/bandwidth", "bandwidth", fit_named(made_, FitKind::bandwidth, "bandwidth"));
    put_measured_or("/network/links/0/rtt", "rtt", fit_named(made_, FitKind::time, "rtt"));
    return std::move(draft_);
  }

 private:
  const SettledValue& value(const std::string& name) const { return made_.values.at(name); }

  std::string fit_json(const NamedFit& fit, const std::string& more = "") const {
    if (in_place_ || !made_.out)
      return more.empty() ? fit.value : fit.value.substr(0, fit.value.rfind('}')) + more + "}";
    for (const DeviceFits& fits : made_.fits)
      for (const NamedFit& one : fits.calibration.fits)
        if (&one == &fit)
          return "{\"fitted\":" + json_of(fitted_path(made_, fits).filename().string()) +
                 ",\"fit\":" + json_of(fit.name) + more + "}";
    return fit.value;
  }

  void put_measured_or(const std::string& pointer, const std::string& name, const NamedFit* fit) {
    const SettledValue& one = value(name);
    if (fit == nullptr || one.origin.basis == DraftBasis::given) return draft_.put(pointer, one.json, one.origin);
    draft_.put(pointer, fit_json(*fit), {DraftBasis::measured, joined(fit->sources)});
  }

  void put_jobs() {
    draft_.put("/jobs/0/name", json_of("jobs"));
    draft_.put("/jobs/0/site", json_of("farm"));
    draft_.put("/jobs/0/count", value("jobs").json, value("jobs").origin);
    put_cpu("/jobs/0/event/0/cpu");
    std::size_t stage = 1;
    for (const DraftedModel& model : made_.models) {
      if (!model.is_called()) continue;
      const std::string place = "/jobs/0/event/" + std::to_string(stage++);
      draft_.put(place + "/infer", json_of(model.name()));
      draft_.put(place + "/items", model.settled_items.json, model.settled_items.origin);
      std::set<std::string> seen;
      if (keeps_state(model, seen)) {
        const std::string why = "the model keeps the state of sequences (sequence_batching)";
        draft_.put(place + "/request_batch", "1", {DraftBasis::repository, why + ", whose requests have one item"});
        draft_.put(place + "/sequence", json_of("event"), {DraftBasis::assumed, why + ": those of each event are one"});
      } else {
        put_request_batch(place + "/request_batch", model);
      }
      if (model.on_cpu) draft_.put(place + "/cpu_alternative", *model.on_cpu, {DraftBasis::given, "--on-cpu"});
    }
  }

  void put_cpu(const std::string& pointer) {
    const SettledValue& cpu = value("cpu");
    const SettledValue& spread = value("spread");
    const NamedFit* measured = whole_event_fit(made_);
    const bool is_measured = measured != nullptr && cpu.origin.basis != DraftBasis::given;
    const auto is_nothing = [](const std::string& json) {
      return json.find_first_of("123456789") == std::string::npos;
    };
    if (is_measured || is_nothing(cpu.json) || is_nothing(spread.json))
      return put_measured_or(pointer, "cpu", measured);
    draft_.put(pointer + "/gamma/mean", cpu.json, cpu.origin);
    draft_.put(pointer + "/gamma/cv", spread.json, spread.origin);
  }

  /// The model, or any step of an ensemble.
  bool keeps_state(const DraftedModel& model, std::set<std::string>& seen) const {
    if (model.repository.keeps_state) return true;
    if (!seen.insert(model.name()).second) return false;
    for (const std::string& step : model.repository.steps)
      for (const DraftedModel& other : made_.models)
        if (other.name() == step && keeps_state(other, seen)) return true;
    return false;
  }

  void put_request_batch(const std::string& pointer, const DraftedModel& model) {
    if (model.request_batch) return draft_.put(pointer, *model.request_batch, {DraftBasis::given, "--request-batch"});
    std::uint64_t size = read_whole(model.settled_items.json).value_or(1);
    std::string why = "as many as an event needs";
    std::set<std::string> seen;
    if (const std::uint64_t most = most_items_of_request(model, seen); most < size) {
      size = most;
      why = "the largest batch, or the largest size that was measured";
    }
    draft_.put(pointer, std::to_string(size), {DraftBasis::assumed, why + "; --request-batch"});
  }

  /// The largest batch that all of the model's laws know; none where nothing was measured [item].
  std::optional<std::uint64_t> largest_measured(const DraftedModel& model) const {
    std::optional<std::uint64_t> least;
    for (const DeviceFits& fits : made_.fits)
      if (const NamedFit* law = law_of_model(fits, model.name())) {
        const auto largest = static_cast<std::uint64_t>(std::max(1.0, std::floor(law->fit.x_high + 0.5)));
        least = std::min(least.value_or(largest), largest);
      }
    return least;
  }

  /// What a model, or any step of an ensemble, takes at once, as far as it was measured [item].
  std::uint64_t most_items_of_request(const DraftedModel& model, std::set<std::string>& seen) const {
    const std::uint64_t measured =
        largest_measured(model).value_or(model.repository.config.empty() ? assumed_batch : unlimited_batch);
    std::uint64_t most =
        model.repository.config.empty() ? measured : std::min(measured, model.repository.max_batch_size);
    if (!seen.insert(model.name()).second) return most;
    for (const std::string& step : model.repository.steps)
      for (const DraftedModel& other : made_.models)
        if (other.name() == step) most = std::min(most, most_items_of_request(other, seen));
    return most;
  }

  /// Laws are trusted up to twice the largest size that was measured; larger batches are not let happen.
  void put_batching(const std::string& place, const DraftedModel& model) {
    const std::optional<std::uint64_t> measured = largest_measured(model);
    const RepositoryModel& repository = model.repository;
    if (repository.config.empty()) {
      draft_.put(place + "/max_batch_size", std::to_string(measured.value_or(assumed_batch)),
                 {DraftBasis::assumed, measured ? "the largest size that was measured" : "nothing was measured"});
      draft_.put(place + "/dynamic_batching", "true", {DraftBasis::assumed, "the server joins waiting requests"});
      return;
    }
    draft_.put(place + "/triton_config", json_of(path_from_scenario(repository.config)),
               {DraftBasis::repository, "batch sizes, instances and batching stand there"});
    // Where any size is allowed none are joined, and requests are no larger than what was measured anyway.
    const bool too_large =
        repository.max_batch_size < unlimited_batch && measured && repository.max_batch_size / 2 >= *measured;
    if (!too_large) return;
    draft_.put(place + "/max_batch_size", std::to_string(*measured),
               {DraftBasis::assumed, "the largest size that was measured; " + repository.config + " allows " +
                                         whole_text(repository.max_batch_size)});
    std::vector<std::string> kept;
    for (const std::uint64_t size : repository.preferred_sizes)
      if (size <= *measured) kept.push_back(std::to_string(size));
    if (kept.size() < repository.preferred_sizes.size())
      draft_.put(place + "/preferred_batch_size", "[" + joined(kept) + "]",
                 {DraftBasis::assumed, "those up to the largest size that was measured"});
  }

  void put_size(const std::string& pointer, const TensorBytes& size, const DraftedModel& model,
                const std::string& assumed) {
    if (model.repository.config.empty() || size.bytes == 0)
      return draft_.put(pointer, json_of(assumed),
                        {DraftBasis::assumed,
                         model.repository.config.empty() ? "data of one item" : "its configuration names no tensors"});
    const std::string where = model.repository.config + ":" + std::to_string(size.line);
    const std::string json = json_of(std::to_string(size.bytes) + " B");
    if (size.open.empty()) return draft_.put(pointer, json, {DraftBasis::repository, where});
    draft_.put(pointer, json,
               {made_.lengths_typed ? DraftBasis::given : DraftBasis::assumed,
                where + " leaves " + joined(size.open) + " open: " + std::to_string(made_.lengths.elements) +
                    " elements each; --variable-length"});
  }

  void put_model(const DraftedModel& model) {
    const std::string place = "/models/" + escape_pointer(model.name());
    put_size(place + "/input", model.repository.input, model, "4 kB");
    put_size(place + "/output", model.repository.output, model, "100 B");
    put_batching(place, model);
    if (model.repository.steps.empty())
      for (const DraftedDevice& device : made_.devices)
        put_law(place + "/service/" + escape_pointer(device.name), model, device);
  }

  void put_law(const std::string& pointer, const DraftedModel& model, const DraftedDevice& device) {
    const std::string& gpu = device.name;
    const NamedFit* other = nullptr;
    std::string measured_on;
    for (const DeviceFits& fits : made_.fits) {
      const NamedFit* law = law_of_model(fits, model.name());
      if (law == nullptr) continue;
      if (fits.gpu == gpu) return draft_.put(pointer, fit_json(*law), {DraftBasis::measured, rows_of(*law)});
      if (other == nullptr) measured_on = fits.gpu;
      if (other == nullptr) other = law;
    }
    const std::uint64_t items = read_whole(model.settled_items.json).value_or(0);
    // What somebody says of this type goes before what was measured on another.
    if (model.on_cpu && items > 0 && (device.speedup || other == nullptr)) {
      const std::string law =
          R"({ "per_batch": "2 ms", "per_item": )" +
          json_of(quantity_text(on_cpu_s(model) / static_cast<double>(items) / device.speedup.value_or(assumed_gain),
                                Dimension::duration)) +
          R"(, "rests_on": "assumed" })";
      return draft_.put(
          pointer, law,
          {DraftBasis::assumed, device.speedup ? "--on-cpu over --speedup, and 2 ms a batch"
                                               : "no file of it was given; 20 times as fast as a core, --speedup"});
    }
    if (other != nullptr)
      return draft_.put(pointer, fit_json(*other, ",\"speed\":1,\"rests_on\":\"assumed\""),
                        {DraftBasis::assumed, "nothing was measured on " + gpu + "; speed 1 is as fast as " +
                                                  measured_on + ", of " + rows_of(*other)});
    draft_.put(pointer, assumed_law, {DraftBasis::assumed, "no measured file of it was given"});
  }

  void put_server(std::size_t index) {
    const std::string place = "/servers/" + std::to_string(index);
    const std::string& type = made_.devices[index].name;
    draft_.put(place + "/name", json_of(type));
    draft_.put(place + "/site", json_of("centre"));
    const SettledValue& bandwidth = value("bandwidth");
    if (made_.nic)
      draft_.put(place + "/nic", *made_.nic, {DraftBasis::given, "--nic"});
    else
      draft_.put(place + "/nic", bandwidth.json, {DraftBasis::assumed, "as the network between; --nic"});
    draft_.put(place + "/devices/type", json_of(type), *made_.devices_from);
    // A replica of a server in Kubernetes has one.
    draft_.put(place + "/nodes", value("gpus").json, value("gpus").origin);
    draft_.put(place + "/devices/count", "1");
    for (std::size_t i = 0; i < made_.models.size(); ++i)
      draft_.put(place + "/models/" + std::to_string(i), json_of(made_.models[i].name()));
    std::set<std::string> seen;
    if (std::ranges::any_of(made_.models, [&](const DraftedModel& model) { return keeps_state(model, seen); }))
      draft_.put(place + "/balancing", json_of("per_sequence"),
                 {DraftBasis::assumed, "one gRPC stream a sequence, as Envoy spreads them over nodes"});
    // The same whatever is offered: fleets of one type and of several are to be compared.
    draft_.put(place + "/dispatch", json_of("least_outstanding"),
               {DraftBasis::assumed, "a balancer that knows how busy servers are"});
  }

  void put_devices() {
    for (const DraftedDevice& device : made_.devices) {
      const std::string place = "/devices/" + escape_pointer(device.name);
      draft_.put(place + "/kind", json_of("gpu"));
      if (device.price) draft_.put(place + "/price", *device.price, {DraftBasis::given, "--gpu"});
    }
  }

  std::string path_from_scenario(const std::string& file) const {
    return path_from(std::filesystem::absolute(made_.out.value_or("scenario.json")).parent_path(), file);
  }

  const NewScenario& made_;
  bool in_place_;
  ScenarioDraft draft_{};
};

}  // namespace

ScenarioDraft drafted(const NewScenario& made, bool in_place) {
  return Drafter(made, in_place).draft();
}

}  // namespace saturn
