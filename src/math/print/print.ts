import type { Expression } from '../notation/syntax.ts';

/**
 * Prints an expression at a place that takes operators of `minimum` or tighter; `tail` says that nothing follows before the
 * next closing bracket.
 */
export type Print = (e: Expression, minimum: number, tail: boolean) => string;
