#include "sim/study/measured/pointer_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/laws/parameter_spread.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/reply.hpp"

namespace saturn {

namespace {

using Point = std::vector<double>;

/// Bare numbers are taken to be about as large at least, where steps are chosen [1].
constexpr double least_scale_of_ratios = 0.1;

const MeasuredValue* value_of(const MeasuredRow& row, std::string_view quantity) {
  const auto found = std::find_if(row.point.values.begin(), row.point.values.end(),
                                  [&](const MeasuredValue& one) { return one.quantity->name == quantity; });
  return found == row.point.values.end() ? nullptr : &*found;
}

/// True of jobs that only send one request after the other: their rate is that number over the latency.
bool only_sends(const Scenario& scenario) {
  return std::all_of(scenario.jobs.begin(), scenario.jobs.end(), [](const JobPool& pool) {
    const auto* infer = pool.event.size() == 1 ? std::get_if<InferStage>(&pool.event.front()) : nullptr;
    return infer != nullptr && !infer->asynchronous && infer->in_flight == 1 && !pool.arrivals;
  });
}

/// The terms of a row beside its simulation.
class RowTerms {
 public:
  RowTerms(const ValidationRow& row, const MeasuredRow& measured) : row_(row), measured_(measured) {}

  std::vector<FitTerm> all(bool rate_follows, const std::vector<std::string>& fitted);

 private:
  const Estimate* estimate(std::string_view quantity) const;
  std::optional<double> simulated(std::string_view quantity) const;
  std::optional<double> ratio(std::string_view quantity) const;
  double own_error(std::string_view quantity) const;
  void add(const char* name, const std::optional<double>& residual);
  void add_parts();

