/** Holds src/contract/yaml/node.ts. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContracts } from '../../../src/contract/validate.ts';
import { plainData, type YamlNode } from '../../../src/contract/yaml/node.ts';
import { parseYaml } from '../../../src/contract/yaml/parse.ts';
import { positionAt } from '../../../src/diagnostics/source.ts';
import { bin, ensureBuilt, repositoryRoot, runProcess } from '../../support/built.ts';

const softmax = readFileSync(`${repositoryRoot}contracts/softmax-kernel-v1.yaml`, 'utf8');

/** `PV-1024 20`: code and line of every finding, in order. */
function findings(text: string): readonly string[] {
  const { diagnostics } = readContracts([{ path: 'softmax-kernel-v1.yaml', text }]);
  return diagnostics.map(({ code, span }) =>
    span ? `${code} ${positionAt(span.source, span.range.start).line}` : code,
  );
}

const fragmentOf = (text: string): YamlNode | null => parseYaml({ path: 'x.yaml', text }).fragment?.root ?? null;

describe('a file with several syntax errors', () => {
  it.each<[string, readonly string[]]>([
    [
      'metadata:\n  version: "1\n  kind: kernel\nequations:\n  f:\n    formula: a = b\n    domain: [x\n  g:\n    formula: |x| <= 1\nproof_obligations:\n  - type: invariant\n    formal: a: b: c\n  - type: bound\n   formal: x\n',
      ['PV-1022 2', 'PV-1022 7', 'PV-1024 9', 'PV-1024 12', 'PV-1021 14'],
    ],
    ['a:\n  b: "\\q"\n  c: |x|\n  d: [1\n  e: %x\n', ['PV-1023 2', 'PV-1024 3', 'PV-1022 4', 'PV-1024 5']],
    ["a:\n  b: 'x\n  c: 1\n  d: a: b\nf:\n  g: 1\n h: 2\n", ['PV-1022 2', 'PV-1024 4', 'PV-1021 7']],
    ['a:\n  b: [1,\n     2\n  c: {x: 1\n  d: 3\n', ['PV-1022 2', 'PV-1022 4']],
  ])('has all of them reported, each once: %j', (text, expected) => {
    expect(findings(text).filter((finding) => finding.startsWith('PV-10'))).toEqual(expected);
  });

  it('has each of any few errors reported, with its own kind and in its own line', () => {
    const lines = softmax.split('\n');
    const quoted = lines.flatMap((line, i) =>
      /^\s*(?:formal|prediction|given|description|property): /.test(line) ? [i] : [],
    );
    const mistakes = [
      ['PV-1024', '|x| ≤ 1'],
      ['PV-1024', 'a: b'],
      ['PV-1022', '"never closed'],
      ['PV-1022', '[1, 2'],
      ['PV-1023', '"\\q"'],
    ] as const;
    const mistake = fc.record({ line: fc.constantFrom(...quoted), kind: fc.constantFrom(...mistakes) });
    fc.assert(
      fc.property(fc.uniqueArray(mistake, { minLength: 1, maxLength: 6, selector: ({ line }) => line }), (list) => {
        const broken = [...lines];
        for (const { line, kind } of list) broken[line] = `${/^\s*\w+: /.exec(lines[line] ?? '')?.[0] ?? ''}${kind[1]}`;
        const expected = list.toSorted((a, b) => a.line - b.line).map(({ line, kind }) => `${kind[0]} ${line + 1}`);
        expect(findings(broken.join('\n')).filter((finding) => finding.startsWith('PV-10'))).toEqual(expected);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});

describe('the part of a broken file that can be read', () => {
  it('shows what else is wrong, and not what it lacks', () => {
    const broken = softmax.replace('formal: "σ(x', 'formal: |σ(x').replace('type: bound', 'type: bond');
    const found = findings(broken);
    expect(found).toHaveLength(2);
    expect(found.map((finding) => finding.slice(0, 7)).toSorted()).toEqual(['PV-1024', 'PV-2004']);
    // The obligations are gone with their section; nothing may say that they are missing.
    expect(
      findings('metadata:\n  version: "1.0.0"\nequations:\n  f: {formula: "f(x) = x"}\nproof_obligations: [\n'),
    ).toEqual(['PV-1022 5']);
  });

  it('has the values and places that a whole file has', () => {
    const good = 'a: 1\nb: "x\\ty"\nc: |\n  one\n  two\nd: [p, "q"]\ne: {f: yes}\ng: plain\n  text\nh:\n';
    const whole = parseYaml({ path: 'x.yaml', text: good }).value;
    const part = fragmentOf(`${good}z: |x|\n`);
    expect(whole && part && { ...(plainData(part) as object), z: undefined }).toEqual(
      whole && { ...(plainData(whole) as object), z: undefined },
    );
    const places = (node: YamlNode | null): readonly string[] =>
      node?.kind === 'mapping'
        ? node.entries.flatMap(({ key, keyRange, value }) => [
            `${key} ${keyRange.start}-${keyRange.end}`,
            ...(value.kind === 'scalar' ? [`${value.range.start}-${value.range.end} ${value.indent}`] : places(value)),
          ])
        : [];
    expect(places(part).slice(0, places(whole).length)).toEqual(places(whole));
  });

  it('is never used as a contract', () => {
    expect(readContracts([{ path: 'a.yaml', text: softmax.replace('formal: "σ(x', 'formal: |σ(x') }]).value).toEqual(
      [],
    );
  });

  it('is null for what is not a mapping, nests too deep or is too large', () => {
    expect(fragmentOf('- [\n')).toBeNull();
    expect(fragmentOf(`a: |x|\nb: ${'['.repeat(10_000)}`)).toBeNull();
    expect(fragmentOf(`a: |x|\nb: "${'x'.repeat(300_000)}"\n`)).toBeNull();
  });
});

describe('hostile broken files', () => {
  it.each([
    ['many continued lines', `a: "\n${'  x\n'.repeat(60_000)}`],
    ['many items', `a: [\nb: |x|\n${'- '.repeat(100_000)}`],
    ['many open maps', `a: |x|\nb: [${'{a: '.repeat(50_000)}`],
    ['many anchors', `a: |x|\n${'b: &c *c\n'.repeat(20_000)}`],
  ])('%s end soon, without a crash', (_, text) => {
    expect(readContracts([{ path: 'x.yaml', text }]).diagnostics).not.toEqual([]);
  });
});

describe('the package that recovers', () => {
  it('is loaded for broken files, and for no other', async () => {
    ensureBuilt();
    const folder = await mkdtemp(join(tmpdir(), 'pv-recover-'));
    try {
      const hook = join(folder, 'hook.cjs');
      const tell = `process.stderr.write('yaml: ' + Object.keys(require.cache).some((key) => /node_modules.yaml\\W/.test(key)))`;
      await writeFile(hook, `process.on('exit', () => ${tell})`);
      await writeFile(join(folder, 'broken.yaml'), 'a: |x|\n');
      const run = (path: string) =>
        runProcess(process.execPath, ['--require', hook, bin, 'validate', path], { cwd: repositoryRoot });
      expect((await run('contracts')).stderr).toBe('yaml: false');
      expect((await run(join(folder, 'broken.yaml'))).stderr).toBe('yaml: true');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
