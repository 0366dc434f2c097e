// Draws figures as SVG, without a browser, a canvas or a network: the same bytes for the same figures, whatever machine,
// language or time zone.
// Usage: node render.mjs FIGURES OUT
//   FIGURES  {"figures": [{"name": ..., "spec": {a Vega-Lite specification with its rows inside}}]}
//   OUT      folder that gets NAME.svg
// vega.min.js and vega-lite.min.js lie beside this file. What Vega or Vega-Lite warns of is an error: stderr gets lines
// "NAME: text", and the exit code is 3.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

import { textWidth } from './text_widths.mjs';

process.env.TZ = 'UTC';

/** Vega looks once, while it is loaded, for a canvas to measure texts with. */
function loadBundles(folder) {
  const context = { font: '', measureText: (text) => ({ width: textWidth(String(text), context.font) }) };
  globalThis.document = { createElement: () => ({ getContext: () => context }) };
  for (const bundle of ['vega', 'vega-lite'])
    vm.runInThisContext(readFileSync(join(folder, `${bundle}.min.js`), 'utf8'), { filename: `${bundle}.min.js` });
  delete globalThis.document;
  return { vega: globalThis.vega, vegaLite: globalThis.vegaLite };
}

/** Nothing is loaded: data and pictures have to be inside the specification. */
function refusingLoader(complaints) {
  const refuse = (what) => {
    complaints.push(`asks for ${what}; all that it draws has to be inside it`);
    return Promise.reject(new Error(`${what} is refused`));
  };
  return { load: refuse, sanitize: refuse, http: refuse, file: refuse };
}

function wordsOf(parts) {
  return parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
}

/** Collects what would go to the console. */
function complaintsLogger(vega, complaints) {
  const logger = vega.logger(vega.Warn);
  const collect = (...parts) => {
    complaints.push(wordsOf(parts));
    return logger;
  };
  return Object.assign(logger, { warn: collect, error: collect });
}

async function svgOf({ vega, vegaLite }, spec, complaints) {
  const logger = complaintsLogger(vega, complaints);
  // Numbers in ids and random numbers begin anew, so that a figure does not depend on those before it.
  vega.resetSVGDefIds();
  vegaLite.resetIdCounter();
  vega.setRandom(vega.randomLCG(1));
  const compiled = vegaLite.compile(spec, { logger }).spec;
  const view = new vega.View(vega.parse(compiled), {
    renderer: 'none',
    logger,
    loader: refusingLoader(complaints),
  });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

async function draw(bundles, { name, spec }, out) {
  const complaints = [];
  const { warn, error } = console;
  console.warn = console.error = (...parts) => complaints.push(wordsOf(parts));
  try {
    const svg = await svgOf(bundles, spec, complaints);
    if (complaints.length === 0) writeFileSync(join(out, `${name}.svg`), `${svg}\n`);
  } catch (failure) {
    complaints.push(failure.message);
  } finally {
    Object.assign(console, { warn, error });
  }
  return [...new Set(complaints)].map((text) => `${name}: ${text}`);
}

const [figures, out] = process.argv.slice(2);
const bundles = loadBundles(dirname(fileURLToPath(import.meta.url)));
const complaints = [];
for (const figure of JSON.parse(readFileSync(figures, 'utf8')).figures)
  complaints.push(...(await draw(bundles, figure, out)));
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 3;
}
