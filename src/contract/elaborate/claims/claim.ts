/** From claims to goals: which inputs they are about, which kernels they run, what must hold. */
import { boolean, conjunction, reduce } from '../../../math/term/build.ts';
import type { Domain } from '../../../math/domain.ts';
import { soleExpression } from '../../../math/notation/sole-expression.ts';
import type { Binder, Expression } from '../../../math/notation/syntax.ts';
import { isRunTimeName } from '../../../math/term/sequences.ts';
import type { Term } from '../../../math/term/term.ts';
import { freeVariables, functionsIn } from '../../../math/term/traverse.ts';
import { isNumeric } from '../../../math/term/types.ts';
import type { FormalText, Semantics, StatisticalMethod, Tolerance } from '../../contract.ts';
import type { Application, AppliedEquation, EquationModel, StatisticalComparison } from '../../goal.ts';
import { withBareTolerance } from './bare-tolerance.ts';
import { closeIndex, indexScope, openIndex } from '../operators/binders.ts';
import { claimState } from '../context/claim-state.ts';
import { fail, giveUp, reading, type Context, type Problem } from '../context/context.ts';
import { unbound } from '../domains/definition-heads.ts';
import { extendDomain } from '../domains/domain.ts';
import {
  addDefinition,
  addMissing,
  emptyDraft,
  finishDomain,
  includeDomain,
  type DomainDraft,
} from '../inputs/domain-draft.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import { helpersAside } from '../equations/executed-parts.ts';
import { closeBinders, isolated, openFrame } from '../context/frames.ts';
import { checkLedger } from '../context/ledger.ts';
import { definedTwice, distinctNames } from '../expressions/rivals.ts';
import { newContext } from '../expressions/new-context.ts';
import { keepHelpers, ofEquations } from '../domains/new-names.ts';
import { refuseUncovered } from '../domains/open-cases.ts';
import { declareFreeArguments } from './free-arguments.ts';
import { refuseAfterReduction } from './index-after-reduction.ts';
import { innermost, type OpenStatement } from './open-statement.ts';
import { withoutOwnArguments } from './own-arguments.ts';
import { premisesAsBounds, quantifiedInputs, withoutEqualities } from './quantified-inputs.ts';
import { withRowCalls } from './row-calls.ts';
import { withListedConditions } from './listed-conditions.ts';
import { countAsFormula } from '../operators/from-one.ts';
import { machineIntegers } from '../operators/machine-quotient.ts';
import { constants, isBuiltinWord } from '../operators/builtins.ts';
import { truth } from '../operators/reductions.ts';
import { resolveName } from '../context/names.ts';
import { childScope, lookup, type Scope } from '../context/scope.ts';
import { symbolReadings } from './shared-symbols.ts';
import { statisticalComparisons } from './statistics.ts';
import { stepLetters, withStates } from '../domains/step-names.ts';
import { checkReads } from '../equations/stray-reads.ts';
import { withPairSums } from './pair-sums.ts';
import { noteShares } from '../inputs/structures.ts';
import {
  freeIndices,
  mentions,
  mentionsElement,
  namesOf,
  statementParts,
  textMentions,
} from '../context/syntax-parts.ts';

/** The parts of a claim that its elaboration reads. */
export interface ClaimSource {
  readonly formal: FormalText;
  readonly requires: readonly FormalText[];
  readonly tolerance: Tolerance | null;
  readonly semantics: Semantics;
  readonly statistical: StatisticalMethod | null;
  readonly runsApart: boolean;
  /** The equation in `applies_to`, if it names one. */
  readonly appliesTo: string | null;
  /** Whether conditions may narrow the domain instead of filtering: not when the inputs are given. */
  readonly narrows: boolean;
  /** Whether the claim gives its inputs. */
  readonly given: boolean;
}

/** An elaborated claim: a predicate over a domain and the outputs of applications. */
export interface ClaimModel {
  readonly domain: Domain;
  readonly applications: readonly Application[];
  /** The equations that are applied, each once. */
  readonly equations: readonly AppliedEquation[];
  /** `true` in a statistical claim. */
  readonly predicate: Term;
  /** For a statistical claim; else []. */
  readonly comparisons: readonly StatisticalComparison[];
}

