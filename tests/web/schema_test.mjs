// Every template and every sample figure is valid by Vega-Lite's own JSON schema, which knows every property; figures with
// a wrong one are not.
// Usage: node schema_test.mjs FIGURES TEMPLATES   (a file as render.mjs takes it, a folder of *.vl.json)
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { packages } from './packages.mjs';

const Ajv = packages('ajv').default;
const ajv = new Ajv({ allErrors: false, strict: false });
// The schema's two formats that JSON Schema does not have.
ajv.addFormat('color-hex', /^#([0-9a-f]{3}|[0-9a-f]{6})$/i);
ajv.addFormat('uri-reference', true);
ajv.addFormat('uri', true);
const schema = join(process.env.SATURN_NODE_MODULES, 'vega-lite', 'build', 'vega-lite-schema.json');
const valid = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));

/** Each branch of the schema complains; those that went deepest into the figure know best. */
function complaints() {
  const depth = (error) => error.instancePath.split('/').length;
  const deepest = Math.max(...valid.errors.map(depth));
  const said = valid.errors.filter((error) => depth(error) === deepest && error.keyword !== 'anyOf');
  return [...new Set(said.map((one) => `${one.instancePath || '/'} ${one.message} ${JSON.stringify(one.params)}`))];
}

const [samples, folder] = process.argv.slice(2);
const { figures } = JSON.parse(readFileSync(samples, 'utf8'));
assert.ok(figures.length > 0, 'no figure was checked');
const templates = readdirSync(folder)
  .filter((name) => name.endsWith('.vl.json'))
  .map((name) => ({ name, spec: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
const wrong = [...templates, ...figures].flatMap(({ name, spec }) =>
  valid(spec) ? [] : [`${name}:\n  ${complaints().slice(0, 10).join('\n  ')}`],
);
assert.equal(wrong.join('\n'), '');

// The check can fail.
const simple = { data: { name: 'rows' }, mark: 'point', encoding: { x: { field: 'a', type: 'nominal' } } };
assert.ok(valid(simple));
for (const change of [
  { unknown: 1 },
  { mark: 'pont' },
  { encoding: { x: { feild: 'a', type: 'nominal' } } },
  { encoding: { x: { field: 'a', type: 'number' } } },
  { title: { text: 1 } },
  { config: { axis: { labelFontSzie: 3 } } },
]) {
  assert.ok(!valid({ ...simple, ...change }), `${JSON.stringify(change)} is wrong, and passes`);
}
console.log(`${templates.length} templates and ${figures.length} figures are valid`);
