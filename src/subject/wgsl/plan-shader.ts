/** What fills the variables of a shader: as a binding says, else by name, else by order. */
import { greekNames } from '../../base/greek.ts';
import { count, listOf } from '../../base/text.ts';
import type { EquationModel } from '../../contract/goal.ts';
import { isTensorType } from '../../math/term/types.ts';
import type { BindingRow } from '../binding.ts';
import type { ShaderBuffer, ShaderField, ShaderPlan, ShaderSource } from '../shader.ts';
import type { Declarations, EntryPoint, Resource } from './declarations.ts';
import { layoutOf, type BufferLayout, type Field } from './layout.ts';
import type { ShaderToken } from './tokens.ts';

/** Something wrong with a shader, at a token of it; null: with the file as a whole. */
export interface ShaderProblem {
  readonly at: ShaderToken | null;
  readonly message: string;
  readonly hint: string;
}

/** A plan, with the text of each argument that it needs: a parameter, a size, or an expression of them. */
export interface PlannedShader {
  readonly plan: ShaderPlan;
  readonly arguments: readonly string[];
}

/** What can be filled: a field of a buffer, or a pipeline constant. */
interface Slot {
  readonly path: string;
  readonly place: ShaderToken;
  readonly isTensor: boolean;
  readonly isWritable: boolean;
  readonly isOptional: boolean;
  readonly components: number;
}

/** What goes into a slot: texts of arguments, or the result. */
interface Filling {
  readonly texts: readonly string[];
  readonly isOutput: boolean;
}

interface Buffer {
  readonly resource: Resource;
  readonly layout: BufferLayout;
}

/** The plan of an entry point for an equation, or why there is none. */
export function planShader(
  declarations: Declarations,
  entry: EntryPoint,
  row: Pick<BindingRow, 'variables' | 'dispatch'>,
  model: EquationModel,
): { readonly ok: true; readonly value: PlannedShader } | { readonly ok: false; readonly problem: ShaderProblem } {
  const buffers: Buffer[] = [];
  for (const resource of declarations.resources) {
    if (resource.kind === 'other')
      return no(resource.place, `\`${resource.name}\` is not a buffer`, 'pv runs shaders on buffers alone');
    const laid = layoutOf(resource.name, resource.type, declarations);
    if (!laid.ok) return no(resource.place, laid.message, 'give the shader a buffer of such a type');
    buffers.push({ resource, layout: laid.layout });
  }
  const slots = slotsOf(buffers, declarations);
  const filled = fill(slots, row, model);
  if ('problem' in filled) return { ok: false, problem: filled.problem };
  return { ok: true, value: assemble(buffers, { declarations, entry, row, fillings: filled.fillings }) };
}

const no = (at: ShaderToken | null, message: string, hint: string) =>
  ({ ok: false, problem: { at, message, hint } }) as const;

function slotsOf(buffers: readonly Buffer[], { overrides }: Declarations): readonly Slot[] {
  return [
    ...buffers.flatMap(({ resource, layout }) =>
      layout.fields.map((field) => ({
        path: field.path,
        place: resource.place,
        isTensor: field.length !== 'one',
        isWritable: resource.kind === 'read_write',
        isOptional: false,
        components: field.components,
      })),
    ),
    ...overrides.map(({ name, place, hasDefault }) => ({
      path: name,
      place,
      isTensor: false,
      isWritable: false,
      isOptional: hasDefault,
      components: 1,
    })),
  ];
}

/** `output`, `output = x` or texts of arguments. */
function givenFilling(texts: readonly string[]): Filling {
  const [first = ''] = texts;
  const [, from] = /^output(?:\s*=\s*(.+))?$/u.exec(first) ?? [];
  if (!/^output\b/u.test(first)) return { texts, isOutput: false };
  return { texts: from === undefined ? [] : [from.trim()], isOutput: true };
}

function fill(
  slots: readonly Slot[],
  { variables }: Pick<BindingRow, 'variables'>,
  model: EquationModel,
): { readonly fillings: ReadonlyMap<string, Filling> } | { readonly problem: ShaderProblem } {
  const fillings = new Map<string, Filling>();
  for (const [path, texts] of variables ?? []) {
    const slot = slots.find((one) => one.path === path);
    if (!slot) {
      const hint = `its variables are ${listOf(
        slots.map((one) => one.path),
        12,
      )}`;
      return { problem: { at: null, message: `the binding fills \`${path}\`, which the shader does not have`, hint } };
    }
    fillings.set(path, givenFilling(texts.map(({ value }) => value)));
  }
  const names = new Set([...model.parameters.map(({ name }) => name), ...model.sizes]);
  const tensors = model.parameters.filter(({ type }) => isTensorType(type)).map(({ name }) => name);
  const scalars = [...names].filter((name) => !tensors.includes(name));
  const isUsed = (name: string): boolean => [...fillings.values()].some(({ texts }) => texts.includes(name));
  const open = (): readonly Slot[] => slots.filter(({ path }) => !fillings.has(path));
  if (![...fillings.values()].some(({ isOutput }) => isOutput)) {
    const outputs = open().filter(({ isTensor, isWritable }) => isTensor && isWritable);
    const output =
      outputs.length > 1 ? outputs.find(({ path }) => /(?:^|\.)(?:out|output|result)$/iu.test(path)) : outputs[0];
    if (output) fillings.set(output.path, { texts: [], isOutput: true });
    else return { problem: withoutOutput(slots, outputs) };
  }
  for (const { path, isTensor } of open()) {
    const name = nameIn(isTensor ? tensors : scalars, path);
    if (name !== null && !isUsed(name)) fillings.set(path, { texts: [name], isOutput: false });
  }
  inOrder(
    open().filter(({ isTensor }) => isTensor),
    tensors.filter((name) => !isUsed(name)),
    fillings,
  );
  const needed = open().filter(({ isTensor, isOptional }) => !isTensor && !isOptional);
  // Beside buffers of vectors, a number may count numbers or vectors.
  if (!slots.some(({ isTensor, components }) => isTensor && components > 1))
    inOrder(
      needed,
      scalars.filter((name) => !isUsed(name)),
      fillings,
    );
  inPlace(
    tensors.filter((name) => !isUsed(name)),
    slots,
    fillings,
  );
  const problem = leftOver(
    open().filter(({ isOptional }) => !isOptional),
    tensors.filter((name) => !isUsed(name)),
  );
  return problem ? { problem } : { fillings };
}

