#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <sstream>
#include <variant>

#include "models/words/texts.hpp"
#include "reports/plan/search_report.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/read_scenario.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

struct NamedSample {
  std::string name{};
  Answer answer{};
};

PlanReport whole_plan() {
  PlanReport report = sample_plan_report();
  PlanAnswer& answer = report.plan.answer;
  answer.waits = {{"requests of emtrk come while every instance is busy", 0.31},
                  {"transfers share links and network cards", 0.12}};
  answer.prices = {{.of = "t4", .value = "0.35 USD/h", .date = "2025-11", .source = "price list"}};
  answer.cpu_only_cost_per_million_events_usd = 435.0;
  answer.alone_streams_per_gpu = 66.02;
  answer.also_within_streams_per_gpu = 71.3;
  report.question.also_within = 0.05;
  report.sensitivity = sample_sensitivity();
  report.falsification = sample_falsification();
  return report;
}

SearchedCandidate candidate(std::uint64_t index, const std::string& value, double slowdown, double gpus) {
  SearchedCandidate one{.index = index,
                        .values = {value},
                        .settings = {{.pointer = "/servers/0/devices/count", .value = value}},
                        .fidelity = Fidelity::full,
                        .binding = "gke/t4",
                        .saturates_at_jobs = 273.7,
                        .next = "gke nic in",
                        .next_at_jobs = 956.0};
  one.figures.entries = {{.figure = measure("slowdown"), .value = sample_estimate(slowdown, 0.01)},
                         {.figure = measure("gpus"), .value = {.mean = gpus, .low = gpus, .high = gpus}},
                         {.figure = measure("latency"), .of = "emtrk", .value = sample_estimate(0.123, 0.004)}};
  return one;
}

SearchReport search_report(bool feasible) {
  SearchReport report{.provenance = {}, .facts = sample_plan_report().facts, .search = {}};
  PlanSearch& search = report.search;
  search.variables = {{.name = "/servers/0/devices/count", .values = {{.text = "3"}, {.text = "4"}}}};
  search.requirements = {
      {.figure = measure("slowdown"), .limit = feasible ? 0.2 : 0.01, .text = "slowdown <= 20 %"},
      {.figure = measure("latency"), .of = "emtrk", .limit = 0.2, .text = "latency:emtrk <= 200 ms"}};
  search.objective = {.figure = measure("gpus"), .name = "fewest-gpus"};
  search.candidates = 2;
  search.simulations = 6;
  search.simulated_requests = 130'671;
  SearchedCandidate missed = candidate(0, "3", 0.31, 3.0);
  missed.rejection = Rejection{
      .kind = RejectionKind::simulated, .requirement = 0, .value = 0.31, .binding = "gke/t4", .than = std::nullopt};
  search.looked_at = {missed};
  search.rejections = {*missed.rejection, Rejection{.kind = RejectionKind::worse, .value = 4.0}};
  search.counts = {{RejectionKind::simulated, 1}};
  if (!feasible) {
    search.relaxations = {
        {.requirement = 0, .needed_limit = 0.0713, .relative = 0.07, .candidate = missed, .simulated = true}};
    return report;
  }
  search.answer = candidate(1, "4", 0.0656, 4.0);
  search.answer->waits = whole_plan().plan.answer.waits;
  search.looked_at.push_back(*search.answer);
  search.named = {{.name = "smallest purchase", .candidate = search.answer, .remark = "the answer itself"},
                  {.name = "best value", .candidate = std::nullopt, .remark = "nothing has a price"}};
  report.chosen = read_scenario_file("protodune-big-batch", {}).scenario;
  report.run_command = "saturn run protodune-big-batch --set /servers/0/devices/count=4";
  report.notes = {"Fitted parameters are taken as exact here."};
  report.sensitivity = sample_sensitivity();
  report.falsification = sample_falsification();
  return report;
}

std::vector<NamedSample> samples() {
  RunReport explained = sample_run_report();
  explained.summary.models.push_back(sample_batching_model());
  explained.explanation = sample_explanation();
  return {{"run", run_answer(sample_run_report())},
          {"run --explain", run_answer(explained)},
          {"plan", plan_answer(whole_plan())},
          {"plan of arrivals", open_plan_answer(sample_arrivals_plan())},
          {"search", search_answer(search_report(true))},
          {"no plan", search_answer(search_report(false))}};
}

