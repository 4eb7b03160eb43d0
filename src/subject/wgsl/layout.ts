/** Where the numbers of a buffer lie: sizes and alignments of WGSL's types (section 14.4.1). */
import type { Declarations, ShaderType } from './declarations.ts';
import { wholeNumber } from './tokens.ts';

/** The formats in which pv writes and reads numbers. */
export type ShaderFormat = 'f32' | 'i32' | 'u32';

/** Numbers in a buffer that have a name: a scalar, a vector, or an array of either. */
export interface Field {
  /** From the variable on: `params.n`. */
  readonly path: string;
  readonly format: ShaderFormat;
  /** Bytes from the start of the buffer. */
  readonly offset: number;
  /** Numbers of one element: 1, or up to 4 of a vector. */
  readonly components: number;
  /** Bytes from one element to the next. */
  readonly stride: number;
  /** Elements; null for an array as long as its buffer; 'one' for what is not an array. */
  readonly length: number | null | 'one';
}

/** A buffer's fields and its size; a runtime-sized array adds to the size. */
export interface BufferLayout {
  readonly fields: readonly Field[];
  readonly size: number;
  /** Bytes that WebGPU binds at least: a runtime-sized array counts as one element. */
  readonly least: number;
}

/** A layout, or why there is none. */
export type LaidOut =
  { readonly ok: true; readonly layout: BufferLayout } | { readonly ok: false; readonly message: string };

/** The layout of a variable of a type. */
export function layoutOf(name: string, type: ShaderType, declarations: Declarations): LaidOut {
  const fields: Field[] = [];
  const placed = place({ path: name, type, offset: 0, declarations, fields, depth: 0 });
  if (typeof placed === 'string') return { ok: false, message: placed };
  const { size, align } = placed;
  const open = fields.find(({ length }) => length === null);
  const least = open ? roundUp(open.offset + open.stride, align) : size;
  return { ok: true, layout: { fields, size, least } };
}

interface Placing {
  readonly path: string;
  readonly type: ShaderType;
  readonly offset: number;
  readonly declarations: Declarations;
  readonly fields: Field[];
  readonly depth: number;
}

interface Extent {
  readonly size: number;
  readonly align: number;
}

const formats: Readonly<Record<string, ShaderFormat>> = { f32: 'f32', i32: 'i32', u32: 'u32' };
const shortFormats: Readonly<Record<string, ShaderFormat>> = { f: 'f32', i: 'i32', u: 'u32' };
const roundUp = (size: number, to: number): number => Math.ceil(size / to) * to;

const mostFields = 256;

/** The numbers of an element, null if the type is neither a scalar nor a vector of one. */
function elementOf(type: ShaderType): { readonly format: ShaderFormat; readonly components: number } | null {
  const scalar = formats[type.name];
  if (scalar) return { format: scalar, components: 1 };
  const [, count, short] = /^vec([234])([fiu]?)$/u.exec(type.name) ?? [];
  const format = short ? shortFormats[short] : formats[type.of[0]?.name ?? ''];
  return count !== undefined && format ? { format, components: Number(count) } : null;
}

function resolved(type: ShaderType, { aliases }: Declarations): ShaderType {
  let found = type;
  for (let i = 0; i < 16; i++) found = aliases.get(found.name) ?? found;
  return found;
}

/** A message where the type is not one that pv can fill. */
function place(asked: Placing): Extent | string {
  const { path, offset, declarations, fields, depth } = asked;
  const type = resolved(asked.type, declarations);
  const element = elementOf(type);
  if (element) {
    const extent = extentOf(element.components);
    fields.push({ path, ...element, offset, stride: extent.size, length: 'one' });
    return extent;
  }
  if (type.name === 'array') return placeArray(asked, type);
  const members = declarations.structures.get(type.name);
  if (!members || depth > 8)
    return `\`${path}\` has the type ${textOf(type)}; pv fills f32, i32, u32, vectors and arrays of them, and structures`;
  let size = 0;
  let align = 4;
  for (const member of members) {
    const own = `${path}.${member.name}`;
    if (member.attributes.size > 0)
      return `\`${own}\` has the attribute @${[...member.attributes.keys()].join(', @')}, which pv does not read`;
    const inner: Field[] = [];
    const extent = place({ ...asked, path: own, type: member.type, offset: 0, fields: inner, depth: depth + 1 });
    if (typeof extent === 'string') return extent;
    const start = roundUp(size, extent.align);
    fields.push(...inner.map((field) => ({ ...field, offset: offset + start + field.offset })));
    if (fields.length > mostFields) return `\`${path}\` has more than ${mostFields} members`;
    size = start + extent.size;
    align = Math.max(align, extent.align);
  }
  // What a runtime-sized array adds begins at its offset.
  const isOpen = fields.some(({ length }) => length === null);
  return { size: isOpen ? size : roundUp(size, align), align };
}

function placeArray({ path, offset, declarations, fields }: Placing, { of }: ShaderType): Extent | string {
  const [inner, count] = of;
  const element = inner && elementOf(resolved(inner, declarations));
  const length = count === undefined ? null : (wholeNumber(count.name) ?? declarations.constants.get(count.name));
  if (!element || length === undefined)
    return `\`${path}\` is an array of ${inner ? textOf(inner) : 'nothing'}; pv fills arrays of f32, i32, u32 and their vectors, of a length in whole numbers`;
  const { size, align } = extentOf(element.components);
  const stride = roundUp(size, align);
  fields.push({ path, ...element, offset, stride, length });
  return { size: stride * (length ?? 0), align };
}

function extentOf(components: number): Extent {
  return { size: 4 * components, align: components === 3 ? 16 : 4 * components };
}

const textOf = ({ name, of }: ShaderType): string => (of.length === 0 ? name : `${name}<${of.map(textOf).join(', ')}>`);
