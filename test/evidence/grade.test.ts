import { describe, expect, it } from 'vitest';
import { gradeReceipt } from '../../src/evidence/grade.ts';
import type { MethodId, ProofRecord, Receipt } from '../../src/evidence/receipt.ts';
import { verdicts } from '../../src/evidence/verdict.ts';
import { sampleInput, sampleReceipt } from './sample-receipt.ts';

const grade = (changes: Partial<Receipt>) => gradeReceipt(sampleReceipt(changes)).verdict;
const reason = (changes: Partial<Receipt>) => gradeReceipt(sampleReceipt(changes)).reason;

const counterexample = { input: sampleInput, explanation: 'left = 1, right = 2', shrinks: 0, outputs: [] };
const worst = (ratio: number) => ({ error: ratio, allowed: 1, ratio, input: sampleInput });
const sampling: readonly MethodId[] = ['falsify', 'property', 'statistical', 'reals', 'controls', 'soundness'];
const counted: readonly MethodId[] = ['types', 'adequacy'];

describe('a green receipt of cases', () => {
  it('is as green as it says', () => {
    expect(gradeReceipt(sampleReceipt())).toEqual({ verdict: 'tested', reason: null });
  });

  it('of which an input breaks the claim is refuted, whatever it calls itself', () => {
    for (const verdict of verdicts) {
      expect(gradeReceipt(sampleReceipt({ verdict, counterexample }))).toEqual({
        verdict: 'falsified',
        reason: counterexample.explanation,
      });
      expect(grade({ verdict, counterexample, method: 'soundness' })).toBe('unsound');
    }
  });

  it.each(sampling)('by %s has run cases, and all that were declared', (method) => {
    expect(grade({ method, cases: 0, declaredCases: 0 })).toBe('vacuous');
    expect(reason({ method, cases: 0, declaredCases: 0 })).toBe('no case was run');
    expect(grade({ method, cases: 9_999 })).toBe('incomplete');
    expect(reason({ method, cases: 9_999 })).toBe('9999 of 10000 cases were run');
    expect(grade({ method, cases: 10_000 })).toBe('tested');
    expect(grade({ method, cases: 10_001 })).toBe('tested');
  });

  it.each(counted)('by %s is not about cases', (method) => {
    expect(grade({ method, cases: 0, declaredCases: 0, premiseHits: 0, worst: worst(7) })).toBe('tested');
  });

  it('had at most a fifth of its inputs filtered out', () => {
    expect(grade({ filtered: 2_500 })).toBe('tested');
    expect(grade({ filtered: 2_501 })).toBe('incomplete');
    expect(reason({ filtered: 2_501 })).toBe('2501 of 12501 inputs were filtered out by the preconditions');
  });

  it('met its premise', () => {
    expect(grade({ premiseHits: 1 })).toBe('tested');
    expect(grade({ premiseHits: 0 })).toBe('vacuous');
    expect(reason({ premiseHits: 0 })).toBe('the premise held in 0 of 10000 cases');
  });

  it('stayed within its tolerance: the limit itself does, what cannot be compared does not', () => {
    expect(grade({ worst: null })).toBe('tested');
    expect(grade({ worst: worst(1) })).toBe('tested');
    expect(grade({ worst: worst(1 + 2 ** -52) })).toBe('falsified');
    expect(grade({ worst: worst(Number.NaN) })).toBe('falsified');
    expect(grade({ worst: worst(Infinity) })).toBe('falsified');
    expect(grade({ worst: worst(2), method: 'soundness' })).toBe('unsound');
    expect(reason({ worst: worst(2) })).toBe('the worst error is 2 times what is allowed');
  });

  it.each(sampling)('by %s proves nothing', (method) => {
    expect(grade({ method, verdict: 'proved' })).toBe('undetermined');
    expect(reason({ method, verdict: 'proved' })).toBe(`${method} samples and cannot prove`);
  });
});

describe('a receipt that is not green', () => {
  it('keeps its verdict and says why', () => {
    expect(gradeReceipt(sampleReceipt({ verdict: 'incomplete', reason: 'it timed out' }))).toEqual({
      verdict: 'incomplete',
      reason: 'it timed out',
    });
    expect(reason({ verdict: 'vacuous', reason: null })).toBe('property: vacuous');
  });

  it('is refuted by who is to blame: the equation where it ran itself, the kernel elsewhere', () => {
    for (const verdict of ['falsified', 'unsound'] as const) {
      expect(grade({ verdict, method: 'soundness' })).toBe('unsound');
      expect(grade({ verdict, method: 'property' })).toBe('falsified');
    }
  });
});

describe('a receipt of a bounded proof', () => {
  const proof: ProofRecord = {
    harness: 'KANI-SM-001',
    strategy: 'auto',
    about: 'float32 code',
    bound: 16,
    scope: 'every n from 1 to 16',
    inPart: null,
    instances: 16,
    statements: 3,
    proved: 3,
    conditions: 2,
    safe: 2,
    engines: [],
    axioms: [],
    witness: sampleInput,
    refuted: { mutant: 'kernel:1:1', input: sampleInput },
    open: [],
  };
  const proved = (changes: Partial<ProofRecord> = {}, more: Partial<Receipt> = {}): Partial<Receipt> => ({
    method: 'bounded',
    verdict: 'proved',
    cases: 0,
    declaredCases: 0,
    proof: { ...proof, ...changes },
    ...more,
  });

  it('proves when every statement and condition was proved, an input exists and a wrong kernel was refused', () => {
    expect(grade(proved())).toBe('proved');
  });

  it.each([
    ['leaves a statement open', { proved: 2 }, 'undetermined'],
    ['leaves a condition open', { safe: 1 }, 'undetermined'],
    ['states nothing', { statements: 0, proved: 0 }, 'vacuous'],
    ['is about no input', { witness: null }, 'vacuous'],
    ['refused no wrong kernel', { refuted: null }, 'vacuous'],
  ] as const)('that %s proves nothing', (_, changes, verdict) => {
    expect(grade(proved(changes))).toBe(verdict);
    expect(reason(proved(changes))).not.toBeNull();
  });

  it('without its record proves nothing, and sampling makes no proof of it', () => {
    expect(grade(proved({}, { proof: null }))).toBe('undetermined');
    expect(grade(proved({}, { verdict: 'tested' }))).toBe('undetermined');
  });
});
