/**
 * Properties that `readVnnlib` reads, and texts that it refuses.
 *
 * Holds src/training/robustness/vnnlib/cases.ts, src/training/robustness/vnnlib/claims.ts,
 * src/training/robustness/vnnlib/expressions.ts, src/training/robustness/vnnlib/linear.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextUp64 } from '../../../../src/numeric/float.ts';
import { compareRational, fromFloat } from '../../../../src/numeric/rational.ts';
import { certify } from '../../../../src/training/robustness/certify.ts';
import type { InputRange } from '../../../../src/training/robustness/input-range.ts';
import { networkOf } from '../../../../src/training/robustness/network.ts';
import { isExactlyUnsafe, type Property } from '../../../../src/training/robustness/property.ts';
import { readVnnlib } from '../../../../src/training/robustness/vnnlib/read-vnnlib.ts';

const declarations = '(declare-const X_0 Real)(declare-const X_1 Real)(declare-const Y_0 Real)(declare-const Y_1 Real)';
const box = '(assert (>= X_0 -1.0))(assert (<= X_0 1e0))(assert (>= X_1 0))(assert (<= X_1 2.5E-1))';

function read(text: string): Property {
  const property = readVnnlib(text);
  if (!property.ok) throw new Error(`${property.error.code} ${property.error.message}`);
  return property.value;
}

const codeOf = (text: string): string => {
  const property = readVnnlib(text);
  return property.ok ? 'read' : property.error.code;
};

function isWithin(value: number, range: InputRange | undefined): boolean {
  if (range === undefined) throw new Error('no range');
  const [below, above] = [range.lo, range.hi].map((end) => compareRational(end.value, fromFloat(value)));
  const [lowest, highest] = [range.lo.isOpen ? -1 : 0, range.hi.isOpen ? 1 : 0];
  return (below ?? 1) <= lowest && (above ?? -1) >= highest;
}

/** Whether an input with these outputs is unsafe. */
function unsafe(property: Property, x: readonly number[], y: readonly number[]): boolean {
  return property.cases.some(
    ({ ranges, constraints }) =>
      x.every((value, i) => isWithin(value, ranges?.[i])) && isExactlyUnsafe(constraints, x, y),
  );
}

