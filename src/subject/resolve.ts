/**
 * From binding rows to kernels: the function exists, is exported, fits its equation, and can be run.
 */
import { relative, sep } from 'node:path';
import type { SourceFile as MorphFile } from 'ts-morph';
import { invariant } from '../base/invariant.ts';
import type { Located } from '../contract/contract.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../diagnostics/source.ts';
import { containedPath } from '../host/contained-path.ts';
import type { Host } from '../host/host.ts';
import { elementTypeOf, shapeOf } from '../math/types.ts';
import { planCall, type CallPlan } from './argument-sources.ts';
import type { BindingRow } from './binding.ts';
import type { BoundSubject } from './bound-subject.ts';
import { checkSignature, kernelTypeOf, valueParameters } from './check-signature.ts';
import { defaultLoopMax, type KernelParameter, type KernelProgram, type Rank } from './kernel.ts';
import { programOf } from './kernel-program.ts';
import { bound, locateFunction, sourceOf, spanOf, type MorphFunction } from './locate-function.ts';
import { asRank } from './rank-of-type.ts';
import { outputRankOf } from './read-kernel.ts';
import { typeProblems } from './type-problems.ts';
import { typeProjects, type TypeProjects } from './type-project.ts';
import { loadTypeScript } from './typescript.ts';

export interface ResolveOptions {
  /** The project root, absolute or relative to the host's root: what `module_path` starts from. */
  readonly root?: string;
  /** Also report type errors of the bound modules; takes a second or more. */
  readonly typeErrors?: boolean;
}

/** What resolving one row needs. */
interface Context {
  readonly host: Host;
  readonly root: string;
  readonly projects: TypeProjects;
  readonly diagnostics: Diagnostic[];
  readonly typeErrors: boolean;
  /** Modules whose type errors have been reported. */
  readonly typeChecked: Set<MorphFile>;
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
): Promise<Staged<readonly BoundSubject[]>> {
  const root = await containedPath(host, options.root ?? '.', '.');
  if (!root.ok)
    return {
      value: [],
      diagnostics: [
        diagnostic('PV-5006', null, `the project root ${root.error.message}`, { subject: root.error.path }),
      ],
    };
  const context: Context = {
    host,
    root: root.value,
    projects: typeProjects(host, root.value),
    diagnostics: [],
    typeErrors: options.typeErrors ?? false,
    typeChecked: new Set(),
  };
  const subjects: BoundSubject[] = [];
  for (const row of rows) {
    const { modulePath, functionName, status } = row;
    if (!modulePath || !functionName || status === 'pending' || status === 'not_implemented') continue;
    const model = models.get(row.contract.value)?.find(({ name }) => name === row.equation.value) ?? null;
    const subject = await resolveRow(context, { row, modulePath, functionName, model });
    if (subject) subjects.push(subject);
  }
  return { value: subjects, diagnostics: context.diagnostics };
}

interface Claim {
  readonly row: BindingRow;
  readonly modulePath: Located<string>;
  readonly functionName: Located<string>;
  readonly model: EquationModel | null;
}

async function resolveRow(context: Context, claim: Claim): Promise<BoundSubject | null> {
  const { row, functionName, model } = claim;
  const opened = await openModule(context, claim.modulePath);
  if (!opened) return null;
  const file = await typedModule(context, opened);
  if (!file) return null;
  const located = await locateFunction(file, functionName, opened.module);
  if (!located.ok) return refuse(context, [located.problem]);
  const own = located.node.getSourceFile();
  const module = own === file ? opened.module : projectPath(context.root, own.getFilePath());
  const source = sourceOf(own, module);
  await reportTypeErrors(context, own, source);
  const plan = model ? planCall(row, model) : { value: null, diagnostics: [] };
  if (plan.diagnostics.length > 0) return refuse(context, plan.diagnostics);
  const misfits =
    model && plan.value ? checkSignature({ node: located.node, module, functionName, model, ...plan.value }) : [];
  if (misfits.length > 0) return refuse(context, misfits);
  const program = await readProgram(context, claim, located.node, module);
  if (!program) return null;
  const fitted = model && plan.value ? fitToModel(program, model, plan.value) : program;
  const problem = model && threadProblem(fitted, claim, located.node, module);
  if (problem) return refuse(context, [problem]);
  const { line } = positionAt(source, located.node.getStart());
  const sources = plan.value?.arguments.slice(0, program.parameters.length) ?? [];
  return {
    contract: row.contract.value,
    equation: row.equation.value,
    name: functionName.value,
    module,
    line,
    program: fitted,
    arguments: sources,
    output: plan.value?.output ?? null,
    model,
    row,
  };
}

