"use strict";
// The planner panel: inputs, what the formulas say, and the curve, live.
const saturnPlannerPanel = (() => {
  const { shown, time, percent, unitFor, timeUnits } = saturnNumbers;
  const curveSteps = 60;
  const hashHead = "#planner?";

  function addElement(parent, tag, className, text = "") {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    parent.append(element);
    return element;
  }

  function usd(value) {
    return value === null ? "no prices given" : `${shown(value)} USD`;
  }

  // Rows of the table of answers: words, symbol, and the value in words.
  function answerRows(model) {
    const device = model.device_word;
    return [
      ["Event time without waiting", "t_ideal", (said) => time(said.ideal_event_time_s)],
      ["Event time", "R(N)", (said) => time(said.event_time_s)],
      ["Throughput", "X(N)", (said) => `${shown(said.events_per_s)} /s`],
      ["Knee, in jobs", "N*", (said) => shown(said.knee_clients)],
      [`Knee, in jobs per ${device}`, "N*/G", (said) => shown(said.knee_per_device)],
      [`Jobs within ${percent(model.tolerated_slowdown)} of t_ideal`, "", (said) => shown(said.clients_within)],
      ["What binds", "", (said) => said.binds ?? "nothing yet"],
      ["First to bind, then next", "", (said) => said.limits.slice(0, 2).map((one) =>
        `${one.name} at ${shown(one.knee_clients, 3)} jobs`).join(", then ") || "nothing is contended"],
      ["Cost of a million events", "", (said) => usd(said.usd_per_million)],
    ];
  }

  function formulaWords(model) {
    const device = model.device_word;
    return [
      ["t_ideal = t_CPU + t_dev + k·RTT + S/B + rest",
        `CPU time, ${device} time, ${shown(model.round_trips)} round trips one after the other, ` +
        `${shown(model.transferred_bytes / 1e6)} MB at the bandwidth of a flow, and ${time(model.other_s)} of other waiting`],
      ["R(N) = max(t_ideal, N·max D)", "D: how long one event keeps a resource busy, over its parallel units"],
      ["X(N) = N / R(N)", "events per second of all jobs"],
      ["N* = t_ideal / max D", "jobs at which the first resource saturates"],
      ["use of a resource = X·D", `D of the ${device}s goes with t_dev / G, D of a link with 1 / B`],
      ["cost = (G·price + N·core price + other prices) / 3600 / X · 10^6 + traffic", "USD for a million events"],
    ];
  }

  function chartSpec(model, unit) {
    const perDevice = `jobs per ${model.device_word}`;
    const x = { field: "clients_per_device", type: "quantitative", title: perDevice };
    const title = `event time [${unit[0]}]`;
    const y = { field: "event_time", type: "quantitative", title };
    const series = ["as set", "present values", "simulated, present values"];
    const legend = { title: null, orient: "bottom", columns: 3, symbolStrokeWidth: 2.5 };
    const color = { field: "series", type: "nominal", legend,
      scale: { domain: series, range: ["#0072B2", "#767676", "#000000"] } };
    const tooltip = [{ field: "series", title: "what" }, { ...x, format: ",.4~g" }, { ...y, format: ",.4~g" }];
    const only = (words) => [{ filter: `datum.kind == '${words}'` }];
    return {
      description: `Event time against ${perDevice}, by the formulas and as simulated`,
      config: { font: "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif", background: "white",
        axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: 400, gridColor: "#e6e6e6" },
        legend: { labelFontSize: 11, labelLimit: 240 }, view: { stroke: "#bfbfbf" } },
      width: 560,
      height: 260,
      data: { name: "rows" },
      layer: [
        { transform: only("line"), mark: { type: "line", strokeWidth: 2 },
          encoding: { x, y, color, tooltip,
            strokeDash: { field: "series", type: "nominal", legend, scale: { domain: series, range: [[1, 0], [5, 4], [1, 0]] } } } },
        { transform: only("simulated"), mark: { type: "rule", strokeWidth: 1.5 },
          encoding: { x, y: { field: "low", type: "quantitative", title }, y2: { field: "high" }, color } },
        { transform: only("simulated"), mark: { type: "point", filled: true, size: 40, opacity: 1 },
          encoding: { x, y, color, tooltip, shape: { field: "series", type: "nominal", legend, scale: { domain: series, range: ["stroke", "stroke", "diamond"] } } } },
        { transform: only("here"), mark: { type: "point", filled: true, size: 110, opacity: 1, stroke: "white", strokeWidth: 1.5 },
          encoding: { x, y, color, tooltip } },
      ],
    };
  }

  function curvePoints(model, set, series, most, factor) {
    return saturnPlanner.curve(model, set, most, curveSteps).map((point) => ({
      kind: "line", series, clients_per_device: point.clients_per_device, event_time: point.event_time_s * factor,
    }));
  }

  function chartRows(model, set, factor) {
    const present = saturnPlanner.presentSettings(model);
    const [now, before] = [saturnPlanner.evaluate(model, set), saturnPlanner.evaluate(model, present)];
    const here = set.clients / set.devices;
    const places = [2 * before.knee_per_device, 2 * now.knee_per_device, 1.15 * here, 1.15 * model.clients / model.devices,
      ...model.simulated.map((point) => 1.05 * point.clients / model.devices)].filter(Number.isFinite);
    const most = Math.max(...places);
    const simulated = model.simulated.map((point) => ({
      kind: "simulated", series: "simulated, present values", clients_per_device: point.clients / model.devices,
      event_time: point.event_time_s * factor, low: point.low_s * factor, high: point.high_s * factor,
    }));
    return [
      ...curvePoints(model, present, "present values", most, factor),
      ...curvePoints(model, set, "as set", most, factor),
      ...simulated,
      { kind: "here", series: "as set", clients_per_device: here, event_time: now.event_time_s * factor },
    ];
  }

  class PlannerPanel {
    constructor(element, model) {
      this.model = model;
      this.present = saturnPlanner.presentSettings(model);
      this.set = { ...this.present };
      this.unit = unitFor(saturnPlanner.evaluate(model, this.present).event_time_s, timeUnits);
      this.view = null;
      this.work = saturnDrawing.afterFirstScreen;
      element.textContent = "";
      this.addInputs(addElement(element, "div", "planner-inputs"));
      this.chartPlace = addElement(element, "div", "drawing planner-chart");
      this.addAnswers(addElement(element, "div", "table-box"));
      this.addUse(addElement(element, "div", "table-box"));
      this.addFormulas(element);
    }

    addInputs(parent) {
      const change = (name, value) => {
        this.set[name] = value;
        this.update();
        this.writeHash();
      };
      this.inputs = saturnPlannerInputs.inputsOf(this.model).map((input) =>
        new saturnPlannerInputs.PlannerInput(parent, input, this.present[input.name], change));
      this.reset = addElement(parent, "button", "reset", "Back to the present values");
      this.reset.type = "button";
      this.reset.addEventListener("click", () => {
        this.setAll(this.present);
        this.writeHash();
      });
    }

    addAnswers(parent) {
      const table = addElement(parent, "table", "planner-answers");
      addElement(table, "caption", "", "What the formulas say");
      const head = addElement(addElement(table, "thead", ""), "tr", "");
      for (const words of ["", "as set", "present"]) addElement(head, "th", "", words).scope = "col";
      const body = addElement(table, "tbody", "");
      this.answers = answerRows(this.model).map(([words, symbol, said]) => {
        const row = addElement(body, "tr", "");
        const title = addElement(row, "th", "", words);
        title.scope = "row";
        if (symbol !== "") addElement(title, "span", "symbol", symbol);
        return { cell: addElement(row, "td", ""), before: addElement(row, "td", "before"), said };
      });
      table.setAttribute("aria-live", "polite");
    }

    addUse(parent) {
      const table = addElement(parent, "table", "planner-use");
      addElement(table, "caption", "Use of each resource");
      const head = addElement(addElement(table, "thead", ""), "tr", "");
      for (const words of ["resource", "busy per event, D", "use"]) addElement(head, "th", "", words).scope = "col";
      this.use = addElement(table, "tbody", "");
    }

    addFormulas(parent) {
      const fold = addElement(parent, "details", "fold");
      addElement(fold, "summary", "", "The formulas in words");
      const list = addElement(fold, "dl", "formulas");
      for (const [formula, words] of formulaWords(this.model)) {
        addElement(list, "dt", "", formula);
        addElement(list, "dd", "", words);
      }
    }

    showUse(said) {
      this.use.textContent = "";
      for (const limit of said.limits) {
        const row = addElement(this.use, "tr", "");
        addElement(row, "th", "", limit.name).scope = "row";
        addElement(row, "td", "number", time(limit.demand_s, 3));
        const cell = addElement(row, "td", "use");
        addElement(cell, "span", "use-bar").style.width = `${(100 * limit.use).toFixed(1)}px`;
        cell.append(percent(limit.use));
      }
    }

    update() {
      const said = saturnPlanner.evaluate(this.model, this.set);
      const before = saturnPlanner.evaluate(this.model, this.present);
      for (const answer of this.answers) {
        answer.cell.textContent = answer.said(said);
        answer.before.textContent = answer.said(before);
      }
      this.showUse(said);
      this.reset.disabled = saturnPlanner.settingNames.every((name) => this.set[name] === this.present[name]);
      this.said = said;
      this.work = this.work.then(() => this.drawCurve()).catch((error) => console.error("planner", error));
      return this.work;
    }

    async drawCurve() {
      if (!saturnDrawing.canDraw()) {
        this.chartPlace.textContent = "The curve is not drawn: saturn was built without the drawing bundles.";
        this.chartPlace.classList.add("cannot");
        return;
      }
      const rows = chartRows(this.model, this.set, this.unit[1]);
      if (this.view !== null) {
        await saturnDrawing.replaceRows(this.view, rows);
        return;
      }
      this.view = await saturnDrawing.embed(this.chartPlace, chartSpec(this.model, this.unit), rows);
      window.saturn.views.planner = this.view;
    }

    setAll(settings) {
      this.set = { ...this.present, ...settings };
      for (const one of this.inputs) one.show(this.set[one.input.name]);
      return this.update();
    }

    // A setting can be sent to a colleague as the page's address: what differs from the present values.
    writeHash() {
      const changed = this.inputs.map((one) => one.input.name).filter((name) => this.set[name] !== this.present[name]);
      const words = changed.map((name) => `${name}=${this.set[name]}`).join("&");
      history.replaceState(null, "", changed.length > 0 ? hashHead + words : "#planner");
    }

    readHash() {
      if (!location.hash.startsWith(hashHead)) return false;
      const settings = {};
      for (const [name, text] of new URLSearchParams(location.hash.slice(hashHead.length))) {
        const input = this.inputs.find((one) => one.input.name === name);
        const value = text.trim() === "" ? NaN : Number(text);
        if (input && saturnPlannerInputs.complaint(input.input, value) === "") settings[name] = value;
      }
      this.setAll(settings);
      return true;
    }
  }

  function start() {
    const data = document.getElementById("planner-data");
    const element = document.getElementById("planner-panel");
    if (data === null || element === null) return null;
    const model = saturnDrawing.readData(data);
    if (model === null) {
      element.textContent = "The data of this panel cannot be read: the file is damaged.";
      return null;
    }
    const panel = new PlannerPanel(element, model);
    if (!panel.readHash()) panel.update();
    return panel;
  }

  return { start, chartRows };
})();
if (typeof module !== "undefined") module.exports = saturnPlannerPanel;
