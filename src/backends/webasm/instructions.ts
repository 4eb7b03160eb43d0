/**
 * The code of a WebAssembly module as sections and instructions (WebAssembly core specification 2.0, chapter 5), as far as gpu.js writes them
 * (2.24.1, its `web-assembly/wasm-builder.js`). Null wherever there is something else.
 */

/** One section of a module, by its offsets in the bytes. */
export interface Section {
  readonly id: number;
  /** The offset of the content, after its length. */
  readonly from: number;
  readonly to: number;
}

/** One instruction, by its offsets in the bytes. */
export interface Instruction {
  readonly opcode: number;
  /** Of the opcode, and after the last immediate. */
  readonly from: number;
  readonly to: number;
}

/** The id of the section with the function bodies. */
export const CODE_SECTION = 10;
const HEADER_BYTES = 8;

/** Opcodes of the constants that may be sizes; for vectors with the prefix before the second byte. */
export const opcodes = { i32Const: 0x41, f32Const: 0x43, v128Const: 0xfd0c } as const;

/** Reads an unsigned LEB128 number of at most 32 bits. */
export function unsignedAt(bytes: Uint8Array, at: number): { readonly value: number; readonly to: number } {
  let value = 0;
  let to = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[to++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return { value: value >>> 0, to };
  }
}

/** Reads a signed LEB128 number of at most 32 bits. */
export function signedAt(bytes: Uint8Array, at: number): number {
  const { value, to } = unsignedAt(bytes, at);
  const unused = Math.max(0, 32 - 7 * (to - at));
  return (value << unused) >> unused;
}

/** An unsigned LEB128 number, padded to `width` bytes. */
export function unsigned(value: number, width = 1): readonly number[] {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length < width; rest = Math.floor(rest / 128)) bytes.push(rest % 128);
  return bytes.map((byte, i) => (i < bytes.length - 1 ? byte | 0x80 : byte));
}

/** The sections of a module in order; custom sections have the id 0. */
export function sectionsOf(bytes: Uint8Array): readonly Section[] {
  const sections: Section[] = [];
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const { value, to } = unsignedAt(bytes, at + 1);
    sections.push({ id: bytes[at] ?? 0, from: to, to: to + value });
    at = to + value;
  }
  return sections;
}

/** Every instruction of every function. */
export function instructionsOf(bytes: Uint8Array, code: Section): readonly Instruction[] | null {
  const found: Instruction[] = [];
  const functions = unsignedAt(bytes, code.from);
  let at = functions.to;
  for (let i = 0; i < functions.value; i++) {
    const size = unsignedAt(bytes, at);
    const end = size.to + size.value;
    at = behindLocals(bytes, size.to);
    while (at < end) {
      const instruction = instructionAt(bytes, at);
      if (!instruction) return null;
      found.push(instruction);
      at = instruction.to;
    }
  }
  return found;
}

function behindLocals(bytes: Uint8Array, from: number): number {
  const runs = unsignedAt(bytes, from);
  let at = runs.to;
  for (let i = 0; i < runs.value; i++) at = unsignedAt(bytes, at).to + 1;
  return at;
}

/** How many numbers in LEB128 follow an opcode: labels, functions, variables, and where memory is read. */
const numbersAfter: ReadonlyMap<number, number> = new Map([
  ...[0x0c, 0x0d, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, opcodes.i32Const].map((opcode) => [opcode, 1] as const),
  ...[0x28, 0x2a, 0x36, 0x38, 0xfd00, 0xfd0b].map((opcode) => [opcode, 2] as const),
]);

/** How many bytes follow an opcode: block types, lanes, and constants that are not LEB128. */
const bytesAfter: ReadonlyMap<number, number> = new Map([
  ...[0x02, 0x03, 0x04, 0xfd1b, 0xfd1c, 0xfd1f, 0xfd20].map((opcode) => [opcode, 1] as const),
  [opcodes.f32Const, 4],
  [opcodes.v128Const, 16],
]);

/** Nothing follows these: operands are on the stack. */
function isPlain(opcode: number): boolean {
  const control = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b].includes(opcode);
  const vector = opcode >= 0xfd11 && (opcode <= 0xfd13 || opcode >= 0xfd37);
  return control || (opcode >= 0x45 && opcode <= 0xbf) || opcode === 0xfc00 || opcode === 0xfc01 || vector;
}

function instructionAt(bytes: Uint8Array, from: number): Instruction | null {
  const first = bytes[from] ?? 0;
  const prefixed = first === 0xfc || first === 0xfd;
  const second = prefixed ? unsignedAt(bytes, from + 1) : { value: 0, to: from + 1 };
  const opcode = prefixed ? first * 256 + second.value : first;
  let { to } = second;
  const numbers = numbersAfter.get(opcode);
  const rest = bytesAfter.get(opcode);
  if (numbers === undefined && rest === undefined && !isPlain(opcode)) return null;
  for (let i = 0; i < (numbers ?? 0); i++) to = unsignedAt(bytes, to).to;
  return { opcode, from, to: to + (rest ?? 0) };
}
