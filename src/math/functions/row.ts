/**
 * What a row of the function table says: one meaning per back end.
 */
import type { Decimal } from 'decimal.js';

/** What an argument may be; `any` is compared only with arguments of its own kind. */
export type ArgumentKind = 'number' | 'boolean' | 'string' | 'any';

/** How a printer writes the function. Precedence: 1 ⟺ · 2 ⟹ · 3 ∨ · 4 ∧ · 5 ¬ · 6 relations · 7 + − · 8 · / · 9 unary − · 10 powers. */
export type Notation =
  | { readonly style: 'infix'; readonly symbol: string; readonly precedence: number }
  | { readonly style: 'prefix'; readonly symbol: string; readonly precedence: number }
  | { readonly style: 'postfix'; readonly symbol: string; readonly precedence: number }
  /** `name(a, b)` */
  | { readonly style: 'call'; readonly name: string }
  /** `open a, b close` */
  | { readonly style: 'around'; readonly open: string; readonly close: string }
  /** `\name{a}{b}`; only LaTeX. */
  | { readonly style: 'command'; readonly name: string };

/** A back end that does not know the function yet; whatever needs it is `undetermined`, never green. */
const NONE_YET = 'none yet';

/** How calls are printed as text and in LaTeX. */
export interface Printing {
  readonly text: Notation;
  readonly latex: Notation;
}

interface Common extends Printing {
  readonly arguments: readonly ArgumentKind[];
  /** JavaScript for the float64 meaning; arguments arrive as atoms or in parentheses, `m` is `runtime/mathematics.ts`. */
  readonly javascript: (a: string, b: string, c: string) => string;
  readonly smt: typeof NONE_YET;
  readonly interval: typeof NONE_YET;
}

/** The constructor that fixes the digits of exact evaluation. */
export type DecimalContext = typeof Decimal;

/** A function of up to three numbers; those without arguments ignore what they get. */
export interface NumericRow extends Common {
  readonly kind: 'numeric';
  /** `widest`: an integer when every argument is one. */
  readonly result: 'real' | 'integer' | 'widest';
  /** The float32 meaning is the float64 meaning rounded once; `exact` when the result is a float32 whenever the arguments are. */
  readonly float32: 'rounded' | 'exact';
  readonly float64: (a: number, b: number, c: number) => number;
  readonly exact: (context: DecimalContext, a: Decimal, b: Decimal, c: Decimal) => Decimal;
}

/** Numbers to a truth value; the same meaning in float32, since comparing rounds nothing. */
export interface PredicateRow extends Common {
  readonly kind: 'predicate';
  readonly float64: (a: number, b: number, c: number) => boolean;
  readonly exact: (context: DecimalContext, a: Decimal, b: Decimal, c: Decimal) => boolean;
}

/** `equal` and `not-equal`: of two numbers, truth values or strings. */
export interface EqualityRow extends Common {
  readonly kind: 'equality';
  readonly negated: boolean;
}

/** A function of truth values. */
export interface LogicRow extends Common {
  readonly kind: 'logic';
  readonly meaning: (a: boolean, b: boolean) => boolean;
}

/** A function from strings to numbers. */
export interface LengthRow extends Common {
  readonly kind: 'length';
  readonly meaning: (a: string) => number;
}

/** A number at a position of a string; NaN outside it. */
export interface UnitRow extends Common {
  readonly kind: 'unit';
  readonly meaning: (a: string, at: number) => number;
}

/** A function from two strings to a string. */
export interface ConcatRow extends Common {
  readonly kind: 'concat';
  readonly meaning: (a: string, b: string) => string;
}

/** A row of the table; `kind` says of what it is a function. */
export type FunctionRow = NumericRow | PredicateRow | EqualityRow | LogicRow | LengthRow | UnitRow | ConcatRow;

/** Columns that no row fills yet. */
export const unmodelled = { smt: NONE_YET, interval: NONE_YET } as const;

/** Written between its operands. */
export const infix = (symbol: string, precedence: number): Notation => ({ style: 'infix', symbol, precedence });
/** Written before its operand. */
export const prefix = (symbol: string, precedence: number): Notation => ({ style: 'prefix', symbol, precedence });
/** Written as `name(…)`. */
export const called = (name: string): Notation => ({ style: 'call', name });
/** Written on both sides of its operand, like |x|. */
export const around = (open: string, close: string): Notation => ({ style: 'around', open, close });
/** A LaTeX command with its operands in braces. */
export const command = (name: string): Notation => ({ style: 'command', name });
