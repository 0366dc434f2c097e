#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formula/system.hpp"

// What formulas say beside the simulation: the bound, the published formula, mean value analysis, the open network.
// Each takes a System, as the simulation takes its scenario.
namespace saturn {

/// A way of answering, the coarsest first.
enum class Method {
  bounds,      ///< asymptotic bounds, and the published formula, which is the devices' one
  mva,         ///< mean value analysis; where events arrive the open network
  simulation,  ///< of which formulas know nothing
};

/// What each is called wherever it is asked for, in the order of Method.
inline constexpr std::array<std::string_view, 3> method_words{"bounds", "mva", "simulation"};

constexpr std::string_view name_of(Method method) {
  return method_words.at(static_cast<std::size_t>(method));
}

/// Some of the methods.
class Methods {
 public:
  constexpr Methods(std::initializer_list<Method> some) {
    for (const Method one : some) add(one);
  }

  constexpr void add(Method one) { has_.at(static_cast<std::size_t>(one)) = true; }
  constexpr bool has(Method one) const { return has_.at(static_cast<std::size_t>(one)); }
  /// Nothing is simulated for an answer by these.
  constexpr bool formulas_alone() const { return !has(Method::simulation); }

  /// The coarsest first.
  std::vector<Method> all() const;
  /// "bounds,mva"
  std::string text() const;

  bool operator==(const Methods&) const = default;

 private:
  std::array<bool, method_words.size()> has_{};
};

inline constexpr Methods every_method{Method::bounds, Method::mva, Method::simulation};

/// What one way says of a system's own number of streams.
struct ReferencePoint {
  Method by = Method::bounds;
  std::string method;  ///< "bound", "published formula", "exact MVA" or "approximate MVA", "open network"
  std::optional<double>
      event_time_s{};  ///< mean over the events of all pools [s]; absent when the method does not apply
  std::optional<double> events_per_s{};  ///< [1/s]
  std::string remark{};                  ///< its scope, or why it is absent
};

/// Bound, published formula, and mean value analysis, or where events arrive the open network.
/// @param methods  whose points are computed
std::vector<ReferencePoint> reference_points(const System& system, const Methods& methods = every_method);

/// The one that answers for a method: the bound, or mean value analysis, or the open network.
/// @param method  not the simulation
ReferencePoint reference_point(const System& system, Method method);

/// What one way says of how many streams a device carries.
struct PlanRow {
  Method by = Method::bounds;
  std::string method;            ///< "published formula", "bound", "exact MVA" or "approximate MVA", "simulation"
  std::optional<double> knee{};  ///< streams per device at which the binding resource saturates
  std::optional<double> streams_per_gpu{};  ///< within the tolerated slowdown, not rounded
  std::optional<double> low{}, high{};      ///< its interval, when it has one
  std::string remark{};                     ///< why it differs from the others, or why it is absent
};

/// Published formula, bound and mean value analysis. Microseconds to milliseconds.
/// @param slowdown  tolerated, > 0
/// @param methods   whose rows are computed
std::vector<PlanRow> instant_rows(const System& system, double slowdown, const Methods& methods = every_method);

/// Streams at which mean value analysis puts the tolerated slowdown.
struct MvaCrossing {
  std::optional<double> clients;  ///< not rounded: interpolated between whole numbers
  std::string why_not;            ///< why there is no such number; empty when there is
};

/// "does not apply: ..." where the stations of mean value analysis cannot stand for the scenario: several kinds of
/// jobs, streams that wait for their jobs' cores, calls in flight together; else empty.
std::string why_no_mva(const Scenario& scenario);

/// Largest N with R(N) <= (1 + slowdown)·R(1) by exact mean value analysis. Absent where its stations cannot stand for
/// the scenario: several kinds of jobs, or calls in flight together. Where the scenario has product form only nearly
/// (constant service times, say) it is an approximation; ClosedNetwork::product_form_violations says why.
/// @param slowdown  tolerated, > 0
/// Cost: O(N·c), milliseconds for thousands of streams
MvaCrossing mva_crossing(const System& system, double slowdown);

/// Streams per device that the formulas give at once, as a plan would clip them: mean value analysis where times are
/// random and it applies, else the bound. What a plan's answer moves with when a parameter changes.
/// @param past_saturation  more than saturate the first resource, as far as the slowdown allows
/// @returns not rounded; infinite where nothing saturates
/// Cost: that of mean value analysis, milliseconds for thousands of streams
double instant_streams_per_gpu(const System& system, double slowdown, bool past_saturation);

/// How many streams formulas allow.
struct FormulaStreams {
  Method by = Method::bounds;  ///< mean value analysis where it is asked for, and the bound is not or times are random
  std::optional<double> streams{};  ///< in all, not rounded, saturated or not; infinite where nothing saturates
  std::string why_not{};            ///< where mean value analysis alone is asked for, and does not apply
};

/// @param slowdown  tolerated, > 0
/// @param methods   of which the simulation adds nothing; at least one of the others
FormulaStreams streams_within(const System& system, double slowdown, const Methods& methods);

}  // namespace saturn
