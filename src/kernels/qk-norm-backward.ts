import type { KernelThread } from '../runtime/kernel-types.ts';

/**
 * The gradient of the logits of normalised queries and keys with respect to the queries: g/ρᵢ·(Σⱼ Gᵢⱼ·k̂ⱼ − q̂ᵢ·Σⱼ
 * Gᵢⱼ·cos(qᵢ, kⱼ)), ρᵢ the length of qᵢ; a row shorter than ε is divided by ε, a constant, so its second part is absent.
 * With the queries as keys and Gᵀ it is the gradient with respect to the keys.
 *
 * Laws: linear in G; orthogonal to the query, of which only the direction matters; zero if g is.
 *
 * Shapes: Q is n×d, K is s×d, G (the gradient of the logits) is n×s, the output n×d. Range: ε > 0.
 * Source: Henry, Dachapally, Pawar & Chen (2020), arXiv:2010.04245, section 3, equation 2, differentiated.
 */
export function qkNormBackwardQueries(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  G: readonly (readonly number[])[],
  g: number,
  epsilon: number,
  _n: number,
  d: number,
  s: number,
): number {
  const row = this.thread.y;
  let squaresQ = 0;
  for (let l = 0; l < d; l++) {
    squaresQ += Q[row]![l]! * Q[row]![l]!;
  }
  const length = Math.sqrt(squaresQ);
  const lengthQ = Math.max(epsilon, length);
  let plain = 0;
  let along = 0;
  for (let j = 0; j < s; j++) {
    let squaresK = 0;
    let dot = 0;
    for (let l = 0; l < d; l++) {
      squaresK += K[j]![l]! * K[j]![l]!;
    }
    const lengthK = Math.max(epsilon, Math.sqrt(squaresK));
    for (let l = 0; l < d; l++) {
      dot += (Q[row]![l]! / lengthQ) * (K[j]![l]! / lengthK);
    }
    plain += G[row]![j]! * (K[j]![this.thread.x]! / lengthK);
    along += G[row]![j]! * dot;
  }
  if (length > epsilon) {
    return (g / lengthQ) * (plain - (Q[row]![this.thread.x]! / lengthQ) * along);
  }
  return (g / lengthQ) * plain;
}

/**
 * The gradient of attention over normalised queries and keys with respect to its logits: Pᵢⱼ·(Aᵢⱼ − Σₜ Pᵢₜ·Aᵢₜ) with A =
 * D·Vᵀ and the attention weights P. {@link qkNormBackwardQueries} continues to queries and keys.
 *
 * Laws: linear in D; every row sums to 0; 0 with one key.
 *
 * Shapes: Q is n×d, K is s×d, V is s×v, D (the gradient of the output) is n×v, the output n×s. Range: |g| ≤ 40, ε > 0.
 * Sources: Henry et al. (2020), arXiv:2010.04245, equation 4; Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 4.
 */
export function qkNormBackwardLogits(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  V: readonly (readonly number[])[],
  D: readonly (readonly number[])[],
  g: number,
  epsilon: number,
  _n: number,
  d: number,
  s: number,
  v: number,
): number {
  const row = this.thread.y;
  let squaresQ = 0;
  for (let l = 0; l < d; l++) {
    squaresQ += Q[row]![l]! * Q[row]![l]!;
  }
  const lengthQ = Math.max(epsilon, Math.sqrt(squaresQ));
  let total = 0;
  let along = 0;
  let ownWeight = 0;
  let ownGain = 0;
  for (let j = 0; j < s; j++) {
    let squaresK = 0;
    for (let l = 0; l < d; l++) {
      squaresK += K[j]![l]! * K[j]![l]!;
    }
    const lengthK = Math.max(epsilon, Math.sqrt(squaresK));
    let cosine = 0;
    for (let l = 0; l < d; l++) {
      cosine += (Q[row]![l]! / lengthQ) * (K[j]![l]! / lengthK);
    }
    let gain = 0;
    for (let c = 0; c < v; c++) {
      gain += D[row]![c]! * V[j]![c]!;
    }
    const weight = Math.exp(g * cosine);
    total += weight;
    along += weight * gain;
    if (j === this.thread.x) {
      ownWeight = weight;
      ownGain = gain;
    }
  }
  return (ownWeight / total) * (ownGain - along / total);
}

/**
 * The gradient of attention over normalised queries and keys with respect to the values: Σᵢ Pᵢⱼ·Dᵢ, with the attention
 * weights P.
 *
 * Laws: linear in D; does not depend on V; over all keys it sums to the sum of D.
 *
 * Shapes: Q is n×d, K is s×d, D (the gradient of the output) is n×v, the output s×v. Range: |g| ≤ 40, ε > 0.
 * Sources: Henry et al. (2020), arXiv:2010.04245, equation 4; Dao et al. (2022), arXiv:2205.14135, appendix B.2, equation 3.
 */
export function qkNormBackwardValues(
  this: KernelThread,
  Q: readonly (readonly number[])[],
  K: readonly (readonly number[])[],
  D: readonly (readonly number[])[],
  g: number,
  epsilon: number,
  n: number,
  d: number,
  s: number,
  _v: number,
): number {
  let result = 0;
  for (let i = 0; i < n; i++) {
    let squaresQ = 0;
    for (let l = 0; l < d; l++) {
      squaresQ += Q[i]![l]! * Q[i]![l]!;
    }
    const lengthQ = Math.max(epsilon, Math.sqrt(squaresQ));
    let total = 0;
    let own = 0;
    for (let j = 0; j < s; j++) {
      let squaresK = 0;
      for (let l = 0; l < d; l++) {
        squaresK += K[j]![l]! * K[j]![l]!;
      }
      const lengthK = Math.max(epsilon, Math.sqrt(squaresK));
      let cosine = 0;
      for (let l = 0; l < d; l++) {
        cosine += (Q[i]![l]! / lengthQ) * (K[j]![l]! / lengthK);
      }
      const weight = Math.exp(g * cosine);
      total += weight;
      if (j === this.thread.y) {
        own = weight;
      }
    }
    result += (own / total) * D[i]![this.thread.x]!;
  }
  return result;
}
