/**
 * Where the processor time of a cold `pv verify` goes: every check of the shipped contracts, one after another in this
 * process, by contract and method. Usage: node scripts/run.mjs bench/verify-checks.ts [ROOT] [CONTRACT|METHOD|GOAL…]
 *
 * `--receipts FILE` writes what every check found without its time, so that two builds can be compared line by line.
 */
import { functionBackend } from '../src/backends/function-kernel.ts';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readProject } from '../src/audit/read-project.ts';
import { readContracts } from '../src/contract/validate.ts';
import { createNodeHost } from '../src/host/node-host.ts';
import { optimiseLate } from '../src/host/optimise-late.ts';
import type { Check } from '../src/plan/check.ts';
import { makePlan } from '../src/plan/make-plan.ts';
import { runJob } from '../src/plan/run-job.ts';

const tool = { name: 'pv', version: 'bench', node: process.versions.node } as const;
/** Without time limits: a check that ends early would look cheap. */
const timeoutMs = 3_600_000;
const SHOWN = 40;

async function checksOf(root: string): Promise<readonly Check[]> {
  const folder = join(root, 'contracts');
  const files = (await readdir(folder)).filter((name) => name.endsWith('-v1.yaml'));
  const sources = await Promise.all(
    files.map(async (name) => ({ path: `contracts/${name}`, text: await readFile(join(folder, name), 'utf8') })),
  );
  const { value: contracts } = readContracts(sources, { elsewhere: [] });
  const binding = { path: 'contracts/binding.yaml', text: await readFile(join(folder, 'binding.yaml'), 'utf8') };
  const host = createNodeHost(root);
  const project = await readProject({ contracts, binding, host, moduleRoots: [root], elsewhere: new Set() });
  const options = { seed: 1, cases: null, backends: ['gpujs-webasm'], devices: ['any'], tool } as const;
  return makePlan(project.elaborated, project.subjects, options).checks.filter(({ method }) => method !== 'types');
}

interface Cost {
  readonly check: Check;
  readonly seconds: number;
  readonly found: string;
}

async function run(check: Check): Promise<Cost> {
  const before = process.cpuUsage();
  const { receipt } = await runJob({ check, replay: [], timeoutMs, tool }, () => performance.now(), functionBackend);
  const { user, system } = process.cpuUsage(before);
  const { timing: _time, ...found } = receipt;
  return { check, seconds: (user + system) / 1e6, found: JSON.stringify(found) };
}

function table(title: string, costs: readonly Cost[], keyOf: (cost: Cost) => string): void {
  const sums = new Map<string, number>();
  for (const cost of costs) sums.set(keyOf(cost), (sums.get(keyOf(cost)) ?? 0) + cost.seconds);
  console.log(`\n${title}`);
  for (const [key, seconds] of [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, SHOWN))
    console.log(`${seconds.toFixed(2).padStart(9)} s  ${key}`);
}

// As in the workers of `pv verify`.
optimiseLate();
const { values, positionals } = parseArgs({ allowPositionals: true, options: { receipts: { type: 'string' } } });
const [root = '.', ...wanted] = positionals;
const isWanted = ({ contract, method, goal }: Check): boolean =>
  wanted.length === 0 || [contract, method, goal].some((name) => wanted.includes(name));
const costs: Cost[] = [];
for (const check of (await checksOf(resolve(root))).filter(isWanted)) costs.push(await run(check));
console.log(
  `${costs.length} checks, ${costs.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1)} s of processor time`,
);
table('by method', costs, ({ check }) => check.method);
table('by contract', costs, ({ check }) => check.contract);
table('by check', costs, ({ check }) => `${check.goal} ${check.method} ${check.backend}`);
if (values.receipts !== undefined) await writeFile(values.receipts, costs.map(({ found }) => `${found}\n`).join(''));
