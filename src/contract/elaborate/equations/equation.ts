/** An equation of a contract as a typed function, in the first reading of its texts that can be computed. */
import { quoted } from '../../../base/text.ts';
import type { Equation, FormalText } from '../../contract.ts';
import type { Context, Problem } from '../context/context.ts';
import { childScope, type Definition, type Scope } from '../context/scope.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import { elementCodomain } from '../domains/element-codomain.ts';
import { shapeCodomain, withShapeLists } from '../domains/shape-lists.ts';
import { withSimplices } from '../domains/simplices.ts';
import { declaredLetters, stepEntries } from '../domains/step-names.ts';
import { modelOf } from './equation-model.ts';
import {
  asFarAsRead,
  assumeMore,
  assumeNumbers,
  explainedFormula,
  firstAssumptions,
  noAssumptions,
  onlyLeavesOut,
  openDomain,
  takenFrom,
  unreadOf,
  type Assumptions,
} from './open-domain.ts';
import { withCounts } from './bounded-counts.ts';
import { isAboutComplex } from './complex-numbers.ts';
import { withComponents } from './component-names.ts';
import { withGradients } from './gradient-names.ts';
import { withLawInputs } from './law-formula.ts';
import { onlyExcludes } from './only-excludes.ts';
import { withLabels } from './label-domain.ts';
import type { OtherReading } from './other-reading.ts';
import { otherReadings } from './other-readings.ts';
import { withNamedMeans } from './named-means.ts';
import { withDeclarations, withSteps } from './rearranged-equation.ts';
import { withDefaultCase } from './default-case.ts';
import { withParity } from './parity-cases.ts';
import { withRows } from './row-domain.ts';
import { withVectorLengths } from './vector-lengths.ts';
import { withSequences } from './sequence-domain.ts';
import { symbolOf } from './symbol-of.ts';
import { newContext } from '../expressions/new-context.ts';
import { emptyDraft } from '../inputs/domain-draft.ts';
import type { EquationModel } from '../../goal.ts';

/** An equation with its model, or with the problem that prevents one. */
export interface ElaboratedEquation {
  readonly equation: Equation;
  /** The symbol on the left side, also when there is no model; null if there is none to read. */
  readonly symbol: string | null;
  readonly model: EquationModel | null;
  /** Helpers, which claims may use. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly problem: Problem | null;
  readonly remarks: readonly Problem[];
  readonly preconditions: Context['preconditions'];
}

/** The parts of a contract that an equation may refer to. */
interface Around {
  /** The domain of an equation that declares none. */
  readonly inherited: FormalText | null;
  /** The texts of claims, which may use the helpers of the equation. */
  readonly claims: readonly FormalText[];
  /** The equations with what their formulas define beside their last symbol. */
  readonly beside?: () => Scope;
  /** The other equations of the contract, whose domains may declare what this one does not. */
  readonly others?: readonly Equation[];
  /** As {@link EquationModel.unread}, of an equation that is read in another way than it is written. */
  readonly said?: string;
  /** As {@link EquationModel.widens}, of that reading. */
  readonly widens?: boolean;
  /** Letters that label what is computed, as `t` in `m_t` does where t is a number. */
  readonly letters?: readonly string[];
}

/** What of an equation is read. */
interface Reading {
  readonly assumptions: Assumptions;
  /** The domain if it is not read to its end. */
  readonly domain: FormalText | null;
  /** As {@link EquationModel.unread}; null if all of it is understood. */
  readonly unread: string | null;
  readonly widens: boolean;
}

const alone: Around = { inherited: null, claims: [] };
const whole: Reading = { assumptions: noAssumptions, domain: null, unread: null, widens: true };

/**
 * Elaborates `equation`; names that it does not declare are looked up in `globals`. A domain that is notation only in part is used
 * as far as it is read, if the formula can then be computed.
 */
export function elaborateEquation(written: Equation, globals: Scope, around: Around = alone): ElaboratedEquation {
  const plain = withNamedMeans(withVectorLengths(withGradients(withParity(withDefaultCase(withComponents(written))))));
  const named = withRows(withSequences(plain));
  const known = withCounts(named, around.others ?? []);
  const result = { ...elaborateReadings(known, globals, around), equation: written };
  const { preconditions } = known;
  if (result.model !== null || preconditions.length === 0 || isMisspelt(known, result.problem)) return result;
  const withOnly = (kept: readonly FormalText[], said = around.said): ElaboratedEquation =>
    elaborateReadings({ ...known, preconditions: kept }, globals, {
      ...around,
      ...(said === undefined ? {} : { said }),
    });
  if (withOnly([]).model === null) return result;
  const tried = preconditions.length > mostTried ? [] : preconditions;
  const kept = tried.reduce<readonly FormalText[]>((list, one) => {
    const more = [...list, one];
    return withOnly(more).model === null ? list : more;
  }, []);
  const stray = preconditions.find((one) => !kept.includes(one) && !saysLittle.test(one.text));
  const without = withOnly(kept, stray ? `pv does not understand ${quoted(stray.text)}` : around.said);
  return without.model === null ? result : { ...without, equation: written, problem: result.problem };
}

/** Of more preconditions, none is kept: each that is tried elaborates the equation again. */
const mostTried = 64;

/** `a.len() > 0` of an implementation may have names that are not those of the equation, but not near misses of them. */
function isMisspelt({ preconditions }: Equation, problem: Problem | null): boolean {
  return (
    problem?.hint?.startsWith('did you mean') === true && preconditions.some(({ span }) => span === problem.text.span)
  );
}

/** Sizes are at least 1 and inputs finite in any case. */
const saysLittle = /\.is_empty\(\)$|is_finite\(\)\)?$|\.len\(\)\s*(?:>\s*0|>=\s*1)$/u;

