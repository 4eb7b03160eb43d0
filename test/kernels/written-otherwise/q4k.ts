/** Blocks of 256 weights in four bits (Q4_K), with a loop for a formula. */

/** Eight scales, then eight minima, of six bits each, packed in twelve bytes. */
function unpack(s: Int32Array): readonly number[] {
  const scales: number[] = [];
  const minima: number[] = [];
  for (let j = 0; j < 8; j++) {
    scales.push(j < 4 ? s[j]! & 63 : (s[j + 4]! & 15) | ((s[j - 4]! >> 6) << 4));
    minima.push(j < 4 ? s[j + 4]! & 63 : (s[j + 4]! >> 4) | ((s[j]! >> 6) << 4));
  }
  return [...scales, ...minima];
}

export function q4kScalesUnpacked(s: Int32Array): Float32Array {
  return Float32Array.from(unpack(s));
}

/** Wrong: the two high bits of the later blocks are forgotten. */
export function q4kScalesOfLowBits(s: Int32Array): Float32Array {
  return Float32Array.from(unpack(s), (value, i) => (i % 8 < 4 ? value : value & 15));
}

/** The low halves of 32 bytes, then their high halves. */
function weight(q: Int32Array, i: number): number {
  const byte = q[32 * (i >> 6) + (i & 31)]!;
  return (i >> 5) & 1 ? byte >> 4 : byte & 15;
}

export function q4kDequantizeByShifts(s: Int32Array, q: Int32Array, d: number, m: number): Float32Array {
  const scales = unpack(s);
  return Float32Array.from({ length: 256 }, (_, i) => d * scales[i >> 5]! * weight(q, i) - m * scales[8 + (i >> 5)]!);
}

/** Wrong: the halves of one byte are neighbours. */
export function q4kDequantizeInPairs(s: Int32Array, q: Int32Array, d: number, m: number): Float32Array {
  const scales = unpack(s);
  return Float32Array.from({ length: 256 }, (_, i) => {
    const byte = q[i >> 1]!;
    return d * scales[i >> 5]! * (i & 1 ? byte >> 4 : byte & 15) - m * scales[8 + (i >> 5)]!;
  });
}

/** Wrong: the high halves come first. */
export function q4kDequantizeHighFirst(s: Int32Array, q: Int32Array, d: number, m: number): Float32Array {
  const scales = unpack(s);
  return Float32Array.from(
    { length: 256 },
    (_, i) => d * scales[i >> 5]! * weight(q, i ^ 32) - m * scales[8 + (i >> 5)]!,
  );
}

export function q4kDotTermsByBlock(s: Int32Array, q: Int32Array, y: Int32Array): Float32Array {
  const scales = unpack(s);
  const terms = new Float32Array(16);
  for (let block = 0; block < 8; block++) {
    let products = 0;
    let sum = 0;
    for (let i = 32 * block; i < 32 * block + 32; i++) {
      products += y[i]! * weight(q, i);
      sum += y[i]!;
    }
    terms[block] = scales[block]! * products;
    terms[8 + block] = scales[8 + block]! * sum;
  }
  return terms;
}

/** Wrong: minima are those of the next block. */
export function q4kDotTermsNextMinimum(s: Int32Array, q: Int32Array, y: Int32Array): Float32Array {
  const scales = unpack(s);
  const terms = q4kDotTermsByBlock(s, q, y);
  for (let block = 0; block < 8; block++) {
    let sum = 0;
    for (let i = 32 * block; i < 32 * block + 32; i++) sum += y[i]!;
    terms[8 + block] = scales[8 + ((block + 1) % 8)]! * sum;
  }
  return terms;
}

export function q4kDotInDoubles(t: Float32Array, d: number, m: number, f: number): number {
  let products = 0;
  let minima = 0;
  for (let i = 0; i < 8; i++) {
    products += t[i]!;
    minima += t[8 + i]!;
  }
  return f * (d * products - m * minima);
}

/** Wrong: minima are added. */
export function q4kDotPlusMinima(t: Float32Array, d: number, m: number, f: number): number {
  let products = 0;
  let minima = 0;
  for (let i = 0; i < 8; i++) {
    products += t[i]!;
    minima += t[8 + i]!;
  }
  return f * (d * products + m * minima);
}

export function q4kCodeByRound(x: Float32Array, s: number, m: number): Float32Array {
  return x.map((value) => Math.max(0, Math.min(15, Math.round((value + m) / s))));
}

/** Wrong: rounds towards 0. */
export function q4kCodeTruncated(x: Float32Array, s: number, m: number): Float32Array {
  return x.map((value) => Math.max(0, Math.min(15, Math.trunc((value + m) / s))));
}

/** Wrong: 16 is a code. */
export function q4kCodeTo16(x: Float32Array, s: number, m: number): Float32Array {
  return x.map((value) => Math.max(0, Math.min(16, Math.round((value + m) / s))));
}
