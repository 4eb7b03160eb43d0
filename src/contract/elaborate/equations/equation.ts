/** An equation of a contract as a typed function: parameters, domain, result, body. */
import type { Expression } from '../../../math/notation/syntax.ts';
import { quoted } from '../../../base/text.ts';
import { makeType } from '../../../math/term/types.ts';
import { FLOAT32, INTEGER, type ScalarType, type Term, type Type } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';
import { termKey, typeKey } from '../../../math/term/term-key.ts';
import { simplifySize } from '../../../math/term/sizes.ts';
import type { Equation, FormalText } from '../../contract.ts';
import type { EquationModel, Parameter } from '../../goal.ts';
import { equalShapes, integerTerm } from '../operators/binders.ts';
import { statementOf } from '../operators/clauses.ts';
import { fail, giveUp, reading, remark, type Context, type Problem } from '../context/context.ts';
import { declaredFunction, signatureOf, type DeclaredFunction } from '../domains/declared-function.ts';
import { definitionsOf, sidesOf, type Head } from '../domains/definition-heads.ts';
import { elaborateCases } from '../expressions/definitions.ts';
import { digestOf, domainJson, parametersJson } from './digest.ts';
import { constrain, extendDomain } from '../domains/domain.ts';
import { addDefinition, emptyDraft, finishDomain, type DomainDraft } from '../inputs/domain-draft.ts';
import { checkParts } from './executed-parts.ts';
import { refuseFixed } from '../domains/fixed-names.ts';
import { isolated } from '../context/frames.ts';
import { checkLedger, useHead } from '../context/ledger.ts';
import { newContext } from '../expressions/new-context.ts';
import { mainFormula, type Main } from './main-formula.ts';
import {
  asFarAsRead,
  assumeMore,
  assumeNumbers,
  explainedFormula,
  firstAssumptions,
  noAssumptions,
  onlyLeavesOut,
  openDomain,
  unreadOf,
  type Assumptions,
} from './open-domain.ts';
import { declaredLetters, stepEntries, withStates } from '../domains/step-names.ts';
import { excludeUncovered } from '../domains/open-cases.ts';
import { readType } from '../inputs/type-expressions.ts';
import { otherReadings } from './other-readings.ts';
import { readResultShape, type Codomain } from './result-shape.ts';
import { childScope, type Definition, type DefinitionCase, type Scope } from '../context/scope.ts';
import { checkReads } from './stray-reads.ts';
import { noteShares } from '../inputs/structures.ts';
import { withRows } from './row-domain.ts';
import { withSimplices } from '../domains/simplices.ts';
import { withSequences } from './sequence-domain.ts';
import { symbolOf } from './symbol-of.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { unknownName } from '../expressions/unknown-name.ts';
import type { Value } from '../context/value.ts';
import { scalar, shapeOfValue, valueText, wholeTerm } from '../context/values.ts';
import { call, integer, variable } from '../../../math/term/build.ts';

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
  /** As {@link EquationModel.unread}, of an equation that is read in another way than it is written. */
  readonly said?: string;
  /** As {@link EquationModel.widens}, of that reading. */
  readonly widens?: boolean;
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
  const known = withRows(withSequences(written));
  const result = { ...elaborateReadings(known, globals, around), equation: written };
  const culprit = result.model === null && strayPrecondition(known, result.problem);
  if (!culprit) return result;
  const said = saysLittle.test(culprit.text) ? {} : { said: `pv does not understand ${quoted(culprit.text)}` };
  const preconditions = written.preconditions.filter((one) => one !== culprit);
  const without = elaborateEquation({ ...written, preconditions }, globals, { ...around, ...said });
  return without.model === null ? result : { ...without, equation: written, problem: result.problem };
}

/** `!a.data().is_empty()` of an implementation whose names are not those of the equation. */
function strayPrecondition({ preconditions }: Equation, problem: Problem | null): FormalText | undefined {
  if (problem?.hint?.startsWith('did you mean') === true) return undefined;
  return preconditions.find(({ span }) => span === problem?.text.span);
}

