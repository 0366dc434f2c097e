// SimGrid as it is usually written: an actor a client, an actor a device, a mailbox each, transfers and executions as
// SimGrid's own activities, on the network model CM02 so that the sharing is the same max-min fairness.
#include <simgrid/s4u.hpp>

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "bench/closed_loop.hpp"
#include "models/laws/distribution.hpp"
#include "models/laws/random_stream.hpp"

namespace s4u = simgrid::s4u;

namespace saturn::bench {

namespace {

constexpr double device_speed = 1e9;  // [flop/s]; an execution of T·speed flops takes T

struct Request {
  std::string answer_to;
};

struct Shared {
  const ClosedLoop& loop;
  double horizon_s;
  std::chrono::steady_clock::time_point deadline;
  s4u::SemaphorePtr waiting = s4u::Semaphore::create(0);  // requests in the queue
  std::deque<Request*> queue = {};
  LoopResult result = {};
  std::uint64_t late = 0;
  std::uint64_t looks = 0;

  bool over() {
    // The wall clock is looked at now and then: asking it for every request would be measured too.
    if (++looks % 64 == 0 && std::chrono::steady_clock::now() > deadline) result.finished = false;
    return !result.finished || s4u::Engine::get_clock() > horizon_s;
  }
};

void client(Shared& shared, std::uint32_t number) {
  const TimeDistribution think = ExponentialTime{Seconds{ClosedLoop::think_s}};
  RandomStream stream(1, 0, number, Purpose::cpu_stage);
  auto* answers = s4u::Mailbox::by_name("client-" + std::to_string(number));
  auto* server = s4u::Mailbox::by_name("server");
  s4u::this_actor::sleep_for(shared.loop.start_s(number));
  Request request{answers->get_name()};
  for (;;) {
    s4u::this_actor::sleep_for(sample(think, stream).value);
    server->put_init(&request, static_cast<std::uint64_t>(ClosedLoop::request_bytes))
        ->set_rate(ClosedLoop::flow_bytes_per_s)
        ->wait();
    answers->get<Request>();
    ++shared.result.requests;
    const double now = s4u::Engine::get_clock();
    if (now > shared.horizon_s / 2 && now <= shared.horizon_s) ++shared.late;
    if (shared.over()) {
      s4u::Actor::kill_all();
      return;
    }
  }
}

// The server's door: the mailbox has a permanent receiver, so that transfers begin when they are sent and not when a
// device happens to be free.
void door(Shared& shared) {
  auto* requests = s4u::Mailbox::by_name("server");
  requests->set_receiver(s4u::Actor::self());
  for (;;) {
    shared.queue.push_back(requests->get<Request>());
    shared.waiting->release();
  }
}

void device(Shared& shared) {
  for (;;) {
    shared.waiting->acquire();
    Request* request = shared.queue.front();
    shared.queue.pop_front();
    s4u::this_actor::execute(shared.loop.service_s() * device_speed);
    s4u::Mailbox::by_name(request->answer_to)
        ->put_init(request, static_cast<std::uint64_t>(ClosedLoop::answer_bytes))
        ->set_rate(ClosedLoop::flow_bytes_per_s)
        ->detach();
  }
}

}  // namespace

LoopResult run_actors(const ClosedLoop& loop, double horizon_s, double wall_limit_s) {
  std::vector<std::string> arguments = {"bench", "--cfg=network/model:CM02", "--log=root.thresh:critical",
                                        "--cfg=contexts/stack-size:16",
                                        // A guard page a stack would exceed the system's number of mappings.
                                        "--cfg=contexts/guard-size:0"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  const double before = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  s4u::Engine engine(&argc, argv.data());
  auto* zone = s4u::create_full_zone("loop");
  auto* farm = zone->create_host("farm", device_speed)->seal();
  auto* centre =
      zone->create_host("centre", device_speed)->set_core_count(static_cast<int>(ClosedLoop::devices))->seal();
  auto* link = zone->create_split_duplex_link("link", loop.bandwidth());
  link->set_latency(ClosedLoop::round_trip_s / 2)->seal();
  zone->add_route(farm->get_netpoint(), centre->get_netpoint(), nullptr, nullptr,
                  {{link, s4u::LinkInRoute::Direction::UP}}, true);
  zone->seal();
  Shared shared{loop, horizon_s,
                start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                            std::chrono::duration<double>(wall_limit_s))};
  s4u::Actor::create("door", centre, [&shared] { door(shared); });
  for (std::uint64_t d = 0; d < ClosedLoop::devices; ++d)
    s4u::Actor::create("device", centre, [&shared] { device(shared); });
  for (std::uint32_t i = 0; i < loop.clients; ++i)
    s4u::Actor::create("client", farm, [&shared, i] { client(shared, i); });
  engine.run();
  LoopResult result = shared.result;
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.grown_bytes = peak_resident_bytes() - before;
  result.requests_per_s = static_cast<double>(shared.late) / (horizon_s / 2);
  return result;
}

}  // namespace saturn::bench
