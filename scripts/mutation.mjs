// Changes the source of an area in small ways and runs its tests on each change: node scripts/mutation.mjs AREA… [--sample LINES] [--seed N] [--jobs N]
// A change that no test notices is a survivor: it shows a missing test, or it changes nothing. The latter are declared in
// scripts/equivalent-mutants.json with a reason, and are not counted; a declaration that a test refutes, or that names no mutant, is reported.
// Exits with 1 when less than 90 % of the other mutants of an area die. Messages (string literals) are not changed.
import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { root } from './bundle.mjs';

const wantedShare = 0.9;

/** The files that are changed, and the quick tests that must detect it. Each area decides verdicts or their inputs. */
const areas = {
  evidence: { mutate: ['src/evidence'], tests: ['test/evidence'] },
  audit: {
    mutate: ['src/audit'],
    tests: ['test/audit/!(saboteurs-take-the-place|tolerances-in-force|float64-alone).test.ts'],
  },
  host: {
    mutate: ['src/host'],
    // Runs in separate processes, where Stryker sees no coverage.
    except: ['src/host/inputs/builtins.ts', 'src/host/inputs/observe.ts', 'src/host/parent.ts'],
    tests: ['test/host/**/!(observe).test.ts'],
  },
  data: {
    mutate: ['src/data/judge', 'src/data/diagnose'],
    tests: ['test/data/{judge,diagnose}/!(mends-typed).test.ts'],
  },
  methods: {
    mutate: ['src/methods'],
    // Only whole audits show what catching a wrong kernel means for a verdict.
    tests: [
      'test/methods/**/*.test.ts',
      'test/audit/{weak-contract,semantics}.test.ts',
      'test/plan/{run-bounded,run-bounded-formula,semantics}.test.ts',
    ],
  },
  'bounded-proofs': {
    mutate: ['src/bounded-proofs'],
    // Runs in a process of its own, where Stryker sees no coverage.
    except: ['src/bounded-proofs/engines/smt/z3.worker.ts'],
    tests: ['test/bounded-proofs/**/!(shipped-goals|smt-engine).test.ts'],
  },
  'real-proofs': { mutate: ['src/real-proofs'], tests: ['test/real-proofs/!(rocq|translation).test.ts'] },
  'trace-verdicts': { mutate: ['src/trace/verify'], tests: ['test/trace/verify', 'test/trace/forged.test.ts'] },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.max(1, availableParallelism() - 1)) },
    only: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !(name in areas));
if (unknown.length > 0 || positionals.length === 0) {
  process.stderr.write(`name areas: ${Object.keys(areas).join(', ')}\n`);
  process.exitCode = 2;
} else for (const name of positionals) if (!(await mutateArea(name))) process.exitCode = 1;

/** Whether enough mutants of the area died. */
async function mutateArea(name) {
  const { mutate, except = [], tests } = areas[name];
  const files = (await Promise.all(mutate.map(sourcesOf)))
    .flat()
    .filter((file) => file.includes(values.only ?? '') && !except.includes(file));
  process.env['PV_MUTATION_TESTS'] = tests
    .map((test) => (test.endsWith('.ts') ? test : `${test}/**/*.test.ts`))
    .join(' ');
  process.env['PV_MUTATED_MODULES'] = files.filter((file) => !file.endsWith('.worker.ts')).join(' ');
  const results = await new Stryker({
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    mutate: values.sample === undefined ? files : await sampleOf(files, Number(values.sample), Number(values.seed)),
    mutator: { excludedMutations: ['StringLiteral'] },
    // Stryker silently skips a test file that needs something listed here.
    ignorePatterns: ['dist', 'generated', 'coverage', '.pv'],
    reporters: process.stdout.isTTY ? ['progress'] : [],
    tempDirName: 'node_modules/.cache/mutation',
    concurrency: Number(values.jobs),
    dryRunTimeoutMinutes: 30,
    timeoutMS: 20_000,
  }).runMutationTest();
  return report(name, results);
}

async function sourcesOf(folder) {
  const entries = await readdir(join(root, folder), { recursive: true });
  return entries
    .filter((entry) => entry.endsWith('.ts') && !entry.includes('generated'))
    .map((entry) => `${folder}/${entry}`)
    .toSorted();
}

/** A number of lines of code of the files, drawn uniformly with a seeded generator (xorshift32). */
async function sampleOf(files, size, seed) {
  const lines = [];
  for (const file of files)
    (await readFile(join(root, file), 'utf8')).split('\n').forEach((text, i) => {
      if (/\S/.test(text) && !/^\s*(\/?\*|\/\/|import |export type|}|readonly )/.test(text))
        lines.push(`${file}:${i + 1}-${i + 1}`);
    });
  let state = (seed * 2654435761) >>> 0 || 1;
  const next = (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state % bound;
  };
  for (let i = 0; i < Math.min(size, lines.length); i++) {
    const j = i + next(lines.length - i);
    [lines[i], lines[j]] = [lines[j], lines[i]];
  }
  return lines.slice(0, size);
}

async function report(name, results) {
  const declared = JSON.parse(await readFile(join(root, 'scripts/equivalent-mutants.json'), 'utf8')).filter(
    ({ file }) => results.some((mutant) => relative(mutant) === file),
  );
  const used = new Set();
  const survivors = [];
  let [killed, timedOut] = [0, 0];
  for (const mutant of results) {
    if (mutant.status === 'Ignored' || mutant.status === 'CompileError') continue;
    const entry = declared.find((one) => isDeclared(one, mutant));
    if (entry) used.add(entry);
    const isAlive = mutant.status === 'Survived' || mutant.status === 'NoCoverage';
    if (!isAlive && entry) console.log(`declared equivalent, but a test kills it: ${placeOf(mutant)}`);
    if (!isAlive) killed++;
    if (mutant.status === 'Timeout') timedOut++;
    if (isAlive && !entry) survivors.push(mutant);
  }
  for (const mutant of survivors)
    console.log(`${mutant.status === 'NoCoverage' ? 'not reached' : 'survives'}  ${placeOf(mutant)}`);
  const whole = values.sample === undefined && values.only === undefined;
  if (whole)
    for (const entry of declared.filter((one) => !used.has(one)))
      console.log(`names no mutant: ${entry.file}  ${entry.original} → ${entry.replacement}`);
  const total = killed + survivors.length;
  const share = total === 0 ? 0 : killed / total;
  const files = values.only === undefined ? '' : ` of files named ${values.only}`;
  const scope = values.sample === undefined ? files : `${files} on ${values.sample} lines, seed ${values.seed}`;
  console.log(
    `${name}: ${killed} of ${total} mutants${scope} died (${(100 * share).toFixed(1)} %), ${timedOut} of them by running out of time, ${used.size} declared equivalent`,
  );
  return share >= wantedShare;
}

function relative({ fileName }) {
  return fileName.slice(fileName.indexOf('src/'));
}

function isDeclared({ file, original, replacement }, mutant) {
  return relative(mutant) === file && oneLine(mutant.replacement) === replacement && originalOf(mutant) === original;
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}

function originalOf({ fileName, location: { start, end } }) {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return oneLine(lines.join('\n'));
}

function placeOf(mutant) {
  const { line, column } = mutant.location.start;
  return `${relative(mutant)}:${line}:${column}  ${originalOf(mutant)} → ${oneLine(mutant.replacement)}`;
}
