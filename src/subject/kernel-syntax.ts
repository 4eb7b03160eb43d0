/**
 * The syntax of gpu.js kernels: the subset of TypeScript in which one call computes one output element.
 *
 * Plain data, so that backends and mutation need no compiler. Everything that this type cannot say is refused
 * when a kernel is read: closures, nested functions, writes to inputs, `NaN`, strings, objects.
 */

/** A node's place in the author's file; 1-based, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** `Math` functions that every backend has, with their number of arguments. `min` and `max` take two or more. */
export const mathFunctions = {
  abs: 1,
  floor: 1,
  ceil: 1,
  round: 1,
  trunc: 1,
  sign: 1,
  sqrt: 1,
  fround: 1,
  exp: 1,
  log: 1,
  log2: 1,
  sin: 1,
  cos: 1,
  tan: 1,
  tanh: 1,
  atan: 1,
  asin: 1,
  acos: 1,
  atan2: 2,
  sinh: 1,
  cosh: 1,
  pow: 2,
  min: 2,
  max: 2,
} as const;

/** A function of `Math` that kernels may call. */
export type MathFunction = keyof typeof mathFunctions;

/** The constants of `Math`. */
export const mathConstants = ['E', 'LN2', 'LN10', 'LOG2E', 'LOG10E', 'PI', 'SQRT1_2', 'SQRT2'] as const;

/** A constant of `Math` that kernels may use. */
export type MathConstant = (typeof mathConstants)[number];

/** An axis of `this.thread` and `this.output`; x is the fastest. */
export type Axis = 'x' | 'y' | 'z';

/** Operators on numbers; each rounds once on float32 backends. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '**';

/** Operators whose result is a truth value. */
export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '===' | '!==';

interface Node {
  readonly place: Place;
}

/** An expression of a kernel, with its place. */
export type KernelExpression = Node &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'infinity' }
    /** A local variable or a scalar parameter. */
    | { readonly kind: 'name'; readonly name: string }
    /** `this.thread.x`: which output element this is. */
    | { readonly kind: 'thread'; readonly axis: Axis }
    /** `this.output.x`: how many output elements there are along an axis. */
    | { readonly kind: 'output'; readonly axis: Axis }
    | { readonly kind: 'math-constant'; readonly name: MathConstant }
    | { readonly kind: 'element'; readonly array: string; readonly indices: readonly KernelExpression[] }
    | { readonly kind: 'unary'; readonly operator: '-' | '!'; readonly operand: KernelExpression }
    | {
        readonly kind: 'binary';
        readonly operator: ArithmeticOperator | ComparisonOperator;
        readonly left: KernelExpression;
        readonly right: KernelExpression;
      }
    | {
        readonly kind: 'logical';
        readonly operator: '&&' | '||';
        readonly left: KernelExpression;
        readonly right: KernelExpression;
      }
    | {
        readonly kind: 'conditional';
        readonly condition: KernelExpression;
        readonly then: KernelExpression;
        readonly otherwise: KernelExpression;
      }
    | { readonly kind: 'call'; readonly fn: MathFunction; readonly arguments: readonly KernelExpression[] }
  );

/** A statement of a kernel, with its place. */
export type KernelStatement = Node &
  (
    | { readonly kind: 'declare'; readonly constant: boolean; readonly name: string; readonly value: KernelExpression }
    | {
        readonly kind: 'assign';
        readonly name: string;
        readonly operator: '' | '+' | '-' | '*' | '/' | '%';
        readonly value: KernelExpression;
      }
    | { readonly kind: 'step'; readonly name: string; readonly by: 1 | -1 }
    | {
        readonly kind: 'if';
        readonly condition: KernelExpression;
        readonly then: readonly KernelStatement[];
        readonly otherwise: readonly KernelStatement[] | null;
      }
    | {
        readonly kind: 'for';
        readonly initial: KernelStatement;
        readonly condition: KernelExpression;
        readonly update: KernelStatement;
        readonly body: readonly KernelStatement[];
      }
    | { readonly kind: 'while'; readonly condition: KernelExpression; readonly body: readonly KernelStatement[] }
    | { readonly kind: 'break' }
    | { readonly kind: 'continue' }
    | { readonly kind: 'return'; readonly value: KernelExpression }
  );

/** A kernel as a tree, which needs no compiler any more. */
export interface KernelFunction {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly rank: 0 | 1 | 2 | 3 }[];
  readonly body: readonly KernelStatement[];
}
