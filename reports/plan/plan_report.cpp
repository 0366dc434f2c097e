#include "reports/plan/plan_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

std::string called(const std::optional<ResourceKind>& kind, const std::string& name) {
  if (!kind) return name;
  std::string word = name_of(*kind);
  if (name.find(word) != std::string::npos) return name;
  if (is_device(*kind))
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word + " " + name;
}

bool is_held(const std::optional<ResourceKind>& kind) {
  return kind == ResourceKind::instances || kind == ResourceKind::sequence_slots;
}

namespace {

/// Jobs per device without their word: whole, or in tenths where there are few, in hundredths below one.
std::string jobs_text(double jobs) {
  if (jobs < 1.0) return fixed_text(std::floor(jobs * 100) / 100, 2);
  const double shown = std::floor(jobs * 10) / 10;
  return shown < 10 && shown != std::floor(shown) ? fixed_text(shown, 1) : whole_text(std::floor(jobs));
}

/// What falls to each device of a pool, which need not be whole.
std::string each_text(double jobs) {
  return jobs == std::floor(jobs) ? whole_text(jobs) : fixed_text(jobs, jobs < 1.0 ? 2 : 1);
}

/// The number is known to less than a job.
bool is_sharp(const PlanSentence& facts) {
  const double half_width = (facts.high - facts.low) / 2;
  return !std::isfinite(half_width) || half_width < 0.5;
}

std::string how_many(const PlanSentence& facts) {
  const double half_width = (facts.high - facts.low) / 2;
  const double middle = (facts.high + facts.low) / 2;
  const std::string several = facts.noun + "s";
  if (!is_sharp(facts)) {
    // Nothing was simulated that carries any: a bound is all that there is.
    if (facts.low <= 0.0 && facts.jobs_per_device >= std::floor(facts.high))
      return "At most " + whole_text(std::floor(facts.high)) + " " + several;
    const bool in_the_middle = std::abs(middle - facts.jobs_per_device) <= 0.25 * half_width + 1.0;
    if (in_the_middle)
      return whole_text(facts.jobs_per_device) + " ± " + whole_text(std::ceil(half_width)) + " " + several;
    return whole_text(facts.jobs_per_device) + " (" + whole_text(std::floor(facts.low)) + " to " +
           whole_text(std::floor(facts.high)) + ") " + several;
  }
  const std::string jobs = jobs_text(facts.jobs_per_device);
  return jobs.find('.') != std::string::npos ? jobs + " " + several
                                             : counted(std::floor(facts.jobs_per_device), facts.noun);
}

std::string within(const PlanSentence& facts) {
  if (!facts.tolerance) return "";
  const PlanSentence::Tolerance& tolerance = *facts.tolerance;
  const std::string than = tolerance.of_fewest_jobs ? " longer than those of one " + facts.noun + " alone" : " longer";
  if (tolerance.at_saturation)
    return " at saturation, where events still take at most " + percent_text(tolerance.slowdown) + than;
  // A number that has just been said is not said again.
  std::string said = is_sharp(facts) ? jobs_text(facts.jobs_per_device) : "";
  std::string text = " if events may take " + percent_text(tolerance.slowdown);
  const std::string also = tolerance.also_slowdown && tolerance.also_jobs ? jobs_text(*tolerance.also_jobs) : "";
  if (!also.empty() && also == said) text += " or " + percent_text(*tolerance.also_slowdown);
  text += than;
  if (!also.empty() && also != said) {
    text += ", " + also + " at " + percent_text(*tolerance.also_slowdown);
    said = also;
  }
  const std::string at_saturation = jobs_text(tolerance.saturates_at);
  return text + (at_saturation == said ? " and at saturation" : ", " + at_saturation + " at saturation");
}

/// The answer is of one device alone or of those of the scenario; jobs that need more share these.
std::string in_pools(const PlanSentence& facts) {
  std::string text;
  if (facts.jobs_alone) text += "; " + jobs_text(*facts.jobs_alone) + " on one " + facts.device_word + " alone";
  if (!facts.pool) return text;
  const double each = facts.pool->jobs / facts.pool->devices;
  const std::string jobs = counted(facts.pool->jobs, facts.noun);
  const std::string need = facts.pool->jobs == 1.0 ? " needs" : " need";
  const std::string devices = counted(facts.pool->devices, facts.device_word);
  if (facts.pool->devices == 1.0) return text + "; " + jobs + need + " " + devices;
  if (is_sharp(facts) && jobs_text(each) == jobs_text(facts.jobs_per_device))
    return text + "; " + jobs + need + " " + devices;
  text += "; " + each_text(each) + " each in the pool of " + devices + " that " + jobs + need;
  if (each >= facts.jobs_per_device + 1.0) text += ", where a request finds one free sooner";
  return text;
}

std::string beginning(const PlanSentence& facts) {
  if (facts.arrivals)
    return counted(facts.arrivals->devices, facts.device_word) + " for " +
           number_text(facts.arrivals->events_per_s, 4) + " events/s. ";
  return how_many(facts) + " per " + facts.device_word + within(facts) + in_pools(facts) + ". ";
}

std::string at(const PlanSentence& facts, double jobs, double events_per_s) {
  if (facts.arrivals) return " at " + number_text(events_per_s, 4) + " events/s";
  return " at " + counted(std::floor(jobs), facts.noun) + (facts.several_devices ? " in all" : "");
}

/// What binds is neither a device nor held for one, so that more devices carry no more.
bool is_bound_elsewhere(const PlanSentence& facts) {
  return facts.binding_kind && !is_device(*facts.binding_kind) && !is_held(facts.binding_kind);
}

std::string limits(const PlanSentence& facts) {
  if (facts.binding.empty()) return "No resource is shared, so nothing ever saturates.";
  const bool not_yet = facts.arrivals || facts.binds_at_jobs;
  const bool several = is_held(facts.binding_kind) || (facts.arrivals && !facts.binding_kind);
  const std::string verb = several ? " bind" : " binds";
  std::string text =
      (not_yet ? "Nothing is saturated: the " : "The ") + called(facts.binding_kind, facts.binding) + verb;
  if (not_yet)
    text +=
        " first," + at(facts, facts.binds_at_jobs.value_or(0.0), facts.arrivals ? facts.arrivals->binds_at_per_s : 0.0);
  if (!not_yet && is_bound_elsewhere(facts)) text += ", not the " + facts.device_word + "s";
  if (!facts.next.empty())
    text += "; the next limit is the " + called(facts.next_kind, facts.next) +
            at(facts, std::round(facts.next_at_jobs), facts.arrivals ? facts.arrivals->next_at_per_s : 0.0);
  return text + ".";
}

std::string money(const PlanSentence& facts) {
  if (!facts.usd_per_million_events) return "";
  std::string text = number_text(*facts.usd_per_million_events, 3) + " USD per million events";
  if (!facts.priced.empty()) text += " for the " + facts.priced;
  if (facts.cpu_only_usd_per_million)
    text += ", against " + number_text(*facts.cpu_only_usd_per_million, 3) + " on CPU alone";
  return text + ".";
}

}  // namespace

