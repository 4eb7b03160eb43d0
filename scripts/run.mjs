// Runs a TypeScript script on versions of Node that cannot do so themselves: node scripts/run.mjs bench/startup.ts [arguments…]
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './bundle.mjs';

/** The sources of the workers that bundled code starts: `new URL('./NAME.worker.js', import.meta.url)`. */
async function workersOf(text) {
  const names = new Set([...text.matchAll(/['"]\.\/([\w-]+\.worker)\.js['"]/g)].map(([, name]) => `${name}.ts`));
  const files = names.size === 0 ? [] : await readdir(join(root, 'src'), { recursive: true });
  return files.filter((file) => names.has(basename(file))).map((file) => join(root, 'src', file));
}

const [script, ...rest] = process.argv.slice(2);
if (script === undefined) {
  process.stderr.write('usage: node scripts/run.mjs FILE.ts [arguments…]\n');
  process.exitCode = 2;
} else {
  // Inside the repository, so that the packages it imports resolve; one folder per run, so that runs do not interfere.
  const folder = join(root, `node_modules/.cache/pv-run-${process.pid}`);
  const bundle = (files) =>
    build({
      entryPoints: Object.fromEntries(files.map((file) => [basename(file, '.ts'), file])),
      outdir: folder,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      logLevel: 'warning',
    });
  const outfile = join(folder, `${basename(script, '.ts')}.js`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await bundle([resolve(script)]);
  const workers = await workersOf(await readFile(outfile, 'utf8'));
  if (workers.length > 0) await bundle(workers);
  process.argv = [process.argv[0] ?? 'node', outfile, ...rest];
  process.setSourceMapsEnabled(true);
  try {
    await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
