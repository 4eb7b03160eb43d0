/**
 * How configs and logs that others wrote are read: `node scripts/run.mjs bench/foreign-data.ts [folder] [--each]`.
 *
 * Per collection: the formats recognised, and what became of every key. `missing` are the names without which
 * training-config-kernel-v1 cannot count the steps, and that neither the file nor its framework's defaults give. Logs are
 * judged by training-stability-v1, with the exit code that `pv check` would give.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elaborateContract } from '../src/contract/elaborate.ts';
import type { ElaboratedContract } from '../src/contract/goal.ts';
import { readContract } from '../src/contract/read.ts';
import { checkData } from '../src/data/judge/check-data.ts';
import { configFormats } from '../src/data/read/registry.ts';
import { isIrrelevant } from '../src/data/read/formats/config-format.ts';
import { readData } from '../src/data/read/read-data.ts';
import { dataReport, holds } from '../src/data/report/data-report.ts';
import { createNodeHost } from '../src/host/node-host.ts';

const host = createNodeHost();
const shared = process.argv[2] ?? '../shared/data';
const isEach = process.argv.includes('--each');

interface Counted {
  files: number;
  unread: number;
  used: number;
  irrelevant: number;
  unaccounted: number;
  readonly formats: Map<string, number>;
  readonly missing: Map<string, number>;
  readonly keys: Map<string, number>;
}

const needed: readonly (readonly string[])[] = [
  ['batch_size'],
  ['gradient_accumulation', 'global_batch_size'],
  ['num_epochs', 'max_steps'],
  ['learning_rate'],
];

function add(to: Map<string, number>, key: string): void {
  to.set(key, (to.get(key) ?? 0) + 1);
}

const shown = (of: ReadonlyMap<string, number>, most: number): string =>
  [...of]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([key, count]) => `${key} ${String(count)}`)
    .join(', ');

async function count(path: string, into: Counted): Promise<void> {
  const { value, diagnostics } = await readData(host, path);
  into.files += 1;
  if (!value) {
    into.unread += 1;
    add(into.formats, `none (${diagnostics[0]?.code ?? 'no finding'})`);
    return;
  }
  add(into.formats, value.format);
  const format = configFormats.find(({ name }) => name === value.format);
  const irrelevant = value.unused.filter(({ key }) => format && isIrrelevant(format, key));
  into.used += value.values.size;
  into.irrelevant += irrelevant.length;
  into.unaccounted += value.unused.length - irrelevant.length;
  for (const { key } of value.unused) if (!format || !isIrrelevant(format, key)) add(into.keys, key);
  for (const names of needed)
    if (!names.some((name) => value.values.has(name) || value.defaults?.has(name))) add(into.missing, names.join('|'));
  if (isEach) console.log(`  ${path.slice(shared.length)}: ${value.format}, ${String(value.values.size)} values`);
}

async function configs(): Promise<void> {
  const folder = join(shared, 'strangers/configs');
  const folders = [
    ...readdirSync(folder).map((name) => join(folder, name)),
    join(shared, 'train-configs-albor'),
  ].filter(existsSync);
  for (const one of folders) {
    const into: Counted = {
      files: 0,
      unread: 0,
      used: 0,
      irrelevant: 0,
      unaccounted: 0,
      formats: new Map(),
      missing: new Map(),
      keys: new Map(),
    };
    for (const name of readdirSync(one).filter((file) => /\.(?:ya?ml|json|toml|py)$/.test(file)))
      await count(join(one, name), into);
    console.log(
      `${one.slice(shared.length + 1)}: ${String(into.files)} files; ${shown(into.formats, 9)}; ` +
        `names given ${String(into.used)}, keys irrelevant ${String(into.irrelevant)}, unaccounted for ${String(into.unaccounted)}`,
    );
    console.log(`  missing: ${shown(into.missing, 9) || 'nothing'}`);
    console.log(`  unaccounted for most: ${shown(into.keys, isEach ? 400 : 25)}`);
  }
}

async function logs(): Promise<void> {
  const contract = stability();
  for (const folder of ['strangers/logs', 'logs', 'resume/logs', 'resume/trainer_state']) {
    if (!existsSync(join(shared, folder))) continue;
    for (const name of readdirSync(join(shared, folder)).filter((file) => file !== 'LICENSE')) {
      const { value, diagnostics } = await readData(host, join(shared, folder, name));
      const report = dataReport(value ? [await checkData(contract, [value], new Map())] : []);
      const isRead = !diagnostics.some(({ severity }) => severity === 'error');
      const exit = value ? (isRead && holds(report) ? 0 : 1) : 2;
      const codes = diagnostics.filter(({ severity }) => severity !== 'note').map(({ code }) => code);
      const verdicts = Object.entries(report.totals.byVerdict).filter(([, many]) => many > 0);
      console.log(
        `${folder}/${name}: ${value?.format ?? 'not read'}, exit ${String(exit)}, ` +
          `${verdicts.map(([verdict, many]) => `${String(many)} ${verdict}`).join(', ')} ${[...new Set(codes)].join(' ')}`,
      );
    }
  }
}

function stability(): ElaboratedContract {
  const path = 'contracts/training-stability-v1.yaml';
  const { value } = readContract({ path, text: readFileSync(path, 'utf8') });
  if (!value) throw new Error(`${path} cannot be read`);
  return elaborateContract(value, new Map());
}

if (existsSync(shared)) {
  await configs();
  await logs();
} else console.log(`${shared} absent: nothing to measure`);
