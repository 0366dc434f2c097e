// The played second shows what the trace says at every moment, by mouse, keys and time, and moves only when it is asked to.
// Usage: node trace_player_test.mjs FOLDER_OF_SCRIPTS PAGE
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { allDrawn, openPage, withBrowser } from './browser.mjs';

const [, , scripts, file] = process.argv;
globalThis.saturnNumbers = createRequire(import.meta.url)(join(scripts, 'number_words.js'));
const { stateAt } = createRequire(import.meta.url)(join(scripts, 'trace_player.js'));

// Two batches of one instance that touch, a queue that empties when the second begins.
function momentsOfASmallTrace() {
  const data = {
    length_us: 1000, models: ['tagger', 'tracker'], instances: ['a', 'b'],
    batches: { instance: [0, 0, 1], model: [0, 1, 0], items: [4, 1, 2], begin_us: [0, 100, 500], end_us: [100, 300, 1500] },
    waits: { model: [0, 1, 0], at_us: [0, 50, 100], waiting: [3, 1, 0] },
  };
  const tagger = { model: 'tagger', number: 0 };
  assert.deepEqual(stateAt(data, 25), { running: [{ ...tagger, items: 4, done: 0.25 }, null], waiting: [3, 0] });
  assert.deepEqual(stateAt(data, 100), { running: [{ model: 'tracker', number: 1, items: 1, done: 0 }, null], waiting: [0, 1] });
  assert.deepEqual(stateAt(data, 400), { running: [null, null], waiting: [0, 1] });
  assert.deepEqual(stateAt(data, 1000), { running: [null, { ...tagger, items: 2, done: 0.5 }], waiting: [0, 1] });
}

const shown = (page) => page.evaluate(() => ({
  at: window.saturn.player.at, slider: document.querySelector('#player input').value, said: document.querySelector('#player input').ariaValueText,
  button: document.querySelector('#player button').textContent,
  rows: [...document.querySelectorAll('.player-row')].map((row) => [row.querySelector('.player-name').textContent,
    row.querySelector('.player-words').textContent, parseFloat(row.querySelector('.player-fill').style.width)]),
}));

// What the figure of batches, which is another part of the page, has in its rows at that moment.
function batchesOfFigure(page, moment) {
  return page.evaluate((at) => {
    const { rows } = JSON.parse(document.querySelector('#figure-gantt script.figure-data').textContent);
    const [instance, model, items, begin, end] = rows.columns.map((_, i) => rows.values[i]);
    const word = (column, i) => (Array.isArray(column) ? column[i] : column.words[column.of[i]]);
    const unit = { begin_s: 1e6, begin_ms: 1e3, begin_us: 1 }[rows.columns[3]];
    const last = Math.max(...Array.from({ length: 100 }, (_, i) => word(begin, i) ?? 0)) * unit;
    const found = [];
    for (let i = 0; word(instance, i) !== undefined; ++i)
      if (word(begin, i) * unit < at - 0.5 && at + 0.5 < word(end, i) * unit) found.push([word(instance, i), `${word(model, i)}, ${word(items, i)} `]);
    return { found, last };
  }, moment);
}

async function showsWhatTheTraceSays(page) {
  const data = await page.evaluate(() => window.saturn.player.data);
  const slider = page.locator('#player input');
  let compared = 0;
  for (const step of [0, 1, 137, 500, 731, 1000]) {
    await slider.fill(String(step));
    const at = data.length_us * step / 1000;
    const state = await shown(page);
    assert.equal(state.at, at);
    const { running, waiting } = stateAt(data, at);
    const [queues, instances] = [state.rows.slice(0, waiting.length), state.rows.slice(waiting.length)];
    assert.deepEqual(queues.map(([name, words]) => [name, words]), data.models.map((name, i) => [name, String(waiting[i])]));
    instances.forEach(([name, words, width], i) => {
      assert.equal(name, data.instances[i]);
      assert.equal(words, running[i] === null ? 'idle' : `${running[i].model}, ${running[i].items} ${running[i].items === 1 ? 'item' : 'items'}`);
      assert.ok(Math.abs(width - (running[i] === null ? 0 : 100 * running[i].done)) < 0.01);
    });
    const { found, last } = await batchesOfFigure(page, at);
    for (const [instance, words] of at < last ? found : []) {
      const row = instances.find(([name]) => name.endsWith(instance));
      if (row === undefined) continue;
      assert.ok(row[1].startsWith(words), `${row} at ${at} us, and ${words} in the figure`);
      ++compared;
    }
  }
  assert.ok(compared > 3, `${compared} batches compared`);
}

async function isPlayedByKeys(page) {
  const slider = page.locator('#player input');
  await slider.fill('0');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  const { at, slider: step, said } = await shown(page);
  assert.deepEqual([at > 0, step], [true, '1']);
  assert.match(said, / ms$/);
  await page.locator('#player button').focus();
  await page.keyboard.press('Space');
  await page.waitForFunction((before) => window.saturn.player.at > before, at);
  assert.equal((await shown(page)).button, 'Pause');
  await page.keyboard.press('Space');
  const paused = await shown(page);
  await page.waitForTimeout(300);
  assert.deepEqual(await shown(page), paused);
  assert.equal(paused.button, 'Play');
  // It stops at its end, and begins anew from there.
  await page.evaluate(() => window.saturn.player.show(window.saturn.player.data.length_us - 1));
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.saturn.player.timer === null);
  assert.equal((await shown(page)).at, await page.evaluate(() => window.saturn.player.data.length_us));
}

async function isCalm(browser) {
  const { page } = await openPage(browser, file, { width: 360, height: 780 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await allDrawn(page);
  await page.waitForTimeout(700);
  assert.equal((await shown(page)).at, 0, 'it plays by itself');
  const fits = await page.evaluate(() => [...document.querySelectorAll('#player *')].every((one) => one.getBoundingClientRect().right <= window.innerWidth));
  assert.ok(fits, 'it sticks out of a phone');
  await page.locator('#player button').click();
  // A calm step comes every half second, however long a busy machine takes to look.
  const seen = new Set();
  const begun = Date.now();
  while (Date.now() - begun < 2000) {
    seen.add((await shown(page)).at);
    await page.waitForTimeout(50);
  }
  const most = (Date.now() - begun) / 500 + 2;
  assert.ok(seen.size >= 2 && seen.size <= most, `${seen.size} moments in ${most} half seconds are no calm`);
}

momentsOfASmallTrace();
await withBrowser(async (browser) => {
  const { page, requests, said } = await openPage(browser, file);
  assert.equal((await shown(page)).at, 0);
  await allDrawn(page);
  assert.equal((await shown(page)).at, 0, 'it plays by itself');
  await showsWhatTheTraceSays(page);
  await isPlayedByKeys(page);
  await isCalm(browser);
  assert.deepEqual([requests, said], [[], []]);
});
