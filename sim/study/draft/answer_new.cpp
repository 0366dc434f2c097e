#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "reports/answer/answer.hpp"
#include "reports/words/facts_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/triton/triton_fields.hpp"
#include "sim/formula/system.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/study/draft/new_scenario.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

// What is assumed where nobody says more. The scenario says of each that it is.
constexpr const char* assumed_model = "model";
constexpr const char* assumed_gpu = "gpu";
constexpr double most_speedup = 1e6;
constexpr std::size_t longest_shown_value = 16;  ///< in the table for people; the scenario has all of it

std::string quantity_json(const std::string& option, const std::string& text, Dimension dimension,
                          const std::string& example) {
  const ReadQuantity read = read_quantity(text, dimension);
  if (read.reading == QuantityReading::good && read.value >= 0.0) return json_of(std::string(trimmed(text)));
  const std::string noun = "a " + std::string(name_of(dimension));
  const std::string why = read.reading == QuantityReading::unknown_unit
                              ? in_quotes(read.unit) + " is no unit of " + noun
                          : read.reading == QuantityReading::good ? noun + " is 0 or more"
                                                                  : noun + " of 0 or more needs its unit";
  refuse_input(option, "option.not_a_quantity",
               option + " is " + in_quotes(text) + "; " + why + ", for example \"" + example + "\".");
}

ValueReader quantity_reader(Dimension dimension, const std::string& example) {
  return [=](const std::string& option, const std::string& text) {
    return quantity_json(option, text, dimension, example);
  };
}

ValueReader whole_reader(std::uint64_t least) {
  return [=](const std::string& option, const std::string& text) {
    const std::optional<std::uint64_t> value = read_whole(text);
    if (value && *value >= least && *value <= unlimited_batch) return std::to_string(*value);
    refuse_input(option, "option.not_a_number",
                 option + " is " + in_quotes(text) + "; a whole number from " + std::to_string(least) + " to " +
                     std::to_string(unlimited_batch) + " is needed.");
  };
}

ValueReader number_reader() {
  return [](const std::string& option, const std::string& text) {
    const std::optional<double> value = read_number(text);
    if (value && *value > 0.0 && *value <= most_speedup) return text;
    refuse_input(
        option, "option.not_a_number",
        option + " is " + in_quotes(text) + "; how many times as fast as a core, above 0 and up to 1e6, is needed.");
  };
}

/// What is typed as "[NAME=]VALUE", of a model or a type of GPU.
class ByName {
 public:
  /// @param kind  of the names: "models"
  ByName(const TypedCommand& typed, const std::string& option, const std::vector<std::string>& names,
         const ValueReader& read, Complaints& complaints, const std::string& kind = "models")
      : kind_(kind) {
    std::vector<std::string> texts;
    typed.take(option, texts);
    for (const std::string& text : texts) complaints.of([&] { take(option, text, names, read); });
  }

  std::optional<std::string> of(const std::string& name) const {
    const auto own = values_.find(name);
    return own != values_.end() ? std::optional(own->second) : for_all_;
  }

 private:
  void take(const std::string& option, const std::string& text, const std::vector<std::string>& names,
            const ValueReader& read) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      for_all_ = read(option, text);
      return;
    }
    const std::string name = text.substr(0, equals);
    if (std::find(names.begin(), names.end(), name) == names.end())
      refuse_input(
          option, "new.unknown_model",
          in_quotes(name) + " is none of the " + kind_ + "; " + name_meant(name, names, "did you mean", "there are"));
    values_[name] = read(option, text.substr(equals + 1));
  }

  std::string kind_;
  std::map<std::string, std::string> values_{};
  std::optional<std::string> for_all_{};
};

std::vector<DraftedDevice> typed_devices(const TypedCommand& typed, Complaints& complaints) {
  std::vector<std::string> texts;
  typed.take("--gpu", texts);
  std::vector<DraftedDevice> devices;
  for (const std::string& text : texts) {
    DraftedDevice device{.name = text.substr(0, text.find('='))};
    if (device.name.empty())
      complaints.add("--gpu", "new.no_name", "--gpu is " + in_quotes(text) + "; a type has a name: --gpu t4.");
    for (const DraftedDevice& other : devices)
      if (other.name == device.name)
        complaints.add("--gpu", "new.same_gpu", in_quotes(device.name) + " is there twice; name each type once.");
    if (text.size() > device.name.size())
      complaints.of([&] {
        device.price = quantity_json("--gpu", text.substr(device.name.size() + 1), Dimension::price, "0.35 USD/h");
      });
    devices.push_back(std::move(device));
  }
  return devices;
}

