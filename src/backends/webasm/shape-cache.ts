import type { KernelCall } from '../backend.ts';

/**
 * What `make` gives for calls of one shape, kept for the last `limit` shapes. Beside arrays and output, the scalar arguments at
 * `sizes` belong to a call's shape. Calls of the shape of the one before are answered without a look-up.
 */
export function shapeCache<T>(
  limit: number,
  sizes: readonly number[],
  make: (call: KernelCall) => T,
): (call: KernelCall) => T {
  const kept = new Map<string, T>();
  let last: { readonly signature: readonly number[]; readonly value: T } | null = null;
  let scratch: number[] = [];
  return (call) => {
    scratch.length = 0;
    writeSignature(scratch, call, sizes);
    if (last && equal(last.signature, scratch)) return last.value;
    const key = scratch.join();
    const known = kept.get(key);
    const value = known === undefined ? make(call) : known;
    // The order of a map is that of use: the first is the one that was not needed for longest.
    kept.delete(key);
    kept.set(key, value);
    const [oldest] = kept.keys();
    if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
    last = { signature: scratch, value };
    scratch = [];
    return value;
  };
}

function writeSignature(
  target: number[],
  { arguments: values, shapes, outputShape }: KernelCall,
  sizes: readonly number[],
): void {
  for (const size of outputShape) target.push(size);
  for (const shape of shapes) {
    target.push(-1);
    for (const size of shape) target.push(size);
  }
  for (const at of sizes) {
    const value = values[at];
    target.push(typeof value === 'number' ? value : -1);
  }
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
