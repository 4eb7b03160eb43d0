import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { expressionMutants } from '../../../src/methods/wrong-kernels/expression-mutants.ts';
import type { KernelExpression } from '../../../src/subject/kernel-syntax.ts';
import { printExpression } from '../../../src/subject/print-kernel.ts';
import { kernelFromText } from '../../support/kernels.ts';

/** The expression of TypeScript that a kernel of two numbers, a vector, a matrix and a box returns. */
async function expressionOf(text: string): Promise<KernelExpression> {
  const { syntax } = await kernelFromText(`import type { KernelThread } from 'provable-contracts/runtime';
export function kernel(this: KernelThread, a: number, b: number, v: number[], m: number[][], t: number[][][]): number {
  return ${text};
}`);
  const [statement] = syntax?.body ?? [];
  invariant(statement?.kind === 'return', 'the kernel returns the expression');
  return statement.value;
}

/** Every mutant as `the changed part → its replacement`. */
async function changesOf(text: string): Promise<readonly string[]> {
  const changes = [...expressionMutants(await expressionOf(text))];
  return changes.map(({ from, to }) => `${printExpression(from)} → ${printExpression(to)}`);
}

/** Every mutant as the whole expression. */
async function wholesOf(text: string): Promise<readonly string[]> {
  return [...expressionMutants(await expressionOf(text))].map(({ whole }) => printExpression(whole));
}

describe('the mistakes in an expression', () => {
  it.each([
    ['0', ['0 → 1']],
    ['1', ['1 → 0', '1 → 2']],
    ['0.5', ['0.5 → 0', '0.5 → 1']],
    ['a', []],
    ['this.thread.x', []],
    ['this.output.x', []],
    ['Infinity', ['Infinity → 0']],
    ['Math.E', ['Math.E → 1']],
    ['-a', ['-a → a']],
  ])('of %s are %j', async (text, changes) => {
    expect(await changesOf(text)).toEqual(changes);
  });

  it.each([
    ['a + b', ['a - b', 'a', 'b']],
    ['a - b', ['a + b', 'a', 'b']],
    ['a * b', ['a / b', 'a', 'b']],
    ['a / b', ['a * b', 'a', 'b']],
    ['a % b', ['a * b']],
    ['a ** b', ['a * b']],
  ])('of %s are another operator, and a lost operand where one may be forgotten: %j', async (text, wholes) => {
    expect(await wholesOf(text)).toEqual(wholes);
  });

  it.each([
    ['a < b ? 3 : 4', ['a <= b', 'a < (b - 1)']],
    ['a <= b ? 3 : 4', ['a < b', 'a <= (b - 1)']],
    ['a > b ? 3 : 4', ['a >= b', 'a > (b + 1)']],
    ['a >= b ? 3 : 4', ['a > b', 'a >= (b + 1)']],
    ['a === b ? 3 : 4', ['a !== b']],
    ['a !== b ? 3 : 4', ['a === b']],
  ])('of the condition in %s are the other bound, and one step less: %j', async (text, conditions) => {
    const condition = text.slice(0, text.indexOf(' ?'));
    const own = (await changesOf(text)).filter((change) => change.startsWith(`${condition} →`));
    expect(own).toEqual(conditions.map((other) => `${condition} → ${other}`));
  });

  it('move a bound that is a number by changing it', async () => {
    expect(await changesOf('a < 4 ? 3 : 5')).toContain('a < 4 → a < 3');
    expect(await changesOf('a > 4 ? 3 : 5')).toContain('a > 4 → a > 5');
  });

  it('of a choice are either branch always', async () => {
    const wholes = await wholesOf('a < b ? a : b');
    expect(wholes.slice(0, 2)).toEqual(['a', 'b']);
    expect(wholes).toHaveLength(4);
  });

  it.each([
    ['a < b && b < 7 ? 3 : 4', '(a < b) && (b < 7) → (a < b) || (b < 7)'],
    ['a < b || b < 7 ? 3 : 4', '(a < b) || (b < 7) → (a < b) && (b < 7)'],
  ])('of the two conditions in %s are one in place of both', async (text, change) => {
    expect(await changesOf(text)).toContain(change);
  });

  it.each([
    ['v[a]', ['v[a + 1]', 'v[a - 1]']],
    ['v[3]', ['v[4]', 'v[2]', 'v[0]', 'v[6]']],
    ['m[a][b]', ['m[a + 1][b]', 'm[a - 1][b]', 'm[a][b + 1]', 'm[a][b - 1]', 'm[b][a]']],
    [
      't[a][b][2]',
      [
        't[a + 1][b][2]',
        't[a - 1][b][2]',
        't[a][b + 1][2]',
        't[a][b - 1][2]',
        't[a][b][3]',
        't[a][b][1]',
        't[b][a][2]',
        't[a][2][b]',
        't[a][b][0]',
        't[a][b][4]',
      ],
    ],
  ])('of %s are the neighbours and exchanged indices, then mistakes in an index: %j', async (text, wholes) => {
    expect(await wholesOf(text)).toEqual(wholes);
  });

  it.each([
    ['Math.max(a, b)', ['Math.min(a, b)', 'a', 'b']],
    ['Math.min(a, b)', ['Math.max(a, b)', 'a', 'b']],
    ['Math.sin(a)', ['Math.cos(a)', 'a']],
    ['Math.cos(a)', ['Math.sin(a)', 'a']],
    ['Math.floor(a)', ['Math.ceil(a)', 'a']],
    ['Math.ceil(a)', ['Math.floor(a)', 'a']],
    ['Math.exp(a)', ['a']],
    ['Math.pow(a, b)', ['a']],
    ['Math.atan2(a, b)', ['a']],
  ])('of %s are another function and none: %j', async (text, wholes) => {
    expect(await wholesOf(text)).toEqual(wholes);
  });

  it('come from the outside to the inside, each alone and with the rest left as it was', async () => {
    expect(await wholesOf('Math.exp(a - b) / 2')).toEqual([
      'Math.exp(a - b) * 2',
      'Math.exp(a - b)',
      '2',
      '(a - b) / 2',
      'Math.exp(a + b) / 2',
      'Math.exp(a) / 2',
      'Math.exp(b) / 2',
      'Math.exp(a - b) / 0',
      'Math.exp(a - b) / 4',
    ]);
  });
});
