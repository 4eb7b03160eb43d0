/** The sequential scan of a state-space model; flat matrices are row-major, a row per time. */

export function scanInDoubles(a: Float32Array, b: Float32Array, T: number, c: number): Float32Array {
  const output = new Float32Array(T * c);
  for (let channel = 0; channel < c; channel++) {
    let state = 0;
    for (let at = channel; at < T * c; at += c) {
      state = a[at]! * state + b[at]!;
      output[at] = state;
    }
  }
  return output;
}

/** Wrong: the input decays with the state. */
export function scanDecaysInput(a: Float32Array, b: Float32Array, T: number, c: number): Float32Array {
  const output = new Float32Array(T * c);
  for (let channel = 0; channel < c; channel++) {
    let state = 0;
    for (let at = channel; at < T * c; at += c) {
      state = a[at]! * (state + b[at]!);
      output[at] = state;
    }
  }
  return output;
}
