#include "sim/run/signals.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "sim/run/run_failure.hpp"

namespace saturn {

namespace {

constexpr std::array own_faults{SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTRAP, SIGSYS};

// A handler can reach nothing but a global.
volatile std::sig_atomic_t signals_came = 0;

volatile std::sig_atomic_t is_process_cut_short = 0;

// When that began, by the steady clock.
std::atomic<std::int64_t> cut_short_at_ns = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "it is read and written by a handler of signals");

// What wants to end a process often tells it and then its group: within such a time both mean the same.
constexpr std::int64_t one_wish_ns = 500'000'000;

// As the dispositions of signals, these belong to the process.
bool left_to_parent = false;
bool do_signals_cut_short = false;

void note_signal(int) {
  signals_came = signals_came + 1;
}

struct sigaction disposition_of(void (*handler)(int)) {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = handler;
  return action;
}

void set_disposition(int number, void (*handler)(int)) {
  const struct sigaction action = disposition_of(handler);
  sigaction(number, &action, nullptr);
}

std::int64_t steady_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void cut_short_by(int number) {
  if (is_process_cut_short != 0) {
    if (steady_ns() - cut_short_at_ns < one_wish_ns) return;
    // Blocked while its handler runs: it takes effect at the return.
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
  cut_short();
}

bool is_handled_by(int number, void (*handler)(int)) {
  struct sigaction action {};
  sigaction(number, nullptr, &action);
  return action.sa_handler == handler;
}

// The parent names the signal that killed a child; a handler inherited from it would report in its own way first.
void let_fatal_signals_kill() {
#ifndef SATURN_SANITIZED
  for (const int fatal : own_faults) set_disposition(fatal, SIG_DFL);
#endif
}

}  // namespace

void cut_short() {
  if (is_process_cut_short != 0) return;
  cut_short_at_ns = steady_ns();
  is_process_cut_short = 1;
}

bool is_cut_short() {
  return is_process_cut_short != 0;
}

void let_signals_cut_short() {
  if (left_to_parent) return;
  do_signals_cut_short = true;
  for (const int number : {SIGINT, SIGTERM})
    if (!is_handled_by(number, note_signal)) set_disposition(number, cut_short_by);
}

bool is_own_fault(int signal) {
  return std::find(own_faults.begin(), own_faults.end(), signal) != own_faults.end();
}

timespec time_until(std::chrono::steady_clock::time_point then) {
  using namespace std::chrono;
  const auto left = std::max(duration_cast<nanoseconds>(then - steady_clock::now()), nanoseconds{0});
  const auto whole = duration_cast<seconds>(left);
  return {static_cast<std::time_t>(whole.count()), static_cast<long>((left - whole).count())};
}

SignalWatch::SignalWatch(std::initializer_list<int> numbers) {
  signals_came = 0;
  sigset_t watched;
  sigemptyset(&watched);
  for (const int number : numbers) {
    if (left_to_parent || (number == SIGHUP && is_handled_by(number, SIG_IGN))) continue;
    noted_.push_back({number, {}});
    sigaddset(&watched, number);
  }
  sigprocmask(SIG_BLOCK, &watched, &former_mask_);
  wait_mask_ = former_mask_;
  for (Noted& noted : noted_) {
    sigdelset(&wait_mask_, noted.number);
    const struct sigaction noting = disposition_of(note_signal);
    sigaction(noted.number, &noting, &noted.former);
  }
}

SignalWatch::~SignalWatch() {
  for (const Noted& noted : noted_) sigaction(noted.number, &noted.former, nullptr);
  if (do_signals_cut_short) let_signals_cut_short();
  sigprocmask(SIG_SETMASK, &former_mask_, nullptr);
}

unsigned SignalWatch::count() const {
  return static_cast<unsigned>(signals_came);
}

void SignalWatch::become_child() const {
  do_signals_cut_short = false;
  set_disposition(SIGINT, SIG_IGN);
  set_disposition(SIGTERM, left_to_parent ? SIG_IGN : SIG_DFL);
  let_fatal_signals_kill();
  sigprocmask(SIG_SETMASK, &wait_mask_, nullptr);
}

void SignalWatch::become_worker() const {
  left_to_parent = true;
  for (const Noted& noted : noted_) set_disposition(noted.number, SIG_IGN);
  let_fatal_signals_kill();
  sigprocmask(SIG_SETMASK, &wait_mask_, nullptr);
}

}  // namespace saturn
