// Builds dist/: the library and its types (tsc, one file per module) and the command line (esbuild, split and bundled).
// Usage: node scripts/build.mjs [--if-stale]
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bareEntries, bareOptions, bundleOptions, root } from './bundle.mjs';
import { buildPage } from './page.mjs';
import { validatorPath, writeValidator } from './schema-validator.mjs';

const dist = join(root, 'dist');
const stampFile = join(dist, '.stamp');
const exists = (path) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Every file under `folder`, sorted, relative to the repository. */
async function filesUnder(folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const nested = entries.map((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
  return (await Promise.all(nested)).flat().toSorted();
}

/** A digest of everything that the build reads, so that a fresh dist/ is not built again. */
async function stampOf(sources) {
  const hash = createHash('sha256');
  const others = [
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/page.mjs',
    'scripts/schema-validator.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.api.json',
    'package-lock.json',
  ];
  for (const path of [...sources, ...others])
    hash
      .update(path)
      .update('\0')
      .update(await readFile(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

/** The command line, the API and their workers, as one split bundle: a command's code is loaded when the command runs. */
async function buildCommandLine(outdir, sources) {
  const cli = join(outdir, 'cli');
  const workers = sources.filter((path) => path.endsWith('.worker.ts') && !bareEntries.includes(path));
  // `run` is for tests of hundreds of command lines, which run in one process.
  const entries = { bin: 'src/cli/bin.ts', index: 'src/index.ts', run: 'src/cli/run.ts' };
  for (const path of workers) entries[path.replace(/^.*\//, '').replace(/\.ts$/, '')] = path;
  const { metafile } = await build(bundleOptions(cli, entries));
  await build(bareOptions(cli));
  await chmod(join(cli, 'bin.js'), 0o755);
  // What each file contains and loads, for test/cli/startup; not shipped.
  await writeFile(join(outdir, '.meta.json'), JSON.stringify(metafile).replaceAll(relative(root, outdir), 'dist'));
}

/** The runtime and traces, one file per module, and the declarations of the API. Types are checked by `npm run types`, not here. */
async function buildLibrary(outdir, sources) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const emit = (config, folder) =>
    promisify(execFile)(process.execPath, [tsc, '-p', join(root, config), '--outDir', folder]);
  const declarations = `${outdir}-api`;
  await Promise.all([emit('tsconfig.build.json', outdir), emit('tsconfig.api.json', declarations)]);
  await copyReachable(declarations, outdir, 'index.d.ts');
  await rm(declarations, { recursive: true });
  // tsc emits neither JSON that is only read as a file nor JavaScript that is already generated.
  const assets = sources.filter((path) => /\.(json|js|d\.ts)$/.test(path) && !path.startsWith('src/cli/'));
  for (const path of assets) {
    const target = join(outdir, path.slice('src/'.length));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(root, path), target);
  }
}

/** Copies a declaration file and those that it imports: tsc writes one for every module that the code can reach. */
async function copyReachable(from, to, path, copied = new Set()) {
  if (copied.has(path)) return;
  copied.add(path);
  const text = await readFile(join(from, path), 'utf8');
  await mkdir(dirname(join(to, path)), { recursive: true });
  await writeFile(join(to, path), text);
  for (const [, name] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.[jt]s["']/g))
    await copyReachable(from, to, join(dirname(path), `${name}.d.ts`), copied);
}

/** Builds elsewhere and swaps at the end, so that no reader ever sees half a build. */
async function buildAll(sources, stamp) {
  const cache = join(root, 'node_modules/.cache');
  const fresh = join(cache, `pv-dist-${process.pid}`);
  const old = join(cache, `pv-dist-old-${process.pid}`);
  await mkdir(cache, { recursive: true });
  try {
    await Promise.all([buildCommandLine(fresh, sources), buildLibrary(fresh, sources), buildPage(fresh)]);
    await writeFile(join(fresh, '.stamp'), stamp);
    if (await exists(dist)) await rename(dist, old);
    // Another build may have put its dist/ there in the meantime, which is as good as this one.
    if (!(await exists(dist))) await rename(fresh, dist);
  } finally {
    await rm(old, { recursive: true, force: true });
    await rm(fresh, { recursive: true, force: true });
  }
}

const sources = (await filesUnder('src')).filter((path) => path !== validatorPath);
const stamp = await stampOf(sources);
const isMade = (await exists(stampFile)) && (await exists(join(root, validatorPath)));
const isFresh = isMade && (await readFile(stampFile, 'utf8')) === stamp;
if (!(isFresh && process.argv.includes('--if-stale'))) {
  const start = performance.now();
  await writeValidator();
  await buildAll(sources, stamp);
  process.stderr.write(`built dist/ in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}
