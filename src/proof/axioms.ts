/**
 * What proofs assume of float32 rounding and of the backend's elementary functions. Everything an engine assumes beyond
 * exact arithmetic is a row here; a receipt lists the rows that its proof used, and each row is itself tested.
 *
 * RN is rounding to the nearest float32, ties to even (IEEE 754-2019, §4.3.1). `f32:exp` is the float32 exponential:
 * the float64 result of the engine's `Math.exp`, rounded once.
 */

export interface Axiom {
  /** As a person reads it. */
  readonly statement: string;
  /** Where it comes from, or how it was established. */
  readonly source: string;
}

export const axioms = {
  'rounding-monotone': {
    statement: 'a ≤ b ⟹ RN(a) ≤ RN(b)',
    source: 'IEEE 754-2019, §4.3.1; Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., §2.2',
  },
  'rounding-exact': {
    statement: 'RN(f) = f for every float32 f',
    source: 'IEEE 754-2019, §4.3.1',
  },
  'rounding-relative': {
    statement: '|RN(a) − a| ≤ 2⁻²⁴·|a| + 2⁻¹⁵⁰ for |a| ≤ the largest finite float32',
    source: 'Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 2.2 and §2.1 (underflow)',
  },
  'rounding-addition': {
    statement: '|RN(a + b) − (a + b)| ≤ 2⁻²⁴·|a + b| for float32 a, b: a sum does not underflow',
    source: 'Hauser (1996), Handling floating-point exceptions in numeric programs, theorem 3.4.1',
  },
  'exp-monotone': {
    statement: 'a ≤ b ⟹ f32:exp(a) ≤ f32:exp(b) for float32 a, b',
    source: 'every neighbouring pair of float32 is compared',
  },
  'exp-range': {
    statement: '0 ≤ f32:exp(a); f32:exp(0) = 1',
    source: 'every float32 is tried',
  },
} as const satisfies Readonly<Record<string, Axiom>>;

export type AxiomId = keyof typeof axioms;
