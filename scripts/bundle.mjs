// The one description of how the command line is bundled; shared by the build and by the start-up tests.
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packages that cost more to load than `pv --help` takes in all. They stay outside the bundle and may only be
 * reached through `import()` from the module that needs them (.dependency-cruiser.mjs and test/cli/startup hold this).
 */
export const heavyPackages = [
  '@hono/node-server',
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
  // Of ajv only the compiler is heavy; generated validators need its small `ajv/dist/runtime/*`, which is bundled.
  external: [...heavyPackages.flatMap((name) => [name, `${name}/*`]), 'ajv', 'ajv/dist/2020*'],
  // The browser build of `yaml` is the same code as ES modules: it needs no `require` in the bundle and starts faster.
  // Of chalk, the part that looks at the process is more than the rest, and src/cli/wants-color.ts has decided already.
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

/**
 * bin.js, in one file: each further one takes node a millisecond to load. All but the commands of quick.ts is behind
 * main.js, the entry of the split bundle.
 * @type {(outdir: string, quickScript: string | null) => import('esbuild').BuildOptions}
 */
export const binOptions = (outdir, quickScript) => ({
  ...bundleOptions(outdir, { bin: 'src/cli/bin.ts' }),
  splitting: false,
  define: { pvQuickScript: JSON.stringify(quickScript) },
  plugins: [
    {
      name: 'main-stands-beside',
      setup: (bundler) =>
        bundler.onResolve({ filter: /^[.][/]main[.]ts$/ }, () => ({ path: './main.js', external: true })),
    },
  ],
});

/**
 * The commands of src/cli/script/quick.ts as one script, as src/cli/script/compiled.ts runs it.
 * @type {(outdir: string) => import('esbuild').BuildOptions}
 */
export const scriptOptions = (outdir) => {
  const { splitting: _, external = [], ...common } = bundleOptions(outdir, { quick: 'src/cli/script/quick.ts' });
  return {
    ...common,
    format: 'cjs',
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    // The other commands stand in main.ts's table as `import('./commands/NAME.ts')`, and are loaded from the split bundle.
    external: [...external, './commands/*'],
    define: { 'import.meta.url': 'scriptUrl' },
    banner: { js: '(function (exports, require, module, scriptUrl, importModule) {' },
    footer: { js: '})' },
  };
};
