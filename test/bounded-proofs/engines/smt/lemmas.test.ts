/** Holds src/bounded-proofs/engines/smt/collect-lemmas.ts. */
import { describe, expect, it } from 'vitest';
import { float32FromOrdinal, float32Ordinal, MAX_FLOAT32 } from '../../../../src/numeric/float.ts';
import { streamFor, unitDouble, type Xoshiro } from '../../../../src/numeric/xoshiro.ts';
import { checkOrdinals, unaryAxioms } from '../../../../src/bounded-proofs/engines/smt/check-axioms.ts';
import { collectLemmas, unknownsBelow } from '../../../../src/bounded-proofs/engines/smt/collect-lemmas.ts';
import { createKnowledge } from '../../../../src/bounded-proofs/engines/smt/knowledge.ts';
import { evaluateAt } from '../../../../src/bounded-proofs/engines/smt/point.ts';
import type { ProofProblem, ProofVariable } from '../../../../src/bounded-proofs/problem.ts';
import { invariant } from '../../../../src/base/invariant.ts';
import { toFloat } from '../../../../src/numeric/rational.ts';
import { falseClaims, trueClaims } from './claims.ts';

/** Half of the numbers uniform, half anywhere between the ends in the order of float32, and now and then an end or zero. */
function numberFor({ low, high, format }: ProofVariable, random: Xoshiro): number {
  invariant(low && high, 'the claims are about inputs between two ends');
  const [from, to] = [toFloat(low), toFloat(high)];
  if (format === 'integer') return Math.floor(from + unitDouble(random) * (to - from + 1));
  const kind = unitDouble(random);
  if (kind < 0.05) return kind < 0.025 ? Math.fround(from) : Math.fround(to);
  if (kind < 0.1 && from <= 0 && to >= 0) return 0;
  const [first, last] = [float32Ordinal(from), float32Ordinal(to)];
  const value =
    kind < 0.5
      ? from + unitDouble(random) * (to - from)
      : float32FromOrdinal(Math.floor(first + unitDouble(random) * (last - first)));
  return Math.min(to, Math.max(from, Math.fround(value)));
}

function inputFor(problem: ProofProblem, random: Xoshiro): ReadonlyMap<string, number> {
  const near = unitDouble(random) < 0.3 ? problem.variables.map((variable) => numberFor(variable, random)) : [];
  return new Map(
    problem.variables.map((variable, i) => [
      variable.name,
      // Equal and neighbouring inputs are where order is lost.
      near.length > 1 && i % 2 === 1 && variable.format !== 'integer'
        ? (near[i - 1] ?? 0)
        : numberFor(variable, random),
    ]),
  );
}

describe('on random inputs that satisfy the premises', () => {
  const random = streamFor(1, 'lemmas of the solver');
  it.each([...trueClaims, ...falseClaims])('lemmas and ranges hold: $name', ({ problem }) => {
    const made = problem();
    const knowledge = createKnowledge(made);
    const { graph, conclusion: statement } = made;
    const lemmas = collectLemmas({ graph, knowledge, statement, reach: 'errors' });
    const numbers = unknownsBelow(statement);
    for (let run = 0; run < 12; run++) {
      const input = inputFor(made, random);
      const isAllowed = made.variables.every(({ name, low, high }) => {
        const value = input.get(name) ?? Number.NaN;
        return low !== null && high !== null && value >= toFloat(low) && value <= toFloat(high);
      });
      const point = evaluateAt(input);
      if (!isAllowed || !made.premises.every((premise) => point.truth(premise) === true)) continue;
      for (const { formula } of lemmas)
        if (point.isExact(formula)) expect([point.truth(formula), [...input]]).not.toEqual([false, [...input]]);
      for (const node of numbers) {
        const value = point.number(node);
        if (value === null || !point.isExact(node)) continue;
        const { low, high } = knowledge.range(node);
        if (low) expect(value.numerator * low.denominator >= low.numerator * value.denominator).toBe(true);
        if (high) expect(value.numerator * high.denominator <= high.numerator * value.denominator).toBe(true);
        if (knowledge.positive(node)) expect(value.numerator > 0n).toBe(true);
      }
    }
  });
});

describe('axioms about float32 functions', () => {
  it.each(unaryAxioms)('hold on a sample of float32: $fn', (axiom) => {
    const first = axiom.positiveOnly ? 1 : -float32Ordinal(MAX_FLOAT32);
    expect(checkOrdinals(axiom, first, float32Ordinal(MAX_FLOAT32), 20_011)).toBeNull();
    // Around zero and around one every one of them.
    for (const centre of axiom.positiveOnly ? [1] : [0, 1, -1]) {
      const middle = float32Ordinal(centre);
      expect(checkOrdinals(axiom, middle - 20_000, middle + 20_000, 1)).toBeNull();
    }
  });

  it('would be found out where they do not hold', () => {
    const [first] = unaryAxioms;
    if (!first) throw new Error('there is an axiom');
    // The sine is in range and does not increase.
    expect(checkOrdinals({ ...first, fn: 'sin' }, 0, 1_000, 1)).toBeNull();
    expect(checkOrdinals({ ...first, fn: 'log' }, -10, 10, 1)).not.toBeNull();
  });
});
