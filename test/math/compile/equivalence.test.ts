import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Arithmetic } from '../../../src/math/evaluate/arithmetic.ts';
import { float32, float64 } from '../../../src/math/evaluate/floats.ts';
import { interpret } from '../../../src/math/evaluate/interpret.ts';
import { loadEquation } from '../../../src/math/compile/load.ts';
import type { Term } from '../../../src/math/term/term.ts';
import {
  booleanTerm,
  drawInputs,
  environmentOf,
  numberTerm,
  parameters,
  sizes,
  topScope,
  vectorTerm,
  type Inputs,
} from '../random-term.ts';

function interpreted(term: Term, inputs: Inputs, arithmetic: Arithmetic<number>): number[] {
  const result = interpret(term, environmentOf(inputs), arithmetic);
  if (!result.ok) throw new Error(result.error);
  const value = result.value;
  return (typeof value === 'object' ? [...value.data] : [value]).map(Number);
}

/** Zeros of either sign are one number; the compiler may fold them. */
const normal = (value: number): number => (value === 0 ? 0 : value);

const shapes = { number: numberTerm, boolean: booleanTerm, vector: vectorTerm } as const;

describe.each(['number', 'boolean', 'vector'] as const)('random %s terms', (shape) => {
  test.each([
    ['float64', float64],
    ['float32', float32],
  ] as const)('interpreted and compiled in %s are the same bits', async (name, arithmetic) => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (draw) => {
        const body = shapes[shape](topScope(draw), 4);
        const equation = await loadEquation({ name: 'random', parameters, sizes, body }, { arithmetic: name });
        for (let trial = 0; trial < 3; trial++) {
          const inputs = drawInputs(draw);
          const expected = interpreted(body, inputs, arithmetic).map(normal);
          const stored = name === 'float32' ? expected.map(Math.fround) : expected;
          expect([...equation(inputs.sizes, inputs.values)].map(normal)).toEqual(stored);
        }
      }),
      { numRuns: 150, seed: 7 },
    );
  });
});
