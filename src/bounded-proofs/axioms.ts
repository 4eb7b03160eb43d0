/**
 * What proofs assume about float32 rounding and the backend's elementary functions. Everything an engine assumes beyond
 * exact arithmetic is a row here; a receipt lists the rows that its proof used, and each row is itself tested.
 *
 * RN is rounding to the nearest float32, ties to even (IEEE 754-2019, §4.3.1). `f32:exp` is the float32 exponential:
 * the float64 result of the engine's `Math.exp`, rounded once.
 */

/** A fact that proofs use without proving it. */
export interface Axiom {
  /** As shown to people. */
  readonly statement: string;
  /** Where it comes from, or how it was established. */
  readonly source: string;
}

/** By id; receipts of proofs name those that they used. */
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
  'machine-value': {
    statement: 'f32:f(a) at one float32 a is the value that this JavaScript engine computes there',
    source: 'by definition of f32:f; the version of the engine is part of the receipt',
  },
  'log-monotone': {
    statement: '0 < a ≤ b ⟹ f32:log(a) ≤ f32:log(b) for float32 a, b',
    source: 'every neighbouring pair of positive float32 is compared',
  },
  'log2-monotone': {
    statement: '0 < a ≤ b ⟹ f32:log2(a) ≤ f32:log2(b) for float32 a, b',
    source: 'every neighbouring pair of positive float32 is compared',
  },
  'tanh-monotone': {
    statement: 'a ≤ b ⟹ f32:tanh(a) ≤ f32:tanh(b) for float32 a, b',
    source: 'every neighbouring pair of float32 is compared',
  },
  'tanh-range': {
    statement: '−1 ≤ f32:tanh(a) ≤ 1; f32:tanh(0) = 0',
    source: 'every float32 is tried',
  },
  'atan-monotone': {
    statement: 'a ≤ b ⟹ f32:atan(a) ≤ f32:atan(b) for float32 a, b',
    source: 'every neighbouring pair of float32 is compared',
  },
  'sine-range': {
    statement: '−1 ≤ f32:sin(a) ≤ 1, −1 ≤ f32:cos(a) ≤ 1',
    source: 'every float32 is tried',
  },
  'real-increasing': {
    statement: 'exp, tanh, sinh, atan and erf are strictly increasing, log, log2 and log10 where they are defined',
    source: 'their derivatives are positive (NIST DLMF, §4.2, §4.7, §4.35, §7.2)',
  },
  'real-range': {
    statement:
      '0 < exp; −1 ≤ sin, cos, tanh, erf ≤ 1; 1 ≤ cosh; exp(0) = 1; tanh, sinh, atan, erf are 0 at 0; log, log2, log10 are 0 at 1',
    source: 'NIST DLMF, §4.2, §4.14, §4.23, §4.28, §7.2',
  },
  'real-convex': {
    statement: 'exp(a) ≥ exp(b) + exp(b)·(a − b): the exponential lies above its tangents',
    source: 'NIST DLMF, §4.5(i), inequality 4.5.7 (1 + x ≤ eˣ), with x = a − b',
  },
  'rounding-unit': {
    statement: '|RN(a) − a| ≤ 2^(e−24) for 2^e ≤ |a| ≤ 2^(e+1), e ≥ −126: half a unit in the last place',
    source: 'IEEE 754-2019, §4.3.1; Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., §2.3',
  },
  'rounding-scaled': {
    statement: '|RN(2ᵏ·a) − 2ᵏ·RN(a)| ≤ 2^(k−149) for k ≥ 1: they differ only by underflow',
    source: 'IEEE 754-2019, §4.3.1: the numbers above 2⁻¹²⁶ scale exactly, those below lie 2⁻¹⁴⁹ apart',
  },
  'function-envelope': {
    statement:
      '|F(a) − f(a)| ≤ k·ulp(F(a)) for the float64 function F of this JavaScript engine; k is 2 to 5, by function',
    source: 'measured at 10⁵ points and more against 40 digits, allowed twice the worst seen (docs/error-bounds.md)',
  },
} as const satisfies Readonly<Record<string, Axiom>>;

/** The id under which a receipt names an axiom. */
export type AxiomId = keyof typeof axioms;
