"use strict";
// What the panel says and draws where events arrive from outside.
const saturnPlannerOpenView = (() => {
  const { shown, time, percent } = saturnNumbers;
  const { usd, idealTimeFormula, useFormula, costFormula } = saturnPlannerWords;
  const { evaluate } = saturnPlannerOpen;
  const curveSteps = 120;

  const rate = (perSecond, digits) => `${shown(perSecond, digits)} /s`;

  function neededWords(said) {
    if (said.hindered_by === null) return shown(said.devices_needed);
    return `no number: ${said.hindered_by.name} at ${rate(said.hindered_by.most_per_s, 3)}`;
  }

  // Rows of the table of answers: words, symbol, the value in words, and what CSV and JSON call it.
  function answerRows({ device_word: device, keys }) {
    return [
      ["Unloaded event time", "t_ideal", (said) => time(said.ideal_event_time_s), keys.ideal_event_time],
      ["Most that can be served", "C", (said) => rate(said.capacity_per_s), keys.capacity],
      ["Served", "X", (said) => rate(said.served_per_s), keys.events],
      ["Lost, at least", "1 − C/λ", (said) => percent(said.lost_share), keys.lost_fraction],
      [`${device}s needed`, "", neededWords, keys.gpus],
      ["What binds", "", (said) => said.binds ?? "nothing yet"],
      ["First to bind, then next", "", (said) => said.limits.slice(0, 2).map((one) =>
        `${one.name} at ${rate(one.most_per_s, 3)}`).join(", then ") || "nothing is contended", keys.binding, keys.next],
      ["Cost of a million served events", "", (said) => usd(said.usd_per_million), keys.cost_per_million],
    ];
  }

  function formulaWords(model) {
    return [
      idealTimeFormula(model),
      ["C = min(1 / max D, N / t_ideal)", "D: how long one event keeps a resource busy, over its parallel units; N streams"],
      ["X = min(λ, C)", "events per second that are served, of λ that arrive"],
      ["lost share = max(0, 1 − C/λ)", "what any buffer must lose in the long run"],
      [`${model.device_word}s needed: the fewest with C ≥ λ`, "no number where something else serves fewer than λ"],
      useFormula(model),
      ["use of the streams = X·t_ideal / N", "the share of them that hold an event"],
      costFormula("served events"),
    ];
  }

  function chartRows(model, present, set) {
    const [now, before] = [evaluate(model, set), evaluate(model, present)];
    const places = [set.devices, model.devices, now.devices_that_match, before.devices_that_match,
      ...model.losses.map((point) => point.devices)].filter((place) => place > 0 && Number.isFinite(place));
    const [fewest, most] = [0.5 * Math.min(...places), 1.2 * Math.max(...places)];
    const line = (settings) => saturnPlannerOpen.curve(model, settings, fewest, most, curveSteps).map((point) =>
      ({ devices: point.devices, lost: 100 * point.lost_share }));
    return saturnPlannerChart.rows({
      now: line(set),
      before: line(present),
      here: { devices: set.devices, lost: 100 * now.lost_share },
      simulated: model.losses.map((point) =>
        ({ devices: point.devices, lost: 100 * point.lost_fraction, low: 100 * point.low, high: 100 * point.high })),
    });
  }

  // The chart's specification, and its rows at a setting.
  function chart(model, present) {
    const devices = `${model.device_word}s`;
    return {
      spec: saturnPlannerChart.spec(`Lost share of the events against ${devices}, by the formulas and as simulated`,
        { field: "devices", title: devices, axis: { tickMinStep: 1 }, scale: { zero: false, nice: false } },
        { field: "lost", title: "events lost [%]" }, model.losses.length > 0),
      rows: (set) => chartRows(model, present, set),
    };
  }

  const { presentSettings } = saturnPlannerSystem;
  const { inputsOf } = saturnPlannerInputs;
  return { evaluate, presentSettings, inputsOf, answerRows, formulaWords, chart };
})();
