"use strict";
// The formulas where jobs begin their events themselves, the same as in models/queueing/closed_formulas.hpp for one pool. Pure: no document.
const saturnPlannerClosed = (() => {
  const { demands, byDemand, idealEventTime, costPerMillion } =
    typeof saturnPlannerSystem === "undefined" ? require("./planner_system.js") : saturnPlannerSystem;

  // R(N) = max(t_ideal, N·max D_r).
  function eventTime(idealTime, mostDemand, streams) {
    return Math.max(idealTime, streams * mostDemand);
  }

  function evaluate(model, set) {
    const ideal = idealEventTime(model, set);
    const limits = byDemand(demands(model, set)).map((one) => ({ ...one, knee_streams: ideal / one.demand_s }));
    const most = limits.length > 0 ? limits[0].demand_s : 0;
    const time = eventTime(ideal, most, set.streams);
    const rate = set.streams / time;
    const knee = most > 0 ? ideal / most : Infinity;
    return {
      ideal_event_time_s: ideal,
      event_time_s: time,
      slowdown: time / ideal,
      events_per_s: rate,
      most_demand_s: most,
      knee_streams: knee,
      knee_per_device: knee / set.devices,
      whole_per_device: Math.floor(knee / set.devices),
      // Within the tolerated slowdown a little more is served than at the knee itself.
      within_per_device: knee * (1 + model.tolerated_slowdown) / set.devices,
      binds: set.streams * most > ideal && limits.length > 0 ? limits[0].name : null,
      limits: limits.map((one) => ({ ...one, use: Math.min(1, rate * one.demand_s) })),
      usd_per_million: costPerMillion(model, set, rate),
    };
  }

  // Event time against streams per device; the knee is one of the points, so that the corner is sharp.
  function curve(model, set, mostPerDevice, steps) {
    const ideal = idealEventTime(model, set);
    const most = demands(model, set).reduce((sofar, one) => Math.max(sofar, one.demand_s), 0);
    const knee = most > 0 ? ideal / most / set.devices : Infinity;
    const places = Array.from({ length: steps }, (_, i) => mostPerDevice * (i + 1) / steps);
    if (knee < mostPerDevice) places.push(knee);
    return places.sort((a, b) => a - b).map((perDevice) => ({
      streams_per_device: perDevice,
      event_time_s: eventTime(ideal, most, perDevice * set.devices),
    }));
  }

  return { evaluate, curve };
})();
if (typeof module !== "undefined") module.exports = saturnPlannerClosed;
