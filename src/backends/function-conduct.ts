/**
 * What plain functions do besides computing: results that change after they were returned, results that are not what they seem,
 * built-in functions that they replace. Recorded in the process where they run, with what was kept from before they were loaded.
 */
import { recordBuiltIns, type WatchedObject } from '../base/built-ins.ts';
import { lengthOf, nameOf } from '../numeric/kernel-output.ts';
import type { KernelCall, KernelOutcome } from './backend.ts';
import type { Conduct } from './conduct.ts';

const { apply, getPrototypeOf, ownKeys, getOwnPropertyDescriptor } = Reflect;
const { is } = Object;
const { isArray } = Array;
const { isProxy, isPromise, isSharedArrayBuffer, isTypedArray } = process.getBuiltinModule('node:util').types;
const promises = Promise.prototype;
const promiseThen = getOwnPropertyDescriptor(promises, 'then')?.value as unknown;

/** One call that returned. */
interface Returned {
  /** As returned, and what became of it if it was a promise. */
  readonly returned: unknown;
  readonly result: unknown;
  readonly given: readonly KernelCall['arguments'][number][];
  readonly outcome: KernelOutcome;
}

/** Notes about the calls of one process. */
export interface ConductNotes {
  /** Call `at` of a list begins. */
  readonly begins: (at: number) => void;
  readonly returned: (call: Returned) => void;
  /** A list of calls is over. */
  readonly ends: () => void;
}

/** No notes. */
export const noNotes: ConductNotes = { begins: () => undefined, returned: () => undefined, ends: () => undefined };

/** How many of the latest results, and of the latest inputs, are compared again after each list of calls. */
const kept = 64;

/** Longer inputs are not kept, since many of them would fill the memory. */
const longestInput = 2 ** 14;

/** How many of the first results are compared again at the end, and how many elements they may have together. */
const first = 512;
const mostElements = 2 ** 22;

/** Notes, and the report of everything so far. */
export interface ConductWatch extends ConductNotes {
  readonly report: () => Conduct;
  /** Records the built-ins again, when pv itself has changed them. */
  readonly record: () => void;
}

interface Kept {
  readonly view: Float32Array;
  readonly copy: ArrayLike<number>;
}

/**
 * Records what is built in now: called before any function is loaded. With `strict`, inputs are overwritten after each call, which
 * shows in results that share their memory, and built-ins are compared after each list of calls.
 */
export function watchConduct(strict: boolean, others: readonly WatchedObject[] = []): ConductWatch {
  let replacedNow = recordBuiltIns(others);
  const views: (Kept | undefined)[] = [];
  const early: Kept[] = [];
  const inputs: (ArrayBufferView | undefined)[] = [];
  let next = 0;
  let nextInput = 0;
  let elements = 0;
  let replaced = '';
  let changed = '';
  let changedInput = '';
  let disguised = '';
  const keep = (one: Kept): void => {
    views[next++ % kept] = one;
    elements += one.copy.length;
    if (strict && early.length < first && elements <= mostElements) early[early.length] = one;
  };
  const compare = (): void => {
    for (let i = 0; i < views.length && changed === ''; i++) changed = changeOf(views[i]);
    for (let i = 0; i < inputs.length && changedInput === ''; i++) changedInput = inputChangeOf(inputs[i]);
    if (replaced === '') replaced = replacedNow();
  };
  return {
    begins: () => undefined,
    returned: ({ returned, result, given, outcome }) => {
      if (disguised === '') disguised = disguiseOf(returned, result);
      if (strict)
        for (let i = 0; i < given.length; i++) {
          const value: unknown = given[i];
          if (!isTypedArray(value)) continue;
          scribble(value as Float32Array);
          if (lengthOf(value) <= longestInput) inputs[nextInput++ % kept] = value;
        }
      if (!outcome.ok || !isTypedArray(result)) return;
      const view = result as Float32Array;
      const one: Kept = { view, copy: outcome.output };
      // At once, while it is known that only the inputs have changed since.
      if (strict && changed === '' && changeOf(one) !== '')
        changed = 'it shares memory with an input, which has changed';
      keep(one);
    },
    ends: () => (strict ? compare() : undefined),
    record: () => void (replacedNow = recordBuiltIns(others)),
    report: () => {
      compare();
      for (let i = 0; i < early.length && changed === ''; i++) changed = changeOf(early[i]);
      return { replaced, changed, changedInput, disguised };
    },
  };
}

