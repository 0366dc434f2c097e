#include <iostream>
#include <memory>

#include "scenarios/complaint.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/sweep_answer.hpp"
#include "sim/sweep/folder_lock.hpp"
#include "sim/sweep/merge_folders.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_folder.hpp"

namespace saturn {

namespace {

struct MergeOptions {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> others;
  OutputOptions output;
};

void say_merged(const MergedFolders& merged, const std::filesystem::path& rows) {
  const PointCounts& counts = merged.counts;
  const std::uint64_t points = counts.answered + counts.imprecise + counts.failed + counts.missing;
  std::cerr << "merged " << merged.files << (merged.files == 1 ? " result file: " : " result files: ")
            << counts.answered + counts.imprecise << " of " << points << " points answered";
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

}  // namespace saturn
