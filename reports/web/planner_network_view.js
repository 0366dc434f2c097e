"use strict";
// What the panel asks, says and draws where there are several pools, servers or sites.
const saturnPlannerNetworkView = (() => {
  const { shown, time, percent, unitFor, timeUnits, rateUnits } = saturnNumbers;
  const { usd } = saturnPlannerWords;
  const { evaluate, presentSettings } = saturnPlannerNetwork;
  const curveSteps = 60;
  const mostBandwidths = 4;

  const allStreams = (model, set) => model.network.pools.reduce((sum, _, j) => sum + set[`streams_${j}`], 0);

  // Links and uplinks that bind first, by the numbers of their resources.
  function bandwidthsOf(model) {
    const { resources } = model.network;
    return evaluate(model, presentSettings(model)).limits.map(({ name }) => resources.findIndex((one) => one.name === name))
      .filter((r) => resources[r].bandwidth_bytes_per_s !== null).slice(0, mostBandwidths);
  }

  function inputsOf(model) {
    const { pools, servers, links, resources } = model.network;
    const many = model.stream_word === "job" ? "Jobs" : "Streams";
    const used = new Set(pools.flatMap((pool) => pool.stages.flatMap((stage) => (stage.round_trips > 0 ? stage.links : []))));
    const whole = (value, least) => ({ unit: ["", 1], whole: true, most: Math.max(least, 10 * value) });
    return saturnPlannerInputs.ranged([
      ...pools.map(({ name, streams }, j) => ({ name: `streams_${j}`, label: `${many} of ${name}`, ...whole(streams, 1000) })),
      ...servers.map(({ name, site, counted, count }, s) =>
        ({ name: `count_${s}`, label: `${name} at ${site}: ${counted}`, ...whole(count, 32) })),
      ...servers.map(({ name, site, device_usd_per_hour: price }, s) => ({ name: `device_usd_per_hour_${s}`,
        label: `${name} at ${site}: price of a ${model.device_word}`, unit: ["USD/h", 1], span: 10, ifZero: 5, without: price === null })),
      ...links.map(({ name, round_trip_s: trip }, l) => ({ name: `round_trip_s_${l}`, label: `Round trip, ${name}`,
        unit: unitFor(trip, timeUnits), span: 50, ifZero: 0.1, without: !used.has(l) })),
      ...bandwidthsOf(model).map((r) => ({ name: `bandwidth_bytes_per_s_${r}`, label: `Bandwidth, ${resources[r].name}`,
        unit: unitFor(resources[r].bandwidth_bytes_per_s, rateUnits), span: 50 })),
      { name: "core_usd_per_hour", label: "Price of a job's core", unit: ["USD/h", 1], span: 10, ifZero: 0.1,
        without: model.core_usd_per_hour === null },
    ], presentSettings(model));
  }

  // Rows of the table of answers: words, symbol, the value in words, and what CSV and JSON call it.
  function answerRows(model) {
    const { keys } = model;
    const many = `${model.stream_word}s`;
    const { pools } = model.network;
    const ofPools = pools.length < 2 ? [] : pools.map(({ name }, j) =>
      [`Unloaded event of ${name}`, "", (said) => time(said.pools[j].ideal_event_time_s)]);
    return [
      [pools.length < 2 ? "Unloaded event time" : "Unloaded event time, of the mix", "t_ideal", (said) => time(said.ideal_event_time_s), keys.ideal_event_time],
      ...ofPools,
      ["Event time", "R(N)", (said) => time(said.event_time_s), keys.event_time],
      ["Slowdown, a ratio", "R(N)/t_ideal", (said) => shown(said.slowdown), keys.slowdown],
      ["Throughput", "X(N)", (said) => `${shown(said.events_per_s)} /s`, keys.events],
      [`Knee, in ${many} of all pools`, "N*", (said) => shown(said.knee_streams)],
      [`Within ${percent(model.tolerated_slowdown)} of t_ideal, in ${many}`, "", (said) => shown(said.within_streams)],
      ["What binds", "", (said) => said.binds ?? "nothing yet"],
      ["First to bind, then next", "", (said) => said.limits.slice(0, 2).map((one) =>
        `${one.name} at ${shown(one.knee_streams, 3)} ${many}`).join(", then ") || "nothing is contended", keys.binding, keys.next],
      ["Cost of a million events", "", (said) => usd(said.usd_per_million), keys.cost_per_million],
    ];
  }

  function formulaWords() {
    return [
      ["t_ideal of a pool", "its stages one after the other, each with its round trips over the links on its way; an asynchronous one lasts on beside later ones"],
      ["X(N) = max Σ x", "events per second x of each pool, such that no resource is busy more than all the time (Σ x·D ≤ 1) and no pool faster than unloaded (x ≤ N / t_ideal)"],
      ["R(N) = N / X(N)", "mean event time of all pools: no mix of them is faster"],
      ["N* = t_ideal / max D", "with D and t_ideal of the mix that nothing hinders"],
      ["D of a server's devices", "goes inversely with their number; where nodes are counted, so does D of their network cards"],
      ["D of a link", "goes inversely with its bandwidth; a transfer takes its bytes over the least bandwidth on its way"],
      saturnPlannerWords.costFormula("events"),
    ];
  }

  function chartRows(model, present, set, factor) {
    const [now, before] = [evaluate(model, set), evaluate(model, present)];
    const [here, own] = [allStreams(model, set), allStreams(model, present)];
    const most = Math.max(...[2 * before.knee_streams, 2 * now.knee_streams, 1.15 * here, 1.15 * own,
      ...model.simulated.map((point) => 1.05 * point.streams)].filter(Number.isFinite));
    const line = (settings) => saturnPlannerNetwork.curve(model, settings, most, curveSteps).map((point) =>
      ({ streams: point.streams, event_time: point.event_time_s * factor }));
    return saturnPlannerChart.rows({
      now: line(set),
      before: line(present),
      here: { streams: here, event_time: now.event_time_s * factor },
      simulated: model.simulated.map((point) =>
        ({ streams: point.streams, event_time: point.event_time_s * factor, low: point.low_s * factor, high: point.high_s * factor })),
    });
  }

  // The chart's specification, and its rows at a setting.
  function chart(model, present) {
    const [unit, factor] = unitFor(evaluate(model, present).event_time_s, timeUnits);
    const many = `${model.stream_word}s`;
    return {
      spec: saturnPlannerChart.spec(`Event time against ${many} of all pools, by the bound and as simulated`,
        { field: "streams", title: `${many} of all pools, in their mix` }, { field: "event_time", title: `event time [${unit}]` },
        model.simulated.length > 0),
      rows: (set) => chartRows(model, present, set, factor),
    };
  }

  return { evaluate, presentSettings, inputsOf, answerRows, formulaWords, chart };
})();
