// The guard of the engine's instructions fails on a number that has risen, and on no other.
// Usage: node instruction_guard_test.mjs SOURCE_FOLDER
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder] = process.argv.slice(2);
const { complaints, perRequest, recordWith } =
  await import(pathToFileURL(join(folder, 'scripts', 'count-instructions.mjs')));

const record = (costs) =>
  Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, { instructions_per_request: cost, reason: 'old' }]));
const recorded = record({ idle: 3000, open: 5000 });

assert.deepEqual(complaints(recorded, { idle: 3059, open: 1000 }), [], 'by 2 % a cost may rise, and fall as it likes');
assert.deepEqual(complaints(recorded, { idle: 3061, open: 5000 }),
                 ['"idle" takes 3061 instructions a request, +2.0 % against 3000']);
assert.deepEqual(complaints(recorded, { idle: 3000, new: 1 }),
                 ['"new" is not recorded', '"open" is recorded and was not counted']);

const instructions = { 7: 1e6, 8: 4e6 };
assert.deepEqual(perRequest(['idle\tshort\t100\t7', 'idle\tlong\t1100\t8'], (number) => instructions[number]), { idle: 3000 });

assert.deepEqual(recordWith(recorded, { idle: 3001, open: 5500.4 }, 'new law'),
                 { idle: { instructions_per_request: 3000, reason: 'old' },
                   open: { instructions_per_request: 5500, reason: 'new law' } });

for (const [name, { instructions_per_request: cost, reason }] of
  Object.entries(JSON.parse(readFileSync(join(folder, 'bench', 'instructions.json'), 'utf8')).systems))
  assert.ok(cost > 100 && reason.length > 10, `${name}: a number and why it is that`);
