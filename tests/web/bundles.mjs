// A folder with render.mjs and the bundles, as `saturn report` makes one for drawing.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'reports', 'web');

export function folderForDrawing() {
  const folder = mkdtempSync(join(tmpdir(), 'saturn-web-test-'));
  const packed = spawnSync(process.execPath, [
    join(web, 'packing', 'pack.mjs'),
    dirname(process.env.SATURN_NODE_MODULES),
    folder,
  ]);
  if (packed.status !== 0) throw new Error(`pack.mjs: ${packed.stderr}`);
  for (const name of readdirSync(web).filter((one) => one.endsWith('.mjs'))) copyFileSync(join(web, name), join(folder, name));
  return folder;
}

/** @returns {status, stderr} of one call of render.mjs */
export function render(folder, figures, out, environment = {}) {
  const ended = spawnSync(process.execPath, [join(folder, 'render.mjs'), figures, out], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: 60000,
  });
  return { status: ended.status, stderr: ended.stderr };
}
