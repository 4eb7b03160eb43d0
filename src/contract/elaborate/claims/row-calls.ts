/** `H(a_i)` in claims, where an equation `H(a_i) = …` defines a value for each row of a: it is `H(a)_i`. */
import type { Expression, IndexItem } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { mapExpression, mapText } from '../context/map-expression.ts';
import { indexedName } from '../context/names.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';

type Call = Extract<Expression, { kind: 'call' }>;

/** The places of the arguments that are rows, by the names of the equations. */
type RowFunctions = ReadonlyMap<string, readonly number[]>;

/** `text` with `H(a)_i` for `H(a_i)` of those equations. */
export function withRowCalls(text: FormalText, equations: readonly ElaboratedEquation[]): FormalText {
  const functions: RowFunctions = new Map(equations.flatMap(rowFunction));
  if (functions.size === 0) return text;
  const change = (part: Expression): Expression => {
    const changed = mapExpression(part, change);
    return changed.kind === 'call' ? asElement(changed, functions) : changed;
  };
  return mapText(text, change);
}

function rowFunction({
  equation,
  model,
  symbol,
}: ElaboratedEquation): readonly (readonly [string, readonly number[]])[] {
  const parameters = new Set(model?.parameters.map(({ name }) => name));
  const heads = equation.formula.notation.statements.flatMap(({ body }) => {
    const left = body.kind === 'relation' ? body.operands[0] : undefined;
    return left?.kind === 'call' && left.callee.kind === 'name' && left.callee.text === symbol ? [left] : [];
  });
  const places = heads.flatMap((head) =>
    head.arguments.flatMap(({ value }, at) => {
      const parts = indexedName(value);
      return value.kind === 'name' && parts && !parameters.has(value.text) && parameters.has(parts.base.text)
        ? [at]
        : [];
    }),
  );
  if (places.length === 0 || symbol === null) return [];
  return [equation.name, symbol].map((name) => [name, places] as const);
}

function asElement(call: Call, functions: RowFunctions): Expression {
  const places = call.callee.kind === 'name' ? (functions.get(call.callee.text) ?? []) : [];
  const rows = places.map((at) => (call.arguments[at] ? indexedName(call.arguments[at].value) : null));
  if (rows.length === 0 || rows.some((row) => row === null)) return call;
  const items = rows.flatMap((row): readonly IndexItem[] => (row ? [{ kind: 'at', value: row.index }] : []));
  const base: Call = {
    ...call,
    arguments: call.arguments.map((argument, at) => {
      const row = rows[places.indexOf(at)];
      return row ? { ...argument, value: row.base } : argument;
    }),
  };
  return { kind: 'index', base, items, style: 'subscript', range: call.range };
}
