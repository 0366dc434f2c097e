#include "sim/cli/sweep_batch.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

#include "models/printable_text.hpp"
#include "models/words/texts.hpp"
#include "reports/batch_files.hpp"
#include "reports/provenance.hpp"
#include "reports/shell_word.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/new_file.hpp"
#include "sim/cli/sweep_execution.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_folder.hpp"

namespace saturn {

namespace {

/// So many points make a shard where nobody says how many shards there are.
constexpr std::uint64_t points_a_shard = 100;
/// Memory of the process that hands out points [byte].
constexpr std::uint64_t for_the_parent = 256ull << 20;
constexpr const char* scenario_copy = "scenario.json";
/// Slurm's usual limit of an array (MaxArraySize 1001).
constexpr std::uint64_t most_usual_shards = 1000;

std::uint64_t shards_of(const SweepOptions& options, std::uint64_t points) {
  if (options.shards) return std::min(*options.shards, points);
  return std::clamp<std::uint64_t>((points + points_a_shard - 1) / points_a_shard, 1, most_usual_shards);
}

std::string this_program() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "saturn" : program.string();
}

/// Values of traces and platforms stand in files of their own, which the resolved document only names.
bool stands_alone(const Scenario& scenario) {
  const bool traced = std::any_of(scenario.jobs.begin(), scenario.jobs.end(), [](const JobPool& pool) {
    return pool.arrivals && std::holds_alternative<TraceArrivals>(*pool.arrivals);
  });
  return !traced && !scenario.platform;
}

/// Options of a shard: those of the points, and what a point may use.
std::vector<std::string> shard_words(const SweepOptions& options) {
  std::vector<std::string> words = sweep_words(options);
  words.insert(words.end(), {"--point-time", options.point_time});
  if (options.point_memory) words.insert(words.end(), {"--point-memory", *options.point_memory});
  if (options.retry_failed) words.emplace_back("--retry-failed");
  return words;
}

BatchSweep batch_of(const SweepStudy& study, const SweepOptions& options, const std::string& folder) {
  BatchSweep batch{.program = this_program(),
                   .scenario = options.scenario.scenario,
                   .options = shard_words(options),
                   .directory = std::filesystem::current_path().string(),
                   .folder = folder,
                   .title = study.read.scenario.title,
                   .version = provenance_of("", 0, "").version,
                   .points = study.space.size(),
                   .shards = shards_of(options, study.space.size()),
                   .cores = std::max(1u, options.workers)};
  // Few points come near their limit, so a job asks for as much as is usual unless somebody knows better.
  batch.memory = batch.cores * (options.point_memory ? options.memory_of_a_point() : batch.memory) + for_the_parent;
  // The copy is what the plan was made of, whatever becomes of the file while jobs queue.
  std::error_code ignored;
  if (std::filesystem::exists(options.scenario.scenario, ignored) && stands_alone(study.read.scenario)) {
    if (options.htcondor) {
      batch.inputs.push_back({.name = scenario_copy, .text = study.read.resolved});
    } else {
      batch.scenario = (std::filesystem::path(batch.folder) / scenario_copy).string();
      replace_file(batch.scenario, study.read.resolved);
    }
  }
  return batch;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_files(const std::vector<BatchFile>& files, const std::filesystem::path& folder, const std::string& option,
                 bool force) {
  std::error_code failed;
  for (const BatchFile& file : files) {
    const std::filesystem::path path = folder / file.name;
    std::filesystem::create_directories(path.parent_path(), failed);
    if (std::filesystem::exists(path, failed) && bytes_of(path) == file.text) continue;
    refuse_to_replace(option, path, force);
    write_new_file(option, path, file.text);
  }
}

}  // namespace

ExitCode write_batch_files(const SweepStudy& study, const SweepOptions& options) {
  const std::string option = options.slurm ? "--slurm" : "--htcondor";
  const std::string folder = options.slurm ? *options.slurm : *options.htcondor;
  if (folder.empty())
    throw InputError(
        {{.source = option, .code = "out.no_name", .text = option + " needs the name of a folder.", .excerpt = ""}});
  const std::string sweep_folder = options.output.out.value_or(folder);
  prepare_sweep_folder(sweep_folder);
  refuse_points(study, options);
  prepare_folder(study, options, sweep_folder);
  const BatchSweep batch = batch_of(study, options, std::filesystem::absolute(sweep_folder).string());
  write_files(options.slurm ? slurm_files(batch) : htcondor_files(batch), folder, option, options.output.force);
  std::cout << batch.points << " points in " << counted_noun(batch.shards, "shard") << ", in " << printable_line(folder)
            << ". Submit them with\n  sh "
            << printable_line(shell_word((std::filesystem::path(folder) / "submit.sh").string()))
            << "\nand read README.md there: what each file does, and what happens when nodes die.\n";
  return ExitCode::answered;
}

}  // namespace saturn
