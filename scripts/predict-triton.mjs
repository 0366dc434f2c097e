// Predicts every row of measured Triton servers from their offline rows and at most three named loaded rows, by one procedure,
// and scores all other rows. The mathematics is saturn's own: `calibrate --fit --structure --judge` finds structure and numbers,
// `validate` compares.
// Usage: node scripts/predict-triton.mjs [--write] [--offline] [--saturn PROGRAM] [CASE.json ...]
//   CASE.json   a case in the schema saturn-measured/1 about the scenario triton-perf-analyzer, with offline rows and the limits
//               of its server, and when its release forms batches, in "set" (docs/models/validation.md); without one, all of calibration/data/triton_*.json
//   --write     puts what was found into the cases: set, calibration, and which rows were used
//   --offline   no loaded row: the structure by the backend that the title names, no number fitted, and an interval that is to
//               hold 90 % of the rows, from the errors of the other cases
//   --saturn    default build/release/sim/cli/saturn
// The procedure, the same for each case:
//   1. The law T(b) is the offline rows: the server's compute times where it told them, else the latency of the lone client; a time
//      below that of a smaller batch is raised to it.
//   2. Three rows are named: those nearest to 24, to 72 and to the most clients; where at most 16 were there, to 2, half the most and the most.
//   3. Each structure that the backend can have is fitted to time and network part of the three: the way there and back, the handling
//      of a request by the host, a factor of the law, and what the structure adds (a time per batch, a host part, or a time per request); where the rows cannot tell the way there and back from the rest, it is none. Queue and compute, which are not fitted, tell structures
//      apart: the one with the least root mean square of all numbers of the three rows is taken.
//   4. How much batches scatter round the law is fitted to the 95th percentiles of the three, with all else held.
// One instance has nothing to share: its law stands, no loaded row is used, and all are scored.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const law = '/models/model/service/gpu';
const fields = {
  travel: '/network/links/0/rtt', request: '/servers/0/host/per_request', speed: `${law}/speed`, batch: '/devices/gpu/contention_per_batch',
  host: `${law}/host/per_batch`, joining: `${law}/per_request`,
};
const scatter = `${law}/scatter`;
/** Settings that hold fields at nothing. */
const without = (...names) => names.map((name) => `${fields[name]}=0 s`);
const one = '/models/model/execution=one_per_device';
const alone = 'one instance';

