#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/draft/scenario_draft.hpp"
#include "scenarios/triton/model_repository.hpp"
#include "sim/study/measured/measured_fits.hpp"

/// What `saturn new` knows, and the scenario that it makes of it.

namespace saturn {

/// Turns a text that somebody typed into JSON. @throws InputError
using ValueReader = std::function<std::string(const std::string& option, const std::string& text)>;

/// A value that is typed, asked for, or assumed.
struct DraftQuestion {
  std::string option{};
  std::string question{};
  std::string assumed{};
  ValueReader read{};
  std::optional<std::string> typed{};  ///< as JSON
};

/// A value with its origin.
struct SettledValue {
  std::string json{};
  DraftOrigin origin{};
};

/// One type of device.
struct DraftedDevice {
  std::string name{};
  std::optional<std::string> price{};  ///< as JSON
  std::optional<double> speedup{};     ///< over a core, where nothing was measured [1]
};

/// A model of the scenario, with what was typed for it.
struct DraftedModel {
  RepositoryModel repository{};  ///< `config` is empty where there is none
  bool is_step = false;          ///< of an ensemble
  DraftQuestion items{};
  std::optional<std::string> request_batch{};  ///< as JSON
  std::optional<std::string> on_cpu{};         ///< as JSON
  SettledValue settled_items{};

  const std::string& name() const { return repository.name; }
  bool is_called() const { return !is_step && settled_items.json != "0"; }
};

/// All that a drafted scenario is made from.
struct NewScenario {
  std::string command{};
  std::optional<std::string> out{};
  std::string folder_of_models{};
  OpenLengths lengths{};
  bool lengths_typed = false;
  std::vector<DraftedModel> models{};
  std::vector<DraftedDevice> devices{};
  std::optional<DraftOrigin> devices_from{};  ///< where their names are from; absent: nobody said
  std::vector<DeviceFits> fits{};
  std::map<std::string, DraftQuestion> questions{};
  std::map<std::string, SettledValue> values{};
  std::optional<std::string> nic{};  ///< as JSON
};

/// A fit of what is no model's, by its name; none where nobody measured it.
const NamedFit* fit_named(const NewScenario& made, FitKind kind, const std::string& name);

/// What the inferences of an event for the model take on the job's own core [s]. Precondition: it is known.
double on_cpu_s(const DraftedModel& model);

/// The CPU time of a whole event, where it was measured.
const NamedFit* whole_event_fit(const NewScenario& made);

/// The fitted file of a device's fits, beside the scenario.
std::filesystem::path fitted_path(const NewScenario& made, const DeviceFits& fits);

/// "Jobs that call tagger on t4".
std::string title_of(const NewScenario& made);

/// The scenario, value by value.
/// @param in_place  fits stand in their places, not the names of their files; so they do where no file is written
ScenarioDraft drafted(const NewScenario& made, bool in_place);

}  // namespace saturn
