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

  // One Vega-Lite specification with rows in an element.
  async function embed(place, spec, rows) {
    const { view } = await vegaEmbed(place, { ...spec, datasets: { ...spec.datasets, rows } }, options);
    return view;
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

  function replaceRows(view, rows, name = "rows") {
    return view.change(name, vega.changeset().remove(() => true).insert(rows)).runAsync();
  }

  return { afterFirstScreen, openFirstScreen: () => openFirstScreen(), canDraw, readData, expandRows, csvText, embed, drawNow, replaceRows };
})();
if (typeof module !== "undefined") module.exports = saturnDrawing;
