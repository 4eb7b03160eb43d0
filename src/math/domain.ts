/**
 * The inputs of a goal: size variables, input variables with their bounds, and what else must hold.
 *
 * Plain data, so that generated tests can carry a domain as a constant. Generators construct inputs from
 * it; only `preconditions` are checked after construction (and count as filtered when they fail).
 */
import type { ScalarType, Term } from './term/term.ts';

/** An inclusive integer size such as `n` in `x ∈ F32^n, 1 ≤ n ≤ 4096`. */
export interface SizeVariable {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  /** The largest that the domain allows, ∞ if it bounds the size nowhere; absent: `maximum`. */
  readonly declaredMaximum?: number;
  /** `n mod 2 = 0` gives 2; otherwise 1. */
  readonly multipleOf: number;
  /** `d = 2·k`, `h = g·r`: computed from earlier sizes instead of drawn; null if drawn. */
  readonly definition: Term | null;
}

/** One end of an interval; `open` excludes it. */
export interface Bound {
  /** Over size variables and scalar variables declared earlier. */
  readonly value: Term;
  readonly open: boolean;
}

/** An input with its type and its range. */
export interface InputVariable {
  readonly name: string;
  readonly element: ScalarType;
  /** Present where the domain says ℝ, or an interval: any real number, which a kernel receives as a float32. */
  readonly real?: true;
  /** Empty for a scalar. Terms over size variables. */
  readonly shape: readonly Term[];
  /** Bounds of every element; of a string those of its length. null: unbounded (a float format ends at its largest finite number). */
  readonly lower: Bound | null;
  readonly upper: Bound | null;
  /** `x ∈ {0, 1}`: the only values, else null. */
  readonly choices: readonly Term[] | null;
  /** Values that no element takes (`α ≠ 0`). */
  readonly excluded: readonly Term[];
  /** Whether NaN and the infinities belong to the domain (only when the contract says so, e.g. `x ∈ F32_ext^n`). */
  readonly nonFinite: boolean;
  /** Structure that generators build rather than filter: rows of the last axis that sum to one, or are strictly increasing. */
  readonly structure: 'none' | 'simplex' | 'increasing';
  /** Of an integer of a programming language (`usize`), whether it has a sign: quotients of such integers are rounded there. */
  readonly machine?: 'signed' | 'unsigned';
  /** The characters of a string; absent: any. */
  readonly alphabet?: readonly string[];
}

/** All inputs that a claim is about. */
export interface Domain {
  readonly sizes: readonly SizeVariable[];
  /** Scalars before the tensors whose bounds mention them. */
  readonly variables: readonly InputVariable[];
  /** Boolean terms over sizes and variables that construction does not already guarantee. */
  readonly preconditions: readonly Term[];
  /**
   * Absent: inputs are numbers that a kernel can receive, so that a real number is a float32 and a whole number has 32
   * bits. Present: the bounds of the domain are the only ends that they have.
   */
  readonly unlimited?: true;
}

/** Over the reals: no input ends where the numbers of kernels do. */
export function unlimited(domain: Domain): Domain {
  return { ...domain, unlimited: true };
}

/** Whether the domain holds inputs that no kernel can receive. */
export function goesBeyondKernels({ variables }: Domain): boolean {
  return variables.some(
    ({ element, real, choices, lower, upper }) =>
      choices === null && (real === true || (element.kind === 'integer' && [lower, upper].some(isBeyond32Bits))),
  );
}

/** A bound that depends on another input has that input's range. */
function isBeyond32Bits(bound: Bound | null): boolean {
  if (bound === null) return true;
  const [operand] = bound.value.kind === 'call' && bound.value.fn === 'negate' ? bound.value.arguments : [bound.value];
  return operand?.kind === 'number' && Math.abs(Number(operand.value)) > 2 ** 31;
}
