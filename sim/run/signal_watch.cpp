#include "sim/run/signal_watch.hpp"

#include <initializer_list>

namespace saturn {
namespace {

// A handler can reach nothing but a global.
volatile std::sig_atomic_t signal_came = 0;

void note_signal(int) {
  signal_came = 1;
}

}  // namespace

SignalWatch::SignalWatch() {
  signal_came = 0;
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGINT);
  sigaddset(&watched, SIGTERM);
  sigprocmask(SIG_BLOCK, &watched, &former_mask_);
  wait_mask_ = former_mask_;
  sigdelset(&wait_mask_, SIGINT);
  sigdelset(&wait_mask_, SIGTERM);
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &former_interrupt_);
  sigaction(SIGTERM, &action, &former_terminate_);
}

SignalWatch::~SignalWatch() {
  sigaction(SIGINT, &former_interrupt_, nullptr);
  sigaction(SIGTERM, &former_terminate_, nullptr);
  sigprocmask(SIG_SETMASK, &former_mask_, nullptr);
}

bool SignalWatch::interrupted() const {
  return signal_came != 0;
}

void SignalWatch::become_child() const {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = SIG_IGN;
  sigaction(SIGINT, &action, nullptr);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTERM, &action, nullptr);
#ifndef SATURN_SANITIZED
  // The parent names the signal that killed a child; a handler inherited from it would report in its own way first.
  for (const int fatal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS}) sigaction(fatal, &action, nullptr);
#endif
  sigprocmask(SIG_SETMASK, &wait_mask_, nullptr);
}

}  // namespace saturn