/** The backend that the title names first. */
const backendOf = (measured) => /\((ONNX|TensorRT|PyTorch|TensorFlow)/.exec(measured.title)?.[1] ?? 'unknown';

/**
 * Structures that a backend with two instances or more can have, with what each sets; a field that is set is not fitted. TensorRT's
 * own backend issues all instances of a device from one thread unless it is told otherwise, which copies the requests of a batch
 * one by one, and engines are built for certain sizes; an engine in ONNX Runtime is launched at once, and frameworks launch from the
 * host, kernel by kernel. When batches are formed is a matter of the server's release, which the case has in "set".
 */
export function structuresOf(measured) {
  if (measured.set['/models/model/instances'] === 1) return { [alone]: without('travel', 'batch', 'host', 'joining') };
  const alternating = without('host', 'joining');
  if (backendOf(measured) === 'ONNX') return { alternating };
  if (backendOf(measured) === 'TensorRT') {
    const sizes = measured.offline.map((row) => row.batch).filter((batch) => Number.isInteger(Math.log2(batch)));
    return { alternating, 'one a device, padded': [one, `${law}/padded_to=${JSON.stringify(sizes)}`, ...without('batch', 'host')] };
  }
  // Where the host launches while the other instance computes, it does so more than once a batch.
  return { alternating, 'alternating, host parts overlap': [...without('batch', 'joining'), `${law}/turns=2`] };
}

/**
 * The structure that the backend has by itself, and what it costs where nothing was measured under load: TensorRT's copies take some 0.1 ms a
 * request, and two instances of ONNX Runtime cost each other some 0.3 of the time of a lone item a batch, which is launching.
 */
export function structureByBackend(measured) {
  if (measured.set['/models/model/instances'] === 1) return { name: alone, costs: [] };
  const backend = backendOf(measured);
  if (backend === 'TensorRT') return { name: 'one a device, padded', costs: [[fields.joining, '0.1 ms']] };
  if (backend !== 'ONNX') return { name: 'alternating', costs: [] };
  const launching = 0.3 * Number.parseFloat(lawOf(measured.offline)[0].time);
  return { name: 'alternating', costs: [[fields.batch, `${Number(launching.toPrecision(4))} ms`]] };
}

/**
 * Points of the law by the offline rows. A batch that takes longer than so many smaller ones as do its items, by a fifth or more, is a size
 * for itself (`saturn check` names it): up to one item less the line through the two sizes below goes on.
 */
export function lawOf(offline) {
  const points = [];
  let least = 0;
  for (const { batch, measured: row } of offline) {
    const told = 'compute_infer_s' in row;
    const time = told ? row.compute_input_s + row.compute_infer_s + row.compute_output_s : row.latency_mean_s;
    least = Math.max(least, time);
    const [before, last] = points.slice(-2);
    if (last && before && batch - 1 > last.items && least > 1.2 * 2 ** Math.ceil(Math.log2(batch / last.items)) * last.time) {
      const slope = (last.time - before.time) / (last.items - before.items);
      points.push({ items: batch - 1, time: last.time + slope * (batch - 1 - last.items) });
    }
    points.push({ items: batch, time: least });
  }
  return points.map(({ items, time }) => ({ items, time: `${Number((time * 1e3).toPrecision(7))} ms` }));
}

const clients = (row) => row.set['/jobs/0/count'];

/** Names of the three rows: two that numbers are fitted to, and between them the one that chooses. */
export function namedRows(rows) {
  const most = Math.max(...rows.map(clients));
  const wanted = most <= 16 ? [2, most / 2, most] : [24, 72, most];
  const distance = (row, number) => Math.abs(Math.log(clients(row) / number));
  return wanted.map((number) => rows.reduce((best, row) => (distance(row, number) < distance(best, number) ? row : best)).point);
}

function fail(text) {
  console.error(text);
  process.exit(1);
}

/** An answer, or what saturn complains of. */
function tried(saturn, ...words) {
  const done = spawnSync(saturn, [...words, '--format', 'json', '--quiet'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  // 3: an error has left the band of its case, which is a result.
  return done.status === 0 || done.status === 3 ? JSON.parse(done.stdout) : { complaint: (done.stderr || String(done.error)).trim().replace(/\s+/g, ' ') };
}

function ask(saturn, ...words) {
  const answer = tried(saturn, ...words);
  if (answer.complaint) fail(`saturn ${words.join(' ')}\n${answer.complaint}`);
  return answer;
}

/** Settings without those of an earlier fit. */
function serverOf(measured) {
  const kept = Object.entries(measured.set).filter(([pointer]) => !pointer.startsWith(law) && !Object.values(fields).includes(pointer)
    && pointer !== '/models/model/execution');
  return {
    ...Object.fromEntries(kept),
    [`${law}/points`]: lawOf(measured.offline), [`${law}/host`]: { per_batch: '0 s' }, [fields.joining]: '0.1 ms',
  };
}

const splitSetting = (text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
const parsed = (text) => (/^[[{]|^-?[\d.]+(e-?\d+)?$/.test(text) ? JSON.parse(text) : text);
const rounded = (text) => text.replace(/^[\d.]+(e-?\d+)?/, (number) => String(Number(Number(number).toPrecision(4))));

/** The scatter of a case that is complete but for it, as a setting; none where the rows do not tell it. */
function scatterOf(saturn, complete, points, path) {
  writeFileSync(path, JSON.stringify({ ...complete, set: { ...complete.set, [scatter]: 0.1 } }));
  const answer = tried(saturn, 'calibrate', path, '--fit', `${scatter}=0:2`, '--points', points.join(', '), '--quantities', 'p95', '--set', '/run/min_replications=2');
  if (answer.complaint && !answer.complaint.includes('fit.not_identified')) fail(`${complete.id}: ${answer.complaint}`);
  const setting = answer.complaint ? '0' : rounded(answer.fitted[0].setting);
  console.error(`  ${complete.id}: scatter ${setting}`);
  return Number(setting) > 0 ? [[scatter, setting]] : [];
}

/** Finds structure and numbers of a case. */
function fitted(saturn, measured, folder) {
  const path = join(folder, `${measured.id}.json`);
  const unused = measured.rows.map(({ used, ...row }) => row);
  const server = { ...measured, set: serverOf(measured), rows: unused };
  const points = namedRows(measured.rows);
  const structures = structuresOf(measured);
  const names = Object.keys(structures);
  if (names[0] === alone) return { chosen: alone, rows: [], server: server.set, settings: structures[alone].map(splitSetting) };
  // A host part is contained in the time of the smallest batch; the others are wide.
  const longest = Number.parseFloat(server.set[`${law}/points`][0].time) * 0.9;
  const ranges = { [fields.host]: `0 ms:${longest} ms`, [fields.travel]: '0 ms:10 ms', [fields.joining]: '0 ms:3 ms' };
  const ranged = Object.values(fields).map((field) => (ranges[field] ? `${field}=${ranges[field]}` : field));
  const fit = (name, replications, start, fixed = []) => {
    const settings = [...structures[name], ...fixed];
    const begun = Object.fromEntries(start.map(({ pointer, setting }) => [pointer, parsed(setting)]));
    writeFileSync(path, JSON.stringify({ ...server, set: { ...server.set, ...begun } }));
    const answer = tried(saturn, 'calibrate', path, '--fit', ranged.join(','), '--points', points.join(', '),
      '--set', `/run/min_replications=${replications}`, '--structure', `${name}: ${settings.join('; ')}`);
    // What the rows do not tell from the rest is none.
    if (answer.complaint?.includes('fit.not_identified') && fixed.length === 0) return fit(name, replications, start, without('travel'));
    const error = answer.residuals === undefined ? Infinity : Math.hypot(...answer.residuals.map((one) => one.residual)) / Math.sqrt(answer.residuals.length);
    console.error(`  ${measured.id}: ${name}: ${answer.complaint ?? `${percent(error)}, ${answer.fitted.map((one) => rounded(one.setting)).join(', ')}`}`);
    return { name, error, answer, settings };
  };
  const chosen = names.map((name) => fit(name, 1, [])).reduce((least, one) => (one.error < least.error ? one : least));
  if (chosen.error === Infinity) fail(`${measured.id}: no structure could be fitted:\n${chosen.answer.complaint}`);
  // One replication is enough to tell structures apart; numbers need less noise.
  const finer = fit(chosen.name, 2, chosen.answer.fitted.filter(({ setting }) => Number.parseFloat(setting) > 0));
  const best = finer.error < Infinity ? finer : chosen;
  const settings = [...best.settings.map(splitSetting), ...best.answer.fitted.map(({ pointer, setting }) => [pointer, rounded(setting)])];
  const found = { chosen: best.name, rows: points, server: server.set, settings };
  return { ...found, settings: [...settings, ...scatterOf(saturn, { ...withFound(measured, found), rows: unused }, points, path)] };
}

/** The case with what was found, as its file says it. */
function withFound(measured, found) {
  const set = { ...found.server, ...Object.fromEntries(found.settings.map(([pointer, text]) => [pointer, parsed(text)])) };
  // A host part of nothing is none.
  delete set[`${law}/host`];
  if (set[fields.host] !== undefined) {
    if (!/^0 s$/.test(set[fields.host])) set[`${law}/host`] = { per_batch: set[fields.host] };
    delete set[fields.host];
  }
  for (const field of [fields.batch, fields.joining]) if (set[field] === '0 s') delete set[field];
  const rows = measured.rows.map(({ used, ...row }) => (found.rows.includes(row.point) ? { ...row, used: 'calibration' } : row));
  const how = found.chosen === alone ? 'one instance, and no loaded row is used'
    : `structure "${found.chosen}" and its numbers, and the scatter by their 95th percentiles, from the rows with ${found.rows.slice(0, 2).join(', ')} and ${found.rows[2]}`;
  const calibration = `T(b) from the offline rows. By "node scripts/predict-triton.mjs --write calibration/data/${measured.id}.json": ${how}. `
    + 'The scatter of the input handling, 10 %, is a choice.';
  return { ...measured, set, calibration, rows };
}

const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;

/** A quantile of numbers as they come. */
function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

const quantities = { items_per_s: 'rate', latency_mean_s: 'mean', latency_p95_s: 'p95', queue_s: 'queue', compute_s: 'compute' };

/** A row of the table of scores: medians of absolute errors, and how many rows have the rate within 15 %. */
function scoreLine(name, comparisons) {
  const errors = Object.keys(quantities).map((quantity) => comparisons.filter((one) => one.quantity === quantity && one.scored).map((one) => Math.abs(one.error)));
  const within = errors[0].filter((error) => error <= 0.15).length / errors[0].length;
  const medians = errors.map((list) => (list.length > 0 ? percent(quantile(list, 0.5)) : '–'));
  return `| ${name} | ${errors[0].length} | ${medians[0]} | ${percent(within, 0)} | ${medians.slice(1).join(' | ')} |`;
}

/** The case in a layout that a person reads: a row a line. */
export function caseText(measured) {
  const line = (value) => JSON.stringify(value).replace(/":/g, '": ').replace(/,(["{])/g, ', $1');
  const block = (open, close, lines) => `${open}\n${lines.map((one) => `    ${one}`).join(',\n')}\n  ${close}`;
  const members = Object.entries(measured).map(([key, value]) => {
    if (Array.isArray(value)) return `  "${key}": ${block('[', ']', value.map(line))}`;
    if (typeof value === 'object') return `  "${key}": ${block('{', '}', Object.entries(value).map(([name, one]) => `"${name}": ${line(one)}`))}`;
    return `  "${key}": ${JSON.stringify(value)}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}

/** Predictions of every row by the offline rows, by case: the backend's structure, and the lone client's own transfer as input handling, without a way there and back. */
function predictedOffline(saturn, measured, folder) {
  const { name, costs } = structureByBackend(measured);
  const transfer = measured.offline[0].measured.transfer_s;
  const handled = transfer > 0 ? [[fields.request, `${transfer} s`]] : [];
  const settings = [...[...structuresOf(measured)[name], ...without('travel')].map(splitSetting), ...costs, ...handled];
  const path = join(folder, `${measured.id}.json`);
  writeFileSync(path, caseText(withFound(measured, { chosen: name, rows: [], server: serverOf(measured), settings })));
  return { measured, name, comparisons: ask(saturn, 'validate', path).comparisons };
}

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const squares = (numbers) => numbers.reduce((sum, one) => sum + (one - mean(numbers)) ** 2, 0);

/** 95 % quantile of Student's t with so many degrees of freedom, more than two; by Cornish and Fisher's expansion, right to 1 %. */
function studentQuantile(freedom) {
  const z = 1.6449;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

/**
 * The interval that holds 90 % of the ratios measured / predicted of a server that is not among these. What servers have in common, their
 * structure and host, is drawn once a server, so that a server is one observation, however many rows it has: the variance between the means
 * of their logarithms, with the error of the mean of all, and the variance within them; Student's t with a degree less than servers.
 */
export function expectedRatios(servers) {
  const logarithms = servers.map((ratios) => ratios.map(Math.log));
  const means = logarithms.map(mean);
  const between = squares(means) / (means.length - 1);
  const within = mean(logarithms.map((ratios) => squares(ratios) / ratios.length));
  const half = studentQuantile(means.length - 1) * Math.sqrt(between * (1 + 1 / means.length) + within);
  return [Math.exp(mean(means) - half), Math.exp(mean(means) + half)];
}

/** Prints every row of every case with the interval that the other cases give. */
function sayOffline(predicted) {
  const ratio = (one) => one.measured / one.simulated.mean;
  const rates = predicted.map(({ comparisons }) => comparisons.filter((one) => one.quantity === 'items_per_s'));
  console.log('| row | items/s | predicted | interval | held |\n|---|---:|---:|---:|---|');
  const number = (value) => String(Number(value.toPrecision(3)));
  const held = rates.map((rows, i) => {
    const [low, high] = expectedRatios(rates.filter((_, other) => other !== i).map((others) => others.map(ratio)));
    return rows.map((one) => {
      const inside = ratio(one) >= low && ratio(one) <= high;
      const predictedRate = one.simulated.mean;
      console.log(`| ${predicted[i].measured.id}, ${one.point} | ${number(one.measured)} | ${number(predictedRate)} | ${number(low * predictedRate)} to ${number(high * predictedRate)} | ${inside ? 'yes' : 'no'} |`);
      return inside;
    });
  });
  console.log(`\n| case | rows | rate, median error | within 15 % | ${Object.values(quantities).slice(1).join(' | ')} | held | structure by backend |\n|---|---:|---:|---:|${'---:|'.repeat(5)}---|`);
  const share = (list) => percent(list.filter(Boolean).length / list.length, 0);
  for (const [i, { measured, name, comparisons }] of predicted.entries()) console.log(`${scoreLine(measured.id, comparisons)} ${share(held[i])} | ${name} |`);
  console.log(`${scoreLine('all', predicted.flatMap((one) => one.comparisons))} ${share(held.flat())} | |`);
  const [low, high] = expectedRatios(rates.map((rows) => rows.map(ratio)));
  console.log(`\nOf a server of one's own, 90 % of the rates are expected between ${low.toFixed(2)} and ${high.toFixed(2)} times the predicted one.`);
}

function readOptions(words) {
  const options = { saturn: join(root, 'build', 'release', 'sim', 'cli', 'saturn'), write: false, offline: false, files: [] };
  while (words.length > 0) {
    const word = words.shift();
    if (word === '--write' || word === '--offline') options[word.slice(2)] = true;
    else if (word === '--saturn' && words.length > 0) options.saturn = resolve(words.shift());
    else if (word.startsWith('-')) fail(`predict-triton.mjs: ${word} is no option; there are --write, --offline and --saturn PROGRAM.`);
    else options.files.push(word);
  }
  if (options.write && options.offline) fail('predict-triton.mjs: --offline fits nothing that --write could put into a case.');
  if (options.files.length === 0) {
    const data = join(root, 'calibration', 'data');
    options.files = readdirSync(data).filter((name) => name.startsWith('triton_')).sort().map((name) => join(data, name));
  }
  return options;
}

function main(words) {
  const options = readOptions(words);
  const folder = mkdtempSync(join(tmpdir(), 'predict-triton-'));
  try {
    const cases = options.files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
    if (options.offline) return sayOffline(cases.map((measured) => predictedOffline(options.saturn, measured, folder)));
    const all = [];
    console.log(`| case | rows | rate, median error | within 15 % | ${Object.values(quantities).slice(1).join(' | ')} | structure |`);
    console.log(`|---|---:|---:|---:|${'---:|'.repeat(4)}---|`);
    for (const [i, measured] of cases.entries()) {
      const found = fitted(options.saturn, measured, folder);
      const complete = withFound(measured, found);
      const path = join(folder, 'complete.json');
      writeFileSync(path, caseText(complete));
      const { comparisons } = ask(options.saturn, 'validate', path);
      const scored = comparisons.filter((one) => !found.rows.includes(one.point));
      console.log(`${scoreLine(measured.id, scored)} ${found.chosen} |`);
      all.push(...scored);
      if (options.write) writeFileSync(options.files[i], caseText(complete));
    }
    console.log(`${scoreLine('all', all)} |`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
