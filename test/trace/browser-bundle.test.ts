/** What a web page needs to check a trace is bundled for browsers without a module of Node. */
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test.each([
  'trace/index',
  'training/index',
  'merkle/tree',
  'merkle/verify',
  'merkle/compact-range',
  'trace/legacy/read-trace',
  'trace/legacy/write-trace',
  'trace/legacy/proof',
])('src/%s.ts', async (name) => {
  const entry = `src/${name}.ts`;
  const bundle = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
  });
  const imports = Object.values(bundle.metafile.inputs).flatMap((input) => input.imports);
  expect(imports.filter(({ external }) => external)).toEqual([]);
});

test('a module that imports one of Node is not bundled: the test above can fail', async () => {
  const stdin = { contents: "import { createHash } from 'node:crypto'; console.log(createHash);" };
  await expect(build({ stdin, bundle: true, platform: 'browser', write: false, logLevel: 'silent' })).rejects.toThrow(
    /node:crypto/,
  );
});
