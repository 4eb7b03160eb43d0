/**
 * Cases as text: readable for people, hexadecimal for exactness, and back.
 */
import { err, ok, type Result } from '../base/result.ts';
import type { RecordedInput } from '../evidence/receipt.ts';
import type { Case, CaseValue } from '../math/compile/compiled.ts';
import type { Domain } from '../math/domain.ts';
import type { ScalarType } from '../math/term/term.ts';
import { shortestText } from '../numeric/shortest-text.ts';

/** Tensors longer than this are shortened in the readable rendering; the hexadecimal one is always whole. */
const READABLE_ELEMENTS = 16;

const FLOAT64: ScalarType = { kind: 'float', format: 'f64' };

type Names = Pick<Domain, 'sizes' | 'variables' | 'unlimited'>;

function textFormat(element: ScalarType): 'f16' | 'bf16' | 'f32' | 'f64' {
  if (element.kind === 'float') return element.format;
  return element.kind === 'integer' || element.kind === 'boolean' ? 'f64' : 'f32';
}

/** One value, readable: `0.1`, `[1, -0, 3e38]`, `[0, 0, …, 1] (128)`. */
export function valueText(value: CaseValue, element: ScalarType): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const format = textFormat(element);
  if (typeof value === 'number') return shortestText(value, format);
  const shown = Array.from(value.subarray(0, READABLE_ELEMENTS), (x) => shortestText(x, format));
  if (value.length <= READABLE_ELEMENTS) return `[${shown.join(', ')}]`;
  return `[${shown.join(', ')}, …] (${value.length} elements)`;
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
  const values = domain.variables.map((variable, i) => {
    const value = input.values[i] ?? 0;
    const element = domain.unlimited && variable.real ? FLOAT64 : variable.element;
    return [variable.name, { hex: valueHex(value), text: valueText(value, element) }] as const;
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
