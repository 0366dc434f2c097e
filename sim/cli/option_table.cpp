#include "sim/cli/option_table.hpp"

#include <algorithm>
#include <array>

#include "models/words/texts.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

namespace {

using enum OptionGroup;
using enum ValueKind;

/// A row that is said word by word: Row(...).required().repeatable().
class Row : public OptionRow {
 private:
  template <class Member, class Value>
  constexpr Row with(Member OptionRow::*member, Value what) const {
    Row changed = *this;
    changed.*member = what;
    return changed;
  }

 public:
  constexpr Row(std::string_view its_verbs, std::string_view its_name, std::string_view its_value, ValueKind its_kind,
                OptionGroup its_group, std::string_view its_help)
      : OptionRow{its_verbs, its_name, its_value, its_kind, its_group, its_help} {}

  constexpr Row required() const { return with(&OptionRow::is_required, true); }
  constexpr Row of_simulations() const { return with(&OptionRow::simulates, true); }
  constexpr Row repeatable() const { return with(&OptionRow::is_repeatable, true); }
  constexpr Row from_to(std::uint64_t low, std::uint64_t high) const {
    return with(&OptionRow::least, low).with(&OptionRow::most, high);
  }
  constexpr Row one_of(std::string_view words) const { return with(&OptionRow::choices, words); }
  constexpr Row standard_is(std::string_view text) const { return with(&OptionRow::standard, text); }
  constexpr Row or_letter(std::string_view one) const { return with(&OptionRow::letter, one); }
  constexpr Row not_beside(std::string_view others) const { return with(&OptionRow::excludes, others); }
  constexpr Row only_with(std::string_view other) const { return with(&OptionRow::needs, other); }
  /// Understood for one version, and left out of help, man page and completion.
  /// The same answer without it.
  constexpr Row without_effect() const { return with(&OptionRow::decides, false); }
};

constexpr std::uint64_t most_seed = (std::uint64_t{1} << 53) - 1;
constexpr std::uint64_t most_workers = 4096;
constexpr std::uint64_t most_streams = 1'000'000'000'000;
constexpr std::uint64_t most_replica = 0xFFFF'FFFF;

constexpr std::array rows{
    // What the verb is about.
    Row("scenario", "scenario", "SCENARIO", ValueKind::scenario, argument,
        "A scenario file, or the name of a shipped scenario (saturn examples)")
        .required(),
    Row("compare", "other", "SCENARIO", ValueKind::scenario, argument,
        "The scenario to compare with; without it, the first with the changes of --set-b"),
    Row("new", "files", "[MODEL[@GPU]=]FILE", file, argument,
        "Measured files as calibrate reads them; of which model and on which GPU by what stands before =, else by the "
        "file or its name")
        .repeatable(),
    Row("calibrate", "files", "FILES", file, argument,
        "Output of perf_analyzer, Model Analyzer, Triton's metrics, ping, iperf3 -J, TimeTracker, FastTimerService, "
        "tables or numbers; recognised by content; with --fit measured cases, too")
        .required()
        .repeatable(),
    Row("validate", "case", "CASE | SCENARIO MEASURED", file, argument,
        "A shipped case, the beginning of its name, or a file in its schema; or a scenario and then files of your own "
        "measurements: tables, output of perf_analyzer or Model Analyzer; none: list the shipped cases")
        .repeatable(),
    Row("report", "what", "WHAT", ValueKind::scenario, argument,
        "A scenario file or the name of a shipped one, the folder of a sweep, or a fitted file")
        .required(),
    Row("merge", "folder", "DIR", folder, argument, "Folder of the sweep").required(),
    Row("show", "folder", "DIR", folder, argument, "The folder of a sweep, finished or not").required(),
    Row("merge", "others", "FOLDER...", folder, argument,
        "Folders of shards that ran elsewhere; their results are copied in")
        .repeatable(),
    Row("examples", "names", "NAME", ValueKind::scenario, argument, "Scenarios to print or copy; none: list them all")
        .repeatable(),
    Row("help", "verb", "VERB", ValueKind::verb, argument, "The verb; none: list them"),
    Row("completion", "shell", "bash|zsh|fish", choice, argument,
        "The shell that is to complete saturn's verbs, options and their words")
        .one_of("bash zsh fish")
        .required(),
    // Measured files.
    Row("validate", "--all", "", flag, question, "All shipped cases").not_beside("case"),
    Row("calibrate", "--model", "NAME", text, measurements,
        "Name of the model where a file does not say; the same for all files"),
    Row("new", "--models", "DIR", folder, question, "A Triton model repository: DIR/MODEL/config.pbtxt"),
    Row("new", "--model", "NAME", text, question, "A model, where there is no repository; may be repeated")
        .repeatable()
        .not_beside("--models"),
    Row("new", "--gpu", "TYPE[=PRICE]", text, question,
        "A type of GPU and its price, such as 't4=0.35 USD/h'; may be repeated, a server each")
        .repeatable(),
    Row("new", "--gpus", "N", whole, question, "GPUs of each type, one a node").from_to(1, 1'000'000),
    Row("new", "--jobs", "N", whole, question, "Jobs that run at the same time").from_to(1, 1'000'000'000),
    Row("new", "--cpu", "TIME", quantity, question, "What an event computes on its core, inference aside"),
    Row("new", "--spread", "SHARE", quantity, question,
        "How that varies between events: standard deviation over mean, default 20 %; 0 % where all take as long"),
    Row("new", "--items", "[MODEL=]N", text, question,
        "Inferences that an event needs, of each model or of one; 0 leaves it out")
        .repeatable(),
    Row("new", "--request-batch", "[MODEL=]N", text, question, "Items that a request carries").repeatable(),
    Row("new", "--on-cpu", "[MODEL=]TIME", text, question,
        "How long an event's inferences take on the job's own core, those of each model or of one")
        .repeatable(),
    Row("new", "--speedup", "[GPU=]N", text, question,
        "How many times as fast as a core a GPU is where nothing was measured, default 20")
        .repeatable(),
    Row("new", "--rtt", "TIME", quantity, question, "Round trip between jobs and GPUs"),
    Row("new", "--bandwidth", "RATE", quantity, question, "What the network between them carries"),
    Row("new", "--nic", "RATE", quantity, question, "What the network card of a server carries"),
    Row("new", "--variable-length", "N", whole, question, "Elements that a dimension of -1 has, default {}")
        .standard_is("100")
        .from_to(1, 1'000'000'000),
    Row("validate", "--model", "NAME", text, measurements, "Model of the scenario that your measured loads are of"),
    Row("new calibrate validate", "--batch", "N", whole, measurements,
        "Items that a request carried, perf_analyzer's -b, where a file does not say; else from Little's law")
        .from_to(1, 1'000'000'000),
    Row("validate", "--vary", "POINTER", text, measurements,
        "Pool whose jobs are your measured clients, such as /jobs/1/count"),
    Row("validate", "--median", "PERCENT", quantity, measurements,
        "Band for your measurements: what the median error may be"),
    Row("validate", "--worst", "PERCENT", quantity, measurements, "The same for the worst error"),
    Row("calibrate", "--shared", "FILE", file, measurements,
        "Loads of several instances that share a device: tells the device's part of a batch from the host's"),
    Row("calibrate", "--instances", "N", whole, measurements, "How many instances those are, default {}")
        .standard_is("2")
        .from_to(2, 64)
        .only_with("--shared"),
    Row("calibrate", "--scenario", "SCENARIO", ValueKind::scenario, changes,
        "Say where this scenario saturates by each source; with --fit, the scenario that is fitted"),
    Row("calibrate", "--fit", "/POINTER[=LOW:HIGH],...", text, question,
        "Fit these fields of a scenario to rows of the files, by simulating them: "
        "/servers/0/host/per_request,/devices/a100/contention=0:2")
        .repeatable()
        .not_beside("--shared"),
    Row("calibrate", "--points", "'ROW, ROW'", text, question,
        "The rows that are fitted, by their names, such as 'concurrency 8, concurrency 160'")
        .repeatable()
        .only_with("--fit"),
    Row("calibrate", "--quantities", "WORDS", text, question,
        "Which of a row's numbers are fitted, of time, rate, network, queue, compute, p50, p95 and p99; default {}")
        .standard_is("time,network")
        .only_with("--fit"),
    Row("calibrate", "--structure", "'NAME: /POINTER=VALUE; ...'", text, question,
        "A way in which the system may be made; of several, each is fitted, and the one with the least error outside "
        "the fitted rows is taken")
        .repeatable()
        .only_with("--fit"),
    Row("calibrate", "--judge", "'ROW, ROW'", text, question,
        "Rows that are not fitted and choose the structure; without them, each fitted row by a fit to the others")
        .repeatable()
        .only_with("--fit"),
    // What is changed in a scenario.
    Row("changing", "--set", "/POINTER=VALUE", text, changes,
        "Change a value, for example --set /jobs/0/count=300; \"*\" stands for every element or key; may be repeated")
        .repeatable(),
    Row("compare", "--set-a", "/POINTER=VALUE", text, changes,
        "Change one value of the first scenario alone; may be repeated")
        .repeatable(),
    Row("compare", "--set-b", "/POINTER=VALUE", text, changes,
        "Change one value of the second scenario alone; may be repeated")
        .repeatable(),
    Row("changing", "--seed", "N", whole, changes, "Seed of the random numbers, in place of the scenario's")
        .from_to(0, most_seed)
        .of_simulations(),
    // What is asked.
    Row("sweep", "--axis", "/POINTER=RANGE", text, points,
        "A place in the scenario and its values: /jobs/0/count=1:500:10, /models/*/max_batch_size=1:1024:x2, "
        "/network/links/0/rtt=0.1ms:100ms:log13; may be repeated; \"A=1,2 with B=3,4\" goes in step")
        .repeatable(),
    Row("sweep", "--where", "CONDITION", text, points,
        "What holds at every point, for example 'max_batch_size * 2 <= request_batch'; may be repeated")
        .repeatable(),
    Row("sweep", "--sample", "N", whole, points, "So many points in place of all").from_to(1, most_points),
    Row("sweep", "--sampling", "WORD", choice, points, "How: latin-hypercube (default) or random")
        .one_of("latin-hypercube random")
        .only_with("--sample"),
    Row("sweep", "--answer", "VERB", choice, question,
        "What each point answers: run (default; the scenario as it stands) or plan (jobs per GPU)")
        .one_of("run plan"),
    Row("plan compare", "--method", "METHODS", text, question,
        "By what it is answered: bounds, mva (mean value analysis), simulation, or several of them with commas; "
        "default all three. Without simulation formulas answer at once, whatever the number of jobs"),
    Row("sweep", "--method", "METHODS", text, question,
        "By what points are answered: bounds, mva (mean value analysis), simulation (default), or several of them with "
        "commas. Without simulation formulas answer at once, 10,000 points in seconds"),
    Row("plan report", "--slowdown", "SHARE", quantity, question,
        "Events may take so much longer than unloaded, default \"1 %\""),
    Row("sweep", "--slowdown", "SHARE", quantity, question,
        "Of plans and formulas: what events may take longer, default \"1 %\""),
    Row("plan report", "--loss", "SHARE", quantity, question,
        "Where events arrive from outside: so many of them may be lost by devices that keep up, default \"0.1 %\""),
    Row("plan", "--past-saturation", "", flag, question,
        "Let --slowdown alone say how many jobs there may be; without this, a plan ends where the first resource "
        "saturates, however much --slowdown allows"),
    Row("run", "--replica", "I", whole, simulation,
        "Simulate this replication alone (from 0), to look at one run again")
        .from_to(0, most_replica),
    Row("run", "--explain", "", flag, question,
        "Also simulate what an instance or a device more or less, other delays and other batches would gain")
        .not_beside("--replica"),
    Row("run plan report", "--no-calibration-draws", "", flag, simulation,
        "Take the values of fitted parameter files as exact; intervals are then those of the simulation alone")
        .of_simulations(),
    Row("plan", "--jobs", "N", whole, question, "GPUs for so many jobs, in place of the scenario's own number")
        .from_to(1, most_streams),
    Row("plan", "--free", "/POINTER[=RANGE]", text, search,
        "A value that may be chosen, by pointer, with its range: /jobs/0/count=1:500, "
        "/models/*/max_batch_size=16:1024:x2, /servers/0/site=fnal,iowa; may be repeated")
        .repeatable(),
    Row("plan", "--gpus", "[SERVER=]RANGE", text, search,
        "Devices of a server that may be bought, in nodes of --node-sizes: 1:32, or gke=1:32")
        .repeatable(),
    Row("plan", "--node-sizes", "LIST", text, search,
        "Devices that a node comes with, for example 1,4,8; default: the scenario's")
        .repeatable(),
    Row("plan", "--require", "'FIGURE <= VALUE'", text, search,
        "What must hold, for example 'latency_p99 <= 50 ms', 'rent <= 5 USD/h'; may be repeated. Figures: see below")
        .repeatable(),
    Row("plan", "--objective", "WORD", text, search,
        "What is best: fewest-gpus, cost (of a million events), rent (of all that is bought, an hour), energy, "
        "throughput, campaign-time, jobs-per-gpu, latency or deadline; with --gpus default: rent where there are "
        "prices, else fewest-gpus"),
    Row("plan", "--events", "N", quantity, search, "Events of a campaign, for campaign_time: 1e9"),
    Row("plan", "--spare-nodes", "N", whole, search,
        "Nodes of each server that are bought beyond those that work (N+1: 1)")
        .from_to(0, 1000),
    Row("plan", "--availability", "SHARE", quantity, search,
        "Instead: as many as keep all working nodes up with this probability, for example \"99.9 %\"")
        .not_beside("--spare-nodes"),
    Row("plan", "--node-availability", "SHARE", quantity, search,
        "Of one node alone, default: what the server's failures say, else \"99 %\"")
        .only_with("--availability"),
    Row("compare", "--least-difference", "SHARE", quantity, question,
        "Relative difference below which nobody decides, for example \"1 %\"; default is /run/precision of the first. "
        "With --alternatives: by which the service may be slower where it breaks even")
        .of_simulations(),
    Row("compare", "--alternatives", "", flag, question,
        "Compare CPU only, a GPU in each worker node, a service on site, the service of the scenario; or those of "
        "/alternatives"),
    Row("compare", "--node-cores", "N", whole, question,
        "With --alternatives: cores of a worker node, default {}: the jobs on them share its GPU")
        .standard_is("32")
        .from_to(1, 4096),
    Row("compare", "--core-price", "PRICE", quantity, question,
        "With --alternatives: rent of one core instead of /costs/core, for example \"0.03 USD/h\""),
    // What is shown of a sweep.
    Row("report show", "--metric", "NAME", text, view,
        "What is shown: a name as in points.csv, or a part of one; default: the first"),
    Row("report show", "--x", "AXIS", text, view, "Axis that goes to the right; alone: bars over this axis"),
    Row("report show", "--y", "AXIS", text, view, "Axis that goes upwards"),
    Row("report show", "--at", "AXIS=VALUE", text, view, "Only points at which an axis has this value; may be repeated")
        .repeatable(),
    Row("show", "--points", "", flag, view, "A table with one line a point, however many there are"),
    Row("schema", "--reference", "", flag, question, "Print the reference of every key (Markdown) instead"),
    Row("schema", "--measures", "", flag, question,
        "Print what every number of a run is and where it stands (Markdown) instead"),
    // How long and where from.
    Row("run", "--budget", "TIME", quantity, simulation,
        "Replications until the precision or, together, this wall time is reached, for example \"30 s\", in place of "
        "/run/max_replications; what is not done by then is left out, and without a replication the formulas answer, "
        "with exit code 4")
        .not_beside("--replica")
        .without_effect(),
    Row("plan", "--budget", "TIME", quantity, simulation,
        "Wall time of the whole answer (--time-limit: of a single simulation), for example \"30 s\"; what is known by "
        "then is the answer, or what the formulas say, with exit code 4 if it is not all that was asked")
        .of_simulations(),
    Row("compare", "--budget", "TIME", quantity, simulation,
        "Pairs of replications until the two differ, or this wall time is spent, for example \"30 s\", in place of "
        "/run/max_replications; it ends --alternatives too. Without one pair the formulas answer, with exit code 4")
        .without_effect()
        .of_simulations(),
    Row("sweep", "--budget", "TIME", quantity, machine,
        "Wall time for computing points, for example \"10 min\"; points that are not done by then are missing, with "
        "exit "
        "code 4, and the same command goes on from there")
        .not_beside("--slurm --htcondor")
        .without_effect(),
    Row("report", "--budget", "TIME", quantity, simulation,
        "Wall time for simulations, default {}; what is cut short is said on the page, with exit code 4")
        // With two cores a shipped scenario needs less for everything.
        .standard_is("45 s"),
    Row("plan", "--sensitivity", "", flag, question,
        "Also say how much every input moves the answer, and which measurement would narrow it most")
        .of_simulations(),
    Row("plan", "--falsify", "", flag, question,
        "Also say which measurements would contradict the plan: a number of jobs, and a perf_analyzer command a model, "
        "with what they should give")
        .of_simulations(),
    Row("sweep", "--skip-refused", "", flag, points, "Points at which values do not fit each other become failed rows"),
    // Files that are written, and how the answer is printed.
    Row("report", "--out", "FILE", file, output, "The HTML file; it opens anywhere, without a network"),
    Row("report", "--figures", "KINDS", text, output,
        "Also write every figure's rows (csv) and specification into FILE-figures/, and of these kinds: "
        "csv,svg,png,pdf"),
    Row("new", "--out", "FILE", file, output,
        "The scenario, and beside it what is fitted to measured files; without it, the scenario is printed"),
    Row("calibrate", "--out", "FILE", file, output,
        "Write the fits into this file, for {\"fitted\": FILE} in scenarios; with --fit, the fitted scenario"),
    Row("run", "--trace", "FILE.json", file, output,
        "Also record what streams, requests and instances do, as Chrome trace events (docs/traces.md)")
        .without_effect(),
    Row("run", "--timeline", "FILE.csv", file, output,
        "Also sample the use of every resource and the length of every queue over the whole run")
        .without_effect(),
    Row("run", "--trace-from", "TIME", quantity, output,
        "Simulated time from which on both record; without it --trace begins in the middle of the run")
        .without_effect(),
    Row("run", "--trace-for", "TIME", quantity, output,
        "Simulated time that both record; without it --trace records two event times")
        .without_effect(),
    Row("plan", "--emit", "DIR", folder, output,
        "Also write DIR/<model>/config.pbtxt, Triton's configuration of each model as it was planned with, "
        "values for SuperSONIC's Helm chart in both of its shapes, DIR/client.py for CMSSW's clients where calls have "
        "rules, and DIR/README.md: how to deploy them, and what would contradict the plan")
        .without_effect()
        .of_simulations(),
    Row("validate", "--summary", "", flag, output, "In tables, the scores alone").without_effect(),
    Row("validate", "--write", "FILE", file, output,
        "Also write the errors of every row as a page in Markdown; never over a file without --force")
        .without_effect(),
    Row("show", "--sqlite", "FILE", file, output, "Also write the points into this SQLite database").without_effect(),
    Row("examples", "--copy", "DIR", folder, output,
        "Copy them into this folder; never replaces a file without --force")
        .without_effect(),
    Row("answering", "--format", "FORMAT", choice, output,
        "How the answer is printed: table (default), markdown, csv, json or html")
        .one_of("table markdown csv json html")
        .without_effect(),
    Row("answering", "--details", "", flag, output, "Every table, not the first screen alone").without_effect(),
    Row("answering", "--quiet", "", flag, output, "Nothing on stderr but complaints").without_effect(),
    Row("files", "--out", "DIR", folder, output, "Also write result.json, result.csv and result.txt into this folder")
        .without_effect(),
    Row("sweep", "--out", "DIR", folder, output, "Folder of the sweep; the same command again goes on where it stopped")
        .without_effect(),
    Row("files", "--force", "", flag, output,
        "Let --out, --copy, --emit, --trace and --timeline replace files that exist")
        .without_effect(),
    Row("report", "--force", "", flag, output, "Let --out and --figures replace files that exist").without_effect(),
    Row("new", "--force", "", flag, output, "Let --out replace files that exist").without_effect(),
    Row("calibrate", "--force", "", flag, output, "Let --out replace a file that exists").without_effect(),
    Row("show", "--force", "", flag, output, "Let --sqlite replace a database that exists").without_effect(),
    Row("sweep", "--force", "", flag, output, "Let this sweep take the place of another one in the folder")
        .without_effect(),
    Row("sweep", "--dry-run", "", flag, output, "List the points, their number, and how long they will take")
        .without_effect(),
    // Batch systems and machines.
    Row("sweep", "--shard", "I/N", text, cluster,
        "Compute one of N parts, from 1/N to N/N; `saturn merge DIR` puts them together")
        .without_effect(),
    Row("sweep", "--take-over", "", flag, cluster,
        "Go on although another process seems to compute the shard (a requeued job); it does no harm")
        .only_with("--shard")
        .without_effect(),
    Row("sweep", "--slurm", "DIR", folder, cluster,
        "Write the sweep's Slurm jobs into a folder, and compute nothing; the sweep's folder is the same, or --out")
        .not_beside("--shard --htcondor")
        .without_effect(),
    Row("sweep", "--htcondor", "DIR", folder, cluster, "The same for HTCondor").not_beside("--shard").without_effect(),
    Row("sweep", "--shards", "N", whole, cluster,
        "Parts of a batch sweep; default: one for every 100 points, at most 1000")
        .from_to(1, 1'000'000)
        .without_effect(),
    Row("simulating", "--workers", "N", whole, machine,
        "Simulations at once; 0 (default) is one a core; results do not depend on it")
        .or_letter("-j")
        .from_to(0, most_workers)
        .without_effect()
        .of_simulations(),
    Row("sweep", "--workers", "N", whole, machine, "Workers; 0 (default) is one a core; results do not depend on it")
        .or_letter("-j")
        .from_to(0, most_workers)
        .without_effect(),
    Row("sweep", "--point-time", "TIME", quantity, machine, "Wall time of one point, default {}")
        .standard_is("1 h")
        .without_effect(),
    Row("sweep", "--point-memory", "SIZE", quantity, machine, "Memory of one point, default \"8 GB\"").without_effect(),
    Row("sweep", "--retry-failed", "", flag, machine, "Compute again what lack of time or memory, or a kill, ended")
        .without_effect(),
    Row("simulating", "--time-limit", "TIME", quantity, machine,
        "Wall time after which a single simulation is given up as failed, default {}")
        .standard_is("600 s")
        .without_effect()
        .of_simulations(),
    Row("simulating", "--memory-limit", "SIZE", quantity, machine, "Memory of one simulation, default {}")
        .standard_is("8 GB")
        .without_effect()
        .of_simulations(),
    Row("simulating", "--timing", "yes|no", choice, machine,
        "Say on a terminal how long the simulations took: yes (default) or no")
        .one_of("no yes")
        .without_effect()
        .of_simulations(),
};

constexpr std::array titles{"Arguments", "Question",   "Search",        "Scenario", "Points", "Measurements",
                            "View",      "Simulation", "Batch systems", "Output",   "Machine"};

}  // namespace

std::span<const OptionRow> option_rows() {
  static const std::vector<OptionRow> all(rows.begin(), rows.end());
  return all;
}

std::vector<const OptionRow*> options_of(std::string_view verb) {
  std::vector<std::string> meant = words_of(find_verb(verb)->shares);
  meant.emplace_back(verb);
  std::vector<const OptionRow*> found;
  for (const OptionRow& row : option_rows()) {
    const std::vector<std::string> verbs = words_of(row.verbs);
    if (std::find_first_of(verbs.begin(), verbs.end(), meant.begin(), meant.end()) != verbs.end())
      found.push_back(&row);
  }
  return found;
}

const OptionRow* find_option(std::string_view verb, std::string_view name) {
  for (const OptionRow* row : options_of(verb))
    if (row->name == name) return row;
  return nullptr;
}

std::string_view title_of(OptionGroup group) {
  return titles.at(static_cast<std::size_t>(group));
}

}  // namespace saturn
