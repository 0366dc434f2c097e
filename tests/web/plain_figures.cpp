#include "tests/web/plain_figures.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace saturn {
namespace {

Figure curve() {
  Figure figure{.name = "curve",
                .spec = R"spec({"$schema": "https://vega.github.io/schema/vega-lite/v6.json",
  "title": {"text": "Event time grows past 68 jobs per GPU", "subtitle": ["made up, seed 42"]},
  "width": 560, "height": 280, "data": {"name": "rows"},
  "encoding": {"x": {"field": "streams", "type": "quantitative", "title": "Jobs per GPU"}},
  "layer": [
    {"mark": {"type": "area", "opacity": 0.2, "clip": true},
     "encoding": {"y": {"field": "low_s", "type": "quantitative"}, "y2": {"field": "high_s"}}},
    {"mark": {"type": "line", "clip": true},
     "encoding": {"y": {"field": "time_s", "type": "quantitative", "title": "Event time (s)"},
                  "color": {"field": "method", "type": "nominal", "title": "Method"}}}]})spec",
                .rows = {.columns = {{.name = "streams"},
                                     {.name = "method"},
                                     {.name = "time", .unit = "s"},
                                     {.name = "low", .unit = "s"},
                                     {.name = "high", .unit = "s"}}}};
  for (double clients = 4.0; clients <= 200.0; clients += 4.0) {
    const double time = std::max(20.0, 20.0 * clients / 68.0);
    figure.rows.rows.push_back({clients, "bound", time, {}, {}});
    figure.rows.rows.push_back({clients, "simulation, 95 % interval", time * 1.05, time, time * 1.1});
  }
  return figure;
}

Figure map() {
  Figure figure{.name = "map",
                .spec = R"spec({"$schema": "https://vega.github.io/schema/vega-lite/v6.json",
  "title": "Few jobs per GPU where the round trip is short", "data": {"name": "rows"}, "mark": "rect",
  "encoding": {"x": {"field": "batch", "type": "ordinal", "title": "Batch size"},
               "y": {"field": "round_trip_ms", "type": "ordinal", "title": "Round-trip time (ms)"},
               "color": {"field": "streams", "type": "quantitative", "title": "Jobs per GPU"}}})spec",
                .rows = {.columns = {{.name = "batch"}, {.name = "round_trip", .unit = "ms"}, {.name = "streams"}}}};
  for (double batch = 1.0; batch <= 16.0; batch *= 2.0) {
    for (double trip = 1.0; trip <= 3.0; trip += 1.0) figure.rows.rows.push_back({batch, trip, 10.0 * trip / batch});
  }
  return figure;
}

Figure ugly_words() {
  return {.name = "ugly-words",
          .spec = R"spec({"$schema": "https://vega.github.io/schema/vega-lite/v6.json",
  "title": "</script><script>alert(1)</script> \"größer\" ≥ 5 µs", "data": {"name": "rows"}, "mark": "point",
  "encoding": {"x": {"field": "name", "type": "nominal", "title": "Name"},
               "y": {"field": "value", "type": "quantitative", "title": "Value"}}})spec",
          .rows = {.columns = {{.name = "name"}, {.name = "value"}},
                   .rows = {{"]]><!-- \\ ' \" & </svg>", 1.0}, {"", 2.0}, {"事件 🚀", {}}}}};
}

}  // namespace

std::vector<Figure> plain_figures() {
  return {curve(), map(), ugly_words()};
}

Figure undrawn_figure() {
  return {.name = "undrawn",
          .rows = {.columns = {{.name = "streams"}}, .rows = {{1.0}}},
          .cannot = "There is one point, and a curve needs two."};
}

}  // namespace saturn