/// Models of the repository; else those that are typed; else those that were measured.
std::vector<RepositoryModel> known_models(const TypedCommand& typed, NewScenario& made,
                                          const std::vector<NamedFile>& files, Monitor& monitor,
                                          Complaints& complaints) {
  std::optional<std::string> folder;
  std::vector<std::string> names;
  typed.take("--models", folder);
  typed.take("--model", names);
  std::vector<RepositoryModel> models;
  if (folder) {
    made.folder_of_models = *folder;
    complaints.of([&] {
      const ModelRepository repository = read_model_repository(*folder, made.lengths);
      models = repository.models;
      if (!repository.without_config.empty())
        monitor.note("note: " + joined(repository.without_config) + ": no config.pbtxt; left out of the scenario\n");
    });
    return models;
  }
  for (const NamedFile& file : files)
    if (!file.model.empty()) names.push_back(file.model);
  for (const std::string& name : names)
    if (std::none_of(models.begin(), models.end(), [&](const auto& one) { return one.name == name; }))
      models.push_back({.name = name});
  return models;
}

std::vector<std::string> names_of(const std::vector<RepositoryModel>& models) {
  return texts_of(models, [](const RepositoryModel& model) { return model.name; });
}

/// The models that fits are of, where nobody named any.
std::vector<RepositoryModel> measured_models(const std::vector<DeviceFits>& all) {
  std::vector<RepositoryModel> models;
  std::set<std::string> seen;
  for (const DeviceFits& fits : all)
    for (const NamedFit& fit : fits.calibration.fits)
      if (fit.kind == FitKind::service_law && seen.insert(fit.model).second) models.push_back({.name = fit.model});
  if (models.empty()) models.push_back({.name = assumed_model});
  return models;
}

void take_models(const TypedCommand& typed, const std::vector<RepositoryModel>& models, NewScenario& made,
                 Complaints& complaints) {
  const std::vector<std::string> names = names_of(models);
  const ValueReader items = whole_reader(0);
  const ByName typed_items(typed, "--items", names, items, complaints);
  const ByName batches(typed, "--request-batch", names, whole_reader(1), complaints);
  const ByName on_cpu(typed, "--on-cpu", names, quantity_reader(Dimension::duration, "40 s"), complaints);
  std::set<std::string> steps;
  for (const RepositoryModel& model : models) steps.insert(model.steps.begin(), model.steps.end());
  for (const RepositoryModel& model : models)
    made.models.push_back({.repository = model,
                           .is_step = steps.contains(model.name),
                           .items = {.option = "--items",
                                     .question = "How many inferences of " + model.name + " does an event need?",
                                     .assumed = "100",
                                     .read = items,
                                     .typed = typed_items.of(model.name)},
                           .request_batch = batches.of(model.name),
                           .on_cpu = on_cpu.of(model.name)});
}

void take_questions(const TypedCommand& typed, NewScenario& made, Complaints& complaints) {
  const ValueReader time = quantity_reader(Dimension::duration, "12 s");
  const ValueReader bandwidth = quantity_reader(Dimension::bandwidth, "10 Gbps");
  made.questions = {
      {"jobs", {"--jobs", "How many jobs run at the same time?", "100", whole_reader(1)}},
      {"cpu", {"--cpu", "How long does an event compute on its core, inference aside?", "10 s", time}},
      {"spread",
       {"--spread", "How does that vary between events, standard deviation over mean?", "20 %",
        quantity_reader(Dimension::ratio, "20 %")}},
      {"gpus", {"--gpus", "How many GPUs of each type are there?", "1", whole_reader(1)}},
      {"rtt", {"--rtt", "How long is a round trip between jobs and GPUs?", "1 ms", time}},
      {"bandwidth", {"--bandwidth", "How much can the network between them carry?", "10 Gbps", bandwidth}}};
  for (auto& named : made.questions) {
    auto& question = named.second;
    std::optional<std::string> text;
    typed.take(question.option, text);
    if (text) complaints.of([&] { question.typed = question.read(question.option, *text); });
  }
  std::optional<std::string> nic;
  typed.take("--nic", nic);
  if (nic) complaints.of([&] { made.nic = bandwidth("--nic", *nic); });
}

