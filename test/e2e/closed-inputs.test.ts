/**
 * Evidence for a plain function depends on what the function read: change that, and its checks run again; change anything else, and they
 * do not. Inputs that cannot be recorded are named, and the checks run every time.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { auditJson, doublingProject, ranOf, type Project } from './project.ts';

let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

/** A module whose `double` multiplies by what the expression `factor` comes to at each call; `more` stands above. */
const timesText = (factor: string, more = ''): string => `${more}
declare const process: any; declare const WebAssembly: any; declare function require(name: string): any;
export async function double(x: Float32Array): Promise<Float32Array> {
  const factor = ${factor};
  return x.map((v) => factor * v);
}
`;

const times = (factor: number): string => `{ "factor": ${factor} }\n`;
/** (module (func (export "f") (result f32) (f32.const FACTOR))) */
const wasm = (factor: 2 | 3): string =>
  Buffer.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    1,
    5,
    1,
    0x60,
    0,
    1,
    0x7d,
    3,
    2,
    1,
    0,
    7,
    5,
    1,
    1,
    0x66,
    0,
    0,
    10,
    9,
    1,
    7,
    0,
    0x43,
    ...new Uint8Array(new Float32Array([factor]).buffer),
    0x0b,
  ]).toString('latin1');

interface Case {
  readonly kernel: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Makes the kernel wrong. */
  readonly change: (folder: string) => Promise<unknown>;
}

const write = (path: string, text: string) => async (folder: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text, 'latin1');
};
const fs = `import * as fs from 'node:fs'; import { readFile } from 'fs/promises'; import { createRequire } from 'node:module';`;

const closed: Readonly<Record<string, Case>> = {
  'a package of a package that it imports': {
    kernel: timesText('outer', `import { outer } from 'outer';`),
    files: {
      'node_modules/outer/package.json': '{ "name": "outer", "version": "1.0.0", "main": "index.js" }',
      'node_modules/outer/index.js': `exports.outer = require('inner');`,
      'node_modules/inner/package.json': '{ "name": "inner", "version": "1.0.0", "main": "index.js" }',
      'node_modules/inner/index.js': 'module.exports = 2;',
    },
    change: write('node_modules/inner/index.js', 'module.exports = 3;'),
  },
  'a package that another one now shadows': {
    kernel: timesText('outer', `import { outer } from 'outer';`),
    files: {
      'node_modules/outer/package.json': '{ "name": "outer", "version": "1.0.0", "main": "index.js" }',
      'node_modules/outer/index.js': `exports.outer = 2;`,
    },
    change: async (folder) => {
      await write('src/node_modules/outer/package.json', '{ "name": "outer", "main": "index.js" }')(folder);
      await write('src/node_modules/outer/index.js', `exports.outer = 3;`)(folder);
    },
  },
  'WebAssembly that it compiles': {
    kernel: timesText(
      `new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync('factor.wasm'))).exports.f()`,
      fs,
    ),
    files: { 'factor.wasm': wasm(2) },
    change: write('factor.wasm', wasm(3)),
  },
};

describe('evidence of a function that depends on', () => {
  it.each(Object.entries(closed))('%s runs again when that changes, and not before', async (_, given) => {
    const { kernel, files = {}, change } = given;
    project = await doublingProject(kernel, {}, '');
    for (const [path, text] of Object.entries(files)) await write(path, text)(project.folder);
    // As a process: some of these read files of the folder that it is in.
    const { pv } = project;
    const env = { CI: '' };
    const audit = () => pv(['audit', 'contracts'], { env });
    const first = await audit();
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('tested')]);
    await write('unrelated.json', '{}')(project.folder);
    expect(ranOf((await audit()).stderr)).toEqual({ ran: 0, reused: 6 });
    await change(project.folder);
    const status = await pv(['status', 'contracts'], { env });
    expect([status.code, status.stdout]).toEqual([1, expect.not.stringContaining('tested')]);
    const changed = await audit();
    expect([changed.code, changed.stdout]).toEqual([1, expect.stringContaining('falsified')]);
  });
});

describe('evidence of a function that starts processes', () => {
  it('passes, says so, and is never reused', async () => {
    const kernel = timesText(
      `Number(two)`,
      `import { execSync } from 'node:child_process'; const two = execSync('echo 2').toString();`,
    );
    project = await doublingProject(kernel, {}, '');
    const first = await auditJson(project);
    expect([first.code, first.report.totals.byVerdict]).toMatchObject([0, { tested: 2 }]);
    for (const { scope } of first.report.contracts[0]?.claims ?? [])
      expect(scope).toContain('of this run alone: it used child processes');
    const second = await auditJson(project);
    expect([second.code, ranOf(second.stderr).reused]).toEqual([0, 1]);
    expect(second.stdout).toBe(first.stdout);
  });
});

describe('evidence of an ordinary function', () => {
  it('is reused, even in another folder and after a file that it read was rewritten', async () => {
    project = await doublingProject(
      timesText(
        `JSON.parse(fs.readFileSync('factor.json', 'utf8')).factor * new Date(0).getTime() + (process.env.NODE_ENV === 'x' ? 3 : 2)`,
        `${fs} import { Decimal } from 'decimal.js'; const start: unknown = new Decimal(2); void start;`,
      ),
      { 'factor.json': times(2) },
      '',
    );
    const { folder, pv } = project;
    // The package that it imports.
    const from = new URL('../../node_modules/decimal.js', import.meta.url).pathname;
    await (await import('node:fs/promises')).symlink(from, join(folder, 'node_modules/decimal.js'));
    const env = { CI: '' };
    const first = await pv(['audit', 'contracts'], { env });
    expect([first.code, ranOf(first.stderr)]).toEqual([0, { ran: 6, reused: 0 }]);
    const moved = `${folder}-moved`;
    await rename(folder, moved);
    try {
      await writeFile(join(moved, 'factor.json'), times(2));
      const second = await pv(['audit', 'contracts'], { cwd: moved, env });
      expect([second.code, ranOf(second.stderr)]).toEqual([0, { ran: 0, reused: 6 }]);
      expect(second.stdout).toBe(first.stdout);
    } finally {
      await rm(moved, { recursive: true, force: true });
    }
  });
});
