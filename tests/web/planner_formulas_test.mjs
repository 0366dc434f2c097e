// The page's formulas against those of models/bounds.hpp. Usage: node planner_formulas_test.mjs PLANNER_JS PAGE REFERENCE
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [, , script, page, reference] = process.argv;
const planner = createRequire(import.meta.url)(script);
const block = readFileSync(page, 'utf8').match(/id="planner-data">(.*?)<\/script>/s)[1];
const model = JSON.parse(block);
const cases = JSON.parse(readFileSync(reference, 'utf8'));

function near(actual, expected, what) {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${what}: ${actual}, expected ${expected}`);
}

assert.ok(cases.length >= 9);
for (const { settings, expected, binds, limits } of cases) {
  const said = planner.evaluate(model, settings);
  for (const [name, value] of Object.entries(expected)) near(said[name], value, `${name} at ${JSON.stringify(settings)}`);
  assert.equal(said.binds, binds);
  assert.deepEqual(said.limits.map((one) => one.name), limits.map((one) => one.name));
  limits.forEach((limit, i) => {
    for (const name of ['demand_s', 'knee_clients', 'use']) near(said.limits[i][name], limit[name], `${limit.name} ${name}`);
  });
  // The curve is the same formula: at its knee it still has the ideal event time.
  const curve = planner.curve(model, settings, 2 * said.knee_per_device, 10);
  assert.equal(curve.length, 11);
  near(curve.at(-1).event_time_s, 2 * expected.ideal_event_time_s, 'event time at twice the knee');
  near(Math.min(...curve.map((point) => point.event_time_s)), expected.ideal_event_time_s, 'least event time');
}

// What is not there has no price and no limit.
const bare = { ...model, resources: [], device_usd_per_hour: null, core_usd_per_hour: null, other_usd_per_hour: 0 };
const alone = planner.evaluate(bare, planner.presentSettings(bare));
assert.equal(alone.knee_clients, Infinity);
assert.equal(alone.binds, null);
assert.equal(alone.usd_per_million, null);
near(alone.events_per_s, 268 / alone.ideal_event_time_s, 'throughput where nothing is contended');
console.log(`${cases.length} settings agree`);
