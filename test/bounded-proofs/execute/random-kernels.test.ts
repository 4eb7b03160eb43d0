/**
 * Symbolic execution against ref32 on random kernels: the expressions that it gives are worth, on random inputs, bit for
 * bit what ref32 computes, wherever the safety conditions hold.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ref32 } from '../../../src/backends/ref32.ts';
import { invariant } from '../../../src/base/invariant.ts';
import { float64 } from '../../../src/math/evaluate/floats.ts';
import { fromFloat } from '../../../src/numeric/rational.ts';
import { createEvaluator } from '../../../src/bounded-proofs/evaluate.ts';
import { executeKernel } from '../../../src/bounded-proofs/execute/execute-kernel.ts';
import { Graph } from '../../../src/bounded-proofs/expression.ts';
import { kernelProgram } from '../../../src/subject/kernel-program.ts';
import { expressionsOf } from '../../../src/subject/visit-kernel.ts';
import { randomKernel } from '../../support/kernel-arbitrary.ts';

const SIZE = 4;

/** Numbers of all magnitudes; no −0, which proofs do not tell from 0. */
const number = fc
  .oneof(
    fc.constantFrom(0, 1, -1, 0.5, 2, 88, -104, 1e-40, 16777216, 3e38),
    fc.float({ noNaN: true, min: -8, max: 8 }),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
  )
  .map((x) => Math.fround(x) + 0);
const vector = fc.array(number, { minLength: SIZE, maxLength: SIZE });

/** There is no node for `Math.atan2`. */
const kernels = randomKernel.filter(
  (kernel) => ![...expressionsOf(kernel.body)].some((part) => part.kind === 'call' && part.fn === 'atan2'),
);

describe('a random kernel, executed symbolically', () => {
  it('gives what ref32 gives wherever it is safe, and is not safe wherever ref32 gives no number', async () => {
    let safeRuns = 0;
    await fc.assert(
      fc.asyncProperty(kernels, vector, vector, number, async (syntax, x, y, scale) => {
        const program = kernelProgram(syntax);
        const graph = new Graph();
        const named = (name: string, values: readonly number[]): [string, number][] =>
          values.map((value, i) => [`${name}[${i}]`, value]);
        const array = (name: string) => ({
          kind: 'array' as const,
          shape: [SIZE],
          elements: Array.from({ length: SIZE }, (_, i) => graph.variable(`${name}[${i}]`)),
        });
        const executed = executeKernel(
          graph,
          syntax,
          {
            arguments: [
              array('x'),
              array('y'),
              { kind: 'scalar', value: graph.variable('scale') },
              { kind: 'scalar', value: graph.constant(fromFloat(SIZE)) },
            ],
            outputShape: [SIZE],
            wholeVariables: new Set(),
          },
          { reading: 'float32', loopMax: program.loopMaxIterations },
        );
        if (!executed.ok) {
          expect(executed.error.message).toMatch(/beyond 2²⁴|infinity/);
          return;
        }
        const opened = await ref32.open(program);
        invariant(opened.ok, 'ref32 opens gpu.js kernels');
        const outcome = opened.kernel.runSync?.({
          arguments: [Float32Array.from(x), Float32Array.from(y), scale, SIZE],
          shapes: [[SIZE], [SIZE], [], []],
          outputShape: [SIZE],
        });
        invariant(outcome?.ok, 'the kernel reads inside its arrays');
        const values = new Map([...named('x', x), ...named('y', y), ['scale', scale] as const]);
        const at = createEvaluator(float64, values);
        const safe = executed.value.safety.every(({ condition }) => at.truth(condition));
        if (!safe) return;
        safeRuns += 1;
        const numbers = executed.value.outputs.map((output) => at.number(output) + 0);
        expect(numbers, program.source).toEqual(Array.from(outcome.output, (value) => value + 0));
        expect(numbers.every(Number.isFinite), program.source).toBe(true);
      }),
      { numRuns: Number(process.env['PV_RUNS'] ?? 300) },
    );
    // Most random kernels are safe on most inputs: a test that never compares would say nothing.
    expect(safeRuns).toBeGreaterThan(60);
  });
});
