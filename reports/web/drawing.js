"use strict";
// Draws figures from their data, and gives these data away as files.
const saturnDrawing = (() => {
  const canDraw = () => typeof vegaEmbed !== "undefined";
  const options = {
    mode: "vega-lite",
    // SVG: it stays sharp on paper, and a click finds its mark where the figure was shrunk to a small screen.
    renderer: "svg",
    // The interpreter of expressions: the page forbids code made from texts.
    ast: true,
    actions: false,
    defaultStyle: false,
  };

  // Charts of panels wait until the figures of the first screen are there.
  let openFirstScreen = null;
  const afterFirstScreen = new Promise((resolve) => { openFirstScreen = resolve; });

  function readData(element) {
    try {
      return JSON.parse(element.textContent);
    } catch {
      return null;
    }
  }

  // {"columns", "values"} as an object a row.
  function expandRows(table) {
    const columns = table.values.map((column) =>
      Array.isArray(column) ? column : column.of.map((index) => column.words[index]));
    const count = columns.length > 0 ? columns[0].length : 0;
    return Array.from({ length: count }, (_, row) =>
      Object.fromEntries(table.columns.map((head, column) => [head, columns[column][row]])));
  }

  function csvCell(value) {
    if (value === null || value === undefined) return "";
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  function csvText(table) {
    const lines = expandRows(table).map((row) => table.columns.map((head) => csvCell(row[head])).join(","));
    return [table.columns.map(csvCell).join(","), ...lines].join("\n") + "\n";
  }

  function specWithRows(data) {
    return { ...data.spec, data: { values: expandRows(data.rows) } };
  }

  function offer(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  function addButton(line, words, about, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.setAttribute("aria-label", `${words}: ${about}`);
    button.addEventListener("click", act);
    line.append(button);
  }

  // The quiet line below a figure: what can be saved of it.
  function addDownloads(figure, data, view) {
    const line = document.createElement("p");
    line.className = "downloads";
    line.append("Save ");
    addButton(line, "SVG", data.title, async () => {
      offer(new Blob([await view.toSVG()], { type: "image/svg+xml" }), `${data.name}.svg`);
    });
    addButton(line, "PNG", data.title, async () => {
      const canvas = await view.toCanvas(2);
      canvas.toBlob((blob) => offer(blob, `${data.name}.png`));
    });
    addButton(line, "rows (CSV)", data.title, () => {
      offer(new Blob([csvText(data.rows)], { type: "text/csv" }), `${data.name}.csv`);
    });
    addButton(line, "specification", data.title, () => {
      const text = JSON.stringify(specWithRows(data), null, 2) + "\n";
      offer(new Blob([text], { type: "application/json" }), `${data.name}.vl.json`);
    });
    figure.append(line);
  }

  // Marks that say nothing by themselves would be announced as pictures without a name.
  function hushNameless(place) {
    for (const mark of place.querySelectorAll('[role="graphics-symbol"]:not([aria-label])')) mark.setAttribute("aria-hidden", "true");
  }

  const leastWidth = 100;
  const leastName = 90;

  // As wide as they were drawn, however small the figure is shown.
  const namesWidth = (place) => Math.max(0, ...[...place.querySelectorAll(".role-axis-label text")]
    .filter((text) => text.getAttribute("text-anchor") === "end").map((text) => text.getComputedTextLength()));

  // Names at the left that leave no room for marks end in "…"; tooltips and rows have them whole.
  function shorterNames(spec, limit) {
    if (spec === null || typeof spec !== "object") return spec;
    for (const [key, value] of Object.entries(spec)) {
      if (key === "y" && value?.type === "nominal" && value.axis !== null) value.axis = { ...value.axis, labelLimit: limit };
      else shorterNames(value, limit);
    }
    return spec;
  }

  // Words beside marks were placed for a wider drawing: those that would be cut at its edge move in.
  function pullIn(place) {
    const box = place.querySelector("svg").getBoundingClientRect();
    for (const text of place.querySelectorAll("text")) {
      const own = text.getBoundingClientRect();
      const over = Math.max(0, own.right - box.right) - Math.max(0, box.left - own.left);
      if (over !== 0 && own.width > 0 && own.width < box.width) text.setAttribute("dx", -over - Math.sign(over));
    }
  }

  // One Vega-Lite specification with rows in an element, as wide as there is room for.
  async function embed(place, spec, rows) {
    const room = place.clientWidth || place.parentElement.clientWidth;
    const draw = (one) => vegaEmbed(place, { ...one, datasets: { ...spec.datasets, rows } }, options);
    const fit = fitted(spec, room);
    let drawn = await draw(fit);
    // Words beside the marks take room that nobody knows before they are there.
    const excess = Number(place.querySelector("svg").getAttribute("width")) - room;
    if (fit !== spec && typeof fit.width === "number" && excess > 0) {
      const width = Math.max(leastWidth, fit.width - excess);
      const names = Math.max(leastName, namesWidth(place) - (width - fit.width + excess));
      drawn.finalize();
      drawn = await draw(shorterNames({ ...structuredClone(fit), width }, names));
    }
    if (fit !== spec) pullIn(place);
    hushNameless(place);
    return drawn.view;
  }

  // What is folded has no width to be drawn for.
  const isFolded = (element) => element.closest("details:not([open])") !== null;

  function whenUnfolded(element) {
    const fold = element.closest("details:not([open])");
    return fold === null ? Promise.resolve() : new Promise((resolve) => { fold.addEventListener("toggle", resolve, { once: true }); });
  }

  // Room that axes and legends take beside the marks of one panel, and the letters of titles.
  const besides = 96;
  const letterWidth = 8.2;
  const smallLetterWidth = 6.2;
  const isPanels = (spec) => Boolean(spec.facet || spec.vconcat || spec.hconcat || spec.concat || spec.encoding?.facet || spec.encoding?.row || spec.encoding?.column);

  function rewrapped(lines, letters) {
    const words = (Array.isArray(lines) ? lines : [lines]).join(" ").split(" ");
    const found = [""];
    for (const word of words) {
      const line = found[found.length - 1];
      if (line !== "" && line.length + 1 + word.length > letters) found.push(word);
      else found[found.length - 1] = line === "" ? word : `${line} ${word}`;
    }
    return found;
  }

  function narrowLegends(spec) {
    if (spec === null || typeof spec !== "object") return;
    for (const [key, value] of Object.entries(spec)) {
      if (key === "legend" && value !== null && typeof value === "object") {
        value.orient = "bottom";
        value.direction = value.direction || "vertical";
        value.columns = 1;
        value.labelLimit = 220;
      } else narrowLegends(value);
    }
  }

  // The titles of axes that run across on as many lines as they need.
  function narrowAxes(spec, letters) {
    if (spec === null || typeof spec !== "object") return;
    for (const [key, value] of Object.entries(spec)) {
      if (key !== "x" || value === null || typeof value !== "object") {
        narrowAxes(value, letters);
        continue;
      }
      for (const titled of [value, value.axis])
        if (typeof titled?.title === "string" && titled.title.length > letters) titled.title = rewrapped(titled.title, letters);
    }
  }

  function narrowPanels(spec, room) {
    if (spec === null || typeof spec !== "object") return;
    if (typeof spec.width === "number" && spec.width > room) spec.width = room;
    for (const key of ["spec", "vconcat", "hconcat", "concat", "layer"]) {
      if (Array.isArray(spec[key])) spec[key].forEach((one) => narrowPanels(one, room));
      else if (spec[key]) narrowPanels(spec[key], room);
    }
    if (spec.hconcat) {
      spec.vconcat = spec.hconcat;
      delete spec.hconcat;
    }
    if (spec.columns) spec.columns = 1;
    if (spec.encoding?.facet?.columns) spec.encoding.facet.columns = 1;
  }

  // The same figure where there is less room than it was made for: as wide as its place, legends below, one panel a row.
  function fitted(spec, room) {
    const widest = typeof spec.width === "number" ? spec.width + besides : 640;
    if (!(room > 0) || room >= widest) return spec;
    const narrow = structuredClone(spec);
    narrow.padding = 4;
    if (narrow.title?.text) narrow.title.text = rewrapped(narrow.title.text, Math.floor(room / letterWidth));
    if (narrow.title?.subtitle) narrow.title.subtitle = [narrow.title.subtitle].flat().flatMap((line) => rewrapped(line, Math.floor(room / smallLetterWidth)));
    if (narrow.title) narrow.title.limit = room;
    narrowLegends(narrow);
    narrowAxes(narrow, Math.floor((room - besides / 2) / smallLetterWidth));
    if (isPanels(narrow)) {
      narrowPanels(narrow, room - besides);
    } else if (typeof narrow.width === "number") {
      narrow.width = room - 12;
      if (typeof narrow.height === "number") narrow.autosize = { type: "fit-x", contains: "padding" };
    }
    return narrow;
  }

  // @param change  what the page adds to the specification, such as the frame of a map
  async function drawNow(figure, change) {
    const place = figure.querySelector(".drawing");
    const data = readData(figure.querySelector("script.figure-data"));
    if (data === null) {
      place.textContent = "The data of this figure cannot be read: the file is damaged.";
      return null;
    }
    const spec = { description: [data.title, data.about].filter(Boolean).join(". "), ...data.spec };
    const rows = expandRows(data.rows);
    try {
      const view = await embed(place, change(spec, rows), rows);
      addDownloads(figure, data, view);
      window.saturn.views[data.name] = view;
      return { view, rows };
    } catch (error) {
      place.textContent = `This figure could not be drawn: ${error.message}`;
      console.error(`figure ${data.name}`, error);
      return null;
    }
  }

  async function replaceRows(view, rows, name = "rows") {
    await view.change(name, vega.changeset().remove(() => true).insert(rows)).runAsync();
    hushNameless(view.container());
  }

  return { afterFirstScreen, openFirstScreen: () => openFirstScreen(), canDraw, readData, expandRows, csvText, embed,
    fitted, isFolded, whenUnfolded, drawNow, replaceRows };
})();
if (typeof module !== "undefined") module.exports = saturnDrawing;
