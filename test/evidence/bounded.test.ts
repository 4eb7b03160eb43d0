/** What a bounded proof may add to a claim, and what it never may. */
import { describe, expect, it } from 'vitest';
import { decodeReceipt } from '../../src/evidence/decode-receipt.ts';
import { deriveClaim, type ClaimEvidence } from '../../src/evidence/derive.ts';
import { sha256 } from '../../src/evidence/digest.ts';
import { gradeReceipt } from '../../src/evidence/grade.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { sampleInput, sampleProof, sampleReceipt } from './sample-receipt.ts';

const property = sampleReceipt();
const adequacy = sampleReceipt({
  method: 'adequacy',
  worst: null,
  mutants: [
    {
      mutant: 'saboteur:zero',
      killedBy: [property.goal],
      killedByOrdinary: [property.goal],
      equivalent: null,
      separatingInput: null,
      separatingOutputs: null,
    },
  ],
});

function claim(bounded: readonly Receipt[], expected: readonly Receipt[] = bounded): ClaimEvidence {
  const receipts = [property, adequacy, ...bounded];
  return {
    goal: property.goal,
    notGoal: null,
    unboundEquations: [],
    expected: [property, adequacy, ...expected].map(({ check, method, backend }) => ({
      check,
      method,
      backend: backend.id,
      isControl: false,
    })),
    receipts,
    receiptOf: (check) => receipts.find((receipt) => receipt.check === check),
    currentChecks: new Set(receipts.map(({ check }) => check)),
    adequacyExemption: null,
    asksFiniteness: false,
    hollow: null,
    waiver: null,
  };
}

describe('a bounded proof', () => {
  it('lifts no claim where it is of some sizes only', () => {
    const inPart = sampleProof({ inPart: 'n = 7 is left out' });
    expect(deriveClaim(claim([inPart]))).toMatchObject({ verdict: 'tested', level: 'L3', reason: null });
    const whole = sampleProof({ harness: 'KANI-SM-002' }, { check: sha256('whole') });
    expect(deriveClaim(claim([inPart, whole]))).toMatchObject({ verdict: 'proved', level: 'L4' });
    expect(deriveClaim(claim([inPart], [inPart, whole]))).toMatchObject({ verdict: 'tested', level: 'L3' });
  });

  it('lifts a claim that is tested to L4', () => {
    expect(deriveClaim(claim([sampleProof()]))).toMatchObject({ verdict: 'proved', level: 'L4' });
    expect(deriveClaim(claim([]))).toMatchObject({ verdict: 'tested', level: 'L3' });
  });

  it.each([
    ['a statement is open', { proved: 15 }, 'undetermined'],
    ['a condition of the code is open', { safe: 399 }, 'undetermined'],
    ['nothing was stated', { statements: 0, proved: 0 }, 'vacuous'],
    ['no input satisfies the preconditions', { witness: null }, 'vacuous'],
    ['no wrong kernel was refused', { refuted: null }, 'vacuous'],
  ] as const)('is none where %s', (_, proof, verdict) => {
    const receipt = sampleProof(proof);
    expect(gradeReceipt(receipt).verdict).toBe(verdict);
    expect(deriveClaim(claim([receipt]))).toMatchObject({ verdict: 'tested', level: 'L3' });
  });

  it('is none without its record, whatever the receipt says', () => {
    expect(gradeReceipt({ ...sampleProof(), proof: null }).verdict).toBe('undetermined');
  });

  it.each(['formula', 'code over the reals'] as const)('of the %s gives the float32 code no level', (about) => {
    expect(deriveClaim(claim([sampleProof({ about })]))).toMatchObject({ verdict: 'tested', level: 'L3' });
  });

  it('that has not run leaves the claim as tested as it is', () => {
    expect(deriveClaim(claim([], [sampleProof()]))).toMatchObject({ verdict: 'tested', level: 'L3', reason: null });
  });

  it('of one harness is not enough where two are requested', () => {
    const other = sampleProof({ harness: 'KANI-SM-002', proved: 3 }, { goalDigest: 'sha256:other' });
    expect(deriveClaim(claim([sampleProof(), other]))).toMatchObject({ verdict: 'tested', level: 'L3' });
  });

  it('that finds a counterexample falsifies what every test let through', () => {
    const counterexample = { input: sampleInput, explanation: 'left = 2 > right = 1', shrinks: 0, outputs: ['2'] };
    const refuted = sampleProof({}, { verdict: 'falsified', counterexample, reason: 'left = 2 > right = 1' });
    expect(deriveClaim(claim([refuted]))).toMatchObject({ verdict: 'falsified', level: 'L0', counterexample });
  });

  it('that rests on evidence which has changed counts no more', () => {
    const stale = sampleProof({}, { restsOn: { 'other/X': 'sha256:gone' } });
    expect(deriveClaim(claim([stale]))).toMatchObject({ verdict: 'tested', level: 'L3' });
    const evidence = claim([stale]);
    const currentChecks = new Set([...evidence.currentChecks, 'sha256:gone']);
    expect(deriveClaim({ ...evidence, currentChecks })).toMatchObject({ verdict: 'proved', level: 'L4' });
  });

  it('does not lift what is below L3', () => {
    const few = sampleReceipt({ cases: 100, declaredCases: 100, premiseHits: 100 });
    const evidence = claim([sampleProof()]);
    const receipts = evidence.receipts.map((receipt) => (receipt.check === few.check ? few : receipt));
    expect(deriveClaim({ ...evidence, receipts })).toMatchObject({ level: 'L2' });
  });

  it('survives the store', () => {
    const receipt = sampleProof();
    expect(decodeReceipt(JSON.parse(JSON.stringify(receipt)))).toEqual({ ok: true, value: receipt });
    expect(decodeReceipt({ ...receipt, proof: { ...receipt.proof, about: 'everything' } }).ok).toBe(false);
  });
});
