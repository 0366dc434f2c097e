// Pages ask for nothing, complain about nothing, are soon ready, and nothing in their texts acts.
// Usage: node page_is_silent_test.mjs FOLDER_OF_PAGES
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allDrawn, openPage, withBrowser } from './browser.mjs';

const folder = process.argv[2];
const hostileWords = '</script><script>window.pwned=1</script>"\'&<!--<img src=x onerror=window.pwned=2>\uFFFD';

async function isSilent(browser, name) {
  const { page, requests, said } = await openPage(browser, join(folder, name));
  await allDrawn(page);
  assert.deepEqual(requests, [], `${name} asks for something`);
  assert.deepEqual(said, [], `${name} complains`);
  return page;
}

// What the page itself takes: the time of its thread, since other work on the machine must not decide.
async function isReadySoon(browser) {
  const { page } = await openPage(browser, join(folder, 'sample.html'));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 60000 });
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find((one) => one.name === 'TaskDuration').value;
  const clock = await page.evaluate(() => performance.getEntriesByName('saturn-ready')[0].startTime);
  console.log(`ready after ${seconds.toFixed(2)} s of work, ${(clock / 1000).toFixed(2)} s by the clock`);
  assert.ok(seconds > 0.05 && seconds < 2, `ready after ${seconds} s of work`);
}

async function showsHostileWords(browser) {
  const page = await isSilent(browser, 'hostile.html');
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.title(), hostileWords);
  assert.equal(await page.textContent('h1'), hostileWords);
  assert.equal(await page.locator('img').count(), 0);
  const choice = await page.evaluate(() => window.saturn.maps.heat_map.data.x.title);
  assert.equal(choice, hostileWords);
  await page.locator('[data-setting="streams"]').fill('900');
  assert.equal(await page.evaluate(() => window.pwned), undefined);
}

async function givesItsRows(browser) {
  const { page } = await openPage(browser, join(folder, 'sample.html'));
  const [download] = await Promise.all([page.waitForEvent('download'),
    page.locator('#figure-event_time .downloads button', { hasText: 'rows (CSV)' }).click()]);
  assert.equal(download.suggestedFilename(), 'event_time.csv');
  const lines = readFileSync(await download.path(), 'utf8').split('\n');
  assert.equal(lines[0], 'series,streams_per_gpu,event_time_s');
  assert.equal(lines[1], 'bound,10,122');
  assert.equal(lines.length, 14);
}

async function worksWithoutBundles(browser) {
  const { page, requests, said } = await openPage(browser, join(folder, 'undrawn.html'));
  assert.deepEqual([requests, said], [[], []]);
  assert.match(await page.textContent('#figure-event_time .cannot'), /without the drawing bundles/);
  assert.match(await page.textContent('.linked .cell-words'), /jobs per GPU: 63\.67/);
  await page.locator('[data-setting="streams"]').fill('1000');
  assert.match(await page.textContent('.planner-answers'), /gke\/t4/);
}

await withBrowser(async (browser) => {
  await isSilent(browser, 'sample.html');
  await isSilent(browser, 'wide.html');
  await isSilent(browser, 'open.html');
  await isSilent(browser, 'unsimulated.html');
  await showsHostileWords(browser);
  await givesItsRows(browser);
  await worksWithoutBundles(browser);
  await isReadySoon(browser);
});
