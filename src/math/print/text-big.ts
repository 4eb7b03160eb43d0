import { level } from '../notation/levels.ts';
import type { BigOperatorName, Binder, Expression } from '../notation/syntax.ts';
import { isShortName } from '../notation/vocabulary.ts';
import { isNarrow } from './levels-of.ts';
import type { Print } from './print.ts';

const signs: Readonly<Record<BigOperatorName, string>> = {
  sum: 'Σ',
  product: '∏',
  union: '⋃',
  intersection: '⋂',
  max: 'max',
  min: 'min',
  argmax: 'argmax',
  argmin: 'argmin',
  mean: 'mean',
  expectation: 'E',
  limit: 'lim',
  count: 'count',
};

export function printBinder(b: Binder, print: Print): string {
  if (b.relation === null || b.bound === null) return b.name;
  return `${b.name} ${b.relation} ${print(b.bound, level.relation + 1, false)}`;
}

/** `Σ_{i < n}^{m} body`. */
export function printBig(e: Extract<Expression, { kind: 'big' }>, tail: boolean, print: Print): string {
  const sign = signs[e.operator];
  if (e.operator === 'expectation' && e.binders.length === 0) return `E[${print(e.body, level.equivalence, true)}]`;
  const binders =
    e.operator === 'limit' ? e.binders.map((b) => limitBinder(b, print)) : e.binders.map((b) => printBinder(b, print));
  const under = [...binders, ...conjuncts(e.condition).map((c) => print(c, level.relation, false))].join(', ');
  const body = print(e.body, isNarrow(e.operator) ? level.sign : level.product, tail);
  return `${sign}${under === '' ? '' : /^[a-z]$/.test(under) ? `_${under}` : `_{${under}}`}${printUpper(e.upper, print)} ${body}`;
}

function limitBinder(b: Binder, print: Print): string {
  return b.bound === null ? b.name : `${b.name} → ${print(b.bound, level.relation + 1, false)}`;
}

/** Conditions are read one by one and joined from the left. */
function conjuncts(condition: Expression | null): readonly Expression[] {
  const found: Expression[] = [];
  let rest = condition;
  while (rest?.kind === 'logic' && rest.operator === '∧') {
    found.unshift(rest.right);
    rest = rest.left;
  }
  return rest === null ? found : [rest, ...found];
}

function printUpper(upper: Expression | null, print: Print): string {
  if (upper === null) return '';
  const simple =
    (upper.kind === 'number' && upper.unit === null) ||
    upper.kind === 'infinity' ||
    (upper.kind === 'name' && isShortName(upper.text));
  const text = print(upper, level.equivalence, true);
  return simple ? `^${text}` : `^{${text}}`;
}