/// Typed; else answered on a terminal, as often as it takes to understand the answer; else assumed.
SettledValue settled(const DraftQuestion& question, Monitor& monitor) {
  if (question.typed) return {*question.typed, {DraftBasis::given, question.option}};
  while (const std::optional<std::string> answer = monitor.ask(question.question, question.assumed)) {
    if (answer->empty()) break;
    try {
      return {question.read(question.option, *answer), {DraftBasis::given, "answered"}};
    } catch (const InputError& error) {
      monitor.warn(in_one_line(error) + "\n");
    }
  }
  return {question.read(question.option, question.assumed), {DraftBasis::assumed, question.option}};
}

/// Keeps what jobs call, and the steps of what they call.
void drop_uncalled(NewScenario& made) {
  std::set<std::string> kept;
  const std::function<void(const DraftedModel&)> keep = [&](const DraftedModel& model) {
    if (!kept.insert(model.name()).second) return;
    for (const DraftedModel& other : made.models)
      if (std::find(model.repository.steps.begin(), model.repository.steps.end(), other.name()) !=
          model.repository.steps.end())
        keep(other);
  };
  for (const DraftedModel& model : made.models)
    if (model.is_called()) keep(model);
  std::erase_if(made.models, [&](const DraftedModel& model) { return !kept.contains(model.name()); });
  if (made.models.empty())
    refuse_input("--items", "new.nothing_called",
                 "The jobs call no model: --items is 0 for each; give one some items.");
}

void settle_all(NewScenario& made, Monitor& monitor) {
  if (!made.devices_from) {
    const ValueReader name = [](const std::string&, const std::string& text) { return text; };
    const SettledValue type = settled({"--gpu", "Which type of GPU serves?", assumed_gpu, name}, monitor);
    for (DeviceFits& fits : made.fits) fits.gpu = type.json;
    made.devices = {{.name = type.json}};
    made.devices_from = type.origin;
  }
  for (const char* name : {"jobs", "cpu", "spread", "gpus", "rtt", "bandwidth"}) {
    const std::string key = name;
    const bool is_measured = ((key == "cpu" || key == "spread") && whole_event_fit(made) != nullptr) ||
                             (key == "rtt" && fit_named(made, FitKind::time, "rtt") != nullptr) ||
                             (key == "bandwidth" && fit_named(made, FitKind::bandwidth, "bandwidth") != nullptr);
    DraftQuestion question = made.questions.at(key);
    Monitor nobody;
    made.values[key] = settled(question, is_measured ? nobody : monitor);
  }
  for (DraftedModel& model : made.models)
    if (!model.is_step) model.settled_items = settled(model.items, monitor);
  drop_uncalled(made);
}

/// A speedup says how fast the inferences whose time on a core is known are on a type that nothing was measured on.
void refuse_idle_speedups(const NewScenario& made, Complaints& complaints) {
  for (const DraftedDevice& device : made.devices) {
    if (!device.speedup) continue;
    bool used = false;
    bool unmeasured = false;
    for (const DraftedModel& model : made.models) {
      const bool measured = std::any_of(made.fits.begin(), made.fits.end(), [&](const DeviceFits& fits) {
        return fits.gpu == device.name && law_of_model(fits, model.name()) != nullptr;
      });
      unmeasured = unmeasured || !measured;
      used = used || (!measured && model.on_cpu.has_value());
    }
    if (!used && !made.models.empty())
      complaints.add("--speedup " + device.name, "new.idle_speedup",
                     unmeasured ? "A speedup is over a core, and no time on a core is known of a model that was not "
                                  "measured on " +
                                      device.name + ": add --on-cpu TIME."
                                : "Every model was measured on " + device.name + ", and that is taken: leave it out.");
  }
}

/// Lines that could not be read are missing in a law that looks as good as with them.
void say_left_out(const std::vector<DeviceFits>& all, Monitor& monitor) {
  for (const DeviceFits& fits : all)
    for (const MeasuredFile& file : fits.files)
      for (const Complaint& complaint : file.left_out) monitor.warn("warning: " + complaint.formatted() + "\n");
}