function withoutOutput(slots: readonly Slot[], outputs: readonly Slot[]): ShaderProblem {
  const [, second] = outputs;
  const message = second
    ? `the shader can write to ${listOf(outputs.map(({ path }) => path))}: which of them is the result?`
    : 'the shader has no buffer that it can write its result to';
  const hint = second
    ? `say it in the binding: variables: { ${second.path}: output }`
    : 'declare one: var<storage, read_write> out: array<f32>';
  return { at: second?.place ?? slots[0]?.place ?? null, message, hint };
}

/** As the equation writes it, or with Greek letters spelled out; `eps` is ε. */
function nameIn(names: readonly string[], path: string): string | null {
  const last = path.split('.').at(-1) ?? '';
  return names.find((name) => [name, greekNames.get(name), name === 'ε' ? 'eps' : name].includes(last)) ?? null;
}

/** Those that are left, one by one, if there are as many of each. */
function inOrder(slots: readonly Slot[], names: readonly string[], fillings: Map<string, Filling>): void {
  if (slots.length !== names.length || slots.some(({ isTensor, components }) => !isTensor && components > 1)) return;
  for (const [i, { path }] of slots.entries()) fillings.set(path, { texts: [names[i] ?? ''], isOutput: false });
}

/** The only tensor that has no buffer shares that of the result, which is what shaders do that work in place. */
function inPlace([only, second]: readonly string[], slots: readonly Slot[], fillings: Map<string, Filling>): void {
  if (only === undefined || second !== undefined) return;
  const output = slots.find(({ path }) => fillings.get(path)?.isOutput);
  if (output && fillings.get(output.path)?.texts.length === 0)
    fillings.set(output.path, { texts: [only], isOutput: true });
}

/** Variables that one message names. */
const mostNamed = 6;

function leftOver(slots: readonly Slot[], tensors: readonly string[]): ShaderProblem | null {
  const [slot] = slots;
  if (slot) {
    const paths = slots.map(({ path }) => path);
    const asked = paths.slice(0, mostNamed).map((path) => `${path}: …`);
    return {
      at: slot.place,
      message: `nothing says what ${listOf(
        paths.map((path) => `\`${path}\``),
        mostNamed,
      )} ${slots.length === 1 ? 'holds' : 'hold'}`,
      hint: `say it in the binding: variables: { ${asked.join(', ')} }, each a parameter, a size or an expression of them`,
    };
  }
  if (tensors.length === 0) return null;
  return {
    at: null,
    message: `the shader reads no ${listOf(tensors)}, ${count(tensors.length, 'parameter')} of the equation`,
    hint: 'declare a buffer for it: var<storage, read> x: array<f32>',
  };
}

interface Assembling {
  readonly declarations: Declarations;
  readonly entry: EntryPoint;
  readonly row: Pick<BindingRow, 'dispatch'>;
  readonly fillings: ReadonlyMap<string, Filling>;
}

function assemble(buffers: readonly Buffer[], { declarations, entry, row, fillings }: Assembling): PlannedShader {
  const texts: string[] = [];
  const index = (text: string): number => {
    const known = texts.indexOf(text);
    return known >= 0 ? known : texts.push(text) - 1;
  };
  const sourceOf = ({ path }: Pick<Field, 'path'>): ShaderSource => {
    const { texts: own = [], isOutput = false } = fillings.get(path) ?? {};
    const [first] = own;
    if (isOutput) return { kind: 'output', from: first === undefined ? null : index(first) };
    return own.length > 1
      ? { kind: 'vector', indices: own.map(index) }
      : { kind: 'argument', index: index(first ?? '0') };
  };
  const made = buffers.map(({ resource, layout }): ShaderBuffer => {
    const { name, group, binding, kind } = resource;
    const fields = layout.fields.map(({ offset, stride, length, ...field }): ShaderField => ({
      ...field,
      offset: offset / 4,
      stride: stride / 4,
      length: length === 'one' ? 1 : length,
      source: sourceOf(field),
    }));
    const words = { words: layout.size / 4, leastWords: layout.least / 4 };
    return { name, group, binding, kind: kind === 'other' ? 'read' : kind, ...words, fields };
  });
  const constants = declarations.overrides.flatMap(({ name, key }) => {
    const text = fillings.get(name)?.texts[0];
    return text === undefined ? [] : [{ key, index: index(text) }];
  });
  const plan: ShaderPlan = {
    buffers: made,
    constants,
    dispatch: row.dispatch?.map(({ value }) => index(value)) ?? null,
    invocations: invocationsAlong(entry.workgroup),
    asksLength: declarations.asksLength,
  };
  return { plan, arguments: texts };
}

/** Invocations of a workgroup that lies along x; how workgroups of rows and columns share the elements, nothing says. */
function invocationsAlong(workgroup: EntryPoint['workgroup']): number | null {
  const [x, ...others] = workgroup ?? [];
  return x !== undefined && others.every((size) => size === 1) ? x : null;
}
