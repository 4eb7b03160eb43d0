import { level } from '../notation/levels.ts';
import type { BigOperatorName, Binder, Expression } from '../notation/syntax.ts';
import { isNarrow } from './levels-of.ts';
import type { Print } from './print.ts';

const signs: Readonly<Record<BigOperatorName, string>> = {
  sum: '\\sum',
  product: '\\prod',
  union: '\\bigcup',
  intersection: '\\bigcap',
  max: '\\max',
  min: '\\min',
  argmax: '\\operatorname*{argmax}',
  argmin: '\\operatorname*{argmin}',
  mean: '\\operatorname*{mean}',
  expectation: '\\mathbb{E}',
  limit: '\\lim',
  count: '\\operatorname*{count}',
};

/** `\sum_{i < n}^{m} body`. */
export function latexBig(
  e: Extract<Expression, { kind: 'big' }>,
  tail: boolean,
  print: Print,
  binder: (b: Binder) => string,
): string {
  if (e.operator === 'expectation' && e.binders.length === 0)
    return `\\mathbb{E}\\left[${print(e.body, level.equivalence, true)}\\right]`;
  const limit = (b: Binder): string => binder(b).replace(' = ', ' \\to ');
  const binders = e.binders.map(e.operator === 'limit' ? limit : binder);
  const under = [...binders, ...(e.condition ? [print(e.condition, level.conjunction, false)] : [])].join(',\\,');
  const upper = e.upper ? `^{${print(e.upper, level.equivalence, true)}}` : '';
  return `${signs[e.operator]}${under === '' ? '' : `_{${under}}`}${upper} ${print(e.body, isNarrow(e.operator) ? level.sign : level.product, tail)}`;
}
