// What a simulated request costs the engine, in instructions: a guard that the noise of a machine cannot move. Counts the
// systems of saturn-count under valgrind and fails where one has become dearer by more than 2 % than bench/instructions.json
// says, or where the two name other systems.
// Usage: node scripts/count-instructions.mjs [--record REASON] [PROGRAM]   (default: build/release/bench/saturn-count)
//   --record REASON  writes what was counted into the file, with the reason for what has changed by more than 0.1 %
// Numbers are those of a compiler's code at -O3, a C library and the instructions that a processor offers it. They stand in
// the file; elsewhere what is counted is printed, and not compared. Takes half a minute.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'bench', 'instructions.json');
const tolerated = 0.02;
const noticed = 0.001;

/** What the numbers depend on beside the program: "g++ 12.2.0, glibc 2.36, avx2 bmi2 erms fma". */
function machine() {
  const first = (command, ...options) => spawnSync(command, options, { encoding: 'utf8' }).stdout?.trim().split('\n')[0] ?? '';
  const offered = new Set(/^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1].trim().split(' '));
  const used = ['avx2', 'bmi2', 'erms', 'fma'].filter((flag) => offered.has(flag));
  return `g++ ${first('g++', '-dumpfullversion')}, glibc ${first('getconf', 'GNU_LIBC_VERSION').split(' ').pop()}, ${used.join(' ')}`;
}

const percent = (share) => `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)} %`;

/** Instructions a request by system, of the lines that saturn-count prints and the instructions of each process. */
export function perRequest(lines, instructionsOf) {
  const runs = {};
  for (const line of lines) {
    const [name, length, requests, process] = line.split('\t');
    (runs[name] ??= {})[length] = { requests: Number(requests), instructions: instructionsOf(process) };
  }
  const costs = Object.entries(runs).map(([name, { short, long }]) => [
    name, (long.instructions - short.instructions) / (long.requests - short.requests)]);
  return Object.fromEntries(costs);
}

/** Sentences about what is dearer than recorded, or not recorded, or no longer counted; none where all is well. */
export function complaints(recorded, counted) {
  const found = [];
  for (const [name, now] of Object.entries(counted)) {
    if (!(name in recorded)) {
      found.push(`"${name}" is not recorded`);
      continue;
    }
    const before = recorded[name].instructions_per_request;
    if (now > before * (1 + tolerated))
      found.push(`"${name}" takes ${now.toFixed(0)} instructions a request, ${percent(now / before - 1)} against ${before}`);
  }
  for (const name of Object.keys(recorded))
    if (!(name in counted)) found.push(`"${name}" is recorded and was not counted`);
  return found;
}

/** The record with what was counted: a reason stays where its number does. */
export function recordWith(recorded, counted, reason) {
  return Object.fromEntries(Object.entries(counted).map(([name, now]) => {
    const before = recorded[name];
    const same = before && Math.abs(now / before.instructions_per_request - 1) <= noticed;
    return [name, same ? before : { instructions_per_request: Math.round(now), reason }];
  }));
}

function count(program) {
  const folder = mkdtempSync(join(tmpdir(), 'saturn-count-'));
  try {
    const valgrind = spawnSync('valgrind', ['--tool=cachegrind', '--cache-sim=no',
      `--cachegrind-out-file=${join(folder, '%p')}`, program], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (valgrind.error) throw new Error(`valgrind does not run: ${valgrind.error.message} (Debian: apt install valgrind)`);
    if (valgrind.status !== 0) throw new Error(`${program} failed under valgrind:\n${valgrind.stderr}`);
    const instructionsOf = (process) => Number(/^summary: (\d+)/m.exec(readFileSync(join(folder, process), 'utf8'))[1]);
    return perRequest(valgrind.stdout.trim().split('\n'), instructionsOf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function main(options) {
  let reason = null;
  if (options[0] === '--record') {
    reason = options[1];
    options = options.slice(2);
  }
  if (reason === undefined || reason === '' || options.length > 1 || options[0]?.startsWith('-')) {
    console.error('usage: node scripts/count-instructions.mjs [--record REASON] [PROGRAM]');
    return 64;
  }
  const { machine: there, systems: recorded } = JSON.parse(readFileSync(file, 'utf8'));
  const here = machine();
  const counted = count(resolve(options[0] ?? join(root, 'build/release/bench/saturn-count')));
  for (const [name, now] of Object.entries(counted)) {
    const before = recorded[name]?.instructions_per_request;
    console.log(`${name.padEnd(28)} ${now.toFixed(0).padStart(7)} instructions a request` +
                (before ? `, ${percent(now / before - 1)}` : ''));
  }
  if (reason !== null) {
    writeFileSync(file, `${JSON.stringify({ machine: here, systems: recordWith(recorded, counted, reason) }, null, 2)}\n`);
    return 0;
  }
  if (here !== there) {
    console.log(`NOT COMPARED: recorded with ${there}; this is ${here}`);
    return 0;
  }
  const found = complaints(recorded, counted);
  for (const one of found) console.error(one);
  if (found.length > 0)
    console.error('where that is meant: node scripts/count-instructions.mjs --record "why a request costs more"');
  return found.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2));
