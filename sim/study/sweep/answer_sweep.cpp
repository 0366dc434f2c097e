#include <algorithm>
#include <fstream>
#include <iterator>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/deployment/batch_files.hpp"
#include "reports/run/provenance.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/studies.hpp"
#include "sim/study/sweep/sweep_study.hpp"
#include "sim/sweep/merge_folders.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_folder.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

namespace {

/// What merging found, line by line.
std::string words_on(const MergedFolders& merged, const std::filesystem::path& rows) {
  const PointCounts& counts = merged.counts;
  const std::uint64_t points = counts.answered + counts.imprecise + counts.failed + counts.missing;
  std::string words = "merged " + counted(merged.files, "result file") + ": " +
                      std::to_string(counts.answered + counts.imprecise) + " of " + std::to_string(points) +
                      " points answered";
  if (counts.imprecise > 0) words += " (" + std::to_string(counts.imprecise) + " less precisely than asked)";
  if (counts.failed > 0) words += ", " + std::to_string(counts.failed) + " failed";
  if (counts.missing > 0) words += ", " + std::to_string(counts.missing) + " missing";
  words += ".\n";
  if (merged.torn > 0) words += torn_lines_text(merged.torn) + " left out.\n";
  if (merged.unasked > 0)
    words += std::to_string(merged.unasked) + (merged.unasked == 1 ? " result answers" : " results answer") +
             " what this sweep does not ask; they were left alone.\n";
  if (counts.missing > 0)
    words += "Missing: points " + merged.missing +
             ". The shards that lack them, or the sweep without --shard, compute them.\n";
  return words + "Rows: " + rows.string() + "\n";
}

/// Results of another study would only lie about in this one.
void refuse_other_sweeps(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& others) {
  const SweepHeader own = read_header(folder);
  Complaints complaints;
  for (const std::filesystem::path& other : others) {
    if (!has_plan(other)) continue;
    const SweepHeader header = read_header(other);
    if (header.scenario_sha256 == own.scenario_sha256 && header.answer == own.answer && header.seed == own.seed)
      continue;
    complaints.add(other.string(), "sweep.another",
                   "This is the folder of another sweep (\"" + header.title +
                       "\"): its scenario, seed or answer is not that of " + folder.string() + ". Nothing was copied.");
  }
  complaints.raise();
}

}  // namespace

Reply answer_merge(const TypedCommand& typed, Monitor& /*monitor*/) {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> others;
  typed.take("folder", folder);
  typed.take("others", others);
  require_sweep_folder(folder);
  const FolderLock lock(folder, "sweep");
  refuse_other_sweeps(folder, others);
  MergedFolders merged = merge_folders(folder, others);
  refuse_conflicts({.conflicts = merged.conflicts});
  const std::filesystem::path rows = folder / "points.csv";
  write_points_csv(merged.table, rows);
  Reply reply = reply_with_points(std::move(merged.table),
                                  [](const SweepTable& all, TextStyle style) { return heat_map_text(all, {}, style); });
  reply.last_words = words_on(merged, rows);
  if (merged.counts.missing + merged.counts.imprecise > 0) reply.exit_code = ExitCode::precision_not_reached;
  return reply;
}

