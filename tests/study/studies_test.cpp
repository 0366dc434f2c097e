#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>

#include "sim/cli/option_table.hpp"
#include "sim/plan/plan.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "tests/temporary_folder.hpp"

using namespace saturn;
using json = nlohmann::json;

namespace {

/// Remembers what a study says.
class Witness : public Monitor {
 public:
  void note(const std::string& lines) override { notes += lines; }
  void preview(const std::function<std::string()>& lines) override { previews += lines(); }
  void begin_simulations() override { ++begun; }
  void simulated(std::uint32_t done, std::uint32_t /*expected*/) override { finished = done; }
  void end_simulations() override { ++ended; }

  std::string notes{};
  std::string previews{};
  int begun = 0;
  int ended = 0;
  std::uint32_t finished = 0;
};

/// Catches what goes to stdout and stderr for as long as it lives.
class Caught {
 public:
  Caught() : out_(std::cout.rdbuf(text_.rdbuf())), err_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~Caught() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
  }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_{};
  std::streambuf* out_;
  std::streambuf* err_;
};

Reply answer_to(const std::vector<std::string>& words, Monitor& monitor) {
  const TypedCommand typed = read_typed_command(words);
  return typed.verb().answer(typed, monitor);
}

RunFailure failure_of(FailureKind kind) {
  return {.kind = kind, .scenario = "a", .seed = 1, .replica = 0, .message = "it ended", .command = "saturn run a"};
}

}  // namespace

TEST_CASE("an answer owns what it prints: it outlives the command and the scenario that it was made of") {
  Monitor nobody;
  const Reply reply = answer_to({"run", "mm1", "--set", "/run/brief=true"}, nobody);
  const Answer& answer = *reply.answer;
  const std::string first = json_text(answer);
  const json run = json::parse(first);
  CHECK(run["provenance"]["command"] == "saturn run mm1 --set /run/brief=true");
  CHECK(terminal_text(answer, {}, true).find("office/counter") != std::string::npos);
  CHECK(csv_text(answer).find("event_time") != std::string::npos);
  CHECK(json_text(answer) == first);
}

TEST_CASE("a study prints nothing: it tells its monitor how it goes, and every group of simulations that begins ends" *
          doctest::test_suite("release")) {
  Witness witness;
  const Caught caught;
  const Reply reply = answer_to({"plan", "first-steps", "--set", "/run/brief=true"}, witness);
  terminal_text(*reply.answer, {}, true);
  CHECK(caught.text().empty());
  CHECK(witness.previews.find("now simulating to confirm") != std::string::npos);
  CHECK(witness.begun == 1);
  CHECK(witness.ended == 1);
  CHECK(witness.finished > 0);
}

TEST_CASE("files of an answer are left to whoever prints it") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "fitted.json";
  Monitor nobody;
  const Reply reply = answer_to(
      {"calibrate", SATURN_SOURCE_DIR "/calibration/examples/protodune_slides.json", "--out", file.string()}, nobody);
  CHECK_FALSE(std::filesystem::exists(file));
  REQUIRE(reply.files.size() == 1);
  CHECK(reply.files.front().path == file);
  CHECK(reply.files.front().text == json_text(*reply.answer));
}

TEST_CASE("a budget pays for what comes on top until it is spent, and hides no other failure") {
  const Budget none(std::nullopt);
  CHECK_FALSE(none.is_spent());
  CHECK(none.allows([] {}));
  CHECK_FALSE(none.allows([] { throw OutOfBudget(); }));
  CHECK_FALSE(none.allows([] { throw RunFailed(failure_of(FailureKind::out_of_budget)); }));
  CHECK_THROWS_AS(none.allows([] { throw RunFailed(failure_of(FailureKind::broken_law)); }), RunFailed);
  CHECK_THROWS_AS(none.allows([] { throw RunFailed(failure_of(FailureKind::interrupted)); }), RunFailed);

  const Budget moment("1 us");
  while (!moment.is_spent()) continue;
  bool begun = false;
  CHECK_FALSE(moment.allows([&] { begun = true; }));
  CHECK_FALSE(begun);

  const Budget hour(Seconds{3600.0});
  CHECK(*hour.deadline(0.5) + std::chrono::minutes(30) == *hour.deadline());
}

TEST_CASE("what is wrong with a request is said at once, in the order in which it was found") {
  Complaints complaints;
  complaints.raise();
  complaints.add("--x", "show.first", "The first.");
  complaints.of([] { refuse_input("--y", "show.second", "The second."); });
  complaints.of([] {});
  try {
    complaints.raise();
    FAIL("nothing was raised");
  } catch (const InputError& error) {
    REQUIRE(error.complaints().size() == 2);
    CHECK(error.complaints()[0].code == "show.first");
    CHECK(error.complaints()[1].source == "--y");
  }
}
