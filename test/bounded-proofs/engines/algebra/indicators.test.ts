import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fraction } from '../../../../src/numeric/rational.ts';
import { float64 } from '../../../../src/math/evaluate/floats.ts';
import { createEvaluator } from '../../../../src/bounded-proofs/evaluate.ts';
import { algebraEngine } from '../../../../src/bounded-proofs/engines/algebra/algebra-engine.ts';
import { Graph, type BooleanExpression, type NumberExpression } from '../../../../src/bounded-proofs/expression.ts';
import type { ProofVariable } from '../../../../src/bounded-proofs/problem.ts';
import { exact, generous, problemOf, sum, variables, vector } from '../../graphs.ts';

async function verdict(
  make: (graph: Graph, y: NumberExpression, z: readonly NumberExpression[]) => BooleanExpression,
  format: ProofVariable['format'] = 'integer',
): Promise<string> {
  const graph = new Graph();
  const y = graph.variable('y');
  const z = vector(graph, 'z', 4);
  const over = [...variables([y], 0, 3, format), ...variables([...z, graph.variable('c')], -100, 100)];
  return (await algebraEngine().decide(problemOf(graph, over, make(graph, y, z)), generous)).verdict;
}

/** `z[y]` as it arrives: the last element where y is none of the others. */
function elementAt(graph: Graph, y: NumberExpression, z: readonly NumberExpression[]): NumberExpression {
  return z
    .slice(0, -1)
    .reduceRight((rest, zi, i) => graph.if(graph.equal(y, graph.integer(i)), zi, rest), z.at(-1) ?? graph.integer(0));
}

function indicators(graph: Graph, y: NumberExpression, values: readonly number[]): NumberExpression {
  const each = values.map((value) =>
    graph.if(graph.equal(y, graph.integer(value)), graph.integer(1), graph.integer(0)),
  );
  return sum(exact(graph), each);
}

describe('what holds of every choice is proved', () => {
  test('a shift of all elements shifts the chosen one', async () => {
    const outcome = await verdict((graph, y, z) => {
      const c = graph.variable('c');
      const shifted = elementAt(
        graph,
        y,
        z.map((zi) => graph.add(zi, c)),
      );
      return graph.equal(shifted, graph.add(elementAt(graph, y, z), c));
    });
    expect(outcome).toBe('proved');
  });
  test('the indicators of all values of a whole number sum to one', async () => {
    expect(await verdict((graph, y) => graph.equal(indicators(graph, y, [0, 1, 2, 3]), graph.integer(1)))).toBe(
      'proved',
    );
  });
});

describe('what does not is not', () => {
  test('a shift of all elements but one', async () => {
    const outcome = await verdict((graph, y, z) => {
      const c = graph.variable('c');
      const shifted = elementAt(
        graph,
        y,
        z.map((zi, i) => (i === 2 ? zi : graph.add(zi, c))),
      );
      return graph.equal(shifted, graph.add(elementAt(graph, y, z), c));
    });
    expect(outcome).toBe('unknown');
  });
  test.each([[[0, 1, 2]], [[0, 1, 3]], [[1, 2, 3]], [[0, 1, 2, 2, 3]], [[0, 1, 2, 4]]])(
    'indicators of %j sum to one',
    async (values) => {
      expect(await verdict((graph, y) => graph.equal(indicators(graph, y, values), graph.integer(1)))).toBe('unknown');
    },
  );
  test('indicators of the whole values of a number that need not be whole', async () => {
    expect(await verdict((graph, y) => graph.equal(indicators(graph, y, [0, 1, 2, 3]), graph.integer(1)), 'f32')).toBe(
      'unknown',
    );
  });
  test('a test that an earlier one decided is taken for open', async () => {
    // y = 0 ? z₀ : y = 0 ? z₁ : z₂ is never z₁.
    const twice = (
      graph: Graph,
      y: NumberExpression,
      z: readonly NumberExpression[],
      last: number,
    ): BooleanExpression => {
      const is0 = graph.equal(y, graph.integer(0));
      const at = (i: number): NumberExpression => z[i] ?? y;
      // A number between keeps the two tests apart in the graph.
      const inner = graph.if(graph.equal(y, graph.integer(1)), at(3), graph.if(is0, at(last), at(2)));
      return graph.equal(
        graph.if(is0, at(0), inner),
        graph.if(is0, at(0), graph.if(graph.equal(y, graph.integer(1)), at(3), at(2))),
      );
    };
    expect(await verdict((graph, y, z) => twice(graph, y, z, 1))).toBe('proved');
  });
});

test('what is proved equal is equal for every value of the variable', async () => {
  let proved = 0;
  const chain = fc.array(fc.record({ value: fc.integer({ min: -1, max: 4 }), then: fc.nat(3) }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(chain, chain, fc.nat(3), fc.boolean(), async (a, other, last, isTurned) => {
      const graph = new Graph();
      const y = graph.variable('y');
      const z = vector(graph, 'z', 4);
      const of = (cases: typeof a, last: number): NumberExpression =>
        cases.reduceRight(
          (rest, { value, then }) =>
            graph.if(graph.equal(y, graph.constant(fraction(BigInt(value)))), z[then] ?? y, rest),
          z[last] ?? y,
        );
      const [left, right] = [of(a, last), of(isTurned ? a.toReversed() : other, last)];
      const over = [...variables([y], 0, 3, 'integer'), ...variables(z, -1, 1)];
      const { verdict: found } = await algebraEngine().decide(
        problemOf(graph, over, graph.equal(left, right)),
        generous,
      );
      if (found !== 'proved') return;
      proved += 1;
      for (let value = 0; value <= 3; value++) {
        const at = createEvaluator(
          float64,
          new Map([['y', value], ...z.map((_, i): [string, number] => [`z[${i}]`, i])]),
        );
        expect(at.number(left)).toBe(at.number(right));
      }
    }),
    { numRuns: 300 },
  );
  expect(proved).toBeGreaterThan(20);
});
