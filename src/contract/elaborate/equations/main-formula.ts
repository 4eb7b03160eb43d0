/** The equation that a formula's text defines, separate from its helpers and facts about indices. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Binder, Expression, Statement } from '../../../math/notation/syntax.ts';
import { units } from '../../../math/notation/vocabulary.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { binderRelation } from '../operators/clauses.ts';
import { fail, type Context } from '../context/context.ts';
import { tensorFunctions } from '../operators/builtins.ts';
import {
  isAboutAnother,
  isIdentity,
  isOfOne,
  readHead,
  sidesOf,
  unbound,
  withElements,
  type Head,
  type Sides,
} from '../domains/definition-heads.ts';
import { isLocalFunction } from './local-functions.ts';
import { addDefinition, type DomainDraft } from '../inputs/domain-draft.ts';
import { boundsOfIndex, type IndexFact } from '../operators/index-ranges.ts';
import { notUsed, use, useAll, useHead } from '../context/ledger.ts';
import { definesName, keepHelpers, ofInputs } from '../domains/new-names.ts';
import { lookup, type DefinitionCase, type Scope } from '../context/scope.ts';
import { freeIndices, mentions, namesOf } from '../context/syntax-parts.ts';

/** The definition that a formula makes, and what it requires of its inputs. */
export interface Main {
  readonly head: Head;
  readonly cases: readonly DefinitionCase[];
  /** Conditions of the formula on its inputs: `… when c > 0`, `… where n ≥ 2`. */
  readonly conditions: readonly Expression[];
  /** Those of them that are equations where a helper definition is expected. */
  readonly equations: readonly Expression[];
}

interface Row {
  readonly range: Range;
  readonly statement: Statement;
  readonly left: Expression;
  readonly body: Expression;
  readonly head: Head;
}

/** The indices on the left sides of `text`, as far as the text alone shows. */
export function leftIndices(text: FormalText, scope: Scope): ReadonlySet<string> {
  const heads = text.notation.statements.flatMap((statement) => rowOf(statement, scope, null) ?? []);
  return new Set(heads.flatMap(({ head }) => head.indices).flatMap(indexNames));
}

/** i of `f_i`, k of `f_{2k+1}`. */
function indexNames(index: Expression): readonly string[] {
  if (index.kind === 'name') return [index.text];
  if (index.kind !== 'binary') return [];
  const { operator, left, right } = index;
  if (operator === '·') return left.kind === 'number' && right.kind === 'name' ? [right.text] : [];
  return operator === '+' && left.kind === 'binary' ? indexNames(left) : [];
}

/** The last symbol that the formula defines, with all its cases; the others are helpers. `facts` bound its indices. */
export function mainFormula(
  ctx: Context,
  draft: DomainDraft,
  { name, formula: text }: Pick<Equation, 'name' | 'formula'>,
  facts: readonly IndexFact[],
): Main | null {
  const bounding = new Set(facts.map(({ binder }) => binder.name));
  const statements = text.notation.statements.filter(
    ({ body }) => boundsOfIndex(body, (name) => bounding.has(name)) === null,
  );
  const isIndex = (name: string): boolean => bounding.has(name);
  const how = { text, keeps: ofInputs(draft) };
  const said = statements.flatMap(({ definitions }) => {
    const equations = definitions.filter((equation) => boundsOfIndex(equation, isIndex) === null);
    return keepHelpers(ctx, draft, equations.map(unbound), how);
  });
  const beside = [...said];
  const sole = statements.length === 1 ? name : null;
  const read = statements.map((statement) => rowOf(statement, draft.scope, sole));
  const rows = withElements(read.filter((row) => row !== null));
  const isInput = (one: string): boolean => draft.inputs.has(one) || draft.sizes.has(one);
  const main = rows.findLast((row) => !isLocalFunction(row, rows, isInput)) ?? rows.at(-1);
  const stray = statements[main ? read.indexOf(null) : statements.length - 1];
  const unnamed = main || !stray || sole === null ? null : unnamedValue(draft, stray, name, text);
  if (unnamed) return unnamed;
  if (stray || !main) {
    const at = stray?.range ?? { start: 0, end: text.text.length };
    fail(ctx, 'PV-4023', at, 'this does not define anything', 'write what is computed on the left: f(x)_i = …');
    return null;
  }
  const own = rows.filter((row) => row.head.name === main.head.name);
  const helpers = rows.filter((row) => row.head.name !== main.head.name);
  for (const { statement } of helpers) useHead(ctx, statement.body);
  for (const { left } of own) useAll(ctx, left);
  const others = helpers.filter(({ statement: { body } }) => !definesName(ctx, body, draft.scope, how.keeps));
  const lines = others.map(({ statement: { body } }) => body);
  for (const { name, rows: group } of byName(helpers.filter((row) => !others.includes(row)))) {
    const { cases, conditions } = casesOf(ctx, draft, group);
    said.push(...conditions);
    const parameters = (group[0]?.head.arguments ?? []).flatMap((one) => (one.kind === 'name' ? [one.text] : []));
    const all = [...cases, ...givenElements(draft, name)];
    addDefinition(draft, { name, parameters, cases: all, text, scope: draft.scope });
  }
  const head = own.find((row) => row.head.indices.some((index) => index.kind !== 'number'))?.head ?? main.head;
  const { cases, conditions } = casesOf(ctx, draft, own);
  return {
    head,
    cases: [...cases, ...givenElements(draft, main.head.name)],
    conditions: [...said, ...lines, ...conditions],
    equations: [...beside, ...lines],
  };
}

