#include "reports/deployment/batch_files.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <span>
#include <stdexcept>
#include <string_view>

#include "reports/tables/text_table.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/document/text_files.hpp"

namespace saturn {

std::span<const EmbeddedFile> deployment_templates();

namespace {

bool is_value_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

std::string filled_template(const std::string& name, const TemplateValues& values) {
  const auto files = deployment_templates();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& one) { return one.name == name + ".in"; });
  if (file == files.end()) throw std::logic_error("no template " + name);
  std::string_view rest = file->text;
  std::string text;
  while (true) {
    const std::size_t begin = rest.find('@');
    const std::size_t end = begin == std::string_view::npos ? begin : rest.find('@', begin + 1);
    if (end == std::string_view::npos) return text.append(rest);
    const std::string_view key = rest.substr(begin + 1, end - begin - 1);
    if (!is_value_name(key)) {
      text += rest.substr(0, end);
      rest.remove_prefix(end);
      continue;
    }
    const auto value = values.find(key);
    if (value == values.end()) throw std::logic_error(name + ": no value of " + std::string(key));
    text.append(rest.substr(0, begin)).append(value->second);
    rest.remove_prefix(end + 1);
  }
}

namespace {

constexpr std::uint64_t batch_mebibyte = 1u << 20u;

/// Scenario and options of the sweep, one a line, as a shell reads them.
std::string sweep_words(const BatchSweep& sweep) {
  std::string words = "sweep " + shell_word(sweep.scenario);
  for (const std::string& option : sweep.options) {
    // An option and its value share a line.
    words += (option.starts_with("--") ? " \\\n  " : " ") + shell_word(option);
  }
  return words;
}

/// What every template may use.
TemplateValues batch_values(const BatchSweep& sweep) {
  const std::string title = sweep.title.empty() ? "A sweep" : sweep.title;
  std::string about = title + ": " + whole_text(sweep.points) + " points in " + whole_text(sweep.shards) +
                      " shards. Made by saturn " + sweep.version + ".";
  // HTCondor goes on with a comment in the next line where this one ends in a backslash.
  std::replace(about.begin(), about.end(), '\\', '/');
  about = yaml_comment(about);
  if (about.ends_with('\n')) about.pop_back();
  const std::string directory = shell_word(sweep.directory);
  const std::string folder = shell_word(sweep.folder);
  const std::string program = shell_word(sweep.program);
  const std::string words = sweep_words(sweep);
  return {{"about", about},
          {"directory", directory},
          {"folder", folder},
          {"program", program},
          {"words", words},
          {"command", fenced_text("cd " + directory + "\n" + program + " " + words + " \\\n  --out " + folder)},
          {"shards", std::to_string(sweep.shards)},
          {"points", whole_text(sweep.points)},
          {"cores", std::to_string(sweep.cores)},
          {"core_word", sweep.cores == 1 ? "core" : "cores"},
          {"memory_mib", std::to_string((sweep.memory + batch_mebibyte - 1) / batch_mebibyte)},
          {"title", markdown_text(title)},
          {"version", sweep.version}};
}

/// The files of a batch system, run-local.sh and README.md. Each shard is one call of shard.sh, whoever makes it.
std::vector<BatchFile> batch_files(const std::string& system, const std::vector<std::string>& names,
                                   const TemplateValues& values) {
  std::vector<BatchFile> files;
  for (const std::string& name : names) {
    std::string file = system;
    files.push_back({name, filled_template(file.append("-").append(name), values)});
  }
  // GNU parallel is told by its version: moreutils has another program of that name.
  files.push_back({"run-local.sh", filled_template("run-local.sh", values)});
  files.push_back(
      {"README.md", filled_template("batch-README.md", values) + filled_template(system + "-README.md", values)});
  return files;
}

/// "shard-0003", in as many digits as the last shard needs and at least four.
std::string shard_folder(std::uint64_t shard, std::uint64_t shards) {
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(shards).size());
  return fmt::format("shard-{:0{}}", shard, digits);
}

/// A quarter of a job's time, within limits [s].
std::string quarter_s(Seconds time, double longest_s) {
  return std::to_string(static_cast<unsigned>(std::clamp(time.value / 4.0, 15.0, longest_s)));
}

