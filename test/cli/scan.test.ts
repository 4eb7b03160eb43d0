/**
 * Holds src/api/must-be-one-of.ts, src/api/scan.ts, src/api/write-fixes.ts, src/cli/commands/scan.ts,
 * src/cli/findings/github.ts, src/cli/findings/text.ts, src/cli/scan/json.ts, src/cli/scan/show-scan.ts,
 * src/cli/scan/summary.ts, src/api/left-out.ts, src/scan/parts.ts, src/report/finding-report.ts.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { err } from '../../src/base/result.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { runPv } from '../support/memory-cli.ts';

const files = {
  'src/good.ts': 'export const a = 1;\n',
  'src/bad.ts': 'export function initWeights(): number {\n  return Math.random();\n}\n',
  'src/types.d.ts': 'declare const b: typeof Math.random;\n',
  'src/node_modules/x/index.ts': 'export const initWeights = () => Math.random();\n',
  'swap/gemm.ts':
    'export function gemm(m: number, n: number, k: number): void {}\nexport const run = (m: number, n: number, k: number) => gemm(m, k, n);\n',
  'broken/a.ts': 'const = 1;\n',
  'notes/README.md': '',
};

describe('exit codes of pv scan', () => {
  it.each([
    ['nothing found', ['src/good.ts'], exitCodes.ok],
    ['a finding', ['src'], exitCodes.findings],
    ['a file that does not parse', ['broken'], exitCodes.findings],
    ['no path', [], exitCodes.usage],
    ['a missing path', ['nowhere'], exitCodes.usage],
    ['a missing path beside a finding', ['src', 'nowhere'], exitCodes.usage],
    ['a folder without code', ['notes'], exitCodes.usage],
    ['an unknown rule', ['src', '--rule', 'nonsense'], exitCodes.usage],
    ['an unknown format', ['src', '--format', 'xml'], exitCodes.usage],
    ['another rule', ['src', '--rule', 'platform-math'], exitCodes.ok],
  ])('%s', async (_name, argv, code) => {
    expect((await runPv(['scan', ...argv, '--no-types'], { files })).code).toBe(code);
  });

  it('reports a file that it may not read', async () => {
    const host = {
      ...createMemoryHost(files),
      readText: async (path: string) => err({ kind: 'denied', path, message: 'permission denied' } as const),
    };
    const ran = await runPv(['scan', 'src'], { host });
    expect(ran.code).toBe(exitCodes.usage);
    expect(ran.stdout).toContain('PV-8002');
  });
});

describe('what pv scan reads of a folder', () => {
  const draw = 'export function initWeights() {\n  return Math.random();\n}\n';
  const project = {
    'p/index.js': draw,
    'p/test/a.test.js': draw,
    'p/src/b.spec.ts': draw,
    'p/fixtures/c.mjs': draw,
    'p/lib/min.js': `${draw}${'a();'.repeat(2000)}`,
    'p/lib/compiled.js': `${draw}//# sourceMappingURL=compiled.js.map\n`,
    'p/lib/lib.min.js': draw,
    'p/lib/bundle.js': `// node_modules/zlib/index.js\nvar z = 1;\n\n// src/index.js\n${draw}`,
    'p/lib/chunk.mjs': `//#region ../node_modules/zlib/index.mjs\nvar z = 1;\n//#endregion\n${draw}`,
    'p/lib/browserify.js': `(function e(t,n,r){function s(o){if(!n[o])throw Error("Cannot find module '"+o+"'"),f.code="MODULE_NOT_FOUND"}return s})({1:[function(require,module,exports){\n${draw}}]},{},[1]);\n`,
    'p/lib/parcel.js': `parcelRequire = (function (modules) {})({});\n${draw}`,
    'p/lib/mangled.js': `${Array.from({ length: 120 }, (_, i) => `function $${i.toString(36)}() {}`).join('\n')}\n${draw}`,
    'q/test/a.js': draw,
  };
  const paths = async (...argv: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await runPv(['scan', ...argv, '--no-types', '--format', 'json'], { files: project });
    return JSON.parse(stdout).diagnostics.map(
      ({ path, subject }: { path?: string; subject?: string }) => path ?? subject,
    );
  };

  it('JavaScript, without tests, fixtures and generated files', async () => {
    expect(await paths('p')).toEqual(['p/index.js']);
    const { stdout } = await runPv(['scan', 'p'], { files: project });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '1 file read: 1 with keywords of a rule; 1 finding in 1 file, 0 with a fix; 7 generated files left out; ' +
        '3 files of tests and fixtures left out (--tests reads them)',
    );
  });

  it('tests when asked: by a flag, by their folder or by their name', async () => {
    expect(await paths('p', '--tests')).toEqual([
      'p/fixtures/c.mjs',
      'p/index.js',
      'p/src/b.spec.ts',
      'p/test/a.test.js',
    ]);
    expect(await paths('p/test')).toEqual(['p/test/a.test.js']);
    expect(await paths('p/src/b.spec.ts')).toEqual(['p/src/b.spec.ts']);
    expect(await paths('p/lib/compiled.js')).toEqual(['p/lib/compiled.js']);
  });

  it('a folder of which nothing is read is not a success', async () => {
    const { code, stdout } = await runPv(['scan', 'q'], { files: project });
    expect([code, stdout]).toEqual([
      exitCodes.usage,
      expect.stringMatching(/q.*: only tests, fixtures and generated JavaScript/),
    ]);
  });

  it('no build output, which it names', async () => {
    const files = { 'm/dist/index.js': draw, 'm/README.md': '' };
    const { code, stdout } = await runPv(['scan', 'm'], { files });
    expect([code, stdout]).toEqual([exitCodes.usage, expect.stringMatching(/outside m\/dist[^]*name it: m\/dist/)]);
    expect((await runPv(['scan', 'm/dist', '--no-types'], { files })).code).toBe(exitCodes.findings);
  });

  it('no halves of a file, which it counts', async () => {
    const files = {
      'h/src/_header.js': `(function () {\n${draw}`,
      'h/src/_footer.js': '})();\n',
      'h/src/core.js': 'export const a = 1;\n',
      'h/other/_footer.js': '})();\n',
    };
    const { code, stdout } = await runPv(['scan', 'h/src', '--no-types'], { files });
    expect([code, stdout]).toEqual([
      exitCodes.ok,
      '3 files read: 0 with keywords of a rule; nothing found; 2 halves of files, which a build joins, not read\n',
    ]);
    // Alone it is a file that does not parse.
    const alone = await runPv(['scan', 'h/src/core.js', 'h/other/_footer.js', '--no-types'], { files });
    expect([alone.code, alone.stdout]).toEqual([exitCodes.findings, expect.stringContaining('PV-9110')]);
  });

  it('what Flow types, what nothing imports, and draws of no learning, by counts and names', async () => {
    const files = {
      'g/a.js': '// @flow\nexport const a = (n: ?number): {| n: number |} => n;\n',
      'g/README.js': '**Notes** on shuffling.\n',
      'g/shuffle.js': 'export const shuffleData = (xs) => { const j = Math.random(); return xs[j]; };\n',
      'g/plugin.js': `/*! A licence. */\nvar a = [${'1,'.repeat(1000)}];\n`,
    };
    const { code, stdout } = await runPv(['scan', 'g', '--no-types'], { files });
    expect([code, stdout]).toEqual([
      exitCodes.ok,
      '3 files read: 1 with keywords of a rule; nothing found; 1 generated file left out; 1 file with types of Flow not read; ' +
        '1 file that no file imports and that does not parse: g/README.js; ' +
        '1 draw without a seed left out, since no code here learns or searches (--rule unseeded-randomness shows them)\n',
    ]);
    const asked = await runPv(['scan', 'g', '--rule', 'unseeded-randomness'], { files });
    expect([asked.code, asked.stdout]).toEqual([exitCodes.findings, expect.stringContaining('g/shuffle.js:1')]);
    const named = await runPv(['scan', 'g/README.js', '--no-types'], { files });
    expect([named.code, named.stdout]).toEqual([exitCodes.findings, expect.stringContaining('PV-9110')]);
  });

  it('conventions only where they are named', async () => {
    const text = "function trainStep(loss) { console.log('loss', loss); }\n";
    const run = async (...argv: readonly string[]) =>
      (await runPv(['scan', 'a.js', ...argv], { files: { 'a.js': text } })).code;
    expect([await run(), await run('--rule', 'console-diagnostics')]).toEqual([exitCodes.ok, exitCodes.findings]);
  });
});

describe('links', () => {
  it('out of the folder are counted and not followed; those within are read once', async () => {
    const root = await mkdtemp(join(tmpdir(), 'pv-scan-'));
    try {
      const draw = 'export const initWeights = () => Math.random();\n';
      await mkdir(join(root, 'out/deep'), { recursive: true });
      await mkdir(join(root, 'pkg/src'), { recursive: true });
      for (const path of ['out/deep/a.js', 'pkg/src/b.js']) await writeFile(join(root, path), draw);
      await symlink('../out', join(root, 'pkg/lib'));
      await symlink('/', join(root, 'pkg/loop'));
      await symlink('../../out/deep/a.js', join(root, 'pkg/src/a.js'));
      await symlink('src', join(root, 'pkg/same'));
      const { code, stdout } = await runPv(['scan', 'pkg', '--no-types'], { host: createNodeHost(root) });
      expect(code).toBe(exitCodes.findings);
      expect(stdout).toMatch(
        /^1 file read: .*; 3 links out of the folder, or back to one above, not followed: pkg\/lib, pkg\/loop and pkg\/same\/a\.js$/m,
      );
      const json = await runPv(['scan', 'pkg', '--no-types', '--format', 'json'], { host: createNodeHost(root) });
      const { summary, linksLeftOut } = JSON.parse(json.stdout);
      expect([summary.files, summary.linksLeftOut, linksLeftOut]).toEqual([
        1,
        3,
        ['pkg/lib', 'pkg/loop', 'pkg/same/a.js'],
      ]);
      // The folder that is named is the root, also if it is a link.
      expect((await runPv(['scan', 'pkg/lib', '--no-types'], { host: createNodeHost(root) })).stdout).toContain(
        'pkg/lib/deep/a.js',
      );
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it('that lead in a circle are counted and not followed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'pv-circle-'));
    try {
      await mkdir(join(root, 'pkg/src/deep'), { recursive: true });
      await writeFile(join(root, 'pkg/src/a.js'), 'export const a = 1;\n');
      for (const [to, from] of [
        ['..', 'pkg/src/deep/up'],
        ['../../../pkg', 'pkg/src/deep/top'],
        ['self.js', 'pkg/self.js'],
      ] as const)
        await symlink(to, join(root, from));
      const { code, stdout } = await runPv(['scan', 'pkg', '--no-types'], { host: createNodeHost(root) });
      expect([code, stdout]).toEqual([
        exitCodes.ok,
        expect.stringMatching(
          /^1 file read: .*; 3 links .* not followed: pkg\/self\.js, pkg\/src\/deep\/top and pkg\/src\/deep\/up$/m,
        ),
      ]);
      // A path that is named must be read.
      const named = await runPv(['scan', 'pkg/self.js', '--no-types'], { host: createNodeHost(root) });
      expect(named.code).toBe(exitCodes.usage);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it('that fork at every level end', async () => {
    const root = await mkdtemp(join(tmpdir(), 'pv-fork-'));
    try {
      for (let i = 0; i < 40; i += 1) {
        await mkdir(join(root, `p/d${i}`), { recursive: true });
        if (i < 39) for (const name of ['x', 'y']) await symlink(`../d${i + 1}`, join(root, `p/d${i}/${name}`));
      }
      await writeFile(join(root, 'p/d39/a.js'), 'export const a = 1;\n');
      const { code, stdout } = await runPv(['scan', 'p', '--no-types'], { host: createNodeHost(root) });
      expect([code, stdout]).toEqual([exitCodes.ok, expect.stringMatching(/^1 file read: /)]);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe('the output of pv scan', () => {
  it('frames findings and counts what was looked at', async () => {
    const { stdout } = await runPv(['scan', 'src'], { files });
    expect(stdout).toMatch(/^warning\[PV-9108\]: .*\n\s+--> src\/bad\.ts:2:10/);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      '2 files read: 1 with keywords of a rule; 1 finding in 1 file, 0 with a fix',
    );
  });

  it('is quiet when asked', async () => {
    expect((await runPv(['scan', 'src/good.ts', '--quiet'], { files })).stdout).toBe('');
    expect((await runPv(['scan', 'src/good.ts'], { files })).stdout).toBe(
      '1 file read: 0 with keywords of a rule; nothing found\n',
    );
  });

  it('is data when asked', async () => {
    const { stdout } = await runPv(['scan', 'src', 'swap', '--format', 'json'], { files });
    const { schema, summary, diagnostics } = JSON.parse(stdout);
    expect([schema, summary]).toEqual([
      'pv.scan/1',
      {
        files: 3,
        examined: 2,
        suppressed: 0,
        parts: 0,
        flow: 0,
        withheld: 0,
        testsLeftOut: 0,
        generatedLeftOut: 0,
        linksLeftOut: 0,
        findings: 2,
        fixesWritten: 0,
      },
    ]);
    expect(
      diagnostics.map((one: { code: string; path: string; fixable: boolean }) => [one.code, one.path, one.fixable]),
    ).toEqual([
      ['PV-9108', 'src/bad.ts', false],
      ['PV-9107', 'swap/gemm.ts', true],
    ]);
  });

  it.each([
    ['github', '::warning file=src/bad.ts,line=2'],
    ['sarif', '"ruleId": "PV-9108"'],
    ['gitlab', '"check_name": "PV-9108"'],
  ])('has the format %s', async (format, expected) => {
    expect((await runPv(['scan', 'src', '--format', format], { files })).stdout).toContain(expected);
  });

  it('shows the escapes of a name to GitHub instead of writing them', async () => {
    const { stdout } = await runPv(['scan', 'a.js', '--format', 'github'], {
      files: { 'a.js': 'export function initWeights\u001b[2J() {\n  return Math.random();\n}\n' },
    });
    expect(stdout).toMatch(/^::/);
    expect(stdout).not.toContain('\u001b');
  });

  it('reads the settings of the project', async () => {
    const withSettings = { 'pv.scan.yaml': 'bit_reproducible: [src]\n', 'src/a.ts': 'export const e = Math.exp(1);\n' };
    expect((await runPv(['scan', 'src'], { files: withSettings })).stdout).toContain('PV-9109');
    const wrong = { ...withSettings, 'pv.scan.yaml': 'nonsense: 1\n' };
    const ran = await runPv(['scan', 'src'], { files: wrong });
    expect(ran.stdout).toContain('PV-9113');
    expect(ran.code).toBe(exitCodes.findings);
  });
});

describe('pv scan --fix', () => {
  it('mends what may be mended, and reports the rest', async () => {
    const host = createMemoryHost(files);
    const ran = await runPv(['scan', 'src', 'swap', '--fix'], { host });
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toContain('1 finding in 1 file, 0 with a fix; 1 fix written to 1 file');
    const written = await host.readText('swap/gemm.ts');
    expect(written.ok && written.value).toContain('gemm(m, n, k);');
  });

  it('ends with 0 when everything is mended', async () => {
    const host = createMemoryHost(files);
    expect((await runPv(['scan', 'swap', '--fix'], { host })).code).toBe(exitCodes.ok);
  });

  it('reports what it cannot write', async () => {
    const host = {
      ...createMemoryHost(files),
      writeFileAtomic: async (path: string) => err({ kind: 'denied', path, message: 'permission denied' } as const),
    };
    const ran = await runPv(['scan', 'swap', '--fix'], { host });
    expect(ran.code).toBe(exitCodes.usage);
    expect(ran.stdout).toContain('cannot be written: permission denied');
  });

  it('leaves files alone that are not all UTF-8', async () => {
    const host = createMemoryHost({ 'a.ts': `// \uFFFD\n${files['swap/gemm.ts']}` });
    expect((await runPv(['scan', 'a.ts', '--fix'], { host })).stdout).toContain('1 with a fix');
  });
});
