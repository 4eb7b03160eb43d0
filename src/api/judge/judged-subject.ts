/** The kernel of a judgement, bound to its equation: from a file that may be anywhere. */
import { basename, dirname, join, resolve } from 'node:path';
import { defaultAccuracy, inAccuracyClass, type AccuracyClass } from '../../contract/accuracy.ts';
import type { Contract } from '../../contract/contract.ts';
import { contractId } from '../../contract/decode.ts';
import { elaborateAll } from '../../audit/elaborate-all.ts';
import { listOf, quoted } from '../../base/text.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { ElaboratedContract, EquationModel } from '../../contract/goal.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { BoundSubject } from '../../subject/bound-subject.ts';
import type { BindingRow } from '../../subject/binding.ts';
import { bundledFiles } from '../../subject/function-program.ts';
import { isShader } from '../../subject/open-module.ts';
import { readBindings } from '../../subject/read-bindings.ts';
import { resolveBindings } from '../../subject/resolve.ts';
import { readWithDependencies, shownPath } from '../project-files.ts';
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
  /** A binding file, whose row of the equation says how the kernel is called; absent: as its signature or its variables say. */
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
  /** The file of the kernel, absolute, and the name that it exports. */
  readonly file: string;
  readonly name: string;
}

const camel = (name: string): string => name.replace(/_+(\w)/gu, (_, letter: string) => letter.toUpperCase());

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
  const exported = [model.name, camel(model.name), ...(isShader(file) ? ['main'] : [])].find((name) =>
    new RegExp(`\\b${name}\\b`, 'u').test(text.value),
  );
  const given = await givenRow(session, asked.binding, contract.contract.id, model.name);
  if (!given.ok) return given;
  const name = named ?? given.value?.functionName?.value ?? exported ?? model.name;
  return ok({ read: read.contracts, accuracy, all, contract, model, given: given.value, file: absolute, name });
}

async function givenRow(
  { host, show }: Session,
  binding: string | undefined,
  contract: string,
  equation: string,
): Promise<Result<BindingRow | null, string>> {
  if (binding === undefined) return ok(null);
  const text = await host.readText(resolve(host.root, binding));
  if (!text.ok) return err(`${binding} ${text.error.message}`);
  const read = readBindings({ path: binding, text: text.value });
  await show(read.diagnostics);
  const row = read.value.rows.find((one) => one.contract.value === contract && one.equation.value === equation);
  return row ? ok(row) : err(`${binding} has no row for the equation ${equation} of ${contract}`);
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
