import { build, type BuildOptions } from 'esbuild';
import { describe, expect, it } from 'vitest';

interface Bundle {
  readonly bundleOptions: (outdir: string, entryPoints: Readonly<Record<string, string>>) => BuildOptions;
}

const { bundleOptions }: Bundle = await import(new URL('../../scripts/bundle.mjs', import.meta.url).href);

/** The bundle as `name → text`, built into a folder that is never written. */
async function bundle(outdir: string): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({ ...bundleOptions(outdir, { bin: 'src/cli/bin.ts' }), write: false });
  return new Map(outputFiles?.map((file) => [file.path.replace(/^.*\//, ''), file.hash]));
}

describe('the bundle', () => {
  it('is the same bytes under the same names, whenever and wherever it is built', async () => {
    const [here, there] = [await bundle('dist/cli'), await bundle('node_modules/.cache/elsewhere')];
    expect([...there]).toEqual([...here]);
    expect(here.size).toBeGreaterThan(5);
  });
});
