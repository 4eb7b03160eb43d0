/** The equation that a formula's text defines, among its helpers and what it says about indices. */
import type { Range } from '../../diagnostics/source.ts';
import type { Binder, Expression, Statement } from '../../math/notation/syntax.ts';
import type { FormalText } from '../contract.ts';
import { fail, remark, type Context } from './context.ts';
import { definitionsOf, readHead, withElements, type Head } from './definition-heads.ts';
import { addDefinition, type DomainDraft } from './domain-draft.ts';
import { boundsOfIndex, type IndexFact } from './index-ranges.ts';
import type { DefinitionCase, Scope } from './scope.ts';

export interface Main {
  readonly head: Head;
  readonly cases: readonly DefinitionCase[];
}

interface Row {
  readonly range: Range;
  readonly statement: Statement;
  readonly body: Expression;
  /** Whether a second right side stands there. */
  readonly more: boolean;
  readonly head: Head;
}

/** The indices on the left sides of `text`, as far as the text alone tells. */
export function leftIndices(text: FormalText, scope: Scope): ReadonlySet<string> {
  const heads = text.notation.statements.flatMap((statement) => rowOf(statement, scope) ?? []);
  return new Set(
    heads.flatMap(({ head }) => head.indices).flatMap((index) => (index.kind === 'name' ? [index.text] : [])),
  );
}

/** The last symbol that the formula defines, with all its cases; the others are helpers. `facts` bound its indices. */
export function mainFormula(
  ctx: Context,
  draft: DomainDraft,
  text: FormalText,
  facts: readonly IndexFact[],
): Main | null {
  const bounding = new Set(facts.map(({ binder }) => binder.name));
  const statements = text.notation.statements.filter(
    ({ body }) => boundsOfIndex(body, (name) => bounding.has(name)) === null,
  );
  for (const statement of statements) {
    for (const definition of definitionsOf(statement.definitions, text, draft.scope)) addDefinition(draft, definition);
  }
  const read = statements.map((statement) => rowOf(statement, draft.scope));
  const rows = withElements(read.filter((row) => row !== null));
  const main = read.at(-1) && rows.at(-1);
  if (!main) {
    const at = statements.at(-1)?.range ?? { start: 0, end: text.text.length };
    fail(ctx, 'PV-4023', at, 'this does not define anything', 'write what is computed on the left: f(x)_i = …');
    return null;
  }
  for (const row of rows)
    if (row.more)
      remark(
        ctx,
        'PV-4019',
        row.statement.range,
        'only the first right side defines; the others are shown and not used',
      );
  const own = rows.filter((row) => row.head.name === main.head.name);
  const helpers = rows.filter((row) => row.head.name !== main.head.name).map(({ statement }) => statement.body);
  for (const definition of definitionsOf(helpers, text, draft.scope)) addDefinition(draft, definition);
  const head = own.find((row) => row.head.indices.some((index) => index.kind !== 'number'))?.head ?? main.head;
  return { head, cases: [...casesOf(own), ...givenElements(draft, main.head.name)] };
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

function rowOf(statement: Statement, scope: Scope): Row | null {
  const { body } = statement;
  if (body.kind !== 'relation' || (body.operators[0] !== '=' && body.operators[0] !== ':=')) return null;
  const [left, right, more] = body.operands;
  const head = left && right ? readHead(left, scope, right) : null;
  return head && right ? { range: statement.range, statement, body: right, more: more !== undefined, head } : null;
}

/** `f(x) = a if p` lines of one head become one choice; patterns of indices stay separate cases. */
function casesOf(rows: readonly Row[]): readonly DefinitionCase[] {
  const [first] = rows;
  const heads = new Set(rows.map(({ head }) => head.indices.map(placeKey).join()));
  const choice = heads.size < rows.length && rows.some((row) => row.statement.conditions.length > 0);
  if (!choice || !first)
    return rows.map((row) => ({
      indices: row.head.indices,
      body: row.body,
      binders: [...row.statement.binders, ...boundsInConditions(row)],
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

/** Equal for indices that are written alike. */
function placeKey(index: Expression): string {
  if (index.kind === 'name') return index.text;
  return index.kind === 'number'
    ? index.value
    : JSON.stringify(index, (key, value: unknown) => (key === 'range' ? null : value));
}

/** `for 0 ≤ i < m`, `when i ≥ 1` of an index on the left side. */
function boundsInConditions({ statement, head }: Row): readonly Binder[] {
  const own = new Set(head.indices.flatMap((index) => (index.kind === 'name' ? [index.text] : [])));
  return statement.conditions.flatMap((condition) => boundsOfIndex(condition, (name) => own.has(name)) ?? []);
}
