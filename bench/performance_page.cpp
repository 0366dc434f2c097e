#include "bench/performance_page.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <istream>
#include <iterator>
#include <optional>
#include <string>

namespace saturn::bench {

namespace {

const LoopResult* find(const Measured& measured, const std::string& engine, std::uint64_t clients,
                       const std::string& link) {
  const auto found = measured.find({engine, clients, link});
  return found == measured.end() ? nullptr : &found->second;
}

double speed(const LoopResult& result) {
  return static_cast<double>(result.requests) / result.wall_s;
}

std::string with_commas(double value) {
  std::string digits = std::to_string(static_cast<long long>(std::llround(value)));
  for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
    digits.insert(static_cast<std::size_t>(place), ",");
  return digits;
}

std::string rounded(double value) {
  if (value >= 100.0) return with_commas(value);
  char text[32];
  std::snprintf(text, sizeof text, value >= 10.0 ? "%.0f" : "%.2f", value);
  return text;
}

std::string cell(const LoopResult* result) {
  if (result == nullptr) return "not run";
  if (!result->finished && result->requests == 0) return "no answer";
  // Three figures: the machine's noise is larger than the fourth.
  const double value = speed(*result);
  const double unit = std::pow(10.0, std::floor(std::log10(std::max(value, 1.0))) - 2.0);
  std::string text = with_commas(std::round(value / unit) * unit);
  if (!result->finished) text += " (stopped at the time limit)";
  return text;
}

std::string ratio(const LoopResult* above, const LoopResult* below) {
  const auto measured = [](const LoopResult* result) { return result != nullptr && result->requests > 0; };
  return measured(above) && measured(below) ? rounded(speed(*above) / speed(*below)) : "";
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "an unnamed processor";
}

/// A table with a row for each number of clients and a column for each number of sites.
template <class Cell>
std::string table_of_sites(Cell cell_of) {
  std::string table = "| clients |";
  for (const std::uint64_t sites : shared_sites)
    table += " " + std::to_string(sites) + (sites == 1 ? " site |" : " sites |");
  table += "\n|---:|";
  for (std::size_t column = 0; column < std::size(shared_sites); ++column) table += "---:|";
  for (const std::uint64_t clients : shared_clients) {
    table += "\n| " + with_commas(static_cast<double>(clients)) + " |";
    for (const std::uint64_t sites : shared_sites) table += " " + cell_of(clients, sites) + " |";
  }
  return table + "\n";
}

std::string flows_and_sites(const MeasuredShared& shared) {
  const auto result = [&](const char* engine, std::uint64_t clients, std::uint64_t sites) -> const LoopResult* {
    const auto found = shared.find({engine, clients, sites});
    return found == shared.end() ? nullptr : &found->second;
  };
  const LoopResult* one = result("saturn", shared_clients[0], shared_sites[0]);
  std::string stock = "| clients | sites | saturn | stock | saturn / stock |\n|---:|---:|---:|---:|---:|\n";
  for (const std::uint64_t clients : shared_clients) {
    for (const std::uint64_t sites : shared_sites) {
      const LoopResult* ours = result("saturn", clients, sites);
      const LoopResult* theirs = result("stock", clients, sites);
      stock += "| " + with_commas(static_cast<double>(clients)) + " | " + std::to_string(sites) + " | " + cell(ours) +
               " | " + cell(theirs) + " | " + ratio(ours, theirs) + " |\n";
    }
  }
  return "\n## Flows and sites\n\nClients of several sites send to one node, each site over a link of its own that is "
         "not binding. The node's\nnetwork card carries a tenth of what the clients would send, so that nine in ten of "
         "them have a transfer under way\nat any time. Requests per second of wall time:\n\n" +
         table_of_sites([&](auto clients, auto sites) { return cell(result("saturn", clients, sites)); }) +
         "\nCost of a request, relative to 100 clients of one site:\n\n" +
         table_of_sites([&](auto clients, auto sites) { return ratio(one, result("saturn", clients, sites)); }) +
         "\nThe same with `\"flows\": \"simgrid\"`, where SimGrid's own network model (**stock**) carries the "
         "transfers. *No answer*: two\nevents of each client took it more than " +
         rounded(stock_limit_s) + " seconds.\n\n" + stock;
}

}  // namespace

std::string answers_in_seconds(std::istream& page) {
  const std::string text(std::istreambuf_iterator<char>(page), {});
  const std::size_t at = text.find("\n## Answers in seconds\n");
  return at == std::string::npos ? "" : text.substr(at);
}

std::string performance_page(const Measured& measured, const MeasuredShared& shared) {
  std::string page =
      "# Performance\n\n"
      "This page is written by the benchmark (`saturn-bench --write docs/performance.md`), and its section on answers "
      "in\n"
      "seconds by `scripts/time-answers.sh`, not by hand.\n\n"
      "All engines simulate the same closed loop with the same random numbers: clients that compute for an "
      "exponential\n"
      "time, send one request over a shared link to a node with eight devices (first come first served), and get an\n"
      "answer over the same link. *Idle*: the link has a hundred times the bandwidth that the clients would use.\n"
      "*Saturated*: it has half of it. **saturn** is `simulate()` with all its statistics and checks. **actors** is\n"
      "SimGrid as it is usually written (an actor a client, mailboxes, executions) on its CM02 network model. **bare** "
      "is\n"
      "a hand-written event loop without SimGrid, statistics or checks, all of whose events stand in one heap: what a\n"
      "request costs at the least, until the heap has left the caches. All are compiled with -O3. Each figure is the\n"
      "median of five repetitions (actors: one, stopped after 20 s of wall time, with the rate until then), mixed in "
      "random\n"
      "order, all from one run of the program on one core of " +
      processor() +
      ". Compare\nratios, not figures: machines differ and are noisy.\n\n"
      "*How long yours will take*: formulas alone (`--method bounds`) take a tenth of a second whatever its size; a "
      "simulation\n"
      "about as long as its requests take at the rates below, or twice as long with many sites, links that fill or "
      "events that\n"
      "arrive from outside. `saturn sweep --dry-run` says beforehand what a sweep takes, `--budget` ends any command "
      "at a wall\n"
      "time with what is known by then, and the last section has commands of all sizes.\n\n"
      "## Requests per second of wall time\n\n"
      "| link | clients | saturn | actors | bare | saturn / actors | saturn / bare |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n";
  std::string batching =
      "\n## Batching\n\nThe same loop with a server that batches dynamically up to 8 requests: **no delay**, an idle "
      "device takes "
      "what\nwaits, which at half load is mostly one request; **delay**, batches are held back for up to 10 ms, "
      "preferably 4 or 8.\n"
      "Cost of a request: wall time relative to the same loop without batching.\n\n"
      "| link | clients | no batching | no delay | delay | cost, no delay | cost, delay |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n";
  std::string memory =
      "\n## Memory\n\nGrowth of resident memory at its peak, beyond that of a run with one client [byte/client]. Below "
      "10,000 clients most of\nit is a run's own: its readings, histograms and tables, 200 to 400 kB more where "
      "hundreds are busy than for one.\n\n"
      "| link | clients | saturn | actors | bare |\n|---|---:|---:|---:|---:|\n";
  std::string answers =
      "\n## Answers\n\nSimulated throughput over the second half of the run [request/s]: the engines must agree.\n\n"
      "| link | clients | saturn | actors | bare |\n|---|---:|---:|---:|---:|\n";
  for (const char* link : {"idle", "saturated"}) {
    for (const std::uint64_t clients : {100u, 1000u, 10000u, 100000u}) {
      const LoopResult* saturn = find(measured, "saturn", clients, link);
      const LoopResult* actors = find(measured, "actors", clients, link);
      const LoopResult* bare = find(measured, "bare", clients, link);
      const std::string head = std::string("| ") + link + " | " + with_commas(static_cast<double>(clients)) + " | ";
      page += head + cell(saturn) + " | " + cell(actors) + " | " + cell(bare) + " | " + ratio(saturn, actors) + " | " +
              ratio(saturn, bare) + " |\n";
      const LoopResult* idle = find(measured, "saturn-batching", clients, link);
      const LoopResult* delay = find(measured, "saturn-batching-delay", clients, link);
      batching += head + cell(saturn) + " | " + cell(idle) + " | " + cell(delay) + " | " + ratio(saturn, idle) + " | " +
                  ratio(saturn, delay) + " |\n";
      const auto bytes = [](const LoopResult* result) {
        return result == nullptr ? std::string("not run") : with_commas(std::max(0.0, result->bytes_per_client));
      };
      memory += head + bytes(saturn) + " | " + bytes(actors) + " | " + bytes(bare) + " |\n";
      const auto answer = [](const LoopResult* result) {
        return result == nullptr || !result->finished ? std::string("no answer") : rounded(result->requests_per_s);
      };
      answers += head + answer(saturn) + " | " + answer(actors) + " | " + answer(bare) + " |\n";
    }
  }
  return page + flows_and_sites(shared) + batching + memory + answers;
}

}  // namespace saturn::bench
