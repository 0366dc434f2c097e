#include "sim/cli/sweep_answer.hpp"

#include <iostream>
#include <unistd.h>

#include "reports/sweep_json.hpp"
#include "reports/sweep_pictures.hpp"
#include "reports/sweep_progress_text.hpp"
#include "reports/sweep_view.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/standard_files.hpp"
#include "sim/sweep/points_csv.hpp"

namespace saturn {

namespace {

/// Conflicts that are shown.
constexpr std::size_t shown_conflicts = 5;

}  // namespace

void refuse_conflicts(const ReadResults& results) {
  std::vector<Complaint> complaints;
  for (const ResultConflict& conflict : results.conflicts) {
    if (complaints.size() == shown_conflicts) break;
    complaints.push_back({.source = conflict.second.string(),
                          .code = "sweep.conflict",
                          .text = "The result of point " + conflict.id + " differs from that in " +
                                  conflict.first.string() +
                                  ", though both claim to answer the same. Two builds of the program, or a broken "
                                  "machine, wrote them: find out which file to trust, move the other one out of the "
                                  "folder, and give the command again.",
                          .excerpt = ""});
  }
  if (results.conflicts.size() > shown_conflicts)
    complaints.push_back({.source = "results",
                          .code = "sweep.conflict",
                          .text = std::to_string(results.conflicts.size() - shown_conflicts) + " more are the same.",
                          .excerpt = ""});
  if (!complaints.empty()) throw InputError(complaints);
}

SweepProgressLine::SweepProgressLine(bool quiet) : quiet_(quiet), shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

SweepProgressLine::~SweepProgressLine() {
  if (shown_) terminal_line() << "\r\033[K" << std::flush;
}

void SweepProgressLine::show(const SweepProgress& progress) {
  if (quiet_) return;
  if (progress.stopping && !said_stopping_) {
    said_stopping_ = true;
    if (shown_) terminal_line() << "\r\033[K";
    std::cerr << "Finishing the points that are being computed; interrupt once more to stop at once.\n" << std::flush;
  }
  if (shown_) terminal_line() << "\r\033[K" << sweep_progress_text(progress, {.colour = false}) << std::flush;
}

void say_kept(std::uint64_t kept, std::uint64_t points, const ReadResults& known, bool quiet) {
  if (quiet || kept + known.torn == 0) return;
  std::cerr << kept << " of " << points << " points are known already";
  if (known.torn > 0)
    std::cerr << "; " << known.torn << (known.torn == 1 ? " torn line was" : " torn lines were") << " left out";
  std::cerr << ".\n";
}

void give_sweep(const SweepTable& table, const OutputOptions& output) {
  give({.table =
            [&](TextStyle style) {
              return sweep_summary_text(table) + "\n" + heat_map_text(for_people(table), {}, style);
            },
        .json = [&] { return sweep_json(table); },
        .csv = [&] { return points_csv(table); }},
       {.format = output.format, .out = {}, .quiet = output.quiet});
}

void say_how_it_ended(const SweepEnd& end, const std::string& what, const std::filesystem::path& rows, bool quiet) {
  if (quiet) return;
  if (end.progress.tasks == 0)
    std::cerr << what << ": nothing was missing.\n";
  else
    std::cerr << what << ": " << sweep_end_text(end.progress, {}) << "\n";
  for (const std::string& words : end.last_words) std::cerr << "  " << words << "\n";
  if (end.interrupted) std::cerr << "Interrupted. The same command goes on from here.\n";
  std::cerr << "Rows: " << rows.string() << "\n";
}

}  // namespace saturn
