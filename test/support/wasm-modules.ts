/** WebAssembly modules, assembled by hand, and their functions as subjects of an equation. */
import type { EquationModel } from '../../src/contract/goal.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { resolveBindings } from '../../src/subject/resolve.ts';
import { unsigned, type Code, type Local } from '../../src/wasm/encode.ts';
import { f32, i32, set, upTo } from '../../src/wasm/instructions.ts';
import type { ShaderSubject } from './shaders.ts';

const types = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;
type TypeName = keyof typeof types;

/** A function that is exported under its name. */
export interface HandWritten {
  readonly name: string;
  readonly parameters: readonly TypeName[];
  readonly results?: readonly TypeName[];
  /** Further locals, all i32. */
  readonly locals?: number;
  readonly body: Code;
}

/** What else a module has. */
export interface ModuleParts {
  /** Pages of the memory: the least, and the most if there is one; null exports none. */
  readonly memory?: readonly [number, number?] | null;
  /** Imported functions without parameters: `env.abort`. */
  readonly imports?: readonly string[];
  readonly memoryFlags?: number;
}

const preamble: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const name = (text: string): Code => vector([...new TextEncoder().encode(text)].map((byte) => [byte]));
const section = (id: number, items: readonly Code[]): Code => {
  const content = vector(items);
  return [id, ...unsigned(content.length), ...content];
};

/** The bytes of a module. */
export function moduleOf(
  functions: readonly HandWritten[],
  { memory = [1], imports = [], memoryFlags = 0 }: ModuleParts = {},
): Uint8Array {
  const type = ({ parameters, results = [] }: Pick<HandWritten, 'parameters' | 'results'>): Code => [
    0x60,
    ...vector(parameters.map((one) => [types[one]])),
    ...vector(results.map((one) => [types[one]])),
  ];
  const [least = 0, most] = memory ?? [];
  const limits =
    most === undefined ? [memoryFlags, ...unsigned(least)] : [memoryFlags | 1, ...unsigned(least), ...unsigned(most)];
  const bodies = functions.map(({ locals = 0, body }) => {
    const code = [...(locals === 0 ? [0] : [1, ...unsigned(locals), types.i32]), ...body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  const imported = imports.map((path) => {
    const [from = '', what = ''] = path.split('.');
    return [...name(from), ...name(what), 0, ...unsigned(functions.length)];
  });
  return Uint8Array.from([
    ...preamble,
    ...section(1, [...functions.map(type), type({ parameters: [] })]),
    ...(imported.length > 0 ? section(2, imported) : []),
    ...section(
      3,
      functions.map((_, i) => unsigned(i)),
    ),
    ...(memory ? section(5, [limits]) : []),
    ...section(7, [
      ...(memory ? [[...name('memory'), 2, 0]] : []),
      ...functions.map((one, i) => [...name(one.name), 0, ...unsigned(imports.length + i)]),
    ]),
    ...section(10, bodies),
  ]);
}

const local = (index: number): Local => ({ index, type: 'i32' });
/** `max(a, b)` of two float32. */
const larger = (a: Code, b: Code): Code => [...a, ...b, 0x97];

/** `relu(x, y, n)`: `each` says what is stored for the value at `x`. */
export const relu = (
  each: (value: Code) => Code = (value) => larger(value, f32.const(0)),
  after: (locals: readonly [Local, Local, Local, Local]) => Code = () => [],
): HandWritten => {
  const [x, y, n, end] = [local(0), local(1), local(2), local(3)];
  const body = [...f32.store(y, each(f32.load(x))), ...set(x, i32.add(x, i32.const(4)))];
  return {
    name: 'relu',
    parameters: ['i32', 'i32', 'i32'],
    locals: 1,
    body: [...set(end, i32.add(y, i32.shl(n, i32.const(2)))), ...upTo(y, end, 4, body), ...after([x, y, n, end])],
  };
};

/** `axpy(x, y, n, a)`, in place: y is a·x + y. */
export const axpy: HandWritten = {
  name: 'axpy',
  parameters: ['i32', 'i32', 'i32', 'f32'],
  locals: 1,
  body: [
    ...set(local(4), i32.add(local(1), i32.shl(local(2), i32.const(2)))),
    ...upTo(
      local(1),
      local(4),
      4,
      f32.store(local(1), f32.add(f32.mul(f32.load(local(0)), { index: 3, type: 'f32' }), f32.load(local(1)))),
      set(local(0), i32.add(local(0), i32.const(4))),
    ),
  ],
};

/** The function of a module that has the name, bound to the equation; `keys` are further lines of the row. */
export async function wasmSubject(
  bytes: Uint8Array,
  model: EquationModel,
  keys = '',
  { kind = 'wasm', named = model.name } = {},
): Promise<ShaderSubject> {
  const own = keys === '' ? '' : `    ${keys.replaceAll('\n', '\n    ')}\n`;
  const row = `  - contract: c\n    equation: ${model.name}\n    kind: ${kind}\n    module_path: k.wasm\n    function: ${named}\n    status: implemented\n`;
  const read = readBindings({ path: 'binding.yaml', text: `bindings:\n${row}${own}` });
  const host = createMemoryHost({});
  await host.writeFileAtomic('k.wasm', bytes);
  const { value, diagnostics } = await resolveBindings(read.value.rows, new Map([['c', [model]]]), host);
  return { subject: value[0], diagnostics: [...read.diagnostics, ...diagnostics] };
}
