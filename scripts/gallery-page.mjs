// A page in Markdown that shows figures: titles and captions stand in their specifications.
// Usage: node scripts/gallery-page.mjs GALLERY_FOLDER FAMILIES_FILE    of a gallery, the figures in the order of its reports
//        node scripts/gallery-page.mjs --docs FOLDER                   docs/gallery.md
import fs from 'node:fs';
import path from 'node:path';

const [gallery, families] = process.argv.slice(2);

// Markdown would read these, in a title of a scenario, as its own.
const plain = (text) => text.replace(/[\\`*_[\]<>|]/g, '\\$&');
const oneLine = (text) => [].concat(text).join(' ');

const shown = (folder, link, figure) => {
  const spec = JSON.parse(fs.readFileSync(path.join(folder, `${figure}.vl.json`), 'utf8'));
  return [`![${plain(oneLine(spec.title.text))}](${link}/${figure}.svg)`, '', plain(spec.description ?? ''), ''];
};

const lines = ['# Gallery', ''];
if (gallery === '--docs') {
  lines.push(
    'A dozen [figures](figures.md) of the [reports](reports.md) of `protodune-big-batch` and of a sweep over it. Each lies in `docs/figures/` as its',
    'specification (`.vl.json`, Vega-Lite), the rows that it draws (`.csv`) and a drawing (`.svg`). The reports of all families of shipped scenarios are',
    'written by `scripts/write-gallery.sh FOLDER`.',
    '',
  );
  const figures = fs.readdirSync(families).filter((name) => name.endsWith('.vl.json')).map((name) => name.slice(0, -'.vl.json'.length));
  for (const figure of figures.sort()) lines.push(...shown(families, 'figures', figure));
} else {
  for (const line of fs.readFileSync(families, 'utf8').split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [name, heading, sentence, commands] = line.split('|');
    const page = fs.readFileSync(path.join(gallery, `${name}.html`), 'utf8');
    const folder = path.join(gallery, `${name}-figures`);
    lines.push(`## ${heading}`, '', sentence, '', '```', ...commands.split(' ; ').slice(0, -1));
    lines.push(`${commands.split(' ; ').at(-1)} --out ${name}.html --figures svg`, '```', '', `[${name}.html](${name}.html)`, '');
    for (const [, figure] of page.matchAll(/<figure id="figure-([\w-]+)"/g))
      if (fs.existsSync(path.join(folder, `${figure}.svg`))) lines.push(...shown(folder, `${name}-figures`, figure));
  }
}
process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
