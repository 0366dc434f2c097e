// Writes docs/gallery.md from the reports in the gallery: the order of figures stands in the page, titles and captions in
// the specifications.
// Usage: node scripts/gallery-page.mjs GALLERY_FOLDER FAMILIES_FILE > docs/gallery.md
import fs from 'node:fs';
import path from 'node:path';

const [gallery, families] = process.argv.slice(2);

// Markdown would read these, in a title of a scenario, as its own.
const plain = (text) => text.replace(/[\\`*_[\]<>|]/g, '\\$&');
const oneLine = (text) => [].concat(text).join(' ');

const figuresOf = (name) => {
  const page = fs.readFileSync(path.join(gallery, `${name}.html`), 'utf8');
  const folder = path.join(gallery, `${name}-figures`);
  const names = [...page.matchAll(/<figure id="figure-([\w-]+)"/g)].map((match) => match[1]);
  return names
    .filter((figure) => fs.existsSync(path.join(folder, `${figure}.svg`)))
    .map((figure) => {
      const spec = JSON.parse(fs.readFileSync(path.join(folder, `${figure}.vl.json`), 'utf8'));
      return { figure, title: oneLine(spec.title.text), caption: spec.description ?? '' };
    });
};

const lines = [
  '# Gallery',
  '',
  'One [report](reports.md) for each family of shipped scenarios, one of a sweep and one of a calibration, with all their [figures](figures.md). In',
  '`reports/gallery/` each figure lies as its specification (`.vl.json`, Vega-Lite), the rows that it draws (`.csv`) and a drawing (`.svg`); the reports',
  'are the `.html` files beside them, each one file that opens offline. `scripts/refresh-gallery.sh` writes all of it and this page; the tests compare',
  'specifications and rows byte for byte.',
  '',
];
for (const line of fs.readFileSync(families, 'utf8').split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
  const [name, heading, sentence, commands] = line.split('|');
  lines.push(`## ${heading}`, '', sentence, '', '```', ...commands.split(' ; ').slice(0, -1));
  lines.push(`${commands.split(' ; ').at(-1)} --out ${name}.html --figures svg`, '```', '', `[${name}.html](../reports/gallery/${name}.html)`, '');
  for (const { figure, title, caption } of figuresOf(name)) {
    lines.push(`![${plain(title)}](../reports/gallery/${name}-figures/${figure}.svg)`, '', plain(caption), '');
  }
}
process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
