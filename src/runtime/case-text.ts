/**
 * Cases as text: readable for people, hexadecimal for exactness, and back.
 */
import { err, ok, type Result } from '../base/result.ts';
import type { RecordedInput } from '../evidence/receipt.ts';
import type { Case, CaseValue } from '../math/compile/compiled.ts';
import type { Domain } from '../math/domain.ts';
import type { ScalarType } from '../math/term/term.ts';
import { scalarFunction } from './generate/scalar-function.ts';
import { shortestText } from '../numeric/shortest-text.ts';

/** Tensors longer than this are shortened in the readable rendering; the hexadecimal one is always whole. */
const READABLE_ELEMENTS = 16;
/** Shrunk inputs are zero but for what matters, so equal neighbours are counted from this many on. */
const SHORTEST_RUN = 5;

const FLOAT64: ScalarType = { kind: 'float', format: 'f64' };

type Names = Pick<Domain, 'sizes' | 'variables' | 'unlimited'>;

function textFormat(element: ScalarType): 'f16' | 'bf16' | 'f32' | 'f64' {
  if (element.kind === 'float') return element.format;
  return element.kind === 'integer' || element.kind === 'boolean' ? 'f64' : 'f32';
}

/** Elements as text, equal neighbours of a long list as `0 × 97`, at most `READABLE_ELEMENTS` parts. */
function partsOfList(numbers: readonly number[], text: (x: number) => string): readonly string[] {
  if (numbers.length <= READABLE_ELEMENTS) return numbers.map(text);
  const parts: string[] = [];
  for (let from = 0; from < numbers.length;) {
    if (parts.length >= READABLE_ELEMENTS) return [...parts, '…'];
    const first = numbers[from] ?? 0;
    let to = from + 1;
    while (to < numbers.length && Object.is(numbers[to], first)) to++;
    const isRun = to - from >= SHORTEST_RUN;
    parts.push(isRun ? `${text(first)} × ${to - from}` : text(first));
    from = isRun ? to : from + 1;
  }
  return parts;
}

/** Nested lists by `shape`, whose product is the number of elements. */
function nested(numbers: readonly number[], shape: readonly number[], text: (x: number) => string): string {
  const [rows = 1, ...inner] = shape;
  if (inner.length === 0) return `[${partsOfList(numbers, text).join(', ')}]`;
  const width = numbers.length / rows;
  const shown = Array.from({ length: Math.min(rows, READABLE_ELEMENTS) }, (_, row) =>
    nested(numbers.slice(row * width, (row + 1) * width), inner, text),
  );
  return `[${[...shown, ...(rows > shown.length ? ['…'] : [])].join(', ')}]`;
}

/**
 * One value, readable: `0.1`, `[1, -0, 3e38]`, `[[1, 2], [3, 4]]`, `[0 × 97, 5, 0 × 30] (128 elements)`. Flat if `shape` is not
 * that of the value.
 */
export function valueText(value: CaseValue, element: ScalarType, shape: readonly number[] = []): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const format = textFormat(element);
  const text = (x: number): string => shortestText(x, format);
  if (typeof value === 'number') return text(value);
  const fits = value.length > 0 && shape.reduce((product, length) => product * length, 1) === value.length;
  const list = nested(Array.from(value), fits ? shape : [value.length], text);
  return value.length <= READABLE_ELEMENTS ? list : `${list} (${value.length} elements)`;
}

function bytesOf(value: CaseValue): Uint8Array {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  const width = typeof value === 'number' ? 8 : value.BYTES_PER_ELEMENT;
  const numbers = typeof value === 'number' ? [value] : value;
  const view = new DataView(new ArrayBuffer(numbers.length * width));
  for (let i = 0; i < numbers.length; i++) {
    const x = numbers[i] ?? 0;
    if (value instanceof Float32Array) view.setFloat32(i * width, x, true);
    else if (value instanceof Int32Array) view.setInt32(i * width, x, true);
    else view.setFloat64(i * width, x, true);
  }
  return new Uint8Array(view.buffer);
}

