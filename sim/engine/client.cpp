#include "sim/engine/client.hpp"

#include <utility>
#include <variant>

#include "sim/engine/living/tried_calls.hpp"

namespace saturn {

namespace {

std::uint64_t items_of(const InferPlan& plan, RandomStream* counts) {
  return plan.items.is_constant() ? plan.items.largest() : plan.items.at(counts->uniform());
}

}  // namespace

void PoolOfClients::add(const StreamPlan& stream, Client& client) {
  const auto place = static_cast<std::size_t>(&client - clients);
  const Replica& replica = world.replica;
  if (stream.first_event) {
    under_way.resize(count);
    under_way[place] = *stream.first_event;
  }
  if (stream.slowness != 1.0) {
    slowness.resize(count, 1.0);
    slowness[place] = stream.slowness;
  }
  if (plan.events_per_stream > 0) {
    events_left.resize(count);
    events_left[place] = stream.first_events;
  }
  if (stream.cores != nullptr) {
    // Those that wait point to each other.
    cores.reserve(count);
    cores.emplace_back(stream.cores, client);
  }
  if (plan.draws_requests) {
    counts.reserve(count);
    lengths.reserve(count);
    counts.emplace_back(replica.seed, replica.index, client.entity(), Purpose::item_count);
    lengths.emplace_back(replica.seed, replica.index, client.entity(), Purpose::item_length);
  }
  asynchronous.resize(count * plan.windows.size());
  for (const StagePlan& stage : plan.stages) {
    const auto* infer = std::get_if<InferPlan>(&stage.work);
    if (infer == nullptr) continue;
    if (infer->job_ends) failing.resize(count);
    if (infer->start_up_s > 0.0) infers_itself.resize(count);
  }
}

Client::Client(PoolOfClients& pool) : pool_(&pool) {}

void Client::begin(const StreamPlan& stream) {
  pool_->add(stream, *this);
  if (pool_->plan.arrivals != nullptr) {
    next_ = Step::job;
    go_on();
    return;
  }
  if (stream.first_event) next_ = Step::found;
  pool_->meter.pause(0.0);
  pool_->world.timers.wake(*this, stream.start);
}

// A step that follows another at once is called by it, but for the first of an event: events that take no time must not
// stand in each other's calls.
void Client::go_on() {
  bool awake = true;
  while (awake) {
    switch (next_) {
      case Step::started:
        awake = started();
        break;
      case Step::found:
        awake = found();
        break;
      case Step::job:
        awake = job();
        break;
      case Step::set_up:
        awake = set_up();
        break;
      case Step::set_up_over:
        awake = set_up_over();
        break;
      case Step::event:
        awake = event();
        break;
      case Step::arrived:
        awake = arrived();
        break;
      case Step::stage:
        awake = stage();
        break;
      case Step::need_answered:
        awake = need_answered();
        break;
      case Step::infer_refused:
        awake = infer_refused();
        break;
      case Step::need_over:
        awake = need_over();
        break;
      case Step::work:
        awake = work();
        break;
      case Step::work_found:
        awake = work_found();
        break;
      case Step::computed:
        awake = computed();
        break;
      case Step::send:
        awake = send();
        break;
      case Step::room:
        awake = room();
        break;
      case Step::serialised:
        awake = serialised();
        break;
      case Step::sent:
        awake = sent();
        break;
      case Step::answered:
        awake = answered();
        break;
      case Step::stage_over:
        awake = stage_over();
        break;
    }
  }
}

/// Sleeps until it has computed for so long; the trace is told.
/// @param stage  of the event; beyond the last: the job's set-up
bool Client::compute_until(Step then, std::size_t stage, double duration_s) {
  const ClientWorld& world = pool_->world;
  const double begin = world.calendar.now();
  if (world.tracer != nullptr) world.tracer->computes(entity(), stage, begin, begin + duration_s);
  pool_->meter.computed_sum += duration_s;
  next_ = then;
  world.timers.wake(*this, begin + duration_s);
  return false;
}

bool Client::take_core(Step then) {
  next_ = then;
  return pool_->cores.empty() || pool_->cores[place()].take(now());
}

void Client::give_core_back() {
  if (!pool_->cores.empty()) pool_->cores[place()].give_back(now());
}

/// Time that the stream takes to infer itself what the servers refused, where the scenario says how long that takes
/// [s].
double Client::refused_s(CallWindow& window, const InferPlan& plan) {
  const std::uint64_t items = window.take_refused();
  double busy_s = static_cast<double>(items) * plan.cpu_s_per_item * slowness();
  if (items > 0 && plan.start_up_s > 0.0 && std::exchange(pool_->infers_itself[place()], char{1}) == 0)
    busy_s += plan.start_up_s;
  return busy_s;
}

const InferPlan& Client::plan_of_stage() const {
  return std::get<InferPlan>(pool_->plan.stages[stage_].work);
}

// A job begins.

bool Client::started() {
  pool_->meter.go_on(0.0, now());
  return go_on_with(Step::job);
}

/// It is in the middle of an event, in a stage that computes. Asynchronous stages before it have been answered.
bool Client::found() {
  const EventUnderWay& found = pool_->under_way[place()];
  event_start_ = now() - found.past_s;
  stage_start_ = now() - found.of_stage_s;
  surplus_s_ = found.surplus_s;
  stage_ = static_cast<std::uint16_t>(found.stage);
  // What has passed of it counts as its time, and as none of the pause before it.
  pool_->meter.go_on(0.0, event_start_);
  begin_counting_event();
  return take_core(Step::work_found);
}

void Client::begin_counting_event() {
  ++pool_->meter.open;
  pool_->meter.open_starts += event_start_;
}

bool Client::job() {
  return pool_->events_left.empty() || pool_->events_left[place()] > 0 ? event() : next_job();
}

bool Client::next_job() {
  event_start_ = now();
  pool_->meter.pause(event_start_);
  pool_->world.service.end_sequences(entity(), event_start_);
  if (!pool_->plan.jobs_replaced) return false;
  pool_->world.service.reconnect(entity());
  if (!pool_->infers_itself.empty()) pool_->infers_itself[place()] = 0;
  for (const StagePlan& stage : pool_->plan.stages)
    if (const auto* infer = std::get_if<InferPlan>(&stage.work); infer != nullptr && infer->tries != nullptr)
      infer->tries->new_job(entity());
  return take_core(Step::set_up);
}

bool Client::set_up() {
  return compute_until(Step::set_up_over, pool_->plan.stages.size(), pool_->plan.job_setup_s * slowness());
}

bool Client::set_up_over() {
  give_core_back();
  pool_->meter.go_on(event_start_, now());
  pool_->meter.set_up_sum += now() - event_start_;
  if (!pool_->events_left.empty()) pool_->events_left[place()] = pool_->plan.events_per_stream;
  return go_on_with(Step::event);
}

// An event begins.

bool Client::event() {
  surplus_s_ = 0.0;
  stage_ = 0;
  need_ = 0;
  if (Arrivals* arrivals = pool_->plan.arrivals) {
    next_ = Step::arrived;
    return arrivals->take(*this, event_start_);
  }
  event_start_ = stage_start_ = now();
  begin_counting_event();
  return go_on_with(Step::stage);
}

bool Client::arrived() {
  stage_start_ = now();
  return go_on_with(Step::stage);
}

// A stage waits for the asynchronous ones that it needs, one after the other.

bool Client::stage() {
  const StagePlan& stage = pool_->plan.stages[stage_];
  while (need_ < stage.needs.size() && asynchronous(stage.needs[need_]) == nullptr) ++need_;
  if (need_ < stage.needs.size()) {
    CallWindow& window = *asynchronous(stage.needs[need_]);
    next_ = Step::need_answered;
    if (window.done()) return true;
    give_core_back();
    window.wake_when_done();
    return false;
  }
  if (std::holds_alternative<std::monostate>(stage.work)) return event_over();
  return take_core(Step::work) && work();
}

bool Client::need_answered() {
  const std::uint16_t needed = pool_->plan.stages[stage_].needs[need_];
  const InferPlan& plan = *pool_->plan.windows[needed];
  CallWindow& window = *std::exchange(asynchronous(needed), nullptr);
  const bool failed = window.failed() && plan.job_ends;
  present_.held_s = refused_s(window, plan);
  pool_->world.windows.give_back(plan.shelf, window);
  if (failed) return fail_event();
  return present_.held_s > 0.0 ? take_core(Step::infer_refused) : go_on_with(Step::need_over);
}

bool Client::infer_refused() {
  const std::uint16_t needed = pool_->plan.stages[stage_].needs[need_];
  return compute_until(Step::need_over, pool_->plan.windows[needed]->stage, present_.held_s);
}

bool Client::need_over() {
  const std::uint16_t needed = pool_->plan.stages[stage_].needs[need_++];
  pool_->meter.stage_sums[pool_->plan.windows[needed]->stage] += now() - stage_start_;
  stage_start_ = now();
  return go_on_with(Step::stage);
}

// The stage's work.

bool Client::work() {
  const StagePlan& stage = pool_->plan.stages[stage_];
  if (const auto* cpu = std::get_if<TimeDistribution>(&stage.work)) return compute(stage, *cpu);
  return infer(std::get<InferPlan>(stage.work));
}

bool Client::work_found() {
  const StagePlan& stage = pool_->plan.stages[stage_];
  const EventUnderWay& found = pool_->under_way[place()];
  present_.held_s = found.of_stage_s + found.left_s - stage.mean_s * slowness();
  return compute_until(Step::computed, stage_, found.left_s);
}

bool Client::compute(const StagePlan& stage, const TimeDistribution& time) {
  const double slow = slowness();
  const Replica& replica = pool_->world.replica;
  RandomStream stream(replica.seed, replica.index, entity(), cpu_times_);
  const double drawn_s = sample(time, stream).value * slow;
  cpu_times_ = stream.position();
  present_.held_s = pool_->plan.draws_times ? drawn_s - stage.mean_s * slow : 0.0;
  surplus_s_ += present_.held_s;
  return compute_until(Step::computed, stage_, drawn_s);
}

bool Client::computed() {
  // With the stage's own time, so that a window counts both or neither.
  pool_->meter.stage_surplus[stage_] += present_.held_s;
  return stage_over();
}

bool Client::infer(const InferPlan& plan) {
  const std::uint64_t items = items_of(plan, pool_->counts.empty() ? nullptr : &pool_->counts[place()]);
  if (items == 0) return stage_over();
  present_.window = &pool_->world.windows.take(plan.shelf);
  if (plan.asynchronous) asynchronous(plan.window) = present_.window;
  present_.window->begin(plan, *this, items);
  if (plan.costs_to_send()) return go_on_with(Step::send);
  present_.window->send_all(now());
  return sent();
}

bool Client::send() {
  if (present_.window->loop_sends()) {
    next_ = Step::room;
    if (present_.window->has_room()) return true;
    present_.window->wake_at_room();
    return false;
  }
  if (plan_of_stage().asynchronous) present_.window->leave(now());
  return go_on_with(Step::sent);
}

bool Client::room() {
  return compute_until(Step::serialised, stage_, present_.window->next_cost_s());
}

bool Client::serialised() {
  present_.window->send_next(now());
  return go_on_with(Step::send);
}

bool Client::sent() {
  if (plan_of_stage().asynchronous) return go_on_with(Step::stage_over);
  next_ = Step::answered;
  if (present_.window->done()) return true;
  present_.window->wake_when_done();
  return false;
}

bool Client::answered() {
  const InferPlan& plan = plan_of_stage();
  const bool failed = present_.window->failed() && plan.job_ends;
  const double busy_s = refused_s(*present_.window, plan);
  pool_->world.windows.give_back(plan.shelf, *std::exchange(present_.window, nullptr));
  if (failed) return fail_event();
  return busy_s > 0.0 ? compute_until(Step::stage_over, stage_, busy_s) : stage_over();
}

bool Client::stage_over() {
  const double date = now();
  pool_->meter.stage_sums[stage_] += date - stage_start_;
  ++pool_->meter.stage_passes[stage_];
  stage_start_ = date;
  ++stage_;
  need_ = 0;
  return stage();
}

/// The rest of the event is left out, but for the asynchronous stages under way, whose answers it waits for.
bool Client::fail_event() {
  pool_->failing[place()] = 1;
  stage_ = static_cast<std::uint16_t>(pool_->plan.stages.size() - 1);
  need_ = 0;
  return go_on_with(Step::stage);
}

/// The event is lost, and its job has ended with it.
bool Client::event_failed() {
  PoolMeter& meter = pool_->meter;
  pool_->failing[place()] = 0;
  give_core_back();
  if (pool_->plan.arrivals != nullptr) pool_->plan.arrivals->ended();
  --meter.open;
  meter.open_starts -= event_start_;
  ++meter.events_failed;
  meter.failed_sum += now() - event_start_;
  if (pool_->plan.arrivals != nullptr) {
    pool_->world.service.end_sequences(entity(), now());
    return go_on_with(Step::event);
  }
  if (!pool_->events_left.empty()) ++meter.streams_ended;
  return next_job();
}

bool Client::event_over() {
  if (!pool_->failing.empty() && pool_->failing[place()] != 0) return event_failed();
  PoolMeter& meter = pool_->meter;
  const PoolPlan& plan = pool_->plan;
  give_core_back();
  if (plan.arrivals != nullptr) plan.arrivals->ended();
  --meter.open;
  meter.open_starts -= event_start_;
  meter.event_times.add(stage_start_ - event_start_);
  if (plan.draws_times) {
    meter.surplus_sum += surplus_s_;
    meter.slowness_sum += slowness();
  }
  if (!pool_->events_left.empty() && --pool_->events_left[place()] == 0) ++meter.streams_ended;
  return job();
}

}  // namespace saturn
