#include <algorithm>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/cross_checks.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/scenario_fields.hpp"
#include "scenarios/stage_requests.hpp"

namespace saturn {

namespace {

/// The event of one pool, with the address of its list of stages.
struct CheckedEvent {
  const CheckedScenario& checked;
  const std::vector<Stage>& stages;
  std::string pointer;

  std::string at(std::size_t stage) const { return pointer + "/" + std::to_string(stage); }
};

const std::string& label_of(const Stage& stage) {
  return std::visit([](const auto& one) -> const std::string& { return one.label; }, stage);
}
bool is_asynchronous(const Stage& stage) {
  const auto* infer = std::get_if<InferStage>(&stage);
  return infer != nullptr && infer->asynchronous;
}

/// Places of the stages of a label, from one place on and before another.
std::vector<std::size_t> labelled(const CheckedEvent& event, const std::string& label, std::size_t from,
                                  std::size_t before, bool asynchronous) {
  std::vector<std::size_t> places;
  for (std::size_t k = from; k < before; ++k)
    if (label_of(event.stages[k]) == label && is_asynchronous(event.stages[k]) == asynchronous) places.push_back(k);
  return places;
}

std::string what_to_name(const CheckedEvent& event, const std::string& label, std::size_t stage) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < stage; ++k)
    if (is_asynchronous(event.stages[k])) known.push_back(label_of(event.stages[k]));
  if (known.empty()) return "No stage before " + event.at(stage) + " is asynchronous.";
  const std::string nearest = nearest_name(label, known);
  return nearest.empty() ? "There are " + listed(known) + "." : "Did you mean \"" + nearest + "\"?";
}

void check_need(const CheckedEvent& event, std::size_t stage, const std::string& label, const std::string& at) {
  const std::vector<std::size_t> found = labelled(event, label, 0, stage, true);
  const std::string names = at + " names " + shown(label) + ", ";
  if (found.size() == 1) return;
  if (found.size() > 1) {
    event.checked.refuse(at, "scenario.ambiguous_need",
                         names + "as both " + event.at(found[0]) + " and " + event.at(found[1]) +
                             " are called; give each a \"label\" of its own.");
    return;
  }
  const std::vector<std::size_t> later = labelled(event, label, stage, event.stages.size(), true);
  const std::vector<std::size_t> blocking = labelled(event, label, 0, stage, false);
  if (!later.empty())
    event.checked.refuse(at, "scenario.need_not_earlier",
                         names + (later[0] == stage ? "the stage itself" : "which comes later, " + event.at(later[0])) +
                             "; a stage can wait only for earlier ones: change their order, or leave it out.");
  else if (!blocking.empty())
    event.checked.refuse(at, "scenario.need_not_asynchronous",
                         names + event.at(blocking[0]) +
                             ", which is over by then, since it is not asynchronous; leave it out, or set "
                             "\"asynchronous\" there.");
  else
    event.checked.refuse(at, "scenario.unknown_need",
                         names + "which no earlier asynchronous stage is called. " + what_to_name(event, label, stage));
}

void check_stage(const CheckedEvent& event, std::size_t stage) {
  const std::vector<std::string>& needs = needs_of(event.stages[stage]);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const std::string at = event.at(stage) + "/needs/" + std::to_string(i);
    if (!event.checked.complaints.sound(at)) continue;
    if (std::find(needs.begin(), needs.begin() + static_cast<std::ptrdiff_t>(i), needs[i]) !=
        needs.begin() + static_cast<std::ptrdiff_t>(i))
      event.checked.refuse(at, "scenario.duplicate_name",
                           at + " names " + shown(needs[i]) + " a second time; name it once.");
    else
      check_need(event, stage, needs[i], at);
  }
  const auto* infer = std::get_if<InferStage>(&event.stages[stage]);
  const std::string items_at = event.at(stage) + "/items";
  if (infer != nullptr && infer->items.largest() == 0 && event.checked.complaints.sound(items_at))
    event.checked.refuse(items_at, "scenario.no_items",
                         items_at +
                             " is never above 0, so that nothing is sent; give a count above 0, or leave the "
                             "stage out.");
}

void check_pool(const CheckedScenario& checked, const JobPool& pool, const std::string& pointer) {
  const CheckedEvent event{checked, pool.event, pointer + "/event"};
  if (checked.complaints.complete(event.pointer))
    for (std::size_t k = 0; k < pool.event.size(); ++k) check_stage(event, k);
  const std::string loops_at = pointer + "/concurrent_events";
  if (pool.concurrent_events && *pool.concurrent_events < pool.threads && checked.complaints.sound(loops_at) &&
      checked.complaints.sound(pointer + "/threads"))
    checked.warn(loops_at, "scenario.idle_cores",
                 loops_at + " is " + with_commas(*pool.concurrent_events) + ", below the job's " +
                     with_commas(pool.threads) + " threads, so that some of its cores are never used.");
  if (pool.job_setup > Seconds{0.0} && !pool.events_per_job && checked.complaints.sound(pointer + "/events_per_job"))
    checked.warn(pointer + "/job_setup", "scenario.unused_setup",
                 pointer + "/job_setup has no effect without \"events_per_job\": these jobs never end.");
}

void check_in_flight(const CheckedScenario& checked) {
  double calls = 0.0;
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i) {
    const JobPool& pool = checked.scenario.jobs[i];
    const std::string pointer = "/jobs/" + std::to_string(i);
    if (!checked.complaints.sound(pointer)) continue;
    std::uint64_t blocking = 0;
    std::uint64_t of_loop = 0;
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr) continue;
      const std::uint64_t wide = std::min(infer->in_flight, most_requests(*infer));
      if (infer->asynchronous) {
        of_loop += wide;
      } else {
        blocking = std::max(blocking, wide);
      }
    }
    calls += static_cast<double>(of_loop + blocking) * static_cast<double>(event_loops(pool));
    if (calls <= most_in_flight_requests) continue;
    checked.refuse(pointer + "/event", "scenario.too_many_in_flight",
                   pointer + " brings the requests that may be in flight together to " +
                       with_commas(static_cast<std::uint64_t>(calls)) + "; at most " +
                       with_commas(static_cast<std::uint64_t>(most_in_flight_requests)) +
                       " are simulated. Lower \"in_flight\", or the number of jobs.");
    return;
  }
}

}  // namespace

void check_jobs(const CheckedScenario& checked) {
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i)
    check_pool(checked, checked.scenario.jobs[i], "/jobs/" + std::to_string(i));
  check_in_flight(checked);
}

}  // namespace saturn
