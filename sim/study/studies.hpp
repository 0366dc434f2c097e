#pragma once

#include "sim/study/typed_command.hpp"

/// A function a verb: what was typed becomes an answer. Files are refused before anything is simulated for them.
/// @throws InputError        what is wrong with the request
/// @throws RunFailed         a simulation gave no result
/// @throws std::logic_error  a law that every run must satisfy is broken

namespace saturn {

/// What follows from a scenario without simulation.
Reply answer_check(const TypedCommand& typed, Monitor& monitor);
/// The shipped scenarios: their list, their texts, or copies.
Reply answer_examples(const TypedCommand& typed, Monitor& monitor);
/// A scenario made of a model repository, measured files, and what is typed or answered.
Reply answer_new(const TypedCommand& typed, Monitor& monitor);
/// The schema of scenarios, their reference, or that of the numbers of a run.
Reply answer_schema(const TypedCommand& typed, Monitor& monitor);
/// Which saturn this is, and its SimGrid.
Reply answer_version(const TypedCommand& typed, Monitor& monitor);
/// The scenario as it stands, simulated.
Reply answer_run(const TypedCommand& typed, Monitor& monitor);
/// How many jobs a device carries, how many devices jobs or arrivals need, or the best of all candidates.
Reply answer_plan(const TypedCommand& typed, Monitor& monitor);
/// Two scenarios with the same random numbers, until one is better or nobody would care; or CPU only, devices in the
/// worker nodes, a service on site and the service of the scenario.
Reply answer_compare(const TypedCommand& typed, Monitor& monitor);
/// The points of a sweep, in its folder; their list; or the files of a batch system that computes them.
Reply answer_sweep(const TypedCommand& typed, Monitor& monitor);
/// The shards of a sweep, put together in its folder.
Reply answer_merge(const TypedCommand& typed, Monitor& monitor);
/// What a sweep found.
Reply answer_show(const TypedCommand& typed, Monitor& monitor);
/// Laws, times and rates that are fitted to measured files.
Reply answer_calibrate(const TypedCommand& typed, Monitor& monitor);
/// Measured configurations, simulated, and how far the simulation is off.
Reply answer_validate(const TypedCommand& typed, Monitor& monitor);
/// A page of HTML, written, and its figures.
Reply answer_report(const TypedCommand& typed, Monitor& monitor);

}  // namespace saturn
