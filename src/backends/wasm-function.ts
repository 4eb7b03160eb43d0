/**
 * A function of a WebAssembly module, which gets no imports: its tensors are put into the module's own memory, away from what is there
 * already, and read from there after the call.
 */
import { webAssembly, type WasmMemory } from '../host/web-assembly.ts';
import type { KernelProgram, KernelValue } from '../subject/kernel.ts';
import type { WasmNumber } from '../subject/wasm/read-module.ts';
import type { WasmPlan } from '../subject/wasm/wasm-plan.ts';
import type { KernelFailure } from './backend.ts';
import { unsupported } from './check-call.ts';

/** The arguments as copies, and how many elements the result has. */
export type FunctionCall = (given: readonly KernelValue[], length: number) => FunctionRan;

/** The result; inputs are changed as the function has changed them. */
interface FunctionRan {
  /** Why the function was not called; null if it was. */
  readonly failure: KernelFailure | null;
  readonly result: unknown;
}

/** Its buffer is another one after it has grown, by pages. Throws a `RangeError` beyond its maximum. */
interface GrowingMemory extends WasmMemory {
  readonly grow: (pages: number) => number;
}

const pageBytes = 65_536;
/** Before and after each tensor; changed only by a function that writes outside of its tensors. */
const gapBytes = 64;
/** Vectors may be written in whole. */
const alignment = 16;
/** What all of it holds before the call: NaN for a float, so that an element that is not written shows. */
const filling = 0xff;

/** Instantiates the module. Throws what the engine throws, such as a trap of its start function. */
export function openWasm({ name, source, parameters }: KernelProgram, plan: WasmPlan): FunctionCall {
  const module = new webAssembly.Module(Buffer.from(source, 'base64'));
  const { exports } = new webAssembly.Instance(module, {});
  const call = exports[name] as (...values: readonly (number | bigint)[]) => unknown;
  // What compilers name a function that prepares memory, where the start function does not.
  if (typeof exports['_initialize'] === 'function') (exports['_initialize'] as () => void)();
  const memory = plan.memory === null ? null : (exports[plan.memory] as GrowingMemory);
  const room = memory && (plan.allocates ? allocated(exports) : grown(memory));
  const run = (values: readonly (number | bigint)[]): unknown => {
    const returned = call(...values);
    return typeof returned === 'bigint' ? Number(returned) : returned;
  };
  return (given, length) => {
    const odd = parameters.findIndex(({ integer }, i) => integer && given[i] instanceof Float32Array);
    if (odd >= 0) return refused(`\`${parameters[odd]?.name ?? ''}\` holds numbers that are not whole`);
    const places = placesOf(plan, given, length);
    const bytes = places.reduce((end, place) => Math.max(end, endOf(place)), 0) + gapBytes;
    const at = room ? room(bytes) : 0;
    if (at === null) return refused(`its memory has no room for ${bytes} bytes more`);
    const values = plan.arguments.map((argument, i) =>
      argument.kind === 'value' ? numberAs(argument.type, given[argument.index]) : at + (places[i]?.offset ?? 0),
    );
    const misfit = values.indexOf(null);
    if (misfit >= 0) return refused(`parameter ${misfit + 1} cannot hold its value`);
    if (!memory) return { failure: null, result: run(values.filter((value) => value !== null)) };
    fill(memory, at, { places, bytes });
    const returned = run(values.filter((value) => value !== null));
    return { failure: null, result: collect(memory, at, { plan, places, bytes, given }) ?? returned };
  };
}

const refused = (message: string): FunctionRan => ({ failure: unsupported(message), result: undefined });

/** Where a tensor is in what the call uses of the memory; null for a number. */
type Place = {
  readonly offset: number;
  readonly length: number;
  /** What is there before; null for a result of its own. */
  readonly elements: Float32Array | Int32Array | null;
} | null;

const endOf = (place: Place): number =>
  place === null ? 0 : place.offset + Math.ceil((4 * place.length) / alignment) * alignment;

