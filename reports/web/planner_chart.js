"use strict";
// The panel's chart: lines of the formulas as set and at the present values, simulated points, and where the setting stands.
const saturnPlannerChart = (() => {
  const series = { set: "as set", present: "present values", simulated: "simulated, present values" };

  // @param xChannel, yChannel  channels of Vega-Lite: field, title, axis, scale
  // @param hasSimulated        a layer without rows would make Vega warn of its empty scales
  function spec(description, xChannel, yChannel, hasSimulated) {
    const names = Object.values(series).filter((name) => hasSimulated || name !== series.simulated);
    const x = { type: "quantitative", ...xChannel };
    const y = { type: "quantitative", ...yChannel };
    const legend = { title: null, orient: "bottom", columns: 3, symbolStrokeWidth: 2.5,
      ...(hasSimulated ? {} : { symbolType: "stroke" }) };
    const bySeries = (range) => ({ field: "series", type: "nominal", legend, scale: { domain: names, range: range.slice(0, names.length) } });
    const color = bySeries(["#0072B2", "#767676", "#000000"]);
    const said = ({ field, type, title }) => ({ field, type, title, format: ",.4~g" });
    const tooltip = [{ field: "series", title: "what" }, said(x), said(y)];
    const only = (words) => [{ filter: `datum.kind == '${words}'` }];
    const line = { transform: only("line"), mark: { type: "line", strokeWidth: 2 },
      encoding: { x, y, color, tooltip, strokeDash: bySeries([[1, 0], [5, 4], [1, 0]]) } };
    const simulated = [
      { transform: only("simulated"), mark: { type: "rule", strokeWidth: 1.5 },
        encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color } },
      { transform: only("simulated"), mark: { type: "point", filled: true, size: 40, opacity: 1 },
        encoding: { x, y, color, tooltip, shape: bySeries(["stroke", "stroke", "diamond"]) } },
    ];
    const here = { transform: only("here"), mark: { type: "point", filled: true, size: 110, opacity: 1, stroke: "white", strokeWidth: 1.5 },
      encoding: { x, y, color, tooltip } };
    return {
      description,
      config: { font: "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif", background: "white",
        axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: 400, gridColor: "#e6e6e6" },
        legend: { labelFontSize: 11, labelLimit: 240 }, view: { stroke: "#bfbfbf" } },
      width: 560,
      height: 260,
      data: { name: "rows" },
      layer: [line, ...(hasSimulated ? simulated : []), here],
    };
  }

  const rowsOf = (kind, name, points) => points.map((point) => ({ kind, series: name, ...point }));

  // @param now, before, here, simulated  points with the fields of the two channels, simulated ones with low and high too
  function rows({ now, before, here, simulated }) {
    return [...rowsOf("line", series.present, before), ...rowsOf("line", series.set, now),
      ...rowsOf("simulated", series.simulated, simulated), ...rowsOf("here", series.set, [here])];
  }

  return { spec, rows };
})();