/** The model, or the problem that prevents it, with the state that later steps read. */
export interface ElaboratedClaim {
  readonly model: ClaimModel | null;
  readonly problem: Problem | null;
  readonly remarks: readonly Problem[];
  /** The draft, for reading given inputs against it. */
  readonly draft: DomainDraft;
  readonly ctx: Context;
}

/** Elaborates one claim over the equations of its contract; `globals` are the names of all equations. */
export function elaborateClaim(
  source: ClaimSource,
  equations: readonly ElaboratedEquation[],
  globals: Scope,
): ElaboratedClaim {
  const readings = symbolReadings([source.formal, ...source.requires], equations, globals);
  const tried = readings.map((one) => ({ ...one, ...elaborateReading(source, one.equations, one.globals) }));
  const ofIts = tried.find(({ meant, model }) => model !== null && meant.name === source.appliesTo);
  const fitting = tried.filter(({ meant, model }) => model !== null || meant.model() === null);
  const named = fitting.filter(({ meant, model }) => model !== null && declaresAll(meant.model(), model.domain));
  const possible = ofIts ? [ofIts] : named.length === 1 ? named : fitting;
  const [only, more] = possible;
  if (only === undefined) return elaborateReading(source, equations, globals);
  if (!more) return only;
  const { ctx } = only;
  const names = possible.map(({ meant }) => meant.name).join(' and ');
  giveUp(ctx, { start: 0, end: source.formal.text.length }, definedTwice(names), distinctNames);
  return { ...only, model: null, problem: ctx.problem };
}

/** Whether the inputs of the claim are inputs of the equation, by their names. */
function declaresAll(model: EquationModel | null, { variables }: Domain): boolean {
  return variables.every(({ name }) => model?.domain.variables.some((one) => one.name === name) === true);
}

/** The claim where each symbol means one equation. */
function elaborateReading(
  source: ClaimSource,
  equations: readonly ElaboratedEquation[],
  globals: Scope,
): ElaboratedClaim {
  const ctx = newContext(source.formal, [], claimState(source));
  const names = childScope(globals, tolerancePairs);
  const draft = emptyDraft(names);
  const model = build(ctx, draft, names, source, equations);
  return { model: ctx.problem ? null : model, problem: ctx.problem, remarks: ctx.remarks, draft, ctx };
}

/** Names that mean the tolerance, unless an input has that name. */
export const toleranceNames = ['ε', 'eps', 'epsilon', 'tol', 'tolerance'] as const;

const tolerancePairs = toleranceNames.map((name) => [name, { kind: 'tolerance' }] as const);

function build(
  ctx: Context,
  draft: DomainDraft,
  names: Scope,
  written: ClaimSource,
  equations: readonly ElaboratedEquation[],
): ClaimModel | null {
  const primary = gatherDomains(ctx, draft, written, equations, names);
  const letters = stepLetters(draft.inputs.keys());
  const isInput = (name: string): boolean => draft.inputs.has(name) || draft.sizes.has(name);
  const known = (text: FormalText): FormalText =>
    withPairSums(withRowCalls(withStates(withoutOwnArguments(text, equations), letters), equations), draft.scope);
  const formal = withListedConditions(known(written.formal), isInput);
  const source = {
    ...written,
    formal: withBareTolerance(formal, written.tolerance, toleranceNames, isInput),
    requires: written.requires.map(known),
  };
  if (ctx.problem) return null;
  ctx.machine = machineIntegers(draft.inputs.values(), false);
  for (const model of primary) countAsFormula(ctx, [written.formal, source.formal, ...source.requires], model);
  extendDomain(ctx, draft, source.requires);
  draft.implicitInputs = false;
  declareFreeArguments(draft, source.formal);
  const statements = openStatements(ctx, draft, source);
  if (ctx.problem) return null;
  for (const name of [...draft.sizes.keys(), ...draft.inputs.keys()]) ctx.fresh(name);
  for (const size of draft.sizes.values()) if (size.definition) ctx.sizeDefinitions.set(size.name, size.definition);
  if (ctx.claim) ctx.claim.per = perTerm(ctx, draft, source.tolerance);
  const comparisons =
    source.semantics === 'statistical' ? statisticalComparisons(ctx, draft, statements, source.statistical) : [];
  const predicate = source.semantics === 'statistical' ? boolean(true) : predicateOf(ctx, draft, statements, source);
  refuseUncovered(ctx);
  const helpers = [...draft.definitions.values()].filter(({ text }) => text.span === source.formal.span);
  checkLedger(ctx, [source.formal, ...source.requires], helpersAside(ctx, helpers, []));
  if (ctx.problem) return null;
  const applications = ctx.claim?.applications ?? [];
  const terms = [predicate, ...comparisons.flatMap(termsOf)];
  checkClosed(ctx, draft, terms, source);
  noteShares(ctx, draft, source.formal);
  const domain = pruned(draft, terms, applications, primary);
  // Explicit inputs of a test are not drawn from the domain.
  if (!source.given) checkReads(ctx, [...terms, ...applications.flatMap((one) => one.arguments)], domain);
  const applied = [...(ctx.claim?.models ?? [])].map(([name, model]) => ({ name, model }));
  return { domain, applications, equations: applied, predicate, comparisons };
}