/// What was typed, understood, with the measured files read.
NewScenario new_scenario(const TypedCommand& typed, Monitor& monitor) {
  NewScenario made{.command = typed.repeating_the_answer()};
  const OutputOptions output = output_options(typed);
  made.out = output.out;
  std::vector<std::string> texts;
  std::optional<std::uint64_t> batch;
  typed.take("files", texts);
  typed.take("--batch", batch);
  typed.take("--variable-length", made.lengths.elements);
  made.lengths_typed = !typed.values_of("--variable-length").empty();
  std::vector<NamedFile> files;
  for (const std::string& text : texts) files.push_back(named_file(text));

  Complaints complaints;
  if (made.out) complaints.of([&] { refuse_to_replace("--out", *made.out, output.force); });
  made.devices = typed_devices(typed, complaints);
  if (!made.devices.empty())
    made.devices_from = DraftOrigin{DraftBasis::given, "--gpu"};
  else
    made.devices = {{.name = assumed_gpu}};
  const std::vector<std::string> gpus = texts_of(made.devices, [](const DraftedDevice& one) { return one.name; });
  const ByName speedups(typed, "--speedup", gpus, number_reader(), complaints, "types of GPU");
  for (DraftedDevice& device : made.devices)
    if (const std::optional<std::string> text = speedups.of(device.name)) device.speedup = read_number(*text);
  take_questions(typed, made, complaints);
  std::vector<RepositoryModel> models = known_models(typed, made, files, monitor, complaints);
  complaints.of([&] { made.fits = fits_by_device(files, names_of(models), gpus, batch); });
  if (models.empty() && made.folder_of_models.empty()) models = measured_models(made.fits);
  take_models(typed, models, made, complaints);
  refuse_idle_speedups(made, complaints);
  complaints.raise();
  say_left_out(made.fits, monitor);
  if (made.out) {
    std::vector<OutputFile> written{{"--out", *made.out}};
    for (const DeviceFits& fits : made.fits) {
      written.push_back({"--out", fitted_path(made, fits)});
      complaints.of([&] { refuse_to_replace("--out", written.back().path, output.force); });
    }
    std::vector<std::string> read = texts_of(files, [](const NamedFile& one) { return one.path; });
    for (const DraftedModel& model : made.models) read.push_back(model.repository.config);
    complaints.of([&] { refuse_overlaps(written, read); });
    complaints.raise();
  }
  return made;
}

std::vector<std::string> heading_of(const NewScenario& made, const ScenarioDraft& draft) {
  std::vector<std::string> parts;
  for (const auto& [basis, words] :
       {std::pair{DraftBasis::given, " given"}, std::pair{DraftBasis::measured, " measured"},
        std::pair{DraftBasis::repository, " of the model repository"}, std::pair{DraftBasis::assumed, " assumed"}})
    if (draft.count(basis) > 0) parts.push_back(std::to_string(draft.count(basis)) + words);
  return {"Written by: " + made.command,
          "Values: " + joined_and(parts) +
              (draft.count(DraftBasis::assumed) > 0 ? "; search for \"assumed: change it\"." : ".")};
}

/// As many of each type as suffice together. @returns whether it was assumed anew
bool assume_needed_gpus(const Scenario& scenario, NewScenario& made) {
  SettledValue& gpus = made.values.at("gpus");
  if (gpus.origin.basis != DraftBasis::assumed) return false;
  try {
    // Nodes of one GPU, each with a card of its own.
    Scenario in_nodes = scenario;
    for (Server& server : in_nodes.servers) server.nodes = 2;
    const std::uint64_t needed = gpus_by_bound(in_nodes, {});
    if (needed == device_count(scenario)) return false;
    gpus = {.json = std::to_string(needed / in_nodes.servers.size()),
            .origin = {DraftBasis::assumed, "as many as the jobs need by the bound; --gpus"}};
    return true;
  } catch (const std::domain_error&) {
    // Something else saturates whatever their number is.
    return false;
  }
}

/// Numbers of devices to search among, as a range: up to twice what the bound says that all jobs need, in at most 16
/// steps; up to 16 where they need few.
std::string range_of_gpus(const Scenario& scenario, std::uint64_t least) {
  constexpr double steps = 16.0;
  const double needed =
      static_cast<double>(device_count(scenario)) * stream_count(scenario) / System(scenario).knee_streams();
  const auto step = static_cast<std::uint64_t>(std::clamp(std::ceil(2.0 * needed / steps), 1.0, 1e6));
  const auto most = static_cast<std::uint64_t>(steps) * step;
  if (step == 1) return std::to_string(least) + ":" + std::to_string(most);
  return std::to_string(least == 0 ? 0 : step) + ":" + std::to_string(most) + ":" + std::to_string(step);
}

/// What --on-cpu says of all models that jobs call.
struct OnCores {
  std::size_t models = 0;
  double seconds = 0.0;  ///< of an event
};

OnCores on_cores_of(const NewScenario& made) {
  OnCores sum;
  for (const DraftedModel& model : made.models) {
    if (!model.is_called() || !model.on_cpu) continue;
    ++sum.models;
    sum.seconds += on_cpu_s(model);
  }
  return sum;
}