function elaborateReadings(known: Equation, globals: Scope, around: Around): ElaboratedEquation {
  if (isAboutComplex(known, around.others ?? [])) return elaborateComplex(known, globals, around);
  const result = elaborateShaped(known, globals, around);
  if (result.model !== null) return result;
  for (const reading of otherReadings(known, result.problem, globals, around.others)) {
    const again = elaborateDeclared(reading.equation, globals, { ...around, ...labelled(reading) });
    if (again.model !== null) return { ...again, problem: reading.isClear === true ? again.problem : result.problem };
  }
  return result;
}

/** Only as it is written: nothing is assumed of what may be a complex number. */
function elaborateComplex(known: Equation, globals: Scope, around: Around): ElaboratedEquation {
  const plain = elaborateAsRead(known, globals, around, whole);
  const { formula } = known;
  const range = { start: 0, end: formula.text.length };
  const message = 'pv does not compute with complex numbers';
  return plain.model === null
    ? { ...plain, problem: { kind: 'blocked', code: 'PV-4020', message, hint: null, text: formula, range } }
    : plain;
}

/** With a codomain such as `[d_out, seq]` as a shape, unless the formula computes a number, which lies between the two. */
function elaborateShaped(known: Equation, globals: Scope, around: Around): ElaboratedEquation {
  const codomain = shapeCodomain(known);
  const result = elaborateDeclared(codomain ? { ...known, codomain } : known, globals, around);
  const ofElements = result.problem?.code === 'PV-4016' ? elementCodomain(known) : null;
  const each = ofElements && elaborateDeclared({ ...known, ...ofElements }, globals, around);
  if (each?.model) return each;
  if (codomain === null || result.problem?.code !== 'PV-4016') return result;
  const plain = elaborateDeclared(known, globals, around);
  return plain.model !== null && plain.model.result.kind !== 'tensor' ? plain : result;
}

function elaborateDeclared(declared: Equation, globals: Scope, around: Around): ElaboratedEquation {
  const { others = [] } = around;
  const written = { ...declared, domain: declared.domain && withSimplices(withShapeLists(declared.domain)) };
  const explained = explainedFormula(written);
  const said = explained?.unread ?? null;
  const known = explained?.equation ?? written;
  const domain = known.formula.notation.status === 'math' ? openDomain(known) : null;
  const first = startOf(known, domain, explained !== null);
  if (first === null) return elaborateInPart(written, globals, around);
  let problem: Problem | null = null;
  for (let assumptions: Assumptions | null = first; assumptions !== null;) {
    const unread = said ?? (domain && unreadOf(domain, assumptions));
    const widens = said === null && mayWiden(assumptions, domain, known);
    const equation = domain ? asFarAsRead(known, domain, assumptions) : known;
    const result = elaborateAsRead(equation, globals, around, { assumptions, domain, unread, widens });
    if (result.model !== null) return { ...result, equation: written };
    ({ problem } = result);
    assumptions = domain && result.problem && assumeMore(known, domain, result.problem, assumptions, others);
  }
  const other =
    asLabelled(written, withLabels(known, problem), globals, around) ??
    withOpenNumbers(explained, domain, globals, around);
  return { ...(other ?? elaborateAsRead(written, globals, around, whole)), equation: written };
}

/** `C = α·A·B where A is symmetric`, where nothing declares α either; null if that does not make it one that can be computed. */
function withOpenNumbers(
  explained: ReturnType<typeof explainedFormula>,
  domain: FormalText | null,
  globals: Scope,
  around: Around,
): ElaboratedEquation | null {
  if (explained === null || domain !== null) return null;
  const { equation, unread } = explained;
  const said = unread === null ? {} : { said: unread, widens: false };
  const open = elaborateInPart(equation, globals, { ...around, ...said });
  return open.model === null ? null : open;
}

/** What is assumed first of an equation that is read in part; null of any other. */
function startOf(known: Equation, domain: FormalText | null, isExplained: boolean): Assumptions | null {
  if (domain) return firstAssumptions(known);
  return isExplained ? noAssumptions : null;
}

