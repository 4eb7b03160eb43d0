import { sha256 } from '../../src/evidence/digest.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import type { Receipt, RecordedInput } from '../../src/evidence/receipt.ts';

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

/** Of a user whose evidence is not under version control. */
export const ourTrust: Trust = {
  secret: 'a secret of thirty-two characters',
  tracked: new Set(),
  ask: () => 'missing',
};
