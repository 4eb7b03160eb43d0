import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, repositoryRoot } from '../support/built.ts';

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly entryPoint?: string;
  readonly bytes: number;
}

let outputs: Readonly<Record<string, Output>> = {};

beforeAll(async () => {
  ensureBuilt();
  outputs = JSON.parse(await readFile(join(repositoryRoot, 'dist/.meta.json'), 'utf8')).outputs;
});

/** What node loads before it runs the first line of an entry: source files, and packages outside the bundle. */
function loadedBy(...entries: readonly string[]): {
  readonly sources: readonly string[];
  readonly packages: readonly string[];
  readonly bytes: number;
} {
  const chunks = new Set<string>();
  const packages = new Set<string>();
  const visit = (chunk: string): void => {
    const output = outputs[chunk];
    if (!output || chunks.has(chunk)) return;
    chunks.add(chunk);
    for (const { path, kind, external } of output.imports) {
      if (kind === 'dynamic-import') continue;
      if (external) packages.add(path);
      else visit(path);
    }
  };
  for (const entry of entries) {
    const chunk = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === entry);
    expect(chunk, `${entry} is no chunk of the bundle`).toBeDefined();
    visit(chunk ?? '');
  }
  const all = [...chunks].map((chunk) => outputs[chunk]);
  return {
    sources: all.flatMap((output) => Object.keys(output?.inputs ?? {})).toSorted(),
    packages: [...packages].filter((name) => !name.startsWith('node:')).toSorted(),
    bytes: all.reduce((sum, output) => sum + (output?.bytes ?? 0), 0),
  };
}

const bin = 'src/cli/bin.ts';

describe('pv --help and pv --version', () => {
  it('load the table of commands, the host and the argument parser, and nothing else', () => {
    const { sources, packages } = loadedBy(bin);
    const own = sources.filter((path) => !path.startsWith('node_modules/'));
    expect(
      own.filter((path) => !/^src\/(api|base|cli|host)\//.test(path) || path.startsWith('src/cli/commands/')),
    ).toEqual([]);
    const bundled = new Set(sources.flatMap((path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
    expect([...bundled]).toEqual(['@stricli/core']);
    expect(packages).toEqual([]);
  });

  it('load less than 100 KB of code', () => {
    expect(loadedBy(bin).bytes).toBeLessThan(100_000);
  });
});

describe('pv validate', () => {
  it('loads a YAML reader and the compiled schema, but no schema compiler, no kernels and no other command', () => {
    const { sources, packages } = loadedBy(bin, 'src/cli/commands/validate.ts');
    const unwanted =
      /node_modules\/(ajv\/dist\/(?!runtime)|yaml\/)|src\/(backends|plan|codegen|kernels)\/|commands\/(?!validate)/;
    expect(sources.filter((path) => unwanted.test(path))).toEqual([]);
    expect(sources).toContain('src/contract/yaml/parse.ts');
    expect(packages).toEqual([]);
  });
});

describe('pv check of a config', () => {
  it('loads no reader of logs or profiles, no code generator and no package from outside the bundle', () => {
    const { sources, packages } = loadedBy(bin, 'src/cli/commands/check.ts', 'src/api/data/run-check.ts');
    const unwanted = /src\/(codegen|kernels|backends|subject\/data\/(trace|read-log|read-trace))/;
    expect(sources.filter((path) => unwanted.test(path))).toEqual([]);
    expect(packages).toEqual([]);
  });
});
