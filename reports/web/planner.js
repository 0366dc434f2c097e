"use strict";
// The closed formulas of the planner panel, the same as in models/bounds.hpp for one pool of jobs. Pure: no document.
const saturnPlanner = (() => {
  const settingNames = ["cpu_s", "device_s", "round_trip_s", "bandwidth_bytes_per_s", "clients", "devices",
    "device_usd_per_hour", "core_usd_per_hour"];

  function presentSettings(model) {
    return Object.fromEntries(settingNames.map((name) => [name, model[name]]));
  }

  // What has no part in the present demand cannot scale it.
  const ratio = (now, before) => (before > 0 ? now / before : 1);

  // D_r of each resource with other settings.
  function demands(model, set) {
    return model.resources.map((resource) => {
      let demand = resource.demand_s;
      if (resource.follows === "device") demand *= ratio(set.device_s, model.device_s) / ratio(set.devices, model.devices);
      if (resource.follows === "bandwidth") demand /= ratio(set.bandwidth_bytes_per_s, model.bandwidth_bytes_per_s);
      return { name: resource.name, demand_s: demand };
    });
  }

  function transferTime(model, set) {
    return model.transferred_bytes > 0 ? model.transferred_bytes / set.bandwidth_bytes_per_s : 0;
  }

  // t_ideal = t_CPU + t_GPU + k·RTT + S/B + the rest.
  function idealEventTime(model, set) {
    return set.cpu_s + set.device_s + model.round_trips * set.round_trip_s + transferTime(model, set) + model.other_s;
  }

  // R(N) = max(t_ideal, N·max D_r).
  function eventTime(idealTime, mostDemand, clients) {
    return Math.max(idealTime, clients * mostDemand);
  }

  function costPerMillion(model, set, eventsPerSecond) {
    const prices = [set.device_usd_per_hour, set.core_usd_per_hour];
    if (prices.every((price) => price === null) && !(model.other_usd_per_hour > 0)) return null;
    const usdPerHour = set.devices * (set.device_usd_per_hour ?? 0) + set.clients * (set.core_usd_per_hour ?? 0) +
      model.other_usd_per_hour;
    return usdPerHour / 3600 / eventsPerSecond * 1e6 + (model.traffic_usd_per_million_events ?? 0);
  }

  function evaluate(model, set) {
    const ideal = idealEventTime(model, set);
    const limits = demands(model, set).filter((one) => one.demand_s > 0)
      .map((one) => ({ ...one, knee_clients: ideal / one.demand_s }))
      .sort((a, b) => b.demand_s - a.demand_s);
    const most = limits.length > 0 ? limits[0].demand_s : 0;
    const time = eventTime(ideal, most, set.clients);
    const rate = set.clients / time;
    const knee = most > 0 ? ideal / most : Infinity;
    return {
      ideal_event_time_s: ideal,
      event_time_s: time,
      slowdown: time / ideal,
      events_per_s: rate,
      most_demand_s: most,
      knee_clients: knee,
      knee_per_device: knee / set.devices,
      // Within the tolerated slowdown a little more is served than at the knee itself.
      clients_within: knee * (1 + model.tolerated_slowdown),
      binds: set.clients * most > ideal && limits.length > 0 ? limits[0].name : null,
      limits: limits.map((one) => ({ ...one, use: Math.min(1, rate * one.demand_s) })),
      usd_per_million: costPerMillion(model, set, rate),
    };
  }

  // Event time against clients per device; the knee is one of the points, so that the corner is sharp.
  function curve(model, set, mostPerDevice, steps) {
    const ideal = idealEventTime(model, set);
    const most = demands(model, set).reduce((sofar, one) => Math.max(sofar, one.demand_s), 0);
    const knee = most > 0 ? ideal / most / set.devices : Infinity;
    const places = Array.from({ length: steps }, (_, i) => mostPerDevice * (i + 1) / steps);
    if (knee < mostPerDevice) places.push(knee);
    return places.sort((a, b) => a - b).map((perDevice) => ({
      clients_per_device: perDevice,
      event_time_s: eventTime(ideal, most, perDevice * set.devices),
    }));
  }

  return { settingNames, presentSettings, demands, transferTime, idealEventTime, evaluate, curve };
})();
if (typeof module !== "undefined") module.exports = saturnPlanner;
