/**
 * What a WebAssembly module asks for and offers, read from its bytes: engines do not show the types of functions.
 *
 * Source: WebAssembly Core Specification 2.0, section 5.5 (binary format of modules).
 */

/** A value type that pv passes by value. */
export type WasmNumber = 'i32' | 'i64' | 'f32' | 'f64';

/** A function's type; null for a type that is not a number's, such as a vector. */
export interface WasmSignature {
  readonly parameters: readonly (WasmNumber | null)[];
  readonly results: readonly (WasmNumber | null)[];
}

/** A module as far as pv calls it. */
export interface WasmModule {
  /** `env.abort`: in the order of the module. */
  readonly imports: readonly string[];
  /** Exported functions by name. */
  readonly functions: ReadonlyMap<string, WasmSignature>;
  /** The first memory that it exports; null if it exports none. */
  readonly memory: string | null;
  /** Whether that memory is addressed with 64 bits. */
  readonly isWide: boolean;
}

const numbers: ReadonlyMap<number, WasmNumber> = new Map([
  [0x7f, 'i32'],
  [0x7e, 'i64'],
  [0x7d, 'f32'],
  [0x7c, 'f64'],
]);

/** The module; null if these bytes are not one, or one with parts that pv does not know. */
export function readModule(bytes: Uint8Array): WasmModule | null {
  const preamble = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  if (!preamble.every((byte, i) => bytes[i] === byte)) return null;
  const cursor: Cursor = { bytes, at: preamble.length, isBroken: false };
  const draft: Draft = { types: [], imports: [], functions: [], memories: [], exports: [] };
  while (cursor.at < bytes.length && !cursor.isBroken) {
    const id = byteAt(cursor);
    const length = unsignedAt(cursor);
    const end = cursor.at + length;
    if (end > bytes.length) return null;
    readers.get(id)?.(cursor, draft);
    cursor.at = end;
  }
  return cursor.isBroken ? null : moduleOf(draft);
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  isBroken: boolean;
}

interface Draft {
  readonly types: WasmSignature[];
  readonly imports: string[];
  /** The type of each function; imported ones come first. */
  readonly functions: number[];
  /** Whether each memory is wide. */
  readonly memories: boolean[];
  readonly exports: { readonly name: string; readonly kind: number; readonly index: number }[];
}

function moduleOf({ types, imports, functions, memories, exports }: Draft): WasmModule {
  const named = exports.flatMap(({ name, kind, index }) => {
    const type = kind === 0 ? types[functions[index] ?? -1] : undefined;
    return type ? [[name, type] as const] : [];
  });
  const memory = exports.find(({ kind }) => kind === 2);
  return {
    imports,
    functions: new Map(named),
    memory: memory?.name ?? null,
    isWide: memory !== undefined && memories[memory.index] === true,
  };
}

const readers: ReadonlyMap<number, (cursor: Cursor, draft: Draft) => void> = new Map([
  [1, (cursor, { types }) => each(cursor, () => types.push(signatureAt(cursor)))],
  [2, (cursor, draft) => each(cursor, () => importAt(cursor, draft))],
  [3, (cursor, { functions }) => each(cursor, () => functions.push(unsignedAt(cursor)))],
  [5, (cursor, { memories }) => each(cursor, () => memories.push(limitsAt(cursor)))],
  [
    7,
    (cursor, { exports }) =>
      each(cursor, () => {
        const name = nameAt(cursor);
        exports.push({ name, kind: byteAt(cursor), index: unsignedAt(cursor) });
      }),
  ],
]);

/** As many items as their count says, or as there are bytes. */
function each(cursor: Cursor, read: () => unknown): void {
  for (let left = unsignedAt(cursor); left > 0 && !cursor.isBroken; left--) read();
}

function byteAt(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at++];
  if (byte === undefined) cursor.isBroken = true;
  return byte ?? 0;
}

/** Below 2⁶⁴, in seven bits a byte; exact below 2⁵³. */
function unsignedAt(cursor: Cursor): number {
  let value = 0;
  for (let i = 0; i < 10; i++) {
    const byte = byteAt(cursor);
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return value;
  }
  cursor.isBroken = true;
  return value;
}

function nameAt(cursor: Cursor): string {
  const length = unsignedAt(cursor);
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + length);
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) cursor.isBroken = true;
  return new TextDecoder().decode(bytes);
}

/** Other types than those of functions end the reading: what follows them is not known. */
function signatureAt(cursor: Cursor): WasmSignature {
  if (byteAt(cursor) !== 0x60) cursor.isBroken = true;
  const parameters: (WasmNumber | null)[] = [];
  const results: (WasmNumber | null)[] = [];
  for (const types of [parameters, results]) each(cursor, () => types.push(numbers.get(byteAt(cursor)) ?? null));
  return { parameters, results };
}

function importAt(cursor: Cursor, { imports, functions, memories }: Draft): void {
  imports.push(`${nameAt(cursor)}.${nameAt(cursor)}`);
  const kind = byteAt(cursor);
  if (kind === 0) functions.push(unsignedAt(cursor));
  else if (kind === 2) memories.push(limitsAt(cursor));
  else {
    // A table, a global, or a tag: each begins with a byte.
    byteAt(cursor);
    if (kind === 1) limitsAt(cursor);
    else if (kind === 3) byteAt(cursor);
    else if (kind === 4) unsignedAt(cursor);
    else cursor.isBroken = true;
  }
}

/** Whether addresses have 64 bits. */
function limitsAt(cursor: Cursor): boolean {
  const flags = byteAt(cursor);
  unsignedAt(cursor);
  if ((flags & 1) !== 0) unsignedAt(cursor);
  return (flags & 4) !== 0;
}
