#include <algorithm>
#include <cmath>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/plan_evidence.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/run/run_report.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// Where the simulation had a resource busy all the time, its own saturation; else that of the bound.
double saturation_of(const Plan& plan) {
  for (const PlanRow& row : plan.rows)
    if (row.by == Method::simulation && row.knee) return std::min(*row.knee, plan.answer.saturates_at);
  return plan.answer.saturates_at;
}

}  // namespace

PlanSentence sentence_of(const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  PlanSentence sentence{.jobs_per_device = static_cast<double>(answer.streams_per_gpu),
                        .low = answer.streams_per_gpu_low,
                        .high = answer.streams_per_gpu_high,
                        .noun = stream_word_of(report.facts),
                        .device_word = report.facts.device_word,
                        .binding = answer.binding,
                        .binding_kind = kind_of(report.facts, answer.binding),
                        .next = answer.next,
                        .next_kind = kind_of(report.facts, answer.next),
                        .next_at_jobs = answer.next_at_streams,
                        .several_devices = report.facts.devices > 1.0,
                        .usd_per_million_events = answer.cost_per_million_events_usd,
                        .priced = priced_words(answer.priced, report.facts.device_word),
                        .cpu_only_usd_per_million = answer.cpu_only_cost_per_million_events_usd};
  // Less than one whole job a device is said in tenths.
  if (answer.streams_per_gpu == 0) sentence.jobs_per_device = unrounded_streams_per_gpu(answer, report.question);
  sentence.tolerance = PlanSentence::Tolerance{
      .slowdown = report.question.slowdown,
      .at_saturation =
          report.plan.confirmed && !report.question.past_saturation && answer.within_slowdown >= answer.saturates_at,
      .of_fewest_jobs = answer.fewest_slowdown.has_value(),
      .also_slowdown = report.question.also_within,
      .also_jobs = answer.also_within_streams_per_gpu,
      // Nothing is within a tolerance beyond it, by whichever method.
      .saturates_at = std::max(saturation_of(report.plan),
                               std::min(answer.also_within_streams_per_gpu.value_or(0.0), answer.saturates_at))};
  sentence.jobs_alone = answer.alone_streams_per_gpu;
  if (answer.gpus)
    sentence.pool = PlanSentence::Pool{.jobs = static_cast<double>(answer.clients),
                                       .devices = static_cast<double>(*answer.gpus),
                                       .most_in_a_node = static_cast<double>(answer.most_in_a_node),
                                       .slowdown = answer.slowdown,
                                       .failed = answer.failed,
                                       .refused = answer.refused,
                                       .to_spare = answer.enough_slowdown};
  if (answer.calibrated_streams_per_gpu) {
    sentence.low = answer.calibrated_streams_per_gpu->low;
    sentence.high = answer.calibrated_streams_per_gpu->high;
  }
  return sentence;
}

double jobs_of(const SystemFacts& facts, double stream_count) {
  return facts.jobs == facts.clients ? stream_count : stream_count * facts.jobs / facts.clients;
}