  const ValidationRow& row_;
  const MeasuredRow& measured_;
  std::vector<FitTerm> terms_{};
};

const Estimate* RowTerms::estimate(std::string_view quantity) const {
  for (std::size_t i = 0; i < row_.measured.values.size(); ++i)
    if (row_.measured.values[i].quantity->name == quantity) return &row_.simulated[i];
  return nullptr;
}

std::optional<double> RowTerms::simulated(std::string_view quantity) const {
  const Estimate* found = estimate(quantity);
  return found == nullptr ? std::nullopt : std::optional(found->mean);
}

std::optional<double> RowTerms::ratio(std::string_view quantity) const {
  const MeasuredValue* value = value_of(measured_, quantity);
  if (value == nullptr) return std::nullopt;
  return std::log(std::max(*simulated(quantity), 1e-9 * value->value) / value->value);
}

double RowTerms::own_error(std::string_view quantity) const {
  const Estimate* timed = estimate(quantity);
  const bool knows = timed != nullptr && timed->mean > 0.0 && timed->high >= timed->low;
  return knows ? 0.5 * (timed->high - timed->low) / timed->mean : 0.0;
}

void RowTerms::add(const char* name, const std::optional<double>& residual) {
  if (residual) terms_.push_back({.name = name, .residual = *residual});
}

void RowTerms::add_parts() {
  const MeasuredValue* latency = value_of(measured_, "latency_mean_s");
  const MeasuredValue* queue = value_of(measured_, "queue_s");
  const MeasuredValue* compute = value_of(measured_, "compute_s");
  if (latency == nullptr) return;
  const auto share = [&](double computed, double seen) { return (computed - seen) / latency->value; };
  if (queue != nullptr && compute != nullptr)
    add("network", share(*simulated("latency_mean_s") - *simulated("queue_s") - *simulated("compute_s"),
                         latency->value - queue->value - compute->value));
  if (queue != nullptr) add("queue", share(*simulated("queue_s"), queue->value));
  if (compute != nullptr && compute->scored) add("compute", share(*simulated("compute_s"), compute->value));
}

std::vector<FitTerm> RowTerms::all(bool rate_follows, const std::vector<std::string>& fitted) {
  const char* whole = value_of(measured_, "event_time_s") != nullptr ? "event_time_s" : "module_time_s";
  const std::optional<double> event = ratio(whole);
  const std::optional<double> latency = ratio("latency_mean_s");
  add("time", event);
  add("time", latency);
  const bool has_rate = event || (latency && rate_follows);
  for (const char* rate : {"events_per_s", "requests_per_s", "items_per_s"}) {
    if (has_rate || value_of(measured_, rate) == nullptr) continue;
    add("rate", ratio(rate));
    break;
  }
  add_parts();
  // Parts are shares of the latency, and a rate is as well known as the time.
  const double known = own_error(latency ? "latency_mean_s" : whole);
  for (FitTerm& term : terms_) term.own_error = known;
  // Quantiles tell what scatters. Where nobody asks for them, they have no say in which structure is best.
  for (const std::string& name : fit_term_names()) {
    const std::string quantile = "latency_" + name + "_s";
    const bool asked = std::find(fitted.begin(), fitted.end(), name) != fitted.end();
    if (const std::optional<double> residual = ratio(quantile); asked && residual)
      terms_.push_back({.name = name, .own_error = own_error(quantile), .residual = *residual});
  }
  for (FitTerm& term : terms_) term.fitted = std::find(fitted.begin(), fitted.end(), term.name) != fitted.end();
  return std::move(terms_);
}

std::vector<double> fitted_residuals(const std::vector<FitTerm>& terms) {
  std::vector<double> residuals;
  for (const FitTerm& term : terms)
    if (term.fitted) residuals.push_back(term.residual);
  return residuals;
}

void append_all(std::vector<double>& list, const std::vector<double>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// A row in the scenario of a structure, ready to be simulated with other values.
struct PlacedScenario {
  const NamedRow* named = nullptr;
  ReadScenario read;
  std::string model{};
  bool rate_follows = false;
};

/// A row beside its simulation, and what that says.
struct SimulatedRow {
  ValidationRow row{};
  std::vector<FitTerm> terms{};
};

/// One structure with all rows.
class StructureFit {
 public:
  StructureFit(const FitQuestion& question, const NamedStructure& structure, const RunOptions& options);

  FittedStructure fitted();
  /// The values that are fitted, as numbers of a scenario; for the provenance.
  const std::string& resolved() const { return resolved_; }

 private:
  std::vector<Override> settings(const Point& point) const;
  const FitPointer& free(std::size_t i) const { return question_.pointers[free_[i]]; }
  bool dropped_unresponsive(const NonlinearFit& fit);
  std::vector<std::size_t> rows_for_fit() const;
  std::vector<std::vector<SimulatedRow>> simulated(std::span<const Point> points, const std::vector<std::size_t>& rows);
  ResidualsOf residuals_of(const std::vector<std::size_t>& rows);
  Point best_start(const std::vector<BoundedParameter>& parameters, const std::vector<std::size_t>& rows);
  Point start_by_formula(const std::vector<BoundedParameter>& parameters, const std::vector<std::size_t>& rows) const;
  std::optional<double> error_by_formula(const Point& point, const std::vector<std::size_t>& rows) const;
  void refuse_unidentified(const NonlinearFit& fit) const;
  void leave_out_each(const std::vector<BoundedParameter>& from, const NonlinearFit& fit, FittedStructure& found);
  std::string in_structure() const;

  const FitQuestion& question_;
  const NamedStructure& structure_;
  const RunOptions& options_;
  std::vector<PlacedScenario> rows_{};
  std::vector<std::size_t> free_{};  ///< indices of the fields that are fitted
  std::string resolved_{};
};

StructureFit::StructureFit(const FitQuestion& question, const NamedStructure& structure, const RunOptions& options)
    : question_(question), structure_(structure), options_(options) {
  for (std::size_t i = 0; i < question.pointers.size(); ++i)
    if (std::none_of(structure.set.begin(), structure.set.end(),
                     [&](const Override& one) { return one.pointer == question.pointers[i].pointer; }))
      free_.push_back(i);
  const std::vector<Override> after = question.after_row(structure);
  resolved_ = read_scenario_file(question.scenario, question.without_row(structure), read_platform_file).resolved;
  for (const NamedRow& named : question.rows) {
    std::vector<Override> overrides = named.row.set;
    overrides.insert(overrides.end(), after.begin(), after.end());
    PlacedScenario placed{.named = &named,
                          .read = read_scenario_file(question.scenario, overrides, read_platform_file)};
    MeasuredCase about;
    about.about.id = named.file;
    about.about.scenario = question.scenario;
    const bool of_model = std::any_of(named.row.point.values.begin(), named.row.point.values.end(),
                                      [](const MeasuredValue& value) { return value.quantity->of_model(); });
    if (of_model) placed.model = measured_model(about, named.row, placed.read.scenario);
    placed.rate_follows = only_sends(placed.read.scenario);
    rows_.push_back(std::move(placed));
  }
}

std::vector<Override> StructureFit::settings(const Point& point) const {
  std::vector<Override> all;
  for (std::size_t i = 0; i < point.size(); ++i) all.push_back({free(i).pointer, setting_text(point[i], free(i).type)});
  return all;
}

std::vector<std::size_t> StructureFit::rows_for_fit() const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!rows_[i].named->judges) rows.push_back(i);
  return rows;
}

std::vector<std::vector<SimulatedRow>> StructureFit::simulated(std::span<const Point> points,
                                                               const std::vector<std::size_t>& rows) {
  std::vector<Scenario> scenarios;
  for (const Point& point : points)
    for (const std::size_t row : rows) {
      Scenario one = rows_[row].read.again(settings(point));
      // As many at every point: they share their random numbers, so that differences are those of the values.
      one.run.max_replications = std::min(one.run.min_replications, one.run.max_replications);
      one.run.min_replications = one.run.max_replications;
      scenarios.push_back(std::move(one));
    }
  const std::vector<std::variant<Replicated, RunFailure>> results = replicate(scenarios, options_);
  std::vector<std::vector<SimulatedRow>> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const PlacedScenario& placed = rows_[rows[i % rows.size()]];
    if (const auto* failure = std::get_if<RunFailure>(&results[i])) throw RunFailed(*failure);
    const Results& summary = std::get<Replicated>(results[i]).summary;
    refuse_broken_laws(summary, "saturn calibrate --fit");
    if (i % rows.size() == 0) all.emplace_back();
    SimulatedRow& found = all.back().emplace_back();
    found.row = compared_row(placed.named->row, scenarios[i], placed.model, summary);
    found.terms = RowTerms(found.row, placed.named->row).all(placed.rate_follows, question_.quantities);
  }
  return all;
}

