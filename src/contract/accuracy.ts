/**
 * Accuracy classes: how accurate the kernels of a project are meant to be. The class is named in the binding file or by
 * `--accuracy`, and decides which tolerance of a claim is in force.
 */
import type { Contract, FalsificationTest, Obligation, Tolerance } from './contract.ts';

/**
 * From the most to the least accurate. `strict`: float32 operations and functions accurate to a unit in the last place, in the
 * order of the equation or another. `library`: what numerical libraries ship, such as σ by a quotient of polynomials. `gpu`: what
 * WGSL demands of every device. `half`: intermediate results in float16.
 */
export const accuracyClasses = ['strict', 'library', 'gpu', 'half'] as const;

/** One of them. */
export type AccuracyClass = (typeof accuracyClasses)[number];

/** For kernels of people who do not say. */
export const defaultAccuracy: AccuracyClass = 'library';

/** The contract with the tolerances of a class; formulas, and claims without a tolerance, are the same in every class. */
export function inAccuracyClass(contract: Contract, accuracy: AccuracyClass): Contract {
  if (accuracy === 'strict') return contract;
  return {
    ...contract,
    obligations: contract.obligations.map((claim) => (isOfKernels(claim) ? ofClass(claim, accuracy) : claim)),
    falsificationTests: contract.falsificationTests.map((test) => (test.control ? test : ofClass(test, accuracy))),
  };
}

/** Claims over the reals, about distributions and about data are about no kernel's rounding. */
function isOfKernels({ about, semantics }: Obligation): boolean {
  return about !== 'data' && semantics !== 'real' && semantics !== 'statistical';
}

function ofClass<T extends Obligation | FalsificationTest>(claim: T, accuracy: Exclude<AccuracyClass, 'strict'>): T {
  const { libraryTolerance, backendTolerances } = claim;
  const common = libraryTolerance ?? claim.tolerance;
  switch (accuracy) {
    case 'library':
      return { ...claim, tolerance: common };
    case 'gpu':
      return { ...claim, tolerance: backendTolerances.get('webgpu') ?? common };
    case 'half':
      return {
        ...claim,
        tolerance: common && inHalf(common),
        backendTolerances: new Map([...backendTolerances].map(([backend, own]) => [backend, inHalf(own)])),
      };
  }
}

/** One rounding to float16 is as large as this many to float32: 2⁻¹¹ against 2⁻²⁴. */
const roundingsOfHalf = 2 ** 13;
/** The least normal float16: what a device that flushes subnormal results loses. */
const leastNormalHalf = 2 ** -14;

function inHalf(tolerance: Tolerance): Tolerance {
  const part = (value: number | null): number | null => value && value * roundingsOfHalf;
  const { abs, rel, ulp, cond } = tolerance;
  return { ...tolerance, abs: (part(abs) ?? 0) + leastNormalHalf, rel: part(rel), ulp: part(ulp), cond: part(cond) };
}
