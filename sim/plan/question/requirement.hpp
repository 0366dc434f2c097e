#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/results/estimate.hpp"
#include "models/results/measures.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/scenario.hpp"

/// What a plan is judged by: figures of a candidate, requirements on them, what is to be least or most; and how the
/// options `--require`, `--slowdown` and `--events` say so.

namespace saturn {

/// Complaints about options, collected so that the user sees all of them at once.
class OptionComplaints {
 public:
  /// @param option  as it was typed: "--free /jobs/0/count=8:1"
  void refuse(const std::string& option, std::string code, std::string text) {
    complaints_.push_back({.source = option, .code = std::move(code), .text = std::move(text)});
  }
  bool empty() const { return complaints_.empty(); }
  std::size_t count() const { return complaints_.size(); }
  /// @throws InputError  if there are any
  void stop_if_any() const {
    if (!complaints_.empty()) throw InputError(complaints_);
  }

 private:
  std::vector<Complaint> complaints_;
};

/// "latency_p99(emtrk) <= 50 ms".
struct Requirement {
  MeasureId figure{};
  std::string of{};     ///< model, pool, link or server; empty: the worst of them
  bool at_most = true;  ///< else at least
  double limit = 0.0;   ///< in the measure's unit
  std::string text{};   ///< as the user wrote it, or as he would have
};

/// What is to be least, or most.
struct Objective {
  MeasureId figure{};
  bool least = true;
  std::string name{};  ///< as on the command line: "fewest-gpus"
};

/// The figures of one candidate, as far as they are known: by formula, or simulated.
struct CandidateFigures {
  struct Entry {
    MeasureId figure{};
    std::string of{};  ///< empty: of all
    /// Of a bound, and where nothing has to be simulated (devices, rent): mean = low = high, replications = 0. A bound
    /// is the best value that is possible.
    Estimate value{};

    bool exact() const { return is_exact(figure->average); }
  };
  std::vector<Entry> entries{};

  void add(MeasureId figure, const Estimate& value, const std::string& of = "") {
    entries.push_back({figure, of, value});
  }
  /// A value without an interval.
  void add(MeasureId figure, double value, const std::string& of = "") { add(figure, exactly(value), of); }
  const Entry* find(MeasureId figure, std::string_view of = {}) const;
};

/// How far a figure is beyond a requirement's limit, relative to the limit (absolute where the limit is 0); negative
/// when within it.
double excess(const Requirement& requirement, double value);

/// The end of an interval that is worst for a requirement: with a limit there the estimate meets it beyond its noise.
double worst_end(const Requirement& requirement, const Estimate& value);
/// The other end: where even that misses, the requirement is missed beyond noise.
double best_end(const Requirement& requirement, const Estimate& value);

/// Reads "latency_p99(emtrk) <= 50 ms", or with a colon before the name. Complains (require.unknown_figure,
/// require.unknown_name, require.no_limit, require.wrong_unit, require.bare_slowdown).
std::optional<Requirement> read_requirement(const std::string& text, const Scenario& scenario,
                                            OptionComplaints& complaints);

/// Why a slowdown without a unit is refused: 1.05 is 5 % to whom it is a ratio, and 105 % to whom it is a share.
/// @returns nothing where the text is no bare number
std::optional<std::string> bare_slowdown(const std::string& text);

/// Reads "1 %", above 0. Complains (require.wrong_unit, require.bare_slowdown, require.contradictory).
std::optional<Requirement> read_slowdown(const std::string& text, OptionComplaints& complaints);

/// Reads "1e9", above 0. Complains (events.not_a_number).
std::optional<double> read_events(const std::string& text, OptionComplaints& complaints);

/// Complains about limits that nothing can meet, alone or two together (require.contradictory).
/// @param options  (requirements) as typed
void refuse_contradictions(std::span<const Requirement> requirements, std::span<const std::string> options,
                           std::optional<double> campaign_events, OptionComplaints& complaints);

/// What of a scenario a figure may be asked of: models, network resources, servers; empty where it takes no name.
std::vector<std::string> names_for(MeasureId figure, const Scenario& scenario);

}  // namespace saturn
