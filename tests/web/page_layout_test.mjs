// Nothing sticks out of the page: on a desk, on a phone, on paper. Usage: node page_layout_test.mjs FOLDER_OF_PAGES
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { allDrawn, openPage, withBrowser } from './browser.mjs';

const folder = process.argv[2];
// A4 less the margins of page.css, in CSS pixels.
const paper = { width: 665, height: 980 };
const screens = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const overhang = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

// Text that is cut by its own box cannot be read on paper, where nothing scrolls.
const cutOnPaper = (page) => page.evaluate(() => [...document.querySelectorAll('.drawing, .table-box, .command pre, .cell-charts > div')]
  .filter((box) => box.scrollWidth > document.documentElement.clientWidth).map((box) => box.className));

await withBrowser(async (browser) => {
  for (const name of ['sample.html', 'hostile.html', 'open.html']) {
    for (const [screen, size] of Object.entries(screens)) {
      const { page } = await openPage(browser, join(folder, name), size);
      await allDrawn(page);
      assert.ok(await overhang(page) <= 0, `${name} sticks out on a ${screen}`);
      await page.close();
    }
    const { page } = await openPage(browser, join(folder, name), paper);
    // Printing comes before all figures were drawn by themselves.
    const pdf = await page.pdf({ preferCSSPageSize: true });
    assert.ok(pdf.length > 20000);
    assert.equal(await page.evaluate(() => document.querySelectorAll('figure.drawn').length - document.querySelectorAll('figure.drawn svg').length), 0);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.ok(await overhang(page) <= 0, `${name} sticks out on paper`);
    assert.deepEqual(await cutOnPaper(page), [], `${name} is cut on paper`);
    await page.close();
  }
});
