#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scenarios/inputs/scenario_places.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/question/requirement.hpp"

namespace saturn {

// What `--free POINTER[=RANGE]` says, step by step.

/// Most values of one free variable.
inline constexpr std::size_t most_free_values = 10'000;

/// One option: the fields that it frees.
struct FreePointer {
  std::string option{};   ///< "--free /models/*/max_batch_size=1:64:x2"
  std::string pattern{};  ///< "/models/*/max_batch_size"
  std::optional<std::string> range{};
  std::vector<NamedPlace> places{};  ///< one or more, all of one type
};

/// Splits the option and finds its fields; complains (free.unknown_pointer, free.not_numeric, free.not_allowed) and
/// gives nothing where it names none that may be chosen.
std::optional<FreePointer> find_free_places(const std::string& text, const ScenarioPlaces& places,
                                            OptionComplaints& complaints);

/// The texts of the values that the option lists; complains (free.not_numeric, free.empty_range, free.bad_range).
std::vector<std::string> listed_values(const FreePointer& pointer, OptionComplaints& complaints);

/// A variable with what each value sets. Values that only the dynamic batcher heeds (max_queue_delay, batch_forming, a
/// max_batch_size above the largest request) switch it on where it is off.
/// @param freed  pointers of all free variables
FreeVariable variable_of(const FreePointer& pointer, const std::vector<std::string>& texts, const Scenario& scenario,
                         const std::set<std::string>& freed);

/// Drops the places that "*" stands for and where the key makes no sense, as those of ensembles.
void drop_impossible_places(FreePointer& pointer, const std::string& value, const ReadScenario& read,
                            const std::set<std::string>& freed);

/// What is free beside a variable.
struct OtherFreedom {
  bool any = false;
  bool names = false;  ///< names of sites, device types and the like, or other words
};

/// Complains (free.not_allowed) about values that the field never takes, whatever else is chosen, and about all of them
/// where nothing else is free and the scenario takes none.
void refuse_impossible_values(const FreePointer& pointer, const FreeVariable& variable, const ReadScenario& read,
                              const ScenarioPlaces& places, const OtherFreedom& others, OptionComplaints& complaints);

/// A whole number as the reader takes it; 0 where the text is none.
std::uint64_t as_count(const std::string& text);

/// Most items that a request for the model carries, be it called itself or as a step of an ensemble; 0: nobody calls.
std::uint64_t largest_request(const Scenario& scenario, const std::string& model);

/// What the other free variables leave: the scenario with each of them at its first value, and at its last.
struct FreeReach {
  Scenario first{};
  Scenario last{};
};

/// True where the default values depend on what else is free (numbers of jobs and sizes of requests).
bool needs_reach(const FreePointer& pointer);

/// The values of a variable that is freed without a range, as docs/models/searching.md lists them; none where nothing
/// sensible is known.
std::vector<std::string> default_values(const FreePointer& pointer, const ReadScenario& read, const FreeReach& reach);

/// An example of a range for a field of this type: "1:8", "1ms:16ms:x2", "one,another".
std::string example_range(const PlaceType& type);

// What `--gpus` and `--node-sizes` say, and when more devices never make anything slower.

/// A variable whose values are the numbers of devices of a server, in nodes of every given size; 0 where none of the
/// type may be bought.
struct FreeDevices {
  std::string option{};  ///< "--gpus gke=1:32"
  FreeVariable variable{};
  std::size_t server = 0;  ///< its place
};

/// Complains (gpus.no_server, gpus.which_server, gpus.unknown_server, gpus.bad_range, gpus.bad_node_sizes,
/// gpus.no_nodes, gpus.node_sizes_alone).
/// @param present      its servers are meant where an option names none
/// @param with_absent  the same scenario with the servers of which nothing is bought ("nodes": 0): named ones are of
/// these
std::vector<FreeDevices> free_devices(std::span<const std::string> gpus, std::span<const std::string> node_sizes,
                                      const Scenario& present, const Scenario& with_absent,
                                      OptionComplaints& complaints);

/// True where one more device in each node of the server never makes an event slower: every start of a batch then comes
/// no later. That does not hold where batches are held back to fill (an instance that is free earlier takes fewer
/// items), where devices are in each other's way, and where waiting requests are rejected.
/// @param place  of the server, which is there
bool more_devices_never_slow(const Scenario& scenario, std::size_t place);

/// The same of one more node: only where all nodes share one queue. Others spread requests differently over more nodes,
/// and some of them may get more of the long ones.
bool more_nodes_never_slow(const Scenario& scenario, std::size_t place);

}  // namespace saturn
