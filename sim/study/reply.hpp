#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

/// What the program's exit code means. Scripts rely on it.
enum class ExitCode {
  answered = 0,
  our_bug = 1,
  input = 2,               ///< something is wrong with what the user gave
  no_plan = 3,             ///< no number of jobs, or of devices, meets the constraints
  outside_band = no_plan,  ///< validate: an error leaves its stated band; calibrate: no fit; what was asked is not met
  precision_not_reached = 4,  ///< the results are printed all the same
  usage = 64,                 ///< the command line itself
  interrupted = 130,
};

/// A file that an answer brings beside what is printed.
struct AnswerFile {
  std::string option{};  ///< that asked for it: "--emit"
  std::filesystem::path path{};
  std::string text{};
  std::string not_writable = "out.not_writable";  ///< code of the complaint when it cannot be written
};

/// What a study found, how the program ends, and what it leaves behind. Without an answer or a text, nothing is
/// printed.
struct Reply {
  std::optional<Answer> answer{};
  std::string text{};  ///< is printed as it is, whatever the format
  ExitCode exit_code = ExitCode::answered;
  std::vector<AnswerFile> files{};  ///< to be written once the answer is printed
  std::string last_words{};         ///< lines for stderr after that
};

/// There is no plan. @param why  a sentence
Reply reply_without_plan(const std::string& why, Provenance provenance);

/// A simulation gave no result. Its text says why and how to repeat that one run.
class RunFailed : public std::runtime_error {
 public:
  explicit RunFailed(const RunFailure& failure);

  /// Interrupted, the limits of the user or the machine (input), or our bug.
  ExitCode exit_code() const { return exit_code_; }

 private:
  ExitCode exit_code_;
};

/// Refuses results that break a law which every run must satisfy.
/// @throws std::logic_error  naming the laws, with the command that reproduces them
void refuse_broken_laws(const Results& summary, const std::string& command);

}  // namespace saturn
