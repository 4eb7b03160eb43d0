/**
 * The check of the axioms finds each kind of fault at the first float32 that has it.
 *
 * Holds src/bounded-proofs/engines/smt/elementary-facts.ts.
 */
import { describe, expect, it } from 'vitest';
import { checkOrdinals, unaryAxioms } from '../../../../src/bounded-proofs/engines/smt/check-axioms.ts';
import { factsOf, machineValue } from '../../../../src/bounded-proofs/engines/smt/elementary-facts.ts';
import { elementaryFunctions } from '../../../../src/bounded-proofs/expression.ts';
import { float32Ordinal } from '../../../../src/numeric/float.ts';

const axiomOf = (fn: string) => {
  const found = unaryAxioms.find((axiom) => axiom.fn === fn);
  if (!found) throw new Error(`there is no axiom about ${fn}`);
  return found;
};

describe('what is assumed of the float32 functions', () => {
  it.each([
    ['exp', ['exp-monotone', 'exp-range'], false],
    ['log', ['log-monotone'], true],
    ['log2', ['log2-monotone'], true],
    ['tanh', ['tanh-monotone', 'tanh-range'], false],
    ['atan', ['atan-monotone'], false],
    ['sin', ['sine-range'], false],
    ['cos', ['sine-range'], false],
  ])('%s: %o', (fn, ids, positiveOnly) => expect(axiomOf(fn)).toEqual({ fn, ids, positiveOnly }));

  it('is nothing of any other', () => {
    const named = new Set<string>(unaryAxioms.map(({ fn }) => fn));
    for (const fn of elementaryFunctions)
      if (!named.has(fn)) expect(factsOf('machine', fn)).toMatchObject({ increasing: null, low: null, high: null });
  });
});

describe('a run of float32', () => {
  const one = float32Ordinal(1);

  it("in steps, with each one's neighbour", () => {
    expect(checkOrdinals(axiomOf('exp'), one, one + 1_000, 1)).toBeNull();
    expect(checkOrdinals(axiomOf('exp'), one, one + 1_000_000, 999)).toBeNull();
  });

  it('finds a value out of range', () => {
    // The logarithm of a number below 0 is none, and so in no range.
    expect(checkOrdinals(axiomOf('log'), -1, 10, 1)).toBe('log(-1.401298464324817e-45) is out of range');
    expect(checkOrdinals(axiomOf('log'), -20, 20, 10)).toBe('log(-2.802596928649634e-44) is out of range');
  });

  it('ends where it should', () => {
    expect(checkOrdinals(axiomOf('log'), one, one, 1)).toBeNull();
    expect(checkOrdinals(axiomOf('log'), 0, 0, 1)).toBeNull();
  });
});

it('the float32 functions are the float64 ones, rounded once; the error function has no float32 version', () => {
  expect(machineValue('exp', 1)).toBe(Math.fround(Math.E));
  expect(machineValue('log', -1)).toBeNaN();
  expect(machineValue('erf', 0)).toBeNaN();
});
