/**
 * docs/foreign-kernels.md: the largest error of kernels of other people, as a share of each claim's tolerance.
 * Usage: node scripts/run.mjs bench/foreign-kernels.ts [--cases N] [--large] [WORD…], where only equations and kernels with one of the words run.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { judgeForeign, type ForeignKernel } from '../test/foreign/foreign-kernel.ts';
import { handForms } from '../test/foreign/hand/all.ts';
import { shippedProject } from '../test/support/shipped-goals.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cases: { type: 'string', default: '300' }, large: { type: 'boolean', default: false } },
});

const runs = { cases: Number(values.cases), large: values.large };

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
  readonly equation: string;
  readonly claim: string;
  kernels: number;
  /** Of the kernels that keep the claim. */
  worst: number;
  by: string;
  readonly refused: string[];
}
const rows = new Map<string, Row>();
const strict = await shippedProject(root);
const library = await shippedProject(root, 'library');
for (const kernel of wanted) {
  const { equation, name } = kernel;
  const findings = await judgeForeign(strict, kernel, runs);
  const isRefused = findings.some(({ why }) => why !== null);
  const again = isRefused ? await judgeForeign(library, kernel, runs) : [];
  for (const { claim, worst, why } of findings) {
    if (claim.startsWith('FALSIFY')) continue;
    const row = rows.get(`${equation} ${claim}`) ?? { equation, claim, kernels: 0, worst: 0, by: '', refused: [] };
    rows.set(`${equation} ${claim}`, row);
    row.kernels++;
    if (why === null) {
      if (worst !== null && worst > row.worst) Object.assign(row, { worst, by: name });
      continue;
    }
    const inLibrary = again.find((one) => one.claim === claim)?.why ?? null;
    row.refused.push(`${name}${inLibrary === null ? ' (keeps it in `library`)' : ''}`);
    console.error(`${equation}, ${name}: ${claim} does not hold: ${inLibrary ?? why}`);
  }
}

console.log(`# Kernels of other people

Kernels of other libraries, and hand-written forms of what PyTorch, FlashAttention, ggml and optax compute, run through every shipped
contract that they implement (\`test/foreign/\`). For each claim: how many such kernels there are, the largest error of those that keep it,
as a share of its tolerance in the class \`strict\` ([accuracy classes](error-bounds.md#accuracy-classes)), and the kernels that break it. Each
ran on ${values.cases} drawn inputs${values.large ? " and at the equation's large sizes" : ''}. [Found in the wild](found-in-the-wild.md) shows what is wrong with those that break a claim
in every class.

A share far below 0.1 says that the tolerance is looser than these kernels need on drawn inputs. Those tolerances stay, for two reasons. That of
attention and of RMSNorm is proved for every input up to a bound ([bounded proofs](kani.md)). And a loop that adds n equal numbers one by one
makes an error that grows with n: it needs \`cond: 2\` at n = 12, 16 at 128 and 128 at 1,024, and the squares of these in a variance. Layer and
batch normalisation therefore keep \`cond: 36\`, although drawn rows need 2 and a loop over 200 equal numbers more than 36. Losses are
sums of up to 1,024 terms, which need 10 at some seeds and 1 at most others.

Written by \`npm ci --prefix test/foreign && node scripts/run.mjs bench/foreign-kernels.ts --large > docs/foreign-kernels.md\`.

| equation | claim | kernels | largest error, × the tolerance | of | refused |
|---|---|---|---|---|---|`);
for (const { equation, claim, kernels, worst, by, refused } of rows.values()) {
  // Nothing is compared with a tolerance, and every kernel keeps it.
  if (by === '' && refused.length === 0) continue;
  const kept = by === '' ? '0' : worst.toPrecision(2);
  console.log(`| ${equation} | ${claim} | ${kernels} | ${kept} | ${by} | ${refused.join('; ')} |`);
}
