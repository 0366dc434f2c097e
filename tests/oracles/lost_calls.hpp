#pragma once

#include <cstddef>

/// Exact results for requests that give up, are turned away, or come again, as oracles of simulations. a = λ/μ.

namespace saturn::tests {

/// Erlang's B formula, the share of calls that find all c servers busy and are lost: B_k = aB_{k−1}/(k + aB_{k−1}).
double erlang_b(std::size_t servers, double load);

/// What overflows from c servers that lose: mean M = aB and variance V = M(1 − M + a/(c + 1 − a + M)) of the number
/// that it would keep busy in an endless group, and the Poisson stream at a lossy group whose overflow has these two.
/// Sources: Wilkinson, "Theories for toll traffic engineering in the U.S.A.", BSTJ 35 (1956); Rapp, Ericsson Technics
/// 20 (1964): a* = V + 3z(z − 1), c* = a*(M + z)/(M + z − 1) − M − 1, z = V/M
struct Overflow {
  double mean = 0.0;
  double variance = 0.0;
  double equivalent_load = 0.0;
  double equivalent_servers = 0.0;
};
Overflow overflow(std::size_t servers, double load);

/// M/M/c whose waiting requests give up after an exponential patience: Erlang A, stable at any load.
struct ImpatientQueue {
  double arrivals_per_s = 0.0;  ///< λ
  double services_per_s = 1.0;  ///< μ
  double give_ups_per_s = 0.0;  ///< θ of a waiting request, > 0
  std::size_t servers = 1;      ///< c
};
struct ErlangA {
  double abandoned = 0.0;      ///< share of the requests that give up: θE[Q]/λ
  double waits = 0.0;          ///< chance of an arrival to find all servers busy
  double waiting = 0.0;        ///< E[Q], mean number that waits
  double wait_s = 0.0;         ///< mean wait of all requests, those that give up too: E[Q]/λ
  double served_wait_s = 0.0;  ///< mean wait of those that are served
  double busy = 0.0;           ///< mean number of busy servers
};
/// Sources: Palm (1957); Garnett, Mandelbaum, Reiman, "Designing a call center with impatient customers", M&SOM 4
/// (2002)
ErlangA erlang_a(const ImpatientQueue& queue);

/// M/M/c without a waiting room: whoever finds all servers busy joins an orbit and comes again.
struct RetrialQueue {
  enum class Law { constant, linear };  ///< the orbit comes again at this rate; each of its requests does
  double arrivals_per_s = 0.0;          ///< λ
  double services_per_s = 1.0;          ///< μ
  double retries_per_s = 1.0;           ///< α or ν
  Law law = Law::linear;
  std::size_t servers = 1;  ///< c
};
struct Orbit {
  double mean = 0.0;
  double variance = 0.0;
  double all_busy = 0.0;  ///< chance that all servers are busy
  double idle = 0.0;      ///< chance that all are idle and the orbit is empty
};
/// By its chain, at most 131,072 in the orbit. Stable if λ < cμ (linear), if λB < α(1 − B) with B = erlang_b(c, (λ +
/// α)/μ) (constant).
Orbit retrials(const RetrialQueue& queue);
/// M/M/1 alone. Constant: r = ρ(1 + λ/α) < 1, mean ρ(r + λ/α)/(1 − r), idle 1 − r; its variance is not given (NaN).
/// Linear: mean ρ(λ + νρ)/((1 − ρ)ν), variance ρ(λ + νρ(1 + ρ − ρ²))/(ν(1 − ρ)²), idle (1 − ρ)^(1 + λ/ν).
/// Source: Falin and Templeton, "Retrial Queues" (1997), sections 1.2, 1.3
Orbit mm1_retrials(const RetrialQueue& queue);

/// M/M/1 and M/D/1 whose requests leave unserved at once if the work ahead of them exceeds a deadline τ, at any load:
/// (1 − (1 − ρ)U)/(1 + ρU), where (1 − ρ)U(τ) is the chance to wait τ at most without deadlines; of constant services
/// U = Σ_{k <= τ/D} (−λ(τ − kD))^k/k!·e^{λ(τ − kD)}, whose terms cancel: to 10 digits up to τ = 10·D.
/// Sources: Daley (1965); de Kok and Tijms, J. Appl. Prob. 22 (1985)
/// @returns the share that leaves
double mm1_loss_by_deadline(double arrivals_per_s, double services_per_s, double deadline_s);
double md1_loss_by_deadline(double arrivals_per_s, double service_s, double deadline_s);

/// What a call costs that is tried up to 1 + R times, each of which fails with f: (1 − f^(R+1))/(1 − f) tries.
double tries_per_call(double failed, std::size_t retries);
/// How many of such calls succeed: 1 − f^(R+1).
double success_of_calls(double failed, std::size_t retries);

}  // namespace saturn::tests
