// The one description of how the command line is bundled; shared by the build and by the start-up tests.
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packages that cost more to load than `pv --help` takes in all. They stay outside the bundle and may only be reached
 * through `import()` from the module that needs them (enforced by .dependency-cruiser.mjs and test/cli/startup).
 */
export const heavyPackages = [
  '@hono/node-server',
  '@lezer/python',
  '@nats-io/jetstream',
  '@nats-io/obj',
  '@nats-io/transport-node',
  '@viz-js/viz',
  'decimal.js',
  'esbuild',
  'fast-check',
  'gpu.js',
  'handlebars',
  'hono',
  'playwright-core',
  'temml',
  'ts-morph',
  'typescript',
  'vitest',
  'webgpu',
  'z3-solver',
];

/** Code that a worker thread runs is an entry of its own: `new Worker(new URL('./NAME.worker.js', import.meta.url))`. */
export const workerEntries = 'src/**/*.worker.ts';

/** @type {(outdir: string, entryPoints: Record<string, string>) => import('esbuild').BuildOptions} */
export const bundleOptions = (outdir, entryPoints) => ({
  absWorkingDir: root,
  entryPoints,
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Only the compiler of ajv is heavy; generated validators need its small `ajv/dist/runtime/*`, which is bundled.
  external: [...heavyPackages.flatMap((name) => [name, `${name}/*`]), 'ajv', 'ajv/dist/2020*'],
  // The browser build of `yaml` is the same code as ES modules: it needs no `require` in the bundle and starts faster.
  // Most of chalk inspects the process, and src/cli/wants-color.ts has already decided about colour.
  alias: {
    yaml: './node_modules/yaml/browser/index.js',
    '#supports-color': './node_modules/chalk/source/vendor/supports-color/browser.js',
  },
  chunkNames: '[name]-[hash]',
  // Names survive so that a stack trace in a bug report can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  charset: 'utf8',
  metafile: true,
  logLevel: 'warning',
});

/** Each run as one text, away from the other files; without names, since a stack that it appears in says nothing. */
export const bareEntries = ['src/plan/bare.worker.ts', 'src/plan/alone.worker.ts'];

/** @type {(outdir: string) => import('esbuild').BuildOptions} */
export const bareOptions = (outdir) => ({
  ...bundleOptions(outdir, { 'bare.worker': bareEntries[0], 'alone.worker': bareEntries[1] }),
  splitting: false,
  minifyIdentifiers: true,
  metafile: false,
});
