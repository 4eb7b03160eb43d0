import { sha256 } from '../../src/evidence/digest.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import type { ProofRecord, Receipt, RecordedInput } from '../../src/evidence/receipt.ts';

/** x = [1.5, -0] as float32, little endian. */
export const sampleInput: RecordedInput = {
  sizes: { n: 2 },
  values: { x: { hex: 'f32:0000c03f00000080', text: '[1.5, -0]' } },
};

/** A green property receipt; `changes` make others of it. */
export function sampleReceipt(changes: Partial<Receipt> = {}): Receipt {
  return {
    schema: 'pv.receipt/1',
    check: sha256(`${changes.goal ?? 'g'}/${changes.method ?? 'property'}/${changes.goalDigest ?? ''}`),
    goal: 'softmax-kernel-v1/SM-INV-001',
    goalDigest: sha256('goal'),
    method: 'property',
    subject: { kind: 'kernel', name: 'softmax', hash: sha256('kernel') },
    backend: { id: 'gpujs-webasm', device: 'wasm', arithmetic: 'f32' },
    generator: { name: 'xoshiro128**', version: 1, seed: 7 },
    declaredCases: 10_000,
    cases: 10_000,
    filtered: 0,
    premiseHits: 10_000,
    verdict: 'tested',
    worst: { error: 1e-7, allowed: 1e-6, ratio: 0.1, input: sampleInput },
    counterexample: null,
    statistics: null,
    mutants: null,
    proof: null,
    reason: null,
    restsOn: {},
    tool: { name: 'pv', version: '0.1.0', node: '20.20.2' },
    timing: { elapsedMs: 12.5 },
    ...changes,
  };
}

const proofRecord: ProofRecord = {
  harness: 'KANI-SM-001',
  strategy: 'stub_float',
  about: 'float32 code',
  bound: 16,
  scope: 'every n from 1 to 16',
  inPart: null,
  instances: 16,
  statements: 16,
  proved: 16,
  conditions: 400,
  safe: 400,
  engines: [{ engine: 'rounding', version: '1', proved: 416 }],
  axioms: ['rounding-relative'],
  witness: sampleInput,
  refuted: { mutant: 'kernel:3:20 i < n → i < n - 1', input: sampleInput },
  open: [],
};

/** A bounded proof that stands, of every n from 1 to 16; `proof` and `changes` make others of it. */
export function sampleProof(proof: Partial<ProofRecord> = {}, changes: Partial<Receipt> = {}): Receipt {
  return sampleReceipt({
    method: 'bounded',
    verdict: 'proved',
    worst: null,
    declaredCases: 16,
    cases: 16,
    proof: { ...proofRecord, ...proof },
    ...changes,
  });
}

/** Of a user whose evidence is not under version control. */
export const ourTrust: Trust = {
  secret: 'a secret of thirty-two characters',
  tracked: new Set(),
  ask: () => 'missing',
};
