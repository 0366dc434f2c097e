"use strict";
// Starts the page: figures when they come into view, maps, planner, buttons, printing.
window.saturn = { views: {}, maps: {}, planner: null, player: null };
(() => {
  const figures = [...document.querySelectorAll("figure.drawn")];

  async function drawFigure(figure) {
    const linked = window.saturn.maps[figure.dataset.name];
    const change = (spec, rows) => (linked ? saturnLinkedMap.withFrame(spec, rows, linked.cell) : spec);
    const drawing = await saturnDrawing.drawNow(figure, change);
    if (linked && drawing !== null) linked.listenTo(drawing.view, drawing.rows);
  }

  function startMaps() {
    for (const element of document.querySelectorAll(".linked")) {
      const linked = saturnLinkedMap.start(element);
      if (linked !== null) window.saturn.maps[element.dataset.figure] = linked;
    }
  }

  const { isFolded } = saturnDrawing;

  const inView = (figure) => {
    const box = figure.getBoundingClientRect();
    return box.top < window.innerHeight && box.bottom > 0;
  };

  // However often a figure is asked for, it is drawn once.
  const drawn = new Map();
  const drawOnce = (figure) => {
    if (!drawn.has(figure)) drawn.set(figure, drawFigure(figure));
    return drawn.get(figure);
  };

  function drawWhenSeen() {
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        watch.unobserve(entry.target);
        drawOnce(entry.target);
      }
    }, { rootMargin: "600px" });
    for (const figure of figures) if (!isFolded(figure)) watch.observe(figure);
    for (const fold of document.querySelectorAll("details.evidence"))
      fold.addEventListener("toggle", () => { if (fold.open) figures.filter((figure) => fold.contains(figure)).forEach(drawOnce); });
  }

  // One at a time while the reader reads, so that nothing is missing when the page is printed or searched.
  function drawRestWhenIdle() {
    const rest = figures.filter((figure) => !drawn.has(figure) && !isFolded(figure));
    if (rest.length === 0) return;
    const later = window.requestIdleCallback || ((act) => setTimeout(act, 50));
    later(async () => {
      await drawOnce(rest[0]);
      drawRestWhenIdle();
    });
  }

  function preparePrint() {
    for (const figure of figures) if (!isFolded(figure)) drawOnce(figure);
  }

  async function copyText(text) {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return;
    }
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  function startCopyButtons() {
    for (const button of document.querySelectorAll("button.copy")) {
      button.hidden = false;
      button.addEventListener("click", async () => {
        try {
          await copyText(button.parentElement.querySelector("code").textContent);
          button.textContent = "Copied";
        } catch {
          button.textContent = "Select it by hand";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
    }
  }

  // A link into what is folded opens it.
  function openTarget() {
    const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    const fold = target?.closest("details");
    if (!fold) return;
    fold.open = true;
    target.scrollIntoView();
  }

  function readAddress() {
    openTarget();
    if (!location.hash.startsWith("#planner?")) return;
    if (window.saturn.planner) window.saturn.planner.readHash();
    document.getElementById("planner")?.scrollIntoView();
  }

  async function start() {
    startCopyButtons();
    startMaps();
    window.saturn.planner = saturnPlannerPanel.start();
    window.saturn.player = saturnTracePlayer.start();
    readAddress();
    await Promise.all(figures.filter(inView).map(drawOnce));
    document.documentElement.dataset.ready = "true";
    performance.mark("saturn-ready");
    saturnDrawing.openFirstScreen();
    drawWhenSeen();
    drawRestWhenIdle();
  }

  window.addEventListener("beforeprint", preparePrint);
  window.addEventListener("hashchange", readAddress);
  start();
})();
