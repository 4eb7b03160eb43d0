import { describe, expect, it } from 'vitest';
import { accuracyClasses, inAccuracyClass, type AccuracyClass } from '../../src/contract/accuracy.ts';
import type { Contract, Tolerance } from '../../src/contract/contract.ts';
import { contractOf } from '../plan/projects.ts';

const text = `metadata: { version: "1.0.0", created: "2026-01-01", author: a, description: d, references: [r] }
equations:
  f: { formula: "f(x)_i = exp(x_i)", domain: "x ∈ F32^n, 1 ≤ n ≤ 4, |x_i| ≤ 1" }
proof_obligations:
  - id: T-EQV-001
    type: equivalence
    property: plain
    formal: "f(x) ≈ f_ref(x)"
    tolerance: { cond: 4, abs: 1e-37 }
  - id: T-EQV-002
    type: equivalence
    property: with a class and a device of its own
    formal: "f(x) ≈ f_ref(x)"
    tolerance: { cond: 4, library: { cond: 4, abs: 1e-6 }, backends: { gpu: { cond: 1, envelope: wgsl } } }
  - id: T-SND-001
    type: equivalence
    property: over the reals
    formal: "f(x) ≈ f_ref(x)"
    semantics: real
    tolerance: { abs: 1e-9 }
falsification_tests:
  - { id: FALSIFY-T-001, rule: T-EQV-002, prediction: "f(x)_0 ≈ 1", given: "x ∈ {[0]}", if_fails: wrong }
`;
const contract = contractOf('t-v1', text);

const parts = (tolerance: Tolerance | null | undefined): unknown =>
  tolerance && { abs: tolerance.abs, cond: tolerance.cond, envelope: tolerance.envelope };
const inClass = (accuracy: AccuracyClass): readonly unknown[] => {
  const { obligations }: Contract = inAccuracyClass(contract, accuracy);
  return obligations.map(({ tolerance }) => parts(tolerance));
};

describe('an accuracy class', () => {
  const real = { abs: 1e-9, cond: null, envelope: null };
  const half = { abs: 1e-37 * 2 ** 13 + 2 ** -14, cond: 4 * 2 ** 13, envelope: null };

  it.each([
    ['strict', [{ abs: 1e-37, cond: 4, envelope: null }, { abs: null, cond: 4, envelope: null }, real]],
    ['library', [{ abs: 1e-37, cond: 4, envelope: null }, { abs: 1e-6, cond: 4, envelope: null }, real]],
    ['gpu', [{ abs: 1e-37, cond: 4, envelope: null }, { abs: null, cond: 1, envelope: 'wgsl' }, real]],
    ['half', [half, { ...half, abs: 1e-6 * 2 ** 13 + 2 ** -14 }, real]],
  ] as const)('%s chooses the tolerances', (accuracy, expected) => {
    expect(inClass(accuracy)).toEqual(expected);
  });

  it('leaves a test without a tolerance to its obligation', () => {
    for (const accuracy of accuracyClasses)
      expect(inAccuracyClass(contract, accuracy).falsificationTests[0]?.tolerance).toBeNull();
  });

  it('without a tolerance for float32 there is none in the stricter class either', () => {
    const only = contractOf('t-v1', text.replace('{ cond: 4, abs: 1e-37 }', '{ library: { abs: 1e-6 } }'));
    expect(only.obligations[0]?.tolerance).toBeNull();
    expect(inAccuracyClass(only, 'library').obligations[0]?.tolerance?.abs).toBe(1e-6);
  });
});
