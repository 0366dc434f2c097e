// Opens pages from files in a browser that can reach nothing, and writes down what they try and say.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packages } from './packages.mjs';

const executablePath = '/usr/bin/chromium';
const skipped = 77;

export async function withBrowser(act) {
  if (!existsSync(executablePath)) {
    console.log('skipped: chromium is not there (Debian: apt install chromium)');
    process.exit(skipped);
  }
  const { chromium } = packages('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
  try {
    await act(browser);
  } finally {
    await browser.close();
  }
}

// A page with what it asked for beside its own file, and what it said on the console.
export async function openPage(browser, file, { width = 1280, height = 900, hash = '' } = {}) {
  if (!existsSync(file)) {
    console.log(`skipped: ${file} is not there, since saturn was built without the drawing bundles`);
    process.exit(skipped);
  }
  const context = await browser.newContext({ viewport: { width, height }, offline: true });
  const page = await context.newPage();
  const own = pathToFileURL(resolve(file)).href;
  const requests = [];
  const said = [];
  // An image or a download made of the page's own bytes leaves the machine nowhere.
  const isOwn = (url) => url.split('#')[0] === own || url.startsWith('data:') || url.startsWith(`blob:`);
  page.on('request', (request) => { if (!isOwn(request.url())) requests.push(request.url()); });
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) said.push(message.text()); });
  page.on('pageerror', (error) => said.push(String(error)));
  await context.route('**', (route) => (isOwn(route.request().url()) ? route.continue() : route.abort()));
  await page.goto(own + hash, { timeout: 120000 });
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 120000 });
  return { page, requests, said };
}

// Until every figure and every panel has been drawn, what is folded as well.
export async function allDrawn(page) {
  await page.evaluate(() => document.querySelectorAll('details.evidence').forEach((fold) => { fold.open = true; }));
  await page.waitForFunction(() => Object.keys(window.saturn.views).length >=
    document.querySelectorAll('figure.drawn').length + (window.saturn.planner ? 1 : 0), null, { timeout: 120000 });
  await page.evaluate(() => Promise.all([...Object.values(window.saturn.maps), window.saturn.planner]
    .filter(Boolean).map((one) => one.work)));
}

// Words of figures that reach beyond the drawing, where they are cut.
export function cutWords(page) {
  return page.evaluate(() => [...document.querySelectorAll('.drawing svg, .cell-charts svg')].flatMap((svg) => {
    const [box, name] = [svg.getBoundingClientRect(), svg.closest('figure')?.dataset.name ?? svg.parentElement.className];
    return [...svg.querySelectorAll('text')].filter((text) => {
      const own = text.getBoundingClientRect();
      const seen = own.width > 0 && text.checkVisibility({ opacityProperty: true }) && text.closest('[opacity="0"]') === null;
      return seen && (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1 || own.bottom > box.bottom + 1);
    }).map((text) => `${name}: ${text.textContent}`);
  }));
}