namespace {

const std::vector<std::string> answer_place{"answer"};

std::string interval_text(double low, double high) {
  const std::string from = number_text(low, 3);
  const std::string to = number_text(high, 3);
  return from == to ? from : from + " to " + to;
}

Cell whole_jobs(const SystemFacts& facts, std::uint64_t stream_count) {
  return static_cast<std::uint64_t>(std::llround(jobs_of(facts, static_cast<double>(stream_count))));
}

Cell count_cell(const std::optional<std::uint64_t>& count) {
  return count ? Cell(*count) : Cell();
}

/// Without fits the interval is whole jobs; with them, its parts are, too.
void add_jobs_per_device(Answer& document, const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  Table table = facts_for_programs(answer_place);
  table.add("streams_per_gpu/value", answer.streams_per_gpu);
  // A bound says nothing of how few there may be.
  const bool has_low = answer.streams_per_gpu_low > 0.0;
  table.add("streams_per_gpu/low", has_low ? Cell(std::floor(answer.streams_per_gpu_low)) : Cell());
  table.add("streams_per_gpu/high", std::floor(answer.streams_per_gpu_high));
  const auto whole = [&](double streams) { return Cell(std::floor(jobs_of(report.facts, streams))); };
  table.add("jobs_per_gpu/value", whole(unrounded_streams_per_gpu(answer, report.question)));
  table.add("jobs_per_gpu/low", has_low ? whole(answer.streams_per_gpu_low) : Cell());
  table.add("jobs_per_gpu/high", whole(answer.streams_per_gpu_high));
  table.add("streams_per_job", report.facts.clients / report.facts.jobs);
  document.add(std::move(table));
  if (!answer.calibrated_streams_per_gpu) return;
  const IntervalParts& parts = *answer.calibrated_streams_per_gpu->parts;
  document.add_facts(below(answer_place, "streams_per_gpu"), {{"low_simulation", std::floor(parts.low_simulation)},
                                                              {"high_simulation", std::floor(parts.high_simulation)}});
  Table from{.place = {"answer", "streams_per_gpu", "from"},
             .columns = {hidden("about"), hidden("half_width")},
             .readers = For::programs};
  for (const CalibrationShare& share : parts.calibration) from.add_row({share.about, share.half_width});
  document.add(std::move(from));
}

/// By how much the largest of what the methods say is above the smallest, relative [1].
std::optional<double> spread_of(const std::vector<PlanRow>& methods) {
  std::vector<double> values;
  for (const PlanRow& row : methods)
    if (row.streams_per_gpu && *row.streams_per_gpu > 0.0) values.push_back(*row.streams_per_gpu);
  if (values.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most / *least - 1.0;
}

void add_plan_numbers(Answer& document, const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  const std::optional<StartsCompared>& starts = answer.starts;
  const bool priced = answer.module.cpu_only_usd_per_million && answer.module.as_a_service_usd_per_million;
  document.add_facts(
      answer_place,
      {{"saturates_at_streams_per_gpu", answer.saturates_at},
       {"within_slowdown_streams_per_gpu", answer.within_slowdown},
       {"jobs", whole_jobs(report.facts, answer.clients)},
       {"streams", answer.clients},
       {"gpus", count_cell(answer.gpus)},
       {"gpus_by_bound", count_cell(answer.gpus_by_bound)},
       {"formula_event_time_s", cell(answer.formula_event_time_s)},
       {"formula_events_per_s", cell(answer.formula_events_per_s)},
       {"confirmed", report.plan.confirmed},
       {"methods_differ_by", cell(spread_of(report.plan.rows))},
       {"why_no_gpus", cell_word(answer.why_no_gpus)},
       {"slowdown", answer.gpus ? Cell(answer.slowdown) : Cell()},
       {"cost_per_million_events", cell(answer.cost_per_million_events_usd)},
       {"cost_of", cell_word(priced_words(answer.priced, report.facts.device_word))},
       {"cpu_only_cost_per_million_events", cell(answer.cpu_only_cost_per_million_events_usd)},
       {"module/cpu_only_usd_per_million_events", cell(answer.module.cpu_only_usd_per_million)},
       {"module/service_usd_per_million_events", cell(answer.module.as_a_service_usd_per_million)},
       {"module/cpu_only_s", priced ? Cell(answer.module.cpu_only_s) : Cell()},
       {"module/service_s", priced ? Cell(answer.module.as_a_service_s) : Cell()},
       {"binding", cell_word(answer.binding)},
       {"next", cell_word(answer.next)},
       {"next_at_jobs", answer.next.empty() ? Cell() : Cell(jobs_of(report.facts, answer.next_at_streams))},
       {"tolerated_slowdown", report.question.slowdown},
       {"tolerance_of", std::string(answer.fewest_slowdown ? "fewest_jobs" : "ideal_event")},
       {"gpus_failed", answer.failed ? Cell(*answer.failed) : Cell()},
       {"gpus_refused", answer.gpus ? Cell(answer.refused) : Cell()},
       {"enough_gpus_slowdown", answer.enough_slowdown ? Cell(*answer.enough_slowdown) : Cell()},
       {"fewest_jobs_slowdown", answer.fewest_slowdown ? Cell(*answer.fewest_slowdown) : Cell()},
       {"also_tolerated_slowdown", cell(report.question.also_within)},
       {"also_within_streams_per_gpu", cell(answer.also_within_streams_per_gpu)},
       {"alone_streams_per_gpu", cell(answer.alone_streams_per_gpu)},
       {"starts/clients", starts ? Cell(starts->clients) : Cell()},
       {"starts/orderly_event_time_s", starts ? Cell(starts->orderly_s) : Cell()},
       {"starts/burst_event_time_s", starts ? Cell(starts->burst_s) : Cell()},
       {"unsaturated_gpus", count_cell(answer.unsaturated_gpus)},
       {"unsaturated_slowdown", answer.unsaturated_gpus ? Cell(answer.unsaturated_slowdown) : Cell()}});

  const std::optional<SaturationFormula>& formula = report.plan.formula;
  document.add_facts({"formula"}, {{"streams_per_gpu", formula ? Cell(formula->streams_per_gpu()) : Cell()},
                                   {"event_time_s", formula ? Cell(formula->event_time_s()) : Cell()}});

  document.add_facts({}, {{"budget_spent", report.plan.budget_spent},
                          {"left_out", report.left_out},
                          {"precision_reached", report.plan.precision_reached}});
}

/// Where no number of devices was found for the jobs of the scenario: why, and what is known instead.
void add_why_no_devices(Table& screen, const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  if (answer.gpus) return;
  const std::string label = report.facts.device_word + "s";
  const std::string jobs = "for " + counted(static_cast<double>(answer.clients), stream_word_of(report.facts));
  if (answer.gpus_by_bound)
    add_line(screen, label, "At least " + whole_text(*answer.gpus_by_bound),
             jobs + ", by the bound alone, NOT CONFIRMED");
  if (answer.gpus_by_mva)
    add_line(screen, answer.gpus_by_bound ? "" : label, whole_text(*answer.gpus_by_mva),
             jobs + ", by mean value analysis, NOT CONFIRMED");
  if (answer.formula_event_time_s && answer.formula_events_per_s) {
    const bool bounds = !answer.gpus_by_mva;
    add_line(screen, "event time", (bounds ? "At least " : "") + number_text(*answer.formula_event_time_s, 3) + " s",
             "on these " + label + ", and " + (bounds ? "at most " : "") +
                 number_text(*answer.formula_events_per_s, 3) + " events/s, by " +
                 (bounds ? "the bound" : "mean value analysis") + ", NOT CONFIRMED");
  }
  if (answer.gpus_by_bound || answer.gpus_by_mva) return;
  if (!answer.why_no_gpus.empty()) add_line(screen, label, no_value, jobs + " " + answer.why_no_gpus);
  if (answer.unsaturated_gpus)
    add_line(screen, "not saturated", whole_text(*answer.unsaturated_gpus),
             "the fewest: events are " + slower_text(answer.unsaturated_slowdown) + " than unloaded");
}

void add_agreement(Table& screen, const PlanReport& report) {
  const std::optional<double> spread = spread_of(report.plan.rows);
  if (!spread) return;
  std::string said;
  for (const PlanRow& row : report.plan.rows) {
    if (!row.streams_per_gpu) continue;
    const std::string value = number_text(*row.streams_per_gpu, 3);
    append_part(said, row.method + " " + value);
    const std::string interval = row.low && row.high ? interval_text(*row.low, *row.high) : value;
    if (interval != value) said += " (" + interval + ")";
  }
  constexpr double much_apart = 0.1;
  const auto least = std::ranges::min_element(
      report.plan.rows, {}, [](const PlanRow& row) { return row.streams_per_gpu.value_or(HUGE_VAL); });
  if (*spread > much_apart && least->method.ends_with("MVA"))
    said += ": the more times vary, the nearer the truth is to MVA";
  // What differs in the last digits of the arithmetic is the same.
  add_line(screen, "methods", percent_text(*spread < 1e-9 ? 0.0 : *spread) + " apart", said);
}

void add_screen(Answer& document, const PlanReport& report) {
  const PlanSentence sentence = sentence_of(report);
  Table screen = first_screen();
  add_jobs(screen, sentence);
  add_why_no_devices(screen, report);
  add_cost_and_limits(screen, sentence, report.facts);
  add_agreement(screen, report);
  if (report.sensitivity && !report.sensitivity->rows.empty()) {
    const SensitivityRow& first = report.sensitivity->rows.front();
    add_line(screen, "depends most on", number_text(first.elasticity.mean, 3),
             "% for 1 % of " + first.input.pointer + " = " + first.input.value);
  }
  if (report.falsification && report.falsification->jobs)
    add_line(screen, "would contradict", counted(report.falsification->jobs->jobs, "job"),
             event_times_that_contradict(*report.falsification->jobs));
  document.add(std::move(screen));
  document.parts.emplace_back(
      Picture{.draw = [report](TextStyle style) { return saturation_text(report, style); }, .details = false});
}

/// What the answer means, and how it was rounded.
void add_rounding(Answer& document, const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  const std::string noun = stream_word_of(report.facts);
  document.detail("Before rounding " + interval_text(answer.streams_per_gpu_low, answer.streams_per_gpu_high) +
                  ": events take at most " + percent_text(report.question.slowdown) + " longer than " +
                  (answer.fewest_slowdown ? "those of one " + noun + " alone" : "unloaded ones") +
                  (report.question.past_saturation ? "." : ", and nothing is saturated."));
  if (answer.calibrated_streams_per_gpu)
    document.detail(estimate_text(*answer.calibrated_streams_per_gpu) + " " + noun + "s per " +
                    report.facts.device_word + interval_parts_text(*answer.calibrated_streams_per_gpu) + ".");
  if (!report.question.past_saturation && answer.within_slowdown > answer.saturates_at)
    document.detail("The tolerance alone would allow " + number_text(answer.within_slowdown, 3) +
                    ", past saturation at " + number_text(answer.saturates_at, 3) + ": those " + noun +
                    "s only wait, no more events come out.");
  if (answer.fewest_slowdown)
    document.detail("Even one " + noun + " alone takes " + estimate_text(*answer.fewest_slowdown) +
                    " times the unloaded event time: " + waits_text(answer.fewest_waits) +
                    ". The tolerance is one of that time.");
  if (answer.enough_slowdown)
    document.detail("With " + report.facts.device_word + "s to spare events take " +
                    estimate_text(*answer.enough_slowdown) +
                    " times the unloaded event time: " + waits_text(answer.enough_waits) +
                    ". The tolerance of the number of " + report.facts.device_word + "s is one of that time.");
  const ModulePrice& module = answer.module;
  if (answer.cost_per_million_events_usd && module.cpu_only_usd_per_million && module.as_a_service_usd_per_million)
    document.detail("The offloaded part alone: " + number_text(*module.as_a_service_usd_per_million, 3) +
                    " USD per million events as a service (" + number_text(module.as_a_service_s, 3) + " s), " +
                    number_text(*module.cpu_only_usd_per_million, 3) + " on the job's own core (" +
                    number_text(module.cpu_only_s, 3) + " s).");
}

void add_candidates(Answer& document, const PlanReport& report) {
  Table table{
      .place = {"candidates"},
      .caption = "What was simulated to confirm it",
      .columns = {{.key = "streams", .title = stream_word_of(report.facts) + "s", .shown = Shown::whole, .names = true},
                  {.key = "gpus", .title = report.facts.device_word + "s", .shown = Shown::whole, .names = true},
                  hidden("jobs"),
                  {.key = "bound_event_time_s", .title = "bound [s]", .shown = Shown::number},
                  {.key = "event_time_s", .title = "simulated [s]", .shown = Shown::number},
                  {.key = "slowdown", .title = "slowdown", .shown = Shown::slower},
                  hidden("accepted"),
                  hidden("reason"),
                  {.title = "tolerated " + percent_text(report.question.slowdown), .readers = For::people}}};
  for (const PlanCandidate& row : report.plan.candidates)
    table.add_row({row.clients, row.gpus, whole_jobs(report.facts, row.clients), row.bound_event_time_s,
                   row.event_time_s, row.slowdown, row.accepted, row.reason,
                   std::string(row.accepted ? "within" : "above")});
  document.add(std::move(table));
}

}  // namespace

void add_methods(Answer& answer, const std::vector<PlanRow>& methods, double tolerated_slowdown,
                 const SystemFacts& facts) {
  Table table{
      .place = {"methods"},
      .caption = (stream_word_of(facts) == "job" ? "Jobs per " : "Streams per ") + facts.device_word + ", by method",
      .columns = {{.key = "method", .title = "method"},
                  {.key = "saturates_at_streams_per_gpu", .title = "saturates at", .shown = Shown::number, .digits = 3},
                  {.key = "streams_per_gpu",
                   .title = "within " + percent_text(tolerated_slowdown),
                   .shown = Shown::number,
                   .digits = 3},
                  hidden("low"),
                  hidden("high"),
                  {.title = "interval", .readers = For::people},
                  hidden("remark")}};
  std::vector<std::pair<std::string, std::string>> remarks;
  for (const PlanRow& row : methods) {
    const bool has_interval = row.low.has_value() && row.high.has_value();
    table.add_row({row.method, cell(row.knee), cell(row.streams_per_gpu), cell(row.low), cell(row.high),
                   has_interval ? interval_text(*row.low, *row.high) : std::string(), row.remark});
    remarks.emplace_back(row.method, row.remark);
  }
  answer.add(std::move(table));
  answer.remark(remarks);
}

void add_waits(Answer& answer, const std::vector<WaitingPart>& waits, const std::vector<std::string>& root) {
  double sum_s = 0.0;
  for (const WaitingPart& part : waits) sum_s += part.per_event_s;
  Table table{.place = below(root, "waits"),
              .caption = "What makes events longer than unloaded ones",
              .columns = {{.key = "what", .title = "what waits"},
                          {.key = "per_event_s", .title = "per event [s]", .shown = Shown::number, .digits = 3},
                          {.key = "share", .title = "share", .shown = Shown::percent}}};
  for (const WaitingPart& part : waits) table.add_row({part.what, part.per_event_s, part.per_event_s / sum_s});
  answer.add(std::move(table));
}

Answer plan_answer(const PlanReport& report) {
  Answer document{.title = report.facts.title, .provenance = report.provenance};
  if (report.question.methods.formulas_alone()) add_formulas_alone(document, report);
  add_screen(document, report);
  if (report.plan.answer.calibrated_streams_per_gpu)
    document.say("What the fits leave open is in the " + stream_word_of(report.facts) + "s per " +
                 report.facts.device_word + " alone; every other ± is the simulation's. saturn run has it in all.");
  say_warnings(document, report);
  document.parts.emplace_back(Paragraph{.text = plan_sentence(sentence_of(report)), .place = {"sentence"}});
  add_rounding(document, report);
  add_jobs_per_device(document, report);
  add_plan_numbers(document, report);
  add_methods(document, report.plan.rows, report.question.slowdown, report.facts);
  add_waits(document, report.plan.answer.waits, answer_place);
  add_breakdown(document, report.facts, {});
  add_cpu_comparison(document, report.facts, {});
  add_prices(document, report.plan.answer.prices, answer_place);
  add_bottlenecks(document, report.facts, {}, {});
  add_candidates(document, report);
  if (report.sensitivity) add_sensitivity(document, *report.sensitivity);
  if (report.falsification) add_falsification(document, *report.falsification, report.facts);
  const bool may_simulate = !report.question.methods.formulas_alone();
  if (!may_simulate) document.more.emplace_back("the same without --method (simulate it)");
  if (!report.sensitivity && may_simulate) document.more.emplace_back("--sensitivity");
  if (!report.falsification && may_simulate) document.more.emplace_back("--falsify");
  document.more.emplace_back("saturn report SCENARIO");
  return document;
}

PlanSentence sentence_of(const OpenPlanReport& report) {
  PlanSentence sentence{.device_word = report.facts.device_word,
                        .usd_per_million_events = report.plan.cost_per_million_events_usd,
                        .priced = priced_words(report.plan.priced, report.facts.device_word)};
  say_arrivals(sentence, report.facts, report.plan.offered_per_s);
  return sentence;
}

namespace {

void add_screen(Answer& document, const OpenPlanReport& report) {
  const PlanSentence sentence = sentence_of(report);
  Table screen = first_screen();
  add_line(screen, sentence.device_word + "s", whole_text(report.plan.gpus),
           "for " + number_text(report.plan.offered_per_s, 4) + " events/s; " + whole_text(report.plan.gpus_by_bound) +
               " by the bound alone (rate times demand" + (report.plan.outages_bind ? ", with nodes out" : "") + ")");
  for (const OpenCandidate& one : report.plan.candidates) {
    if (one.gpus != report.plan.gpus) continue;
    add_line(screen, "events lost", percent_text(one.lost_fraction),
             "tolerated: " + percent_text(report.plan.tolerated_loss));
    if (!one.all_jobs.times_grow)
      add_line(screen, "event time", estimate_text(one.all_jobs["event_time_s"]) + " s",
               "99 % below " + mean_text(one.all_jobs["event_time_p99_s"]) + " s");
  }
  add_cost_and_limits(screen, sentence, report.facts);
  document.add(std::move(screen));
}

void add_candidates(Answer& document, const OpenPlanReport& report) {
  Table table{.place = {"candidates"},
              .caption = "What was simulated to confirm it",
              .columns = {{.key = "gpus", .title = report.facts.device_word + "s", .shown = Shown::whole},
                          {.key = "capacity_per_s", .title = "can serve [1/s]", .shown = Shown::number},
                          {.key = "offered_per_s", .title = "offered [1/s]", .shown = Shown::number},
                          {.key = "lost_fraction", .title = "lost", .shown = Shown::percent},
                          {.title = "event time [s]", .shown = Shown::number, .readers = For::people}},
              .remarks = {"All pools are stable with " + whole_text(report.plan.gpus) + ", and at most " +
                          percent_text(report.plan.tolerated_loss) + " of the events are lost."}};
  for (const auto& [quantile, title] : {std::pair{"p50", ""}, {"p95", ""}, {"p99", "99 % below [s]"}})
    table.columns.push_back({.key = "event_time_" + std::string(quantile) + "_s",
                             .title = title,
                             .shown = Shown::mean,
                             .readers = *title == '\0' ? For::programs : For::everyone,
                             .json = "event_time_s/" + std::string(quantile),
                             .quantile = true});
  // Where times only grow, nothing stands in place of the mean and its quantiles.
  table.columns.insert(table.columns.end(), {hidden("event_time_s"),
                                             hidden("verdict"),
                                             hidden("accepted"),
                                             {.title = "verdict", .readers = For::people},
                                             {.key = "limit", .title = "limit"}});
  for (const OpenCandidate& row : report.plan.candidates) {
    const std::string verdict(name_of(row.verdict));
    std::vector<Cell> cells{row.gpus, row.capacity_per_s, row.offered_per_s, row.lost_fraction};
    const JobsResults& all = row.all_jobs;
    for (const Estimate& time : {all["event_time_s"], all["event_time_p50_s"], all["event_time_p95_s"],
                                 all["event_time_p99_s"], all["event_time_s"]})
      cells.push_back(all.times_grow ? Cell() : Cell(time));
    cells.emplace_back(verdict);
    cells.emplace_back(row.accepted);
    cells.emplace_back(verdict + (row.accepted ? "" : ", not enough"));
    cells.emplace_back(row.limit);
    table.add_row(std::move(cells));
  }
  document.add(std::move(table));
}

}  // namespace

Answer open_plan_answer(const OpenPlanReport& report) {
  Answer document{.title = report.facts.title, .provenance = report.provenance};
  if (!report.plan.confirmed) {
    document.say(formulas_alone_text({Method::bounds}));
    document.add_facts(answer_place, {{"simulated", false}});
  }
  say_left_out(document, report.left_out);
  add_screen(document, report);
  say_laws(document, report.facts);
  say_starving(document, report.facts);
  document.parts.emplace_back(Paragraph{.text = plan_sentence(sentence_of(report)), .place = {"sentence"}});
  document.add_facts(answer_place, {{"gpus", report.plan.gpus},
                                    {"cost_per_million_events", cell(report.plan.cost_per_million_events_usd)},
                                    {"cost_of", cell_word(priced_words(report.plan.priced, report.facts.device_word))},
                                    {"rate_per_s", report.plan.offered_per_s},
                                    {"tolerated_loss", report.plan.tolerated_loss}});
  document.add_facts({"formula"}, {{"gpus", report.plan.gpus_by_bound}});
  add_candidates(document, report);
  add_breakdown(document, report.facts, {});
  add_bottlenecks(document, report.facts, {}, {});
  document.more.emplace_back("saturn report SCENARIO");
  return document;
}

}  // namespace saturn