/** Why claims that use an equation whose formula is a condition are not decided. */
export const presupposed = 'its formula is a condition, which claims may presuppose';

/** A condition, or a call alone, as what the equation called `name` computes; null for anything else. */
function unnamedValue(draft: DomainDraft, statement: Statement, name: string, text: FormalText): Main | null {
  const states = isCondition(statement, draft.scope, name);
  if (!states && !isValue(statement)) return null;
  if (states) draft.unread ??= presupposed;
  const { body, range } = statement;
  const head: Head = { name, arguments: null, indices: [] };
  return { head, cases: [{ indices: [], body, binders: [], text, range }], conditions: [], equations: [] };
}

/** `softmax(x / T)` alone is what the equation computes. */
function isValue({ body, binders, conditions, definitions }: Statement): boolean {
  return body.kind === 'call' && binders.length + conditions.length + definitions.length === 0;
}

/** `a ≤ b ∧ c > 0` computes a truth value; `p/q = e` may be meant as a definition. */
function isCondition({ body, binders, conditions, definitions }: Statement, scope: Scope, name: string): boolean {
  if (binders.length + conditions.length + definitions.length > 0) return false;
  if (body.kind === 'logic' || body.kind === 'not' || body.kind === 'quantified') return true;
  if (body.kind !== 'relation') return false;
  const [left] = body.operands;
  if (body.operators[0] === ':=' || !left) return false;
  const sides = sidesOf(body);
  if (sides && isAboutAnother(sides, scope, name)) return true;
  // `tok/s = …` defines a rate; `a / b = 12288 / 4096` is a condition on a and b.
  const isRate = namesOf(left).some((name) => name.length === 1 || units.has(name));
  return (
    body.operators[0] !== '=' ||
    ['list', 'big', 'norm'].includes(left.kind) ||
    (left.kind === 'binary' && !isRate) ||
    isIdentityCall(left.kind === 'index' ? left.base : left, body.operands[1], scope) ||
    isAboutReductions(body)
  );
}

const isIdentityCall = (left: Expression, right: Expression | undefined, scope: Scope): boolean =>
  left.kind === 'call' && (isIdentity(left, scope) || (right !== undefined && isOfOne(left, right)));

/** `product(a) == product(b)` compares two products, and defines none. */
function isAboutReductions(body: Expression): boolean {
  if (body.kind !== 'relation') return false;
  return body.operands.every(
    (side) => side.kind === 'call' && side.callee.kind === 'name' && tensorFunctions.has(side.callee.text),
  );
}

function byName(rows: readonly Row[]): readonly { readonly name: string; readonly rows: readonly Row[] }[] {
  const names = new Set(rows.map(({ head }) => head.name));
  return [...names].map((name) => ({ name, rows: rows.filter(({ head }) => head.name === name) }));
}

/** `s_0 = 0` in the domain. */
function givenElements(draft: DomainDraft, name: string): readonly DefinitionCase[] {
  const first = [...draft.definitions.values()].flatMap((definition) => {
    const [, base, digits] = /^(.+)_(\d+)$/u.exec(definition.name) ?? [];
    const [only] = definition.cases;
    if (base !== name || digits === undefined || definition.parameters.length > 0 || !only) return [];
    const place: Expression = { kind: 'number', value: digits, unit: null, range: only.range };
    return [{ ...only, indices: [place] }];
  });
  const own = draft.definitions.get(name);
  if (!own?.cases.every(({ indices }) => indices.some((index) => index.kind === 'number' || index.kind === 'negate')))
    return first;
  draft.definitions.delete(name);
  draft.scope.entries.delete(name);
  return [...first, ...own.cases];
}

