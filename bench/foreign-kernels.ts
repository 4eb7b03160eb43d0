/**
 * The largest error of kernels of other people, as a share of each claim's tolerance, as a Markdown table.
 * Usage: node scripts/run.mjs bench/foreign-kernels.ts [--cases N] [WORD…], where only equations and kernels with one of the words run.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { judgeForeign, type ForeignKernel } from '../test/foreign/foreign-kernel.ts';
import { handForms } from '../test/foreign/hand/all.ts';
import { shippedProject } from '../test/support/shipped-goals.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string', default: '300' } },
});

const root = resolve('.');
const libraries = join(root, 'test/foreign/libraries/all.mjs');
const installed = existsSync(join(root, 'test/foreign/node_modules'));
if (!installed) console.error('without libraries: npm ci --prefix test/foreign');
const { libraryKernels } = installed
  ? ((await import(libraries)) as { readonly libraryKernels: readonly ForeignKernel[] })
  : { libraryKernels: [] };

const wanted = [...handForms, ...libraryKernels].filter(
  ({ equation, name }) =>
    positionals.length === 0 || positionals.some((word) => equation.includes(word) || name.includes(word)),
);

interface Row {
  kernels: number;
  worst: number;
  by: string;
}
const rows = new Map<string, Row>();
const project = await shippedProject(root);
for (const kernel of wanted) {
  for (const { claim, worst, why } of await judgeForeign(project, kernel, Number(values.cases))) {
    if (why !== null) console.error(`${kernel.equation}, ${kernel.name}: ${claim} does not hold: ${why}`);
    if (worst === null || claim.startsWith('FALSIFY')) continue;
    const key = `${kernel.equation} | ${claim}`;
    const row = rows.get(key) ?? { kernels: 0, worst: 0, by: '' };
    row.kernels++;
    if (worst > row.worst) Object.assign(row, { worst, by: kernel.name });
    rows.set(key, row);
  }
}

console.log('| equation | claim | kernels | largest error, × the tolerance | of |\n|---|---|---|---|---|');
for (const [key, { kernels, worst, by }] of rows)
  console.log(`| ${key} | ${kernels} | ${worst.toPrecision(2)} | ${by} |`);
