import { describe, expect, it } from 'vitest';
import { killsOf } from '../../src/evidence/kills.ts';
import type { MutantOutcome } from '../../src/evidence/receipt.ts';
import { sampleReceipt } from './sample-receipt.ts';

const goal = 'softmax-kernel-v1/SM-INV-001';

const mutant = (killedBy: readonly string[], killedByOrdinary: readonly string[] = killedBy): MutantOutcome => ({
  mutant: 'saboteur:zero (every output is 0)',
  killedBy,
  killedByOrdinary,
  equivalent: null,
  separatingInput: null,
  separatingOutputs: null,
});

const adequacy = (of: string, mutants: readonly MutantOutcome[] | null) =>
  sampleReceipt({ goal: of, method: 'adequacy', mutants });

describe('the wrong kernels that a claim caught', () => {
  it('do not exist where none was tried', () => {
    expect(killsOf(goal, [])).toBeNull();
    expect(killsOf(goal, [adequacy(goal, null), adequacy(goal, [])])).toBeNull();
    expect(killsOf(goal, [sampleReceipt({ goal, method: 'property', mutants: [mutant([goal])] })])).toBeNull();
  });

  it('belong to its own receipt, whichever claim caught them', () => {
    const receipt = adequacy(goal, [mutant(['anything']), mutant([])]);
    expect(killsOf(goal, [receipt])).toEqual({ killed: 1, total: 2, ordinary: 1 });
  });

  it('are of a whole contract those that it caught itself, by its id or its whole name', () => {
    const receipt = adequacy('softmax-kernel-v1', [
      mutant([goal]),
      mutant(['SM-INV-001']),
      mutant(['SM-INV-002']),
      mutant(['softmax-kernel-v1/SM-INV-002', 'M-INV-001']),
    ]);
    expect(killsOf(goal, [receipt])).toEqual({ killed: 2, total: 4, ordinary: 2 });
  });

  it('are ordinary only where an ordinary output broke this claim', () => {
    const receipt = adequacy('softmax-kernel-v1', [
      mutant([goal], []),
      mutant([goal], ['SM-INV-002']),
      mutant([], [goal]),
    ]);
    expect(killsOf(goal, [receipt])).toEqual({ killed: 2, total: 3, ordinary: 0 });
  });

  it('are counted without those that are declared equivalent, over all receipts', () => {
    const declared = { ...mutant([]), equivalent: 'the sum is the same' };
    expect(killsOf(goal, [adequacy(goal, [declared])])).toBeNull();
    expect(killsOf(goal, [adequacy(goal, [declared, mutant(['a'])]), adequacy(goal, [mutant([])])])).toEqual({
      killed: 1,
      total: 2,
      ordinary: 1,
    });
  });
});
