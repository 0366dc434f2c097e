#include "models/scaling/admission.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace saturn {

TokenBucket::TokenBucket(const TokenBucketRules& rules, double begins_s)
    : rules_(rules), begins_s_(begins_s), tokens_(rules.max_tokens) {
  constexpr double shortest_interval_s = 0.05;
  if (rules.max_tokens < 1 || rules.tokens_per_fill < 1 || !(rules.fill_interval_s >= shortest_interval_s))
    throw std::invalid_argument("TokenBucket: at least one token, one a fill, and 50 ms between fills");
}

std::uint64_t TokenBucket::fills_until(double now_s) const {
  return static_cast<std::uint64_t>(std::max(0.0, std::floor((now_s - begins_s_) / rules_.fill_interval_s)));
}

bool TokenBucket::take(double now_s) {
  const std::uint64_t due = fills_until(now_s) - fills_;
  const std::uint64_t room = rules_.max_tokens - tokens_;
  // Compared before it is multiplied, for a bucket may be left alone for long.
  tokens_ = due > room / rules_.tokens_per_fill ? rules_.max_tokens : tokens_ + due * rules_.tokens_per_fill;
  fills_ += due;
  if (tokens_ == 0) return false;
  --tokens_;
  return true;
}

double TokenBucket::next_fill_s(double now_s) const {
  return begins_s_ + static_cast<double>(fills_until(now_s) + 1) * rules_.fill_interval_s;
}

bool is_admitted(const AdmissionRules& rules, const QueryAnswer& load) {
  return load.has_failed || !load.value ? rules.admits_unknown : *load.value <= rules.threshold;
}

}  // namespace saturn