/** Other numbers, as a caller who uses the same buffer for the next input would write. */
function scribble(array: Float32Array): void {
  const length = lengthOf(array);
  for (let i = 0; i < length; i++) array[i] = 7919 - i;
}

/** What has become of an input since it was overwritten. One whose buffer was given away has no elements. */
function inputChangeOf(input: ArrayBufferView | undefined): string {
  if (!input) return '';
  const array = input as Float32Array;
  const length = lengthOf(array);
  for (let i = 0; i < length; i++)
    if (array[i] !== 7919 - i) return `its caller wrote ${7919 - i} to element ${i}, which became ${String(array[i])}`;
  return '';
}

function changeOf(one: Kept | undefined): string {
  if (!one) return '';
  const { view, copy } = one;
  const length = lengthOf(view);
  if (length !== copy.length) return `its ${copy.length} elements became ${length}`;
  for (let i = 0; i < length; i++)
    if (!is(view[i], copy[i]))
      return `element ${i} was ${String(copy[i])} when it was returned, and became ${String(view[i])}`;
  return '';
}

/** Pairs of a class of typed arrays and its prototype. */
const prototypes: Readonly<Record<string, object>> = Object.freeze({
  __proto__: null,
  Float32Array: Float32Array.prototype,
  Float64Array: Float64Array.prototype,
  Int8Array: Int8Array.prototype,
  Uint8Array: Uint8Array.prototype,
  Int16Array: Int16Array.prototype,
  Uint16Array: Uint16Array.prototype,
  Int32Array: Int32Array.prototype,
  Uint32Array: Uint32Array.prototype,
} as never);
const nodeBuffer: object = Buffer.prototype;
const bufferOf = getOwnPropertyDescriptor(getPrototypeOf(Float32Array.prototype) as object, 'buffer')?.get;

/** What a result is, unless it is a number, a string, an array or a typed array of the language's own, or a promise of one. */
function disguiseOf(returned: unknown, result: unknown): string {
  if (isProxy(returned) || isProxy(result)) return 'a proxy';
  const found = returned === result ? '' : thenOf(returned);
  if (found !== '' || typeof result === 'number' || typeof result === 'string' || isArray(result)) return found;
  const name = nameOf(result);
  return typeof name === 'string'
    ? arrayDisguise(result as Float32Array, name)
    : `${typeof result} that is not an array`;
}

/** What was awaited, unless it is a promise as the language makes them. */
function thenOf(returned: unknown): string {
  if (!isPromise(returned)) return 'an object with a `then` that is not a promise';
  const isPlain = getPrototypeOf(returned) === promises && ownKeys(returned).length === 0;
  const isOwn = getOwnPropertyDescriptor(promises, 'then')?.value !== promiseThen;
  return !isPlain || isOwn ? 'a promise with its own `then`' : '';
}

function arrayDisguise(array: Float32Array, name: string): string {
  const prototype = getPrototypeOf(array);
  if (prototype !== prototypes[name] && prototype !== nodeBuffer) return `a subclass of ${name}`;
  const buffer: unknown = bufferOf && apply(bufferOf, array, []);
  if (isSharedArrayBuffer(buffer)) return 'an array on shared memory';
  return hasOwnMembers(array) ? `a ${name} with members of its own` : '';
}

/** Long arrays are left out: their indices are keys too. */
function hasOwnMembers(array: Float32Array): boolean {
  const length = lengthOf(array);
  return length <= 4096 && ownKeys(array).length > length;
}
