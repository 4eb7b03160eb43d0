/** Holds src/base/version.ts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/base/version.ts';
import { buildVersion } from '../../src/api/build-version.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { repositoryRoot } from '../support/built.ts';

interface Bundle {
  readonly bundleOptions: (outdir: string, entryPoints: Readonly<Record<string, string>>) => BuildOptions;
}

const { bundleOptions }: Bundle = await import(new URL('../../scripts/bundle.mjs', import.meta.url).href);

/** The version of a build in which one source file has a statement more. */
async function versionWith(changed: string | null): Promise<string> {
  const addLine: Plugin = {
    name: 'add-a-statement',
    setup: (bundler) =>
      bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
        path === join(repositoryRoot, changed ?? '')
          ? { contents: `${await readFile(path, 'utf8')}\nObject(globalThis.pvTest);\n`, loader: 'ts' }
          : undefined,
      ),
  };
  const names = ['check.worker', 'function.worker'];
  const entries = {
    bin: 'src/cli/bin.ts',
    ...Object.fromEntries(names.map((name) => [name, `src/plan/${name}.ts`])),
  };
  const options = bundleOptions(join(repositoryRoot, 'node_modules/.cache/pv-test-version'), entries);
  const { outputFiles } = await build({ ...options, plugins: [addLine], write: false });
  const texts = names.map((name) => outputFiles.find(({ path }) => path.endsWith(`${name}.js`))?.text ?? '');
  const host = createMemoryHost(Object.fromEntries(names.map((name, i) => [`/${name}.js`, texts[i] ?? ''])));
  return buildVersion(
    host,
    names.map((name) => pathToFileURL(`/${name}.js`)),
  );
}

describe('the version of a build', () => {
  it('changes with every module that a check can run, and not with a kernel or a report', async () => {
    const before = await versionWith(null);
    expect(before).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
    for (const module of [
      'src/plan/run-job.ts',
      'src/methods/adequacy/adequacy.ts',
      'src/backends/ref32.ts',
      'src/backends/gpujs.ts',
      'src/backends/function-kernel.ts',
      'src/math/compile/emit.ts',
      'src/runtime/generate/generator.ts',
    ])
      expect(await versionWith(module), module).not.toBe(before);
    for (const module of ['src/kernels/softmax.ts', 'src/report/text.ts'])
      expect(await versionWith(module), module).toBe(before);
  });

  it('is that of pv alone where nothing is bundled', async () => {
    expect(await buildVersion(createMemoryHost())).toBe(version);
  });
});
