/**
 * The law of symbolic execution: on every kernel and every input, its expressions are worth bit for bit what ref32 computes,
 * wherever the safety conditions hold. `PV_RUNS` says how many kernels.
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
import { proofInput, proofKernel } from '../../support/proof-kernel-arbitrary.ts';

const SIZE = 2;
const INPUTS = 24;
/** Enough for every loop whose end is known; of others the safety conditions demand that they end by then. */
const MOST_ROUNDS = 5;
const runs = Number(process.env['PV_RUNS'] ?? 400);

/** The vector, the matrix and the scalar. */
const names = [
  ...Array.from({ length: SIZE }, (_, i) => `x[${i}]`),
  ...Array.from({ length: SIZE * SIZE }, (_, i) => `A[${i}]`),
  's',
];

const cases = proofKernel.chain((kernel) =>
  fc.tuple(
    fc.constant(kernel),
    fc.array(fc.array(proofInput(kernel), { minLength: names.length, maxLength: names.length }), {
      minLength: INPUTS,
      maxLength: INPUTS,
    }),
  ),
);

describe('symbolic execution', () => {
  it(
    'gives bit for bit what ref32 gives, on every kernel and input',
    async () => {
      const seen = { refused: 0, safe: 0, unsafe: 0 };
      await fc.assert(
        fc.asyncProperty(cases, async ([syntax, inputs]) => {
          const program = kernelProgram(syntax);
          const graph = new Graph(20_000);
          const variables = names.map((name) => graph.variable(name));
          const executed = executeKernel(
            graph,
            syntax,
            {
              arguments: [
                { kind: 'array', shape: [SIZE], elements: variables.slice(0, SIZE) },
                { kind: 'array', shape: [SIZE, SIZE], elements: variables.slice(SIZE, SIZE + SIZE * SIZE) },
                { kind: 'scalar', value: graph.variable('s') },
                { kind: 'scalar', value: graph.constant(fromFloat(SIZE)) },
              ],
              outputShape: [SIZE, SIZE],
              wholeVariables: new Set(),
            },
            { reading: 'float32', loopMax: MOST_ROUNDS },
          );
          if (!executed.ok) {
            seen.refused += 1;
            return;
          }
          const opened = await ref32.open(program);
          invariant(opened.ok, 'ref32 opens gpu.js kernels');
          for (const input of inputs) {
            const at = createEvaluator(float64, new Map(names.map((name, i) => [name, input[i] ?? 0])));
            if (!executed.value.safety.every(({ condition }) => at.truth(condition))) {
              seen.unsafe += 1;
              continue;
            }
            seen.safe += 1;
            const outcome = opened.kernel.runSync?.({
              arguments: [
                Float32Array.from(input.slice(0, SIZE)),
                Float32Array.from(input.slice(SIZE, -1)),
                input.at(-1) ?? 0,
                SIZE,
              ],
              shapes: [[SIZE], [SIZE, SIZE], [], []],
              outputShape: [SIZE, SIZE],
            });
            invariant(outcome?.ok, `a kernel that is safe runs: ${program.source}`);
            // Graphs have one zero; what its sign decides is compared, since the kernels take angles of zeros.
            const numbers = executed.value.outputs.map((output) => at.number(output) + 0);
            expect(numbers, `${program.source} at ${JSON.stringify(input)}`).toEqual(
              Array.from(outcome.output, (value) => value + 0),
            );
            expect(numbers.every(Number.isFinite), program.source).toBe(true);
          }
        }),
        { numRuns: runs },
      );
      // A law that is never asked holds of everything.
      expect(seen.safe).toBeGreaterThan(runs);
      if (process.env['PV_SHOW']) console.log(seen);
    },
    120_000 + runs * 100,
  );
});
