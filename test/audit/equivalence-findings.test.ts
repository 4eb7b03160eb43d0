/** A mutant that an author declares equivalent is believed as long as no evidence says otherwise. */
import { describe, expect, it } from 'vitest';
import { equivalenceFindings } from '../../src/audit/equivalence-findings.ts';
import type { MutantOutcome, Receipt } from '../../src/evidence/receipt.ts';
import { sampleReceipt } from '../evidence/sample-receipt.ts';
import { planOf } from '../plan/projects.ts';

const domain = 'domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"';
const contract = (mutant: string, equation: string | null): string => `metadata: { version: "1.0.0", description: Two }
equations:
  double: { formula: "D(x)_i = 2·x_i", ${domain} }
  half: { formula: "H(x)_i = x_i / 2", ${domain} }
proof_obligations:
  - { id: D-1, type: bound, property: p, formal: "|D(x)_i| ≤ 200" }
  - { id: H-1, type: bound, property: p, formal: "|H(x)_i| ≤ 50" }
qa_gate:
  id: G
  name: Gate
  equivalent_mutants:
    - { mutant: "${mutant}", ${equation === null ? '' : `equation: ${equation}, `}reason: Nobody would }
`;
const text = 'export function kernel(this: any, x: number[]): number { return x[this.thread.x]; }';
const kernels = ['double', 'half'].map((equation) => ({ contract: 'c-v1', equation, text }));

const zero = 'saboteur:zero (every output is 0)';
const outcome = (mutant: string, killedBy: readonly string[], equivalent: string | null): MutantOutcome => ({
  mutant,
  killedBy,
  killedByOrdinary: killedBy,
  equivalent,
  separatingInput: null,
  separatingOutputs: null,
});

interface Case {
  readonly mutant?: string;
  readonly equation?: string | null;
  /** Of the wrong kernels of `double`. */
  readonly tried?: readonly MutantOutcome[];
  /** Of the wrong kernels of `half`; `null` where they have not been tried. */
  readonly beside?: Partial<Receipt> | null;
  /** Of the claim of `double`. */
  readonly claim?: Receipt['verdict'];
}

async function found({ mutant = 'saboteur:zero', equation = 'double', tried, beside, claim = 'tested' }: Case) {
  const plan = await planOf({ 'c-v1': contract(mutant, equation) }, kernels);
  const receipts = plan.checks.flatMap(({ id, goal, method }): readonly Receipt[] => {
    const of = { check: id, goal, method };
    if (method === 'property') return [sampleReceipt({ ...of, verdict: goal === 'c-v1/D-1' ? claim : 'tested' })];
    if (method !== 'adequacy' || !tried) return [];
    if (goal === 'c-v1/double') return [sampleReceipt({ ...of, mutants: tried })];
    return beside === null ? [] : [sampleReceipt({ ...of, mutants: [], ...beside })];
  });
  const receiptsByCheck = new Map(receipts.map((receipt) => [receipt.check, receipt]));
  return equivalenceFindings({ plan, receiptsByCheck }).map(
    ({ code, severity, message, hint }) => `${code} ${severity}: ${message} (${hint})`,
  );
}

describe('before anything has run', () => {
  it.each([
    ['double', []],
    ['dubble', ['did you mean `double`?']],
    ['softmax', ['the equations are double and half']],
  ])('an entry about %s', async (equation, hints) => {
    expect(await found({ equation })).toEqual(
      hints.map(
        (hint) =>
          `PV-6009 error: a mutant of '${equation}' is declared equivalent, which is not an equation of this contract, nor a claim about its data (${hint})`,
      ),
    );
  });
});

describe('once all wrong kernels have been tried', () => {
  const killed = ['c-v1/D-1'];
  const caught = `PV-6008 error: 'saboteur:zero' is declared equivalent, but it is caught by c-v1/D-1 (remove it from equivalent_mutants)`;

  it.each<[string, Case, readonly string[]]>([
    ['one that survives as declared is believed', { tried: [outcome(zero, [], 'r')] }, []],
    ['one that a claim catches is refuted', { tried: [outcome(zero, killed, 'r')] }, [caught]],
    [
      'one whose outputs differ is refuted',
      { tried: [outcome(zero, [], null)] },
      [
        `PV-6010 error: 'saboteur:zero' is declared equivalent, but its outputs plainly differ from the kernel's (add a claim that catches it; pv audit shows an input)`,
      ],
    ],
    // What is caught and was not taken for equivalent is no contradiction.
    ['one that was judged as any other is fine when it is caught', { tried: [outcome(zero, killed, null)] }, []],
    [
      'one that is misspelled is reported with the nearest',
      { mutant: 'saboteur:zera', tried: [outcome('saboteur:zero', killed, null)] },
      [`PV-6009 error: there is no wrong kernel 'saboteur:zera' (did you mean \`saboteur:zero\`?)`],
    ],
    [
      'one that nothing resembles is reported',
      { mutant: 'haste', tried: [outcome(zero, killed, null)] },
      [`PV-6009 error: there is no wrong kernel 'haste' (pv audit lists the wrong kernels that survive)`],
    ],
    [
      'one of the source of another kernel is a warning',
      { mutant: 'kernel:9:9', tried: [outcome(zero, killed, null)] },
      [`PV-6009 warning: there is no wrong kernel 'kernel:9:9' (pv audit lists the wrong kernels that survive)`],
    ],
    [
      'a longer name is another wrong kernel',
      { tried: [outcome('saboteur:zeros', [], 'r')] },
      [`PV-6009 error: there is no wrong kernel 'saboteur:zero' (did you mean \`saboteur:zeros\`?)`],
    ],
    [
      'one of no equation is sought in all of them',
      { equation: null, tried: [], beside: { mutants: [outcome(zero, killed, 'r')] } },
      [caught],
    ],
    [
      'one of an equation is not sought in others',
      { tried: [outcome(zero, [], 'r')], beside: { mutants: [outcome(zero, killed, 'r')] } },
      [],
    ],
    [
      'an entry without an equation waits for all',
      { equation: null, tried: [outcome(zero, killed, 'r')], beside: null },
      [],
    ],
    ['an entry about one equation waits for no other', { tried: [outcome(zero, killed, 'r')], beside: null }, [caught]],
    [
      'an entry waits for a try that was cut short',
      { equation: null, tried: [outcome(zero, killed, 'r')], beside: { verdict: 'incomplete' } },
      [],
    ],
    [
      'wrong kernels of a kernel that is wrong itself say nothing',
      { tried: [outcome(zero, killed, 'r')], claim: 'falsified' },
      [],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await found(given)).toEqual(expected);
  });
});
