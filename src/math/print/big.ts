import { level } from '../notation/levels.ts';
import type { BigOperatorName, Binder, Expression } from '../notation/syntax.ts';
import { isNarrow } from './levels-of.ts';
import type { NodeOf, Print } from './print.ts';
import { inBrackets, printBinder, type Signs } from './shared-rules.ts';

/** How a format sets what is under and over a big operator. */
export interface BigStyle {
  readonly signs: Readonly<Record<BigOperatorName, string>>;
  /** An expectation over nothing in particular. */
  readonly expectation: readonly [open: string, close: string];
  readonly separator: string;
  readonly conditions: (condition: Expression) => readonly string[];
  readonly under: (text: string) => string;
  readonly upper: (e: Expression) => string;
}

/** `Σ_{i < n}^{m} body`. */
export function printBig(e: NodeOf<'big'>, tail: boolean, print: Print, format: Signs, style: BigStyle): string {
  if (e.operator === 'expectation' && e.binders.length === 0)
    return `${style.expectation[0]}${inBrackets(e.body, print)}${style.expectation[1]}`;
  const binders = e.binders.map((b) =>
    e.operator === 'limit' ? limitBinder(b, print, format) : printBinder(b, print, format),
  );
  const under = [...binders, ...(e.condition ? style.conditions(e.condition) : [])].join(style.separator);
  const limits = `${under === '' ? '' : style.under(under)}${e.upper ? style.upper(e.upper) : ''}`;
  const body = print(e.body, isNarrow(e.operator) ? level.sign : level.product, tail);
  return `${style.signs[e.operator]}${limits} ${body}`;
}

/** The variable of a limit and what it tends to. */
function limitBinder(b: Binder, print: Print, { name, arrow }: Signs): string {
  return b.bound === null ? name(b.name) : `${name(b.name)} ${arrow} ${print(b.bound, level.relation + 1, false)}`;
}