describe('readVnnlib', () => {
  it('reads boxes and comparisons, in either order, with comments', () => {
    const property = read(
      `; a property\n${declarations}${box}(assert (<= 0.25 X_1)) ; again\n(assert (<= Y_0 Y_1))(assert (>= 3 Y_1))`,
    );
    expect(property.inputSize).toBe(2);
    expect(property.outputSize).toBe(2);
    expect(property.cases.map((one) => [Array.from(one.box.lo), Array.from(one.box.hi)])).toEqual([
      [
        [-1, 0.25],
        [1, 0.25],
      ],
    ]);
    expect(unsafe(property, [0, 0.25], [1, 2])).toBe(true);
    expect(unsafe(property, [0, 0.25], [2, 1])).toBe(false);
    expect(unsafe(property, [0, 0.25], [1, 4])).toBe(false);
  });

  it.each<readonly [string, string, readonly (readonly [readonly number[], boolean])[]]>([
    [
      'or',
      '(or (<= Y_0 0) (>= Y_1 5))',
      [
        [[0, 0], true],
        [[1, 5], true],
        [[1, 4], false],
      ],
    ],
    [
      'or of and',
      '(or (and (<= Y_0 0) (<= Y_1 0)) (and (>= Y_0 1) (>= Y_1 1)))',
      [
        [[0, 0], true],
        [[1, 1], true],
        [[0, 1], false],
      ],
    ],
    [
      'and of or',
      '(and (or (<= Y_0 0) (>= Y_0 2)) (or (<= Y_1 0) (>= Y_1 2)))',
      [
        [[0, 2], true],
        [[2, 0], true],
        [[1, 0], false],
        [[0, 1], false],
      ],
    ],
    [
      'not',
      '(not (<= Y_0 0))',
      [
        [[0, 0], false],
        [[1e-300, 0], true],
      ],
    ],
    [
      'not of and',
      '(not (and (<= Y_0 0) (<= Y_1 0)))',
      [
        [[0, 0], false],
        [[0, 1], true],
        [[1, 0], true],
      ],
    ],
    [
      'strict comparisons',
      '(< Y_0 Y_1)',
      [
        [[1, 1], false],
        [[0, 1], true],
      ],
    ],
    [
      'equations',
      '(= Y_0 1)',
      [
        [[1, 0], true],
        [[1.5, 0], false],
      ],
    ],
    [
      'linear forms',
      '(<= (+ Y_0 (* 2.0 Y_1)) (- 4 Y_0))',
      [
        [[1, 1], true],
        [[2, 1], false],
      ],
    ],
    [
      'inputs beside outputs',
      '(<= Y_0 X_0)',
      [
        [[0, 0], true],
        [[1, 0], false],
      ],
    ],
  ])('reads %s', (_, claim, expected) => {
    const property = read(`${declarations}${box}(assert ${claim})`);
    for (const [y, isHit] of expected) expect(unsafe(property, [0, 0], y)).toBe(isHit);
  });

  it('reads a disjunction of boxes', () => {
    const property = read(
      `${declarations}(assert (or (and (>= X_0 0)(<= X_0 1)(>= X_1 0)(<= X_1 1)(>= Y_0 1)) (and (>= X_0 5)(<= X_0 6)(>= X_1 5)(<= X_1 6)(<= Y_0 1))))`,
    );
    expect(property.cases.length).toBe(2);
    expect(unsafe(property, [0, 0], [1, 0])).toBe(true);
    expect(unsafe(property, [5, 5], [2, 0])).toBe(false);
  });

  it.each<readonly [string, readonly (readonly [number, boolean])[]]>([
    [
      '(assert (< X_0 0.5)) (assert (> X_0 0))',
      [
        [0, false],
        [0.25, true],
        [0.5, false],
      ],
    ],
    [
      '(assert (not (>= X_0 0.5))) (assert (<= (* -1.0 X_0) 0.0))',
      [
        [0, true],
        [0.25, true],
        [0.5, false],
      ],
    ],
    [
      '(assert (< X_0 0.5)) (assert (<= X_0 0.5)) (assert (>= X_0 0))',
      [
        [0, true],
        [0.5, false],
      ],
    ],
    [
      '(assert (< X_0 0.5)) (assert (<= X_0 0.25)) (assert (>= X_0 0))',
      [
        [0.25, true],
        [0.375, false],
      ],
    ],
    [
      '(assert (and (> (/ 1 2) X_0) (< 0 X_0)))',
      [
        [0, false],
        [0.25, true],
        [0.5, false],
      ],
    ],
  ])('reads the bounds of %s', (bounds, expected) => {
    const property = read(`(declare-fun X_0 () Real)(declare-fun Y_0 () Real)${bounds}(assert (>= Y_0 0))`);
    for (const [x, isHit] of expected) expect(unsafe(property, [x], [1])).toBe(isHit);
    expect(property.cases.map(({ box: { hi } }) => (hi[0] ?? NaN) <= 0.5)).toEqual([true]);
  });

  it('leaves out a case that an open end makes empty', () => {
    const either = (one: string, other: string) =>
      `(declare-const X_0 Real)(declare-const Y_0 Real)(assert (>= X_0 0))(assert (<= X_0 1))(assert (or (and ${one} (>= Y_0 5)) (and ${other} (<= Y_0 1))))`;
    expect(read(either('(> X_0 1)', '(>= X_0 1)')).cases.map(({ box: { lo } }) => lo[0])).toEqual([1]);
    expect(codeOf(either('(> X_0 1)', '(< X_0 0)'))).toBe('PV-8312');
  });

  it.each([
    ['(< X_0 0.5)', '(>= Y_0 0.75)', 'holds'],
    ['(< X_0 0.5)', '(>= Y_0 0.25)', 'violated'],
    // Only the closed box contains such an input: it is neither reported as a counterexample nor proved absent.
    ['(< X_0 0.5)', '(>= Y_0 0.5)', 'undecided'],
    ['(<= X_0 0.5)', '(>= Y_0 0.5)', 'violated'],
    ['(< X_0 1e-300)', '(> Y_0 1.0)', 'holds'],
  ])('decides %s with %s on the identity: %s', (bound, claim, verdict) => {
    const property = read(
      `(declare-const X_0 Real)(declare-const Y_0 Real)(assert (>= X_0 0))(assert ${bound})(assert ${claim})`,
    );
    const found = certify(networkOf(1, [{ weights: [[1]], bias: [0] }]), property, { maxBoxes: 200 });
    expect(found).toMatchObject({ ok: true, value: { verdict } });
    if (found.ok && found.value.counterexample !== null)
      expect(unsafe(property, found.value.counterexample.inputs, found.value.counterexample.outputs)).toBe(true);
  });

  it('reads the commands around the assertions of SMT-LIB, and repeated assertions', () => {
    const text = `(set-logic QF_LRA)(set-info :source |a; (assert false) "|)${declarations}${box}${box}(assert (<= Y_0 Y_1))(assert (<= Y_0 Y_1))(check-sat)(get-model)(exit)`;
    expect(unsafe(read(text), [0, 0.25], [1, 2])).toBe(true);
    expect(unsafe(read(text), [0, 0.25], [2, 1])).toBe(false);
  });

  it('reads long sums, products and conjunctions in linear time', () => {
    const many = 40_000;
    const outputs = Array.from({ length: many }, (_, j) => `Y_${j}`);
    const text = `${outputs.map((name) => `(declare-const ${name} Real)`).join('')}(declare-const X_0 Real)
      (assert (and ${'(<= X_0 1)'.repeat(many)}))${'(assert (>= X_0 0))'.repeat(many)}
      (assert (<= (+ ${outputs.join(' ')} ${'Y_0 '.repeat(many)}) (* ${'1 '.repeat(many)} X_0)))`;
    const property = read(text);
    expect(property.cases[0]?.constraints[0]?.outputs?.[0]).toBe(many + 1);
  });

  it('refuses more coefficients than fit in memory', () => {
    const outputs = Array.from({ length: 100_000 }, (_, j) => `Y_${j}`);
    const text = `${outputs.map((name) => `(declare-const ${name} Real)`).join('')}(declare-const X_0 Real)
      (assert (<= 0 X_0))(assert (>= 1 X_0))(assert (or ${outputs
        .slice(0, 5000)
        .map((name) => `(<= ${name} 1)`)
        .join('')}))`;
    expect(codeOf(text)).toBe('PV-8310');
  });

  it('names the version that it does not read', () => {
    const found = readVnnlib('(vnnlib-version <2.0>)\n(declare-network f (declare-input X float32 [1]))');
    expect(found).toMatchObject({ ok: false, error: { message: expect.stringContaining('VNN-LIB 2.0') } });
  });

  it.each([
    ['text without parentheses', 'PV-8310', 'hello'],
    ['a parenthesis that is not closed', 'PV-8310', `${declarations}(assert (<= X_0 1)`],
    ['a parenthesis too many', 'PV-8310', `${declarations})`],
    ['an unknown command', 'PV-8310', '(define-fun f () Real 1.0)'],
    ['a variable that is declared twice', 'PV-8310', `${declarations}(declare-const X_0 Real)`],
    ['the same by another command', 'PV-8310', `${declarations}(declare-fun Y_0 () Real)`],
    ['a function of a number', 'PV-8310', '(declare-fun X_0 (Real) Real)'],
    ['a constant with two types', 'PV-8310', '(declare-const X_0 Real Real)'],
    ['an integer', 'PV-8310', '(declare-const X_0 Int)'],
    ['an assertion after the question', 'PV-8310', `${declarations}${box}(assert (<= Y_0 1))(check-sat)(assert false)`],
    ['an assertion after the end', 'PV-8310', `${declarations}${box}(assert (<= Y_0 1))(exit)(assert false)`],
    ['a quote that is not closed', 'PV-8310', `(set-info :source ")${declarations}${box}(assert (<= Y_0 1))`],
    ['a quoted name', 'PV-8310', '(declare-const |X_0| Real)'],
    ['a chain of comparisons', 'PV-8310', `${declarations}${box}(assert (<= 0 Y_0 1))`],
    ['an implication', 'PV-8310', `${declarations}${box}(assert (=> (<= Y_0 1) (<= Y_1 1)))`],
    ['a name for a claim', 'PV-8310', `${declarations}${box}(assert (! (<= Y_0 1) :named a))`],
    ['a local definition', 'PV-8310', `${declarations}${box}(assert (let ((a 1)) (<= Y_0 a)))`],
    ['a stack of assertions', 'PV-8310', `${declarations}${box}(push 1)(assert (<= Y_0 1))`],
    ['a product of an input and an output', 'PV-8310', `${declarations}${box}(assert (<= (* X_0 Y_0) 1))`],
    ['the inverse of an output', 'PV-8310', `${declarations}${box}(assert (<= (/ 1 Y_0) 1))`],
    ['a division by zero', 'PV-8310', `${declarations}${box}(assert (<= (/ Y_0 0) 1))`],
    ['VNN-LIB 2', 'PV-8310', '(vnnlib-version <2.0>)'],
    ['a variable that is not declared', 'PV-8310', `${declarations}${box}(assert (<= Y_7 1))`],
    ['a name that is no input or output', 'PV-8310', '(declare-const Z_0 Real)(assert (<= Z_0 1))'],
    [
      'a gap among the inputs',
      'PV-8310',
      '(declare-const X_1 Real)(declare-const Y_0 Real)(assert (<= X_1 1))(assert (>= X_1 1))(assert (>= Y_0 1))',
    ],
    ['a product of variables', 'PV-8310', `${declarations}${box}(assert (<= (* Y_0 Y_1) 1))`],
    ['an infinite number', 'PV-8310', `${declarations}${box}(assert (<= Y_0 1e999))`],
    ['NaN', 'PV-8310', `${declarations}${box}(assert (<= Y_0 NaN))`],
    ['two claims in one assert', 'PV-8310', `${declarations}${box}(assert (<= Y_0 1) (<= Y_1 1))`],
    ['no assertion', 'PV-8310', declarations],
    [
      'an input without an upper bound',
      'PV-8311',
      `${declarations}(assert (>= X_0 0))(assert (>= X_1 0))(assert (<= X_1 1))(assert (<= Y_0 1))`,
    ],
    ['a box that is empty', 'PV-8312', `${declarations}${box}(assert (>= X_0 2))(assert (<= Y_0 1))`],
    [
      'a box of one input that an open end excludes',
      'PV-8312',
      `${declarations}${box}(assert (> X_0 1))(assert (<= Y_0 1))`,
    ],
    ['nothing but false', 'PV-8312', `${declarations}${box}(assert false)`],
  ])('refuses %s', (_, code, text) => {
    expect(codeOf(text)).toBe(code);
  });

  it('refuses deep nesting, and disjunctions that multiply out', () => {
    expect(codeOf('('.repeat(1_000_000))).toBe('PV-8310');
    expect(codeOf(`${declarations}(assert ${'(not '.repeat(5000)}(<= Y_0 1)${')'.repeat(5000)})`)).toBe('PV-8310');
    const or = '(or (<= Y_0 0) (<= Y_1 0))';
    expect(codeOf(`${declarations}${box}(assert (and ${or.repeat(40)}))`)).toBe('PV-8310');
    expect(codeOf(`${declarations}${box}${`(assert ${or})`.repeat(40)}`)).toBe('PV-8310');
  });

  it('never throws', () => {
    const pieces = [
      '(',
      ')',
      'assert',
      'and',
      'or',
      'not',
      '<=',
      '>=',
      'X_0',
      'Y_0',
      '1.0',
      '-',
      '(declare-const X_0 Real)',
      ' ',
      ';',
      '|',
      '"',
      '*',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
        expect(codeOf(parts.join(' '))).toMatch(/^PV-831|^read$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a case that no input and output satisfy', () => {
  const codeWith = (claims: string): string => codeOf(`${declarations}${box}${claims}`);

  it.each([
    ['an output above 1 and below 0', '(assert (>= Y_0 1))(assert (<= Y_0 0))'],
    ['the same in a disjunction', '(assert (or (and (>= Y_0 1)(<= Y_0 0)) (and (> Y_1 2)(<= Y_1 2))))'],
    ['two orders of two outputs', '(assert (< Y_0 Y_1))(assert (<= Y_1 Y_0))'],
    ['multiples of one form', '(assert (<= (+ (* 2 Y_0) Y_1) 1))(assert (>= (+ (* 4 Y_0) (* 2 Y_1)) 2.1))'],
    ['a false comparison of numbers', '(assert (<= 1 0))'],
    ['false', '(assert false)'],
    ['a strict bound on both sides of one number', '(assert (and (< Y_0 0.1) (> Y_0 (/ 1 10))))'],
    ['a box whose ends round to one number', '(assert (>= X_0 (+ 0.5 1e-30)))(assert (<= X_0 0.5))(assert (>= Y_0 0))'],
    ['a sum of inputs beyond their box', '(assert (>= (+ X_0 X_1) 1.2500000000000000001))(assert (>= Y_0 0))'],
    ['a sum of inputs that a strict bound keeps out', '(assert (> (+ X_0 X_1) 1.25))(assert (>= Y_0 0))'],
    ['inputs in an order that their box rules out', '(assert (>= X_0 (+ X_1 1.5)))(assert (>= Y_0 0))'],
    ['a cycle of outputs', '(assert (< Y_0 Y_1))(assert (<= Y_1 (- Y_0 X_1)))'],
    [
      'three forms that add up to a contradiction',
      '(assert (>= Y_0 (+ X_0 2)))(assert (<= (+ Y_0 Y_1) 0.5))(assert (>= Y_1 X_1))',
    ],
    ['the same in every case', '(assert (or (and (> X_0 X_1) (<= X_0 0)) (>= (- X_0 X_1) 1.1)))(assert (>= Y_0 0))'],
    ['false beside many alternatives', `(assert (and ${'(or (<= Y_0 0) (<= Y_1 0))'.repeat(60)} false))`],
  ])('is not proved: %s', (_, claims) => {
    expect(codeWith(claims)).toBe('PV-8312');
  });

  it('is left out and counted, if others remain', () => {
    const property = read(`${declarations}${box}(assert (or (and (>= Y_0 1)(<= Y_0 0)) (>= Y_1 5)))`);
    expect([property.cases.length, property.emptyCases]).toEqual([1, 1]);
  });

  it('is not one whose bounds meet', () => {
    expect(codeWith('(assert (>= Y_0 0.1))(assert (<= Y_0 (/ 1 10)))')).toBe('read');
    expect(codeWith('(assert (<= 0 0))')).toBe('read');
    expect(codeWith('(assert (>= (+ X_0 X_1) 1.25))(assert (>= Y_0 0))')).toBe('read');
    expect(codeWith('(assert (<= Y_0 Y_1))(assert (<= Y_1 Y_0))')).toBe('read');
  });

  it.each(['(assert (or))', '(assert (and))'])('is not an empty connective: %s', (claims) => {
    expect(codeWith(claims)).toBe('PV-8310');
  });
});

describe('numbers', () => {
  const bounds = (text: string): readonly number[] => {
    const [one] = read(`(declare-const X_0 Real)(declare-const Y_0 Real)${text}(assert (>= Y_0 0))`).cases;
    return [one?.box.lo[0] ?? NaN, one?.box.hi[0] ?? NaN];
  };

  it('are added exactly and rounded outward once', () => {
    expect(bounds('(assert (>= X_0 (+ 0.1 0.2)))(assert (<= X_0 (+ 1e16 1 1 -1e16)))')).toEqual([0.3, 2]);
    expect(bounds('(assert (>= (* 3 X_0) 1))(assert (<= X_0 (/ 2 3)))')).toEqual([1 / 3, nextUp64(2 / 3)]);
    expect(bounds('(assert (>= X_0 -.5E+0))(assert (<= X_0 5.e-1))')).toEqual([-0.5, 0.5]);
  });

  it.each(['1e400', '(* 1e300 1e300)', '1e-4000', '0x10', '1e', '.', 'NaN', `(* ${'1e300 '.repeat(60)})`])(
    'beyond float64 or malformed are refused: %s',
    (text) => {
      expect(codeOf(`${declarations}${box}(assert (>= Y_0 ${text}))`)).toBe('PV-8310');
    },
  );

  it('end a comment with any line end', () => {
    expect(codeOf(`${declarations}${box};\r(assert (>= Y_0 1))(assert (<= Y_0 0))`)).toBe('PV-8312');
  });
});

describe('certify', () => {
  const identity = networkOf(1, [{ weights: [[1]], bias: [0] }]);
  const identity32 = networkOf(1, [{ weights: [[1]], bias: [0] }], 'float32');
  const claim = (text: string) => read(`(declare-const X_0 Real)(declare-const Y_0 Real)${text}`);

  it('widens a range without float32 numbers, and says so', () => {
    const at = '(assert (>= X_0 0.1))(assert (<= X_0 0.1))';
    const nearest = Math.fround(0.1);
    const safe = certify(identity32, claim(`${at}(assert (>= Y_0 0.11))`), { arithmetic: 'float32' });
    expect(safe).toMatchObject({ ok: true, value: { verdict: 'holds', widened: 1 } });
    // The input that an engine rounds 0.1 to is unsafe, but it is not 0.1.
    const unsafeAt = certify(identity32, claim(`${at}(assert (>= Y_0 0.1000000014))`), { arithmetic: 'float32' });
    expect(nearest).toBeGreaterThan(0.1000000014);
    expect(unsafeAt).toMatchObject({ ok: true, value: { verdict: 'undecided', reason: 'outside', widened: 1 } });
  });

  it.each([
    // Rounded to float64, the first two bounds would be 0.
    ['(assert (<= X_0 -1e-400))(assert (>= X_0 -1))', '(>= Y_0 0)', 'undecided'],
    ['(assert (> X_0 -1e-400))(assert (<= X_0 1))', '(>= Y_0 0)', 'violated'],
    ['(assert (<= X_0 0.1))(assert (>= X_0 0))', '(>= Y_0 0.1)', 'undecided'],
    ['(assert (<= X_0 0.1))(assert (>= X_0 0))', '(>= Y_0 0.09)', 'violated'],
    ['(assert (<= X_0 1))(assert (>= X_0 0))', '(> (* 0.1 Y_0) 0.1)', 'undecided'],
    ['(assert (<= X_0 1))(assert (>= X_0 0))', '(>= (* 0.1 Y_0) 0.1)', 'violated'],
    ['(assert (<= X_0 1))(assert (>= X_0 0))', '(> (* (/ 1 3) Y_0) (/ 1 3))', 'undecided'],
    ['(assert (<= X_0 1))(assert (>= X_0 0))', '(> (* (/ 1 3) Y_0) 0.4)', 'holds'],
  ])('takes all numbers as they are written: %s and %s', (bounds, output, expected) => {
    for (const network of [identity, identity32]) {
      const property = claim(`${bounds}(assert ${output})`);
      const decided = certify(network, property, { maxBoxes: 200 });
      expect(decided).toMatchObject({ ok: true, value: { verdict: expected } });
      if (decided.ok && decided.value.counterexample !== null) {
        const { inputs, outputs, unsafeIn } = decided.value.counterexample;
        expect(unsafe(property, inputs, outputs)).toBe(true);
        expect(unsafeIn).toContain(network.weights);
        if (network === identity32) expect(inputs.map(Math.fround)).toEqual(inputs);
      }
    }
  });

  it.each([identity, identity32])('does not call a range without floating-point numbers empty', (network) => {
    const between = '(assert (> X_0 0.5))(assert (< X_0 (+ 0.5 1e-30)))';
    const decided = certify(network, claim(`${between}(assert (>= Y_0 0.75))`));
    expect(decided).toMatchObject({ ok: true, value: { verdict: 'holds', widened: 1 } });
    const next = certify(network, claim(`${between}(assert (>= Y_0 0.5))`));
    expect(next).toMatchObject({ ok: true, value: { verdict: 'undecided', reason: 'outside', counterexample: null } });
  });

  it('needs an input that is unsafe over the reals where the verdict is on the reals', () => {
    // x + 1e16 − 1e16: 0 in float64, x over the reals.
    const rounded = networkOf(1, [
      { weights: [[1]], bias: [1e16] },
      { weights: [[1]], bias: [-1e16] },
    ]);
    const property = claim('(assert (<= X_0 1))(assert (>= X_0 0.25))(assert (<= Y_0 0))');
    const options = { maxBoxes: 20 };
    expect(certify(rounded, property, options)).toMatchObject({ ok: true, value: { verdict: 'violated' } });
    const overTheReals = certify(rounded, property, { ...options, arithmetic: 'real' });
    expect(overTheReals).toMatchObject({ ok: true, value: { verdict: 'undecided' } });
    const zero = claim('(assert (<= X_0 1))(assert (>= X_0 0))(assert (<= Y_0 0))');
    const found = certify(rounded, zero, { ...options, arithmetic: 'real' });
    expect(found).toMatchObject({ ok: true, value: { verdict: 'violated' } });
    expect(found.ok && found.value.counterexample?.unsafeIn.slice(0, 2)).toEqual(['real', 'float64']);
  });

  it('does not call a property proved if telling whether it is vacuous takes too much', () => {
    const names = Array.from({ length: 80 }, (_, j) => `Y_${j}`);
    const coefficient = (i: number, j: number): string => Math.sin(1 + 83 * i + j).toFixed(15);
    const dense = Array.from({ length: 160 }, (_, i) => {
      const products = names.map((name, j) => `(* ${coefficient(i, j)} ${name})`);
      return `(assert (<= (+ ${products.join(' ')}) ${coefficient(i, 80)}))`;
    });
    const declared = names.map((name) => `(declare-const ${name} Real)`).join('');
    const property = read(
      `(declare-const X_0 Real)${declared}(assert (>= X_0 0))(assert (<= X_0 1))(assert (> Y_0 5))${dense.join('')}`,
    );
    expect(property.unexaminedCases).toBe(1);
    const network = networkOf(1, [{ weights: names.map(() => [1]), bias: names.map(() => 0) }]);
    const decided = certify(network, property);
    expect(decided).toMatchObject({ ok: true, value: { verdict: 'undecided', reason: 'vacuity', open: 0 } });
  });

  it('does not take a product that underflows for 0', () => {
    const claims = '(assert (>= X_0 1e-200))(assert (<= X_0 2e-200))(assert (<= (* 1e-200 Y_0) 0))';
    const decided = certify(identity, claim(claims), { arithmetic: 'float64', maxBoxes: 10 });
    expect(decided.ok && decided.value.verdict).not.toBe('violated');
  });
});