function termsOf({ sample, target, allowed }: StatisticalComparison): readonly Term[] {
  return [sample, target, ...(allowed ? [allowed] : [])];
}

function predicateOf(
  ctx: Context,
  draft: DomainDraft,
  statements: readonly OpenStatement[],
  source: ClaimSource,
): Term {
  const predicate = isolated(ctx, () =>
    conjunction(statements.map((statement) => statementTerm(ctx, draft, statement))),
  );
  if (!ctx.problem && ctx.claim?.asksShapes !== true && predicate.kind === 'boolean' && predicate.value) {
    fail(
      ctx,
      'PV-4013',
      { start: 0, end: source.formal.text.length },
      'this holds for all inputs, so nothing could make it fail',
    );
  }
  return predicate;
}

/**
 * The inputs of the equations that the claim mentions, and from other equations only inputs that are still missing, except
 * names that an equation computes and the claim's ε. Returns the names of the preconditions' equations: the ones that the claim
 * is about.
 */
function gatherDomains(
  ctx: Context,
  draft: DomainDraft,
  source: ClaimSource,
  equations: readonly ElaboratedEquation[],
  names: Scope,
): ReadonlySet<EquationModel> {
  const texts = [source.formal, ...source.requires];
  const named = equations.filter(
    (one) => one.equation.name === source.appliesTo || texts.some((text) => mentionsEquation(text, one)),
  );
  const foreign = foreignModels(texts, equations, names);
  const models = named.flatMap((one) => (one.model ? [one.model] : []));
  // The parts of a composition take what the composed equation passes them; their own inputs are unrelated.
  const primary = new Set(models.length > 0 ? models : foreign);
  const only = primary.size === 0 && equations.length === 1 ? equations[0]?.model : null;
  if (only) primary.add(only);
  for (const model of primary) {
    const [conflict] = includeDomain(draft, model.domain);
    if (conflict !== undefined)
      fail(
        ctx,
        'PV-4009',
        { start: 0, end: source.formal.text.length },
        `${conflict} is declared differently by the equations of this claim`,
        'give the inputs different names, or state two claims',
      );
  }
  // The e of `y = e^x` is not the e that another equation declares.
  const isConstant = (name: string): boolean => {
    const fn = constants.get(name);
    return fn !== undefined && models.some(({ body }) => functionsIn(body).has(fn));
  };
  const isTaken = (name: string): boolean =>
    isConstant(name) ||
    equations.some(({ symbol }) => symbol !== null && (symbol === name || name.replace(/_\p{L}$/u, '') === symbol)) ||
    (source.tolerance !== null && tolerancePairs.some(([tolerance]) => tolerance === name));
  const own = new Set([...boundIn(texts), ...indicesIn(texts)]);
  // `n = 28` of one equation says what n is, unless the claim is about a tensor of that size.
  const fixed = new Set(equations.flatMap((one) => [...one.definitions.keys()]));
  const isAside = ({ domain: { sizes, variables }, unread }: EquationModel): boolean =>
    unread !== undefined && sizes.some(({ name }) => fixed.has(name)) && !variables.some(({ name }) => isWritten(name));
  const isWritten = (name: string): boolean => texts.some((text) => textMentions(text, (one) => one === name));
  for (const { model } of equations)
    if (model && !primary.has(model) && !isAside(model))
      addMissing(draft, model.domain, (name) => isTaken(name) || (model.unread !== undefined && own.has(name)));
  for (const model of foreign) if (!primary.has(model)) addMissing(draft, model.domain);
  for (const one of [...named, ...equations]) {
    for (const [name, definition] of one.definitions)
      if (lookup(draft.scope, name) === null) addDefinition(draft, definition);
  }
  return primary;
}

