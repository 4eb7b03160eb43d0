import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/evidence/digest.ts';
import { gradeComposed } from '../../src/evidence/grade-composed.ts';
import type { AssumedRecord, ProofRecord, Receipt } from '../../src/evidence/receipt.ts';
import { sampleInput, sampleReceipt } from './sample-receipt.ts';

const assumed = (name: string): AssumedRecord => ({
  goal: name,
  harness: 'H',
  check: sha256(name),
  scope: 'every n from 1 to 4',
});

function proof(name: string, below: readonly string[], changes: Partial<ProofRecord> = {}): Receipt {
  return sampleReceipt({
    check: sha256(name),
    method: 'bounded',
    verdict: 'proved',
    proof: {
      harness: 'H',
      strategy: 'compositional',
      about: 'float32 code',
      bound: 4,
      scope: 'every n from 1 to 4',
      inPart: null,
      instances: 4,
      statements: 4,
      proved: 4,
      conditions: 0,
      safe: 0,
      engines: [],
      axioms: [],
      witness: sampleInput,
      refuted: { mutant: 'm', input: sampleInput },
      open: [],
      ...(below.length === 0 ? {} : { assumed: below.map(assumed) }),
      ...changes,
    },
  });
}

const grade = (receipt: Receipt, others: readonly Receipt[]) =>
  gradeComposed(receipt, (check) => others.find((one) => one.check === check));
const gone = (name: string) => ({
  verdict: 'stale',
  reason: `${name} (H) replaced a kernel and is no longer proved`,
});

describe('a proof in which other proofs stood in for kernels', () => {
  it('is one as long as each of them is', () => {
    const [a, b] = [proof('a', []), proof('b', [])];
    expect(grade(a, [])).toEqual({ verdict: 'proved', reason: null });
    expect(grade(proof('top', ['a', 'b']), [a, b])).toEqual({ verdict: 'proved', reason: null });
    expect(grade(proof('top', ['a', 'b']), [a])).toEqual(gone('b'));
    expect(grade(proof('top', ['a', 'b']), [b])).toEqual(gone('a'));
    expect(grade(proof('top', ['a']), [proof('a', [], { proved: 3 })])).toEqual(gone('a'));
    expect(grade(proof('top', ['a']), [{ ...a, proof: null }])).toEqual(gone('a'));
  });

  it.each(['formula', 'code over the reals'] as const)('is none where one of them is of the %s', (about) => {
    expect(grade(proof('top', ['a']), [proof('a', [], { about })])).toEqual(gone('a'));
  });

  it('does not exist where one of them leans on a proof that is gone', () => {
    const [top, middle, bottom] = [proof('top', ['middle']), proof('middle', ['bottom']), proof('bottom', [])];
    expect(grade(top, [middle, bottom])).toEqual({ verdict: 'proved', reason: null });
    expect(grade(top, [middle])).toEqual(gone('middle'));
  });

  it('says of itself what it lacks before it says what they lack', () => {
    expect(grade(proof('top', ['a'], { proved: 0 }), []).verdict).toBe('undetermined');
    expect(grade(sampleReceipt(), [])).toEqual({ verdict: 'tested', reason: null });
  });
});