namespace {

/// So many points make a shard where nobody says how many shards there are.
constexpr std::uint64_t points_a_shard = 100;
/// Memory of the process that hands out points [byte].
constexpr std::uint64_t for_the_parent = 256ull << 20;
constexpr const char* scenario_copy = "scenario.json";
/// Slurm's usual limit of an array (MaxArraySize 1001).
constexpr std::uint64_t most_usual_shards = 1000;

std::uint64_t shards_of(const SweepRequest& options, std::uint64_t points) {
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
std::vector<std::string> shard_words(const SweepRequest& options) {
  std::vector<std::string> words = sweep_words(options);
  words.insert(words.end(), {"--point-time", options.point_time});
  if (options.point_memory) words.insert(words.end(), {"--point-memory", *options.point_memory});
  if (options.retry_failed) words.emplace_back("--retry-failed");
  return words;
}

BatchSweep batch_of(const SweepStudy& study, const SweepRequest& options, const std::string& folder) {
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

std::string file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_files(const std::vector<BatchFile>& files, const std::filesystem::path& folder, const std::string& option,
                 bool force) {
  std::error_code failed;
  for (const BatchFile& file : files) {
    const std::filesystem::path path = folder / file.name;
    std::filesystem::create_directories(path.parent_path(), failed);
    if (std::filesystem::exists(path, failed) && file_bytes(path) == file.text) continue;
    refuse_to_replace(option, path, force);
    write_new_file({option, path, file.text});
  }
}

/// Prepares a sweep's folder for a batch system: the plan, the scenario, and the files that submit and merge it.
/// @throws InputError
Reply write_batch_files(const SweepStudy& study, const SweepRequest& request) {
  const std::string option = request.slurm ? "--slurm" : "--htcondor";
  const std::string folder = request.slurm ? *request.slurm : *request.htcondor;
  if (folder.empty()) refuse_input(option, "out.no_name", option + " needs the name of a folder.");
  const std::string sweep_folder = request.output.out.value_or(folder);
  prepare_sweep_folder(sweep_folder);
  refuse_points(study, request);
  prepare_folder(study, request, sweep_folder);
  const BatchSweep batch = batch_of(study, request, std::filesystem::absolute(sweep_folder).string());
  write_files(request.slurm ? slurm_files(batch) : htcondor_files(batch), folder, option, request.output.force);
  return {.text = std::to_string(batch.points) + " points in " + counted(batch.shards, "shard") + ", in " +
                  printable_line(folder) + ". Submit them with\n  sh " +
                  printable_line(shell_word((std::filesystem::path(folder) / "submit.sh").string())) +
                  "\nand read README.md there: what each file does, and what happens when nodes die.\n"};
}

SweepRequest sweep_request(const TypedCommand& typed) {
  SweepRequest request{.scenario = scenario_options(typed), .output = output_options(typed)};
  typed.take("--axis", request.sweep.axes);
  typed.take("--where", request.sweep.where);
  typed.take("--sample", request.sweep.sample);
  typed.take("--sampling", request.sweep.sampling);
  typed.take("--answer", request.answer);
  request.methods = asked_methods(typed, request.methods);
  typed.take("--slowdown", request.slowdown);
  typed.take("--dry-run", request.dry_run);
  typed.take("--skip-refused", request.skip_refused);
  typed.take("--retry-failed", request.retry_failed);
  request.workers = machine_options(typed).processes;
  std::optional<std::string> budget;
  typed.take("--budget", budget);
  request.budget = Budget(budget);
  typed.take("--point-time", request.point_time);
  typed.take("--point-memory", request.point_memory);
  typed.take("--shard", request.shard);
  typed.take("--take-over", request.take_over);
  typed.take("--slurm", request.slurm);
  typed.take("--htcondor", request.htcondor);
  typed.take("--shards", request.shards);
  return request;
}

}  // namespace

Reply answer_sweep(const TypedCommand& typed, Monitor& monitor) {
  const SweepRequest request = sweep_request(typed);
  const bool batch = request.slurm || request.htcondor;
  if (!request.dry_run && !batch && (!request.output.out || request.output.out->empty()))
    refuse_input(
        "--out", "sweep.no_folder",
        "A sweep keeps its results in a folder, so that nothing is lost: name one with --out DIR, or add --dry-run to "
        "see its points.");
  if (request.shard) parse_shard(*request.shard);
  const SweepStudy study = understood(request, monitor);
  if (request.output.out) {
    std::vector<OutputFile> written;
    for (const char* name : sweep_file_names)
      written.push_back({"--out", std::filesystem::path(*request.output.out) / name});
    refuse_overlaps(written, files_read(study.read, request.scenario.scenario));
  }
  if (request.dry_run) {
    refuse_points(study, request);
    return list_points(study, request);
  }
  return batch ? write_batch_files(study, request) : execute_sweep(study, request, monitor);
}

}  // namespace saturn
