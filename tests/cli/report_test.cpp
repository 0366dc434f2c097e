#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

/// A report of one of the fast shipped scenarios, in a folder of its own.
ProcessResult report(const TemporaryFolder& folder, const std::string& arguments) {
  return saturn_process("report " + arguments, folder.path().string());
}

}  // namespace

TEST_CASE("a report without a name for its file is refused before anything is computed") {
  const TemporaryFolder folder;
  const ProcessResult refused = report(folder, "first-steps");
  CHECK(refused.exit_code == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err ==
        "--out: out.missing\n  A report is a file, which needs a name, for example --out report.html.\n");
}

TEST_CASE("a report replaces no file and no figures, and needs its folder") {
  const TemporaryFolder folder;
  folder.write("report.html", "mine");
  CHECK(report(folder, "first-steps --out report.html").err ==
        "--out: out.exists\n  report.html would be overwritten; name another file, or add --force.\n");
  CHECK(text_of_file(folder.path() / "report.html") == "mine");
  CHECK(report(folder, "first-steps --out nowhere/report.html").err ==
        "--out: out.not_writable\n  nowhere/report.html cannot be written: its folder is missing or closed.\n");
  std::filesystem::create_directory(folder.path() / "other-figures");
  CHECK(report(folder, "first-steps --out . --figures csv").err ==
        "--out: out.not_a_file\n  . is a folder; --out needs the name of a file.\n");
}

TEST_CASE("a folder that is no sweep, and options that mean nothing, are refused with the way out") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "plain");
  CHECK(report(folder, "plain --out report.html").err ==
        "plain: report.not_a_sweep\n  plain is a folder without plan.jsonl, so that it is not the folder of a sweep; "
        "name a scenario, the folder that `saturn sweep --out` filled, or a fitted file of `saturn calibrate`.\n");
  CHECK(report(folder, "first-steps --out report.html --loss '1 %'").err ==
        "--loss: option.needs_arrivals\n  --loss is about events that arrive from outside, and none do here; jobs "
        "begin their events themselves. --slowdown says how long events may take.\n");
  CHECK(report(folder, "first-steps --out report.html --budget soon").err ==
        "--budget: option.not_a_quantity\n  --budget is \"soon\"; a duration above 0 needs its unit (ms, s, min, h), "
        "for example \"600 s\".\n");
  CHECK(report(folder, "first-steps --out report.html --metric latency").err ==
        "--metric: report.only_sweeps\n  A scenario has no points to choose from; leave --metric out, or name the "
        "folder of a sweep.\n");
  CHECK(report(folder, "no-such-scenario --out report.html").exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "report.html"));
}

TEST_CASE("a report says the plan's sentence and which file it wrote, and is the same at any number of processes") {
  const TemporaryFolder one;
  const TemporaryFolder two;
  const std::string what = "protodune-perf-client --out report.html --budget '10 min'";
  const ProcessResult alone = report(one, what + " --workers 1");
  const ProcessResult together = report(two, what + " --workers 2");
  CHECK(alone.exit_code == 0);
  CHECK(alone.err.empty());
  CHECK(alone.out == together.out);
  CHECK(alone.out.find("report.html") != std::string::npos);
  const std::string page = text_of_file(one.path() / "report.html");
  CHECK(page == text_of_file(two.path() / "report.html"));
  const std::string plan = saturn_process("plan protodune-perf-client --quiet").out;
  // The plan's second line is its sentence, which the page begins with.
  const std::size_t begin = plan.find('\n') + 1;
  const std::string sentence = plan.substr(begin, plan.find('.', begin) - begin);
  CHECK(alone.out.starts_with(sentence));
  CHECK(page.find(sentence) != std::string::npos);
}

TEST_CASE("the rows and specifications of a report's figures lie in a folder beside it") {
  const TemporaryFolder folder;
  const ProcessResult result = report(folder, "protodune-perf-client --out page.html --figures csv --budget '10 min'");
  CHECK(result.exit_code == 0);
  CHECK(std::filesystem::exists(folder.path() / "page-figures" / "event_time.csv"));
  CHECK(std::filesystem::exists(folder.path() / "page-figures" / "event_time.vl.json"));
}

TEST_CASE("a budget that is too short gives a page all the same, which says what it lacks, with exit code 4") {
  const TemporaryFolder folder;
  const ProcessResult result = report(folder, "first-steps --out report.html --budget '1 ms'");
  CHECK(result.exit_code == 4);
  CHECK(
      result.out.find("Warning: The budget of 0.00100 s ended before all was simulated as precisely as asked, and how "
                      "far it came depends on the machine; cut short: the scenario as it stands") != std::string::npos);
  CHECK(std::filesystem::exists(folder.path() / "report.html"));
}

TEST_CASE("what a scenario's file begins with stands in the report: prose in paragraphs, commands line by line") {
  const TemporaryFolder folder;
  const std::string shipped = saturn_process("examples first-steps").out;
  folder.write(
      "mine.json",
      "// Twenty jobs & one GPU: the second line of this paragraph follows, since the first one is full, to here\n"
      "// and no further.\n"
      "// Another paragraph. Compare: saturn validate brainwave\n"
      "// A third one.\n"
      "//   saturn plan mine.json          what it carries\n"
      "//   saturn run mine.json\n" +
          shipped.substr(shipped.find("{\n")));
  CHECK(report(folder, "mine.json --out report.html --budget '1 ms'").exit_code == 4);
  const std::string page = text_of_file(folder.path() / "report.html");
  CHECK(
      page.find("<p>Twenty jobs &amp; one GPU: the second line of this paragraph follows, since the first one is full, "
                "to here and no further.</p>\n<p>Another paragraph. Compare: saturn validate brainwave</p>\n"
                "<p>A third one.</p>\n<div class=\"lines\">\n<code>saturn plan mine.json   what it carries</code>\n"
                "<code>saturn run mine.json</code>\n</div>\n") != std::string::npos);
}
