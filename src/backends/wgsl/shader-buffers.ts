/** From one call to the bits of a shader's buffers, and from what it wrote to the result. */
import type { ShaderBuffer, ShaderField, ShaderPlan } from '../../subject/shader.ts';
import type { ShaderFormat } from '../../subject/wgsl/layout.ts';
import type { KernelCall, KernelFailure, KernelValue } from '../backend.ts';
import { elementsOf, threw, unsupported } from '../check-call.ts';
import type { SessionRun } from './shader-session.ts';

/** How memory looks before a dispatch. */
export interface Memory {
  /** Bits of word `at` of a buffer, where the call says nothing. */
  readonly fill: (at: number) => number;
  /** Whether runtime-sized arrays are longer than their values. */
  readonly isPadded: boolean;
}

/** One dispatch, with what each buffer held before; the words that hold values of the call are `given`. */
export interface PreparedRun {
  readonly run: SessionRun;
  /** For each buffer of the plan: 1 where a word holds a value of the call, 2 where it holds the result, 3 where it ends a vector of it. */
  readonly roles: readonly Uint8Array[];
}

/** A run, or why the call cannot be one. */
export type Prepared =
  { readonly ok: true; readonly value: PreparedRun } | { readonly ok: false; readonly failure: KernelFailure };

/** Elements that a padded array has more than its values, and at least as many in proportion as a small workgroup overshoots. */
const padding = 64;

/** Workgroups along one axis that every device of WebGPU accepts. */
const mostWorkgroups = 65_535;

/** The buffers of a call. */
export function prepareRun(plan: ShaderPlan, call: KernelCall, memory: Memory): Prepared {
  const constants: Record<string, number> = {};
  for (const { key, index } of plan.constants) constants[key] = numberAt(call, index);
  const sizes = dispatchOf(plan, call);
  if (typeof sizes === 'string') return { ok: false, failure: threw(sizes) };
  const buffers: Float32Array[] = [];
  const roles: Uint8Array[] = [];
  for (const buffer of plan.buffers) {
    const made = prepareBuffer(buffer, call, memory);
    if ('failure' in made) return { ok: false, failure: made.failure };
    buffers.push(made.data);
    roles.push(made.roles);
  }
  return { ok: true, value: { run: { constants, buffers, dispatch: sizes }, roles } };
}

const numberAt = (call: KernelCall, index: number): number => {
  const value = call.arguments[index];
  return typeof value === 'number' ? value : Number.NaN;
};

/** Workgroups along each axis, or what is wrong with them. */
function dispatchOf(
  { dispatch, invocations }: ShaderPlan,
  call: KernelCall,
): readonly [number, number, number] | string {
  const asked =
    dispatch === null
      ? [Math.ceil(elementsOf(call.outputShape) / (invocations ?? 1))]
      : dispatch.map((index) => numberAt(call, index));
  const wrong = asked.find((count) => !Number.isInteger(count) || count < 0 || count > mostWorkgroups);
  if (wrong !== undefined)
    return `${wrong} workgroups cannot be dispatched; it takes a whole number up to ${mostWorkgroups}`;
  const [x = 1, y = 1, z = 1] = asked;
  return [x, y, z];
}

interface Made {
  readonly data: Float32Array;
  readonly roles: Uint8Array;
}

function prepareBuffer(
  buffer: ShaderBuffer,
  call: KernelCall,
  memory: Memory,
): Made | { readonly failure: KernelFailure } {
  const open = buffer.fields.find(({ length }) => length === null);
  const elements = open ? Math.max(1, Math.ceil(valuesIn(open, call) / open.components)) : 0;
  const extra = open && memory.isPadded ? padding : 0;
  const words = Math.max(buffer.leastWords, buffer.words + (elements + extra) * (open?.stride ?? 0));
  // A uniform buffer is a multiple of 16 bytes long.
  const size = buffer.kind === 'uniform' ? Math.ceil(words / 4) * 4 : words;
  const bits = new Uint32Array(size);
  const roles = new Uint8Array(size);
  for (let i = 0; i < size; i++) bits[i] = memory.fill(i);
  const target = { bits, roles, floats: new Float32Array(bits.buffer), integers: new Int32Array(bits.buffer) };
  for (const field of buffer.fields) {
    const failure = fillField(field, call, target);
    if (failure) return { failure };
  }
  return { data: target.floats, roles };
}

