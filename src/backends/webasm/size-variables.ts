/**
 * One module for calls of all sizes. gpu.js writes sizes into the code as constants, so that each combination of sizes needs
 * its own module, which takes as long as hundreds of small calls. Here these constants become global variables.
 *
 * gpu.js does not say where they are, so the kernel is assembled for two sets of sizes, and whatever differs must be a constant
 * that is the same number of both sets. If anything else differs, there is no such module.
 */
import { invariant } from '../../base/invariant.ts';
import { CODE_SECTION, instructionsOf, opcodes, sectionsOf, signedAt, unsigned, unsignedAt } from './instructions.ts';
import type { Instruction } from './instructions.ts';
import type { AssembledKernel } from './translated-kernel.ts';

/** What a module is made for, the fastest axis first. */
export interface CodeSizes {
  /** Of every parameter; a number has none. */
  readonly arrays: readonly (readonly number[])[];
  readonly output: readonly number[];
}

/** A module that reads its sizes from global variables rather than from constants in its code. */
export interface SizelessKernel extends AssembledKernel {
  /** The exported global variables. */
  readonly variables: readonly string[];
  /** What they have to be for calls of these sizes, in their order. */
  readonly valuesFor: (sizes: CodeSizes) => readonly number[];
}

type ValueType = 'i32' | 'f32';

interface Variable {
  readonly type: ValueType;
  /** Which of the numbers of the sizes. */
  readonly number: number;
}

/** The numbers that code can need of sizes: lengths, strides, and where arrays end. */
function numbersOf({ arrays, output }: CodeSizes): readonly number[] {
  return [...arrays, output].flatMap(([x = 1, y = 1, z = 1]) => [x, y, z, x * y, x * y * z - 1]);
}

/** Lengths that two sets of sizes have for as many axes: none is the same in both, and products take as many bytes. */
const MAX_AXES = 40;
const lengths = [(axis: number): number => 331 + 2 * axis, (axis: number): number => 499 - 2 * axis] as const;

function probe(ranks: readonly number[], outputRank: number, lengthOf: (axis: number) => number): CodeSizes {
  let axis = 0;
  const axes = (rank: number): readonly number[] => Array.from({ length: rank }, () => lengthOf(axis++));
  return { arrays: ranks.map(axes), output: axes(outputRank) };
}

/**
 * The kernel that `assemble` gives for any sizes of parameters of these ranks; null if it depends on sizes in another way
 * than by constants.
 */
export function withSizeVariables(
  ranks: readonly number[],
  outputRank: number,
  assemble: (sizes: CodeSizes) => AssembledKernel,
): SizelessKernel | null {
  if (ranks.reduce((sum, rank) => sum + rank, outputRank) > MAX_AXES) return null;
  const [one, other] = [probe(ranks, outputRank, lengths[0]), probe(ranks, outputRank, lengths[1])];
  const { bytes, pages } = assemble(one);
  const difference = variablesIn(bytes, assemble(other).bytes, [numbersOf(one), numbersOf(other)]);
  if (!difference) return null;
  const { variables, places } = difference;
  const globals = globalCount(bytes);
  if (globals === null || globals + variables.length > 127) return null;
  for (const { instruction, variable } of places) read(bytes, instruction, globals + variable);
  return {
    bytes: declared(bytes, variables, globals),
    pages,
    variables: variables.map((_, i) => nameOf(i)),
    valuesFor: (sizes) => {
      const numbers = numbersOf(sizes);
      return variables.map(({ number }) => numbers[number] ?? 0);
    },
  };
}

const nameOf = (variable: number): string => `size${variable}`;

interface Place {
  readonly instruction: Instruction;
  readonly variable: number;
}