ResidualsOf StructureFit::residuals_of(const std::vector<std::size_t>& rows) {
  return [this, rows](std::span<const Point> points) {
    std::vector<std::vector<double>> all;
    for (const std::vector<SimulatedRow>& one : simulated(points, rows)) {
      std::vector<double>& residuals = all.emplace_back();
      for (const SimulatedRow& row : one) append_all(residuals, fitted_residuals(row.terms));
    }
    return all;
  };
}

/// Event time of a row as formulas compare it: measured, in closed loops that only send the latency.
std::optional<double> measured_event_time(const PlacedScenario& placed) {
  if (const MeasuredValue* event = value_of(placed.named->row, "event_time_s")) return event->value;
  const MeasuredValue* latency = value_of(placed.named->row, "latency_mean_s");
  const bool one_call = placed.rate_follows && placed.read.scenario.jobs.size() == 1;
  return latency != nullptr && one_call ? std::optional(latency->value) : std::nullopt;
}

std::optional<double> StructureFit::error_by_formula(const Point& point, const std::vector<std::size_t>& rows) const {
  std::vector<double> errors;
  for (const std::size_t i : rows) {
    const std::optional<double> measured = measured_event_time(rows_[i]);
    if (!measured) continue;
    const System system(rows_[i].read.again(settings(point)));
    ReferencePoint said = reference_point(system, Method::mva);
    if (!said.event_time_s) said = reference_point(system, Method::bounds);
    if (said.event_time_s && *said.event_time_s > 0.0) errors.push_back(std::log(*said.event_time_s / *measured));
  }
  return errors.empty() ? std::nullopt : std::optional(root_mean_square(errors));
}

Point StructureFit::start_by_formula(const std::vector<BoundedParameter>& parameters,
                                     const std::vector<std::size_t>& rows) const {
  Point best;
  for (const BoundedParameter& one : parameters) best.push_back(one.start);
  std::optional<double> least = error_by_formula(best, rows);
  if (!least) return best;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double from = best[i];
      for (const double factor : {1.0 / 64, 1.0 / 16, 0.25, 0.5, 2.0, 4.0, 16.0, 64.0}) {
        Point tried = best;
        tried[i] = std::clamp(from * factor, parameters[i].low, parameters[i].high);
        const std::optional<double> error = error_by_formula(tried, rows);
        // Formulas know nothing of some fields, and little of the others.
        if (!error || *error > 0.95 * *least) continue;
        least = error;
        best = tried;
      }
    }
  return best;
}

