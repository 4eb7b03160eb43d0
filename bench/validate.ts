/**
 * What `pv validate` costs: `node scripts/run.mjs bench/validate.ts`.
 *
 * 150 contracts: the public ones of ../shared/data when they are there, else our own under new names. Processor time
 * (user and system) of several interleaved runs, the smallest and the median, because other work on the machine only
 * adds, to every row alike. The baseline, in the same rounds, only parses the same files: with places by the package
 * `yaml`, without places by `js-yaml`. Another build of pv is measured in the same rounds when its folder is named:
 * `bench/validate.ts 12 OTHER/dist`.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeManyContracts } from '../test/support/many-contracts.ts';

const rounds = Number(process.argv[2] ?? 10);
const count = 150;
const shared = ['../shared/data/contracts-albor', '../shared/data/contracts-provable-contracts'];
const scratch = await mkdtemp(join(tmpdir(), 'pv-bench-validate-'));
const contracts = join(scratch, 'contracts');

/** The public contracts, some of them twice under new names and with ids of their own. */
async function writePublicContracts(): Promise<void> {
  const found: { readonly folder: string; readonly name: string }[] = [];
  for (const folder of shared)
    for (const name of await readdir(folder)) if (name.endsWith('.yaml')) found.push({ folder, name });
  await mkdir(contracts);
  for (let i = 0; i < count; i++) {
    const file = found[i % found.length];
    if (!file) throw new Error(`no contract under ${shared.join(' or ')}`);
    const copy = Math.floor(i / found.length);
    const text = await readFile(join(file.folder, file.name), 'utf8');
    const ids = /\b([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d{3})\b/g;
    const path = join(contracts, copy === 0 ? file.name : file.name.replace('.yaml', `-copy-${copy}.yaml`));
    await writeFile(path, copy === 0 ? text : text.replaceAll(ids, `C${copy}-$1`));
  }
}

const parseOnly = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { parseDocument } from ${JSON.stringify(resolve('node_modules/yaml/browser/index.js'))};
  for (const name of readdirSync('contracts')) {
    parseDocument(readFileSync('contracts/' + name, 'utf8')).toJS();
  }`;

const loadOnly = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { load } from ${JSON.stringify(resolve('node_modules/js-yaml/dist/js-yaml.mjs'))};
  for (const name of readdirSync('contracts')) load(readFileSync('contracts/' + name, 'utf8'));`;

/** Milliseconds of processor time of one run of node in the scratch folder. */
function processorMs(args: readonly string[]): number {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" > out.txt 2> err.txt';
  const command = ['-c', script, 'bash', process.execPath, ...args];
  const ran = spawnSync('bash', command, { cwd: scratch, encoding: 'utf8' });
  const [user = NaN, system = NaN] = ran.stderr.trim().split(/\s+/).map(Number);
  if ((ran.status !== 0 && ran.status !== 1) || Number.isNaN(user + system))
    throw new Error(`node ${args.join(' ')} exited with ${String(ran.status)}: ${ran.stderr}`);
  return (user + system) * 1000;
}

const bin = resolve('dist/cli/bin.js');
const other = process.argv[3];
const cases: readonly (readonly [name: string, ...args: readonly string[]])[] = [
  ['node -e 0', '-e', '0'],
  ['pv --help', bin, '--help'],
  [`pv validate, ${count} contracts`, bin, 'validate', 'contracts'],
  [`pv validate --no-types, ${count}`, bin, 'validate', '--no-types', 'contracts'],
  ...(other === undefined
    ? []
    : [[`the other build, ${count}`, resolve(other, 'cli/bin.js'), 'validate', 'contracts'] as const]),
  [`parse of the package yaml, ${count}`, '--input-type=module', '-e', parseOnly],
  [`js-yaml, no places, ${count}`, '--input-type=module', '-e', loadOnly],
];

try {
  if (shared.every((folder) => existsSync(folder))) await writePublicContracts();
  else {
    console.log('../shared/data/contracts-* absent: measuring copies of our own contracts');
    await writeManyContracts('contracts', contracts, count);
  }
  const taken = cases.map((): number[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [i, [, ...args]] of cases.entries()) {
      const ms = processorMs(args);
      // The first round fills the cache of the file system.
      if (round > 0) taken[i]?.push(ms);
    }
  const smallest = taken.map((times) => Math.min(...times));
  const medians = taken.map((times) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN);
  console.log(`processor time of ${rounds} rounds: the smallest and the median, each also in runs of bare node`);
  for (const [i, [name]] of cases.entries()) {
    const [least = NaN, median = NaN] = [smallest[i], medians[i]];
    const ratios = [least / (smallest[0] ?? NaN), median / (medians[0] ?? NaN)].map((ratio) => `${ratio.toFixed(1)}×`);
    const times = [least, median].map((ms) => `${ms.toFixed(0).padStart(5)} ms`);
    console.log(`${name.padEnd(32)} ${times.join('')}   ${ratios.join(', ')}`);
  }
} finally {
  await rm(scratch, { recursive: true });
}
