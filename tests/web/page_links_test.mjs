// A click on a heat map's cell changes the curve and the breakdown beside it; a slider changes the planner.
// Usage: node page_links_test.mjs FOLDER_OF_PAGES PLANNER_CLOSED_JS
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { allDrawn, openPage, withBrowser } from './browser.mjs';
import { plannerState, settle } from './planner_state.mjs';

const [, , folder, script] = process.argv;
const planner = createRequire(import.meta.url)(script);
const width = 12;

// What the panel of the map shows: data of its views, and what of them is drawn.
function linkedState(page) {
  return page.evaluate(() => {
    const { cell, views } = window.saturn.maps.heat_map;
    const rows = (name) => (views[name] ? views[name].view.data('rows').map((row) => ({ ...row })) : []);
    const drawn = (name) => document.querySelector(`.cell-${name}`).innerHTML.match(/ d="[^"]*"/g);
    return { cell, curve: rows('curve').map((row) => [row.x, row.y, row.low, row.high]),
      breakdown: rows('breakdown').map((row) => [row.part, row.time]), words: document.querySelector('.cell-words').textContent,
      framed: window.saturn.views.heat_map.data('chosen').map((row) => row.cell),
      drawnCurve: drawn('curve'), drawnBreakdown: drawn('breakdown') };
  });
}

// The figures of tests/page/page_samples.cpp, by hand.
function expectedCell(cell) {
  const [x, y] = [cell % width, Math.floor(cell / width)];
  const knee = 20 + 50 / (1 + 0.1 * y) + 2 * x;
  return { knee, send: 4 + y, queue: 2 * (x + 1), end: [2 * knee, 3.6 * knee] };
}

function isCell(state, cell) {
  const expected = expectedCell(cell);
  assert.equal(state.cell, cell);
  assert.deepEqual(state.framed, [cell]);
  const [x, y, low, high] = state.curve.at(-1);
  const near = (actual, value) => assert.ok(Math.abs(actual - value) <= 1e-3 * value, `${actual}, expected ${value}`);
  near(x, expected.end[0]);
  near(y, expected.end[1]);
  near(low, 0.97 * expected.end[1]);
  near(high, 1.03 * expected.end[1]);
  assert.deepEqual(state.breakdown, [['send', expected.send], ['queue', expected.queue], ['compute', 32], ['receive', 1]]);
  assert.ok(state.words.startsWith(`jobs per GPU: ${Number(expected.knee.toPrecision(4))} at items per request ${cell % width}, ` +
    `round-trip time ${Math.floor(cell / width)} ms`), state.words);
}

async function clickCell(page, cell) {
  const mark = await page.evaluateHandle((wanted) => [...document.querySelectorAll('#figure-heat_map svg path')]
    .find((path) => path.__data__ && path.__data__.datum && path.__data__.datum.cell === wanted), cell);
  await mark.asElement().click();
  await page.evaluate(() => window.saturn.maps.heat_map.work);
}

async function mapAnswers(page) {
  const first = await linkedState(page);
  isCell(first, 2 * width + 1);
  await clickCell(page, 5 * width + 7);
  const clicked = await linkedState(page);
  isCell(clicked, 5 * width + 7);
  assert.notDeepEqual(clicked.drawnCurve, first.drawnCurve);
  assert.notDeepEqual(clicked.drawnBreakdown, first.drawnBreakdown);
  // The third point of the clicked cell's curve has no value: band and line are in two pieces.
  const inTwo = ({ drawnCurve }) => drawnCurve.filter((d) => d.split('M').length === 3).length;
  assert.deepEqual([inTwo(first), inTwo(clicked)], [0, 2]);
  const picked = await page.evaluate(() => window.saturn.views.heat_map.signal('picked').cell);
  assert.deepEqual([...picked], [5 * width + 7]);
  await page.locator('.linked select').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.evaluate(() => window.saturn.maps.heat_map.work);
  isCell(await linkedState(page), 5 * width + 8);
  await clickCell(page, 8 * width - 1);
  const missing = await linkedState(page);
  assert.equal(missing.words, 'jobs per GPU: no value at items per request 11, round-trip time 7 ms (the point failed: out of memory)');
  assert.deepEqual([missing.curve, missing.breakdown], [[], []]);
  await clickCell(page, 0);
  isCell(await linkedState(page), 0);
}