void say_arrivals(PlanSentence& sentence, const SystemFacts& facts, double events_per_s) {
  sentence.arrivals = PlanSentence::Arrivals{.devices = facts.devices, .events_per_s = events_per_s};
  const std::vector<EventLimit> limits = rate_limits(facts);
  if (!limits.empty()) {
    sentence.binding = limits[0].name;
    sentence.binding_kind = limits[0].kind;
    sentence.arrivals->binds_at_per_s = limits[0].events_per_s;
  }
  if (limits.size() > 1) {
    sentence.next = limits[1].name;
    sentence.next_kind = limits[1].kind;
    sentence.arrivals->next_at_per_s = limits[1].events_per_s;
  }
}

std::string plan_sentence(const PlanSentence& facts) {
  const std::string costs = money(facts);
  return beginning(facts) + limits(facts) + (costs.empty() ? "" : " ") + costs;
}

namespace {

constexpr std::size_t widest_value = 20;

/// "GPU, at 274 jobs"
std::string limit_words(const PlanSentence& sentence, const SystemFacts& facts, const std::string& resource,
                        const std::optional<ResourceKind>& kind, double events_per_s) {
  std::string text = kind ? name_of(*kind) : "";
  if (kind && is_device(*kind)) text = facts.device_word;
  if (sentence.arrivals) {
    append_part(text, "at " + number_text(events_per_s, 4) + " events/s");
    return text;
  }
  for (const KneeFact& knee : facts.knees)
    if (knee.resource == resource) {
      append_part(text, "at " + counted(std::round(knee.jobs), "job"));
      // A search is of the jobs that there are; other plans ask how many there may be.
      if (!sentence.tolerance && facts.jobs > knee.jobs)
        text += ", which the " + counted(facts.jobs, "job") + " here are past";
    }
  if (sentence.pool && sentence.pool->devices != facts.devices)
    text += ", with the " + counted(facts.devices, facts.device_word) + " of the scenario";
  return text;
}

/// The unloaded event time as a sum over what takes it.
std::string unloaded_words(const SystemFacts& facts) {
  if (facts.pools.size() != 1) return "on average over " + counted(facts.pools.size(), "pool") + " of jobs";
  const PoolFacts& pool = facts.pools.front();
  std::string text;
  const auto add = [&](StagePart part, const std::string& words) {
    double sum_s = 0.0;
    for (const EventPart& one : pool.parts)
      if (one.part == part) sum_s += one.seconds;
    if (sum_s > 0.0) append_part(text, number_text(sum_s, 3) + " " + words, " + ");
  };
  add(StagePart::cpu, "on the job's core");
  add(StagePart::serialisation, "serialising");
  add(StagePart::bandwidth, "transfer");
  add(StagePart::travel, "travel");
  add(StagePart::device, "on the " + facts.device_word);
  if (pool.cpu_only)
    append_part(text,
                number_text(pool.cpu_only->event_time_s, 3) + " s on CPU alone (" +
                    number_text(pool.cpu_only->event_time_s / pool.ideal_event_time_s, 2) + " times as long)",
                "; ");
  return text;
}

}  // namespace

