#include <array>

#include "sim/cli/completion.hpp"
#include "sim/cli/help.hpp"
#include "sim/cli/option_table.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

constexpr std::array verbs{
    VerbRow{.name = "new",
            .help = "Write a scenario from a Triton model repository, measured files and a few questions",
            .examples =
                "saturn new perf_*.csv --models model_repository --gpu t4 --out farm.json\n"
                "saturn new --models model_repository --jobs 400 --cpu '12 s' --items 800 --gpu 't4=0.35 USD/h'\n"
                "saturn new tagger=run1.csv tagger@a100=run2.csv ping.txt --gpu t4 --gpu a100 --out farm.json\n"
                "saturn new --model tagger --model tracker --items 100 --on-cpu '20 s' --rtt '30 ms'",
            .shares = "answering",
            .closing = "On a terminal it asks for what was not typed; Enter takes what stands in brackets. Elsewhere "
                       "that is assumed, and the scenario says so beside each value.",
            .answer = answer_new},
    VerbRow{.name = "check",
            .help = "Read a scenario and say what follows without simulating",
            .examples = "saturn check mine.json\n"
                        "saturn check protodune-big-batch --set /servers/0/devices/count=8\n"
                        "saturn check protodune-big-batch --format json",
            .shares = "scenario changing answering files",
            .answer = answer_check},
    VerbRow{.name = "run",
            .help = "Simulate a scenario as it stands",
            .examples = "saturn run protodune-big-batch\n"
                        "saturn run first-steps --explain\n"
                        "saturn run first-steps --budget '30 s' --set '/run/precision=0.1 %'\n"
                        "saturn run protodune-big-batch --set /jobs/0/count=300 --set '/jobs/0/event/0/cpu=100 s'\n"
                        "saturn run first-steps --trace run.json --timeline run.csv\n"
                        "saturn run mine.json --trace busy.json --trace-from '20 min' --trace-for '30 s' --replica 2\n"
                        "saturn run mine.json --seed 7 --format json --out results",
            .shares = "scenario changing simulating answering files",
            .answer = answer_run},
    VerbRow{.name = "plan",
            .help = "How many jobs one GPU carries, and how many GPUs N jobs need",
            .examples =
                "saturn plan protodune-big-batch\n"
                "saturn plan protodune-big-batch --slowdown '20 %' --past-saturation\n"
                "saturn plan protodune-big-batch --jobs 1000 --format json\n"
                "saturn plan protodune-big-batch --falsify\n"
                "saturn plan protodune-big-batch --emit model_repository\n"
                "saturn plan protodune-big-batch --sensitivity\n"
                "saturn plan protodune-big-batch --gpus 1:16 --free /jobs/0/event/2/request_batch=235:3760:x2 "
                "--objective cost\n"
                "saturn plan cms-cross-site --free /servers/0/site=purdue,iowa --gpus 1:8 --require 'latency_p99 <= "
                "50 ms' --objective fewest-gpus\n"
                "saturn plan mine.json --gpus l4=0:16 --gpus a100=0:8 --objective rent",
            .shares = "scenario changing simulating answering files",
            .answer = answer_plan},
    VerbRow{.name = "sweep",
            .help = "Answer a scenario at every point of some axes, and lose nothing",
            .examples =
                "saturn sweep protodune-big-batch --axis /jobs/0/count=20:400:20 --out study\n"
                "saturn sweep protodune-big-batch --answer plan --axis /jobs/0/event/2/request_batch=235:3760:x2 "
                "--axis /network/links/0/rtt=0.1ms:100ms:log7 --out map\n"
                "saturn sweep cms-cross-site --axis /jobs/0/count=100:2000:100 --axis /servers/0/devices/count=1,2,4 "
                "--where 'jobs.0.count <= 800 * devices.count' --dry-run\n"
                "saturn sweep protodune-big-batch --axis /jobs/0/count=1:500 --slurm study --shards 50",
            .shares = "scenario changing answering",
            .answer = answer_sweep},
    VerbRow{.name = "merge",
            .help = "Put the shards of a sweep together",
            .examples = "saturn merge study\n"
                        "saturn merge study from_site_a from_site_b --format csv",
            .shares = "answering",
            .answer = answer_merge},
    VerbRow{.name = "compare",
            .help = "Two scenarios; or the same jobs with CPU only, GPUs of their own, and a service",
            .examples = "saturn compare protodune-big-batch protodune-small-batch\n"
                        "saturn compare first-steps --set-b /servers/0/devices/count=8\n"
                        "saturn compare protodune-big-batch --alternatives\n"
                        "saturn compare protodune-big-batch --alternatives --core-price '0.03 USD/h'\n"
                        "saturn compare mine.json --alternatives --set /jobs/0/count=400 --format json",
            .shares = "scenario changing simulating answering files",
            .answer = answer_compare},
    VerbRow{.name = "calibrate",
            .help = "Fit service laws, times and rates to measured files",
            .examples = "saturn calibrate perf.csv --out fitted.json\n"
                        "saturn calibrate ping.txt iperf3.json timing.db --out site.json\n"
                        "saturn calibrate perf_client.txt rows.csv --scenario protodune-big-batch\n"
                        "saturn calibrate perf.csv --scenario mine.json --fit /devices/t4/contention "
                        "--points 'concurrency 8, concurrency 32' --out fitted.json",
            .shares = "changing simulating answering",
            .closing =
                "Then, in a scenario: \"service\": { \"t4\": { \"fitted\": \"fitted.json\" } }. Exit code 3: --fit "
                "found no values that come near the rows.",
            .answer = answer_calibrate},
    VerbRow{.name = "validate",
            .help = "Simulate measured configurations and print the errors",
            .examples = "saturn validate\n"
                        "saturn validate protodune_4T4_bigbatch_nodyn\n"
                        "saturn validate triton\n"
                        "saturn validate --all --summary\n"
                        "saturn validate --all --format csv\n"
                        "saturn validate --all --write validation.md\n"
                        "saturn validate my-scenario.json rows.csv\n"
                        "saturn validate my-scenario.json perf.csv --model resnet --median 5% --worst 15%",
            .shares = "changing simulating answering files",
            .closing = "Exit code 3: an error leaves the band that its case states or you ask for, or no row counts "
                       "for a band.",
            .answer = answer_validate},
    VerbRow{.name = "report",
            .help = "One HTML page with the figures, tables, assumptions and checks of a scenario or a sweep",
            .examples = "saturn report protodune-big-batch --out protodune.html\n"
                        "saturn report protodune-big-batch --out protodune.html --figures svg,pdf\n"
                        "saturn report my_sweep --out sweep.html\n"
                        "saturn report fitted.json --out fits.html",
            .shares = "changing simulating answering",
            .answer = answer_report},
    VerbRow{.name = "show",
            .help = "Show what a sweep found: table, bars, heat map, SQLite",
            .examples = "saturn show batching\n"
                        "saturn show batching --metric streams_per_gpu --x max_batch_size --y rtt --at "
                        "max_queue_delay=\"0.5 ms\"\n"
                        "saturn show batching --metric binding\n"
                        "saturn show batching --sqlite batching.db --quiet",
            .shares = "answering",
            .answer = answer_show},
    VerbRow{.name = "schema",
            .help = "Print the JSON Schema of scenarios, their reference, or that of numbers",
            .examples = "saturn schema > saturn-scenario.schema.json\n"
                        "saturn schema --reference\n"
                        "saturn schema --measures",
            .answer = answer_schema},
    VerbRow{.name = "examples",
            .help = "List, print or copy the shipped scenarios",
            .examples = "saturn examples\n"
                        "saturn examples first-steps\n"
                        "saturn examples --copy my-scenarios protodune-big-batch",
            .shares = "answering files",
            .answer = answer_examples},
    VerbRow{.name = "help",
            .help = "Explain a verb: examples first, then its options by what they are for",
            .examples = "saturn help plan\n"
                        "saturn plan --help",
            .answer = answer_help},
    VerbRow{.name = "completion",
            .help = "Print what lets a shell complete verbs, options, their words and scenarios",
            .examples = "saturn completion bash > ~/.local/share/bash-completion/completions/saturn\n"
                        "saturn completion zsh > ~/.zfunc/_saturn\n"
                        "saturn completion fish > ~/.config/fish/completions/saturn.fish",
            .answer = answer_completion},
    VerbRow{.name = "man",
            .help = "Print the manual page",
            .examples = "saturn man > saturn.1\n"
                        "saturn man | man -l -",
            .answer = answer_man},
    VerbRow{.name = "version",
            .help = "Print which saturn this is, and its SimGrid",
            .examples = "saturn version",
            .answer = answer_version},
};

}  // namespace

std::span<const VerbRow> verb_rows() {
  return verbs;
}

const VerbRow* find_verb(std::string_view name) {
  for (const VerbRow& row : verbs)
    if (row.name == name) return &row;
  return nullptr;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const VerbRow& row : verbs) names.emplace_back(row.name);
  return names;
}

}  // namespace saturn
