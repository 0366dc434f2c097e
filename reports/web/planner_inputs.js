"use strict";
// Sliders with number boxes, one for each setting of the planner.
const saturnPlannerInputs = (() => {
  const { unitFor, timeUnits, rateUnits, shown } = saturnNumbers;
  const steps = 1000;

  // Which inputs a model has, in their order. Those that move nothing are left out.
  function inputsOf(model) {
    const moves = (follows) => model.resources.some((one) => one.follows === follows);
    const time = (value) => unitFor(value, timeUnits);
    const device = model.device_word;
    const isOpen = model.arrivals_per_s !== null;
    const all = [
      { name: "arrivals_per_s", label: "Events that arrive", symbol: "λ", unit: ["/s", 1], span: 20, without: !isOpen },
      { name: "cpu_s", label: "CPU time of an event", symbol: "t_CPU", unit: time(model.cpu_s), span: 20 },
      { name: "device_s", label: device === "CPU" ? "Server's time of an event" : `${device} time of an event`, symbol: "t_dev", unit: time(model.device_s), span: 20 },
      { name: "round_trip_s", label: "Round-trip time", symbol: "RTT", unit: time(model.round_trip_s), span: 50,
        without: model.round_trips === 0, ifZero: 0.1 },
      { name: "bandwidth_bytes_per_s", label: "Bandwidth of a flow", symbol: "B", span: 50,
        unit: unitFor(model.bandwidth_bytes_per_s, rateUnits),
        without: !(model.bandwidth_bytes_per_s > 0) || (model.transferred_bytes === 0 && !moves("bandwidth")) },
      { name: "streams", label: isOpen || model.stream_word === "stream" ? "Streams" : "Jobs", symbol: "N", unit: ["", 1], whole: true, most: Math.max(1000, 10 * model.streams) },
      { name: "devices", label: `${device}s`, symbol: "G", unit: ["", 1], whole: true, most: Math.max(32, 8 * model.devices) },
      { name: "device_usd_per_hour", label: `Price of a ${device}`, unit: ["USD/h", 1], span: 10, ifZero: 5,
        without: model.device_usd_per_hour === null },
      { name: "core_usd_per_hour", label: isOpen ? "Price of a core" : "Price of a job's core", unit: ["USD/h", 1], span: 10, ifZero: 0.1,
        without: model.core_usd_per_hour === null },
    ];
    return ranged(all, model);
  }

  // Those that a model has, each with its range.
  function ranged(inputs, present) {
    return inputs.filter((input) => !input.without).map((input) => ({ ...input, ...rangeOf(input, present[input.name]) }));
  }

  // Sliders are logarithmic, with the present value in the middle where it can be; at zero there is no such middle.
  function rangeOf(input, present) {
    if (input.whole) return { low: 1, high: input.most, logarithmic: true };
    if (present > 0) return { low: present / input.span, high: present * input.span, logarithmic: true };
    return { low: 0, high: input.ifZero ?? 10, logarithmic: false };
  }

  function valueAt(input, step) {
    const share = step / steps;
    const value = input.logarithmic
      ? input.low * (input.high / input.low) ** share : input.low + (input.high - input.low) * share;
    return input.whole ? Math.max(1, Math.round(value)) : Number((value * input.unit[1]).toPrecision(3)) / input.unit[1];
  }

  function stepOf(input, value) {
    const share = input.logarithmic
      ? Math.log(value / input.low) / Math.log(input.high / input.low) : (value - input.low) / (input.high - input.low);
    return Math.round(steps * Math.min(1, Math.max(0, share)));
  }

  // Why a value is refused; an empty text where it is not.
  function complaint(input, value) {
    if (!Number.isFinite(value)) return "a number is needed here";
    if (input.whole) return value >= 1 && Number.isInteger(value) && value <= 1e9 ? "" : "a whole number from 1 on";
    const mayBeZero = !/^(arrivals|bandwidth_bytes)_per_s/.test(input.name);
    if (value < 0 || (value === 0 && !mayBeZero) || value > 1e15) return mayBeZero ? "a number from 0 on" : "a number above 0";
    return "";
  }

  class PlannerInput {
    constructor(parent, input, present, onChange) {
      Object.assign(this, { input, present, onChange });
      const id = `planner-${input.name}`;
      const unit = input.unit[0];
      const row = document.createElement("div");
      row.className = "planner-input";
      row.innerHTML = '<label></label><span class="box"><input type="number" step="any" inputmode="decimal"><span></span></span>' +
        '<input type="range"><output></output>';
      const [label, box, slider, note] = [row.querySelector("label"), row.querySelector(".box input"),
        row.querySelector('[type="range"]'), row.querySelector("output")];
      label.htmlFor = id;
      label.textContent = input.label;
      box.id = id;
      row.querySelector(".box span").textContent = unit;
      Object.assign(slider, { min: "0", max: String(steps), step: "1" });
      slider.setAttribute("aria-label", `${input.label}, slider`);
      slider.dataset.setting = input.name;
      note.htmlFor = id;
      Object.assign(this, { box, slider, note });
      slider.addEventListener("input", () => this.take(valueAt(input, Number(slider.value)), slider));
      box.addEventListener("input", () => this.take(box.value === "" ? NaN : Number(box.value) / input.unit[1], box));
      parent.append(row);
      this.show(present);
    }

    take(value, source) {
      const refused = complaint(this.input, value);
      this.box.setAttribute("aria-invalid", refused === "" ? "false" : "true");
      if (refused !== "") {
        this.note.textContent = refused;
        return;
      }
      this.show(value, source);
      this.onChange(this.input.name, value);
    }

    // What the user is moving is not moved from below the finger.
    show(value, source = null) {
      const [unit, factor] = this.input.unit;
      const inUnit = Number((value * factor).toPrecision(12));
      if (source !== this.box) this.box.value = String(inUnit);
      if (source !== this.slider) this.slider.value = String(stepOf(this.input, value));
      this.slider.setAttribute("aria-valuetext", `${shown(inUnit)} ${unit}`);
      this.box.setAttribute("aria-invalid", "false");
      this.note.textContent = value === this.present ? "" : `now ${shown(this.present * factor)} ${unit}`;
    }
  }

  return { inputsOf, ranged, valueAt, stepOf, complaint, PlannerInput };
})();
if (typeof module !== "undefined") module.exports = saturnPlannerInputs;
