#include <map>
#include <memory>

#include "sim/cli/options.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

using SweepOptions = SweepRequest;

ExitCode sweep(const SweepRequest& request) {
  OutputOptions printed = request.output;
  // There --out is the sweep's own folder.
  printed.out.reset();
  return print_answer([&](Monitor& monitor) { return answer_sweep(request, monitor); }, printed);
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

using MergeOptions = MergeRequest;

ExitCode merge(const MergeRequest& request) {
  return print_answer([&](Monitor& /*monitor*/) { return answer_merge(request); }, request.output);
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
