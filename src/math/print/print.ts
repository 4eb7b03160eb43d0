/**
 * The traversal that every format of expressions shares: only this decides where parentheses go.
 */
import type { Expression } from '../notation/syntax.ts';
import { reachesToEnd } from './levels-of.ts';

/**
 * Prints an expression at a place that takes operators of `minimum` or tighter; `tail` says that nothing follows before the
 * next closing bracket.
 */
export type Print = (e: Expression, minimum: number, tail: boolean) => string;

type Kind = Expression['kind'];

/** A node of one kind, or of any of several. */
export type NodeOf<K extends Kind = Kind> = { [P in K]: Extract<Expression, { readonly kind: P }> }[K];

/** How nodes of each kind are written, without parentheses around them. */
export type Rules<K extends Kind = Kind> = { readonly [P in K]: (e: NodeOf<P>, tail: boolean) => string };

/** One way to print expressions. */
export interface Format {
  readonly parentheses: readonly [open: string, close: string];
  /** The binding power of the outermost operator, as this format shows it. */
  readonly levelOf: (e: Expression) => number;
  readonly rules: (print: Print) => Rules;
}

/** The printer of a format. */
export function printerOf({ parentheses: [open, close], levelOf, rules }: Format): Print {
  const print: Print = (e, minimum, tail) => {
    const fits = levelOf(e) >= minimum || (tail && reachesToEnd(e));
    return fits ? printBare(table, e, tail) : `${open}${printBare(table, e, true)}${close}`;
  };
  const table = rules(print);
  return print;
}

function printBare<K extends Kind>(rules: Rules<K>, e: NodeOf<K>, tail: boolean): string {
  return rules[e.kind](e, tail);
}