async function tooltipHasUnits(page) {
  await page.locator('#figure-event_time svg').scrollIntoViewIfNeeded();
  const mark = await page.evaluateHandle(() => [...document.querySelectorAll('#figure-event_time svg .mark-symbol path')]
    .find((path) => path.__data__.datum.streams_per_gpu === 80));
  await mark.asElement().hover({ force: true });
  await page.waitForSelector('#vg-tooltip-element.visible');
  const words = await page.textContent('#vg-tooltip-element');
  assert.match(words, /jobs per GPU:?\s*80/);
  assert.match(words, /event time \(s\):?\s*14[46]/);
}

async function plannerAnswers(page) {
  const before = await plannerState(page);
  assert.deepEqual(before.answers['Event time'], ['121.7 s', '121.7 s']);
  const { keys } = before.model;
  assert.equal(before.keys['Event time'], keys.event_time);
  assert.equal(before.keys['Slowdown, a ratio'], keys.slowdown);
  assert.equal(before.keys['Whole jobs per GPU'], `${keys.streams_per_gpu}, ${keys.jobs_per_gpu}`);
  assert.equal(before.keys['What binds'], '');
  const shown = Object.values(before.keys).flatMap((names) => names.split(', ')).filter((name) => name !== '');
  assert.deepEqual(shown.sort(), Object.values(keys).sort());
  await page.locator('[data-setting="device_s"]').focus();
  for (let i = 0; i < 3; ++i) await page.keyboard.press('PageUp');
  await settle(page);
  const after = await plannerState(page);
  assert.ok(after.set.device_s > before.set.device_s);
  const said = planner.evaluate(after.model, after.set);
  assert.equal(after.answers['Event time'][0], `${Number(said.event_time_s.toPrecision(4))} s`);
  assert.equal(after.answers['Event time'][1], '121.7 s');
  assert.equal(after.answers['Slowdown, a ratio'][0], String(Number((said.event_time_s / said.ideal_event_time_s).toPrecision(4))));
  assert.equal(after.answers['What binds'][0], 'gke/t4');
  assert.notDeepEqual(after.drawn, before.drawn);
  const line = after.rows.filter((row) => row.kind === 'line' && row.series === 'as set');
  assert.ok(line.length > 50);
  for (const { streams_per_device: perDevice, event_time: time } of line) {
    const expected = Math.max(said.ideal_event_time_s, perDevice * after.set.device_s);
    assert.ok(Math.abs(time - expected) < 1e-9 * expected, `${time} at ${perDevice}, expected ${expected}`);
  }
  const points = (state) => state.rows.filter((row) => row.kind === 'simulated').map((row) => row.event_time);
  assert.deepEqual(points(after), points(before));
  assert.equal(after.hash, `#planner?device_s=${after.set.device_s}`);
  await page.fill('#planner-devices', '-3');
  assert.equal(await page.getAttribute('#planner-devices', 'aria-invalid'), 'true');
  await page.click('button.reset');
  await settle(page);
  const reset = await plannerState(page);
  assert.deepEqual([reset.set, reset.rows, reset.hash], [before.set, before.rows, '#planner']);
}

async function addressKeepsSetting(browser) {
  const hash = '#planner?devices=8&streams=900&cpu_s=nonsense&other_s=1';
  const { page } = await openPage(browser, join(folder, 'sample.html'), { hash });
  await allDrawn(page);
  const { set } = await plannerState(page);
  assert.deepEqual([set.devices, set.streams, set.cpu_s], [8, 900, 117]);
  assert.equal(await page.inputValue('#planner-streams'), '900');
  assert.equal(await page.evaluate(() => document.querySelector('#planner').getBoundingClientRect().top < innerHeight), true);
}

await withBrowser(async (browser) => {
  const { page, requests, said } = await openPage(browser, join(folder, 'sample.html'));
  await allDrawn(page);
  await mapAnswers(page);
  await tooltipHasUnits(page);
  await plannerAnswers(page);
  assert.deepEqual([requests, said], [[], []]);
  await addressKeepsSetting(browser);
});
