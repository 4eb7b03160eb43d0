/**
 * log Σⱼ exp(xⱼ), the same bits on every machine: only +, −, × and ÷ of doubles, each of which IEEE 754 rounds one way.
 */

/** ln 2 as a head of 32 bits, whose products with exponents are exact, and a tail (fdlibm, e_exp.c). */
const ln2Head = 6.9314718036912381649e-1;
const ln2Tail = 1.90821492927058770002e-10;

/** Adding and subtracting 1.5·2⁵² rounds a double to a whole number, ties to even. */
const integerRounder = 1.5 * 2 ** 52;

/** 2⁻ᵏ for k from 0 to 1022: halving is exact. */
const powers = new Float64Array(1023);
for (let k = 0, power = 1; k < powers.length; k++, power /= 2) powers[k] = power;

/** exp(x) of x ≤ 0, relative error below 10⁻¹⁰; 0 below −708. */
function expOfNonPositive(x: number): number {
  if (x < -708) return 0;
  const k = x * Math.LOG2E + integerRounder - integerRounder;
  const r = x - k * ln2Head - k * ln2Tail;
  // Σ rⁿ/n! to n = 9: for |r| ≤ ln 2 / 2 the rest is below 10⁻¹¹ of it.
  let series = r * (1 / 362880) + 1 / 40320;
  series = series * r + 1 / 5040;
  series = series * r + 1 / 720;
  series = series * r + 1 / 120;
  series = series * r + 1 / 24;
  series = series * r + 1 / 6;
  series = series * r + 0.5;
  series = series * r + 1;
  series = series * r + 1;
  return series * (powers[-k] ?? 0);
}

/** log(x) of x ≥ 1, as e·ln 2 + 2·artanh((m − 1)/(m + 1)) with m = x/2ᵉ in [√½, √2]. */
function logOfAtLeastOne(x: number): number {
  let m = x;
  let exponent = 0;
  for (; m > Math.SQRT2; exponent++) m /= 2;
  const s = (m - 1) / (m + 1);
  const square = s * s;
  let series = 0;
  for (let k = 19; k >= 1; k -= 2) series = series * square + 1 / k;
  return exponent * ln2Head + (2 * s * series + exponent * ln2Tail);
}

/**
 * log Σⱼ exp(xⱼ) as float32, for at least one finite logit.
 *
 * m + log Σⱼ exp(xⱼ − m) with m the largest: differences exactly in float64, summed from left to right. Before its one
 * rounding to float32 the result is within 10⁻⁹ of the true value; no −0, and never below m.
 */
export function logSumExp(logits: Float32Array): number {
  let largest = -Infinity;
  for (const x of logits) if (x > largest) largest = x;
  let sum = 0;
  for (const x of logits) sum += expOfNonPositive(x - largest);
  return Math.fround(largest + logOfAtLeastOne(sum)) + 0;
}