std::string dag_text(const BatchSweep& sweep, const std::string& about) {
  // Code 4 says that points are less precise than asked, which another attempt would not change.
  std::string text = about + "\n# The merge follows when every shard has ended, well or not.\n";
  for (std::uint64_t shard = 1; shard <= sweep.shards; ++shard)
    text += fmt::format(
        "JOB shard{0} shard.sub\nVARS shard{0} shard=\"{0}\" folder=\"{1}\"\nRETRY shard{0} 10 UNLESS-EXIT 4\n", shard,
        shard_folder(shard, sweep.shards));
  return text + "FINAL merge merge.sub\n";
}

/// Where no copies travel, paths mean what they did where the command was given; a shipped scenario needs none.
std::string change_directory(const BatchSweep& sweep) {
  const std::string directory = shell_word(sweep.directory);
  return sweep.inputs.empty() ? "\nif [ -d " + directory + " ]; then cd " + directory + "; fi" : "";
}

/// "1-02:30:00" of days, hours and minutes, never less than asked.
std::string slurm_time(Seconds time) {
  constexpr double longest_min = 525600.0;
  const auto minutes = static_cast<unsigned>(std::clamp(std::ceil(time.value / 60.0), 1.0, longest_min));
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

}  // namespace

// Paths in shard.sh are relative: a job starts in a folder of its own with copies of what it needs. --foreground keeps
// timeout from passing a signal on twice. Its code 124 is the job's checkpoint: HTCondor brings the results home, and
// goes on. File transfer is asked for even where the file system is shared: condor_submit refuses ON_EXIT_OR_EVICT,
// which brings results home from an evicted job, together with IF_NEEDED.
std::vector<BatchFile> htcondor_files(const BatchSweep& asked) {
  // Result files hold some kilobytes a point.
  constexpr std::uint64_t points_a_mebibyte = 64;
  BatchSweep sweep = asked;
  // The scenario and what it names travel with the job; without copies it is read where the command was given.
  if (!sweep.inputs.empty()) sweep.scenario = "inputs/" + sweep.inputs.front().name;
  TemplateValues values = batch_values(sweep);
  values["digits"] = std::to_string(shard_folder(1, sweep.shards).size() - std::string_view("shard-").size());
  values["third"] = shard_folder(std::min<std::uint64_t>(3, sweep.shards), sweep.shards);
  values["time_s"] = std::to_string(static_cast<std::uint64_t>(std::ceil(sweep.time.value)));
  // How long a job computes before it brings home what it has: what an eviction may cost.
  values["save_s"] = quarter_s(sweep.time, 1800.0);
  values["disk_mib"] = std::to_string(1024 + sweep.points / sweep.shards / points_a_mebibyte);
  values["change_directory"] = change_directory(sweep);
  std::vector<BatchFile> files =
      batch_files("htcondor", {"shard.sh", "merge.sh", "shard.sub", "merge.sub", "submit.sh"}, values);
  files.insert(files.begin() + 4, {"sweep.dag", dag_text(sweep, values["about"])});
  for (const BatchFile& input : sweep.inputs) files.push_back({"inputs/" + input.name, input.text});
  return files;
}

// The signal goes to the shell of array.sbatch alone (B:), so that saturn gets it once; a second one would stop it at
// once. A cancelled job's signal reaches every process of the job, so that the shell has nothing to pass on. No srun: a
// step would add a process between, and a controller to wait for.
std::vector<BatchFile> slurm_files(const BatchSweep& sweep) {
  // The job that merges holds the results of all points.
  constexpr std::uint64_t bytes_a_point = 16384;
  TemplateValues values = batch_values(sweep);
  values["time"] = slurm_time(sweep.time);
  // How long before its end a job is told: long enough for the points that are running.
  values["lead_s"] = quarter_s(sweep.time, 300.0);
  values["merge_mib"] = std::to_string(1024 + sweep.points / (batch_mebibyte / bytes_a_point));
  return batch_files("slurm", {"shard.sh", "merge.sh", "array.sbatch", "merge.sbatch", "submit.sh"}, values);
}

}  // namespace saturn