/// Every number of a document but those of its provenance.
void gather(const json& document, std::set<double>& numbers) {
  if (document.is_number()) numbers.insert(document.get<double>());
  if (!document.is_structured()) return;
  for (const auto& [key, value] : document.items())
    if (key != "provenance") gather(value, numbers);
}

std::set<double> numbers_in_json(const Answer& answer) {
  std::set<double> numbers;
  gather(json::parse(json_text(answer)), numbers);
  return numbers;
}

/// Every number that stands in a cell, or that is a part of a row's name.
std::set<double> numbers_in_csv(const Answer& answer) {
  std::string text = csv_text(answer);
  std::set<double> numbers;
  for (char& one : text)
    if (one == '/' || one == '"' || one == ';') one = ',';
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    for (const std::string_view cell : split_at(line, ','))
      if (const std::optional<double> number = read_number(trimmed(cell))) numbers.insert(*number);
  return numbers;
}

const Table* seen_table(const AnswerPart& part) {
  const auto* table = std::get_if<Table>(&part);
  return table == nullptr || table->readers == For::programs || table->rows.empty() ? nullptr : table;
}

/// The numbers of the cells that people see, less shares of what stands beside them.
std::set<double> numbers_on_terminal(const Answer& answer) {
  std::set<double> numbers;
  const auto add = [&](double number) {
    if (std::isfinite(number)) numbers.insert(number);
  };
  for (const AnswerPart& part : answer.parts) {
    const Table* table = seen_table(part);
    if (table == nullptr) continue;
    for (const std::vector<Cell>& row : table->rows)
      for (std::size_t c = 0; c < row.size(); ++c) {
        const Column& column = table->columns[c];
        const bool for_people = table->readers == For::people || column.readers == For::people;
        if (column.readers == For::programs || (for_people && column.shown == Shown::percent)) continue;
        if (const auto* count = std::get_if<std::uint64_t>(&row[c])) add(static_cast<double>(*count));
        if (const auto* number = std::get_if<double>(&row[c])) add(*number);
        if (const auto* estimate = std::get_if<Estimate>(&row[c]); estimate != nullptr) add(estimate->mean);
      }
  }
  return numbers;
}

std::string without_spaces(const std::string& text) {
  std::string rest;
  for (const char one : text)
    if (std::isspace(static_cast<unsigned char>(one)) == 0) rest += one;
  return rest;
}

void check_all_in(const std::set<double>& some, const std::set<double>& all, const char* what) {
  for (const double number : some) CHECK_MESSAGE(all.contains(number), what << " lacks " << number);
}

}  // namespace

TEST_CASE("programs read every number that people see in a table, as JSON and as CSV") {
  for (const NamedSample& sample : samples()) {
    const Answer& answer = sample.answer;
    CAPTURE(sample.name);
    const std::set<double> seen = numbers_on_terminal(answer);
    REQUIRE(seen.size() > 3);
    check_all_in(seen, numbers_in_json(answer), "JSON");
    check_all_in(seen, numbers_in_csv(answer), "CSV");
  }
}

TEST_CASE("every number of the JSON stands in the CSV, whose rows all have nine cells, words in the last alone") {
  for (const NamedSample& sample : samples()) {
    const Answer& answer = sample.answer;
    CAPTURE(sample.name);
    check_all_in(numbers_in_json(answer), numbers_in_csv(answer), "CSV");
    std::istringstream lines(csv_text(answer));
    std::string line;
    std::getline(lines, line);
    CHECK(line == "section,name,quantity,mean,low,high,confidence,replications,text");
    while (std::getline(lines, line)) {
      std::vector<std::string> cells(1);
      bool quoted = false;
      for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (c == ',' && !quoted)
          cells.emplace_back();
        else
          cells.back() += c;
      }
      CHECK_MESSAGE(cells.size() == 9, line);
      // Words among numbers would make each column one of words to whoever reads the table.
      for (std::size_t c = 3; c + 1 < cells.size(); ++c)
        CHECK_MESSAGE((cells[c].empty() || read_number(cells[c]).has_value()), line);
    }
  }
}

