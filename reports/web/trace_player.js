"use strict";
// One second of a run, played: what waits for each model, and which batch each instance executes. Nothing moves before it is asked to.
const saturnTracePlayer = (() => {
  const { shown } = saturnNumbers;
  // So slowly the second goes by.
  const secondsToPlay = 10;
  // Who wants less motion is shown moments, not movement.
  const calmMoments = 20;
  const calmPause = 500;
  const steps = 1000;
  const colours = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7a7a7a", "#b8a800"];

  // What the trace says of a moment [us]: of each instance its batch and how much of it is done, and how many requests wait for each
  // model. A batch begins at its moment, and is gone at the moment at which it ends. Pure: no document.
  function stateAt(data, at) {
    const { batches, waits } = data;
    const running = data.instances.map(() => null);
    batches.begin_us.forEach((begin, i) => {
      const end = batches.end_us[i];
      if (begin > at || at >= end) return;
      running[batches.instance[i]] = { model: data.models[batches.model[i]], number: batches.model[i], items: batches.items[i],
        done: (at - begin) / (end - begin) };
    });
    const waiting = data.models.map(() => 0);
    waits.at_us.forEach((time, i) => { if (time <= at) waiting[waits.model[i]] = waits.waiting[i]; });
    return { running, waiting };
  }

  function addElement(parent, tag, className, text = "") {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    parent.append(element);
    return element;
  }

  function addRow(parent, name) {
    const row = addElement(parent, "div", "player-row");
    addElement(row, "span", "player-name", name);
    const bar = addElement(row, "span", "player-bar");
    return { fill: addElement(bar, "span", "player-fill"), words: addElement(row, "span", "player-words") };
  }

  class TracePlayer {
    constructor(element, data) {
      Object.assign(this, { data, at: 0, timer: null });
      element.textContent = "";
      const controls = addElement(element, "div", "player-controls");
      this.button = addElement(controls, "button", "player-button", "Play");
      this.button.type = "button";
      this.slider = addElement(controls, "input", "");
      Object.assign(this.slider, { type: "range", min: "0", max: String(steps), step: "1", value: "0" });
      this.slider.setAttribute("aria-label", "Moment of the run");
      this.clock = addElement(controls, "output", "player-clock");
      const most = Math.max(1, ...data.waits.waiting);
      addElement(element, "p", "player-title", "Requests that wait");
      this.queues = data.models.map((name, i) => ({ ...addRow(element, name), most, colour: colours[i % colours.length] }));
      addElement(element, "p", "player-title", "Batches, and how far they are");
      this.instances = data.instances.map((name) => addRow(element, name));
      if (data.more_instances > 0) addElement(element, "p", "hint", `and ${data.more_instances} more instances`);
      this.button.addEventListener("click", () => (this.timer === null ? this.play() : this.pause()));
      this.slider.addEventListener("input", () => { this.pause(); this.show(data.length_us * Number(this.slider.value) / steps); });
      this.show(0);
    }

    show(at) {
      this.at = Math.min(Math.max(0, at), this.data.length_us);
      const { running, waiting } = stateAt(this.data, this.at);
      this.queues.forEach(({ fill, words, most, colour }, i) => {
        fill.style.cssText = `width: ${100 * waiting[i] / most}%; background: ${colour}`;
        words.textContent = String(waiting[i]);
      });
      this.instances.forEach(({ fill, words }, i) => {
        const batch = running[i];
        fill.style.cssText = batch === null ? "width: 0" : `width: ${100 * batch.done}%; background: ${colours[batch.number % colours.length]}`;
        words.textContent = batch === null ? "idle" : `${batch.model}, ${batch.items} ${batch.items === 1 ? "item" : "items"}`;
      });
      const moment = `${shown(this.at / 1000, 4)} ms`;
      this.clock.textContent = moment;
      this.slider.value = String(Math.round(steps * this.at / this.data.length_us));
      this.slider.setAttribute("aria-valuetext", moment);
    }

    play() {
      if (this.at >= this.data.length_us) this.show(0);
      this.button.textContent = "Pause";
      if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
        this.timer = setInterval(() => this.forward(this.data.length_us / calmMoments), calmPause);
        return;
      }
      let before = performance.now();
      const frame = (now) => {
        if (this.timer === null) return;
        this.forward((now - before) / 1000 / secondsToPlay * this.data.length_us);
        before = now;
        if (this.timer !== null) this.timer = requestAnimationFrame(frame);
      };
      this.timer = requestAnimationFrame(frame);
    }

    forward(by) {
      this.show(this.at + Math.max(0, by));
      if (this.at >= this.data.length_us) this.pause();
    }

    pause() {
      cancelAnimationFrame(this.timer);
      clearInterval(this.timer);
      this.timer = null;
      this.button.textContent = "Play";
    }
  }

  function start() {
    const element = document.getElementById("player");
    const data = element === null ? null : saturnDrawing.readData(document.getElementById("player-data"));
    return data === null ? null : new TracePlayer(element, data);
  }

  return { start, stateAt };
})();
if (typeof module !== "undefined") module.exports = saturnTracePlayer;
