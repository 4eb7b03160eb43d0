/** Holds src/contract/elaborate/inputs/equal-inputs.ts, src/contract/elaborate/inputs/listed-values.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Domain } from '../../../../src/math/domain.ts';
import { compileScalar } from '../../../../src/math/compile/scalar.ts';
import { conjunction } from '../../../../src/math/term/build.ts';
import { createGenerator } from '../../../../src/runtime/generate/generator.ts';
import { elaborated, goal, model } from '../support.ts';

type Values = ReadonlyMap<string, number>;

/** Drawn inputs that meet the preconditions. */
function drawn(domain: Domain): readonly Values[] {
  const created = createGenerator(domain, 1, 'chains');
  if (!created.ok) throw new Error(created.error);
  const meets = compileScalar(conjunction(domain.preconditions));
  return Array.from({ length: 40 }, (_, i) => created.value.at(i)).flatMap((candidate) => {
    if (!candidate) return [];
    const values = new Map(domain.variables.map(({ name }, i) => [name, Number(candidate.values[i])]));
    return meets((name) => values.get(name) ?? NaN) ? [values] : [];
  });
}

const compare: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '≤': (a, b) => a <= b,
  '<': (a, b) => a < b,
  '≥': (a, b) => a >= b,
  '>': (a, b) => a > b,
};

interface Chain {
  readonly terms: readonly string[];
  readonly operators: readonly string[];
}

/** `a = b ≤ 3` or `4 > c > a`: one direction, as people write it. */
const chains: fc.Arbitrary<Chain> = fc
  .constantFrom(['='], ['=', '≤', '<'], ['=', '≥', '>'])
  .chain((allowed) =>
    fc
      .tuple(
        fc.shuffledSubarray(['a', 'b', 'c', '2', '3'], { minLength: 2, maxLength: 4 }),
        fc.array(fc.constantFrom(...allowed), { minLength: 3, maxLength: 3 }),
      )
      .map(([terms, operators]) => ({ terms, operators: operators.slice(0, terms.length - 1) })),
  )
  .filter(({ terms }) => terms.some((term, i) => /[abc]/u.test(term) || /[abc]/u.test(terms[i + 1] ?? '')))
  .filter(({ terms }) => terms.every((term, i) => i === 0 || /[abc]/u.test(`${terms[i - 1]}${term}`)));

const textOf = ({ terms, operators }: Chain): string =>
  terms.map((term, i) => `${term} ${operators[i] ?? ''}`).join(' ');

const isMet = ({ terms, operators }: Chain, values: Values): boolean =>
  operators.every((operator, i) => {
    const [left, right] = [terms[i], terms[i + 1]].map((term) => values.get(term ?? '') ?? Number(term));
    // A claim that does not mention an input does not draw it.
    return Number.isNaN(left) || Number.isNaN(right) || compare[operator]?.(left ?? 0, right ?? 0);
  });

const domains = fc.constantFrom('{1, 2, 3, 4}', '[1, 4]', 'ℕ⁺', 'ℝ');

describe('no input is drawn that breaks a chain of relations', () => {
  it('of a premise, unless the premise is tested', () => {
    fc.assert(
      fc.property(chains, domains, (chain, set) => {
        const { domain, predicate } = goal(
          elaborated({
            equations: `f: { formula: "f = a + 10·b + 100·c", domain: "a, b, c ∈ ${set}" }`,
            obligations: `- { id: C, type: invariant, property: p, formal: "f ≥ 0 when ${textOf(chain)}" }`,
          }),
        );
        const isTested = predicate.kind === 'call' && predicate.fn === 'implies';
        expect(isTested || drawn(domain).every((values) => isMet(chain, values))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('of a domain', () => {
    fc.assert(
      fc.property(chains, domains, (chain, set) => {
        const { domain } = model('f = a + 10·b + 100·c', `a, b, c ∈ ${set}, ${textOf(chain)}`);
        expect(drawn(domain).every((values) => isMet(chain, values))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

it('an input with another’s value is drawn after it, and a bound of either is one of both', () => {
  const { domain } = model('f = x + y', 'x ∈ [0, 4], y ∈ ℝ, y > 1, x = 2·y');
  const all = drawn(domain);
  expect(all.length).toBeGreaterThan(5);
  for (const values of all) {
    const [x, y] = [values.get('x') ?? NaN, values.get('y') ?? NaN];
    expect([x === 2 * y, x <= 4, y > 1]).toEqual([true, true, true]);
  }
});
