/** From a binding row to an exported function of a WebAssembly module that can be run as the kernel of its equation. */
import { closest, count, listOf } from '../../base/text.ts';
import type { Located } from '../../contract/contract.ts';
import type { EquationModel } from '../../contract/goal.ts';
import { diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import { webAssembly } from '../../host/web-assembly.ts';
import { isSequence } from '../../math/term/sequences.ts';
import { elementTypeOf, isTensorType } from '../../math/term/types.ts';
import type { BindingRow } from '../binding.ts';
import type { BoundSubject } from '../bound-subject.ts';
import { plannedSubject } from '../planned-subject.ts';
import { readModule, type WasmModule, type WasmSignature } from './read-module.ts';
import type { WasmArgument, WasmPlan } from './wasm-plan.ts';

/** A row that names a function of a module, and the module. */
export interface WasmRow {
  readonly row: BindingRow;
  /** The module in base64. */
  readonly text: string;
  /** Relative to the project root. */
  readonly module: string;
  readonly entry: Located<string>;
  readonly model: EquationModel;
}

interface Problem {
  readonly message: string;
  readonly hint: string;
}

const no = (message: string, hint: string): { readonly problem: Problem } => ({ problem: { message, hint } });

/** The subject; PV-5038 where the module does not fit its equation. What its code does shows when it runs. */
export function resolveWasm({ row, text, module, entry, model }: WasmRow): Staged<BoundSubject | null> {
  const refuse = ({ message, hint }: Problem): Staged<null> => ({
    value: null,
    diagnostics: [diagnostic('PV-5038', entry.span, message, hint === '' ? {} : { hint })],
  });
  const found = signatureOf(text, module, entry.value);
  if ('problem' in found) return refuse(found.problem);
  if (model.result.kind === 'string' || isSequence(model.result))
    return refuse({
      message: `${model.name} does not give numbers of one shape`,
      hint: 'bind a function of TypeScript',
    });
  const planned = planWasm(found, entry.value, row, model);
  if ('problem' in planned) return refuse(planned.problem);
  return plannedSubject({
    row,
    model,
    module,
    name: entry.value,
    line: 1,
    text,
    arguments: planned.texts,
    span: row.arguments?.[0]?.span ?? entry.span,
    how: { language: 'function', wasm: planned.plan },
  });
}

interface Found {
  readonly module: WasmModule;
  readonly signature: WasmSignature;
}

function signatureOf(text: string, path: string, name: string): Found | { readonly problem: Problem } {
  const bytes = Buffer.from(text, 'base64');
  const module = readModule(bytes);
  if (module === null || !webAssembly.validate(bytes))
    return no(`\`${path}\` is not a WebAssembly module that Node ${process.versions.node} accepts`, 'build it again');
  const [imported] = module.imports;
  if (imported !== undefined)
    return no(
      `\`${path}\` imports ${listOf(
        module.imports.map((one) => `\`${one}\``),
        3,
      )}, and a kernel gets no imports`,
      'build it without: freestanding, with its own memory and without a start function of a system',
    );
  const signature = module.functions.get(name);
  if (signature) return { module, signature };
  const names = [...module.functions.keys()];
  const near = closest(name, names);
  const hint = near === null ? (names.length === 0 ? '' : `it has ${listOf(names, 12)}`) : `did you mean \`${near}\`?`;
  return no(`the module does not export a function \`${name}\``, hint);
}

/** What each parameter is: as the binding says, else the equation's parameters, the result unless it is returned, and its sizes. */
function planWasm(
  { module, signature }: Found,
  name: string,
  row: Pick<BindingRow, 'arguments'>,
  model: EquationModel,
): Planned {
  const { parameters, results } = signature;
  const isReturned = results.length === 1 && results[0] !== null && !isTensorType(model.result);
  const usual = [...model.parameters.map((one) => one.name), ...(isReturned ? [] : ['output']), ...model.sizes];
  const needed = usual.length - model.sizes.length;
  const listed =
    row.arguments?.map(({ value }) => value.trim()) ??
    (parameters.length < needed ? usual : usual.slice(0, parameters.length));
  const shown = `\`${name}\` takes ${count(parameters.length, 'parameter')} (${parameters.map((type) => type ?? 'other').join(', ')})`;
  const say = `say in the binding what each is: arguments: [${usual.join(', ')}]`;
  if (listed.length !== parameters.length)
    return no(`${shown}, and would get ${count(listed.length, 'value')}: ${listed.join(', ')}`, say);
  const made = argumentsOf(listed, parameters, model);
  if (!made.ok) return no(`${shown}, and ${made.message}`, say);
  const outputs = made.arguments.filter(({ kind }) => kind === 'output').length;
  if (outputs > 1 || (outputs === 0 && !isReturned))
    return no(`nothing says where \`${name}\` leaves its result`, `${say}, with output once`);
  const usesMemory = made.arguments.some(({ kind }) => kind !== 'value');
  if (usesMemory && module.memory === null)
    return no('the module does not export its memory', 'export it: (export "memory" (memory 0))');
  if (usesMemory && module.isWide) return no('its memory has addresses of 64 bits', 'build it for wasm32');
  const plan: WasmPlan = {
    arguments: made.arguments,
    memory: usesMemory ? module.memory : null,
    allocates: module.functions.has('malloc'),
    isInteger: elementTypeOf(model.result).kind === 'integer',
  };
  return { plan, texts: made.texts };
}

type Planned = { readonly plan: WasmPlan; readonly texts: readonly string[] } | { readonly problem: Problem };

type Made =
  | { readonly ok: true; readonly arguments: readonly WasmArgument[]; readonly texts: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** The parameters as arguments of the call, whose texts are listed once each. */
function argumentsOf(
  listed: readonly string[],
  types: WasmSignature['parameters'],
  { parameters }: EquationModel,
): Made {
  const tensors = new Set(parameters.filter(({ type }) => isTensorType(type)).map(({ name }) => name));
  const texts: string[] = [];
  const index = (text: string): number => {
    const known = texts.indexOf(text);
    return known >= 0 ? known : texts.push(text) - 1;
  };
  const made: WasmArgument[] = [];
  for (const [i, text] of listed.entries()) {
    const type = types[i] ?? null;
    const [, output, from] = /^(output)(?:\s*=\s*(.+))?$/u.exec(text) ?? [];
    const isAddress = output !== undefined || tensors.has(text);
    if (type === null || (isAddress && type !== 'i32'))
      return { ok: false, message: `parameter ${i + 1} cannot hold ${isAddress ? 'the address of ' : ''}${text}` };
    if (output !== undefined) made.push({ kind: 'output', from: from === undefined ? null : index(from) });
    else made.push(isAddress ? { kind: 'address', index: index(text) } : { kind: 'value', index: index(text), type });
  }
  return { ok: true, arguments: made, texts };
}
