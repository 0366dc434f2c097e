#include "reports/page/played_second.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace saturn;

namespace {

/// Two instances from 10 s to 12 s of a run. Requests 1 and 2 wait, 1 is executed from 10.1 s to 10.4 s, both others of
/// the other model begin later.
RunTrace two_instances() {
  RunTrace trace{.begin_s = 10.0, .end_s = 12.0, .cut = false};
  trace.tracks = {{.group = "reco", .name = "stream 0"},
                  {.group = "gke/t4", .name = "device 0", .is_server = true},
                  {.group = "gke/t4", .name = "device 1", .is_server = true}};
  trace.labels = {"tagger", "tracker"};
  const auto add = [&](SpanKind kind, std::uint32_t track, double begin_s, double end_s, std::uint32_t label) {
    trace.spans.push_back(
        {.kind = kind, .track = track, .begin_s = begin_s, .end_s = end_s, .label = label, .call = 1, .items = 7});
  };
  add(SpanKind::queue, 0, 9.9, 10.1, 0);
  add(SpanKind::queue, 0, 10.05, 10.4, 0);
  add(SpanKind::batch, 1, 10.1, 10.4, 0);
  add(SpanKind::queue, 0, 10.4, 10.4, 1);
  add(SpanKind::batch, 1, 10.4, 10.45, 0);
  add(SpanKind::batch, 2, 10.6, 11.7, 1);
  add(SpanKind::batch, 2, 11.8, 11.9, 1);
  return trace;
}

}  // namespace

TEST_CASE("the second that is played begins with the first batch, and holds what touches it") {
  const PlayedSecond second = played_second(two_instances());
  CHECK(second.from_s == doctest::Approx(10.1));
  CHECK(second.length_s == doctest::Approx(1.0));
  CHECK(second.instances == std::vector<std::string>{"gke/t4, device 0", "gke/t4, device 1"});
  CHECK(second.models == std::vector<std::string>{"tagger", "tracker"});
  REQUIRE(second.batches.size() == 3);
  CHECK(second.batches[2].instance == 1);
  CHECK(second.batches[2].model == 1);
  CHECK(second.batches[2].items == 7);
  CHECK(second.batches[2].begin_s == doctest::Approx(0.5));
  CHECK(second.batches[2].end_s == doctest::Approx(1.6));
}

TEST_CASE("so many requests wait as have come to a queue and not left it") {
  // What left at 10.1 s is no part of the second; one waits until 10.4 s.
  const PlayedSecond second = played_second(two_instances());
  REQUIRE(second.waits.size() == 2);
  CHECK(second.waits[0].at_s == doctest::Approx(0.0));
  CHECK(second.waits[0].waiting == 1);
  CHECK(second.waits[1].at_s == doctest::Approx(0.3));
  CHECK(second.waits[1].waiting == 0);
}

TEST_CASE("less is played where less was recorded, and nothing where no batch was executed") {
  RunTrace trace = two_instances();
  trace.end_s = 10.5;
  CHECK(played_second(trace).length_s == doctest::Approx(0.4));
  trace.spans.clear();
  CHECK(played_second(trace).length_s == 0.0);
}

TEST_CASE("names of users cannot leave the data of the player") {
  RunTrace trace = two_instances();
  trace.labels[0] = "</script><script>alert(1)";
  const std::string html = player_html(played_second(trace));
  CHECK(html.find("</script><script>") == std::string::npos);
  CHECK(html.find("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)") != std::string::npos);
}
