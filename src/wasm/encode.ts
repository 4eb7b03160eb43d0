/**
 * A WebAssembly module as bytes: functions of numbers over one imported memory.
 *
 * Source: WebAssembly Core Specification 2.0, section 5 (binary format). Only what the kernels in this folder need.
 */

/** Bytes of instructions; those of an expression leave its value on the stack. */
export type Code = readonly number[];

/** The byte that names each value type. */
const valueTypes = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
/** The types that the kernels use. */
export type ValueType = keyof typeof valueTypes;

/** A local variable or parameter, by its index in the function. */
export interface Local {
  readonly index: number;
  readonly type: ValueType;
}

/** A function without a result: kernels leave theirs in memory. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  /** Locals after the parameters. */
  readonly locals: readonly ValueType[];
  readonly body: Code;
}

/** An unsigned integer below 2³², seven bits a byte, the lowest first. */
export function unsigned(value: number): Code {
  const low = value & 0x7f;
  const rest = value >>> 7;
  return rest === 0 ? [low] : [low | 0x80, ...unsigned(rest)];
}

/** A signed 32-bit integer, seven bits a byte, the lowest first, the sign repeated. */
export function signed(value: number): Code {
  const low = value & 0x7f;
  const rest = value >> 7;
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}

/** `\0asm` and version 1. */
const preamble: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** What ends a function. */
const end = 0x0b;

const name = (text: string): Code => vector(Array.from(new TextEncoder().encode(text), (byte) => [byte]));
const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];

/** The module; every function is exported by its name, the memory is `host.memory`, of any size. */
export function encodeModule(functions: readonly WasmFunction[]): Uint8Array {
  const types = functions.map(({ parameters }) => [0x60, ...vector(parameters.map((p) => [valueTypes[p]])), 0]);
  const bodies = functions.map(({ locals, body }) => {
    const code = [...vector(locals.map((type) => [1, valueTypes[type]])), ...body, end];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...preamble,
    ...section(1, vector(types)),
    ...section(2, vector([[...name('host'), ...name('memory'), 0x02, 0x00, 0x00]])),
    ...section(3, vector(functions.map((_, i) => unsigned(i)))),
    ...section(7, vector(functions.map((f, i) => [...name(f.name), 0x00, ...unsigned(i)]))),
    ...section(10, vector(bodies)),
  ]);
}
