/**
 * Holds src/backends/stages/extent.ts, src/backends/stages/rewrite.ts, src/backends/stages/scope.ts,
 * src/backends/stages/slice.ts, src/backends/stages/stage-set.ts.
 */
import { describe, expect, it } from 'vitest';
import { stagesOf } from '../../../src/backends/stages/lift.ts';
import type { StagedKernel } from '../../../src/backends/stages/staged-kernel.ts';
import { invariant } from '../../../src/base/invariant.ts';
import { printExpression, printKernel } from '../../../src/subject/print-kernel.ts';
import { kernelFromText, shippedKernel } from '../../support/kernels.ts';

async function staged(
  body: string,
  outputRank = 1,
  parameters = 'x: readonly number[], n: number',
): Promise<StagedKernel> {
  const text = `export function kernel(this: KernelThread, ${parameters}): number { ${body} }`;
  const { syntax } = await kernelFromText(text);
  invariant(syntax, 'a kernel has syntax');
  return stagesOf(syntax, outputRank);
}

/** What each stage returns, behind the function that is applied to it. */
const results = (stages: StagedKernel): readonly string[] =>
  stages.map(({ kernel, apply }) => {
    const last = kernel.body.at(-1);
    return `${apply ?? ''}: ${last?.kind === 'return' ? printExpression(last.value) : ''}`;
  });

describe('the stages of a kernel', () => {
  it('are the maximum, the exponentials, their sum and the quotient for softmax', async () => {
    const { syntax } = await shippedKernel('softmax', 'softmax');
    invariant(syntax, 'a kernel has syntax');
    const stages = stagesOf(syntax, 1);
    expect(stages.map(({ kernel }) => printKernel(kernel))).toEqual([
      'function softmax(x, n) {\n  let value0_ = x[0];\n  for (let value1_ = 1; value1_ < n; value1_++) {\n    value0_ = Math.max(value0_, x[value1_]);\n  }\n  return value0_;\n}\n',
      'function softmax(x, stage0_staged) {\n  const value0_ = stage0_staged[0];\n  return x[this.thread.x] - value0_;\n}\n',
      'function softmax(n, stage1_staged) {\n  let value0_ = 0;\n  for (let value1_ = 0; value1_ < n; value1_++) {\n    value0_ += stage1_staged[value1_];\n  }\n  return value0_;\n}\n',
      'function softmax(stage1_staged, stage2_staged) {\n  const sum_staged = stage2_staged[0];\n  return stage1_staged[this.thread.x] / sum_staged;\n}\n',
    ]);
    expect(stages.map(({ apply }) => apply)).toEqual([null, 'exp', null, null]);
    expect(stages.map(({ extents }) => extents?.map((all) => all.map(printExpression)))).toEqual([
      [],
      [['n', 'this.output.x']],
      [],
      undefined,
    ]);
  });

  it.each([
    ['attention', 'attention', 2, 5],
    ['attention', 'causalAttention', 2, 5],
    ['gqa', 'gqa', 3, 7],
    ['rope', 'rope', 2, 4],
    ['rmsnorm', 'rmsnorm', 1, 2],
    ['cross-entropy', 'crossEntropy', 1, 4],
    ['adamw', 'adamwUpdate', 1, 3],
    ['gelu', 'geluTanh', 1, 2],
    ['matmul', 'matmul', 2, 1],
  ])('of %s, %s: with an output of %i axes %i', async (family, name, rank, count) => {
    const { syntax } = await shippedKernel(family, name);
    invariant(syntax, 'a kernel has syntax');
    expect(stagesOf(syntax, rank)).toHaveLength(count);
  });

  it('leave a value alone that every thread has for itself', async () => {
    const stages = await staged('let s = 0; for (let j = 0; j < n; j++) { s += x[j]! * this.thread.x; } return s;');
    expect(stages).toHaveLength(1);
  });

  it('take a sum that no thread changes out of the threads', async () => {
    expect(
      results(await staged('let s = 0; for (let j = 0; j < n; j++) { s += x[j]!; } return s * x[this.thread.x]!;')),
    ).toEqual([': value0_', ': s_staged * x[this.thread.x]']);
  });

  it('leave a function alone whose argument one iteration hands to the next', async () => {
    const body = 'let s = 0; for (let j = 0; j < n; j++) { s = Math.exp(s) * x[this.thread.x]!; } return s;';
    expect(await staged(body)).toHaveLength(1);
  });

  it('leave a loop alone that may end early', async () => {
    const body =
      'let s = 0; for (let j = 0; j < n; j++) { if (x[j]! < 0) { break; } s += x[j]!; } return s + this.thread.x;';
    expect(await staged(body)).toHaveLength(1);
  });

  it('compute no function ahead that a condition may leave out, unless that saves work', async () => {
    const own = 'if (x[this.thread.x]! > 0) { return Math.log(x[this.thread.x]!); } return 0;';
    expect(await staged(own)).toHaveLength(1);
    const after = 'if (x[this.thread.x]! < 0) { return 0; } return Math.log(x[this.thread.x]!);';
    expect(await staged(after)).toHaveLength(1);
    const chosen = 'return x[this.thread.x]! > 0 ? Math.log(x[this.thread.x]!) : 0;';
    expect(await staged(chosen)).toHaveLength(1);
    const same = 'if (x[this.thread.x]! > 0) { return Math.log(x[0]!); } return 0;';
    expect(results(await staged(same))).toEqual(['log: x[0]', ': 0']);
  });

  it('have a thread for each whole part that an index shares with its neighbours', async () => {
    const body = 'const pair = Math.floor(this.thread.x / 2); return Math.cos(pair * n) + x[this.thread.x]!;';
    const [cosines] = await staged(body);
    expect(cosines?.extents?.map((all) => all.map(printExpression))).toEqual([
      ['Math.floor((this.output.x - 1) / 2) + 1'],
    ]);
  });

  it('keep the whole index where the part is not enough', async () => {
    const body =
      'const pair = Math.floor(this.thread.x / 2); return Math.cos(pair * this.thread.x) + x[this.thread.x]!;';
    const [cosines] = await staged(body);
    expect(cosines?.extents?.map((all) => all.map(printExpression))).toEqual([['this.output.x']]);
  });

  it('know no bound that is a fraction, or read from an array', async () => {
    for (const bound of ['n / 2', 'x[0]!', 'this.thread.x - 1']) {
      const body = `let s = 0; for (let j = 0; j < ${bound}; j++) { s += Math.exp(x[j]!); } return s * this.thread.x;`;
      const stages = await staged(body);
      expect(stages.filter(({ apply }) => apply === 'exp')).toEqual([]);
    }
  });
});
