/**
 * What a plain function returned, as numbers: the one place that decides what counts as a result.
 */

export type FloatOutput =
  | { readonly ok: true; readonly output: Float32Array | Float64Array }
  /** What it is instead, for `its output should have … but is …`. */
  | { readonly ok: false; readonly actual: string };

const typedArray: object = Object.getPrototypeOf(Float32Array.prototype);

/** The class and the length of a typed array from its internals: a proxy, or an object that calls itself one, has neither. */
const nameOf = getterOf(Symbol.toStringTag);
const lengthOf = getterOf('length');

function getterOf(key: PropertyKey): (value: unknown) => unknown {
  const descriptor = Object.getOwnPropertyDescriptor(typedArray, key);
  return (value) => descriptor?.get?.call(value);
}

/**
 * A copy of `result` as a flat array of `length` numbers: a `Float32Array` or a `Float64Array`, or a number where one is
 * wanted. A copy, because the function may return its input, or write its next result into the same array.
 */
export function floatOutput(result: unknown, length: number): FloatOutput {
  const output = copyOf(result);
  return output?.length === length ? { ok: true, output } : { ok: false, actual: describe(result) };
}

function copyOf(result: unknown): Float32Array | Float64Array | null {
  if (typeof result === 'number') return Float64Array.of(result);
  const name: unknown = nameOf(result);
  // From the internals again: a subclass may say anything of its length and its elements.
  if (name === 'Float32Array') return new Float32Array(result as Float32Array);
  return name === 'Float64Array' ? new Float64Array(result as Float64Array) : null;
}

/** Never fails, whatever the getters of `result` do. */
function describe(result: unknown): string {
  const name: unknown = nameOf(result);
  if (typeof name === 'string') return `${name} of ${String(lengthOf(result))} elements`;
  try {
    if (Array.isArray(result)) return `an array of ${result.length} elements`;
    if (result instanceof Float32Array || result instanceof Float64Array)
      return 'an object that only looks like a typed array';
  } catch {
    return 'an object whose properties cannot be read';
  }
  if (result === null || result === undefined) return 'nothing';
  return typeof result === 'object' ? 'an object that is no typed array' : `a ${typeof result}`;
}