function asLabelled(
  written: Equation,
  labels: OtherReading | null,
  globals: Scope,
  around: Around,
): ElaboratedEquation | null {
  const again = labels && elaborateDeclared(labels.equation, globals, { ...around, ...labelled(labels) });
  return again?.model ? { ...again, equation: written } : null;
}

/** What a reading says of an equation. */
const labelled = ({ said, widens, letters }: OtherReading): Pick<Around, 'said' | 'widens' | 'letters'> => ({
  ...(said === null ? {} : { said, widens }),
  ...(letters ? { letters } : {}),
});

/**
 * An equation of which some names are declared nowhere can still be computed if these are numbers, and one that also says what defines
 * nothing; the problem remains. Not if a name is a near miss of a known one.
 */
function elaborateInPart(written: Equation, globals: Scope, around: Around): ElaboratedEquation {
  const plain = elaborateAsRead(written, globals, around, whole);
  const { problem } = plain;
  const { domain } = written;
  const first = firstAssumptions(written);
  const isOpen = problem?.code === 'PV-4001' || problem?.code === 'PV-4023';
  if (plain.model !== null || domain === null || !problem || !(isOpen || first.numbers.length > 0)) return plain;
  const known = around.beside && elaborateAsRead(written, around.beside(), around, whole);
  if (known?.model) return known;
  if (problem.hint?.startsWith('did you mean') === true || isOnTheLeft(problem, written)) return plain;
  const unread = problem.code === 'PV-4001' ? `it is assumed to be about numbers: ${problem.message}` : problem.message;
  const start = isOpen ? assumeMore(written, domain, problem, first, around.others ?? []) : first;
  const result = elaborateAssuming({ equation: written, domain, unread }, start, globals, around);
  return result ? { ...result, equation: written, problem } : plain;
}

/** The equation under the first assumptions from `start` on under which it can be computed. */
function elaborateAssuming(
  { equation, domain, unread }: { readonly equation: Equation; readonly domain: FormalText; readonly unread: string },
  start: Assumptions | null,
  globals: Scope,
  around: Around,
): ElaboratedEquation | null {
  for (let assumptions = start; assumptions !== null;) {
    const { borrowed } = assumptions;
    const said = borrowed.length > 0 && onlyLeavesOut(assumptions) ? `it ${takenFrom(borrowed)}` : unread;
    const read: Reading = { assumptions, domain, unread: said, widens: mayWiden(assumptions, domain, equation) };
    const result = elaborateAsRead(asFarAsRead(equation, domain, assumptions), globals, around, read);
    if (result.model !== null) return result;
    assumptions = result.problem && assumeMore(equation, domain, result.problem, assumptions, around.others ?? []);
  }
  return null;
}

/** Whether what is left out can only make the domain wider than its author means. */
function mayWiden(assumptions: Assumptions, domain: FormalText | null, { formula }: Equation): boolean {
  return onlyLeavesOut(assumptions) && (domain === null || onlyExcludes(domain, formula));
}

/** `f(z)_i = x_i`: an argument that nothing declares and nothing else mentions is misspelt. */
function isOnTheLeft({ text, range }: Problem, { formula, domain }: Equation): boolean {
  const name = text.text.slice(range.start, range.end);
  return formula.notation.statements.some(({ body }) => {
    const sides = sidesOf(body);
    const left = sides?.left.kind === 'index' ? sides.left.base : sides?.left;
    if (left?.kind !== 'call' || range.start < left.range.start || left.range.end < range.end) return false;
    return ![sides?.right, ...(domain?.notation.statements ?? []).map((one) => one.body)].some(
      (part) => part !== undefined && namesOf(part).includes(name),
    );
  });
}

function elaborateAsRead(
  written: Equation,
  globals: Scope,
  { inherited, claims, said, widens, letters: labels = [] }: Around,
  read: Reading,
): ElaboratedEquation {
  const states = declaredLetters([written.domain ?? inherited].filter((text) => text !== null));
  const letters = new Set([...states, ...labels]);
  const equation = withSteps(withDeclarations(withLawInputs(written)), letters);
  const ctx = newContext(equation.formula, [], null);
  const draft = emptyDraft(childScope(globals, stepEntries(letters)));
  if (read.domain) assumeNumbers(draft, read.domain, read.assumptions);
  draft.unread = said ?? read.unread;
  draft.widens = widens ?? read.widens;
  const model = modelOf(ctx, draft, equation, { inherited, claims });
  const symbol = model?.symbol ?? symbolOf(equation);
  return {
    equation: written,
    symbol,
    model: ctx.problem ? null : model,
    definitions: draft.definitions,
    problem: ctx.problem,
    remarks: ctx.remarks,
    preconditions: ctx.preconditions,
  };
}