/// Files with loads that tell no time of a batch, as a shell reads their names.
std::set<std::string> files_of_untold_batches(const NewScenario& made) {
  std::set<std::string> files;
  for (const DeviceFits& fits : made.fits)
    for (const Complaint& complaint : fits.calibration.left_out)
      if (complaint.code == "calibration.unknown_batches") files.insert(shell_word(complaint.source));
  return files;
}

Answer answer_of(const NewScenario& made, const ScenarioDraft& draft, const Scenario& scenario,
                 const std::vector<AnswerFile>& files) {
  Answer answer{.title = title_of(made), .provenance = provenance_of("", 0, made.command)};
  Table& table = answer.add({.place = {"values"},
                             .columns = {{.key = "place", .title = "place", .names = true},
                                         {.key = "value", .readers = For::programs},
                                         {.key = "", .title = "value", .readers = For::people},
                                         {.key = "rests_on", .title = "rests on"},
                                         {.key = "from", .title = "from"}},
                             .details = false});
  for (const DraftedValue& value : draft.values())
    table.add_row({value.pointer, value.json, shortened(value.json, longest_shown_value),
                   std::string(name_of(value.origin.basis)), cell_word(value.origin.text)});
  const std::string name = shell_word(*made.out);
  answer.say("Written: " + joined(texts_of(files, [](const AnswerFile& file) { return file.path.string(); })) +
             "; sound by saturn check. " +
             (draft.count(DraftBasis::assumed) == 0
                  ? "Nothing is assumed."
                  : "Look first at what is assumed; " + name + " says it beside each value."));
  if (const std::set<std::string> untold = files_of_untold_batches(made); !untold.empty())
    answer.say("No law rests on those rows under load of " + joined({untold.begin(), untold.end()}) +
               " whose batches are not known; they say how well the scenario describes a server: saturn validate " +
               name + " " + *untold.begin() + (made.models.size() > 1 ? " --model MODEL" : "") +
               " --set '/servers/*/nodes=1'.");
  if (const OnCores on_cores = on_cores_of(made); on_cores.models > 1)
    answer.say("On its own core an event would take " + quantity_text(on_cores.seconds, Dimension::duration) +
               " for the inferences of all " + std::to_string(on_cores.models) +
               " models together (--on-cpu, for each).");
  if (std::ranges::any_of(scenario.models, [](const auto& named) { return named.second.dynamic_batching; }))
    answer.say(
        "Batches are taken to be formed for idle instances; servers of Triton 21.09 to 21.12 form them ahead "
        "(\"batch_forming\": \"ahead\" of a model).");
  const bool typed = made.values.at("spread").origin.basis == DraftBasis::given;
  const std::string spread = typed ? "--spread '20 %'" : settings_of_spread(scenario, !made.fits.empty());
  if (has_constant_times(scenario) && !spread.empty())
    answer.say(std::string(nothing_varies) +
               ", and jobs in step wait for each other or never. A spread of 20 %: " + spread + ".");
  std::string search = "saturn plan " + name;
  bool are_priced = true;
  for (const DraftedDevice& device : made.devices) {
    search += " --gpus " + (made.devices.size() == 1 ? range_of_gpus(scenario, 1)
                                                     : shell_word(device.name + "=" + range_of_gpus(scenario, 0)));
    are_priced = are_priced && device.price;
  }
  answer.more = {"saturn check " + name, search + (are_priced ? " --objective rent" : " --objective fewest-gpus"),
                 "saturn plan " + name + " --emit deployed"};
  return answer;
}

}  // namespace

Reply answer_new(const TypedCommand& typed, Monitor& monitor) {
  NewScenario made = new_scenario(typed, monitor);
  settle_all(made, monitor);
  const auto read_again = [&made] {
    return read_scenario_text(drafted(made, true).text({}), made.out.value_or("scenario.json"), {});
  };
  ReadScenario read = read_again();
  if (assume_needed_gpus(read.scenario, made)) read = read_again();
  say_warnings(read.warnings, monitor);
  const ScenarioDraft draft = drafted(made, false);
  const std::string text = draft.text(heading_of(made, draft));
  if (!made.out) return {.text = text};
  std::vector<AnswerFile> files{{.option = "--out", .path = *made.out, .text = text}};
  for (const DeviceFits& fits : made.fits)
    files.push_back({.option = "--out",
                     .path = fitted_path(made, fits),
                     .text = fitted_file_json(saved_calibration(fits.files, fits.calibration, made.command))});
  return {.answer = answer_of(made, draft, read.scenario, files), .files = files};
}

}  // namespace saturn