/** t of `for t ≥ 1`, of which the claim itself says what it is. */
export function boundIn(texts: readonly FormalText[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap(({ notation }) => notation.statements.flatMap(({ binders }) => binders.map(({ name }) => name))),
  );
}

/** t of `v_t`, which is not the input t of an equation that is understood in part. */
const indicesIn = (texts: readonly FormalText[]): readonly string[] =>
  texts
    .flatMap(statementParts)
    .flatMap(namesOf)
    .flatMap((name) => /_(\p{L})$/u.exec(name)?.[1] ?? []);

function mentionsEquation(text: FormalText, one: ElaboratedEquation): boolean {
  const symbol = one.symbol?.replace(/²$/u, '') ?? null;
  const stems = [one.equation.name, ...(symbol === null ? [] : [symbol]), ...one.definitions.keys()];
  return stems.some((stem) => mentionsElement(text, stem));
}

/** Models of other contracts that the claim mentions. */
function foreignModels(
  texts: readonly FormalText[],
  equations: readonly ElaboratedEquation[],
  names: Scope,
): readonly EquationModel[] {
  const own = new Set(equations.map((one) => one.equation.name));
  const found = new Set<EquationModel>();
  for (const text of texts) {
    textMentions(text, (name) => {
      const entry = lookup(names, name);
      const model = entry?.kind === 'equation' && !own.has(entry.name) ? entry.model() : null;
      if (model) found.add(model);
      return false;
    });
  }
  return [...found];
}

function openStatements(ctx: Context, draft: DomainDraft, source: ClaimSource): readonly OpenStatement[] {
  const { statements } = source.formal.notation;
  const how = { text: source.formal, keeps: ofEquations(draft) };
  return statements.map((written) => {
    const naming = written.conditions.filter((one) => definesIn(written.body, one, draft.scope));
    const said = keepHelpers(ctx, draft, [...written.definitions, ...naming].map(unbound), how);
    const others = written.conditions.filter((one) => !naming.includes(one));
    const statement = { ...written, conditions: [...others, ...said] };
    const isShared = (binder: Binder): boolean =>
      statements.every(({ binders }) => binders.some(({ range }) => range.start === binder.range.start));
    const opened = quantifiedInputs(ctx, draft, statement, isShared);
    const mayNarrow = source.narrows && statements.length === 1;
    const body = mayNarrow ? withoutEqualities(ctx, draft, opened.body) : opened.body;
    const conditions = mayNarrow ? premisesAsBounds(ctx, draft, opened.conditions, body) : opened.conditions;
    return innermost(ctx, draft.scope, { statement: { ...statement, binders: opened.binders }, body, conditions });
  });
}

/** `f(x) = x·W′ when W′ = W`, where nothing declares W′: the condition defines it. */
function definesIn(body: Expression, condition: Expression, scope: Scope): boolean {
  const isEquation = condition.kind === 'relation' && condition.operators.join(' ') === '=';
  const [left, right] = isEquation ? condition.operands : [];
  if (left?.kind !== 'name' || !right || isBuiltinWord(left.text) || resolveName(left, scope) !== null) return false;
  return (
    mentions(body, (name) => name === left.text) &&
    !freeIndices(body, scope).includes(left.text) &&
    namesOf(right).length > 0 &&
    namesOf(right).every((text) => resolveName({ ...left, text }, scope) !== null)
  );
}