TEST_CASE("terminal, Markdown and HTML have the same rows, all of them with --details") {
  for (const NamedSample& sample : samples()) {
    const Answer& answer = sample.answer;
    CAPTURE(sample.name);
    const std::string terminal = without_spaces(terminal_text(answer, {}, true));
    const std::string markdown = markdown_text(answer);
    const std::string html = html_page(answer);
    std::size_t rows = 0;
    for (const AnswerPart& part : answer.parts) {
      const Table* table = seen_table(part);
      if (table == nullptr) continue;
      const ShownTable seen(*table);
      for (const std::vector<std::string>& row : seen.rows) {
        std::string in_markdown = "|";
        std::string in_html;
        for (std::size_t c = 0; c < row.size(); ++c) {
          in_markdown += " " + markdown_text(row[c]) + " |";
          in_html += std::string("<td") + (seen.columns[c]->shown == Shown::word ? ">" : " class=\"number\">") +
                     html_text(row[c]) + "</td>";
          CHECK_MESSAGE(terminal.find(without_spaces(row[c])) != std::string::npos, row[c]);
        }
        CHECK_MESSAGE(markdown.find(in_markdown + "\n") != std::string::npos, in_markdown);
        CHECK_MESSAGE(html.find("<tr>" + in_html + "</tr>") != std::string::npos, in_html);
        ++rows;
      }
      if (seen.has_titles()) ++rows;
    }
    std::size_t rows_of_html = 0;
    for (std::size_t at = html.find("<tr>"); at != std::string::npos; at = html.find("<tr>", at + 1)) ++rows_of_html;
    CHECK(rows_of_html == rows);
  }
}

TEST_CASE("the first screen has at most 25 lines on 80 columns, and says how to see the rest") {
  for (const NamedSample& sample : samples()) {
    // What was asked for beside the answer of a run comes on top of that.
    if (sample.name == "run --explain") continue;
    CAPTURE(sample.name);
    const std::string screen = terminal_text(sample.answer, {.pictures = true}, false);
    CAPTURE(screen);
    std::size_t count = 0;
    std::istringstream lines(screen);
    for (std::string line; std::getline(lines, line); ++count) CHECK(width_of(line) <= 80);
    CHECK(count <= 25);
    CHECK(holds(screen, "--details"));
  }
}

TEST_CASE(
    "a table that the first screen has no room for keeps its largest rows in their order, and counts the others") {
  Answer answer;
  Table table{.caption = "Parts", .details = false, .weight = 1};
  table.columns = {{.key = "part", .title = "part"}, {.key = "time_s", .title = "time [s]", .shown = Shown::number}};
  for (int i = 0; i < 40; ++i)
    table.add_row({"part " + std::to_string(i), i == 33 ? 50.0 : static_cast<double>(40 - i)});
  answer.add(std::move(table));
  const std::string screen = terminal_text(answer, {}, false);
  CAPTURE(screen);
  CHECK(std::count(screen.begin(), screen.end(), '\n') == 25);
  CHECK(holds(screen, "part (22 of 40)"));
  CHECK(holds(screen, "part 20 "));
  CHECK_FALSE(holds(screen, "part 21 "));
  CHECK(screen.find("part 20 ") < screen.find("part 33 "));
  CHECK(holds(terminal_text(answer, {}, true), "part 39"));
}

TEST_CASE("a search says what it stepped over, what its budget left, and that its quantiles are of constants") {
  SearchReport report = search_report(true);
  PlanSearch& search = report.search;
  search.variables = {{.name = "gpus of l4",
                       .values = {{.text = "992 GPUs: 124 nodes of 8", .nodes = 124, .node_size = 8},
                                  {.text = "1,016 GPUs: 127 nodes of 8", .nodes = 127, .node_size = 8}}}};
  search.answer->values = {"1,016 GPUs: 127 nodes of 8"};
  search.requirements = {{.figure = measure("latency_p99"), .limit = 0.5, .text = "latency_p99 <= 500 ms"}};
  search.answer->figures.entries.push_back({.figure = measure("latency_p99"), .value = sample_estimate(0.4, 0.01)});
  const auto says = [&](const char* what) {
    const std::string text = markdown_text(search_answer(report));
    CAPTURE(text);
    return holds(text, what);
  };
  CHECK(says("try --gpus l4=1000:1016:8."));
  CHECK(says("2 values, 992 GPUs to 1,016 GPUs"));
  CHECK(says("at least 18 % of that to spare, as long as NOTHING VARIES"));
  // Nothing lies between neighbours.
  search.variables[0].values[0].nodes = 126;
  CHECK_FALSE(says("were not tried"));
  std::get<CpuStage>(report.chosen->jobs[0].event[0]).time = ExponentialTime{Seconds{110}};
  CHECK_FALSE(says("NOTHING VARIES"));

  // Fewer that a short run finds good, and time for no more.
  search.complete = false;
  SearchedCandidate fewer = candidate(0, "992 GPUs: 124 nodes of 8", 0.1, 3.0);
  fewer.fidelity = Fidelity::short_run;
  fewer.rejection = Rejection{.kind = RejectionKind::out_of_budget};
  fewer.figures.entries.push_back({.figure = measure("latency_p99"), .value = sample_estimate(0.45, 0.01)});
  search.looked_at = {fewer, *search.answer};
  CHECK(says("1 better candidate meets everything as far as the budget let it be simulated"));
  search.looked_at[0].figures.entries.back().value = sample_estimate(0.55, 0.01);
  CHECK_FALSE(says("better candidate"));
}

