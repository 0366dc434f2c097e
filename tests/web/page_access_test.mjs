// Pages of shipped scenarios for those who see little, use no mouse, hold a phone, or print.
// Usage: node page_access_test.mjs FOLDER_OF_PAGES
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { allDrawn, cutWords, openPage, withBrowser } from './browser.mjs';

const folder = process.argv[2];
const axe = readFileSync(join(process.env.SATURN_NODE_MODULES, 'axe-core', 'axe.min.js'), 'utf8');
const desk = { width: 1280, height: 900 };
const phones = [{ width: 390, height: 844 }, { width: 360, height: 780 }];
const mostSheets = 8;

// What axe-core finds serious or critical, with everything unfolded, under each colour scheme.
async function hindersNobody(opened, file, colorSchemes) {
  const { page, requests, said } = opened;
  await page.evaluate(axe);
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme });
    await allDrawn(page);
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
    const found = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target.join(' ')).join('; ')}`);
    assert.deepEqual(found, [], `${file}, ${colorScheme}`);
  }
  assert.deepEqual([requests, said], [[], []], file);
}

// The check can fail: text that is as light as its paper, and a picture without a name.
async function findsWhatIsWrong(browser, file) {
  const { page } = await openPage(browser, file, desk);
  await page.evaluate(() => {
    document.querySelector('.lead').style.color = '#bbbbbb';
    document.querySelector('h1').innerHTML += '<button type="button"></button>';
  });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  const found = violations.map(({ id }) => id);
  assert.ok(found.includes('color-contrast') && found.includes('button-name'), `${found}`);
  await page.context().close();
}

// Every figure with its legend is as wide as the screen, in letters of their own size; tables scroll in their boxes.
async function fitsAPhone(page, file) {
  await allDrawn(page);
  const wide = await page.evaluate(() => [...document.querySelectorAll('.drawing svg, .cell-charts svg')].flatMap((svg) => {
    const [box, drawn] = [svg.getBoundingClientRect(), Number(svg.getAttribute('width'))];
    const name = svg.closest('figure')?.dataset.name ?? svg.parentElement.className;
    const fits = box.left >= 0 && box.right <= window.innerWidth && box.width >= 0.95 * drawn;
    return fits ? [] : [`${name}: ${box.left} to ${box.right}, drawn ${drawn} wide`];
  }));
  assert.deepEqual(wide, [], `${file} at ${page.viewportSize().width}`);
  assert.deepEqual(await cutWords(page), [], `${file} at ${page.viewportSize().width}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth) <= 0);
}

// Whatever acts is reached by the Tab key in its order, and shows that it is.
async function isReachedByKeyboard(page) {
  const wanted = await page.evaluate(() => [...document.querySelectorAll('summary, button, input, select, a[href], [tabindex="0"]')]
    .filter((one) => one.checkVisibility() && !one.disabled).length);
  const seen = new Set();
  for (let i = 0; i < wanted + 5; ++i) {
    await page.keyboard.press('Tab');
    const here = await page.evaluate(() => {
      const one = document.activeElement;
      if (one === document.body) return null;
      one.dataset.tabbed = one.dataset.tabbed ?? String(document.querySelectorAll('[data-tabbed]').length);
      return { key: one.dataset.tabbed, outline: getComputedStyle(one).outlineStyle, what: one.outerHTML.slice(0, 80) };
    });
    if (here === null) break;
    assert.notEqual(here.outline, 'none', `no outline round ${here.what}`);
    seen.add(here.key);
  }
  assert.ok(seen.size >= wanted, `${seen.size} of ${wanted} are reached`);
  const fold = page.locator('details.evidence > summary').first();
  await fold.focus();
  await page.keyboard.press('Enter');
  assert.equal(await fold.evaluate((one) => one.parentElement.open), true);
}

async function isPrinted(page, file) {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g).length;
  assert.ok(sheets >= 1 && sheets <= mostSheets, `${file} takes ${sheets} sheets`);
  assert.equal(await page.evaluate(() => document.querySelectorAll('details[open]').length), 0);
  return sheets;
}

const files = readdirSync(folder).filter((name) => name.endsWith('.html')).map((name) => join(folder, name));
await withBrowser(async (browser) => {
  assert.ok(files.length >= 3, 'three families of scenarios');
  for (const file of files) {
    const opened = async (size, look) => {
      const one = await openPage(browser, file, size);
      await look(one);
      await one.page.context().close();
    };
    // As it comes, folded: on paper first, since the keyboard unfolds.
    await opened(desk, async ({ page }) => {
      console.log(`${file}: ${await isPrinted(page, file)} sheets`);
      await isReachedByKeyboard(page);
    });
    await opened(desk, (one) => hindersNobody(one, file, ['light', 'dark']));
    for (const phone of phones) {
      await opened(phone, async (one) => {
        await fitsAPhone(one.page, file);
        if (phone === phones[0]) await hindersNobody(one, file, ['light']);
      });
    }
  }
  await findsWhatIsWrong(browser, files[0]);
});
