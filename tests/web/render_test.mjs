// Every sample figure renders without one warning, with the same bytes whatever the order, the language and the time zone;
// figures that are wrong or ask for something outside them are refused by name.
// Usage: node render_test.mjs FIGURES
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { textWidth } from '../../reports/web/text_widths.mjs';
import { folderForDrawing, render } from './bundles.mjs';

const { figures } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const folder = folderForDrawing();
try {
  sameBytesTwice();
  linesBreak();
  textsHaveRoom();
  wrongOnesAreRefused();
  bundlesAreWhole();
} finally {
  rmSync(folder, { recursive: true });
}

function drawn(name, chosen, environment) {
  const out = join(folder, name);
  mkdirSync(out);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ figures: chosen }));
  return { out, ...render(folder, join(folder, `${name}.json`), out, environment) };
}

function sameBytesTwice() {
  const first = drawn('first', figures, { TZ: 'UTC', LC_ALL: 'C' });
  const second = drawn('second', [...figures].reverse(), { TZ: 'Asia/Kolkata', LC_ALL: 'de_DE.UTF-8' });
  for (const { status, stderr } of [first, second]) assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  const names = figures.map(({ name }) => `${name}.svg`).sort();
  assert.deepEqual(readdirSync(first.out).sort(), names);
  for (const name of names) {
    const text = readFileSync(join(first.out, name), 'utf8');
    assert.ok(text.startsWith('<svg '), `${name} is no SVG`);
    assert.equal(text, readFileSync(join(second.out, name), 'utf8'), `${name} differs`);
  }
}

/** Two lines with bands lack the third of five points; none is drawn of the third series, of which all points lack. */
function linesBreak() {
  const { out } = drawn('gaps', figures.filter(({ name }) => name === 'sweep_with_gaps'));
  const text = readFileSync(join(out, 'sweep_with_gaps.svg'), 'utf8');
  for (const mark of ['area', 'line']) {
    const groups = [...text.matchAll(new RegExp(`class="mark-${mark} [^>]*>(.*?)</g>`, 'g'))].map(([, inner]) => inner);
    const pieces = groups.flatMap((group) => [...group.matchAll(/ d="([^"]*)"/g)].map(([, d]) => d.split('M').length - 1));
    assert.deepEqual(pieces.filter((count) => count > 0), [2, 2], `${mark}: ${pieces}`);
  }
}

/** Vega makes room for texts as wide as Helvetica has them (Adobe's metrics of the PDF core fonts, 1/1000 of the size). */
function textsHaveRoom() {
  assert.equal(textWidth('Hello', '1000px Helvetica'), 722 + 556 + 222 + 222 + 556);
  assert.equal(textWidth('Hello', 'bold 1000px Helvetica'), 722 + 556 + 278 + 278 + 611);
  const text = 'A title that is much wider than its figure, and so makes the figure wider';
  const { out } = drawn('wide', [{ name: 'wide', spec: { title: text, data: { values: [{}] }, mark: 'point' } }]);
  const width = Number(/ width="(\d+)"/.exec(readFileSync(join(out, 'wide.svg'), 'utf8'))[1]);
  const left = width - textWidth(text, 'bold 13px sans-serif');
  // Vega's padding is 5 on each side.
  assert.ok(left >= 9 && left <= 12, `${left} px are left beside the title`);
}

function wrongOnesAreRefused() {
  const good = { data: { values: [{ a: 1 }] }, mark: 'point', encoding: { x: { field: 'a', type: 'quantitative' } } };
  const wrong = {
    network: { ...good, data: { url: 'http://127.0.0.1:9/rows.csv' } },
    file: { ...good, data: { url: '/etc/passwd', format: { type: 'csv' } } },
    picture: { ...good, mark: { type: 'image', url: 'http://127.0.0.1:9/a.png' } },
    expression: { ...good, transform: [{ filter: 'datum.(' }] },
    scale: { ...good, data: { values: [{ a: 0 }] }, encoding: { x: { ...good.encoding.x, scale: { type: 'log' } } } },
    mark: { ...good, mark: 'pont' },
    empty: {},
    nothing: null,
  };
  const chosen = [...Object.entries({ ...wrong, good })].map(([name, spec]) => ({ name, spec }));
  const { status, stderr, out } = drawn('wrong', chosen);
  assert.equal(status, 3);
  const named = new Set(stderr.trim().split('\n').map((line) => line.slice(0, line.indexOf(':'))));
  assert.deepEqual([...named].sort(), Object.keys(wrong).sort(), stderr);
  assert.deepEqual(readdirSync(out), ['good.svg']);
}

function bundlesAreWhole() {
  for (const name of ['vega', 'vega-lite', 'vega-embed']) {
    const text = readFileSync(join(folder, `${name}.min.js`), 'utf8');
    assert.ok(text.length > 50000, `${name} is short`);
    assert.ok(!/sourceMappingURL|<\/script|<!--/i.test(text), `${name} would leave or break the page that holds it`);
  }
  const licences = readFileSync(join(folder, 'bundle-licences.txt'), 'utf8');
  for (const owner of ['University of Washington', 'Mike Bostock', 'vega-embed 7', 'fast-json-patch'])
    assert.ok(licences.includes(owner), `the licences lack ${owner}`);
}
