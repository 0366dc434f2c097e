"use strict";
// The formulas where events arrive from outside, the same as in models/queueing/open_capacity.hpp for one pool. Pure: no document.
const saturnPlannerOpen = (() => {
  const { demands, byDemand, idealEventTime, costPerMillion } =
    typeof saturnPlannerSystem === "undefined" ? require("./planner_system.js") : saturnPlannerSystem;
  // A rate that is met but for the last digits of the arithmetic is met.
  const rounding = 1e-9;
  const exceeds = (arrivals, mostPerS) => arrivals > mostPerS * (1 + rounding);

  // D_r of each resource, and of the streams t_ideal/N: all of them are busy while each holds an event.
  function limitsOf(model, set) {
    const streams = { name: "streams", follows: "streams", demand_s: idealEventTime(model, set) / set.streams };
    return byDemand([streams, ...demands(model, set)]).map((one) => ({ ...one, most_per_s: 1 / one.demand_s }));
  }

  // C = min(1 / max D_r, N / t_ideal).
  function capacityOf(limits) {
    return limits.length > 0 ? limits[0].most_per_s : Infinity;
  }

  // What no buffer keeps in the long run: 1 - C/λ.
  function lostShare(arrivals, capacity) {
    return exceeds(arrivals, capacity) ? 1 - capacity / arrivals : 0;
  }

  // Where devices alone would just do, not a whole number, and the first limit that no device lifts.
  function devicesThatMatch(limits, set) {
    const ofDevices = limits.find((one) => one.follows === "device");
    return {
      match: ofDevices ? set.arrivals_per_s * ofDevices.demand_s * set.devices : 0,
      other: limits.find((one) => one.follows !== "device") ?? null,
    };
  }

  function evaluate(model, set) {
    const limits = limitsOf(model, set);
    const capacity = capacityOf(limits);
    const arrivals = set.arrivals_per_s;
    const served = Math.min(arrivals, capacity);
    const { match, other } = devicesThatMatch(limits, set);
    const isHopeless = other !== null && exceeds(arrivals, other.most_per_s);
    return {
      ideal_event_time_s: idealEventTime(model, set),
      capacity_per_s: capacity,
      served_per_s: served,
      lost_share: lostShare(arrivals, capacity),
      devices_needed: isHopeless ? null : Math.max(1, Math.ceil(match / (1 + rounding))),
      devices_that_match: match,
      hindered_by: isHopeless ? other : null,
      binds: exceeds(arrivals, capacity) ? limits[0].name : null,
      limits: limits.map((one) => ({ ...one, use: Math.min(1, served * one.demand_s) })),
      usd_per_million: costPerMillion(model, set, served),
    };
  }

  // Lost share against devices. Where the loss ends, and where another limit takes over, are among the points, so that
  // corners are sharp.
  function curve(model, set, fewest, most, steps) {
    const { match, other } = devicesThatMatch(limitsOf(model, set), set);
    const corners = [match, other === null ? Infinity : match * other.most_per_s / set.arrivals_per_s];
    const places = Array.from({ length: steps + 1 }, (_, i) => fewest + (most - fewest) * i / steps);
    places.push(...corners.filter((corner) => corner > fewest && corner < most));
    return places.sort((a, b) => a - b).map((devices) => ({
      devices,
      lost_share: lostShare(set.arrivals_per_s, capacityOf(limitsOf(model, { ...set, devices }))),
    }));
  }

  return { evaluate, curve };
})();
if (typeof module !== "undefined") module.exports = saturnPlannerOpen;