/** Sizes are at least 1 and inputs finite in any case. */
const saysLittle = /\.is_empty\(\)$|is_finite\(\)\)?$/u;

function elaborateReadings(known: Equation, globals: Scope, around: Around): ElaboratedEquation {
  const result = elaborateDeclared(known, globals, around);
  if (result.model !== null) return result;
  for (const { equation, said, widens, isClear } of otherReadings(known, result.problem, globals)) {
    const again = elaborateDeclared(equation, globals, { ...around, ...(said === null ? {} : { said, widens }) });
    if (again.model !== null) return { ...again, problem: isClear === true ? again.problem : result.problem };
  }
  return result;
}

function elaborateDeclared(declared: Equation, globals: Scope, around: Around): ElaboratedEquation {
  const written = { ...declared, domain: declared.domain && withSimplices(declared.domain) };
  const explained = explainedFormula(written);
  const known = explained?.equation ?? written;
  const domain = known.formula.notation.status === 'math' ? openDomain(known) : null;
  const first = domain ? firstAssumptions(known) : explained && noAssumptions;
  if (first === null) return elaborateInPart(written, globals, around);
  for (let assumptions: Assumptions | null = first; assumptions !== null;) {
    const unread = explained?.unread ?? (domain && unreadOf(domain, assumptions));
    const widens = (explained?.unread ?? null) === null && onlyLeavesOut(assumptions);
    const equation = domain ? asFarAsRead(known, domain, assumptions) : known;
    const result = elaborateAsRead(equation, globals, around, { assumptions, domain, unread, widens });
    if (result.model !== null) return { ...result, equation: written };
    assumptions = domain && result.problem && assumeMore(known, domain, result.problem, assumptions);
  }
  return elaborateAsRead(written, globals, around, whole);
}

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
  const start = isOpen ? assumeMore(written, domain, problem, first) : first;
  for (let assumptions = start; assumptions !== null;) {
    const equation = asFarAsRead(written, domain, assumptions);
    const widens = onlyLeavesOut(assumptions);
    const result = elaborateAsRead(equation, globals, around, { assumptions, domain, unread, widens });
    if (result.model !== null) return { ...result, equation: written, problem };
    assumptions = result.problem && assumeMore(written, domain, result.problem, assumptions);
  }
  return plain;
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
  { inherited, claims, said, widens }: Around,
  read: Reading,
): ElaboratedEquation {
  const letters = declaredLetters([written.domain ?? inherited].filter((text) => text !== null));
  const equation = withSteps(withDeclarations(written), letters);
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

/** `y = h·W where W ∈ ℝ^{n×m}`: what the formula declares belongs to the domain. */
function withDeclarations(equation: Equation): Equation {
  const { notation } = equation.formula;
  const isDeclaration = (part: Expression): boolean => {
    const [name, set] = part.kind === 'relation' && part.operators.join('') === '∈' ? part.operands : [];
    return name?.kind === 'name' && set !== undefined && (readType(set)?.axes.length ?? 0) > 0;
  };
  const clauses = notation.statements.flatMap(({ conditions, definitions }) => [...conditions, ...definitions]);
  const declarations = clauses.filter(isDeclaration).map(statementOf);
  if (declarations.length === 0) return equation;
  const statements = notation.statements.map((statement) => ({
    ...statement,
    conditions: statement.conditions.filter((part) => !isDeclaration(part)),
    definitions: statement.definitions.filter((part) => !isDeclaration(part)),
  }));
  const formula = { ...equation.formula, notation: { ...notation, statements } };
  const declared = { ...equation.formula, notation: { ...notation, statements: declarations } };
  return { ...equation, formula, preconditions: [declared, ...equation.preconditions] };
}

/** The equation with the states of its step as names. */
function withSteps(equation: Equation, letters: ReadonlySet<string>): Equation {
  const change = (text: FormalText): FormalText => withStates(text, letters);
  return {
    ...equation,
    formula: change(equation.formula),
    domain: equation.domain && change(equation.domain),
    codomain: equation.codomain && change(equation.codomain),
    preconditions: equation.preconditions.map(change),
    invariants: equation.invariants.map(change),
  };
}

function modelOf(
  ctx: Context,
  draft: DomainDraft,
  equation: Equation,
  { inherited, claims }: Around,
): EquationModel | null {
  if (!isReadable(ctx, equation)) return null;
  const texts = [equation.domain ?? inherited, ...equation.preconditions].filter((text) => text !== null);
  const shape = readResultShape(equation, texts, draft.scope);
  extendDomain(ctx, draft, texts, shape);
  if (ctx.problem) return null;
  noteUnboundedSizes(ctx, draft, equation);
  const declared = declaredFunction(equation.formula);
  if (declared) {
    for (const { body } of equation.formula.notation.statements) useHead(ctx, body);
    const model = declaredModel(ctx, draft, equation, declared);
    checkLedger(ctx, [equation.formula, ...texts]);
    return model;
  }
  const main = mainFormula(ctx, draft, equation, shape.facts);
  if (main === null || ctx.problem) return null;
  for (const { equation: defining, text } of shape.definitions) {
    reading(ctx, text, () => {
      useHead(ctx, defining);
    });
    for (const definition of definitionsOf([{ equation: defining, binders: [] }], text, draft.scope))
      addDefinition(draft, definition);
  }
  reading(ctx, equation.formula, () => {
    refuseFixed(ctx, draft, main.equations, texts);
  });
  for (const condition of main.conditions)
    reading(ctx, equation.formula, () => constrain(ctx, draft, statementOf(condition)));
  const parameters = parametersOf(ctx, draft, main.head);
  const axesDeclared = declaredShape(ctx, draft, shape.codomain);
  if (ctx.problem) return null;
  for (const name of [...draft.sizes.keys(), ...draft.inputs.keys()]) ctx.fresh(name);
  let value: Value = scalar(integer(0));
  const body = isolated(ctx, () => {
    value = elaborateCases(ctx, main, draft.scope, { shape: axesDeclared, facts: shape.facts });
    if (value.kind === 'family') unboundedIndex(ctx, main);
    if (value.kind === 'tensor' && value.row) refuseRow(ctx, main);
    return ctx.problem
      ? integer(0)
      : wholeTerm(ctx, value, equation.formula.notation.statements[0]?.range ?? { start: 0, end: 0 });
  });
  if (ctx.problem || !isClosed(ctx, draft, body, main.cases)) return null;
  excludeUncovered(ctx, draft);
  checkCodomain(ctx, value, shape.codomain, axesDeclared, main.cases);
  const axes = (axesDeclared ?? shapeOfValue(value)).map(simplifySize);
  if (!overSizes(ctx, draft, axes, main.cases)) return null;
  draft.preconditions.push(...notEmpty(axes));
  const result = makeType(resultElement(body, shape.codomain), axes);
  const isBare = main.head.arguments === null;
  const model = finishModel(ctx, equation, draft, { symbol: main.head.name, parameters, body, result, isBare });
  checkReads(ctx, [...model.domain.preconditions, body], model.domain);
  checkParts(ctx, draft, equation, { texts, claims });
  return model;
}

/** A function with a type but no formula: its body is itself. */
function declaredModel(
  ctx: Context,
  draft: DomainDraft,
  equation: Equation,
  declared: DeclaredFunction,
): EquationModel | null {
  const signature = signatureOf(ctx, draft, declared);
  if (signature === null) return null;
  const { parameters, result } = signature;
  const body: Term = {
    kind: 'apply',
    equation: equation.name,
    arguments: parameters.map(({ name, type }) => variable(name, type)),
    sizes: [...draft.sizes.keys()].map((name) => variable(name, INTEGER)),
    type: result,
    origin: null,
  };
  return finishModel(ctx, equation, draft, { symbol: declared.symbol, parameters, body, result });
}

/** An index of the left side that is used in computed places only: `y_i = Σ_j w_j · x_{i+j}`. */
function unboundedIndex(ctx: Context, { head, cases }: Main): void {
  const index = head.indices.find((one) => one.kind === 'name');
  const written = index?.kind === 'name' ? index.text : 'i';
  fail(
    ctx,
    'PV-4006',
    index?.range ?? cases[0]?.range ?? { start: 0, end: 0 },
    `nothing says how far the index ${written} of ${head.name} runs`,
    `say it in the codomain, ${head.name} ∈ F32^m with m = …, or write 0 ≤ ${written} < m`,
  );
}

/** `f(x) = x^T` of a vector: a kernel returns vectors and matrices. */
function refuseRow(ctx: Context, { head, cases }: Main): void {
  const range = cases[0]?.body.range ?? { start: 0, end: 0 };
  fail(ctx, 'PV-4007', range, `${head.name} is a row here`, 'leave out the ^T: a vector is written without it');
}

/** Kernels get the shape of their result before they run, so it depends only on sizes. */
function overSizes(
  ctx: Context,
  draft: DomainDraft,
  shape: readonly Term[],
  cases: readonly DefinitionCase[],
): boolean {
  const stray = shape.flatMap((axis) => [...freeVariables(axis)]).find((name) => !draft.sizes.has(name));
  if (stray === undefined) return true;
  fail(
    ctx,
    'PV-4006',
    cases[0]?.range ?? { start: 0, end: 0 },
    `the size of the result depends on ${stray}, which is not a size`,
    `declare ${stray} as a whole number that is not negative: ${stray} ∈ ℕ`,
  );
  return false;
}

/** `n - k + 1 ≥ 1`: a result has elements, whatever sizes are drawn. */
function notEmpty(shape: readonly Term[]): readonly Term[] {
  return shape.filter(mayVanish).map((axis) => call('greater-equal', axis, integer(1)));
}

function mayVanish(axis: Term): boolean {
  if (axis.kind !== 'call') return false;
  return axis.fn === 'subtract' || axis.fn === 'negate' || axis.fn === 'floor-divide' || axis.arguments.some(mayVanish);
}

/** Only a text that is notation to its end defines anything. */
function isReadable(ctx: Context, equation: Equation): boolean {
  const parts = [
    ['formula', equation.formula],
    ['domain', equation.domain],
  ] as const;
  for (const [what, text] of parts) {
    if (text === null || text.notation.status === 'math') continue;
    ctx.problem = {
      kind: 'blocked',
      code: 'PV-4020',
      message: `its ${what} is ${text.notation.status === 'prose' ? 'prose' : 'notation only in part'}`,
      hint: null,
      text,
      range: { start: 0, end: text.text.length },
    };
    return false;
  }
  return true;
}

function noteUnboundedSizes(ctx: Context, draft: DomainDraft, equation: Equation): void {
  const open = [...draft.sizes.values()]
    .filter((size) => size.maximum === null && size.definition === null)
    .map((size) => size.name);
  const { domain } = equation;
  if (open.length === 0 || domain === null) return;
  reading(ctx, domain, () => {
    remark(
      ctx,
      'PV-4018',
      { start: 0, end: domain.text.length },
      `${open.join(', ')} ${open.length === 1 ? 'has' : 'have'} no upper bound; pv tests sizes up to 64`,
      `say how far the claim goes: 1 ≤ ${open[0] ?? 'n'} ≤ 512`,
    );
  });
}

/** The written arguments, then every other input in the order of the domain. */
function parametersOf(ctx: Context, draft: DomainDraft, head: Head): readonly Parameter[] {
  const written: string[] = [];
  for (const argument of head.arguments ?? []) {
    const name = argument.kind === 'name' ? argument.text : null;
    if (name === null) fail(ctx, 'PV-4023', argument.range, 'an argument on the left side is the name of an input');
    else if (!draft.inputs.has(name) && !draft.sizes.has(name)) unknownName(ctx, name, argument, draft.scope);
    else if (draft.inputs.has(name) && !written.includes(name)) written.push(name);
  }
  const names = [...written, ...[...draft.inputs.keys()].filter((name) => !written.includes(name))];
  return names.flatMap((name) => {
    const input = draft.inputs.get(name);
    return input ? [{ name, type: makeType(input.element, input.shape) }] : [];
  });
}

/** The codomain's shape over the sizes of the domain; null if it says nothing. */
function declaredShape(ctx: Context, draft: DomainDraft, codomain: Codomain | null): readonly Term[] | null {
  if (codomain === null) return null;
  return reading(ctx, codomain.text, () =>
    codomain.type.axes.map((axis) => isolated(ctx, () => integerTerm(ctx, axis, draft.scope, 'a size'))),
  );
}

function checkCodomain(
  ctx: Context,
  value: Value,
  codomain: Codomain | null,
  declared: readonly Term[] | null,
  cases: readonly DefinitionCase[],
): void {
  if (codomain === null || declared === null || equalShapes(ctx, shapeOfValue(value), declared)) return;
  const range = cases[0]?.range ?? { start: 0, end: 0 };
  fail(ctx, 'PV-4016', range, `the formula computes ${valueText(value)}, and the codomain is ${codomain.text.text}`);
}

/** A size that a slice takes from an index cannot be used outside that index. */
function isClosed(ctx: Context, draft: DomainDraft, body: Term, cases: readonly DefinitionCase[]): boolean {
  const stray = [...freeVariables(body)].find((name) => !draft.sizes.has(name) && !draft.inputs.has(name));
  if (stray === undefined) return true;
  giveUp(
    ctx,
    cases[0]?.range ?? { start: 0, end: 0 },
    `the size of a part depends on the index ${stray}`,
    'bound the index explicitly: Σ_{j≤i}',
  );
  return false;
}

function finishModel(
  ctx: Context,
  equation: Equation,
  draft: DomainDraft,
  parts: { symbol: string; parameters: readonly Parameter[]; body: Term; result: Type; isBare?: boolean },
): EquationModel {
  noteShares(ctx, draft, equation.domain);
  const domain = finishDomain(draft);
  const sizes = domain.sizes.map((size) => size.name);
  const { unread, widens } = draft;
  const large = equation.large.map((entry) => Object.fromEntries([...entry].map(([name, { value }]) => [name, value])));
  let digest: string | null = null;
  return {
    name: equation.name,
    symbol: parts.symbol,
    parameters: parts.parameters,
    sizes,
    domain,
    large,
    result: parts.result,
    body: parts.body,
    ...(unread === null ? {} : { unread, ...(widens ? { widens } : {}) }),
    ...(parts.isBare === true ? { bare: true } : {}),
    // Computed on demand: reading and checking data need none, and hashing them all costs as much as typing them.
    get digest() {
      return (digest ??= digestOf({
        symbol: parts.symbol,
        parameters: parametersJson(parts.parameters),
        sizes,
        domain: domainJson(domain),
        result: typeKey(parts.result),
        body: termKey(parts.body),
        ...(large.length > 0 ? { large } : {}),
        ...(unread === null ? {} : { unread }),
      }));
    },
  };
}

/** Real results are stored as float32 unless the codomain names another format. */
function resultElement(body: Term, codomain: Codomain | null): ScalarType {
  const own = body.type.kind === 'tensor' ? body.type.element : body.type;
  if (own.kind === 'boolean' || own.kind === 'string') return own;
  const declared = codomain?.type.element;
  if (own.kind === 'integer') return declared?.kind === 'float' ? declared : own;
  return declared?.kind === 'float' ? declared : own.kind === 'float' ? own : FLOAT32;
}
