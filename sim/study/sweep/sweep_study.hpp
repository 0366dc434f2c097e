#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep/sweep_space.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/sweep/point_answers.hpp"
#include "sim/sweep/result_files.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// A sweep that was understood.
struct SweepStudy {
  ReadScenario read{};
  SweepSpace space{};
  PointAsked asked{};
};

/// Reads the scenario and understands axes, conditions and samples.
/// @throws InputError
SweepStudy understood(const SweepRequest& options, Monitor& monitor);

/// What the scenario refuses, if anything, unless such points are to become rows.
/// @param points  to look at; empty: all
/// @throws InputError  every complaint with the values of its point, and how many more there are
void refuse_points(const SweepStudy& study, const SweepRequest& options);

/// What plan.jsonl begins with.
SweepHeader header_of(const SweepStudy& study, const SweepRequest& options);

/// The id of a point. Cost: some 0.2 ms
std::string id_of(const SweepStudy& study, std::uint64_t point);

/// Header, ids and values of all points.
SweepPlan plan_of(const SweepStudy& study, const SweepRequest& options);

/// The points in the order in which they are computed: a coarse picture first.
std::vector<std::uint64_t> order_of(const SweepSpace& space);

/// The same, of one shard: every so many-th.
std::vector<std::uint64_t> order_of(const SweepSpace& space, const Shard& shard);

/// Results of one id that differ can come from no one program.
/// @throws InputError  sweep.conflict, with both files of the first ones
void refuse_conflicts(const ReadResults& results);

/// "1 torn line was", "2 torn lines were"
std::string torn_lines_text(std::uint64_t torn);

/// What a sweep found: a summary and a picture for people, all points for programs.
Reply reply_with_points(SweepTable points, std::function<std::string(const SweepTable&, TextStyle)> picture);

/// Computes what is missing of a sweep in its folder, or a shard of it, and answers with what there is then.
/// @throws InputError
Reply execute_sweep(const SweepStudy& study, const SweepRequest& options, Monitor& monitor);

/// The points, their number, and how long they will take, tried out on a few of them. Writes nothing.
Reply list_points(const SweepStudy& study, const SweepRequest& options);

/// Makes the folder of a sweep known, so that shards and merge find it: plan.jsonl and provenance.json.
/// @returns the plan that stands in it now
/// @throws InputError  sweep.another (the folder holds another sweep; --force replaces its plan)
SweepPlan prepare_folder(const SweepStudy& study, const SweepRequest& options, const std::filesystem::path& folder,
                         Monitor& monitor);

}  // namespace saturn
