/**
 * Holds src/scan/module.ts, src/scan/optimizers.ts, src/scan/reproducible/roots.ts, src/scan/rules.ts,
 * src/scan/sizes/constants.ts, src/scan/sizes/monomial.ts, src/scan/suppressions.ts, src/scan/syntax/comments.ts,
 * src/scan/syntax/names.ts, src/scan/syntax/scope.ts, src/scan/syntax/walk.ts.
 */
import { describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { codes } from '../../src/diagnostics/codes.ts';
import { ruleNames, rules } from '../../src/scan/rules.ts';
import { scanCode } from '../support/scan-code.ts';

const codesOf = async (...input: Parameters<typeof scanCode>): Promise<readonly string[]> =>
  (await scanCode(...input)).findings.map(({ diagnostic }) => diagnostic.code);

const draw = 'function initWeights() { return Math.random(); }';

describe('the registry of rules', () => {
  it('has a code and a page for every rule', async () => {
    expect(Object.keys(rules)).toEqual(ruleNames);
    for (const name of ruleNames) {
      const page = await readFile(new URL(`../../docs/codes/${rules[name].code}.md`, import.meta.url), 'utf8');
      expect(page).toContain(`Rule \`${name}\``);
      expect(page.startsWith(`# ${rules[name].code}: ${codes[rules[name].code].title}`)).toBe(true);
    }
  });

  it.each(ruleNames)('%s: the wrong example of its page is found, the right one is not', async (name) => {
    const page = await readFile(new URL(`../../docs/codes/${rules[name].code}.md`, import.meta.url), 'utf8');
    const [wrong = '', right = ''] = [...page.matchAll(/^```(?:ts|python)\n([\s\S]*?)^```$/gm)].map(
      (block) => block[1] ?? '',
    );
    const file = 'language' in rules[name] ? 'a.py' : 'a.ts';
    expect(await codesOf({ [file]: wrong })).toContain(rules[name].code);
    // A mended call is looked at beside the declaration of the wrong one.
    const declared = wrong.split('\n\n').slice(0, -1).join('\n\n');
    expect(await codesOf({ [file]: `${declared}\n${right}` })).not.toContain(rules[name].code);
  });
});

describe('files that are no programs', () => {
  it.each([
    ['a syntax error', 'const weights = new Float32Array(;'],
    ['a syntax error in a file without a word of any rule', 'let = = 1;'],
    ['binary', '\0\u0001\uFFFD\uFFFD}{'],
    ['brackets without end', '['.repeat(20_000)],
    ['deep parentheses', `const a = ${'('.repeat(30_000)}1${')'.repeat(30_000)};`],
    ['a deep tree that parses', `const a = Math.random()${' + 1'.repeat(20_000)};`],
  ])('%s is one finding', async (_name, text) => {
    expect(await codesOf({ 'a.ts': text })).toEqual(['PV-9110']);
  });

  it.each([
    ['an empty file', ''],
    ['a byte order mark', '\uFEFFexport const a = 1;'],
    ['a byte order mark before a line for the shell', '\uFEFF#!/usr/bin/env node\nexport const a = 1;'],
    ['carriage returns', 'export const a = 1;\r\nexport const b = 2;\r\n'],
    ['JSX', 'export const a = <b>Math.random</b>;'],
  ])('%s is none', async (_name, text) => {
    expect(await codesOf({ 'a.tsx': text })).toEqual([]);
  });

  it('do not keep others from being scanned', async () => {
    expect(await codesOf({ 'a.ts': '}', 'b.ts': draw })).toEqual(['PV-9110', 'PV-9108']);
  });
});

describe('suppressions', () => {
  it.each([
    ['on the line before', `// pv-scan-ignore unseeded-randomness: a demonstration\n${draw}`],
    ['on the line itself', `${draw} // pv-scan-ignore unseeded-randomness: a demonstration`],
    ['in a block comment', `/* pv-scan-ignore unseeded-randomness: a demonstration */\n${draw}`],
    ['above another comment', `// pv-scan-ignore unseeded-randomness: a demonstration\n// of chance\n${draw}`],
    [
      'of two rules',
      `// pv-scan-ignore unseeded-randomness, console-diagnostics: a demonstration\nfunction trainStep() { console.log('loss', Math.random()); }`,
    ],
  ])('%s', async (_name, text) => {
    const { findings, counts } = await scanCode({ 'a.ts': text });
    expect(findings).toEqual([]);
    expect(counts.suppressed).toBeGreaterThan(0);
  });

  it.each([
    ['without a reason', `// pv-scan-ignore unseeded-randomness\n${draw}`, ['PV-9111', 'PV-9108']],
    ['with an empty reason', `// pv-scan-ignore unseeded-randomness: \n${draw}`, ['PV-9111', 'PV-9108']],
    ['of no rule', `// pv-scan-ignore: because\n${draw}`, ['PV-9111', 'PV-9108']],
    ['of an unknown rule', `// pv-scan-ignore unseeded-randomnes: because\n${draw}`, ['PV-9111', 'PV-9108']],
    ['of another rule', `// pv-scan-ignore buffer-size: because\n${draw}`, ['PV-9112', 'PV-9108']],
    ['too far away', `// pv-scan-ignore unseeded-randomness: because\nconst a = 1;\n${draw}`, ['PV-9112', 'PV-9108']],
    ['with nothing to suppress', '// pv-scan-ignore platform-math: because\nconst a = 1;', ['PV-9112']],
    ['in a text', `const s = '// pv-scan-ignore unseeded-randomness: because'; ${draw}`, ['PV-9108']],
  ])('%s suppress nothing', async (_name, text, expected) => {
    expect(await codesOf({ 'a.ts': text }, { types: true })).toEqual(expected);
  });

  it('of rules that did not run are not called unused', async () => {
    const text = '// pv-scan-ignore gemm-argument-order: because\nconst a = 1;';
    expect(await codesOf({ 'a.ts': text }, { rules: ['platform-math'], types: true })).toEqual([]);
    expect(await codesOf({ 'a.ts': text }, { types: false })).toEqual([]);
    expect(await codesOf({ 'a.ts': text }, { types: true })).toEqual(['PV-9112']);
  });
});

describe('code that is not strict', () => {
  const red = 'var RED = "\\033[31m", mode = 0755, day = 08;\n';
  it.each([
    ['a.js', red, []],
    ['a.cjs', red, []],
    ['a.ts', red, ['PV-9110']],
    ['a.mjs', red, ['PV-9110']],
    ['a.js', `export ${red}`, ['PV-9110']],
    ['a.js', `${red}var = 1;\n`, ['PV-9110']],
  ])('%s is read where JavaScript allows it', async (path, text, expected) => {
    expect(await codesOf({ [path]: text })).toEqual(expected);
  });
});

describe('findings', () => {
  it('come in the order of files and places, whatever the order of rules', async () => {
    const text = `${draw}\nfunction trainStep() { console.log('loss', loss); }\n${draw}`;
    const { findings } = await scanCode({ 'b.ts': text, 'a.ts': text.replaceAll('{', '{ work();') });
    const places = findings.map(({ diagnostic: { span } }) => [span?.source.path, span?.range.start]);
    expect(places).toEqual(
      places.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])) || Number(a[1]) - Number(b[1])),
    );
    expect(places).toHaveLength(6);
  });

  it('count files, and those that a rule has words in', async () => {
    const { counts } = await scanCode({ 'a.ts': draw, 'b.ts': 'export const a = 1;' });
    expect(counts).toEqual({ files: 2, examined: 1, suppressed: 0, parts: 0, flow: 0, withheld: 0 });
  });
});

