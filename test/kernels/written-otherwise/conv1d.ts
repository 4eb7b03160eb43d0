/** One-dimensional convolution with padding and dilation, in doubles; flat arrays are row-major. */

interface Layout {
  readonly x: Float32Array;
  readonly w: Float32Array;
  readonly c: number;
  readonly l: number;
  readonly k: number;
}

/** Where element j of the window at t reads, and which element of the kernel it meets. */
type Tap = (t: number, j: number) => { readonly at: number; readonly element: number };

function convolve({ x, w, c, l, k }: Layout, bias: Float32Array, m: number, tap: Tap): Float32Array {
  const output = new Float32Array(bias.length * m);
  for (let u = 0; u < bias.length; u++) {
    for (let t = 0; t < m; t++) {
      let sum = bias[u]!;
      for (let j = k - 1; j >= 0; j--) {
        const { at, element } = tap(t, j);
        if (at < 0 || at >= l) continue;
        for (let a = 0; a < c; a++) sum += w[(u * c + a) * k + element]! * x[a * l + at]!;
      }
      output[u * m + t] = sum;
    }
  }
  return output;
}

/** The bias first, then the kernel from its end. */
export function conv1dBackwards(
  x: Float32Array,
  w: Float32Array,
  bias: Float32Array,
  c: number,
  l: number,
  k: number,
  m: number,
  s: number,
  padding: number,
  d: number,
): Float32Array {
  return convolve({ x, w, c, l, k }, bias, m, (t, j) => ({ at: t * s + j * d - padding, element: j }));
}

/** Wrong: the window begins one element early. */
export function conv1dShifted(
  x: Float32Array,
  w: Float32Array,
  bias: Float32Array,
  c: number,
  l: number,
  k: number,
  m: number,
  s: number,
  padding: number,
  d: number,
): Float32Array {
  return convolve({ x, w, c, l, k }, bias, m, (t, j) => ({ at: t * s + j * d - padding - 1, element: j }));
}

/** Wrong: the kernel is turned round. */
export function conv1dFlipped(
  x: Float32Array,
  w: Float32Array,
  bias: Float32Array,
  c: number,
  l: number,
  k: number,
  m: number,
  s: number,
  padding: number,
  d: number,
): Float32Array {
  return convolve({ x, w, c, l, k }, bias, m, (t, j) => ({ at: t * s + j * d - padding, element: k - 1 - j }));
}

/** Wrong: the padding mirrors the input. */
export function conv1dReflected(
  x: Float32Array,
  w: Float32Array,
  bias: Float32Array,
  c: number,
  l: number,
  k: number,
  m: number,
  s: number,
  padding: number,
  d: number,
): Float32Array {
  return convolve({ x, w, c, l, k }, bias, m, (t, j) => {
    const at = t * s + j * d - padding;
    return { at: at < 0 ? -at : at >= l ? 2 * (l - 1) - at : at, element: j };
  });
}
