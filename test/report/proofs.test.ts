/** Holds src/report/proofs/text.ts. */
import { expect, it } from 'vitest';
import type { ProofReport } from '../../src/report/proofs/proof-report.ts';
import type { FindingReport } from '../../src/report/report.ts';
import { allStand, proofsText, summaryLine } from '../../src/report/proofs/text.ts';
import { sampleInput } from '../evidence/sample-receipt.ts';

const proved: ProofReport = {
  contract: 'softmax-kernel-v1',
  claim: 'SM-INV-001',
  property: 'Outputs sum to one',
  formal: '|Σ_i σ(x)_i - 1| ≤ ε',
  file: 'contracts/softmax-kernel-v1.yaml',
  line: 30,
  harness: 'KANI-SM-001',
  strategy: 'stub_float',
  bound: 16,
  verdict: 'proved',
  reason: null,
  proof: {
    harness: 'KANI-SM-001',
    strategy: 'stub_float',
    about: 'float32 code',
    bound: 16,
    scope: 'every n from 1 to 16',
    inPart: null,
    instances: 16,
    statements: 16,
    proved: 16,
    conditions: 90,
    safe: 90,
    engines: [
      { engine: 'algebra', version: '1', proved: 90 },
      { engine: 'smt', version: '1', proved: 0 },
    ],
    axioms: ['rounding-relative'],
    witness: sampleInput,
    refuted: { mutant: 'kernel:3:16 1 → 2', input: sampleInput },
    open: [],
  },
  counterexample: null,
  check: 'sha256:0',
  reproduce: 'pv kani contracts/softmax-kernel-v1.yaml --claim SM-INV-001 --fresh',
};

const refuted: ProofReport = {
  ...proved,
  claim: 'SM-BND-001',
  harness: 'SM-BND-001',
  property: 'Bad \u001B[31m control',
  verdict: 'falsified',
  reason: 'left = 2 > right = 1',
  proof: null,
  counterexample: { input: sampleInput, explanation: 'left = 2 > right = 1', shrinks: 0, outputs: ['[2, 0]'] },
};

const paint = (_: unknown, part: string): string => part;

it('says what keeps a kernel from being read before what was proved of the others', () => {
  const broken: FindingReport = {
    code: 'PV-5020',
    severity: 'error',
    message: 'a kernel cannot read `this.constants.n`',
    hint: null,
    path: 'src/mix.ts',
    start: { line: 7, column: 23 },
    end: { line: 7, column: 39 },
    excerpt: [' --> src/mix.ts:7:23'],
  };
  expect(proofsText([], [broken], { paint, width: 100 }))
    .toBe(`error[PV-5020]: a kernel cannot read \`this.constants.n\`
 --> src/mix.ts:7:23
  = more: pv explain PV-5020

0 of 0 proofs hold
`);
});

it('lists what is proved with what it rests on, and shows what refutes the rest', () => {
  const text = proofsText([proved, refuted], [], { paint, width: 100 });
  expect(text).not.toContain('\u001B');
  expect(text.replace(/Bad .* control/u, 'Bad control')).toBe(`softmax-kernel-v1
  ★ KANI-SM-001 (SM-INV-001)  Outputs sum to one
      float32 code, every n from 1 to 16: 16 of 16 statements and 90 of 90 conditions proved, by algebra 90
      assumes rounding-relative
      refuses kernel:3:16 1 → 2
  ✗ SM-BND-001  Bad control
      falsified: left = 2 > right = 1
      at n = 2
      at x = [1.5, -0]
      the kernel gave [2, 0]
      reproduce: pv kani contracts/softmax-kernel-v1.yaml --claim SM-INV-001 --fresh

1 of 2 proofs holds, 1 refuted
`);
});

it('counts only proofs', () => {
  expect(summaryLine([{ ...proved, verdict: 'undetermined' }])).toBe('0 of 1 proof hold');
});

it('does not take a partial proof for one that suffices', () => {
  const inPart: ProofReport = { ...proved, proof: proved.proof && { ...proved.proof, inPart: 'n = 3 is left out' } };
  const text = proofsText([inPart], [], { paint, width: 100 });
  expect(text).toContain('◐ KANI-SM-001 (SM-INV-001)');
  expect(text).toContain('proved in part: n = 3 is left out');
  expect(text).toContain('1 of 1 proof holds, 1 of them in part');
  expect(allStand([inPart])).toBe(false);
  expect(allStand([inPart, { ...proved, harness: 'KANI-SM-002' }])).toBe(true);
  expect(allStand([inPart, { ...proved, claim: 'SM-BND-001' }])).toBe(false);
  expect(allStand([proved, refuted])).toBe(false);
  expect(allStand([])).toBe(false);
});