/** The exact value: `f32:`, `f64:`, `i32:`, `number:` or `utf8:` and the little-endian bytes in hexadecimal. */
export function valueHex(value: CaseValue): string {
  const hex = Array.from(bytesOf(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (typeof value === 'string') return `utf8:${hex}`;
  if (typeof value === 'number') return `number:${hex}`;
  return `${value instanceof Float32Array ? 'f32' : value instanceof Int32Array ? 'i32' : 'f64'}:${hex}`;
}

/** The record of `input`, with the names of its domain. */
export function recordInput(domain: Names, input: Case): RecordedInput {
  const sizes = domain.sizes.map((size, i) => [size.name, input.sizes[i] ?? 0] as const);
  const names = new Map(sizes);
  domain.variables.forEach(({ name }, i) => {
    const value = input.values[i];
    if (typeof value === 'number') names.set(name, value);
  });
  const values = domain.variables.map((variable, i) => {
    const value = input.values[i] ?? 0;
    const element = domain.unlimited && variable.real ? FLOAT64 : variable.element;
    const shape = variable.shape.map((axis) => scalarFunction(axis)((name) => names.get(name) ?? NaN));
    return [variable.name, { hex: valueHex(value), text: valueText(value, element, shape) }] as const;
  });
  return { sizes: Object.fromEntries(sizes), values: Object.fromEntries(values) };
}

/** The readable lines of a record: `n = 3`, `x = [0, 1, 2]`. */
export function inputLines(input: RecordedInput): readonly string[] {
  const sizes = Object.entries(input.sizes).map(([name, size]) => `${name} = ${size}`);
  return [...sizes, ...Object.entries(input.values).map(([name, value]) => `${name} = ${value.text}`)];
}

const widths = { f32: 4, f64: 8, i32: 4, number: 8, utf8: 1 } as const;

/** Reads what {@link valueHex} wrote; the error says what is wrong with the text. */
export function parseValueHex(text: string): Result<CaseValue, string> {
  const match = /^(f32|f64|i32|number|utf8):((?:[0-9a-f]{2})*)$/.exec(text);
  if (!match) return err('expected f32:, f64:, i32:, number: or utf8: and pairs of hexadecimal digits');
  const kind = match[1] as keyof typeof widths;
  const hex = match[2] ?? '';
  const bytes = Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
  const count = bytes.length / widths[kind];
  if (!Number.isInteger(count) || (kind === 'number' && count !== 1))
    return err(`${bytes.length} bytes are not a whole number of ${kind} values`);
  const view = new DataView(bytes.buffer);
  switch (kind) {
    case 'f32':
      return ok(Float32Array.from({ length: count }, (_, i) => view.getFloat32(4 * i, true)));
    case 'f64':
      return ok(Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true)));
    case 'i32':
      return ok(Int32Array.from({ length: count }, (_, i) => view.getInt32(4 * i, true)));
    case 'number':
      return ok(view.getFloat64(0, true));
    case 'utf8':
      return ok(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  }
}

/** The case of a record, for replay; the error says why it does not fit the domain (which may have changed since). */
export function parseInput(domain: Names, record: RecordedInput): Result<Case, string> {
  const sizes: number[] = [];
  for (const { name } of domain.sizes) {
    const size = Object.hasOwn(record.sizes, name) ? record.sizes[name] : undefined;
    if (size === undefined) return err(`the record has no size ${name}`);
    sizes.push(size);
  }
  const values: CaseValue[] = [];
  for (const { name } of domain.variables) {
    const recorded = Object.hasOwn(record.values, name) ? record.values[name] : undefined;
    if (!recorded) return err(`the record has no value ${name}`);
    const value = parseValueHex(recorded.hex);
    if (!value.ok) return err(`${name}: ${value.error}`);
    values.push(value.value);
  }
  return ok({ sizes, values });
}
