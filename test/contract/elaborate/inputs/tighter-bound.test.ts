import fc from 'fast-check';
import { expect, it } from 'vitest';
import { narrowEnd, type Narrowable } from '../../../../src/contract/elaborate/inputs/tighter-bound.ts';
import { integer, variable } from '../../../../src/math/term/build.ts';
import { compileScalar } from '../../../../src/math/compile/scalar.ts';
import { FLOAT32, INTEGER, type Term } from '../../../../src/math/term/term.ts';

interface Statement {
  readonly end: 'lower' | 'upper';
  readonly open: boolean;
  /** A number, or the name of another input. */
  readonly limit: number | 'a' | 'b';
}

const statements = fc.array(
  fc.record({
    end: fc.constantFrom<Statement['end'][]>('lower', 'upper'),
    open: fc.boolean(),
    limit: fc.constantFrom<Statement['limit'][]>(0, 1, 2, 'a', 'b'),
  }),
  { minLength: 1, maxLength: 6 },
);
const numbers = fc.constantFrom(0, 1, 2, 3);

it.each([
  ['real', FLOAT32],
  ['whole', INTEGER],
])('narrows a %s number to what all statements allow, in any order, and to no less', (_, element) => {
  const termOf = (limit: Statement['limit']): Term =>
    typeof limit === 'number' ? integer(limit) : variable(limit, element);
  fc.assert(
    fc.property(statements, numbers, numbers, numbers, (all, y, a, b) => {
      const input: Narrowable = { element, lower: null, upper: null, excluded: [] };
      for (const { end, open, limit } of all) narrowEnd(input, end, { value: termOf(limit), open });
      const lookup = (name: string): number => (name === 'a' ? a : b);
      const allowed = all.every(({ end, open, limit }) => {
        const other = typeof limit === 'number' ? limit : lookup(limit);
        return (open && y !== other) || !open ? (end === 'lower' ? y >= other : y <= other) : false;
      });
      const { lower, upper, excluded } = input;
      const valueOf = (term: Term): number => compileScalar(term)(lookup);
      const isAbove = lower === null || (lower.open ? y > valueOf(lower.value) : y >= valueOf(lower.value));
      const isBelow = upper === null || (upper.open ? y < valueOf(upper.value) : y <= valueOf(upper.value));
      expect(isAbove && isBelow && excluded.every((value) => valueOf(value) !== y)).toBe(allowed);
    }),
    { numRuns: 2_000 },
  );
});
