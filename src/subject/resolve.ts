/**
 * From binding rows to kernels: the function exists, is exported, fits its equation, and can be run.
 */
import { resolve } from 'node:path';
import type { SourceFile as MorphFile } from 'ts-morph';
import { invariant } from '../base/invariant.ts';
import type { Located } from '../contract/contract.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../diagnostics/source.ts';
import type { Host } from '../host/host.ts';
import { pathFrom } from '../host/path-from.ts';
import { checkArgumentOrder } from './argument-order.ts';
import { planCall } from './argument-sources.ts';
import { bindingKey, type bindingKinds, type BindingRow } from './binding.ts';
import type { BoundSubject } from './bound-subject.ts';
import { checkSignature, kernelTypeOf, valueParameters } from './check-signature.ts';
import { fitToModel } from './fit-to-model.ts';
import { defaultLoopMax, type KernelProgram, type Rank } from './kernel.ts';
import { programOf } from './kernel-program.ts';
import { bound, locateFunction, sourceOf, spanOf, type MorphFunction } from './locate-function.ts';
import {
  homeOf,
  isScript,
  isShader,
  isWasm,
  openModule,
  outside,
  pathInside,
  type ModuleHome,
  type OpenModule,
} from './open-module.ts';
import { asRank } from './rank-of-type.ts';
import { outputRankOf } from './read-kernel.ts';
import { resolveScript } from './resolve-script.ts';
import { typeProblems } from './type-problems.ts';
import { typeProjects, type TypeProjects } from './type-project.ts';
import { loadTypeScript } from './typescript.ts';
import { resolveWasm } from './wasm/resolve-wasm.ts';
import { resolveShader } from './wgsl/resolve-shader.ts';

/** Where modules are found, and how closely they are checked. */
export interface ResolveOptions {
  /** Where `module_path` may start, the best first; absolute or relative to the host's root, which is the default. */
  readonly roots?: readonly string[];
  /** Also report type errors of the bound modules; takes a second or more. */
  readonly typeErrors?: boolean;
}

/** What resolving one row needs. */
interface Context extends ModuleHome {
  readonly host: Host;
  readonly diagnostics: Diagnostic[];
  readonly typeErrors: boolean;
  /** Modules whose type errors have been reported. */
  readonly typeChecked: Set<MorphFile>;
}

/** The kernels, and for rows that should have one and have none the first reason, by {@link bindingKey}. */
export interface ResolvedBindings extends Staged<readonly BoundSubject[]> {
  readonly broken: ReadonlyMap<string, Diagnostic>;
}

/**
 * Resolves every row that claims an implementation. `models` maps a contract's id to its executable equations.
 *
 * A row with an error yields no subject; the others do. Rows that are `pending` or `not_implemented` are left out.
 */
export async function resolveBindings(
  rows: readonly BindingRow[],
  models: ReadonlyMap<string, readonly EquationModel[]>,
  host: Host,
  options: ResolveOptions = {},
): Promise<ResolvedBindings> {
  const homes = (options.roots ?? ['.']).map((folder): Home => {
    const root = resolve(host.root, folder);
    return { root, projects: typeProjects(host, root), language: typeProjects(host, root, 'language') };
  });
  const shared = {
    host,
    diagnostics: new Array<Diagnostic>(),
    typeErrors: options.typeErrors ?? false,
    typeChecked: new Set<MorphFile>(),
  };
  const subjects: BoundSubject[] = [];
  const broken = new Map<string, Diagnostic>();
  for (const row of rows) {
    const { modulePath, functionName, status } = row;
    if (!modulePath || !functionName || status === 'pending' || status === 'not_implemented') continue;
    const model = models.get(row.contract.value)?.find(({ name }) => name === row.equation.value) ?? null;
    const home = await homeOf(host, homes, modulePath.value);
    const before = shared.diagnostics.length;
    const subject = await resolveInTurn(shared, home, { row, modulePath, functionName, model });
    if (subject) subjects.push(subject);
    else broken.set(bindingKey(row), causeOf(shared.diagnostics, before));
  }
  return { value: subjects, diagnostics: shared.diagnostics, broken };
}

interface Home extends ModuleHome {
  /** The same modules without the declarations of browsers. */
  readonly language: TypeProjects;
}

