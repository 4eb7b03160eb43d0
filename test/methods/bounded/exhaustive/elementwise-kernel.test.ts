/** Why an element of a kernel's output may depend on more than the inputs at its index. */
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { invariant } from '../../../../src/base/invariant.ts';
import type { EquationModel } from '../../../../src/contract/goal.ts';
import { notElementwise } from '../../../../src/methods/bounded/exhaustive/elementwise-kernel.ts';
import type { BoundSubject } from '../../../../src/subject/bound-subject.ts';
import { kernelFromText } from '../../../support/kernels.ts';

function modelOf(formula: string, domain: string): EquationModel {
  const { model } = elaborateEquationFromText({ formula, domain });
  invariant(model, formula);
  return model;
}

const vector = modelOf('f(x)_i = x_i', 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1');
const input = { kind: 'parameter', index: 0 } as unknown as BoundSubject['arguments'][number];
const length = { kind: 'size', index: 0 } as unknown as BoundSubject['arguments'][number];

/** Of a kernel of a vector and a number, which are inputs unless `sources` says otherwise. */
async function reason(
  body: string,
  {
    model = vector,
    sources = [input, input],
    output = null,
    parameters = 'x: number[], k: number',
  }: {
    readonly model?: EquationModel;
    readonly sources?: BoundSubject['arguments'];
    readonly output?: BoundSubject['output'];
    readonly parameters?: string;
  } = {},
): Promise<string | null> {
  const text = `import type { KernelThread } from 'provable-contracts/runtime';
export function kernel(this: KernelThread, ${parameters}): number { ${body} }`;
  return notElementwise({ program: await kernelFromText(text), arguments: sources, output }, model);
}

const own = 'x[this.thread.x]';

describe('a kernel of single elements', () => {
  it.each([
    `return ${own} + k;`,
    `let s = 0; for (let i = 0; i < 3; i++) { s += ${own}; } return s;`,
    `if (${own} > k) { return 1; } return Math.max(${own}, 2);`,
    `const v = ${own}; return v > 0 ? v : -v;`,
  ])('%s', async (body) => {
    expect(await reason(body)).toBeNull();
  });

  it.each([
    ['return x[0];', 'x is read at other places than this.thread.x'],
    ['return x[this.thread.x + 1];', 'x is read at other places than this.thread.x'],
    ['return x[this.thread.y];', 'x is read at other places than this.thread.x'],
    [`return ${own} * this.thread.x;`, 'this.thread.x is read as a number'],
    ['return this.thread.y;', 'this.thread.y is read as a number'],
    [`return ${own} / this.output.x;`, 'this.output.x is read'],
    [`let s = 0; for (let i = 0; i < this.output.x; i++) { s += ${own}; } return s;`, 'this.output.x is read'],
    [`if (${own} > 0) { if (x[0] > 1) { return 1; } } return 2;`, 'x is read at other places than this.thread.x'],
    [`return Math.max(${own}, x[0]);`, 'x is read at other places than this.thread.x'],
  ])('is not one that computes %s', async (body, why) => {
    expect(await reason(body)).toBe(why);
  });

  it('reads no number that is not an input, though it may take one', async () => {
    const sources = [input, length];
    expect(await reason(`return ${own} + k;`, { sources })).toBe('k, which is not an input, is read');
    expect(await reason(`return ${own};`, { sources })).toBeNull();
    expect(await reason(`return ${own} + k;`, { sources: [input] })).toBe('k, which is not an input, is read');
  });

  it('takes vectors that are inputs, and nothing with more axes', async () => {
    expect(await reason(`return ${own};`, { sources: [length, input] })).toBe('x is not an input of the equation');
    expect(await reason('return 1;', { parameters: 'A: number[][]' })).toBe('A has more than one axis');
  });

  it('gives one number for each index', async () => {
    const why = 'kernel does not give one number for each index';
    const scalar = modelOf('f(x) = Σ_i x_i', 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1');
    const matrix = modelOf('f(A)_ij = A_ij', 'A ∈ F32^{m×n}, 1 ≤ m ≤ 8, 1 ≤ n ≤ 8, |A_ij| ≤ 1');
    expect(await reason(`return ${own};`, { model: scalar })).toBe(why);
    expect(await reason(`return ${own};`, { model: matrix })).toBe(why);
    const output = [length] as unknown as NonNullable<BoundSubject['output']>;
    expect(await reason(`return ${own};`, { output })).toBe(why);
  });

  it('needs a kernel whose syntax is known: not a plain function', async () => {
    const program = await kernelFromText('export function kernel(x: Float32Array): Float32Array { return x; }');
    expect(notElementwise({ program, arguments: [input], output: null }, vector)).toBe(
      'kernel is not a gpu.js kernel, whose syntax would show it',
    );
  });
});
