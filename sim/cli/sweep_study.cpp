#include "sim/cli/sweep_study.hpp"

#include "models/coarse_first.hpp"
#include "models/sha256.hpp"
#include "models/words/texts.hpp"
#include "reports/provenance.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/sweep/point_id.hpp"

namespace saturn {

namespace {

/// Refused points that are shown; more would bury what they have in common.
constexpr std::size_t shown_refusals = 5;

/// "point 7, where max_batch_size is 64, rtt is 5 ms"
std::string place_of(const SweepSpace& space, std::uint64_t point) {
  const std::vector<AxisColumn> columns = space.columns();
  const std::vector<AxisCell> cells = space.cells(point);
  std::vector<std::string> values;
  for (std::size_t c = 0; c < columns.size(); ++c) values.push_back(columns[c].name + " is " + cells[c].text);
  return "point " + std::to_string(point) + ", where " + joined(values);
}

}  // namespace

SweepStudy understood(const SweepOptions& options) {
  SweepStudy study{.read = load_scenario(options.scenario, options.output)};
  study.asked = point_asked(options, study.read.scenario);
  study.space = sweep_space(asked_sweep(options.sweep, study.read), study.read);
  return study;
}

void refuse_points(const SweepStudy& study, const SweepOptions& options) {
  if (options.skip_refused) return;
  const std::vector<RefusedPoint> refused = refused_points(study.space, study.read, study.space.size());
  if (refused.empty()) return;
  std::vector<Complaint> complaints;
  for (const RefusedPoint& point : refused) {
    if (complaints.size() == shown_refusals) break;
    Complaint complaint = point.complaints.front();
    complaint.source = place_of(study.space, point.point);
    complaint.line = complaint.column = 0;
    complaint.excerpt.clear();
    complaints.push_back(std::move(complaint));
  }
  complaints.push_back(
      {.source = "--axis",
       .code = "sweep.refused_points",
       .text =
           std::to_string(refused.size()) + " of " + std::to_string(study.space.size()) +
           " points are no valid scenario" +
           (refused.size() > shown_refusals ? "; the first " + std::to_string(shown_refusals) + " are above" : "") +
           ". Nothing was computed. Leave them out with --where, or add --skip-refused to have them as failed rows.",
       .excerpt = ""});
  throw InputError(complaints);
}

SweepHeader header_of(const SweepStudy& study, const SweepOptions& options) {
  return {.title = study.read.scenario.title,
          .scenario = options.scenario.scenario,
          .scenario_sha256 = sha256_hex(study.read.resolved),
          .answer = text_of(study.asked),
          .seed = study.read.scenario.run.seed,
          .axes = study.space.columns(),
          .points = study.space.size(),
          .version = provenance_of("", 0, "").version,
          .results = std::string(results_version)};
}

std::string id_of(const SweepStudy& study, std::uint64_t point) {
  return point_id({.answer = text_of(study.asked), .resolved = study.read.resolved_again(study.space.settings(point))});
}

SweepPlan plan_of(const SweepStudy& study, const SweepOptions& options) {
  SweepPlan plan{.header = header_of(study, options)};
  plan.points.reserve(study.space.size());
  for (std::uint64_t point = 0; point < study.space.size(); ++point)
    plan.points.push_back({.id = id_of(study, point), .cells = study.space.cells(point)});
  return plan;
}

std::vector<std::uint64_t> order_of(const SweepSpace& space) {
  std::vector<std::uint32_t> sizes;
  for (const SweepSpace::Axis& axis : space.axes())
    sizes.push_back(static_cast<std::uint32_t>(axis.cells.front().size()));
  return coarse_first(sizes, space.size(), [&](std::uint64_t point) { return space.steps(point); });
}

std::vector<std::uint64_t> order_of(const SweepSpace& space, const Shard& shard) {
  const std::vector<std::uint64_t> all = order_of(space);
  std::vector<std::uint64_t> own;
  for (std::uint64_t place = shard.number - 1; place < all.size(); place += shard.of) own.push_back(all[place]);
  return own;
}

}  // namespace saturn
