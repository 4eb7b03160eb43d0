/**
 * Holds src/subject/find-function.ts, src/subject/function-program.ts, src/subject/kernel-reader.ts,
 * src/subject/kernel-syntax.ts, src/subject/print-kernel.ts, src/subject/rank-of-type.ts,
 * src/subject/read-kernel-expression.ts, src/subject/read-kernel-statement.ts, src/subject/read-kernel.ts,
 * src/subject/syntax-problem.ts, src/subject/typescript.ts.
 */
import { describe, expect, it } from 'vitest';
import { positionAt } from '../../src/diagnostics/source.ts';
import { readKernelProgram } from '../../src/subject/kernel-program.ts';
import { kernelCases, kernelFromText, shippedKernel } from '../support/kernels.ts';

const header = "import type { KernelThread } from 'provable-contracts/runtime';\n";
const kernel = (body: string, parameters = 'x: readonly number[], n: number'): string =>
  `${header}export function kernel(this: KernelThread, ${parameters}): number {\n${body}\n}\n`;

/** Codes with the line of each, as `PV-5020@3`. */
async function findings(text: string, name = 'kernel'): Promise<readonly string[]> {
  const { diagnostics } = await readKernelProgram({ path: 'kernel.ts', text }, name);
  return diagnostics.map(({ code, span }) => `${code}@${span ? positionAt(span.source, span.range.start).line : '-'}`);
}

