#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/words/facts_text.hpp"

/// What the saturation curve of a scenario is drawn from: the same jobs at several numbers of them.

namespace saturn {

/// What the formulas say at one number of clients. Times [s] and rates [1/s] of all pools together.
struct FormulaLoad {
  double clients = 0.0;                            ///< N, streams
  std::optional<double> bound_event_time_s{};      ///< lower bound
  std::optional<double> published_event_time_s{};  ///< the published saturation formula; absent outside its scope
  std::optional<double> mva_event_time_s{};        ///< mean value analysis
  /// Event time that goes with N clients: N over their rate, with set-up taken off.
  std::optional<double> bound_events_per_s{};
  std::optional<double> published_events_per_s{};
  std::optional<double> mva_events_per_s{};
};

/// One simulated number of clients.
struct SimulatedLoad {
  double clients = 0.0;
  Results summary{};
  bool precision_reached = true;
};

/// One published measurement at a number of clients.
struct PublishedLoad {
  std::string label{};
  double streams_per_device = 0.0;
  std::optional<double> event_time_s{};
  std::optional<double> event_time_sem_s{};
  std::optional<double> events_per_s{};
  bool counts = true;  ///< false: measured badly, or used for calibration
};

/// A scenario at one number of clients after the other.
struct SaturationStudy {
  std::string scenario{};  ///< its name, for subtitles
  std::uint64_t seed = 0;
  SystemFacts facts{};  ///< at the scenario's own number of jobs; devices, their word, knees
  /// Clients per device that a plan gives, within the tolerated slowdown; absent where nothing is contended.
  std::optional<Estimate> knee{};
  double tolerated_slowdown = 0.01;
  std::string mva_word{};                  ///< "exact MVA" or "approximate MVA"; empty: it is absent
  std::vector<FormulaLoad> formulas{};     ///< by clients, densely
  std::vector<SimulatedLoad> simulated{};  ///< by clients
  std::size_t own = 0;                     ///< index into `simulated` of the scenario's own number of clients
  std::vector<PublishedLoad> published{};
  std::string published_source{};  ///< where they are from; empty: there are none
  std::string published_words{};   ///< the same in a few words, for captions
};

}  // namespace saturn