TEST_CASE("a plan whose interval reaches beyond a limit is not confirmed, and has nothing to spare") {
  SearchReport report = search_report(true);
  report.search.requirements = {{.figure = measure("latency_p99"), .limit = 0.5, .text = "latency_p99 <= 500 ms"}};
  report.search.answer->figures.entries.push_back(
      {.figure = measure("latency_p99"), .value = sample_estimate(0.48, 0.05)});
  report.search.complete = false;
  const std::string straddling = markdown_text(search_answer(report));
  CHECK(holds(straddling, "NOT CONFIRMED: the search ended while the interval of what it has reached beyond"));
  CHECK(holds(straddling, "its interval reaches beyond"));
  CHECK_FALSE(holds(straddling, "to spare"));
  CHECK(joined(requirement_texts(report.search)) == "latency_p99 <= 500 ms (480 ± 50 ms, its interval reaches beyond)");
  report.search.answer->figures.entries.back().value = sample_estimate(0.4, 0.05);
  const std::string within = markdown_text(search_answer(report));
  CHECK_FALSE(holds(within, "NOT CONFIRMED"));
  CHECK(holds(within, "at least 10 % of that to spare"));
  CHECK(joined(requirement_texts(report.search)) ==
        "latency_p99 <= 500 ms (400 ± 50 ms, at least 10 % of that to spare)");
  report.search.answer->figures.entries.pop_back();
  CHECK(joined(requirement_texts(report.search)) == "latency_p99 <= 500 ms: not judged");
}

TEST_CASE("without an answer it is said how well it is known what must give, and which range ends too early") {
  SearchReport report = search_report(false);
  PlanSearch& search = report.search;
  search.variables[0].more_is_faster = true;
  search.relaxations[0].candidate.values = {"4"};
  Relaxation& one = search.relaxations[0];
  CHECK(
      no_answer_text(search).ends_with("slowdown <= 20 % would have to be 7.130 %, 7 % off. Or widen "
                                       "/servers/0/devices/count: this is with the most that "
                                       "the range allows, which saturates at 273 jobs."));
  CHECK(known_by(one) == "simulation");
  one.nobody_waits = true;
  CHECK(no_answer_text(search).ends_with(" More devices would not help: nobody waits there, and it takes that long."));
  one.nobody_waits = false;
  one.simulated = false;
  one.candidate.fidelity = Fidelity::glance;
  CHECK(holds(no_answer_text(search), "would have to be about 7.130 %"));
  CHECK(known_by(one) == "glance");
  one.candidate.fidelity = Fidelity::formula;
  one.relative = 92.0;
  CHECK(holds(no_answer_text(search), "would have to be at least 7.130 %, 93 times as much."));
  CHECK(known_by(one) == "bound");
  // A range that goes on, and what more devices make worse.
  one.candidate.values = {"3"};
  CHECK_FALSE(holds(no_answer_text(search), "widen"));
  one.candidate.values = {"4"};
  search.requirements[0] = {.figure = measure("gpus"), .limit = 0.0, .text = "gpus <= 0"};
  CHECK_FALSE(holds(no_answer_text(search), "widen"));
  CHECK(holds(no_answer_text(search), "where nothing was allowed"));
}
