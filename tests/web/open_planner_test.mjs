// Where events arrive from outside, a slider of the planner changes what the formulas say is lost. The system is that of
// tests/page/page_samples.cpp: 3 events/s, each of which takes 1.771 s on one of 4 GPUs, for 600 streams.
// Usage: node open_planner_test.mjs FOLDER_OF_PAGES
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { allDrawn, openPage, withBrowser } from './browser.mjs';
import { plannerState, settle } from './planner_state.mjs';

const file = join(process.argv[2], 'open.html');
// CPU, GPU, 32 round trips, 507.76 MB at 0.25 GB/s, the rest.
const idealTime = 117 + 1.771 + 32 * 0.0118 + 507.76 / 250 + 0.5;
const percent = (share) => `${Number((100 * share).toPrecision(3))} %`;
const perSecond = (rate, digits = 4) => `${Number(rate.toPrecision(digits))} /s`;

// What four GPUs serve is lost above 4/1.771 = 2.259 events/s; 3 events/s keep 5.313 GPUs busy, so that 6 are needed.
async function presentValues(page) {
  const state = await plannerState(page);
  const expected = {
    'Unloaded event time': `${Number(idealTime.toPrecision(4))} s`,
    'Most that can be served': perSecond(4 / 1.771),
    'Served': perSecond(4 / 1.771),
    'Lost, at least': percent(1 - 4 / 5.313),
    'GPUs needed': '6',
    'What binds': 'gke/t4',
    'First to bind, then next': `gke/t4 at 2.26 /s, then streams at ${perSecond(600 / idealTime, 3)}`,
    // Four GPUs at 0.35, 600 cores at 0.03 and 0.4 USD/h for the rest.
    'Cost of a million served events': `${Math.round((4 * 0.35 + 600 * 0.03 + 0.4) / 3600 / (4 / 1.771) * 1e6).toLocaleString('en')} USD`,
  };
  for (const [words, value] of Object.entries(expected)) assert.deepEqual(state.answers[words], [value, value], words);
  const shown = Object.values(state.keys).flatMap((names) => names.split(', ')).filter((name) => name !== '');
  assert.deepEqual(shown.sort(), Object.values(state.model.keys).sort());
  const simulated = state.rows.filter((row) => row.kind === 'simulated');
  assert.deepEqual(simulated.map((row) => [row.devices, ...[row.lost, row.low, row.high].map((lost) => Number(lost.toPrecision(12)))]),
    [[5, 8, 7, 9], [6, 1.2, 1, 1.4], [7, 0, 0, 0]]);
  return state;
}

function chartAt(state, gpus) {
  const [here] = state.rows.filter((row) => row.kind === 'here');
  assert.equal(here.devices, gpus);
  const lines = state.rows.filter((row) => row.kind === 'line');
  for (const series of ['as set', 'present values']) assert.ok(lines.filter((row) => row.series === series).length > 100);
  return here.lost;
}

async function enoughGpus(page, before) {
  assert.ok(Math.abs(chartAt(before, 4) - 100 * (1 - 4 / 5.313)) < 1e-9);
  await page.fill('#planner-devices', '7');
  await settle(page);
  const after = await plannerState(page);
  assert.deepEqual(after.answers['Most that can be served'], [perSecond(7 / 1.771), perSecond(4 / 1.771)]);
  assert.deepEqual(after.answers['Served'][0], '3 /s');
  assert.deepEqual(after.answers['Lost, at least'], ['0 %', percent(1 - 4 / 5.313)]);
  assert.deepEqual(after.answers['What binds'], ['nothing yet', 'gke/t4']);
  assert.equal(after.use['gke/t4'], percent(5.313 / 7));
  assert.equal(after.use['streams'], percent(3 * idealTime / 600));
  assert.equal(chartAt(after, 7), 0);
  assert.equal(after.hash, '#planner?devices=7');
}

// With a key, as on the panel of jobs: more events arrive than 600 streams can hold, whatever the GPUs do.
async function moreEvents(page, before) {
  await page.click('button.reset');
  await settle(page);
  const reset = await plannerState(page);
  assert.deepEqual([reset.set, reset.rows, reset.hash], [before.set, before.rows, '#planner']);
  await page.locator('[data-setting="arrivals_per_s"]').focus();
  for (let i = 0; i < 3; ++i) await page.keyboard.press('PageUp');
  await settle(page);
  const after = await plannerState(page);
  // A thousand steps from a twentieth of the present rate to twenty times of it; a key moves a tenth of them.
  const arrivals = Number((3 * 20 ** (2 * 0.3)).toPrecision(3));
  assert.equal(after.set.arrivals_per_s, arrivals);
  assert.notDeepEqual(after.drawn, before.drawn);
  assert.equal(after.answers['Lost, at least'][0], percent(1 - 4 / 1.771 / arrivals));
  assert.deepEqual(after.answers['GPUs needed'], [`no number: streams at ${perSecond(600 / idealTime, 3)}`, '6']);
}

async function refusesNoEvents(page) {
  await page.fill('#planner-arrivals_per_s', '0');
  assert.equal(await page.getAttribute('#planner-arrivals_per_s', 'aria-invalid'), 'true');
}

async function addressKeepsSetting(browser) {
  const { page, said } = await openPage(browser, file, { hash: '#planner?arrivals_per_s=1.5&devices=3' });
  await allDrawn(page);
  const { set, answers } = await plannerState(page);
  assert.deepEqual([set.arrivals_per_s, set.devices], [1.5, 3]);
  assert.equal(answers['GPUs needed'][0], '3');
  assert.deepEqual(said, []);
}

await withBrowser(async (browser) => {
  const { page, requests, said } = await openPage(browser, file);
  await allDrawn(page);
  const before = await presentValues(page);
  await enoughGpus(page, before);
  await moreEvents(page, before);
  await refusesNoEvents(page);
  assert.deepEqual([requests, said], [[], []]);
  await addressKeepsSetting(browser);
});
