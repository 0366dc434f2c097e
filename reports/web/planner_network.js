"use strict";
// The bounds of several pools, servers and sites, the same as in models/queueing/closed_formulas.hpp and best_split.hpp where no call
// has a choice of servers, and the unloaded event as in scenarios/demands/ideal_event.cpp. Pure: no document.
const saturnPlannerNetwork = (() => {
  const eachOf = (name, list, value) => list.map((one, i) => [`${name}_${i}`, value(one)]);

  // One setting each: the streams of a pool; of a server how many there are, and what a device costs; a link's round trip; the
  // bandwidth of a direction of a link or an uplink, by the number of its resource.
  function presentSettings(model) {
    const { pools, servers, links, resources } = model.network;
    return Object.fromEntries([
      ...eachOf("streams", pools, (pool) => pool.streams),
      ...eachOf("count", servers, (server) => server.count),
      ...eachOf("device_usd_per_hour", servers, (server) => server.device_usd_per_hour),
      ...eachOf("round_trip_s", links, (link) => link.round_trip_s),
      ...eachOf("bandwidth_bytes_per_s", resources, (one) => one.bandwidth_bytes_per_s).filter(([, value]) => value !== null),
      ["core_usd_per_hour", model.core_usd_per_hour],
    ]);
  }

  // Stages follow one another; an asynchronous one lasts on while later ones run, up to one that needs it or the end.
  function idealEventTime(pool, set) {
    const ends = pool.stages.map(() => 0);
    let now = 0;
    pool.stages.forEach((stage, s) => {
      for (const needed of stage.needs) now = Math.max(now, ends[needed]);
      const trip = stage.links.reduce((sum, link) => sum + set[`round_trip_s_${link}`], 0);
      const transfers = stage.transfers.reduce((sum, { bytes, cap_bytes_per_s: cap, resources }) =>
        sum + bytes / Math.min(cap ?? Infinity, ...resources.map((r) => set[`bandwidth_bytes_per_s_${r}`])), 0);
      const duration = stage.fixed_s + stage.round_trips * trip + transfers;
      if (stage.asynchronous) {
        ends[s] = now + duration;
        now += stage.sending_s;
      } else {
        now += duration;
      }
    });
    return Math.max(now, ...ends);
  }

  // D of each pool at each resource: more of a server divides what its own resources have to do, and so does a wider link.
  function demands(model, set) {
    const { pools, servers, resources } = model.network;
    const more = resources.map(({ server, bandwidth_bytes_per_s: bandwidth }, r) =>
      (server === null ? 1 : set[`count_${server}`] / servers[server].count) *
      (bandwidth === null ? 1 : set[`bandwidth_bytes_per_s_${r}`] / bandwidth));
    return pools.map((pool) => pool.demands_s.map((demand, r) => demand / more[r]));
  }

  // The largest Σ worth·x with Σ rows·x <= limits and x >= 0, where no limit is negative: the simplex method, in a table whose last row
  // is the profit and whose last column the limits.
  function mostWorth(worth, rows, limits) {
    const [n, m] = [worth.length, rows.length];
    const table = rows.map((row, i) => [...row, ...rows.map((_, k) => (k === i ? 1 : 0)), limits[i]]);
    const profit = [...worth.map((one) => -one), ...rows.map(() => 0), 0];
    const basis = rows.map((_, i) => n + i);
    const least = 1e-12 * Math.max(...worth);
    // By Bland's rule no basis comes twice.
    for (let entering = 0; ; ) {
      entering = profit.findIndex((value, i) => i < n + m && value < -least);
      if (entering < 0) break;
      let leaving = -1;
      for (let i = 0; i < m; ++i) {
        if (!(table[i][entering] > 0)) continue;
        const better = leaving < 0 ? -1
          : table[i][n + m] / table[i][entering] - table[leaving][n + m] / table[leaving][entering];
        if (better < 0 || (better === 0 && basis[i] < basis[leaving])) leaving = i;
      }
      if (leaving < 0) return { worth: Infinity, amounts: worth.map(() => Infinity) };
      const pivot = table[leaving][entering];
      table[leaving] = table[leaving].map((value) => value / pivot);
      const take = (row) => {
        const factor = row[entering];
        if (factor !== 0) for (let k = 0; k < row.length; ++k) row[k] -= factor * table[leaving][k];
      };
      table.forEach((row, i) => { if (i !== leaving) take(row); });
      take(profit);
      basis[leaving] = entering;
    }
    const amounts = worth.map((_, i) => (basis.includes(i) ? table[basis.indexOf(i)][n + m] : 0));
    return { worth: worth.reduce((sum, one, i) => sum + one * amounts[i], 0), amounts };
  }

  // Rates of events, no resource busy more than all the time and no pool faster than unloaded. Rows are scaled to limits of 1.
  function mostEvents(demand, most, worth) {
    const rows = most.map((_, j) => most.map((__, k) => (k === j ? 1 : 0)));
    const scaled = demand[0].map((_, r) => demand.map((one, j) => one[r] * most[j])).filter((row) => row.some((one) => one > 0));
    const found = mostWorth(worth.map((one, j) => one * most[j]), [...rows, ...scaled], [...rows, ...scaled].map(() => 1));
    return { worth: found.worth, rates: found.amounts.map((one, j) => one * most[j]) };
  }

  const sum = (list) => list.reduce((sofar, one) => sofar + one, 0);

  function system(model, set) {
    const { pools } = model.network;
    const streams = pools.map((_, j) => set[`streams_${j}`]);
    const ideal = pools.map((pool) => idealEventTime(pool, set));
    return { streams, ideal, demand: demands(model, set), most: streams.map((count, j) => count / ideal[j]) };
  }

  // Largest number of streams, in the pools' mix, of which the bounds let events be longer by the slowdown at most.
  function streamsWithin({ streams, ideal, demand, most }, slowdown) {
    const all = sum(streams);
    const worth = ideal.map((time) => (1 + slowdown) * time);
    const fits = (times) => mostEvents(demand, most.map((one) => one * times), worth).worth >= all * times * (1 - 1e-12);
    let [good, bad] = [0, 1];
    for (; fits(bad); bad *= 2) {
      if (bad > 1e12) return Infinity;
      good = bad;
    }
    while (bad - good > 1e-13 * bad) {
      const middle = good + (bad - good) / 2;
      if (middle <= good || middle >= bad) break;
      if (fits(middle)) good = middle;
      else bad = middle;
    }
    return bad * all;
  }

  function usdPerMillion(model, set, { streams, most }, eventsPerSecond) {
    const { pools, servers } = model.network;
    const prices = servers.map((_, s) => set[`device_usd_per_hour_${s}`]);
    if (prices.some((price) => price === null)) return null;
    const rent = sum(servers.map((server, s) => set[`count_${s}`] * (server.devices_each * prices[s] + server.node_usd_per_hour))) +
      sum(streams) * (set.core_usd_per_hour ?? 0) + model.other_usd_per_hour;
    const traffic = sum(pools.map((pool, j) => most[j] * pool.traffic_usd_per_event)) / sum(most);
    return (rent / 3600 / eventsPerSecond + traffic) * 1e6;
  }

  function evaluate(model, set) {
    const here = system(model, set);
    const all = sum(here.streams);
    const ideal = all / sum(here.most);
    const { rates } = mostEvents(here.demand, here.most, here.most.map(() => 1));
    const rate = sum(rates);
    const limits = model.network.resources.map(({ name }, r) => ({
      name,
      demand_s: sum(here.most.map((most, j) => most * here.demand[j][r])) / sum(here.most),
      use: Math.min(1, sum(rates.map((one, j) => one * here.demand[j][r]))),
    })).filter((one) => one.demand_s > 0).sort((a, b) => b.demand_s - a.demand_s)
      .map((one) => ({ ...one, knee_streams: ideal / one.demand_s }));
    const full = limits.filter((one) => one.use > 1 - 1e-9);
    return {
      ideal_event_time_s: ideal,
      event_time_s: all / rate,
      slowdown: all / rate / ideal,
      events_per_s: rate,
      knee_streams: limits.length > 0 ? limits[0].knee_streams : Infinity,
      within_streams: streamsWithin(here, model.tolerated_slowdown),
      binds: all / rate > ideal * (1 + 1e-9) ? full.map((one) => one.name).join(", ") : null,
      limits,
      pools: model.network.pools.map(({ name }, j) => ({ name, ideal_event_time_s: here.ideal[j] })),
      usd_per_million: usdPerMillion(model, set, here, rate),
    };
  }

  // Event time against all streams, the pools in their mix.
  function curve(model, set, mostStreams, steps) {
    const { streams, demand, most } = system(model, set);
    const all = sum(streams);
    return Array.from({ length: steps }, (_, i) => {
      const count = mostStreams * (i + 1) / steps;
      const rate = mostEvents(demand, most.map((one) => one * count / all), most.map(() => 1)).worth;
      return { streams: count, event_time_s: count / rate };
    });
  }

  return { presentSettings, idealEventTime, mostWorth, evaluate, curve };
})();
if (typeof module !== "undefined") module.exports = saturnPlannerNetwork;