/** One after another with gaps between them, in the order of the parameters. */
function placesOf({ arguments: all }: WasmPlan, given: readonly KernelValue[], length: number): readonly Place[] {
  let offset = gapBytes;
  return all.map((argument) => {
    if (argument.kind === 'value') return null;
    const index = argument.kind === 'output' ? argument.from : argument.index;
    const value = index === null ? null : given[index];
    const elements = typeof value === 'object' ? value : null;
    const place = { offset, length: argument.kind === 'output' ? length : (elements?.length ?? 0), elements };
    offset = endOf(place) + gapBytes;
    return place;
  });
}

interface Used {
  readonly places: readonly Place[];
  readonly bytes: number;
}

function fill({ buffer }: WasmMemory, at: number, { places, bytes }: Used): void {
  new Uint8Array(buffer, at, bytes).fill(filling);
  for (const place of places)
    if (place?.elements)
      viewOf(buffer, at + place.offset, place.elements).set(place.elements.subarray(0, place.length));
}

function viewOf(buffer: ArrayBuffer, at: number, like: Float32Array | Int32Array): Float32Array | Int32Array {
  return like instanceof Int32Array
    ? new Int32Array(buffer, at, like.length)
    : new Float32Array(buffer, at, like.length);
}

/** Copies what the function has left: its inputs into `given`, and the result, which is null if it is returned. Throws where it wrote elsewhere. */
function collect(
  { buffer }: WasmMemory,
  at: number,
  { plan, places, bytes, given }: Used & { readonly plan: WasmPlan; readonly given: readonly KernelValue[] },
): Float32Array | Int32Array | null {
  let result: Float32Array | Int32Array | null = null;
  let from = 0;
  const all = new Uint8Array(buffer, at, bytes);
  for (const [i, place] of places.entries()) {
    const argument = plan.arguments[i];
    if (!place || !argument) continue;
    checkGap(all, from, place.offset);
    from = endOf(place);
    if (argument.kind === 'output') {
      const elements = plan.isInteger ? Int32Array : Float32Array;
      result = new elements(buffer, at + place.offset, place.length).slice();
    } else if (argument.kind === 'address') {
      const own = given[argument.index];
      if (typeof own === 'object') own.set(viewOf(buffer, at + place.offset, own));
    }
  }
  checkGap(all, from, bytes);
  return result;
}

function checkGap(all: Uint8Array, from: number, to: number): void {
  for (let i = from; i < to; i++)
    if (all[i] !== filling) throw new Error('it wrote outside of its tensors: before one, or beyond its end');
}

/** Null if the type does not hold the value. */
function numberAs(type: WasmNumber, value: KernelValue | undefined): number | bigint | null {
  if (typeof value !== 'number') return null;
  if (type === 'f32' || type === 'f64') return value;
  if (!Number.isSafeInteger(value)) return null;
  if (type === 'i64') return BigInt(value);
  return value >= -(2 ** 31) && value < 2 ** 32 ? value : null;
}

/** Says where so many bytes are; null if there are none. */
type Room = (bytes: number) => number | null;

/**
 * Pages that are left free below the tensors, and one above: allocators that begin late take all memory that there is for their own, use
 * it from its beginning, and write a mark at its end. Nothing is spent on pages that nobody touches.
 */
const sparePages = [4096, 256, 16, 1, 0];

/** Pages behind everything that the module has. */
function grown(memory: GrowingMemory): Room {
  let at = 0;
  let held = 0;
  return (bytes) => {
    if (bytes <= held) return at;
    const pages = Math.ceil(bytes / pageBytes);
    // Below the first place alone: later ones are above it.
    for (const spare of held === 0 ? sparePages : [1, 0]) {
      at = memory.buffer.byteLength + spare * pageBytes;
      held = pages * pageBytes;
      if (hasGrown(memory, spare + pages + Math.min(spare, 1))) return at;
    }
    held = 0;
    return null;
  };
}

function hasGrown(memory: GrowingMemory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch (problem) {
    if (problem instanceof RangeError) return false;
    throw problem;
  }
}

/** From the module's own allocator. */
function allocated({ malloc, free }: Readonly<Record<string, unknown>>): Room {
  let at = 0;
  let held = 0;
  return (bytes) => {
    if (bytes <= held) return at;
    if (at !== 0 && typeof free === 'function') (free as (address: number) => void)(at);
    at = (malloc as (bytes: number) => number)(bytes) >>> 0;
    held = at === 0 ? 0 : bytes;
    return at === 0 ? null : at;
  };
}
