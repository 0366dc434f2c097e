#include "reports/deployment/batch_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/words/escaped_text.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;
namespace fs = std::filesystem;

namespace {

std::string whole_text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder whose name no shell script may take apart; it goes with the test.
class HostileFolder {
 public:
  HostileFolder() : root_((fs::temp_directory_path() / "saturn-batch-XXXXXX").string()) {
    if (mkdtemp(root_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    fs::create_directories(path());
  }
  ~HostileFolder() { fs::remove_all(root_); }
  HostileFolder(const HostileFolder&) = delete;
  HostileFolder& operator=(const HostileFolder&) = delete;

  fs::path path() const { return fs::path(root_) / "it's \"a\" $(touch oops); `touch oops` *\n-x \\"; }

  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = this->path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

 private:
  std::string root_;
};

struct ShellEnd {
  int code = -1;
  std::string text{};  ///< stdout and stderr
};

ShellEnd shell(const HostileFolder& folder, const std::string& command) {
  const fs::path out = folder.path() / "shell-output";
  const std::string line =
      "cd " + shell_word(folder.path().string()) + " && { " + command + "\n} >" + shell_word(out.string()) + " 2>&1";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), whole_text_of(out)};
}

/// In place of the program: leaves its folder and its words, each ended by a zero byte.
const std::string program_that_tells = R"sh(#!/bin/sh
{ printf '%s\0' "$(pwd)" "$@"; } >>"$TOLD"
)sh";

std::vector<std::string> told(const fs::path& path) {
  std::vector<std::string> words;
  std::istringstream text(whole_text_of(path));
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

BatchSweep hostile_sweep(const HostileFolder& folder) {
  BatchSweep sweep;
  sweep.program = folder.write("bin/a b;c", program_that_tells).string();
  sweep.scenario = "my 'own' $scenario.json";
  sweep.options = {"--axis", "/models/*/max_batch_size=1:8:x2", "--set", "/title=\"$(touch oops)\"\n\\",
                   "--skip-refused"};
  sweep.directory = folder.path().string();
  sweep.folder = (folder.path() / "results of `it`").string();
  sweep.title = "Line one\n#SBATCH --partition=none\nqueue 1000 \\";
  sweep.version = "1.2.3";
  sweep.points = 40;
  sweep.shards = 3;
  sweep.cores = 2;
  return sweep;
}

std::map<std::string, std::string> by_name(const std::vector<BatchFile>& files) {
  std::map<std::string, std::string> texts;
  for (const BatchFile& file : files) texts[file.name] = file.text;
  return texts;
}

void write_all(const HostileFolder& folder, const std::vector<BatchFile>& files) {
  for (const BatchFile& file : files) folder.write("batch/" + file.name, file.text);
}

/// What the program is to tell: its folder, and the words of `saturn sweep` as the sweep asks for them.
std::vector<std::string> expected_words(const BatchSweep& sweep, const std::string& folder, const std::string& scenario,
                                        const std::string& out) {
  std::vector<std::string> words{folder, "sweep", scenario};
  words.insert(words.end(), sweep.options.begin(), sweep.options.end());
  for (const char* word : {"--out", out.c_str(), "--shard", "2/3", "--take-over", "--quiet", "--workers", "2"})
    words.emplace_back(word);
  return words;
}

std::string line_with(const std::string& text, const std::string& begin) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(begin)) return line;
  return "";
}

std::string environment(const HostileFolder& folder) {
  return "PATH=" + shell_word((folder.path() / "bin").string()) +
         ":\"$PATH\" TOLD=" + shell_word((folder.path() / "told").string()) + " ";
}

/// Ends the wait for a file that never comes.
const std::string until_there = R"sh(
until_there() { tries=0; until [ -s "$1" ] || [ $tries -ge 2000 ]; do sleep 0.01; tries=$((tries + 1)); done; }
)sh";

}  // namespace

TEST_CASE("a shell reads every word back as it was") {
  const std::string special = "$`'\"\\ \n\t;&|<>(){}[]*?!#~=%@-a1";
  std::vector<std::string> words{""};
  for (int byte = 1; byte < 256; ++byte) words.emplace_back(1, static_cast<char>(byte));
  for (const char first : special)
    for (const char second : special)
      for (const char third : special) words.push_back({first, second, third});
  std::string command = "printf '%s\\0'";
  std::string expected;
  for (const std::string& word : words) {
    command += " " + shell_word(word);
    expected += word + '\0';
  }
  const HostileFolder folder;
  folder.write("script", command);
  CHECK(shell(folder, "sh ./script").text == expected);
  CHECK(shell(folder, "bash ./script").text == expected);
}

