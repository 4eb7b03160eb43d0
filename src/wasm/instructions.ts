/**
 * The instructions that the kernels use, named as in the text format: `f32x4.add(a, b)`.
 *
 * Source: WebAssembly Core Specification 2.0, sections 2.4 and 5.4. All are deterministic except for the payload of a NaN:
 * there is no relaxed SIMD and no fused multiply-add.
 */
import { signed, unsigned, type Code, type Local } from './encode.ts';

/** A value: a variable, or the code that computes one. */
export type Operand = Local | Code;

const isLocal = (operand: Operand): operand is Local => 'index' in operand;
const value = (operand: Operand): Code => (isLocal(operand) ? [0x20, ...unsigned(operand.index)] : operand);

const unary =
  (...opcode: Code) =>
  (a: Operand): Code => [...value(a), ...opcode];
const binary =
  (...opcode: Code) =>
  (a: Operand, b: Operand): Code => [...value(a), ...value(b), ...opcode];
const lane =
  (...opcode: Code) =>
  (a: Operand, index: number): Code => [...value(a), ...opcode, index];
/** A place `offset` bytes after the address. Its alignment, 2⁰, is only a hint: vectors begin anywhere. */
const place = (offset: number): Code => [0, ...unsigned(offset)];
const load =
  (...opcode: Code) =>
  (address: Operand, offset = 0): Code => [...value(address), ...opcode, ...place(offset)];
const store =
  (...opcode: Code) =>
  (address: Operand, what: Operand, offset = 0): Code => [
    ...value(address),
    ...value(what),
    ...opcode,
    ...place(offset),
  ];

/** An opcode after the prefix of the vector instructions. */
const simd = (opcode: number): Code => [0xfd, ...unsigned(opcode)];

const littleEndian = (size: 4 | 8, write: (view: DataView) => void): Code => {
  const view = new DataView(new ArrayBuffer(size));
  write(view);
  return [...new Uint8Array(view.buffer)];
};

export const i32 = {
  const: (n: number): Code => [0x41, ...signed(n)],
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  shl: binary(0x74),
  geU: binary(0x4f),
};

export const f32 = {
  const: (x: number): Code => [0x43, ...littleEndian(4, (view) => view.setFloat32(0, x, true))],
  load: load(0x2a),
  store: store(0x38),
  sqrt: unary(0x91),
  add: binary(0x92),
  sub: binary(0x93),
  mul: binary(0x94),
  div: binary(0x95),
  convertI32S: unary(0xb2),
};

export const v128 = {
  load: load(...simd(0x00)),
  load32Splat: load(...simd(0x09)),
  load64Zero: load(...simd(0x5d)),
  /** `vector` with 64 bits from memory as its lane `index`. */
  load64Lane: (address: Operand, vector: Operand, index: 0 | 1): Code => [
    ...value(address),
    ...value(vector),
    ...simd(0x57),
    ...place(0),
    index,
  ],
  store: store(...simd(0x0b)),
  /** `a` where `b` has zeros, 0 elsewhere. */
  andNot: binary(...simd(0x4f)),
  /** The bits of `a` where `mask` has ones, those of `b` elsewhere. */
  bitselect: (a: Operand, b: Operand, mask: Operand): Code => [...value(a), ...value(b), ...value(mask), ...simd(0x52)],
};

const splat = unary(...simd(0x13));

export const f32x4 = {
  splat,
  const: (x: number): Code => splat(f32.const(x)),
  lane: lane(...simd(0x1f)),
  lt: binary(...simd(0x43)),
  gt: binary(...simd(0x44)),
  neg: unary(...simd(0xe1)),
  add: binary(...simd(0xe4)),
  sub: binary(...simd(0xe5)),
  mul: binary(...simd(0xe6)),
  div: binary(...simd(0xe7)),
  /** `a < b ? b : a` in each lane. */
  pmax: binary(...simd(0xeb)),
  /** Two float64, rounded, before two zeros. */
  demote: unary(...simd(0x5e)),
  /** Four lanes out of the eight of `a` and `b`, by their places. */
  shuffle: (a: Operand, b: Operand, lanes: readonly [number, number, number, number]): Code => [
    ...value(a),
    ...value(b),
    ...simd(0x0d),
    ...lanes.flatMap((at) => [4 * at, 4 * at + 1, 4 * at + 2, 4 * at + 3]),
  ],
};

export const f64x2 = {
  const: (x: number): Code => [0x44, ...littleEndian(8, (view) => view.setFloat64(0, x, true)), ...simd(0x14)],
  /** The first two float32, exactly. */
  promote: unary(...simd(0x5f)),
  add: binary(...simd(0xf0)),
  sub: binary(...simd(0xf1)),
  mul: binary(...simd(0xf2)),
};

export const i64x2 = {
  shl: binary(...simd(0xcb)),
  add: binary(...simd(0xce)),
};

export const i32x4 = {
  lane: lane(...simd(0x1b)),
};

/** `variable = what`. */
export const set = (variable: Local, what: Operand): Code => [...value(what), 0x21, ...unsigned(variable.index)];

const block: Code = [0x02, 0x40];
const loop: Code = [0x03, 0x40];
const end: Code = [0x0b];
/** Back to the beginning of the loop, or out of the block, that many levels outside. */
const branch = (depth: number): Code => [0x0c, depth];
const branchIf = (condition: Code, depth: number): Code => [...condition, 0x0d, depth];

/** `body` for every `pointer` from where it is, `step` bytes apart, up to `limit`, which is not reached. */
export const upTo = (pointer: Local, limit: Operand, step: number | Local, ...body: readonly Code[]): Code => [
  ...block,
  ...loop,
  ...branchIf(i32.geU(pointer, limit), 1),
  ...body.flat(),
  ...set(pointer, i32.add(pointer, typeof step === 'number' ? i32.const(step) : step)),
  ...branch(0),
  ...end,
  ...end,
];
