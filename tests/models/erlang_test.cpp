#include "models/erlang.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/mva.hpp"

namespace saturn {

TEST_CASE("with one server Erlang C is the load, and the response time is the one of M/M/1") {
  const MmcQueue queue{.arrivals_per_s = 0.7, .service_s = 1.0, .servers = 1};
  CHECK(erlang_c(queue) == doctest::Approx(0.7).epsilon(1e-14));
  CHECK(mean_response_s(queue) == doctest::Approx(1.0 / (1.0 - 0.7)).epsilon(1e-14));
}

TEST_CASE("Erlang C gives the textbook sum for two and three servers") {
  // c = 2: C = a²/(2 + a); c = 3, a = 2: C = (8/6·3)/(1 + 2 + 2 + 8/6·3) = 4/9.
  CHECK(erlang_c({.arrivals_per_s = 3.0, .service_s = 0.5, .servers = 2}) ==
        doctest::Approx(2.25 / 3.5).epsilon(1e-14));
  CHECK(erlang_c({.arrivals_per_s = 2.0, .service_s = 1.0, .servers = 3}) == doctest::Approx(4.0 / 9.0).epsilon(1e-14));
}

TEST_CASE("a closed network with very many clients who think very long behaves as the open queue") {
  const MmcQueue queue{.arrivals_per_s = 3.2, .service_s = 1.0, .servers = 4};
  const std::size_t clients = 400000;
  const double think_s = static_cast<double>(clients) / queue.arrivals_per_s;
  const MvaPoint closed = exact_mva({{.work_s = queue.service_s, .units = 4.0}}, think_s, clients);
  CHECK(closed.residence_s[0] == doctest::Approx(mean_response_s(queue)).epsilon(1e-4));
}

TEST_CASE("a queue that receives more than it can serve is refused") {
  CHECK_THROWS_WITH_AS(erlang_c({.arrivals_per_s = 4.0, .service_s = 1.0, .servers = 4}),
                       "erlang_c: arrivals exceed the servers, so the queue grows for ever", std::invalid_argument);
}

}  // namespace saturn