Point StructureFit::best_start(const std::vector<BoundedParameter>& parameters, const std::vector<std::size_t>& rows) {
  Point present;
  for (const BoundedParameter& one : parameters) present.push_back(one.start);
  std::vector<Point> candidates{present, start_by_formula(parameters, rows)};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (const double factor : {0.2, 0.5, 2.0, 5.0}) {
      candidates.push_back(present);
      candidates.back()[i] = std::clamp(present[i] * factor, parameters[i].low, parameters[i].high);
    }
  const std::vector<std::vector<double>> residuals = residuals_of(rows)(candidates);
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i)
    if (root_mean_square(residuals[i]) < root_mean_square(residuals[best])) best = i;
  return candidates[best];
}

std::string StructureFit::in_structure() const {
  return structure_.name.empty() ? "" : " (structure " + structure_.name + ")";
}

void StructureFit::refuse_unidentified(const NonlinearFit& fit) const {
  if (fit.unidentified.empty()) return;
  std::vector<Complaint> complaints;
  for (const Unidentified& one : fit.unidentified) {
    std::vector<std::string> pointers;
    for (const std::size_t i : one.parameters) pointers.push_back(free(i).pointer);
    const std::string text =
        one.alone ? "No named row responds to it" + in_structure() +
                        ": a value twice as large changes none of the "
                        "fitted numbers by 0.5 %. Leave it out, or name rows in which it matters."
                  : "The named rows tell only one combination of " + joined_and(pointers) + in_structure() +
                        ": changes of the one undo those of the other. Leave one out, or name rows at other loads.";
    complaints.push_back({.source = "--fit " + joined(pointers, ","), .code = "fit.not_identified", .text = text});
  }
  throw InputError(std::move(complaints));
}

/// Some structures have no use for a field, as one batch a device has none for contention: there it stays as it stands.
bool StructureFit::dropped_unresponsive(const NonlinearFit& fit) {
  if (structure_.name.empty()) return false;
  std::vector<std::size_t> kept = free_;
  for (const Unidentified& one : fit.unidentified)
    if (one.alone) std::erase(kept, free_[one.parameters.front()]);
  if (kept.empty() || kept.size() == free_.size()) return false;
  free_ = std::move(kept);
  return true;
}

void StructureFit::leave_out_each(const std::vector<BoundedParameter>& from, const NonlinearFit& fit,
                                  FittedStructure& found) {
  const std::vector<std::size_t> rows = rows_for_fit();
  if (rows.size() < 2) return;
  for (const std::size_t left_out : rows) {
    std::vector<std::size_t> others = rows;
    others.erase(std::find(others.begin(), others.end(), left_out));
    std::size_t numbers = 0;
    for (const std::size_t other : others) numbers += fitted_residuals(found.rows[other].terms).size();
    if (numbers < from.size()) continue;
    std::vector<BoundedParameter> start = from;
    for (std::size_t i = 0; i < start.size(); ++i) start[i].start = fit.values[i];
    const NonlinearFit without_it = fit_nonlinear(start, residuals_of(others));
    if (!without_it.unidentified.empty()) continue;
    SimulatedRow predicted = simulated({{without_it.values}}, {left_out}).front().front();
    found.rows[left_out].left_out = std::move(predicted.row);
    found.rows[left_out].terms_left_out = std::move(predicted.terms);
  }
}

/// Of all residuals of rows that were not fitted: those that judge, else those that were left out.
std::optional<double> error_outside(const FittedStructure& found, bool rows_judge) {
  std::vector<double> residuals;
  for (const FittedRow& row : found.rows)
    for (const FitTerm& term : rows_judge ? (row.judges ? row.terms : std::vector<FitTerm>{}) : row.terms_left_out)
      residuals.push_back(term.residual);
  return residuals.empty() ? std::nullopt : std::optional(root_mean_square(residuals));
}

bool has_judges(const FitQuestion& question) {
  return std::any_of(question.rows.begin(), question.rows.end(), [](const NamedRow& row) { return row.judges; });
}

