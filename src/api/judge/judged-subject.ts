/** The kernel of a judgement, bound to its equation: from a file that may be anywhere. */
import { basename, dirname, join, resolve } from 'node:path';
import { defaultAccuracy, inAccuracyClass, type AccuracyClass } from '../../contract/accuracy.ts';
import type { Contract } from '../../contract/contract.ts';
import { contractId } from '../../contract/decode.ts';
import { elaborateAll } from '../../audit/elaborate-all.ts';
import { listOf, quoted } from '../../base/text.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { isDeclaredOnly, type ElaboratedContract, type EquationModel } from '../../contract/goal.ts';
import { subjectsOf } from '../../plan/make-plan.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { BoundSubject } from '../../subject/bound-subject.ts';
import type { BindingRow } from '../../subject/binding.ts';
import { bundledFiles } from '../../subject/function-program.ts';
import { isShader } from '../../subject/open-module.ts';
import { readBindings } from '../../subject/read-bindings.ts';
import { resolveBindings } from '../../subject/resolve.ts';
import { readWithDependencies, shownPath } from '../project-files.ts';
import { projectFolders } from '../project-root.ts';
import type { Session } from '../session.ts';
import { contractPath } from '../shipped-contract.ts';

/** What is to be judged, as on the command line. */
export interface Asked {
  /** `FILE` or `FILE#NAME`. */
  readonly kernel: string;
  /** A path, or the name of a contract that pv ships, in full or without `-kernel-v1`. */
  readonly contract: string;
  readonly equation: string | undefined;
  /** How accurate the kernel must be; `library` if absent. */
  readonly accuracy?: AccuracyClass | undefined;
  /**
   * A binding file, whose row of the equation says how the kernel is called, and whose kernels compute the other equations of claims
   * that formulas alone cannot decide; absent: it is called as its signature or its variables say.
   */
  readonly binding?: string | undefined;
}

/** The contract, with those that it depends on, and the equation that the kernel is to compute. */
export interface JudgedContract {
  /** As they were read: with the tolerances of every accuracy class. */
  readonly read: readonly Contract[];
  readonly accuracy: AccuracyClass;
  readonly all: readonly ElaboratedContract[];
  readonly contract: ElaboratedContract;
  readonly model: EquationModel;
  /** The row of a binding file that says how the kernel is called. */
  readonly given: BindingRow | null;
  /** Rows of that file, of other equations of claims that formulas alone cannot decide. Their kernels are trusted. */
  readonly helpers: Helpers;
  /** The file of the kernel, absolute, and the name that it exports. */
  readonly file: string;
  readonly name: string;
}

const camel = (name: string): string => name.replace(/_+(\w)/gu, (_, letter: string) => letter.toUpperCase());

/** Rows of a binding file, and the folder that it is in. */
interface Helpers {
  readonly rows: readonly BindingRow[];
  readonly directory: string;
}

/** Finds contract and equation; the error is for the command line. */
export async function judgedContract(session: Session, asked: Asked): Promise<Result<JudgedContract, string>> {
  const [file = '', named] = asked.kernel.split('#');
  const path = await contractPath(session, asked.contract);
  if (path === null) return err(`no contract ${quoted(asked.contract)}: name a file, or one that pv ships`);
  const read = await readWithDependencies(session, [path]);
  await session.show(read.unread);
  const errors = read.findings.filter(({ severity }) => severity === 'error');
  await session.show(errors);
  const accuracy = asked.accuracy ?? defaultAccuracy;
  const all = elaborateAll(read.contracts.map((one) => inAccuracyClass(one, accuracy)));
  const contract = all.find((one) => one.contract.id === contractId(path));
  if (read.unread.length > 0 || errors.length > 0 || !contract)
    return err(`${shownPath(session, path)} cannot be used`);
  const names = contract.equations.map(({ name }) => name);
  const wanted =
    asked.equation ?? names.find((name) => named !== undefined && [name, camel(name)].includes(named)) ?? only(names);
  const model = contract.equations.find(({ name }) => name === wanted);
  if (!model) return err(`name one of the equations of ${contract.contract.id} with --equation: ${listOf(names, 12)}`);
  const absolute = resolve(session.host.root, file);
  const text = await session.host.readText(absolute);
  if (!text.ok) return err(`${file} ${text.error.message}`);
  const exported = exportedName(text.value, [model.name, camel(model.name), ...(isShader(file) ? ['main'] : [])]);
  const bound = await boundRows(session, asked.binding, { all, contract, model });
  if (!bound.ok) return bound;
  const { given, helpers } = bound.value;
  const name = named ?? given?.functionName?.value ?? exported ?? model.name;
  return ok({ read: read.contracts, accuracy, all, contract, model, given, helpers, file: absolute, name });
}

const asDefault = String.raw`^\s*(?:export\s+default\s+|module\.exports\s*=\s*)`;

/** The name under which a text seems to give out one of the functions: `default` if that is how, undefined if it names none. */
function exportedName(text: string, names: readonly string[]): string | undefined {
  const found = names.find((name) => new RegExp(`\\b${name}\\b`, 'u').test(text));
  const given =
    found === undefined
      ? String.raw`(?:async\b|function\b|\([^()]*\)\s*(?::[^=]*)?=>)`
      : String.raw`(?:(?:async\s+)?function\s+${found}\b|${found}\s*(?:;|$))`;
  return new RegExp(`${asDefault}${given}`, 'mu').test(text) ? 'default' : found;
}

/** What a binding file says for a judgement. */
type BoundRows = Pick<JudgedContract, 'given' | 'helpers'>;