/** Null for what defines nothing; `own` is the name of an equation that a single statement may not define. */
function rowOf(statement: Statement, scope: Scope, own: string | null): Row | null {
  const sides = isAboutReductions(statement.body) ? null : sidesOf(statement.body);
  if (sides && own !== null && isAboutAnother(sides, scope, own)) return null;
  const head =
    sides && (readHead(sides.left, scope, sides.right) ?? (own === null ? null : keyHead(sides, scope, own)));
  return head && { range: statement.range, statement, left: sides.left, body: sides.right, head };
}

/**
 * `softmax(z/T)_i = e` of a function that is known, where e does not use it: the equation computes e, under its key alone. What the formula
 * says of that function is a law (see `stated-laws.ts`).
 */
function keyHead({ left, right }: Sides, scope: Scope, own: string): Head | null {
  if (left.kind !== 'index' || left.base.kind !== 'call' || !isIdentity(left.base, scope)) return null;
  const { callee } = left.base;
  if (callee.kind === 'name' && mentions(right, (name) => name === callee.text)) return null;
  const base: Expression = { kind: 'name', text: own, range: left.base.range };
  return readHead({ ...left, base }, scope, right);
}

interface Cases {
  readonly cases: readonly DefinitionCase[];
  /** Conditions of the rows on inputs, not on indices. */
  readonly conditions: readonly Expression[];
}

/** `f(x) = a if p` lines of one head become one choice; patterns of indices stay separate cases. */
function casesOf(ctx: Context, draft: DomainDraft, rows: readonly Row[]): Cases {
  const [first] = rows;
  const heads = new Set(rows.map(({ head }) => head.indices.map(placeKey).join()));
  const choice = heads.size < rows.length && rows.some((row) => row.statement.conditions.length > 0);
  if (!choice || !first) {
    const read = rows.map((row) => ({ row, clauses: clausesOf(ctx, draft, row) }));
    return {
      cases: read.map(({ row, clauses: { binders } }) => ({
        indices: row.head.indices,
        body: row.body,
        binders,
        text: ctx.text,
        range: row.statement.range,
      })),
      conditions: read.flatMap(({ clauses }) => clauses.conditions),
    };
  }
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
  const read = rows.map((row) => clausesOf(ctx, draft, { ...row, statement: { ...row.statement, conditions: [] } }));
  return {
    cases: [
      {
        indices: first.head.indices,
        body,
        binders: read.flatMap(({ binders }) => binders),
        text: ctx.text,
        range: first.statement.range,
      },
    ],
    conditions: read.flatMap(({ conditions }) => conditions),
  };
}

/** Equal for indices that are written alike. */
function placeKey(index: Expression): string {
  if (index.kind === 'name') return index.text;
  return index.kind === 'number'
    ? index.value
    : JSON.stringify(index, (key, value: unknown) => (key === 'range' ? null : value));
}

interface Clauses {
  readonly binders: readonly Binder[];
  readonly conditions: readonly Expression[];
}

/**
 * `for 0 ≤ i < m`, `when i ≥ 1` of an index on the left side bound it; `when c > 0` is a condition on the inputs.
 * A condition on single elements leaves the others without a value.
 */
function clausesOf(ctx: Context, draft: DomainDraft, { statement, head }: Row): Clauses {
  const own = new Set(head.indices.flatMap(namesOf));
  const isOwn = (name: string): boolean => own.has(name);
  const binders: Binder[] = [];
  const conditions: Expression[] = [];
  const take = (condition: Expression): void => {
    const bounds = boundsOfIndex(condition, isOwn);
    if (bounds) binders.push(...bounds);
    else if (mentions(condition, (name) => freeOf(name).some(isOwn))) {
      const hint = 'give the other case too: y_i = { … if …; … otherwise }';
      notUsed(ctx, condition.range, `it leaves other elements of ${head.name} without a value`, hint);
    } else conditions.push(condition);
  };
  const freeOf = (text: string): readonly string[] =>
    freeIndices({ kind: 'name', text, range: statement.range }, draft.scope).concat(text);
  for (const binder of statement.binders) {
    const relation = binderRelation(binder);
    if (own.has(binder.name)) {
      if (relation) binders.push(binder);
      else use(ctx, binder.range);
    } else if (relation) take(relation);
    else if (
      lookup(draft.scope, binder.name) !== null ||
      mentions(statement.body, (name) => freeOf(name).includes(binder.name))
    )
      use(ctx, binder.range);
    else notUsed(ctx, binder.range, `nothing here has the index ${binder.name}`);
  }
  statement.conditions.forEach(take);
  return { binders, conditions };
}
