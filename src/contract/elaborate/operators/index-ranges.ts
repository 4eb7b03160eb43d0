/**
 * What formulas, domains, codomains and invariants state about the range of an index: `0 ≤ i < m`, `i ∈ [0, m)`, `i = 0..m-1`.
 */
import type { Binder, Expression, RelationOperator } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { specOf, type IndexSpec } from './binders.ts';
import { fail, reading, type Context } from '../context/context.ts';
import { linksOf } from './relations.ts';
import type { Scope } from '../context/scope.ts';
import type { Link } from '../inputs/targets.ts';

/** One bound of an index, and the text that says it. */
export interface IndexFact {
  readonly binder: Binder;
  readonly text: FormalText;
}

/** The bounds in `expression`, if it only states ranges of indices; else null. */
export function boundsOfIndex(expression: Expression, isIndex: (name: string) => boolean): readonly Binder[] | null {
  if (expression.kind === 'logic' && expression.operator === '∧') {
    const [left, right] = [boundsOfIndex(expression.left, isIndex), boundsOfIndex(expression.right, isIndex)];
    return left && right ? [...left, ...right] : null;
  }
  if (expression.kind !== 'relation') return null;
  const links = linksOf(expression).map((link) => boundOfLink(link, isIndex));
  const binders = links.filter((binder) => binder !== null);
  return binders.length === links.length ? binders : null;
}

const turned: Partial<Readonly<Record<RelationOperator, RelationOperator>>> = {
  '<': '>',
  '≤': '≥',
  '>': '<',
  '≥': '≤',
};

function boundOfLink({ left, operator, right }: Link, isIndex: (name: string) => boolean): Binder | null {
  if (left.kind === 'name' && isIndex(left.text)) {
    const bounds = turned[operator] !== undefined || (isRange(right) && setOperators.has(operator));
    return bounds ? { name: left.text, relation: operator, bound: right, range: left.range } : null;
  }
  const back = turned[operator];
  if (right.kind !== 'name' || !isIndex(right.text) || back === undefined) return null;
  return { name: right.text, relation: back, bound: left, range: right.range };
}

const setOperators: ReadonlySet<RelationOperator> = new Set(['=', ':=', '∈']);

/** Whether the set is one that indices run over: an interval, a span, `{0, …, n-1}`. */
export function isRange(set: Expression): boolean {
  return set.kind === 'interval' || set.kind === 'span' || (set.kind === 'set' && set.ellipsis);
}

/** `0 ≤ j < k` as the one binder `j ∈ [0, k)`; null without an upper end. */
export function asInterval(name: string, bounds: readonly Binder[]): Binder | null {
  const own = bounds.filter((bound) => bound.name === name);
  const low = own.find(({ relation }) => relation === '≥' || relation === '>');
  const high = own.find(({ relation }) => relation === '<' || relation === '≤');
  const [first] = own;
  if (!first || own.length !== (low ? 1 : 0) + (high ? 1 : 0) || !high?.bound) return null;
  const { range } = first;
  const bound: Expression = {
    kind: 'interval',
    low: low?.bound ?? { kind: 'number', value: '0', unit: null, range },
    high: high.bound,
    lowOpen: low?.relation === '>',
    highOpen: high.relation === '<',
    range,
  };
  return { name, relation: '∈', bound, range };
}

/** All facts about one index, combined. */
export function specOfFacts(
  ctx: Context,
  index: Pick<IndexSpec, 'written' | 'range'>,
  facts: readonly IndexFact[],
  scope: Scope,
): IndexSpec {
  let spec: IndexSpec = { ...index, from: null, to: null };
  for (const { binder, text } of facts) {
    if (binder.name !== index.written) continue;
    const said = reading(ctx, text, () => {
      const one = specOf(ctx, binder, null, scope);
      const twice = (one.from !== null && spec.from !== null) || (one.to !== null && spec.to !== null);
      if (twice)
        fail(ctx, 'PV-4016', binder.range, `the range of ${index.written} is given twice`, 'say each end once');
      return one;
    });
    spec = { ...spec, from: spec.from ?? said.from, to: spec.to ?? said.to };
  }
  return spec;
}
