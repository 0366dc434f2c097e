// Reads mutated scenarios and measured files and asks what `saturn check` and `saturn calibrate` ask of them. See
// scripts/fuzz-inputs.sh.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "calibration/calibrate.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "reports/calibration/calibration_report.hpp"
#include "reports/run/check_report.hpp"
#include "reports/run/provenance.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/formula/system_facts.hpp"
#include "tests/calibration/sample_files.hpp"
#include "tests/fuzz/guarded.hpp"
#include "tests/fuzz/mutate.hpp"

using namespace saturn;

namespace {

/// Every format of an answer.
void write_all(const Answer& answer) {
  terminal_text(answer, {}, false);
  terminal_text(answer, {}, true);
  markdown_text(answer);
  html_page(answer);
  json_text(answer);
  csv_text(answer);
}

const std::filesystem::path source = SATURN_SOURCE_FOLDER;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> scenarios() {
  std::vector<std::string> texts;
  for (const EmbeddedFile& file : shipped_scenarios()) texts.emplace_back(file.text);
  return texts;
}

std::vector<std::string> measured_files() {
  std::vector<std::string> texts;
  for (const tests::SampleFile& file : tests::sample_files()) texts.push_back(file.text);
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(source / "calibration/examples"))
    paths.push_back(entry.path());
  // The order of a folder is not the same everywhere.
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) texts.push_back(bytes_of(path));
  return texts;
}

/// Complaints must say something, in lines that do no harm.
void look_at(const InputError& refused) {
  if (refused.complaints().empty()) throw std::logic_error("refused without a complaint");
  for (const Complaint& complaint : refused.complaints())
    if (complaint.code.empty() || complaint.text.empty()) throw std::logic_error("a complaint without code or text");
  for (const char c : std::string_view(refused.what()))
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') throw std::logic_error("a control is echoed");
}

bool read_scenario(const std::string& text) {
  try {
    const ReadScenario read = read_scenario_text(text, (source / "scenarios/library/mutant.json").string(), {});
    const SystemFacts facts = gather_facts(read.scenario);
    write_all(check_answer(read, facts, provenance_of(read.resolved, read.scenario.run.seed, "saturn check")));
    return true;
  } catch (const InputError& refused) {
    look_at(refused);
    return false;
  }
}

bool read_measured(const std::string& text, const std::string& path) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  try {
    std::vector<MeasuredFile> files;
    files.push_back(read_measured_file(path));
    files = with_differences(std::move(files));
    const SavedCalibration saved{.data = fitted_data(files), .calibration = calibrate(files, "model")};
    write_all(calibration_answer(files, saved));
    fitted_file_json(saved);
    return true;
  } catch (const InputError& refused) {
    look_at(refused);
    return false;
  }
}

std::uint64_t number(const char* text) {
  std::uint64_t value = 0;
  const std::string_view view = text;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error == std::errc{} && end == view.data() + view.size()) return value;
  std::fprintf(stderr, "\"%s\" is no whole number\n", text);
  std::exit(64);
}

/// One kind of input: every case has a seed of its own, by which it can be made again.
class Fuzzing {
 public:
  Fuzzing(std::string kind, std::vector<std::string> samples, std::uint64_t seed, std::filesystem::path kept)
      : kind_(std::move(kind)), samples_(std::move(samples)), seed_(seed), kept_(std::move(kept)) {}

  std::string mutant(std::uint64_t index) const {
    fuzz::SeededDraws seeds(seed_ + index * 2 + (kind_ == "scenario" ? 0 : 1));
    return fuzz::mutant_of(samples_, fuzz::SeededDraws(seeds.next()));
  }

  template <class Read>
  std::uint64_t perform(std::uint64_t count, const Read& read) const {
    std::uint64_t findings = 0;
    const std::uint64_t answered = fuzz::each_guarded(
        count, [&](std::uint64_t index) { return read(mutant(index)); },
        [&](const fuzz::Finding& finding) {
          ++findings;
          const std::string file = (kept_ / (kind_ + "-" + std::to_string(finding.index))).string();
          std::ofstream(file, std::ios::binary) << mutant(finding.index);
          std::printf("%s %llu of seed %llu %s; kept as %s\n", kind_.c_str(),
                      static_cast<unsigned long long>(finding.index), static_cast<unsigned long long>(seed_),
                      finding.what.c_str(), file.c_str());
          std::fflush(stdout);
        });
    std::printf("%llu mutants of %zu %s inputs, seed %llu: %llu answered, the rest refused; %llu findings\n",
                static_cast<unsigned long long>(count), samples_.size(), kind_.c_str(),
                static_cast<unsigned long long>(seed_), static_cast<unsigned long long>(answered),
                static_cast<unsigned long long>(findings));
    return findings;
  }

 private:
  std::string kind_;
  std::vector<std::string> samples_;
  std::uint64_t seed_;
  std::filesystem::path kept_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: fuzz_inputs SEED SCENARIOS MEASURED FOLDER\n");
    return 64;
  }
  const std::uint64_t seed = number(argv[1]);
  const std::filesystem::path folder = argv[4];
  std::filesystem::create_directories(folder);
  const std::string scratch = (folder / ("mutant-" + std::to_string(getpid()))).string();
  std::uint64_t findings = Fuzzing("scenario", scenarios(), seed, folder).perform(number(argv[2]), read_scenario);
  findings +=
      Fuzzing("measured", measured_files(), seed, folder).perform(number(argv[3]), [&](const std::string& text) {
        return read_measured(text, scratch);
      });
  std::filesystem::remove(scratch);
  return findings == 0 ? 0 : 1;
}