async function typedModule(context: Context, { path, text }: OpenModule): Promise<MorphFile | null> {
  const file = await context.projects.moduleAt(path, text);
  if (file.ok) return file.value;
  const subject = projectPath(context.root, file.error.path);
  // One broken configuration is one finding, however many modules it governs.
  if (context.diagnostics.some((found) => found.code === 'PV-5024' && found.subject === subject)) return null;
  return refuse(context, [
    diagnostic('PV-5024', null, `${subject} cannot be read: ${file.error.message}`, { subject }),
  ]);
}

/** Type errors of a module, once however many of its functions are bound. */
async function reportTypeErrors(context: Context, file: MorphFile, source: SourceFile): Promise<void> {
  if (!context.typeErrors || context.typeChecked.has(file)) return;
  context.typeChecked.add(file);
  context.diagnostics.push(...(await typeProblems(file, source)));
}

function refuse(context: Context, problems: readonly Diagnostic[]): null {
  context.diagnostics.push(...problems);
  return null;
}

interface OpenModule {
  readonly path: string;
  readonly text: string;
  /** The path for messages: relative to the root, with `/`. */
  readonly module: string;
}

async function openModule(context: Context, { value, span }: Located<string>): Promise<OpenModule | null> {
  if (value.includes('::') || !/\.[cm]?tsx?$/u.test(value)) {
    const hint = value.includes('::')
      ? 'this looks like a Rust path; pv runs TypeScript: src/kernels/softmax.ts'
      : 'name a .ts file relative to the project root';
    return refuse(context, [diagnostic('PV-5007', span, `\`${value}\` is not a TypeScript module`, { hint })]);
  }
  const path = await containedPath(context.host, context.root, value);
  if (!path.ok) {
    const code = path.error.kind === 'outside' ? 'PV-5005' : 'PV-5006';
    return refuse(context, [
      diagnostic(code, span, `\`${value}\` ${path.error.message}`, {
        hint: 'module_path is relative to the project root and stays inside it',
      }),
    ]);
  }
  const text = await context.host.readText(path.value, { maxBytes: 4 * 1024 * 1024 });
  if (!text.ok) return refuse(context, [diagnostic('PV-5006', span, `\`${value}\` ${text.error.message}`)]);
  return { path: path.value, text: text.value, module: projectPath(context.root, path.value) };
}

function projectPath(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, '/');
}

async function readProgram(
  context: Context,
  { row, functionName }: Claim,
  node: MorphFunction,
  module: string,
): Promise<KernelProgram | null> {
  const typescript = await loadTypeScript();
  const file = node.getSourceFile();
  const ranks = valueParameters(node).map((parameter): Rank | null => {
    const type = kernelTypeOf(parameter.getType());
    return type?.kind === 'nested' ? asRank(type.rank) : type ? 1 : null;
  });
  const options = { directory: context.root, ranks, loopMaxIterations: row.loopMax ?? defaultLoopMax };
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

/** The program with what only the equation knows: which parameters are whole numbers, the ranks of flat arrays, the output's rank. */
function fitToModel(program: KernelProgram, model: EquationModel, plan: CallPlan): KernelProgram {
  const parameters = program.parameters.map((parameter, i): KernelParameter => {
    const source = plan.arguments[i];
    if (source?.kind === 'size') return { ...parameter, integer: true };
    const type = source?.kind === 'parameter' ? model.parameters[source.index]?.type : undefined;
    return type
      ? {
          ...parameter,
          rank: asRank(shapeOf(type).length) ?? parameter.rank,
          integer: elementTypeOf(type).kind === 'integer',
        }
      : parameter;
  });
  const outputRank = asRank(plan.output?.length ?? shapeOf(model.result).length);
  invariant(outputRank !== null, 'planCall refuses more than three axes');
  return { ...program, parameters, outputRank };
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
