"use strict";
// The planner panel: inputs, what the formulas say, and the chart, live. What is said and drawn is the view's.
const saturnPlannerPanel = (() => {
  const { time, percent } = saturnNumbers;
  const hashHead = "#planner?";

  function addElement(parent, tag, className, text = "") {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    parent.append(element);
    return element;
  }

  // A box that scrolls must be reachable by keyboard, and then it needs a name.
  function addTableBox(parent, name) {
    const box = addElement(parent, "div", "table-box");
    Object.assign(box, { tabIndex: 0, role: "group", ariaLabel: name });
    return box;
  }

  // Long names may be broken behind a "_".
  function addKeys(cell, keys) {
    for (const part of keys.filter((key) => key !== undefined).join(", ").split(/(?<=_)/)) cell.append(part, document.createElement("wbr"));
  }

  function viewOf(model) {
    if (model.network) return saturnPlannerNetworkView;
    return model.arrivals_per_s === null ? saturnPlannerClosedView : saturnPlannerOpenView;
  }

  class PlannerPanel {
    constructor(element, model) {
      Object.assign(this, { element, model });
      this.words = viewOf(model);
      this.present = this.words.presentSettings(model);
      this.set = { ...this.present };
      this.chart = this.words.chart(model, this.present);
      this.view = null;
      this.work = saturnDrawing.afterFirstScreen;
      element.textContent = "";
      this.addInputs(addElement(element, "div", "planner-inputs"));
      this.chartPlace = addElement(element, "div", "drawing planner-chart");
      this.addAnswers(addTableBox(element, "What the formulas say"));
      this.addUse(addTableBox(element, "Use of each resource"));
      this.addFormulas(element);
    }

    addInputs(parent) {
      const change = (name, value) => {
        this.set[name] = value;
        this.update();
        this.writeHash();
      };
      this.inputs = this.words.inputsOf(this.model).map((input) =>
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
      for (const words of ["answer", "as set", "present", "in CSV and JSON"]) addElement(head, "th", "", words).scope = "col";
      const body = addElement(table, "tbody", "");
      this.answers = this.words.answerRows(this.model).map(([words, symbol, said, ...keys]) => {
        const row = addElement(body, "tr", "");
        const title = addElement(row, "th", "", words);
        title.scope = "row";
        if (symbol !== "") addElement(title, "span", "symbol", symbol);
        const answer = { cell: addElement(row, "td", ""), before: addElement(row, "td", "before"), said };
        addKeys(addElement(row, "td", "keys"), keys);
        return answer;
      });
      table.setAttribute("aria-live", "polite");
    }

    addUse(parent) {
      const table = addElement(parent, "table", "planner-use");
      addElement(table, "caption", "", "Use of each resource");
      const head = addElement(addElement(table, "thead", ""), "tr", "");
      for (const words of ["resource", "busy per event, D", "use"]) addElement(head, "th", "", words).scope = "col";
      this.use = addElement(table, "tbody", "");
    }

    addFormulas(parent) {
      const fold = addElement(parent, "details", "fold");
      addElement(fold, "summary", "", "The formulas in words");
      const list = addElement(fold, "dl", "formulas");
      for (const [formula, words] of this.words.formulaWords(this.model)) {
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
      const said = this.words.evaluate(this.model, this.set);
      const before = this.words.evaluate(this.model, this.present);
      for (const answer of this.answers) {
        answer.cell.textContent = answer.said(said);
        answer.before.textContent = answer.said(before);
      }
      this.showUse(said);
      this.reset.disabled = Object.keys(this.present).every((name) => this.set[name] === this.present[name]);
      // Paper has no use for sliders at rest.
      this.element.closest("section")?.classList.toggle("at-rest", this.reset.disabled);
      this.said = said;
      this.work = this.work.then(() => this.drawChart()).catch((error) => console.error("planner", error));
      return this.work;
    }

    async drawChart() {
      if (!saturnDrawing.canDraw()) {
        this.chartPlace.textContent = "The chart is not drawn: saturn was built without the drawing bundles.";
        this.chartPlace.classList.add("cannot");
        return;
      }
      const rows = this.chart.rows(this.set);
      if (this.view !== null) {
        await saturnDrawing.replaceRows(this.view, rows);
        return;
      }
      this.view = await saturnDrawing.embed(this.chartPlace, this.chart.spec, rows);
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

  return { start };
})();
if (typeof module !== "undefined") module.exports = saturnPlannerPanel;