/** Whatever is found without the declarations of browsers may be found because they are missing: then the row is read again with them. */
async function resolveInTurn(
  shared: Omit<Context, keyof ModuleHome>,
  home: Home,
  claim: Claim,
): Promise<BoundSubject | null> {
  const { diagnostics } = shared;
  const before = diagnostics.length;
  const subject = await resolveRow({ ...shared, ...home, projects: home.language }, claim);
  if (diagnostics.length === before) return subject;
  diagnostics.length = before;
  return resolveRow({ ...shared, ...home }, claim);
}

/** The error that kept a row from being resolved: its own, or what an earlier row has already said about their configuration. */
function causeOf(found: readonly Diagnostic[], before: number): Diagnostic {
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  const cause = found.slice(before).find(isError) ?? found.findLast(isError);
  invariant(cause, 'a row is refused with a reason');
  return cause;
}

interface Claim {
  readonly row: BindingRow;
  readonly modulePath: Located<string>;
  readonly functionName: Located<string>;
  readonly model: EquationModel | null;
}

async function resolveRow(context: Context, claim: Claim): Promise<BoundSubject | null> {
  const opened = await openKind(context, claim);
  if (!opened) return null;
  const isUntyped = isScript(opened.path) || kindOf(opened.path) !== 'function';
  return isUntyped ? untypedSubject(context, claim, opened) : typedSubject(context, claim, opened);
}

async function typedSubject(context: Context, claim: Claim, opened: OpenModule): Promise<BoundSubject | null> {
  const { row, functionName, model } = claim;
  const file = await typedModule(context, opened);
  if (!file) return null;
  const located = await locate(context, opened, file, functionName);
  if (!located) return null;
  const { path, module } = located;
  const own = located.node.getSourceFile();
  const source = sourceOf(own, module);
  reportTypeErrors(context, own, source);
  const plan = model ? planCall(row, model) : { value: null, diagnostics: [] };
  if (plan.diagnostics.length > 0) return refuse(context, plan.diagnostics);
  const { value: call } = plan;
  const { form: node, misfits } = callableForm(located.node, (form) =>
    model && call ? checkSignature({ node: form, module, functionName, model, ...call }) : [],
  );
  if (misfits.length > 0) return refuse(context, misfits);
  const program = await readProgram(context, claim, node, { path, module });
  if (!program) return null;
  const fitted = model && plan.value ? fitToModel(program, model, plan.value) : program;
  const problem = model && threadProblem(fitted, claim, node, module);
  if (problem) return refuse(context, [problem]);
  if (model && plan.value)
    context.diagnostics.push(...checkArgumentOrder({ node, module, row, model, arguments: plan.value.arguments }));
  const { line } = positionAt(source, node.getStart());
  const sources = plan.value?.arguments.slice(0, program.parameters.length) ?? [];
  return {
    contract: row.contract.value,
    equation: row.equation.value,
    name: functionName.value,
    module: pathFrom(context.root, path),
    line,
    program: fitted,
    arguments: sources,
    output: plan.value?.output ?? null,
    model,
    row,
  };
}

/** The module, if it holds what the row says. */
async function openKind(context: Context, { row, modulePath }: Claim): Promise<OpenModule | null> {
  const found = await openModule(context.host, context.root, modulePath);
  if (!found.ok) return refuse(context, [found.error]);
  const opened = found.value;
  if (row.kind === null || kindOf(opened.path) === row.kind.value) return opened;
  const message = `the kind is ${row.kind.value}, and \`${opened.shown}\` is not such a file`;
  return refuse(context, [diagnostic('PV-5007', row.kind.span, message)]);
}

function kindOf(path: string): (typeof bindingKinds)[number] {
  if (isShader(path)) return 'wgsl';
  return isWasm(path) ? 'wasm' : 'function';
}

/** Shaders and scripts have no types of TypeScript; their equation says what they are given. */
async function untypedSubject(context: Context, claim: Claim, opened: OpenModule): Promise<BoundSubject | null> {
  const { row, functionName: entry, model } = claim;
  if (!model) return null;
  const { root } = context;
  const module = pathFrom(root, opened.path);
  const source = { path: opened.shown, text: opened.text };
  const { value, diagnostics } = isShader(opened.path)
    ? resolveShader({ row, source, module, entry, model })
    : isWasm(opened.path)
      ? resolveWasm({ row, text: opened.text, module, entry, model })
      : await resolveScript({ row, opened, root, module, name: entry.value, model });
  context.diagnostics.push(...diagnostics);
  return value;
}