TEST_CASE("a shard of a Slurm array calls the program with exactly the sweep's words, where the sweep was given") {
  const HostileFolder folder;
  const BatchSweep sweep = hostile_sweep(folder);
  write_all(folder, slurm_files(sweep));
  const ShellEnd end = shell(folder, "cd / && " + environment(folder) + "sh " +
                                         shell_word((folder.path() / "batch/shard.sh").string()) + " 2 --workers 2");
  CHECK(end.code == 0);
  CHECK(end.text == "");
  CHECK(told(folder.path() / "told") == expected_words(sweep, sweep.directory, sweep.scenario, sweep.folder));
  CHECK(!fs::exists(folder.path() / "oops"));
}

TEST_CASE("an HTCondor shard computes from copies in the job's folder into a folder that goes home") {
  const HostileFolder folder;
  BatchSweep sweep = hostile_sweep(folder);
  sweep.inputs = {{"own 'scenario'.json", "{}"}, {"traces/a b.csv", "1\n"}};
  write_all(folder, htcondor_files(sweep));
  CHECK(whole_text_of(folder.path() / "batch/inputs/traces/a b.csv") == "1\n");
  const ShellEnd end = shell(folder, "cd batch && " + environment(folder) + "sh ./shard.sh 2 --workers 2");
  CHECK(end.code == 0);
  CHECK(end.text == "");
  const std::string here = (folder.path() / "batch").string();
  CHECK(told(folder.path() / "told") ==
        expected_words(sweep, here, "inputs/own 'scenario'.json", here + "/shard-0002"));
  CHECK(fs::is_directory(folder.path() / "batch/shard-0002"));
}

TEST_CASE("every script is one that its shell understands, and titles stay comments") {
  const HostileFolder folder;
  const BatchSweep sweep = hostile_sweep(folder);
  for (const auto& files : {slurm_files(sweep), htcondor_files(sweep)}) {
    write_all(folder, files);
    for (const BatchFile& file : files) {
      CAPTURE(file.name);
      const std::string words = shell_word("batch/" + file.name);
      if (file.name.ends_with(".sh")) CHECK(shell(folder, "sh -n " + words).text == "");
      if (file.name.ends_with(".sbatch")) CHECK(shell(folder, "bash -n " + words).text == "");
      CHECK(line_with(file.text, "#SBATCH --partition") == "");
      CHECK(line_with(file.text, "queue 1000") == "");
      if (file.name.ends_with(".sub")) CHECK_FALSE(holds(file.text, "\\\n"));
    }
  }
}

TEST_CASE("times and memory of a job are rounded up, and it is told before its end") {
  struct Row {
    double time_s;
    std::uint64_t memory;
    const char* time;
    const char* memory_line;
    const char* signal;
  };
  for (const Row& row : {Row{60, 1, "0-00:01:00", "1M", "B:USR1@15"}, Row{61, 1048576, "0-00:02:00", "1M", "B:USR1@15"},
                         Row{1000, 1048577, "0-00:17:00", "2M", "B:USR1@250"},
                         Row{90000, 4ull << 30, "1-01:00:00", "4096M", "B:USR1@300"}}) {
    CAPTURE(row.time_s);
    BatchSweep sweep;
    sweep.time = Seconds{row.time_s};
    sweep.memory = row.memory;
    const std::string job = by_name(slurm_files(sweep)).at("array.sbatch");
    CHECK(line_with(job, "#SBATCH --time") == std::string("#SBATCH --time=") + row.time);
    CHECK(line_with(job, "#SBATCH --mem") == std::string("#SBATCH --mem=") + row.memory_line);
    CHECK(line_with(job, "#SBATCH --signal") == std::string("#SBATCH --signal=") + row.signal);
  }
}

TEST_CASE("a job that runs out of time passes the signal on once, waits for what is saved, and queues again") {
  struct Row {
    const char* signal;
    int saved_code;  // of the program after the signal
    int code;
    const char* requeued;
  };
  // A cancelled job's SIGTERM reaches the program by itself, so that none may come from the job's shell.
  for (const Row& row : {Row{"USR1", 130, 130, "requeue 77\n"}, Row{"USR1", 0, 0, ""}, Row{"TERM", 0, 0, ""}}) {
    CAPTURE(row.signal);
    CAPTURE(row.saved_code);
    const HostileFolder folder;
    BatchSweep sweep = hostile_sweep(folder);
    sweep.program = folder
                        .write("bin/slow", R"sh(#!/bin/sh
trap 'echo term >>"$TOLD.signals"' TERM
trap 'echo usr1 >>"$TOLD.signals"' USR1
echo $$ >"$TOLD.pid"
tries=0
while [ ! -e "$TOLD.end" ] && [ $tries -lt 2000 ]; do sleep 0.01; tries=$((tries + 1)); done
exit "$CODE"
)sh")
                        .string();
    folder.write("bin/scontrol", "#!/bin/sh\necho \"$@\" >>\"$TOLD.scontrol\"\n");
    write_all(folder, slurm_files(sweep));
    folder.write("drive", until_there + R"sh(
export SLURM_SUBMIT_DIR="$PWD/batch" SLURM_ARRAY_TASK_ID=2 SLURM_CPUS_PER_TASK=2 SLURM_JOB_ID=77 SLURMD_NODENAME=n1
bash batch/array.sbatch >/dev/null &
job=$!
until_there "$TOLD.pid"
kill -)sh" + std::string(row.signal) +
                              R"sh( $job
if [ )sh" + row.signal + R"sh( = USR1 ]; then until_there "$TOLD.signals"; else sleep 0.1; fi
echo >"$TOLD.end"
wait $job
)sh");
    const ShellEnd end = shell(folder, environment(folder) + "CODE=" + std::to_string(row.saved_code) + " sh ./drive");
    CHECK(end.text == "");
    CHECK(end.code == row.code);
    CHECK(whole_text_of(folder.path() / "told.signals") == (std::string(row.signal) == "USR1" ? "term\n" : ""));
    CHECK(whole_text_of(folder.path() / "told.scontrol") == row.requeued);
  }
}

