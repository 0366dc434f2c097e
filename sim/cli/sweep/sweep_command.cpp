#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/deployment/batch_files.hpp"
#include "reports/run/provenance.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/new_files.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/sweep/sweep_execution.hpp"
#include "sim/cli/sweep/sweep_options.hpp"
#include "sim/cli/sweep/sweep_study.hpp"
#include "sim/sweep/merge_folders.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_folder.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

/// Prepares a sweep's folder for a batch system: the plan, the scenario, and the files that submit and merge it.
/// @throws InputError
ExitCode write_batch_files(const SweepStudy& study, const SweepOptions& options);

namespace {

ExitCode sweep(const SweepOptions& options) {
  const bool batch = options.slurm || options.htcondor;
  if (!options.dry_run && !batch && (!options.output.out || options.output.out->empty()))
    refuse_input(
        "--out", "sweep.no_folder",
        "A sweep keeps its results in a folder, so that nothing is lost: name one with --out DIR, or add --dry-run to "
        "see its points.");
  if (options.shard) parse_shard(*options.shard);
  const SweepStudy study = understood(options);
  if (options.output.out) {
    std::vector<OutputFile> written;
    for (const char* name : sweep_file_names)
      written.push_back({"--out", std::filesystem::path(*options.output.out) / name});
    refuse_overlaps(written, files_read(study.read, options.scenario.scenario));
  }
  if (options.dry_run) {
    refuse_points(study, options);
    return list_points(study, options);
  }
  return batch ? write_batch_files(study, options) : execute_sweep(study, options);
}

void add_point_options(const Verb& verb, SweepOptions& options) {
  verb.add_option("--axis", options.sweep.axes,
                  "A place in the scenario and its values: /jobs/0/count=1:500:10, /models/*/max_batch_size=1:1024:x2, "
                  "/network/links/0/rtt=0.1ms:100ms:log13; may be repeated; \"A=1,2 with B=3,4\" goes in step")
      .repeatable()
      .type_name("/POINTER=RANGE");
  verb.add_option("--where", options.sweep.where,
                  "What holds at every point, for example 'max_batch_size * 2 <= request_batch'; may be repeated")
      .repeatable()
      .type_name("CONDITION");
  const VerbOption sample = verb.add_option("--sample", options.sweep.sample, "So many points in place of all")
                                .whole_number(1, most_points)
                                .type_name("N");
  const std::map<std::string, Sampling> samplings{{"latin-hypercube", Sampling::latin_hypercube},
                                                  {"random", Sampling::random}};
  verb.add_choice("--sampling", options.sweep.sampling, samplings, "How: latin-hypercube (default) or random")
      .needs(sample)
      .type_name("WORD");
  verb.add_option("--answer", options.answer,
                  "What each point answers: run (default; the scenario as it stands) or plan (clients per GPU)")
      .one_of({"run", "plan"})
      .type_name("VERB");
  verb.add_option("--slowdown", options.slowdown, "Of plans: what events may take longer, default \"1 %\"")
      .type_name("SHARE");
}

void add_execution_options(const Verb& verb, SweepOptions& options) {
  verb.add_option("--out", options.output.out, "Folder of the sweep; the same command again goes on where it stopped")
      .type_name("DIR");
  verb.add_flag("--dry-run", options.dry_run, "List the points, their number, and how long they will take");
  verb.add_flag("--skip-refused", options.skip_refused,
                "Points at which values do not fit each other become failed rows");
  verb.add_flag("--retry-failed", options.retry_failed, "Compute again what lack of time or memory, or a kill, ended");
  verb.add_flag("--force", options.output.force, "Let this sweep take the place of another one in the folder");
  add_workers_option(verb, options.workers, "Workers; 0 (default) is one a core; results do not depend on it");
  add_former_jobs(verb, options.workers);
  verb.add_option("--point-time", options.point_time, "Wall time of one point, default \"1 h\"").type_name("TIME");
  verb.add_option("--point-memory", options.point_memory, "Memory of one point, default \"8 GB\"").type_name("SIZE");
}

void add_cluster_options(const Verb& verb, SweepOptions& options) {
  const VerbOption shard =
      verb.add_option("--shard", options.shard,
                      "Compute one of N parts, from 1/N to N/N; `saturn merge DIR` puts them together")
          .type_name("I/N");
  verb.add_flag("--take-over", options.take_over,
                "Go on although another process seems to compute the shard (a requeued job); it does no harm")
      .needs(shard);
  const VerbOption slurm =
      verb.add_option("--slurm", options.slurm,
                      "Write the sweep's Slurm jobs into a folder, and compute nothing; the sweep's "
                      "folder is the same, or --out")
          .excludes(shard)
          .type_name("DIR");
  const VerbOption htcondor =
      verb.add_option("--htcondor", options.htcondor, "The same for HTCondor").excludes(shard).type_name("DIR");
  slurm.excludes(htcondor);
  verb.add_option("--shards", options.shards, "Parts of a batch sweep; default: one for every 100 points, at most 1000")
      .whole_number(1, 1'000'000)
      .type_name("N");
}

}  // namespace

