/** Whether a predicate over the reals holds for given inputs, with as many digits as that takes. */
import type { Decimal } from 'decimal.js';
import { err, type Result } from '../../base/result.ts';
import { interpret } from '../../math/evaluate/interpret.ts';
import { realArithmetic, type FailedComparison } from '../../math/evaluate/real-arithmetic.ts';
import type { Environment } from '../../math/evaluate/value.ts';
import type { Term } from '../../math/term/term.ts';

/** Significant digits of the first attempt, and of further ones while some comparison is doubtful. */
const attempts = [40, 80, 160, 320, 640] as const;
/** What is spent on one input. */
export interface Effort {
  readonly digits: readonly number[];
  readonly maxSteps: number;
}

const full: Effort = { digits: attempts, maxSteps: 2_000_000 };
/** Where many inputs of a claim were open with all digits, each of which costs hundreds of times what the first costs. */
export const littleEffort: Effort = { digits: attempts.slice(0, 2), maxSteps: 50_000 };
/** Where some inputs took too many steps: a sum with 2³¹ terms, which most inputs of an unbounded size have. */
export const leastEffort: Effort = { ...littleEffort, maxSteps: 5_000 };
/** Only these digits. */
export const inDigits = (digits: number): Effort => ({ ...full, digits: [digits] });
/** With this many digits, a claim that holds counts as holding even if a strict order in it failed between equal numbers. */
const enough = 320;
/** The digits of the first attempt, as recorded in receipts. */
export const REAL_DIGITS = attempts[0];

/** The predicate holds to the digits that were computed. */
export interface Holds {
  readonly kind: 'holds';
  /** The digits in which numbers were treated as equal; null if none had to be. */
  readonly equalTo: number | null;
  /** Digits at which terms too small for the computed digits would show; 0 if there are none. */
  readonly hiddenUntil: number;
  /** The same of products of such terms. */
  readonly productsUntil: number;
  /** Whether inexact numbers were compared, with no term too small. */
  readonly isTelling: boolean;
  readonly branches: ReadonlySet<string>;
}

/** `open` if no number of digits decides. */
export type Answer =
  Holds | { readonly kind: 'fails'; readonly why: string } | { readonly kind: 'open'; readonly why: string };

/** Log₁₀ of the difference that counts as zero; absent: far below float32. */
export type Negligible = number | undefined;

/** Tries the numbers of digits, one after another, until the predicate is decided. */
export function decide(
  predicate: Term,
  environment: Environment,
  negligible: Negligible,
  { digits: numbers, maxSteps }: Effort = full,
): Answer {
  for (const digits of numbers) {
    const arithmetic = realArithmetic(digits, negligible);
    const found = withinDecimals(() => interpret(predicate, environment, arithmetic, { maxSteps }));
    if (!found.ok) return { kind: 'open', why: found.error };
    if (arithmetic.isDoubtful()) continue;
    // An order that fails only in these digits may hold with more; a claim that holds despite it was settled before.
    if (arithmetic.isTied() && (found.value !== true || digits < enough)) continue;
    // Decimals are written to 40 digits too, as one of π: numbers that 40 digits do not separate are compared again with more.
    if (arithmetic.isNear() && digits === REAL_DIGITS) continue;
    const [hiddenUntil, failed] = [arithmetic.hiddenUntil(), arithmetic.lastFailed()];
    if (found.value === true)
      return {
        kind: 'holds',
        equalTo: arithmetic.isNear() ? digits : null,
        hiddenUntil,
        productsUntil: arithmetic.productsUntil(),
        isTelling: arithmetic.isTelling(),
        branches: arithmetic.branches(),
      };
    // A claim that fails because two numbers seem equal, as in `p = 1/2 ⟺ x = 0`, may hold once a small term separates them.
    if (hiddenUntil > 0) continue;
    const what = failed ? `${textOf(failed, digits)} is` : 'the claim is';
    return { kind: 'fails', why: `over the reals, ${what} false (${digits} digits)` };
  }
  return { kind: 'open', why: `${numbers.at(-1) ?? 0} digits do not separate the sides of a comparison` };
}

/** π is known to 1,025 digits: sine and cosine of numbers with many digits need more, and decimal.js throws. */
function withinDecimals<T>(compute: () => Result<T, string>): Result<T, string> {
  try {
    return compute();
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.endsWith('Precision limit exceeded'))
      return err('the sides of a comparison take π or ln 10 in more digits than the 1,025 that are known');
    throw thrown;
  }
}

/** More than half of the digits: the last of them may be those that distinguish two numbers. */
function textOf({ left, symbol, right }: FailedComparison, digits: number): string {
  const shown = (value: Decimal): string => value.toSignificantDigits(digits / 2 + 12).toString();
  const sides = `${shown(left)} ${symbol} ${shown(right)}`;
  if (left.isNaN() || right.isNaN()) return `${sides}, where a side has no value,`;
  const apart = left.minus(right);
  const looksEqual = shown(left) === shown(right) && apart.isFinite() && !apart.isZero();
  return looksEqual
    ? `${sides}, where the left side minus the right one is ${apart.toSignificantDigits(3).toString()},`
    : sides;
}