async function boundRows(
  { host, show }: Session,
  binding: string | undefined,
  judged: Pick<JudgedContract, 'all' | 'contract' | 'model'>,
): Promise<Result<BoundRows, string>> {
  if (binding === undefined) return ok({ given: null, helpers: { rows: [], directory: host.root } });
  const text = await host.readText(resolve(host.root, binding));
  if (!text.ok) return err(`${binding} ${text.error.message}`);
  const read = readBindings({ path: binding, text: text.value });
  await show(read.diagnostics);
  const own = equationKey(judged.contract.contract.id, judged.model.name);
  const needed = besideDeclared(judged);
  const keyed = read.value.rows.map((row) => ({ row, key: equationKey(row.contract.value, row.equation.value) }));
  const given = keyed.find(({ key }) => key === own)?.row;
  if (!given)
    return err(`${binding} has no row for the equation ${judged.model.name} of ${judged.contract.contract.id}`);
  const rows = keyed.filter(({ key }) => needed.has(key)).map(({ row }) => row);
  return ok({ given, helpers: { rows, directory: dirname(resolve(host.root, binding)) } });
}

const equationKey = (contract: string, equation: string): string => `${contract}/${equation}`;

/**
 * The other equations of those claims about one that need an equation without a formula. Where such a claim needs one with a formula too,
 * its kernel is taken as well: what is stored and read again has the kernel's rounding, not the formula's.
 */
function besideDeclared({
  all,
  contract,
  model,
}: Pick<JudgedContract, 'all' | 'contract' | 'model'>): ReadonlySet<string> {
  const about = [...contract.goals, ...contract.statements].filter(({ equations }) => equations.includes(model.name));
  const subjects = about.flatMap((goal) => {
    const found = subjectsOf(goal, contract, { contracts: all, subjects: [] });
    return found.some(({ model: one }) => isDeclaredOnly(one)) ? found : [];
  });
  return new Set(
    subjects
      .filter(({ model: other }) => other !== model)
      .map(({ equation }) => (equation.includes('/') ? equation : equationKey(contract.contract.id, equation))),
  );
}

const only = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined);

/** The same with the tolerances of another accuracy class. */
export function withAccuracy(found: JudgedContract, accuracy: AccuracyClass): JudgedContract {
  const all = elaborateAll(found.read.map((one) => inAccuracyClass(one, accuracy)));
  const contract = all.find((one) => one.contract.id === found.contract.contract.id) ?? found.contract;
  return { ...found, accuracy, all, contract };
}

/** The kernel as a subject, or the findings that keep it from being one. */
export async function judgedSubject(
  session: Session,
  { contract, model, given, file, name }: JudgedContract,
): Promise<Result<BoundSubject, readonly Diagnostic[]>> {
  const own = rowOf(contract, model, file, name);
  if (!own.row) return err(own.diagnostics);
  const { arguments: args, output, variables, dispatch } = given ?? own.row;
  const row: BindingRow = { ...own.row, arguments: args, output, variables, dispatch };
  const directory = dirname(file);
  const models = new Map([[contract.contract.id, [model]]]);
  const found = await resolveBindings([row], models, session.host, { roots: [directory] });
  const [subject] = found.value;
  // Such as arguments in another order than the function's own names (PV-5015), which the verdict does not show.
  if (subject) await session.show(given ? found.diagnostics : found.diagnostics.map(ofNoRow));
  return subject ? ok(subject) : err(found.diagnostics.filter(({ severity }) => severity === 'error'));
}

/** The kernels of a binding file that compute other equations than the judged one. What keeps one from being used is shown, and its claims are not judged. */
export async function helpersOf(
  { host, show }: Session,
  { all, helpers: { rows, directory } }: JudgedContract,
): Promise<readonly BoundSubject[]> {
  if (rows.length === 0) return [];
  const models = new Map(all.map(({ contract, equations }) => [contract.id, equations]));
  const { moduleRoots } = await projectFolders(host, directory);
  const found = await resolveBindings(rows, models, host, { roots: moduleRoots });
  await show(found.diagnostics);
  return found.value;
}

/** Without the row, which pv wrote for the command line and nobody can mend. */
const ofNoRow = (finding: Diagnostic): Diagnostic => ({
  ...finding,
  span: null,
  hint:
    finding.hint?.replace('in this row', "in the equation's row of a binding file, give that with --binding") ?? null,
});

function rowOf(
  { contract }: ElaboratedContract,
  { name: equation }: EquationModel,
  file: string,
  name: string,
): { readonly row: BindingRow | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const row = { contract: contract.id, equation, module_path: basename(file), function: name, status: 'implemented' };
  const text = `version: "1"\ntarget: judged\nbindings:\n  - ${JSON.stringify(row)}\n`;
  const read = readBindings({ path: 'the command line', text });
  return { row: read.value.rows[0], diagnostics: read.diagnostics };
}

/** The files of pv itself that the kernel's bundle holds, unless the kernel is one of them. */
export async function importedFromJudge(session: Session, { file, name }: JudgedContract): Promise<readonly string[]> {
  const { host, packageRoot } = session;
  const isOwn = (path: string): boolean =>
    (path.startsWith(join(packageRoot, '/')) && !path.startsWith(join(packageRoot, 'node_modules/'))) ||
    path.includes('/provable-contracts/');
  if (isOwn(file)) return [];
  const text = await host.readText(file);
  if (!text.ok) return [];
  const files = await bundledFiles({ path: basename(file), text: text.value }, name, dirname(file));
  return files.filter((path) => isOwn(path) && !path.includes('/test/'));
}
