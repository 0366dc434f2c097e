#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_places.hpp"
#include "sim/plan/candidate_space.hpp"
#include "sim/plan/option_complaints.hpp"

/// What `--free POINTER[=RANGE]` says, step by step.
namespace saturn {

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

}  // namespace saturn
