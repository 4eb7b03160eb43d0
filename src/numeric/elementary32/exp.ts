/**
 * The exponential of a float32, with the same bits on every engine: it is made of + − × on float64 and one rounding at the
 * end, where `Math.exp` is each engine's own.
 *
 * Source: Szabolcs Nagy's `expf` of 2017 (ARM optimized-routines, `math/expf.c` and `exp2f_data.c`, MIT licence; glibc since
 * 2.27), after Tang (1989), Table-driven implementation of the exponential function in IEEE floating-point arithmetic, ACM
 * TOMS 15(2): exp x = 2^(k/32) · 2^(r/32) with k the nearest integer to 32·x/ln 2, |r| ≤ ½, and a cubic for the last factor.
 * Every float32 has the bits of glibc's code without fused multiply-add: the tests say how that was measured. The error is
 * below 0.502 units in the last place, so the result is not always the nearest float32.
 */

/** Entries of {@link exp32Table}. */
const entries = 32;

/** The numbers of the algorithm, for other code that must have the same bits. */
export const exp32Constants = {
  /** 32 / ln 2 (0x1.71547652b82fep+5). */
  perUnit: Math.LOG2E * entries,
  /** 1.5·2⁵²: a float64 of magnitude below 2⁵¹ plus and minus it is rounded to the nearest integer, ties to even. */
  shift: 1.5 * 2 ** 52,
  /** 2^(r/32) ≈ 1 + linear·r + quadratic·r² + cubic·r³ (0x1.c6af84b912394p-5, 0x1.ebfce50fac4f3p-3, 0x1.62e42ff0c52d6p-1). */
  cubic: 0.05550361559341535 / entries ** 3,
  quadratic: 0.2402284522445722 / entries ** 2,
  linear: 0.6931471806916203 / entries,
  /** Above it, ln 2¹²⁸ (0x1.62e42ep6), the result is ∞. */
  largest: 88.72283172607422,
  /** Below it, ln 2⁻¹⁵⁰ (-0x1.9fe368p6), the result is 0. */
  smallest: -103.97207641601562,
} as const;

/** The bits of the float64 nearest to 2^(i/32), less i·2⁴⁷: adding k·2⁴⁷ gives those of 2^(k/32) for any k ≡ i (mod 32). */
// prettier-ignore
export const exp32Table: BigUint64Array = BigUint64Array.of(
  0x3ff0000000000000n, 0x3fefd9b0d3158574n, 0x3fefb5586cf9890fn, 0x3fef9301d0125b51n,
  0x3fef72b83c7d517bn, 0x3fef54873168b9aan, 0x3fef387a6e756238n, 0x3fef1e9df51fdee1n,
  0x3fef06fe0a31b715n, 0x3feef1a7373aa9cbn, 0x3feedea64c123422n, 0x3feece086061892dn,
  0x3feebfdad5362a27n, 0x3feeb42b569d4f82n, 0x3feeab07dd485429n, 0x3feea47eb03a5585n,
  0x3feea09e667f3bcdn, 0x3fee9f75e8ec5f74n, 0x3feea11473eb0187n, 0x3feea589994cce13n,
  0x3feeace5422aa0dbn, 0x3feeb737b0cdc5e5n, 0x3feec49182a3f090n, 0x3feed503b23e255dn,
  0x3feee89f995ad3adn, 0x3feeff76f2fb5e47n, 0x3fef199bdd85529cn, 0x3fef3720dcef9069n,
  0x3fef5818dcfba487n, 0x3fef7c97337b9b5fn, 0x3fefa4afa2a490dan, 0x3fefd0765b6e4540n,
);

const { perUnit, shift, cubic, quadratic, linear, largest, smallest } = exp32Constants;

/** 2^(i/32), and 2^(k − 150) for every power that a float32 can need. */
const fractions = new Float64Array(exp32Table.map((bits, i) => bits + (BigInt(i) << 47n)).buffer);
const lowestPower = -150;
const powers = new Float64Array(
  BigUint64Array.from({ length: 279 }, (_, k) => BigInt(k + lowestPower + 1023) << 52n).buffer,
);

/** 2^(k/32) in float64 for a whole −150·32 ≤ k ≤ 128·32. */
export const powerOfTwo = (k: number): number =>
  (fractions[k & (entries - 1)] ?? 0) * (powers[(k >> 5) - lowestPower] ?? 0);

/** 2^(scaled/32) in float64 for −150·32 ≤ scaled ≤ 128·32, by the table and the cubic. */
export function exp2Scaled(scaled: number): number {
  const rounded = scaled + shift - shift;
  const rest = scaled - rounded;
  return ((cubic * rest + quadratic) * (rest * rest) + (linear * rest + 1)) * powerOfTwo(rounded);
}

/** exp x for a float32 `x` (other numbers are rounded first), as a float32. NaN gives NaN, −∞ gives 0. */
export function exp32(x: number): number {
  const value = Math.fround(x);
  if (value > largest) return Infinity;
  if (value < smallest) return 0;
  return Number.isNaN(value) ? value : Math.fround(exp2Scaled(perUnit * value));
}
