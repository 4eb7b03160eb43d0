// Runs a TypeScript script on a Node that cannot: node scripts/run.mjs bench/startup.ts [arguments…]
import { mkdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './bundle.mjs';

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) {
  process.stderr.write('usage: node scripts/run.mjs FILE.ts [arguments…]\n');
  process.exitCode = 2;
} else {
  // Inside the repository, so that the packages it imports resolve; one folder per run, so that runs do not meet.
  const folder = join(root, `node_modules/.cache/pv-run-${process.pid}`);
  const outfile = join(folder, `${basename(script, '.ts')}.mjs`);
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [resolve(script)],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  process.argv = [process.argv[0] ?? 'node', outfile, ...rest];
  process.setSourceMapsEnabled(true);
  try {
    await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
