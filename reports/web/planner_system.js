"use strict";
// What all formulas of the planner panel begin with: settings, demands, event times without waiting, cost. Pure: no document.
const saturnPlannerSystem = (() => {
  const settingNames = ["arrivals_per_s", "cpu_s", "device_s", "round_trip_s", "bandwidth_bytes_per_s", "streams", "devices",
    "device_usd_per_hour", "core_usd_per_hour"];

  function presentSettings(model) {
    return Object.fromEntries(settingNames.map((name) => [name, model[name]]));
  }

  // What has no part in the present demand cannot scale it.
  const ratio = (now, before) => (before > 0 ? now / before : 1);

  // D_r of each resource with other settings.
  function demands(model, set) {
    return model.resources.map(({ name, demand_s, follows }) => {
      let demand = demand_s;
      if (follows === "device") demand *= ratio(set.device_s, model.device_s) / ratio(set.devices, model.devices);
      if (follows === "bandwidth") demand /= ratio(set.bandwidth_bytes_per_s, model.bandwidth_bytes_per_s);
      return { name, follows, demand_s: demand };
    });
  }

  // Those with a demand, the one that binds first at the front.
  function byDemand(limits) {
    return limits.filter((one) => one.demand_s > 0).sort((a, b) => b.demand_s - a.demand_s);
  }

  function transferTime(model, set) {
    return model.transferred_bytes > 0 ? model.transferred_bytes / set.bandwidth_bytes_per_s : 0;
  }

  // t_ideal = t_CPU + t_GPU + k·RTT + S/B + the rest.
  function idealEventTime(model, set) {
    return set.cpu_s + set.device_s + model.round_trips * set.round_trip_s + transferTime(model, set) + model.other_s;
  }

  function costPerMillion(model, set, eventsPerSecond) {
    const prices = [set.device_usd_per_hour, set.core_usd_per_hour];
    if (prices.every((price) => price === null) && !(model.other_usd_per_hour > 0)) return null;
    const usdPerHour = set.devices * (set.device_usd_per_hour ?? 0) + set.streams * (set.core_usd_per_hour ?? 0) +
      model.other_usd_per_hour;
    return usdPerHour / 3600 / eventsPerSecond * 1e6 + (model.traffic_usd_per_million_events ?? 0);
  }

  return { settingNames, presentSettings, demands, byDemand, transferTime, idealEventTime, costPerMillion };
})();
if (typeof module !== "undefined") module.exports = saturnPlannerSystem;