describe('sizes of a matrix product in the wrong order', () => {
  const swapped = `
/** c[m, n] = a[m, k] · b[k, n] */
function gemm(a: Float32Array, b: Float32Array, c: Float32Array, m: number, n: number, k: number): void {
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) for (let p = 0; p < k; p++) c[i * n + j]! += a[i * k + p]! * b[p * n + j]!;
}
export function product(x: Float32Array, w: Float32Array, m: number, n: number, k: number): Float32Array {
  const y = new Float32Array(m * n);
  gemm(x, w, y, m, k, n);
  return y;
}`;

  it('are one finding, about the order, not another that asks for a buffer of another size', async () => {
    const { findings } = await scanCode({ 'src/sample.ts': swapped });
    expect(findings.map(({ diagnostic: { code, message, hint } }) => [code, message, hint])).toEqual([
      [
        'PV-9107',
        'this call passes m, k, n as m, n, k, so that `c` needs k × m elements, and `y` has m × n',
        'check the order of the sizes: the signature takes m, n, k',
      ],
    ]);
  });

  it('are found as a buffer of another size where only that is looked for', async () => {
    const { findings } = await scanCode({ 'src/sample.ts': swapped }, { rules: ['buffer-size'] });
    expect(findings.map(({ diagnostic: { code, hint } }) => [code, hint])).toEqual([
      ['PV-9106', 'allocate k × m elements, pass the buffer that has them, or check the sizes that the call passes'],
    ]);
  });
});
