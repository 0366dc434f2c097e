// Takes the three bundles out of installed packages, with the licences of all that is inside them.
// Usage: node pack.mjs PACKAGES OUT   (PACKAGES holds package-lock.json and node_modules)
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [packages, out] = process.argv.slice(2);
const bundles = ['vega', 'vega-lite', 'vega-embed'];
// What packages need for their own command lines, and declarations of types, are not inside the bundles.
const notBundled = (name) => ['commander', 'iconv-lite', 'yargs'].includes(name) || name.startsWith('@types/');
const lock = JSON.parse(readFileSync(join(packages, 'package-lock.json'), 'utf8')).packages;

/** Place of a package as another one sees it: its own node_modules first, then those around it. */
function place(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const tried = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[tried]) return tried;
    if (folder === '') throw new Error(`package-lock.json lacks ${name}, which ${from || 'package.json'} needs`);
  }
}

function everythingIn(names, from, seen = new Set()) {
  for (const name of names) {
    const found = place(name, from);
    if (notBundled(name) || seen.has(found)) continue;
    seen.add(found);
    everythingIn(Object.keys(lock[found].dependencies ?? {}), found, seen);
  }
  return seen;
}

function licenceText(folder) {
  const file = readdirSync(join(packages, folder)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${folder} has no licence file`);
  return readFileSync(join(packages, folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
}

/** Packages with the same text stand above one copy of it. */
function licences(folders) {
  const owners = new Map();
  for (const folder of [...folders].sort()) {
    const text = licenceText(folder);
    const name = `${folder.slice(folder.lastIndexOf('node_modules/') + 13)} ${lock[folder].version}`;
    owners.set(text, [...(owners.get(text) ?? []), name]);
  }
  const parts = [...owners].map(([text, names]) => `${[...new Set(names)].join(', ')}\n\n${text}\n`);
  const head = 'Charts are drawn by Vega, Vega-Lite and Vega-Embed. These are the licences of what they contain.';
  return [`${head}\n`, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

for (const name of bundles) {
  const text = readFileSync(join(packages, 'node_modules', name, 'build', `${name}.min.js`), 'utf8');
  // A browser's developer tools would ask for the source map, which is not there.
  writeFileSync(join(out, `${name}.min.js`), text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'));
}
writeFileSync(join(out, 'bundle-licences.txt'), licences(everythingIn(bundles, '')));
