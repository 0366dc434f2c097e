"use strict";
// Words that the panel has for one formula, whether jobs begin their events themselves or events arrive.
const saturnPlannerWords = (() => {
  const { shown, time } = saturnNumbers;

  function usd(value) {
    return value === null ? "no prices given" : `${shown(value)} USD`;
  }

  function idealTimeFormula(model) {
    const trips = model.round_trips === 1 ? "one round trip" : `${shown(model.round_trips)} round trips one after the other`;
    return ["t_ideal = t_CPU + t_dev + k·RTT + S/B + rest",
      `CPU time, ${model.device_word} time, ${trips}, ` +
      `${shown(model.transferred_bytes / 1e6)} MB at the bandwidth of a flow, and ${time(model.other_s)} of other waiting`];
  }

  function useFormula(model) {
    return ["use of a resource = X·D", `D of the ${model.device_word}s goes with t_dev / G, D of a link with 1 / B`];
  }

  function costFormula(events) {
    return ["cost = (G·price + N·core price + other prices) / 3600 / X · 10^6 + traffic", `USD for a million ${events}`];
  }

  return { usd, idealTimeFormula, useFormula, costFormula };
})();
