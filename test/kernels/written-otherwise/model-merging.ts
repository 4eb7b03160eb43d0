/** Merging of weights in doubles: slerp, TIES and DARE; flat matrices are row-major, a row per model. */

function lerp(u: Float32Array, w: Float32Array, t: number): Float32Array {
  return u.map((x, i) => (1 - t) * x + t * w[i]!);
}

/** Lengths of u and w, and their dot product. */
function products(u: Float32Array, w: Float32Array): readonly [number, number, number] {
  let uu = 0;
  let ww = 0;
  let uw = 0;
  for (let i = 0; i < u.length; i++) {
    uu += u[i]! ** 2;
    ww += w[i]! ** 2;
    uw += u[i]! * w[i]!;
  }
  return [Math.sqrt(uu), Math.sqrt(ww), uw];
}

/** Along the arc of `angle` between u and w. */
function along(u: Float32Array, w: Float32Array, t: number, angle: number): Float32Array {
  const from = Math.sin((1 - t) * angle) / Math.sin(angle);
  const to = Math.sin(t * angle) / Math.sin(angle);
  return u.map((x, i) => from * x + to * w[i]!);
}

const clamped = (cosine: number): number => Math.max(-1, Math.min(1, cosine));

export function slerpByArcCosine(u: Float32Array, w: Float32Array, t: number): Float32Array {
  const [a, b, dot] = products(u, w);
  if (a === 0 || b === 0) return lerp(u, w, t);
  const cosine = clamped(dot / (a * b));
  const angle = Math.acos(cosine);
  return 2 + 2 * cosine <= 1e-4 || Math.sin(angle) < 1e-7 ? lerp(u, w, t) : along(u, w, t, angle);
}

/** Wrong: nothing is done about half a turn. */
export function slerpOfHalfTurns(u: Float32Array, w: Float32Array, t: number): Float32Array {
  const [a, b, dot] = products(u, w);
  if (a === 0 || b === 0) return lerp(u, w, t);
  const angle = Math.acos(clamped(dot / (a * b)));
  return angle < 1e-6 ? lerp(u, w, t) : along(u, w, t, angle);
}

/** Wrong: straight from a cosine of 0.9995 on, as published snippets have it. */
export function slerpStraightEarly(u: Float32Array, w: Float32Array, t: number): Float32Array {
  const [a, b, dot] = products(u, w);
  if (a === 0 || b === 0) return lerp(u, w, t);
  const cosine = dot / (a * b);
  return Math.abs(cosine) > 0.9995 ? lerp(u, w, t) : along(u, w, t, Math.acos(cosine));
}

/** Wrong: the angle is that of the dot product, lengths left out. */
export function slerpUnnormalised(u: Float32Array, w: Float32Array, t: number): Float32Array {
  const [a, b, dot] = products(u, w);
  if (a === 0 || b === 0) return lerp(u, w, t);
  const angle = Math.acos(clamped(dot));
  return Math.sin(angle) < 1e-3 ? lerp(u, w, t) : along(u, w, t, angle);
}

/** The k largest of every row by magnitude, the others 0; of equals the `first` or the last. */
function trim(delta: Float32Array, k: number, n: number, equals: 'first' | 'last'): Float32Array {
  const kept = new Float32Array(delta.length);
  for (let start = 0; start < delta.length; start += n) {
    const order = Array.from({ length: n }, (_, i) => start + i).sort(
      (i, j) => Math.abs(delta[j]!) - Math.abs(delta[i]!) || (equals === 'first' ? i - j : j - i),
    );
    for (const i of order.slice(0, k)) kept[i] = delta[i]!;
  }
  return kept;
}

interface Votes {
  readonly positive: readonly number[];
  /** Magnitudes. */
  readonly negative: readonly number[];
}

/** What is kept of every parameter, by sign. */
function votes(kept: Float32Array, n: number): readonly Votes[] {
  return Array.from({ length: n }, (_, i) => {
    const column = Array.from(kept).filter((_value, at) => at % n === i);
    return {
      positive: column.filter((value) => value > 0),
      negative: column.filter((value) => value < 0).map((value) => -value),
    };
  });
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);

export function tiesSorted(delta: Float32Array, k: number, _K: number, n: number): Float32Array {
  return Float32Array.from(votes(trim(delta, k, n, 'first'), n), ({ positive, negative }) =>
    sum(positive) >= sum(negative) ? mean(positive) : -mean(negative),
  );
}

/** Wrong: of equal magnitudes the last is kept. */
export function tiesOfLastEquals(delta: Float32Array, k: number, _K: number, n: number): Float32Array {
  return Float32Array.from(votes(trim(delta, k, n, 'last'), n), ({ positive, negative }) =>
    sum(positive) >= sum(negative) ? mean(positive) : -mean(negative),
  );
}

/** Wrong: the sign is elected by number, not by mass. */
export function tiesByCount(delta: Float32Array, k: number, _K: number, n: number): Float32Array {
  return Float32Array.from(votes(trim(delta, k, n, 'first'), n), ({ positive, negative }) =>
    positive.length >= negative.length ? mean(positive) : -mean(negative),
  );
}

/** Wrong: the mean is over all models, not those that agree. */
export function tiesMeanOfAll(delta: Float32Array, k: number, K: number, n: number): Float32Array {
  return Float32Array.from(votes(trim(delta, k, n, 'first'), n), ({ positive, negative }) =>
    sum(positive) >= sum(negative) ? sum(positive) / K : -sum(negative) / K,
  );
}

/** Sums backwards, and rescales once. */
export function dareSumThenScale(
  delta: Float32Array,
  omega: Float32Array,
  rate: number,
  K: number,
  n: number,
): Float32Array {
  return Float32Array.from({ length: n }, (_, i) => {
    let total = 0;
    for (let model = K - 1; model >= 0; model--) if (omega[model * n + i]! >= rate) total += delta[model * n + i]!;
    return total / (1 - rate);
  });
}

/** Wrong: what is kept is not rescaled. */
export function dareWithoutRescaling(
  delta: Float32Array,
  omega: Float32Array,
  rate: number,
  K: number,
  n: number,
): Float32Array {
  return Float32Array.from({ length: n }, (_, i) => {
    let total = 0;
    for (let model = 0; model < K; model++) if (omega[model * n + i]! >= rate) total += delta[model * n + i]!;
    return total;
  });
}