FittedStructure StructureFit::fitted() {
  const std::vector<std::size_t> rows = rows_for_fit();
  const std::vector<BoundedParameter> all_fields = bounded_parameters(question_, resolved_, in_structure());
  std::vector<BoundedParameter> from;
  for (const std::size_t i : free_) from.push_back(all_fields[i]);
  Point start;
  for (const BoundedParameter& one : from) start.push_back(one.start);
  const std::size_t numbers = residuals_of(rows)({{start}}).front().size();
  if (numbers < from.size())
    refuse_input("--points", "fit.too_few_rows",
                 "The named rows have " + counted(numbers, "number") + " of " + joined_and(question_.quantities) +
                     " for " + counted(from.size(), "field") + "; name more rows, or fit fewer fields.");
  const Point best = best_start(from, rows);
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i].start = best[i];
    // A contention of 0.002 acts as 1.002: steps in proportion to it would be smaller than the noise.
    const bool has_unit = free(i).type.kind == PlaceKind::quantity;
    from[i].scale = has_unit && best[i] > 0.0 ? best[i] : std::max(best[i], least_scale_of_ratios);
  }
  std::vector<double> own_errors;
  const std::vector<std::vector<SimulatedRow>> begun = simulated({{best}}, rows);
  for (const SimulatedRow& row : begun.front())
    for (const FitTerm& term : row.terms)
      if (term.fitted) own_errors.push_back(term.own_error);
  const NonlinearFit fit = fit_nonlinear(from, residuals_of(rows), root_mean_square(own_errors));
  if (dropped_unresponsive(fit)) return fitted();
  refuse_unidentified(fit);

  FittedStructure found{.name = structure_.name};
  for (const Override& one : structure_.set) found.settings.push_back(text_of(one));
  for (std::size_t i = 0; i < from.size(); ++i) {
    const FitPointer& pointer = free(i);
    const bool has_unit = pointer.type.kind == PlaceKind::quantity;
    found.pointers.push_back({.pointer = pointer.pointer,
                              .unit = has_unit ? std::string(base_unit(pointer.type.dimension)) : "",
                              .setting = setting_text(fit.values[i], pointer.type),
                              .estimate = fit.estimates[i],
                              .at_bound = fit.at_bound[i]});
  }
  for (std::size_t i = 0; i < question_.pointers.size(); ++i)
    if (std::find(free_.begin(), free_.end(), i) == free_.end()) found.unused.push_back(question_.pointers[i].pointer);
  std::vector<std::size_t> all(rows_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<std::vector<SimulatedRow>> solution = simulated({{fit.values}}, all);
  for (SimulatedRow& one : solution.front()) {
    const NamedRow& named = *rows_[found.rows.size()].named;
    found.rows.push_back(
        {.file = named.file, .row = std::move(one.row), .judges = named.judges, .terms = std::move(one.terms)});
  }
  found.freedom = fit.freedom;
  found.fitted_error = root_mean_square(fit.residuals);
  leave_out_each(from, fit, found);
  found.outside = error_outside(found, has_judges(question_));
  return found;
}

/// A structure that cannot be fitted is one that loses; the only one is refused.
FittedStructure fitted_or_refused(StructureFit& structure, const NamedStructure& named, bool alone) {
  if (alone) return structure.fitted();
  try {
    return structure.fitted();
  } catch (const InputError& error) {
    FittedStructure refused{.name = named.name, .refused = in_one_line(error)};
    for (const Override& one : named.set) refused.settings.push_back(text_of(one));
    return refused;
  }
}

}  // namespace

PointerFitReport fitted_pointers(const FitQuestion& question, const RunOptions& options) {
  PointerFitReport report{.scenario = question.scenario, .rows_judge = has_judges(question), .data = question.data};
  const bool alone = question.structures.size() == 1;
  std::string resolved;
  std::uint64_t seed = 0;
  for (const NamedStructure& named : question.structures) {
    StructureFit structure(question, named, options);
    resolved += structure.resolved();
    report.structures.push_back(fitted_or_refused(structure, named, alone));
  }
  seed = read_scenario_file(question.scenario, question.changes, read_platform_file).scenario.run.seed;
  std::optional<double> least;
  for (std::size_t i = 0; i < report.structures.size(); ++i) {
    const std::optional<double>& error = report.structures[i].outside;
    if (!error || (least && *error >= *least)) continue;
    least = error;
    report.chosen = i;
  }
  if (!alone && !least)
    refuse_input(
        "--structure", "fit.no_structure",
        "No structure has an error outside the rows that it was fitted to: name rows that judge with --judge, "
        "or more rows with --points." +
            (report.structures.front().refused.empty() ? std::string()
                                                       : " The first says: " + report.structures.front().refused));
  report.provenance = provenance_of(resolved, seed, "");
  return report;
}

}  // namespace saturn
