// The page's formulas against those of models/queueing/closed_formulas.hpp, and where events arrive those of models/queueing/open_capacity.hpp.
// Usage: node planner_formulas_test.mjs FOLDER_OF_SCRIPTS FOLDER_OF_PAGES REFERENCE
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [, , scripts, pages, reference] = process.argv;
const require = createRequire(import.meta.url);
const [system, closed, open, network] = ['system', 'closed', 'open', 'network'].map((name) => require(join(scripts, `planner_${name}.js`)));
const cases = JSON.parse(readFileSync(reference, 'utf8'));

function modelOf(page) {
  return JSON.parse(readFileSync(join(pages, page), 'utf8').match(/id="planner-data">(.*?)<\/script>/s)[1]);
}

function near(actual, expected, what) {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${what}: ${actual}, expected ${expected}`);
}

function allNear(said, expected, settings) {
  for (const [name, value] of Object.entries(expected)) near(said[name], value, `${name} at ${JSON.stringify(settings)}`);
}

function closedFormulasAgree(model) {
  assert.ok(cases.closed.length >= 9);
  for (const { settings, expected, binds, limits } of cases.closed) {
    const said = closed.evaluate(model, settings);
    allNear(said, expected, settings);
    assert.equal(said.binds, binds);
    assert.deepEqual(said.limits.map((one) => one.name), limits.map((one) => one.name));
    limits.forEach((limit, i) => {
      for (const name of ['demand_s', 'knee_streams', 'use']) near(said.limits[i][name], limit[name], `${limit.name} ${name}`);
    });
    // The curve is the same formula: at its knee it still has the unloaded event time.
    const curve = closed.curve(model, settings, 2 * said.knee_per_device, 10);
    assert.equal(curve.length, 11);
    near(curve.at(-1).event_time_s, 2 * expected.ideal_event_time_s, 'event time at twice the knee');
    near(Math.min(...curve.map((point) => point.event_time_s)), expected.ideal_event_time_s, 'least event time');
  }
}

// What is not there has no price and no limit.
function nothingContended(model) {
  const bare = { ...model, resources: [], device_usd_per_hour: null, core_usd_per_hour: null, other_usd_per_hour: 0 };
  const alone = closed.evaluate(bare, system.presentSettings(bare));
  assert.equal(alone.knee_streams, Infinity);
  assert.equal(alone.binds, null);
  assert.equal(alone.usd_per_million, null);
  near(alone.events_per_s, 268 / alone.ideal_event_time_s, 'throughput where nothing is contended');
}

function openFormulasAgree(model) {
  assert.ok(cases.open.length >= 12);
  for (const { settings, expected, lost_share: lost, limit, needed, uses } of cases.open) {
    const said = open.evaluate(model, settings);
    const where = JSON.stringify(settings);
    allNear(said, expected, settings);
    assert.ok(Math.abs(said.lost_share - lost) <= 1e-9, `lost ${said.lost_share}, expected ${lost} at ${where}`);
    assert.equal(said.limits[0].name, limit, where);
    assert.equal(said.binds, lost > 1e-9 ? limit : null, where);
    assert.equal(said.devices_needed, needed.devices, where);
    assert.equal(said.hindered_by?.name ?? null, needed.hindered_by, where);
    if (said.hindered_by !== null) near(said.hindered_by.most_per_s, needed.most_per_s, `what hinders at ${where}`);
    for (const one of said.limits) near(one.use, uses[one.name], `use of ${one.name} at ${where}`);
    assert.equal(said.limits.length, Object.values(uses).filter((use) => use > 0).length);
  }
}

// The curve is the same formula at other numbers of devices, and its corners are among its points.
function openCurveIsTheFormula(model) {
  const set = system.presentSettings(model);
  const curve = open.curve(model, set, 1, 8, 10);
  assert.equal(curve.length, 12);
  // 3 events/s of 1.771 s keep 5.313 devices busy; below, each device serves 1/1.771 events/s.
  assert.ok(curve.some((point) => Math.abs(point.devices - 5.313) < 1e-9));
  for (const { devices, lost_share: lost } of curve)
    assert.ok(Math.abs(lost - Math.max(0, 1 - devices / 5.313)) < 1e-9, `${lost} at ${devices} devices`);
  // With so few streams that they serve less than arrives, some loss stays however many devices there are.
  const short = { ...set, streams: 100 };
  const streams = 100 / open.evaluate(model, short).ideal_event_time_s;
  const rest = open.curve(model, short, 1, 9, 10);
  near(rest.at(-1).lost_share, 1 - streams / 3, 'loss that no device lifts');
  assert.ok(rest.some((point) => Math.abs(point.devices - 1.771 * streams) < 1e-9));
}

function networkFormulasAgree({ scenario, model, cases: settings }) {
  const present = network.presentSettings(model);
  for (const { settings: moved, expected, limits } of settings) {
    for (const name of Object.keys(moved)) assert.ok(name in present, `${scenario} has no slider ${name}`);
    const set = { ...present, ...moved };
    const said = network.evaluate(model, set);
    allNear(said, expected, `${scenario} ${JSON.stringify(moved)}`);
    assert.deepEqual(said.limits.map((one) => one.name).sort(), limits.map((one) => one.name).sort());
    for (const limit of limits) {
      const own = said.limits.find((one) => one.name === limit.name);
      for (const name of ['demand_s', 'knee_streams']) near(own[name], limit[name], `${scenario}: ${limit.name} ${name}`);
      assert.ok(own.use >= 0 && own.use <= 1);
    }
    // What is slower than unloaded is held up by something that is busy all the time.
    assert.equal(said.binds !== null, said.slowdown > 1 + 1e-9);
    // The curve is the same formula at other numbers of streams.
    const streams = Object.keys(set).filter((name) => name.startsWith('streams')).reduce((sum, name) => sum + set[name], 0);
    near(network.curve(model, set, streams, 4).at(-1).event_time_s, expected.event_time_s, 'event time of the curve');
  }
  return settings.length;
}

// Linear programmes with known answers: a corner of two constraints, a degenerate one, one without a limit.
function programmesAreSolved() {
  assert.deepEqual(network.mostWorth([3, 5], [[1, 0], [0, 2], [3, 2]], [4, 12, 18]), { worth: 36, amounts: [2, 6] });
  // Beale's example, on which the simplex method without Bland's rule goes round for ever.
  const beale = network.mostWorth([0.75, -150, 0.02, -6], [[0.25, -60, -0.04, 9], [0.5, -90, -0.02, 3], [0, 0, 1, 0]], [0, 0, 1]);
  near(beale.worth, 0.05, "Beale's example");
  assert.equal(network.mostWorth([1], [[0]], [1]).worth, Infinity);
}

closedFormulasAgree(modelOf('sample.html'));
programmesAreSolved();
const networks = cases.network.map(networkFormulasAgree);
assert.ok(networks.length >= 3);
nothingContended(modelOf('sample.html'));
openFormulasAgree(modelOf('open.html'));
openCurveIsTheFormula(modelOf('open.html'));
console.log(`${cases.closed.length}, ${cases.open.length} and ${networks.join(" + ")} settings agree`);
