import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { buildOf } from '../../../src/cli/validation/build.ts';
import { version } from '../../../src/base/version.ts';
import { repositoryRoot } from '../../support/built.ts';

interface Bundle {
  readonly scriptOptions: (outdir: string) => BuildOptions;
}

const { scriptOptions }: Bundle = await import(new URL('../../../scripts/bundle.mjs', import.meta.url).href);

/** The name of the script that remembers when one source file has a statement more. */
async function scriptName(changed: string | null): Promise<string> {
  const addLine: Plugin = {
    name: 'add-a-statement',
    setup: (bundler) =>
      bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
        path === join(repositoryRoot, changed ?? '')
          ? { contents: `${await readFile(path, 'utf8')}\nObject(globalThis.pvTest);\n`, loader: 'ts' }
          : undefined,
      ),
  };
  const options = scriptOptions(join(repositoryRoot, 'node_modules/.cache/pv-test-build'));
  const { metafile } = await build({ ...options, plugins: [addLine], write: false, metafile: true });
  return Object.keys(metafile?.outputs ?? {})[0] ?? '';
}

describe('the name of a build', () => {
  it('changes with every module that can change a finding, however far it is from the command', async () => {
    const before = await scriptName(null);
    expect(buildOf(`file:///pv/${before}`)).toContain(version);
    expect(await scriptName(null)).toBe(before);
    for (const module of [
      'src/math/notation/lex.ts',
      'src/contract/rules/prose.ts',
      'src/contract/elaborate/claim.ts',
      'src/contract/yaml/parse.ts',
      'src/cli/contract-files.ts',
      'src/audit/elaborate-all.ts',
      'src/diagnostics/codes.ts',
      'src/base/text.ts',
    ])
      expect(await scriptName(module), module).not.toBe(before);
  });

  it('changes with every module that can change what pv check makes of a contract', async () => {
    const before = await scriptName(null);
    for (const module of [
      'src/base/plain-graph.ts',
      'src/contract/data-contract.ts',
      'src/contract/elaborate/data.ts',
      'src/math/notation/lex.ts',
      'src/contract/yaml/parse.ts',
      'src/cli/data/data-contracts.ts',
    ])
      expect(await scriptName(module), module).not.toBe(before);
  });

  it('is missing where the code is not bundled', () => {
    expect(buildOf(import.meta.url)).toBeNull();
    expect(buildOf('file:///pv/dist/cli/commands/validate.js')).toBeNull();
  });
});
