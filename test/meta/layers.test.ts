import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, describe, expect, it } from 'vitest';

interface Config {
  readonly forbidden: readonly { readonly name: string; readonly comment: string }[];
  readonly options: { readonly tsConfig: unknown };
}

const file = new URL('../../.dependency-cruiser.mjs', import.meta.url);
const { default: config }: { readonly default: Config } = await import(file.href);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** The names of the rules that a source tree breaks. */
async function broken(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const baseDir = await mkdtemp(join(tmpdir(), 'pv-layers-'));
  folders.push(baseDir);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(baseDir, path)), { recursive: true });
    await writeFile(join(baseDir, path), text);
  }
  const { tsConfig: _none, ...options } = config.options;
  const result = await cruise(['src'], {
    ...options,
    baseDir,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  } as ICruiseOptions);
  return [...new Set((result.output as ICruiseResult).summary.violations.map((violation) => violation.rule.name))];
}

const uses = (path: string) => `import { x } from '${path}';\nexport const y = x;\n`;
const value = 'export const x = 1;\n';
const pack = (name: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: 'exports.x = 1;\n',
  'package.json': JSON.stringify({ name: 'sample', dependencies: { [name]: '1.0.0' } }),
});

describe('the rules of .dependency-cruiser.mjs', () => {
  it('accept a tree that keeps them', async () => {
    expect(await broken({ 'src/base/a.ts': value, 'src/cli/b.ts': uses('../base/a.ts') })).toEqual([]);
    expect(await broken({ 'src/trace/a.ts': value, 'src/cli/b.ts': uses('../trace/a.ts') })).toEqual([]);
  });

  it.each([
    ['a layer that looks up', { 'src/base/a.ts': uses('../cli/b.ts'), 'src/cli/b.ts': value }, 'base-look-down-only'],
    ['siblings', { 'src/math/a.ts': uses('../evidence/b.ts'), 'src/evidence/b.ts': value }, 'math-knows-no-sibling'],
    [
      'an expression that knows claims',
      {
        'src/contract/elaborate/expressions/a.ts': uses('../claims/b.ts'),
        'src/contract/elaborate/claims/b.ts': value,
      },
      'elaborate-expressions-looks-down-only',
    ],
    [
      'a cycle',
      { 'src/base/a.ts': uses('./b.ts'), 'src/base/b.ts': `import { y } from './a.ts';\nexport const x = y;\n` },
      'no-cycles',
    ],
    [
      'a cycle of types',
      {
        'src/base/a.ts': `import type { B } from './b.ts';\nexport type A = B;\n`,
        'src/base/b.ts': `import type { A } from './a.ts';\nexport type B = A;\n`,
      },
      'no-cycles',
    ],
    ['an orphan', { 'src/base/a.ts': value }, 'no-orphans'],
    [
      'the public API used inside',
      { 'src/cli/a.ts': uses('../index.ts'), 'src/index.ts': value },
      'nothing-imports-the-public-api',
    ],
    [
      'a runtime that reads contracts',
      { 'src/runtime/a.ts': uses('../contract/b.ts'), 'src/contract/b.ts': value },
      'runtime-stays-small',
    ],
    [
      'a report that uses the runtime',
      { 'src/report/a.ts': uses('../runtime/b.ts'), 'src/runtime/b.ts': value },
      'runtime-is-for-tests-and-methods',
    ],
    [
      'a kernel with a helper',
      { 'src/kernels/a.ts': uses('../base/b.ts'), 'src/base/b.ts': value },
      'kernels-are-self-contained',
    ],
    [
      'a kernel that imports a value',
      { 'src/kernels/a.ts': uses('../runtime/b.ts'), 'src/runtime/b.ts': value },
      'kernels-import-types-only',
    ],
    [
      'an engine that knows a kernel',
      { 'src/methods/a.ts': uses('../kernels/b.ts'), 'src/kernels/b.ts': value },
      'engine-knows-no-kernel-or-domain',
    ],
    [
      'an engine that knows a domain',
      { 'src/plan/a.ts': uses('../trace/b.ts'), 'src/trace/b.ts': value },
      'engine-knows-no-kernel-or-domain',
    ],
    [
      'a command line that knows a kernel',
      { 'src/cli/a.ts': uses('../kernels/b.ts'), 'src/kernels/b.ts': value },
      'command-line-knows-no-kernel',
    ],
    [
      'a domain that reads contracts',
      { 'src/training/a.ts': uses('../contract/b.ts'), 'src/contract/b.ts': value },
      'domains-stand-beside-the-engine',
    ],
    ['files read past the host', { 'src/contract/a.ts': uses('node:fs/promises') }, 'files-through-the-host'],
    ['a process in the core', { 'src/math/a.ts': uses('node:process') }, 'processes-at-the-edge'],
    ['gpu.js elsewhere', { 'src/methods/a.ts': uses('gpu.js'), ...pack('gpu.js') }, 'gpu-js-in-one-place'],
    ['ts-morph elsewhere', { 'src/report/a.ts': uses('ts-morph'), ...pack('ts-morph') }, 'ts-morph-where-code-is-read'],
    [
      'fast-check elsewhere',
      { 'src/methods/a.ts': uses('fast-check'), ...pack('fast-check') },
      'fast-check-in-the-runtime',
    ],
    ['chalk elsewhere', { 'src/report/a.ts': uses('chalk'), ...pack('chalk') }, 'chalk-in-the-command-line'],
    ['a heavy package at start', { 'src/cli/a.ts': uses('temml'), ...pack('temml') }, 'command-line-starts-light'],
    ['an import that leads nowhere', { 'src/base/a.ts': uses('./nowhere.ts') }, 'resolvable'],
  ])('catch %s', async (_name, files, rule) => {
    expect(await broken(files)).toContain(rule);
  });

  it('allow what they should', async () => {
    const files = {
      'src/kernels/a.ts': `import type { T } from '../runtime/b.ts';\nexport const k = (x: T) => x;\n`,
      'src/runtime/b.ts': 'export type T = number;\n',
      'src/methods/c.ts': `import type { T } from '../runtime/b.ts';\nexport type U = T;\n`,
      'src/report/d.ts': `export const load = () => import('temml');\n`,
      'src/cli/e.ts': `import { load } from '../report/d.ts';\nexport const f = load;\n`,
      ...pack('temml'),
    };
    expect(await broken(files)).toEqual([]);
  });

  it('each say why', () => {
    for (const rule of config.forbidden) expect(rule.comment.length, rule.name).toBeGreaterThan(30);
  });
});
