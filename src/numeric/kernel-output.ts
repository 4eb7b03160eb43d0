/**
 * What a plain function returned, as numbers or as a string: the one place that decides what counts as a result.
 */

/** Numbers, flat and row-major, or what was returned instead. */
export type FloatOutput =
  | { readonly ok: true; readonly output: Float32Array | Float64Array; readonly text?: undefined }
  /** What it is instead, for `its output should have … but is …`. */
  | { readonly ok: false; readonly actual: string };

// Kept from before any foreign code is loaded, which may replace them in its process.
const { apply } = Reflect;
const Floats = Float32Array;
const Doubles = Float64Array;
const typedArray: object = Object.getPrototypeOf(Float32Array.prototype);

/** The class of a typed array from its internals: a proxy, or an object that calls itself one, has none. */
export const nameOf = getterOf(Symbol.toStringTag);
const anyLength = getterOf('length');

/** The number of elements of a typed array, whatever it says of itself. */
export const lengthOf = (value: ArrayBufferView): number => anyLength(value) as number;

function getterOf(key: PropertyKey): (value: unknown) => unknown {
  const get = Reflect.getOwnPropertyDescriptor(typedArray, key)?.get;
  return (value) => (get ? apply(get, value, []) : undefined);
}

/**
 * A copy of `result` as a flat array of `length` numbers: of a `Float32Array` or a `Float64Array`, of whole numbers in a typed
 * array, or of a number where one is wanted. A copy, because the function may return its input, or write its next result into the same array.
 */
export function floatOutput(result: unknown, length: number): FloatOutput {
  const output = copyOf(result);
  return output?.length === length ? { ok: true, output } : { ok: false, actual: describe(result) };
}

/** Whole numbers of any count, or what was returned instead. */
export type IntegerOutput =
  | { readonly ok: true; readonly output: Float64Array; readonly text?: undefined }
  | { readonly ok: false; readonly actual: string };

/** A copy of `result`, a typed array or an array of whole numbers of 32 bits, as many as there are. */
export function integerOutput(result: unknown): IntegerOutput {
  const output = numbersOf(result);
  if (output === null) return { ok: false, actual: describe(result) };
  const odd = output.find((x) => (x | 0) !== x);
  return odd === undefined ? { ok: true, output } : { ok: false, actual: `a sequence with the element ${odd}` };
}

/** From the internals of a typed array, and element by element of another, because a hostile one may say anything of itself. */
function numbersOf(result: unknown): Float64Array | null {
  const name: unknown = nameOf(result);
  if (isIntegerArray(name)) return new Doubles(result as Int32Array);
  if (!Array.isArray(result)) return null;
  const items: readonly unknown[] = result;
  const numbers = items.filter((item) => typeof item === 'number');
  return numbers.length === items.length ? Float64Array.from(numbers) : null;
}

/** Typed arrays of whole numbers by name; those of 64 bits hold no numbers. */
export const isIntegerArray = (name: unknown): boolean => typeof name === 'string' && integerArrays.has(name);

const integerArrays: ReadonlySet<string> = new Set([
  'Int8Array',
  'Uint8Array',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
]);

/** A string, with an empty `output`, or what was returned instead. */
export type TextOutput =
  | { readonly ok: true; readonly output: Float64Array; readonly text: string }
  | { readonly ok: false; readonly actual: string };

/** `result` if it is a string; then there are no numbers. */
export function textOutput(result: unknown): TextOutput {
  return typeof result === 'string'
    ? { ok: true, output: new Float64Array(0), text: result }
    : { ok: false, actual: describe(result) };
}

/** What is wanted of a kernel that gives no fixed count of numbers: for `its output should be … but is …`. */
export const expectedOutput = { sequence: 'a sequence of whole numbers', text: 'a string' } as const;

function one(x: number): Float64Array {
  const output = new Doubles(1);
  output[0] = x;
  return output;
}

function copyOf(result: unknown): Float32Array | Float64Array | null {
  if (typeof result === 'number') return one(result);
  const name: unknown = nameOf(result);
  // From the internals again: a subclass may say anything of its length and its elements.
  if (name === 'Float32Array') return new Floats(result as Float32Array);
  if (isIntegerArray(name)) return new Doubles(result as Int32Array);
  return name === 'Float64Array' ? new Doubles(result as Float64Array) : null;
}

/** Never fails, whatever the getters of `result` do. */
function describe(result: unknown): string {
  const name: unknown = nameOf(result);
  if (typeof name === 'string') return `${name} of ${String(anyLength(result))} elements`;
  try {
    if (Array.isArray(result)) return `a plain array of length ${result.length}, not a typed array`;
    if (result instanceof Float32Array || result instanceof Float64Array)
      return 'an object that only looks like a typed array';
  } catch {
    return 'an object whose properties cannot be read';
  }
  if (result === null || result === undefined) return 'nothing';
  return typeof result === 'object' ? 'an object that is not a typed array' : `a ${typeof result}`;
}