Table first_screen() {
  return {.columns = {{.readers = For::people}, {.readers = For::people}, {.readers = For::people}},
          .readers = For::people,
          .details = false};
}

void add_line(Table& screen, const std::string& label, const std::string& value, const std::string& explanation) {
  if (width_of(value) <= widest_value)
    screen.add_row({label, value, explanation});
  else
    screen.add_row({label, std::string(), value + (explanation.empty() ? "" : ", ") + explanation});
}

void add_jobs(Table& screen, const PlanSentence& sentence) {
  std::string many = how_many(sentence);
  many.resize(many.rfind(' '));
  const std::string alone = sentence.jobs_alone ? "; " + jobs_text(*sentence.jobs_alone) + " on one alone" : "";
  const std::string elsewhere = sentence.tolerance && is_bound_elsewhere(sentence)
                                    ? "; the " + std::string(name_of(*sentence.binding_kind)) + " sets this, not the " +
                                          sentence.device_word + "s"
                                    : "";
  add_line(screen, sentence.noun + "s per " + sentence.device_word, many,
           std::string(trimmed(within(sentence) + alone + elsewhere, " ;")));
  if (!sentence.pool) return;
  const PlanSentence::Pool& pool = *sentence.pool;
  add_line(
      screen, sentence.device_word + "s", whole_text(pool.devices),
      "for " + counted(pool.jobs, sentence.noun) +
          (pool.devices > 1.0 ? " (" + each_text(pool.jobs / pool.devices) + " each)" : "") + ": events are " +
          slower_text(pool.slowdown) + " than unloaded" +
          (pool.failed && pool.failed->mean > 0.0
               ? ", though " + figure_text(measure("failed"), *pool.failed) + " of their calls FAIL"
               : "") +
          (pool.refused > 0.0
               ? ", with the " + percent_text(pool.refused) + " of their requests that are REFUSED counted as lost"
               : "") +
          (pool.to_spare ? ", with any number of them " + slower_text(*pool.to_spare) : "") +
          (pool.most_in_a_node > 0.0
               ? "; " + (pool.most_in_a_node < pool.devices ? whole_text(pool.most_in_a_node) + " of them" : "all") +
                     " in one node: --gpus 1:" + decimal_text(pool.devices, 0) + " --node-sizes 1,2,4,8 --objective " +
                     (sentence.usd_per_million_events ? "rent" : "fewest-gpus") + " buys nodes"
               : ""));
}