void add_sweep_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "sweep", "Answer a scenario at every point of some axes, and lose nothing");
  const auto options = std::make_shared<SweepOptions>();
  add_scenario_options(verb, options->scenario);
  add_format_options(verb, options->output);
  add_point_options(verb, *options);
  add_execution_options(verb, *options);
  add_cluster_options(verb, *options);
  verb.footer(
      "Examples:\n"
      "  saturn sweep protodune-big-batch --axis /jobs/0/count=20:400:20 --out study\n"
      "  saturn sweep protodune-big-batch --answer plan --axis /jobs/0/event/2/request_batch=235:3760:x2 "
      "--axis /network/links/0/rtt=0.1ms:100ms:log7 --out map\n"
      "  saturn sweep cms-cross-site --axis /jobs/0/count=100:2000:100 --axis /servers/0/devices/count=1,2,4 "
      "--where 'jobs.0.count <= 800 * devices.count' --dry-run\n"
      "  saturn sweep protodune-big-batch --axis /jobs/0/count=1:500 --slurm study --shards 50");
  verb.answers(chosen, [options] { return sweep(*options); });
}

namespace {

struct MergeOptions {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> others;
  OutputOptions output;
};

void say_merged(const MergedFolders& merged, const std::filesystem::path& rows) {
  const PointCounts& counts = merged.counts;
  const std::uint64_t points = counts.answered + counts.imprecise + counts.failed + counts.missing;
  std::cerr << "merged " << counted_noun(merged.files, "result file") << ": " << counts.answered + counts.imprecise
            << " of " << points << " points answered";
  if (counts.imprecise > 0) std::cerr << " (" << counts.imprecise << " less precisely than asked)";
  if (counts.failed > 0) std::cerr << ", " << counts.failed << " failed";
  if (counts.missing > 0) std::cerr << ", " << counts.missing << " missing";
  std::cerr << ".\n";
  if (merged.torn > 0)
    std::cerr << merged.torn << (merged.torn == 1 ? " torn line was" : " torn lines were") << " left out.\n";
  if (merged.unasked > 0)
    std::cerr << merged.unasked << (merged.unasked == 1 ? " result answers" : " results answer")
              << " what this sweep does not ask; they were left alone.\n";
  if (counts.missing > 0)
    std::cerr << "Missing: points " << merged.missing
              << ". The shards that lack them, or the sweep without --shard, compute them.\n";
  std::cerr << "Rows: " << rows.string() << "\n";
}

/// Results of another study would only lie about in this one.
void refuse_other_sweeps(const MergeOptions& options) {
  const SweepHeader own = read_header(options.folder);
  std::vector<Complaint> complaints;
  for (const std::filesystem::path& other : options.others) {
    if (!has_plan(other)) continue;
    const SweepHeader header = read_header(other);
    if (header.scenario_sha256 == own.scenario_sha256 && header.answer == own.answer && header.seed == own.seed)
      continue;
    complaints.push_back({.source = other.string(),
                          .code = "sweep.another",
                          .text = "This is the folder of another sweep (\"" + header.title +
                                  "\"): its scenario, seed or answer is not that of " + options.folder.string() +
                                  ". Nothing was copied.",
                          .excerpt = ""});
  }
  if (!complaints.empty()) throw InputError(complaints);
}

ExitCode merge(const MergeOptions& options) {
  require_sweep_folder(options.folder);
  const FolderLock lock(options.folder, "sweep");
  refuse_other_sweeps(options);
  const MergedFolders merged = merge_folders(options.folder, options.others);
  refuse_conflicts({.conflicts = merged.conflicts});
  const std::filesystem::path rows = options.folder / "points.csv";
  write_points_csv(merged.table, rows);
  give_sweep(merged.table, options.output);
  if (!options.output.quiet) say_merged(merged, rows);
  return merged.counts.missing + merged.counts.imprecise > 0 ? ExitCode::precision_not_reached : ExitCode::answered;
}

}  // namespace

void add_merge_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "merge", "Put the shards of a sweep together");
  const auto options = std::make_shared<MergeOptions>();
  verb.add_option("folder", options->folder, "Folder of the sweep").required().type_name("DIR");
  verb.add_option("others", options->others, "Folders of shards that ran elsewhere; their results are copied in")
      .type_name("FOLDER...");
  add_format_options(verb, options->output);
  verb.footer(
      "Examples:\n"
      "  saturn merge study\n"
      "  saturn merge study from_site_a from_site_b --format csv");
  verb.answers(chosen, [options] { return merge(*options); });
}

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
