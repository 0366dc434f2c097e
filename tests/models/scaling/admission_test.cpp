#include "models/scaling/admission.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>

using namespace saturn;

namespace {

int taken(TokenBucket& bucket, int tries, double now_s) {
  int count = 0;
  for (int i = 0; i < tries; ++i) count += bucket.take(now_s) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("of 100 jobs at SuperSONIC's listener five come in at once, and five a minute afterwards") {
  TokenBucket bucket({.max_tokens = 5, .tokens_per_fill = 1, .fill_interval_s = 12.0}, 0.0);
  int waiting = 100 - taken(bucket, 100, 0.0);
  CHECK(waiting == 95);
  CHECK(bucket.next_fill_s(0.0) == 12.0);
  for (int minute = 1; minute <= 3; ++minute) {
    const int before = waiting;
    for (double second = 1.0; second <= 60.0; ++second) waiting -= taken(bucket, waiting, 60.0 * (minute - 1) + second);
    CHECK(before - waiting == 5);
  }
}

TEST_CASE("tokens come in whole fills, and a bucket that is left alone holds no more than it began with") {
  TokenBucket bucket({.max_tokens = 10, .tokens_per_fill = 4, .fill_interval_s = 1.0}, 0.0);
  CHECK(taken(bucket, 20, 0.5) == 10);
  CHECK(taken(bucket, 20, 0.999) == 0);
  CHECK(taken(bucket, 20, 1.0) == 4);
  CHECK(taken(bucket, 20, 3.9) == 8);
  CHECK(taken(bucket, 20, 1e12) == 10);
}

TEST_CASE("a bucket gives what one gives that is filled at every interval by hand") {
  CHECK(rc::check([] {
    const TokenBucketRules rules{.max_tokens = *rc::gen::inRange<std::uint64_t>(1, 9),
                                 .tokens_per_fill = *rc::gen::inRange<std::uint64_t>(1, 12),
                                 .fill_interval_s = 1.0};
    TokenBucket bucket(rules, 0.0);
    std::uint64_t tokens = rules.max_tokens;
    for (int eighth = 0; eighth < 400; ++eighth) {
      if (eighth > 0 && eighth % 8 == 0) tokens = std::min(rules.max_tokens, tokens + rules.tokens_per_fill);
      for (int ask = *rc::gen::inRange(0, 4); ask > 0; --ask) {
        RC_ASSERT(bucket.take(eighth / 8.0) == (tokens > 0));
        if (tokens > 0) --tokens;
      }
    }
  }));
}

TEST_CASE("a metric admits up to its threshold, and one that is not known as the rules say") {
  const AdmissionRules strict{.threshold = 100.0};
  CHECK(is_admitted(strict, {.value = 100.0}));
  CHECK_FALSE(is_admitted(strict, {.value = 100.1}));
  CHECK_FALSE(is_admitted(strict, {.has_failed = true}));
  CHECK_FALSE(is_admitted(strict, {}));
  CHECK(is_admitted({.threshold = 3.0, .admits_unknown = true}, {.has_failed = true}));
  CHECK(is_admitted({.threshold = 3.0, .admits_unknown = true}, {}));
}

TEST_CASE("buckets that Envoy would refuse are refused") {
  CHECK_THROWS_AS(TokenBucket({.max_tokens = 0}, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(TokenBucket({.tokens_per_fill = 0}, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(TokenBucket({.fill_interval_s = 0.049}, 0.0), std::invalid_argument);
}