TEST_CASE("submitting names both jobs, ties the merge to the shards, and is refused while they are there") {
  const HostileFolder folder;
  write_all(folder, slurm_files(hostile_sweep(folder)));
  folder.write("bin/sbatch", R"sh(#!/bin/sh
echo "$@" >>"$TOLD"
[ "$2" != --bad ] || exit 1
case "$*" in *afterany*) echo '12;cluster' ;; *) echo '11;cluster' ;; esac
)sh");
  folder.write("bin/squeue", "#!/bin/sh\n[ ! -e \"$TOLD.queued\" ] || echo running\n");
  const std::string submit =
      "cd / && " + environment(folder) + "sh " + shell_word((folder.path() / "batch/submit.sh").string());
  const ShellEnd first = shell(folder, submit + " --partition=long");
  CHECK(first.text == "shards: job 11\nmerge: job 12\n");
  CHECK(whole_text_of(folder.path() / "told") ==
        "--parsable --partition=long array.sbatch\n"
        "--parsable --partition=long --dependency=afterany:11 merge.sbatch\n");
  CHECK(fs::is_directory(folder.path() / "batch/logs"));
  folder.write("told.queued", "");
  const ShellEnd second = shell(folder, submit);
  CHECK(second.code == 1);
  CHECK(second.text == "submit.sh: job 11 of this sweep has not ended; wait for it, or: scancel 11\n");
  fs::remove(folder.path() / "told.queued");
  CHECK(shell(folder, submit).code == 0);
  CHECK(shell(folder, submit + " --bad").code == 1);
}

TEST_CASE("without a batch system the same shards run once each, then the merge") {
  const HostileFolder folder;
  BatchSweep sweep = hostile_sweep(folder);
  sweep.program = folder
                      .write("bin/tell", R"sh(#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in merge) echo merge "$2" >>"$TOLD" ;; --shard) echo "$2" >>"$TOLD" ;; esac
  shift
done
)sh")
                      .string();
  write_all(folder, slurm_files(sweep));
  SUBCASE("by whatever is installed") {}
  SUBCASE("by xargs, where parallel is another program") {
    folder.write("bin/parallel", "#!/bin/sh\nexit 1\n");
  }
  const ShellEnd end = shell(folder, environment(folder) + "sh ./batch/run-local.sh 2");
  CHECK(end.code == 0);
  CHECK(end.text == "");
  std::istringstream text(whole_text_of(folder.path() / "told"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  REQUIRE(lines.size() >= 4);
  std::sort(lines.begin(), lines.begin() + 3);
  // The hostile folder has a line break in its name.
  CHECK(std::vector<std::string>(lines.begin(), lines.begin() + 3) == std::vector<std::string>{"1/3", "2/3", "3/3"});
  CHECK(lines[3].starts_with("merge "));
}

TEST_CASE("the DAG has a node for every shard, and the merge as its final one") {
  BatchSweep sweep;
  sweep.shards = 12000;
  std::istringstream dag(by_name(htcondor_files(sweep)).at("sweep.dag"));
  std::map<std::string, std::set<std::string>> nodes;  // by keyword
  std::set<std::string> folders;
  for (std::string keyword, node, shard, path, line; std::getline(dag, line);) {
    std::istringstream(line) >> keyword >> node >> shard >> path;
    nodes[keyword].insert(node);
    if (keyword != "VARS") continue;
    CHECK(shard == "shard=\"" + node.substr(5) + "\"");
    folders.insert(path);
  }
  CHECK(nodes["JOB"].size() == 12000);
  CHECK(nodes["JOB"] == nodes["VARS"]);
  CHECK(nodes["JOB"] == nodes["RETRY"]);
  CHECK(nodes["FINAL"] == std::set<std::string>{"merge"});
  CHECK(folders.size() == 12000);
  CHECK(folders.contains("folder=\"shard-00007\""));
}
