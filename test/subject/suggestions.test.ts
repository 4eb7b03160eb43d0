/**
 * What a finding about a binding suggests passes when it is typed: the row, the signature, the name.
 *
 * Holds src/subject/argument-order.ts, src/subject/locate-function.ts, src/subject/type-project.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EquationModel } from '../../src/contract/goal.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { printArgument } from '../../src/subject/argument-expression.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { resolveBindings, type ResolvedBindings } from '../../src/subject/resolve.ts';
import { modelOf } from '../support/models.ts';

const thread =
  'interface KernelThread { readonly thread: { readonly x: number; readonly y: number; readonly z: number } }\n';
const types = [
  'number',
  'readonly number[]',
  'readonly (readonly number[])[]',
  'readonly (readonly (readonly number[])[])[]',
];

async function resolve(
  model: EquationModel,
  signature: string,
  keys: readonly string[] = [],
): Promise<ResolvedBindings> {
  const row = [`equation: ${model.name}`, 'status: implemented', 'module_path: src/a.ts', ...keys];
  if (!keys.some((key) => key.startsWith('function:'))) row.push('function: kernel');
  const text = `bindings:\n  - contract: c\n${row.map((line) => `    ${line}\n`).join('')}`;
  const { value, diagnostics } = readBindings({ path: 'binding.yaml', text });
  expect(diagnostics, text).toEqual([]);
  const files = { 'src/a.ts': `${thread}export function ${signature} { return 1 as never; }` };
  return resolveBindings(value.rows, new Map([['c', [model]]]), createMemoryHost(files));
}

const kernel = (...parameters: readonly (readonly [name: string, rank: number])[]): string =>
  `kernel(${['this: KernelThread', ...parameters.map(([name, rank]) => `${name}: ${types[rank]}`)].join(', ')}): number`;

/** The text between back-quotes that starts with `start`. */
function suggested({ hint }: Diagnostic, start: string): string {
  const found = /`([^`]+)`/.exec(hint ?? '')?.[1];
  expect(found, hint ?? 'no hint').toContain(start);
  return found ?? '';
}

/** What the function's parameters are given, by name. */
function givenTo({ value: [subject] }: ResolvedBindings, model: EquationModel): readonly string[] {
  return (subject?.arguments ?? []).map((source) =>
    source.kind === 'expression'
      ? printArgument(source.expression, (name) => name)
      : ((source.kind === 'size' ? model.sizes[source.index] : model.parameters[source.index]?.name) ?? ''),
  );
}

const conv2d = modelOf('conv2d', ['x: c h w', 'k: c r s'], 'h w');
const crossed = modelOf('conv2d', ['x: c h r', 'w: c s f'], 'h r');
const gemm = modelOf('gemm', ['A: m k', 'B: k n', 'C: m n', 'α:', 'β:'], 'm n');
const batchNorm = modelOf('batch_norm', ['x: n c', 'γ: c', 'β: c', 'μ: c', 'ν: c', 'ε:'], 'n c');

describe('PV-5015', () => {
  it.each<[string, EquationModel, string, readonly string[]]>([
    ['the filter before the image', conv2d, kernel(['k', 3], ['x', 3]), []],
    ['width before height', conv2d, kernel(['x', 3], ['k', 3], ['c', 0], ['w', 0], ['h', 0], ['r', 0], ['s', 0]), []],
    [
      'sizes of the filter first',
      conv2d,
      kernel(['x', 3], ['k', 3], ['r', 0], ['s', 0], ['c', 0], ['h', 0], ['w', 0]),
      [],
    ],
    [
      'image and filter, and their sizes',
      conv2d,
      kernel(['k', 3], ['x', 3], ['c', 0], ['r', 0], ['s', 0], ['h', 0], ['w', 0]),
      [],
    ],
    ['a leading dimension', gemm, kernel(['A', 2], ['B', 2], ['C', 2], ['β', 0], ['α', 0], ['lda', 0]), []],
    [
      'sizes of a product as BLAS orders them',
      gemm,
      kernel(['A', 2], ['B', 2], ['C', 2], ['α', 0], ['β', 0], ['m', 0], ['n', 0], ['k', 0]),
      [],
    ],
    ['mean and variance first', batchNorm, kernel(['x', 2], ['μ', 1], ['ν', 1], ['γ', 1], ['β', 1], ['eps', 0]), []],
    [
      'with arithmetic in the row',
      gemm,
      kernel(['B', 2], ['A', 2], ['lda', 0], ['last', 0]),
      ['arguments: [A, B, 2 * m, m - 1]', 'output: [m, n]'],
    ],
  ])('%s', async (_, model, signature, keys) => {
    const first = await resolve(model, signature, keys);
    expect(first.diagnostics.map(({ code }) => code)).toEqual(['PV-5015']);
    const [finding] = first.diagnostics;
    if (!finding) throw new Error('there is a finding');
    const others = keys.filter((key) => !key.startsWith('arguments:'));
    const mended = await resolve(model, signature, [...others, suggested(finding, 'arguments: [')]);
    expect(mended.diagnostics).toEqual([]);
    const names = [...signature.matchAll(/[,(] ?(\S+): (?:number|readonly)/g)].map(([, name]) => name ?? '');
    const symbols = [...model.parameters.map(({ name }) => name), ...model.sizes];
    givenTo(mended, model).forEach((given, at) => {
      const name = names[at] ?? '';
      if (symbols.includes(name) && given !== name) expect(givenTo(mended, model)).not.toContain(name);
    });
  });

  it('is not reported for names whose types show another meaning', async () => {
    // The equation calls its filter w and one size f; the function calls the filter f and the width w.
    const signature = kernel(['x', 3], ['f', 3], ['c', 0], ['h', 0], ['r', 0], ['s', 0], ['w', 0]);
    expect((await resolve(crossed, signature)).diagnostics).toEqual([]);
  });

  it('suggests what passes, whatever the order of parameters is', async () => {
    const all = [
      ['x', 3],
      ['k', 3],
      ['c', 0],
      ['h', 0],
      ['w', 0],
      ['r', 0],
      ['s', 0],
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1]),
        fc.shuffledSubarray([2, 3, 4, 5, 6], { minLength: 5 }),
        async (a, b) => {
          if (a.length < 2) return;
          const signature = kernel(...[...a, ...b].map((at) => all[at] ?? all[0]));
          const { diagnostics } = await resolve(conv2d, signature);
          for (const finding of diagnostics) {
            expect(finding.code).toBe('PV-5015');
            const mended = await resolve(conv2d, signature, [suggested(finding, 'arguments: [')]);
            expect(mended.diagnostics).toEqual([]);
            expect(givenTo(mended, conv2d)).toEqual([...a, ...b].map((at) => all[at]?.[0]));
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('PV-5010', () => {
  it.each<[string, EquationModel, string]>([
    ['a kernel of flat arrays', conv2d, kernel(['x', 1], ['k', 1])],
    ['too few parameters', gemm, kernel(['A', 2])],
    ['a function of arrays of arrays', batchNorm, `kernel(x: ${types[2]}): number`],
    ['a function that returns nothing', batchNorm, 'kernel(x: Float32Array): void'],
  ])('suggests a signature that passes: %s', async (_, model, signature) => {
    const { diagnostics } = await resolve(model, signature);
    expect(diagnostics.every(({ code }) => code === 'PV-5010')).toBe(true);
    const expected = diagnostics.flatMap(({ hint }) => /^expected ([^;]+)/.exec(hint ?? '')?.[1] ?? []);
    expect(expected.length).toBeGreaterThan(0);
    for (const text of new Set(expected)) expect((await resolve(model, text)).diagnostics, text).toEqual([]);
  });
});

describe('a near name', () => {
  it('exists', async () => {
    const keys = ['function: kernal'];
    const { diagnostics } = await resolve(modelOf('e', ['x: n'], 'n'), kernel(['x', 1]), keys);
    const [finding] = diagnostics;
    if (!finding) throw new Error('there is a finding');
    const mended = await resolve(modelOf('e', ['x: n'], 'n'), kernel(['x', 1]), [
      `function: ${suggested(finding, 'kernel')}`,
    ]);
    expect(mended.diagnostics).toEqual([]);
  });
});
