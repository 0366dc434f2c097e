#include "reports/plan_sentence.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/bottlenecks.hpp"
#include "reports/number_text.hpp"
#include "reports/facts_text.hpp"

namespace saturn {

namespace {

/// "The GPU gke/t4": what it is called among people, then its name, unless that says it already.
std::string called(const std::optional<ResourceKind>& kind, const std::string& name) {
  if (!kind) return name;
  std::string word = name_of(*kind);
  if (name.find(word) != std::string::npos) return name;
  if (is_device(*kind))
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word + " " + name;
}

/// Jobs per device without their word: whole, or in tenths where there are few, in hundredths below one.
std::string jobs_text(double jobs) {
  if (jobs < 1.0) return fixed_text(std::floor(jobs * 100) / 100, 2);
  const double shown = std::floor(jobs * 10) / 10;
  return shown < 10 && shown != std::floor(shown) ? fixed_text(shown, 1) : whole_text(std::floor(jobs));
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
    if (facts.low <= 0.0) return "At most " + whole_text(std::floor(facts.high)) + " " + several;
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
  text += "; " + jobs_text(each) + " each in the pool of " + devices + " that " + jobs + need;
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

std::string limits(const PlanSentence& facts) {
  if (facts.binding.empty()) return "No resource is shared, so nothing ever saturates.";
  const bool not_yet = facts.arrivals || facts.binds_at_jobs;
  // These are named in the plural.
  const bool several = facts.binding_kind == ResourceKind::instances || (facts.arrivals && !facts.binding_kind);
  const std::string verb = several ? " bind" : " binds";
  std::string text =
      (not_yet ? "Nothing is saturated: the " : "The ") + called(facts.binding_kind, facts.binding) + verb;
  if (not_yet)
    text +=
        " first," + at(facts, facts.binds_at_jobs.value_or(0.0), facts.arrivals ? facts.arrivals->binds_at_per_s : 0.0);
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
  const std::vector<RateLimit> limits = rate_limits(facts);
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

std::string plan_sentence_lines(const PlanSentence& facts, TextStyle style) {
  const std::string costs = money(facts);
  return heading(beginning(facts) + limits(facts), style) + (costs.empty() ? "" : heading(costs, style));
}

}  // namespace saturn
