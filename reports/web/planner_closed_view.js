"use strict";
// What the panel says and draws where jobs begin their events themselves.
const saturnPlannerClosedView = (() => {
  const { shown, time, percent, unitFor, timeUnits } = saturnNumbers;
  const { usd, idealTimeFormula, useFormula, costFormula } = saturnPlannerWords;
  const { evaluate } = saturnPlannerClosed;
  const curveSteps = 60;

  // Rows of the table of answers: words, symbol, the value in words, and what CSV and JSON call it.
  function answerRows(model) {
    const { device_word: device, keys } = model;
    const many = `${model.stream_word}s`;
    return [
      ["Unloaded event time", "t_ideal", (said) => time(said.ideal_event_time_s), keys.ideal_event_time],
      ["Event time", "R(N)", (said) => time(said.event_time_s), keys.event_time],
      ["Slowdown, a ratio", "R(N)/t_ideal", (said) => shown(said.slowdown), keys.slowdown],
      ["Throughput", "X(N)", (said) => `${shown(said.events_per_s)} /s`, keys.events],
      [`Knee, in ${many}`, "N*", (said) => shown(said.knee_streams)],
      [`Knee, in ${many} per ${device}`, "N*/G", (said) => shown(said.knee_per_device), keys.saturates_at_streams_per_gpu],
      [`Whole ${many} per ${device}`, "", (said) => shown(said.whole_per_device), keys.streams_per_gpu, keys.jobs_per_gpu],
      [`Within ${percent(model.tolerated_slowdown)} of t_ideal, in ${many} per ${device}`, "", (said) => shown(said.within_per_device),
        keys.within_slowdown_streams_per_gpu],
      ["What binds", "", (said) => said.binds ?? "nothing yet"],
      ["First to bind, then next", "", (said) => said.limits.slice(0, 2).map((one) =>
        `${one.name} at ${shown(one.knee_streams, 3)} ${many}`).join(", then ") || "nothing is contended", keys.binding, keys.next],
      ["Cost of a million events", "", (said) => usd(said.usd_per_million), keys.cost_per_million],
    ];
  }

  function formulaWords(model) {
    return [
      idealTimeFormula(model),
      ["R(N) = max(t_ideal, N·max D)", "D: how long one event keeps a resource busy, over its parallel units"],
      ["X(N) = N / R(N)", "events per second of all jobs"],
      ["N* = t_ideal / max D", `${model.stream_word}s at which the first resource saturates`],
      useFormula(model),
      costFormula("events"),
    ];
  }

  function chartRows(model, present, set, factor) {
    const [now, before] = [evaluate(model, set), evaluate(model, present)];
    const here = set.streams / set.devices;
    const most = Math.max(...[2 * before.knee_per_device, 2 * now.knee_per_device, 1.15 * here,
      1.15 * model.streams / model.devices, ...model.simulated.map((point) => 1.05 * point.streams / model.devices)]
      .filter(Number.isFinite));
    const line = (settings) => saturnPlannerClosed.curve(model, settings, most, curveSteps).map((point) =>
      ({ streams_per_device: point.streams_per_device, event_time: point.event_time_s * factor }));
    return saturnPlannerChart.rows({
      now: line(set),
      before: line(present),
      here: { streams_per_device: here, event_time: now.event_time_s * factor },
      simulated: model.simulated.map((point) => ({ streams_per_device: point.streams / model.devices,
        event_time: point.event_time_s * factor, low: point.low_s * factor, high: point.high_s * factor })),
    });
  }

  // The chart's specification, and its rows at a setting.
  function chart(model, present) {
    const [unit, factor] = unitFor(evaluate(model, present).event_time_s, timeUnits);
    const perDevice = `${model.stream_word}s per ${model.device_word}`;
    return {
      spec: saturnPlannerChart.spec(`Event time against ${perDevice}, by the formulas and as simulated`,
        { field: "streams_per_device", title: perDevice }, { field: "event_time", title: `event time [${unit}]` },
        model.simulated.length > 0),
      rows: (set) => chartRows(model, present, set, factor),
    };
  }

  const { presentSettings } = saturnPlannerSystem;
  const { inputsOf } = saturnPlannerInputs;
  return { evaluate, presentSettings, inputsOf, answerRows, formulaWords, chart };
})();