describe('a kernel is read', () => {
  it('as canonical JavaScript: no types, no comments, every variable with a name of its own, every body in braces', async () => {
    const text = kernel(`
      // the largest
      let m = x[0]!; /* first */
      for (let i = 1; i < n; i++) m = Math.max(m, x[i] as number);
      let s = (0);
      for (let i = 0; i != n; ++i) { const e = Math.exp(x[i]! - m); s += e; }
      if (s == 0) return +1; else if (s > 1e3) { return -s }
      return Math.exp(x[this.thread.x]! - m) / s;`);
    const program = await kernelFromText(text);
    expect(program.source).toBe(`function kernel(x, n) {
  let m = x[0];
  for (let i = 1; i < n; i++) {
    m = Math.max(m, x[i]);
  }
  let s = 0;
  for (let i_2 = 0; i_2 !== n; i_2++) {
    const e = Math.exp(x[i_2] - m);
    s += e;
  }
  if (s === 0) {
    return 1;
  } else {
    if (s > 1000) {
      return -s;
    }
  }
  return Math.exp(x[this.thread.x] - m) / s;
}
`);
    expect(program).toMatchObject({
      name: 'kernel',
      language: 'gpu.js',
      outputRank: 1,
      parameters: [
        { name: 'x', rank: 1 },
        { name: 'n', rank: 0 },
      ],
    });
  });

  it('to the same hash whatever its types, comments and white space are', async () => {
    const [one, two, three] = await Promise.all([
      kernelFromText(kernel('return x[this.thread.x]! * n;')),
      kernelFromText(kernel('/** twice */ return (x[this.thread.x] as number)*n', 'x: number[], n:number')),
      kernelFromText(kernel('return x[this.thread.x]! * n * 1;')),
    ]);
    expect(one.sourceHash).toBe(two.sourceHash);
    expect(one.sourceHash).toMatch(/^sha256:[0-9a-f]{64}$/u);
    expect(three.sourceHash).not.toBe(one.sourceHash);
  });

  it.each([
    ['readonly number[]', 1],
    ['number[][]', 2],
    ['ReadonlyArray<readonly number[]>', 2],
    ['Array<Array<number[]>>', 3],
    ['readonly (readonly (readonly number[])[])[]', 3],
    ['Float32Array', 1],
    ['Matrix', 2],
  ])('with the rank that %s says or its uses show', async (type, rank) => {
    const indices = '[0]!'.repeat(rank);
    const program = await kernelFromText(
      `type Matrix = readonly (readonly number[])[];\n${kernel(`return a${indices};`, `a: ${type}`)}`,
    );
    expect(program.parameters).toEqual([{ name: 'a', rank, integer: false }]);
  });

  it('under names of ASCII letters', async () => {
    const program = await kernelFromText(kernel('const β = α * 2; return β;', 'α: number'));
    expect(program.source).toContain('const u3b2_ = u3b1_ * 2;');
  });

  it.each([
    'export function kernel',
    'function helper() { return 1; }\nexport function kernel',
    'export const kernel = function',
  ])('from "%s"', async (start) => {
    const program = await kernelFromText(`${header}${start}(this: KernelThread): number { return 1; }`);
    expect(program.source).toContain('function kernel() {');
  });

  it('from an export list, under its exported name', async () => {
    const program = await kernelFromText(
      `${header}function inner(this: KernelThread): number { return 1; }\nexport { inner as kernel };`,
    );
    expect(program.source).toContain('function kernel()');
  });

  it('reading its own text gives it back', async () => {
    for (const { family, name } of kernelCases) {
      const { source, parameters } = await shippedKernel(family, name);
      const types = ['number', 'number[]', 'number[][]', 'number[][][]'];
      const typed = source.replace(
        /\(.*\) \{/u,
        `(this: KernelThread, ${parameters.map((parameter) => `${parameter.name}: ${types[parameter.rank]}`).join(', ')}): number {`,
      );
      expect((await kernelFromText(`${header}export ${typed}`, name)).source).toBe(source);
    }
  });
});

describe('a kernel is refused', () => {
  it.each([
    ['a name from outside', 'return n * outside;', 'PV-5021@3'],
    ['a call of a function', 'return helper(x[0]!);', 'PV-5021@3'],
    ['a nested function', 'function inner(): number { return 1; }\nreturn inner();', 'PV-5020@3 PV-5021@4'],
    ['an arrow inside', 'const f = () => 1;\nreturn 1;', 'PV-5020@3'],
    ['a write to an input', 'x[0] = 9;\nreturn x[0]!;', 'PV-5022@3'],
    ['a write to what is no array', 'const t = 1;\nt[0] = 9;\nreturn t;', 'PV-5020@4'],
    ['a write to a parameter', 'n = 2;\nreturn n;', 'PV-5022@3'],
    ['a step of a parameter', 'n++;\nreturn n;', 'PV-5022@3'],
    ['a write to a constant', 'const a = 1;\na = 2;\nreturn a;', 'PV-5020@4'],
    ['NaN', 'return NaN;', 'PV-5020@3'],
    ['bit operations', 'return n | 0;', 'PV-5020@3'],
    ['a step inside an expression', 'let i = 0;\nreturn x[i++]!;', 'PV-5020@4'],
    ['an assignment inside an expression', 'let i = 0;\nreturn (i = 2);', 'PV-5020@4'],
    ['??', 'return x[0] ?? 0;', 'PV-5020@3'],
    ['for…of', 'for (const v of x) { return v; }\nreturn 1;', 'PV-5020@3'],
    ['a loop without a step', 'for (let i = 0; i < n;) { i++; }\nreturn 1;', 'PV-5020@3'],
    ['two loop variables', 'for (let i = 0, j = 0; i < n; i++) { j += 1; }\nreturn 1;', 'PV-5020@3'],
    ['do…while', 'do { n; } while (n > 1);\nreturn 1;', 'PV-5020@3'],
    ['a variable without a value', 'let s;\nreturn 1;', 'PV-5020@3'],
    ['a pattern', 'const [a] = x;\nreturn 1;', 'PV-5020@3'],
    ['a length', 'return x.length;', 'PV-5020@3'],
    ['an unknown Math function', 'return Math.hypot(n, n);', 'PV-5020@3'],
    ['Math.random', 'return Math.random();', 'PV-5020@3'],
    ['a wrong number of arguments', 'return Math.exp(n, n);', 'PV-5020@3'],
    ['an array as a value', 'return x;', 'PV-5020@3'],
    ['too many indices', 'return x[0]![1]!;', 'PV-5020@3'],
    ['an index of a local', 'const a = 1;\nreturn a[0];', 'PV-5020@4'],
    ['no value at the end', 'if (n > 1) { return 1; }', 'PV-5023@2'],
    ['a bare return', 'return;', 'PV-5020@3'],
    ['a string', 'return "1";', 'PV-5020@3'],
    ['a template', 'return `1`;', 'PV-5020@3'],
    ['an object', 'const o = { a: 1 };\nreturn 1;', 'PV-5020@3'],
    ['a try', 'try { return 1; } catch { return 2; }', 'PV-5020@3'],
    ['an await', 'return await n;', 'PV-5020@3'],
    ['a label', 'outer: for (let i = 0; i < n; i++) { break outer; }\nreturn 1;', 'PV-5020@3'],
    ['arithmetic of whole literals beyond 32 bits', 'return n + (1e10 + 2);', 'PV-5020@3'],
    ['a constant of the build', 'return this.constants.a;', 'PV-5020@3'],
  ])('for %s', async (_, body, expected) => {
    expect((await findings(kernel(body))).join(' ')).toBe(expected);
  });

  it.each([
    ['an arrow', 'export const kernel = (this: KernelThread, n: number): number => n;', 'PV-5020@2'],
    [
      'an async function',
      'export async function kernel(this: KernelThread, n: number): Promise<number> { return n; }',
      'PV-5020@2',
    ],
    ['a default value', 'export function kernel(this: KernelThread, n = 1): number { return n; }', 'PV-5020@2'],
    [
      'rest parameters',
      'export function kernel(this: KernelThread, ...n: number[]): number { return n[0]!; }',
      'PV-5020@2',
    ],
    [
      'a function that is not exported',
      'function kernel(this: KernelThread, n: number): number { return n; }',
      'PV-5009@2',
    ],
    ['a function that does not exist', 'export const other = 1;', 'PV-5008@-'],
  ])('as a whole for %s', async (_, text, expected) => {
    expect((await findings(header + text)).join(' ')).toBe(expected);
  });

  it('reports every mistake at once, at its place', async () => {
    const text = kernel('let a = outside;\nx[0] = a;\nreturn a | 1;');
    expect(await findings(text)).toEqual(['PV-5021@3', 'PV-5022@4', 'PV-5020@5']);
  });

  it('rather than exhaust the stack', async () => {
    for (const body of [
      `return ${'('.repeat(5_000)}1${')'.repeat(5_000)};`,
      `return ${'-'.repeat(3_000).replaceAll('--', '- -')}1;`,
      `return 1${' + 1'.repeat(20_000)};`,
      `${'{'.repeat(3_000)}${'}'.repeat(3_000)} return 1;`,
      `return ${'x['.repeat(2_000)}0${']'.repeat(2_000)};`,
    ]) {
      const { value, diagnostics } = await readKernelProgram({ path: 'deep.ts', text: kernel(body) }, 'kernel');
      expect(value === null || diagnostics.length === 0).toBe(true);
      expect(diagnostics.length).toBeLessThan(20);
    }
  });

  it('for a syntax error, at its place', async () => {
    expect(await findings(kernel('return n * ;'))).toEqual(['PV-5024@3']);
  });

  it('for text that is not TypeScript, without throwing', async () => {
    for (const text of [
      '',
      '\0\0',
      'export function kernel(',
      'export function kernel(this: any) { return',
      '<<<',
      '}'.repeat(1000),
    ]) {
      const { value } = await readKernelProgram({ path: 'broken.ts', text }, 'kernel');
      expect(value).toBeNull();
    }
  });
});

describe('a plain function', () => {
  it('becomes a module that holds what it imports and nothing else', async () => {
    const text =
      "import { sep } from 'node:path';\nconst unused = 'UNUSED';\nconst half = 0.5;\nexport const other = unused;\nexport function kernel(x: Float32Array, n: number): Float32Array { return x.map((v) => v * half * n * sep.length); }";
    const program = await kernelFromText(text);
    expect(program).toMatchObject({
      language: 'function',
      syntax: null,
      parameters: [
        { name: 'x', rank: 1 },
        { name: 'n', rank: 0 },
      ],
    });
    expect(program.source).toContain('node:path');
    expect(program.source).not.toContain('UNUSED');
    expect((await kernelFromText(`// a remark\n${text.replaceAll('; ', ';\n\n  ')}`)).sourceHash).toBe(
      program.sourceHash,
    );
  });

  it('with a missing import or a syntax error is reported at its place', async () => {
    expect(
      await findings(
        "import { a } from './absent.ts';\nexport function kernel(x: Float32Array): Float32Array { return a(x); }",
      ),
    ).toEqual(['PV-5024@1']);
    expect(await findings('export function kernel(x: Float32Array): Float32Array { return x; }\nconst = 3;')).toEqual([
      'PV-5024@2',
    ]);
  });
});