/** The overload that the equation can call, or the function itself; where none fits, the first with what is wrong with it. */
function callableForm(
  node: MorphFunction,
  check: (form: MorphFunction) => readonly Diagnostic[],
): { readonly form: MorphFunction; readonly misfits: readonly Diagnostic[] } {
  const overloads = 'getOverloads' in node ? node.getOverloads() : [];
  const forms = [...overloads, node].map((form) => ({ form, misfits: check(form) }));
  return forms.find(({ misfits }) => misfits.length === 0) ?? forms[0] ?? { form: node, misfits: [] };
}

interface LocatedFunction {
  readonly node: MorphFunction;
  /** The absolute path of its module, and the path for messages. */
  readonly path: string;
  readonly module: string;
}

/** The function, followed through re-exports as far as the project goes. */
async function locate(
  context: Context,
  opened: OpenModule,
  file: MorphFile,
  name: Located<string>,
): Promise<LocatedFunction | null> {
  const found = locateFunction(file, name, opened.shown);
  if (!found.ok) return refuse(context, [found.problem]);
  const { node } = found;
  const own = node.getSourceFile();
  if (own === file) return { node, path: opened.path, module: opened.shown };
  const path = await pathInside(context.host, context.root, own.getFilePath());
  const module = pathFrom(context.host.root, path ?? own.getFilePath());
  return path === null ? refuse(context, [outside(name, module)]) : { node, path, module };
}

async function typedModule(context: Context, { path, text }: OpenModule): Promise<MorphFile | null> {
  const file = await context.projects.moduleAt(path, text);
  if (file.ok) return file.value;
  const subject = pathFrom(context.host.root, file.error.path);
  // One broken configuration is one finding, however many modules it governs.
  if (context.diagnostics.some((found) => found.code === 'PV-5024' && found.subject === subject)) return null;
  return refuse(context, [
    diagnostic('PV-5024', null, `${subject} cannot be read: ${file.error.message}`, { subject }),
  ]);
}

/** Type errors of a module, once however many of its functions are bound. */
function reportTypeErrors(context: Context, file: MorphFile, source: SourceFile): void {
  if (!context.typeErrors || context.typeChecked.has(file)) return;
  context.typeChecked.add(file);
  context.diagnostics.push(...typeProblems(file, source));
}

function refuse(context: Context, problems: readonly Diagnostic[]): null {
  context.diagnostics.push(...problems);
  return null;
}

async function readProgram(
  context: Context,
  { row, functionName }: Claim,
  node: MorphFunction,
  { path, module }: { readonly path: string; readonly module: string },
): Promise<KernelProgram | null> {
  const typescript = loadTypeScript();
  const file = node.getSourceFile();
  const ranks = valueParameters(node).map((parameter): Rank | null => {
    const type = kernelTypeOf(parameter.getType());
    return type?.kind === 'nested' ? asRank(type.rank) : type?.kind === 'text' ? 0 : type ? 1 : null;
  });
  const options = { directory: context.root, path, ranks, loopMaxIterations: row.loopMax ?? defaultLoopMax };
  const read = await programOf(
    typescript,
    sourceOf(file, module),
    file.compilerNode,
    node.compilerNode,
    functionName.value,
    options,
  );
  context.diagnostics.push(...read.diagnostics.map((found) => ({ ...found, ...bound(functionName) })));
  return read.value;
}

/** A kernel that reads `this.thread.y` for a vector would see 0 there for ever. */
function threadProblem(
  program: KernelProgram,
  { functionName, model }: Claim,
  node: MorphFunction,
  module: string,
): Diagnostic | null {
  if (!program.syntax || !model) return null;
  const used = outputRankOf(program.syntax);
  const available = Math.max(1, program.outputRank);
  if (used <= available) return null;
  const axis = used === 3 ? 'z' : 'y';
  return diagnostic(
    'PV-5025',
    spanOf(node, module),
    `\`${functionName.value}\` reads this.thread.${axis}, but the output of ${model.name} has ${program.outputRank} ax${program.outputRank === 1 ? 'is' : 'es'}`,
    { hint: 'x is the last axis of the output, y the one before it, z the first of three', ...bound(functionName) },
  );
}