/** `conditions ⟹ body` for all values of the free indices. */
function statementTerm(ctx: Context, draft: DomainDraft, { statement, body, conditions }: OpenStatement): Term {
  const { range } = statement;
  const implied = conditions.reduceRight<Expression>(
    (inner, premise) => ({ kind: 'logic', operator: '⟹', left: premise, right: inner, range }),
    body,
  );
  const whole: Expression =
    statement.binders.length === 0
      ? implied
      : { kind: 'quantified', quantifier: 'forall', binders: statement.binders, body: implied, range };
  const free = freeIndices(whole, draft.scope);
  refuseAfterReduction(ctx, draft.scope, whole, free);
  const indices = free.map((written) => openIndex(ctx, { written, from: null, to: null, range }));
  const frame = openFrame(
    'binder',
    indices.map((index) => index.name),
  );
  ctx.frames.push(frame);
  const term = truth(ctx, ctx.elaborate(whole, indexScope(draft.scope, indices)), range);
  ctx.frames.pop();
  const binders = indices.map((index) => closeIndex(ctx, index));
  return reduce('all', binders, closeBinders(ctx, frame, binders, term));
}

function perTerm(ctx: Context, draft: DomainDraft, tolerance: Tolerance | null): Term | null {
  const per = tolerance?.per ?? null;
  if (per === null) return null;
  const body = soleExpression(per.notation);
  return reading(ctx, per, () => {
    const range = { start: 0, end: per.text.length };
    const term = isolated(ctx, () => {
      const value = body ? ctx.elaborate(body, draft.scope) : null;
      return value?.kind === 'scalar' ? value.term : boolean(false);
    });
    const overSizes = isNumeric(term.type) && [...freeVariables(term)].every((name) => draft.sizes.has(name));
    if (!overSizes) fail(ctx, 'PV-4012', range, 'per is a size or an expression over sizes', 'e.g. per: n');
    return term;
  });
}

function checkClosed(ctx: Context, draft: DomainDraft, own: readonly Term[], source: ClaimSource): void {
  const known = (name: string): boolean =>
    draft.sizes.has(name) || draft.inputs.has(name) || name.startsWith('out:') || isRunTimeName(name);
  const terms = [...own, ...(ctx.claim?.applications ?? []).flatMap((a) => [...a.arguments, ...a.sizes])];
  const stray = terms.flatMap((term) => [...freeVariables(term)]).find((name) => !known(name));
  if (stray !== undefined)
    giveUp(
      ctx,
      { start: 0, end: source.formal.text.length },
      `the size of a part depends on the index ${stray}`,
      'bound the index explicitly: Σ_{j≤i}',
    );
}

/** The domain without inputs and sizes that play no part in the claim. */
function pruned(
  draft: DomainDraft,
  terms: readonly Term[],
  applications: readonly Application[],
  primary: ReadonlySet<EquationModel>,
): Domain {
  const full = finishDomain(draft);
  const used = new Set<string>();
  const add = (term: Term): void => {
    for (const name of freeVariables(term)) used.add(name);
  };
  terms.forEach(add);
  for (const application of applications) {
    [...application.arguments, ...application.sizes].forEach(add);
    if (application.type.kind === 'tensor') application.type.shape.forEach(add);
  }
  const own = new Set([...primary].flatMap((model) => model.domain.preconditions));
  const foreign = new Set(full.preconditions.filter((p) => !own.has(p)));
  let preconditions: readonly Term[] = [];
  // Preconditions, bounds, shapes and derived sizes add what they mention, until nothing new appears.
  for (let before = -1; before !== used.size;) {
    before = used.size;
    preconditions = full.preconditions.filter(
      (p) => foreign.has(p) || [...freeVariables(p)].some((name) => used.has(name)),
    );
    preconditions.forEach(add);
    for (const input of full.variables) {
      if (!used.has(input.name)) continue;
      [
        ...input.shape,
        ...(input.lower ? [input.lower.value] : []),
        ...(input.upper ? [input.upper.value] : []),
        ...(input.choices ?? []),
        ...input.excluded,
      ].forEach(add);
    }
    for (const size of full.sizes) if (used.has(size.name) && size.definition) add(size.definition);
  }
  return {
    sizes: full.sizes.filter((size) => used.has(size.name)),
    variables: full.variables.filter((input) => used.has(input.name)),
    preconditions,
  };
}
