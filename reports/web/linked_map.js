"use strict";
// What belongs to the chosen cell of a heat map: its value in words, its curve, its breakdown.
const saturnLinkedMap = (() => {
  const { shown } = saturnNumbers;
  const withUnit = (text, unit) => (unit ? `${text} ${unit}` : text);

  // The chosen cell at first: the scenario's own, else the middle one, and of those with a value the nearest to it.
  function firstCell(data) {
    const width = data.x.words.length;
    const x0 = data.x.present ?? Math.floor((width - 1) / 2);
    const y0 = data.y.present ?? Math.floor((data.y.words.length - 1) / 2);
    const distance = (cell) => Math.abs(cell % width - x0) + Math.abs(Math.floor(cell / width) - y0);
    const usable = data.value.map((_, cell) => cell).filter((cell) => data.value[cell] !== null);
    if (usable.length === 0) return y0 * width + x0;
    return usable.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
  }

  function cellWords(data, cell) {
    const width = data.x.words.length;
    const place = [[data.x, cell % width], [data.y, Math.floor(cell / width)]]
      .map(([axis, index]) => `${axis.title} ${withUnit(axis.words[index], axis.unit)}`).join(", ");
    if (data.value[cell] === null || data.value[cell] === undefined) {
      const reason = data.why_not.words[data.why_not.of[cell]] || "nothing was computed";
      return { place, value: `${data.value_title}: no value`, remark: reason };
    }
    const [low, high] = [data.low[cell], data.high[cell]];
    const interval = low !== null && high !== null ? `between ${shown(low)} and ${shown(high)}` : "";
    return {
      place,
      value: `${data.value_title}: ${withUnit(shown(data.value[cell]), data.value_unit)}`,
      remark: [interval, data.method].filter(Boolean).join(", "),
    };
  }

  function curveRows(data, cell) {
    const curves = data.curves;
    const xs = curves.xs[curves.of[cell]] || [];
    return xs.map((x, i) => ({
      x,
      y: curves.y[cell][i],
      low: curves.low ? curves.low[cell][i] : null,
      high: curves.high ? curves.high[cell][i] : null,
    }));
  }

  function kneeRows(data, cell) {
    const knee = data.value[cell];
    return data.curves.knee_factor && knee !== null ? [{ knee: knee * data.curves.knee_factor }] : [];
  }

  function breakdownRows(data, cell) {
    const { names, of, times } = data.breakdowns;
    return (names[of[cell]] || []).map((part, order) => ({ part, order, time: times[cell][order], row: "" }));
  }

  const config = {
    font: "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif",
    background: "white",
    axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: 400, gridColor: "#e6e6e6" },
    legend: { labelFontSize: 11, titleFontSize: 11, labelLimit: 200, orient: "bottom", columns: 3 },
    view: { stroke: "#bfbfbf" },
    range: { category: ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442"] },
  };

  const kneeLayer = {
    data: { name: "knees" },
    mark: { type: "rule", strokeDash: [4, 3], color: "#333333" },
    encoding: { x: { field: "knee", type: "quantitative" }, tooltip: [{ field: "knee", title: "knee", format: ",.4~g" }] },
  };

  function curveSpec(curves, knees) {
    const x = { field: "x", type: "quantitative", title: curves.x_title };
    const y = { field: "y", type: "quantitative", title: curves.y_title };
    const tooltip = [{ ...x, format: ",.4~g" }, { ...y, format: ",.4~g" }];
    if (curves.low) tooltip.push({ field: "low", title: "low", format: ",.4~g" }, { field: "high", title: "high", format: ",.4~g" });
    return {
      config,
      description: `${curves.y_title} against ${curves.x_title} of the chosen cell`,
      width: 270,
      height: 190,
      data: { name: "rows" },
      layer: [
        ...(knees.length > 0 ? [kneeLayer] : []),
        // Band and line break where y is null: there the point has no value.
        // A layer without one row makes Vega warn of an infinite extent.
        ...(curves.low ? [{ mark: { type: "area", opacity: 0.2, color: "#0072B2" },
          encoding: { x, y: { field: "low", type: "quantitative", title: curves.y_title }, y2: { field: "high" } } }] : []),
        { mark: { type: "line", color: "#0072B2" }, encoding: { x, y } },
        { mark: { type: "point", filled: true, size: 40, color: "#0072B2" }, encoding: { x, y, tooltip } },
      ],
    };
  }

  function breakdownSpec(unit) {
    return {
      config,
      description: "Where the time goes in the chosen cell",
      width: 270,
      height: 60,
      data: { name: "rows" },
      mark: { type: "bar", stroke: "white", strokeWidth: 0.5 },
      encoding: {
        x: { field: "time", type: "quantitative", title: `time [${unit}]`, stack: "zero" },
        y: { field: "row", type: "nominal", title: null, axis: null },
        color: { field: "part", type: "nominal", title: null, sort: null },
        order: { field: "order", type: "quantitative" },
        tooltip: [{ field: "part", title: "part" }, { field: "time", title: `time [${unit}]`, format: ",.4~g" }],
      },
    };
  }

  function addElement(parent, tag, className, text = "") {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    parent.append(element);
    return element;
  }

  function addChoice(parent, axis) {
    const label = addElement(parent, "label", "choice", `${axis.title}${axis.unit ? ` [${axis.unit}]` : ""} `);
    const select = addElement(label, "select", "");
    axis.words.forEach((word, index) => {
      const present = index === axis.present ? " (present)" : "";
      select.append(new Option(word + present, String(index)));
    });
    return select;
  }

  class LinkedMap {
    constructor(element, data) {
      this.data = data;
      this.cell = null;
      this.views = {};
      this.map = null;
      this.mapRows = [];
      const title = addElement(element, "p", "linked-title", "Chosen cell");
      addElement(title, "span", "hint", " Click one in the map, or choose it here.");
      const choices = addElement(element, "div", "choices");
      this.x = addChoice(choices, data.x);
      this.y = addChoice(choices, data.y);
      for (const select of [this.x, this.y]) select.addEventListener("change", () => this.choose(this.chosenCell()));
      this.words = addElement(element, "p", "cell-words");
      this.words.setAttribute("aria-live", "polite");
      const charts = addElement(element, "div", "cell-charts");
      this.places = { curve: addElement(charts, "div", "cell-curve"), breakdown: addElement(charts, "div", "cell-breakdown") };
      this.work = saturnDrawing.afterFirstScreen.then(() => saturnDrawing.whenUnfolded(element));
    }

    chosenCell() {
      return Number(this.y.value) * this.data.x.words.length + Number(this.x.value);
    }

    sayCell() {
      const { place, value, remark } = cellWords(this.data, this.cell);
      this.words.textContent = "";
      addElement(this.words, "strong", "", value);
      this.words.append(` at ${place}${remark ? ` (${remark})` : ""}`);
    }

    // The frame round the chosen cell follows, whoever chose it.
    markInMap() {
      if (this.map === null) return;
      const rows = this.mapRows.filter((row) => row.cell === this.cell);
      if (rows.length > 0) saturnDrawing.replaceRows(this.map, rows, "chosen");
    }

    // A chart is made anew only where there was none: data without rows take it away, since an empty scale is a warning.
    async showChart(name, rows, knees, makeSpec) {
      const shown = this.views[name];
      if (rows.length === 0 || (shown && shown.knees !== knees.length)) {
        this.takeAway(name);
      }
      if (rows.length === 0) return;
      if (this.views[name]) {
        const { view } = this.views[name];
        if (knees.length > 0) view.change("knees", vega.changeset().remove(() => true).insert(knees));
        await saturnDrawing.replaceRows(view, rows);
        return;
      }
      const spec = { ...makeSpec(), datasets: knees.length > 0 ? { knees } : {} };
      this.places[name].hidden = false;
      this.views[name] = { view: await saturnDrawing.embed(this.places[name], spec, rows), knees: knees.length };
    }

    takeAway(name) {
      if (this.views[name]) this.views[name].view.finalize();
      delete this.views[name];
      this.places[name].textContent = "";
      this.places[name].hidden = true;
    }

    async showCharts(cell) {
      const { data } = this;
      if (!saturnDrawing.canDraw()) return;
      if (data.curves) {
        const knees = kneeRows(data, cell);
        await this.showChart("curve", curveRows(data, cell), knees, () => curveSpec(data.curves, knees));
      }
      if (data.breakdowns) {
        await this.showChart("breakdown", breakdownRows(data, cell), [], () => breakdownSpec(data.breakdowns.unit));
      }
    }

    // One after the other: a chart that is still being made must not be made twice.
    choose(cell) {
      const known = Number.isInteger(cell) && cell >= 0 && cell < this.data.value.length;
      if (!known || cell === this.cell) return this.work;
      this.cell = cell;
      this.x.value = String(cell % this.data.x.words.length);
      this.y.value = String(Math.floor(cell / this.data.x.words.length));
      this.sayCell();
      this.markInMap();
      this.work = this.work.then(() => this.showCharts(cell)).catch((error) => console.error("linked chart", error));
      return this.work;
    }

    listenTo(view, rows) {
      if (isFramed(view)) this.map = view;
      this.mapRows = rows;
      view.addEventListener("click", (event) => this.choose(cellUnder(event)));
      this.markInMap();
    }
  }

  // A contour or a mark may lie above the cell.
  function cellUnder(event) {
    for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
      const item = element.__data__;
      const cell = item && item.datum ? item.datum.cell : undefined;
      if (Number.isInteger(cell)) return cell;
    }
    return null;
  }

  // A map without cells to click has no frame.
  function isFramed(view) {
    try {
      return view.data("chosen").length > 0;
    } catch {
      return false;
    }
  }

  const isCells = (layer) => (layer.params || []).some((one) => one.name === "picked");

  // The specification of a map with a frame round what is in the data set "chosen", which is never empty: a scale over
  // nothing is a warning.
  function withFrame(spec, rows, cell) {
    const cells = (spec.layer || []).find(isCells);
    const chosen = rows.filter((row) => row.cell === cell);
    if (!cells || chosen.length === 0) return spec;
    const { x, x2, y, y2 } = { ...spec.encoding, ...cells.encoding };
    const frame = (color, strokeWidth) => ({
      data: { name: "chosen" },
      mark: { type: "rect", filled: false, stroke: color, strokeWidth, strokeJoin: "round" },
      encoding: { x, ...(x2 ? { x2 } : {}), y, ...(y2 ? { y2 } : {}) },
    });
    return { ...spec, datasets: { ...spec.datasets, chosen }, layer: [...spec.layer, frame("white", 5), frame("#d55e00", 2.5)] };
  }

  // The panel of one map; null where its data cannot be read.
  function start(element) {
    const data = saturnDrawing.readData(element.querySelector("script.map-data"));
    if (data === null || data.value.length === 0) return null;
    const linked = new LinkedMap(element, data);
    linked.choose(firstCell(data));
    return linked;
  }

  return { start, withFrame, firstCell, cellWords, curveRows, breakdownRows };
})();
if (typeof module !== "undefined") module.exports = saturnLinkedMap;
