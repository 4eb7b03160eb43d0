/** An equation of a contract as a typed function: parameters, domain, result, body. */
import { makeType } from '../../math/types.ts';
import { FLOAT32, type ScalarType, type Term } from '../../math/term.ts';
import { freeVariables } from '../../math/traverse.ts';
import { termKey, typeKey } from '../../math/term-key.ts';
import { simplifySize } from '../../math/sizes.ts';
import { readNotation } from '../../math/notation/read.ts';
import type { Expression, Statement } from '../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../contract.ts';
import type { EquationModel, Parameter } from '../goal.ts';
import { equalShapes, integerTerm } from './binders.ts';
import { fail, giveUp, reading, remark, type Context, type Problem } from './context.ts';
import { definitionsOf, readHead, type Head } from './definition-heads.ts';
import { elaborateCases } from './definitions.ts';
import { digestOf, domainJson, parametersJson } from './digest.ts';
import { extendDomain } from './domain.ts';
import { addDefinition, emptyDraft, finishDomain, type DomainDraft } from './domain-draft.ts';
import { isolated } from './frames.ts';
import { newContext } from './new-context.ts';
import { lookup, type Definition, type DefinitionCase, type Scope } from './scope.ts';
import { mentions } from './syntax-parts.ts';
import { readType, type TypeExpression } from './type-expressions.ts';
import { symbolOf } from './symbol-of.ts';
import { unknownName } from './unknown-name.ts';
import type { Value } from './value.ts';
import { scalar, shapeOfValue, valueText, wholeTerm } from './values.ts';
import { integer } from '../../math/build.ts';

