/**
 * Trains and writes the run: node scripts/run.mjs examples/training-loop/main.ts OUT [--bug NAME], from the repository's
 * root. Exits with 2 when it does not understand.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bugs, isBug } from './config.ts';
import { openKernels } from './kernels.ts';
import { train } from './train.ts';

const usage = [
  'usage: node scripts/run.mjs examples/training-loop/main.ts OUT [--bug NAME]',
  ...Object.entries(bugs).map(([name, what]) => `  ${name.padEnd(16)}${what}`),
  '',
].join('\n');

const { values, positionals } = parseArgs({
  options: { bug: { type: 'string' } },
  strict: false,
  allowPositionals: true,
});
const [out, ...more] = positionals;
const { bug = null, ...unknown } = values;
const isKnown = bug === null || (typeof bug === 'string' && isBug(bug));
if (out === undefined || more.length > 0 || !isKnown || Object.keys(unknown).length > 0) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const files = train(await openKernels('.'), { bug });
  await mkdir(out, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(out, name), text);
  process.stdout.write(`${Object.keys(files).length} files in ${out}\n`);
}