interface Target {
  readonly bits: Uint32Array;
  readonly roles: Uint8Array;
  readonly floats: Float32Array;
  readonly integers: Int32Array;
}

/** How many numbers a field takes. */
function valuesIn({ source }: ShaderField, call: KernelCall): number {
  if (source.kind === 'output') return elementsOf(call.outputShape);
  if (source.kind === 'vector') return source.indices.length;
  const value = call.arguments[source.index];
  return typeof value === 'object' ? value.length : 1;
}

function fillField(field: ShaderField, call: KernelCall, target: Target): KernelFailure | null {
  const { path, source, components, length } = field;
  const count = valuesIn(field, call);
  const most = length === null ? Infinity : length * components;
  if (count > most) return threw(`\`${path}\` holds ${most} numbers, and ${count} were to be written to it`);
  if (source.kind === 'output') {
    const before = source.from === null ? undefined : call.arguments[source.from];
    const whole = Math.min(most, Math.ceil(count / components) * components);
    for (let i = 0; i < whole; i++) target.roles[wordOf(field, i)] = i < count ? 2 : 3;
    return before === undefined ? null : write(field, before, count, target, 2);
  }
  if (source.kind === 'vector') {
    const values = Float64Array.from(source.indices, (index) => numberAt(call, index));
    return write(field, values, count, target, 1);
  }
  return write(field, call.arguments[source.index] ?? Number.NaN, count, target, 1);
}

const wordOf = ({ offset, stride, components }: ShaderField, i: number): number =>
  offset + Math.floor(i / components) * stride + (i % components);

const ranges: Readonly<Record<Exclude<ShaderFormat, 'f32'>, readonly [number, number]>> = {
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
};

function write(
  field: ShaderField,
  value: KernelValue | Float64Array,
  count: number,
  { bits, roles, floats, integers }: Target,
  role: number,
): KernelFailure | null {
  const { format, path } = field;
  if (typeof value === 'string') return unsupported(`\`${path}\` is a buffer, and was given a string`);
  for (let i = 0; i < count; i++) {
    const x = typeof value === 'number' ? value : (value[i] ?? Number.NaN);
    const at = wordOf(field, i);
    roles[at] = role;
    if (format === 'f32') {
      floats[at] = x;
      continue;
    }
    const [least, most] = ranges[format];
    if (!Number.isInteger(x) || x < least || x > most)
      return threw(`\`${path}\` holds ${format}, and was to be given ${x}`);
    if (format === 'u32') bits[at] = x;
    else integers[at] = x;
  }
  return null;
}

/** The result among the words of a written buffer. */
export function resultOf(
  plan: ShaderPlan,
  call: KernelCall,
  written: ReadonlyMap<number, Float32Array>,
): Float32Array | null {
  for (const [i, buffer] of plan.buffers.entries()) {
    const field = buffer.fields.find(({ source }) => source.kind === 'output');
    const data = field && written.get(i);
    if (!data) continue;
    const view = viewOf(field.format, data);
    const count = elementsOf(call.outputShape);
    const result = new Float32Array(count);
    for (let at = 0; at < count; at++) result[at] = view[wordOf(field, at)] ?? Number.NaN;
    return result;
  }
  return null;
}

function viewOf(format: ShaderFormat, data: Float32Array): Float32Array | Int32Array | Uint32Array {
  const { buffer, byteOffset, length } = data;
  if (format === 'f32') return data;
  return format === 'i32' ? new Int32Array(buffer, byteOffset, length) : new Uint32Array(buffer, byteOffset, length);
}