export interface ElaboratedEquation {
  readonly equation: Equation;
  /** The symbol on the left side, also when there is no model; null when there is none to read. */
  readonly symbol: string | null;
  readonly model: EquationModel | null;
  /** Helpers, which claims may use. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly problem: Problem | null;
  readonly remarks: readonly Problem[];
}

/**
 * Elaborates `equation`; names that it does not declare are looked up in `globals`.
 * `inherited` is the domain of an equation that declares none.
 */
export function elaborateEquation(
  equation: Equation,
  globals: Scope,
  inherited: FormalText | null = null,
): ElaboratedEquation {
  const ctx = newContext(equation.formula, [], null);
  const draft = emptyDraft(globals);
  const model = modelOf(ctx, draft, equation, inherited);
  const symbol = model?.symbol ?? symbolOf(equation);
  return {
    equation,
    symbol,
    model: ctx.problem ? null : model,
    definitions: draft.definitions,
    problem: ctx.problem,
    remarks: ctx.remarks,
  };
}

function modelOf(
  ctx: Context,
  draft: DomainDraft,
  equation: Equation,
  inherited: FormalText | null,
): EquationModel | null {
  if (!isReadable(ctx, equation)) return null;
  const texts = [equation.domain ?? inherited, ...equation.preconditions].filter((text) => text !== null);
  extendDomain(ctx, draft, texts);
  if (ctx.problem) return null;
  noteUnboundedSizes(ctx, draft, equation);
  const main = mainFormula(ctx, draft, equation.formula);
  if (main === null || ctx.problem) return null;
  const parameters = parametersOf(ctx, draft, main.head);
  const codomain = codomainOf(ctx, draft, equation);
  if (ctx.problem) return null;
  for (const name of [...draft.sizes.keys(), ...draft.inputs.keys()]) ctx.fresh(name);
  let value: Value = scalar(integer(0));
  const body = isolated(ctx, () => {
    value = elaborateCases(ctx, main.head.name, main.cases, draft.scope, codomain?.shape ?? null);
    return ctx.problem
      ? integer(0)
      : wholeTerm(ctx, value, equation.formula.notation.statements[0]?.range ?? { start: 0, end: 0 });
  });
  if (ctx.problem || !isClosed(ctx, draft, body, main.cases)) return null;
  checkCodomain(ctx, value, codomain, main.cases);
  return finishModel(equation, draft, { symbol: main.head.name, parameters, body, value, codomain });
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

interface Main {
  readonly head: Head;
  readonly cases: readonly DefinitionCase[];
}

/** The last symbol that the formula defines, with all its cases; the others are helpers. */
function mainFormula(ctx: Context, draft: DomainDraft, text: FormalText): Main | null {
  const rows = text.notation.statements.map((statement) => ({ statement, parts: formulaParts(statement) }));
  for (const { statement } of rows) {
    for (const definition of definitionsOf(statement.definitions, text, draft.scope)) addDefinition(draft, definition);
  }
  const heads = rows.map(({ statement, parts }) => ({
    statement,
    parts,
    head: parts && readHead(parts.left, draft.scope, parts.body),
  }));
  const main = heads.at(-1);
  if (!main?.head || !main.parts) {
    const at = main?.statement.range ?? { start: 0, end: text.text.length };
    fail(ctx, 'PV-4023', at, 'this does not define anything', 'write what is computed on the left: f(x)_i = …');
    return null;
  }
  const { head } = main;
  for (const row of heads)
    if (row.parts && row.parts.more)
      remark(
        ctx,
        'PV-4019',
        row.statement.range,
        'only the first right side defines; the others are shown and not used',
      );
  const own = heads.filter((row) => row.head?.name === head.name);
  const helpers = heads.filter((row) => row.head?.name !== head.name).map((row) => row.statement.body);
  for (const definition of definitionsOf(helpers, text, draft.scope)) addDefinition(draft, definition);
  const recursive = own.find(
    (row) =>
      row.parts &&
      lookup(draft.scope, head.name) === null &&
      mentions(
        row.parts.body,
        (name) => name === head.name || (name.startsWith(`${head.name}_`) && lookup(draft.scope, name) === null),
      ),
  );
  if (recursive) {
    giveUp(
      ctx,
      recursive.statement.range,
      `${head.name} is defined by its own earlier values, a recurrence that pv does not unroll`,
      `write one step with the previous state as an input: ${head.name}'_i = …`,
    );
    return null;
  }
  return {
    head,
    cases: casesOf(
      own.flatMap((row) =>
        row.head && row.parts ? [{ statement: row.statement, body: row.parts.body, head: row.head }] : [],
      ),
    ),
  };
}

function formulaParts(
  statement: Statement,
): { readonly left: Expression; readonly body: Expression; readonly more: boolean } | null {
  const { body } = statement;
  if (body.kind !== 'relation' || (body.operators[0] !== '=' && body.operators[0] !== ':=')) return null;
  const [left, right, more] = body.operands;
  return left && right ? { left, body: right, more: more !== undefined } : null;
}

/** `f(x) = a if p` lines of one head become one choice; patterns of indices stay separate cases. */
function casesOf(
  rows: readonly { readonly statement: Statement; readonly body: Expression; readonly head: Head }[],
): readonly DefinitionCase[] {
  const conditional = rows.some((row) => row.statement.conditions.length > 0);
  const [first] = rows;
  if (!conditional || !first)
    return rows.map((row) => ({
      indices: row.head.indices,
      body: row.body,
      binders: row.statement.binders,
      range: row.statement.range,
    }));
  const cases = rows.flatMap((row) => {
    const condition = row.statement.conditions.reduce<Expression | null>(
      (all, next) =>
        all ? { kind: 'logic', operator: '∧', left: all, right: next, range: row.statement.range } : next,
      null,
    );
    return condition ? [{ condition, value: row.body }] : [];
  });
  const otherwise = rows.find((row) => row.statement.conditions.length === 0)?.body ?? null;
  const body: Expression = { kind: 'cases', cases, otherwise, range: first.statement.range };
  return [{ indices: first.head.indices, body, binders: first.statement.binders, range: first.statement.range }];
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

interface Codomain {
  readonly type: TypeExpression;
  readonly shape: readonly Term[];
  readonly text: FormalText;
}

/** What the codomain says about the shape; null when it says nothing (none, prose, an interval for each element). */
function codomainOf(ctx: Context, draft: DomainDraft, equation: Equation): Codomain | null {
  const codomain = equation.codomain && asDomain(equation.codomain);
  if (codomain === null || codomain.notation.status !== 'math') return null;
  const body = codomain.notation.statements[0]?.body;
  const member = body?.kind === 'relation' && body.operators.length === 1 && body.operators[0] === '∈' ? body : null;
  const set = member ? member.operands[1] : body;
  const type = set && readType(set);
  if (
    !type ||
    (type.axes.length === 0 && (type.lower || type.upper || type.choices)) ||
    member?.operands[0]?.kind === 'index'
  )
    return null;
  const shape = reading(ctx, codomain, () =>
    type.axes.map((axis) => isolated(ctx, () => integerTerm(ctx, axis, draft.scope, 'a size'))),
  );
  return { type, shape, text: codomain };
}

/** A codomain may be a set alone (`F32^n`), which is no proposition and would be read as prose. */
function asDomain(text: FormalText): FormalText {
  return text.notation.status === 'math' ? text : { ...text, notation: readNotation(text.text, 'domain') };
}

function checkCodomain(ctx: Context, value: Value, codomain: Codomain | null, cases: readonly DefinitionCase[]): void {
  if (codomain === null || equalShapes(ctx, shapeOfValue(value), codomain.shape)) return;
  const range = cases[0]?.range ?? { start: 0, end: 0 };
  fail(ctx, 'PV-4016', range, `the formula computes ${valueText(value)}, and the codomain is ${codomain.text.text}`);
}

/** A size that a slice takes from an index cannot stand outside of that index. */
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
  equation: Equation,
  draft: DomainDraft,
  parts: { symbol: string; parameters: readonly Parameter[]; body: Term; value: Value; codomain: Codomain | null },
): EquationModel {
  const domain = finishDomain(draft);
  const result = makeType(
    resultElement(parts.body, parts.codomain),
    (parts.codomain?.shape ?? shapeOfValue(parts.value)).map(simplifySize),
  );
  const sizes = domain.sizes.map((size) => size.name);
  const digest = digestOf({
    symbol: parts.symbol,
    parameters: parametersJson(parts.parameters),
    sizes,
    domain: domainJson(domain),
    result: typeKey(result),
    body: termKey(parts.body),
  });
  return {
    name: equation.name,
    symbol: parts.symbol,
    parameters: parts.parameters,
    sizes,
    domain,
    result,
    body: parts.body,
    digest,
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
