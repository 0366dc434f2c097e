#pragma once

#include <cstdint>

#include "models/scaling/prometheus_rate.hpp"

/// What a job has to pass before its first request: the doors of SuperSONIC's balancer, both shut unless asked for.

namespace saturn {

/// Envoy's bucket of tokens, of a listener or of a route: whoever finds a token takes it and comes in, whoever finds
/// none is refused at once. A token is never given back; all that a fill brings comes at once.
/// Source: envoyproxy/envoy, source/extensions/filters/common/local_ratelimit/local_ratelimit_impl.cc
struct TokenBucketRules {
  std::uint64_t max_tokens = 1;       ///< with which it begins, >= 1
  std::uint64_t tokens_per_fill = 1;  ///< >= 1
  double fill_interval_s = 1.0;       ///< at least 0.05 s
};

class TokenBucket {
 public:
  /// @param begins_s  when it begins, full
  /// @throws std::invalid_argument  rules out of their domain
  TokenBucket(const TokenBucketRules& rules, double begins_s);

  /// Takes a token, if there is one. @param now_s  not before that of the call before
  bool take(double now_s);
  /// When the next tokens come [s]. @param now_s  not before the last take()
  double next_fill_s(double now_s) const;

 private:
  std::uint64_t fills_until(double now_s) const;

  TokenBucketRules rules_;
  double begins_s_;
  std::uint64_t fills_ = 0;  ///< that have been poured in
  std::uint64_t tokens_;
};

/// SuperSONIC's admission by a metric: it judges a job's first call alone, and the job's requests pass afterwards.
/// Source: fastmachinelearning/SuperSONIC, helm/supersonic/cfg
struct AdmissionRules {
  double threshold = 0.0;       ///< refused above it
  bool admits_unknown = false;  ///< also where the query fails or finds nothing, as a service does that may be at 0
};

bool is_admitted(const AdmissionRules& rules, const QueryAnswer& load);

}  // namespace saturn