function variablesIn(
  bytes: Uint8Array,
  other: Uint8Array,
  [numbers, otherNumbers]: readonly [readonly number[], readonly number[]],
): { readonly variables: readonly Variable[]; readonly places: readonly Place[] } | null {
  const code = sectionsOf(bytes).find(({ id }) => id === CODE_SECTION);
  const instructions = code && bytes.length === other.length ? instructionsOf(bytes, code) : null;
  if (!code || !instructions || differ(bytes, other, 0, code.from)) return null;
  const variables: Variable[] = [];
  const places: Place[] = [];
  let end = code.from;
  for (const instruction of instructions) {
    const { from, to } = instruction;
    // Between instructions are lengths of functions and their local variables.
    if (differ(bytes, other, end, from)) return null;
    end = to;
    if (!differ(bytes, other, from, to)) continue;
    const constant = constantAt(bytes, instruction);
    const otherConstant = constantAt(other, instruction);
    if (!constant || !otherConstant) return null;
    const { type } = constant;
    const number = numbers.findIndex((x, i) => x === constant.value && otherNumbers[i] === otherConstant.value);
    if (number < 0) return null;
    const known = variables.findIndex((variable) => variable.number === number && variable.type === type);
    places.push({ instruction, variable: known < 0 ? variables.push({ type, number }) - 1 : known });
  }
  return differ(bytes, other, end, bytes.length) ? null : { variables, places };
}

function differ(bytes: Uint8Array, other: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== other[i]) return true;
  return false;
}

interface Constant {
  readonly type: ValueType;
  readonly value: number;
}

/** Null if it is not a constant, and where a vector is not one integer four times. */
function constantAt(bytes: Uint8Array, { opcode, from, to }: Instruction): Constant | null {
  // An instruction of the other module: in that it may be another one, or end elsewhere.
  if (bytes[from] !== (opcode > 0xff ? opcode >> 8 : opcode)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  switch (opcode) {
    case opcodes.i32Const:
      return unsignedAt(bytes, from + 1).to === to ? { type: 'i32', value: signedAt(bytes, from + 1) } : null;
    case opcodes.f32Const:
      return { type: 'f32', value: view.getFloat32(from + 1, true) };
    case opcodes.v128Const: {
      if (bytes[from + 1] !== (opcode & 0xff)) return null;
      const lanes = [0, 1, 2, 3].map((lane) => view.getInt32(from + 2 + 4 * lane, true));
      const [value = 0] = lanes;
      return lanes.every((lane) => lane === value) ? { type: 'i32', value } : null;
    }
    default:
      return null;
  }
}

const [globalGet, nop, i32Type, f32Type] = [0x23, 0x01, 0x7f, 0x7d];
const i32x4Splat = [0xfd, 0x11];

/** Replaces a constant by a read of a global variable of the same length. */
function read(bytes: Uint8Array, { opcode, from, to }: Instruction, index: number): void {
  if (opcode !== opcodes.v128Const) {
    bytes.set([globalGet, ...unsigned(index, to - from - 1)], from);
    return;
  }
  bytes.fill(nop, from, to);
  bytes.set([globalGet, ...unsigned(index), ...i32x4Splat], from);
}

const [GLOBAL_SECTION, EXPORT_SECTION, globalExport] = [6, 7, 3];

/** The number of the module's own global variables: it imports none. Null if it has no section for them. */
function globalCount(bytes: Uint8Array): number | null {
  const section = sectionsOf(bytes).find(({ id }) => id === GLOBAL_SECTION);
  return section ? unsignedAt(bytes, section.from).value : null;
}

/** The module with these variables declared after its own global variables, and exported. */
function declared(bytes: Uint8Array, variables: readonly Variable[], globals: number): Uint8Array<ArrayBuffer> {
  const declarations = variables.flatMap(({ type }) =>
    type === 'i32' ? [i32Type, 1, opcodes.i32Const, 0, 0x0b] : [f32Type, 1, opcodes.f32Const, 0, 0, 0, 0, 0x0b],
  );
  const exports_ = variables.flatMap((_, i) => {
    const name = [...nameOf(i)].map((letter) => letter.charCodeAt(0));
    return [name.length, ...name, globalExport, globals + i];
  });
  const added = new Map([
    [GLOBAL_SECTION, declarations],
    [EXPORT_SECTION, exports_],
  ]);
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { id, from, to } of sectionsOf(bytes)) {
    const more = added.get(id);
    if (!more) continue;
    const entries = unsignedAt(bytes, from);
    const count = unsigned(entries.value + variables.length);
    const size = count.length + (to - entries.to) + more.length;
    const start = from - unsigned(to - from).length;
    parts.push(bytes.subarray(done, start), Uint8Array.from([...unsigned(size), ...count]));
    parts.push(bytes.subarray(entries.to, to), Uint8Array.from(more));
    done = to;
  }
  invariant(parts.length === 8, 'a kernel has global variables and exports');
  parts.push(bytes.subarray(done));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