void add_cost_and_limits(Table& screen, const PlanSentence& sentence, const SystemFacts& facts) {
  if (sentence.usd_per_million_events) {
    std::string words = "USD per million events";
    if (!sentence.priced.empty()) words += " for the " + sentence.priced;
    if (sentence.cpu_only_usd_per_million)
      words += "; " + number_text(*sentence.cpu_only_usd_per_million, 3) + " on CPU alone";
    add_line(screen, "cost", number_text(*sentence.usd_per_million_events, 3), words);
  } else if (sentence.pool) {
    add_line(screen, "cost", no_value, "the scenario has no prices (docs/models/costs.md)");
  }
  const std::optional<PlanSentence::Arrivals>& arrivals = sentence.arrivals;
  if (sentence.binding.empty())
    add_line(screen, "binds first", "nothing", "no resource is shared, so nothing ever saturates");
  else
    add_line(screen, "binds first", sentence.binding,
             limit_words(sentence, facts, sentence.binding, sentence.binding_kind,
                         arrivals ? arrivals->binds_at_per_s : 0.0));
  if (!sentence.next.empty())
    add_line(screen, "binds next", sentence.next,
             limit_words(sentence, facts, sentence.next, sentence.next_kind, arrivals ? arrivals->next_at_per_s : 0.0));
  add_line(screen, "unloaded event", number_text(facts.ideal_event_time_s, 4) + " s", unloaded_words(facts));
}

namespace {

/// Errors that nobody acts upon: their order and their sign are of no interest.
constexpr double negligible = 0.005;
constexpr double significant = 0.05;
constexpr std::array<double, 7> rounded_bounds{0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3};

std::string trend_words(const Score& score) {
  if (score.rows < 3) return "too few rows for a trend";
  if (std::abs(score.worst_error) < negligible || !score.trend) return "no trend with load";
  const std::string p = "p = " + number_text(score.trend->p_value, 2);
  if (score.trend->p_value >= significant) return "no trend with load (" + p + ")";
  return std::string("errors that ") + (score.trend->rho > 0.0 ? "rise" : "fall") + " with load (rank correlation " +
         fixed_text(score.trend->rho, 2) + ", " + p + ")";
}

std::string trend_in_short(const Score& score) {
  if (score.rows < 3) return "";
  if (std::abs(score.worst_error) < negligible || !score.trend) return "no";
  const std::string p = " (p = " + number_text(score.trend->p_value, 2) + ")";
  if (score.trend->p_value >= significant) return "no" + p;
  return (score.trend->rho > 0.0 ? "rises" : "falls") + p;
}

/// Says when the simulation is off in the same direction everywhere: that is no scatter.
std::string bias_words(const Score& score) {
  std::string text = signed_percent_text(score.mean_error);
  if (score.rows < 3 || std::abs(score.mean_error) < negligible) return text;
  if (score.rows_above == score.rows) return text + " (too high in every row)";
  if (score.rows_below == score.rows) return text + " (too low in every row)";
  return text;
}

std::string band_words(const ErrorTarget& target) {
  std::string text;
  if (target.median) text = "median " + percent_text(*target.median);
  if (target.worst) append_part(text, "worst " + percent_text(*target.worst));
  return text;
}

std::string judgement_words(const Score& score) {
  if (const auto within = score.within())
    return (*within ? "within the band asked for (" : "OUTSIDE the band asked for (") + band_words(*score.target) + ")";
  const double worst = std::abs(score.worst_error);
  const auto* bound =
      std::find_if(rounded_bounds.begin(), rounded_bounds.end(), [&](double candidate) { return worst <= candidate; });
  if (bound == rounded_bounds.end()) return "off by up to " + percent_text(worst);
  return "within " + percent_text(*bound) + " everywhere";
}

}  // namespace

VerdictWords verdict_words(const Score& score) {
  VerdictWords words;
  if (score.target) words.band = band_words(*score.target);
  if (score.rows == 0) {
    words.judgement = "no row counts" + std::string(score.target ? ": the band asked for is not kept" : "");
    return words;
  }
  words.worst = signed_percent_text(score.worst_error) + " at " + score.worst_at;
  words.judgement = judgement_words(score);
  if (score.rows == 1) return words;
  words.median = fixed_text(score.median_absolute_error * 100.0, 1) + " %";
  words.bias = bias_words(score);
  words.trend = trend_words(score);
  words.trend_in_short = trend_in_short(score);
  return words;
}

std::string verdict_in_words(const Score& score) {
  const VerdictWords words = verdict_words(score);
  if (score.rows == 0) return words.judgement;
  if (score.rows == 1) return words.worst + ", the only row that counts: " + words.judgement;
  return "median " + words.median + ", worst " + words.worst + ", bias " + words.bias + ", " + words.trend + ": " +
         words.judgement;
}

}  // namespace saturn
