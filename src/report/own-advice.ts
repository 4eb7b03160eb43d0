/** How to fix a claim that its own equation breaks in float32: by whether it is false over the reals, too. */
import type { OverReals } from '../evidence/receipt.ts';
import { twoDigitsUp } from '../numeric/two-digits.ts';
import type { ClaimReport } from './report.ts';

/** One sentence; null for other claims, and where it is open which of the two it is. */
export function ownAdvice({ formal, tolerance, counterexample }: ClaimReport): string | null {
  const overReals = counterexample?.overReals;
  if (!overReals || overReals.verdict === 'open') return null;
  if (overReals.verdict === 'false')
    return `it is false over ℝ, too: ${overReals.why ?? 'the claim is false'}; to fix it, correct the claim or the formula, or narrow the domain so that it excludes such inputs`;
  if (isTie(formal ?? '', counterexample.explanation))
    return 'over ℝ it holds there; to fix it, write ≤ or ≥, since both sides are equal there, or narrow the domain so that the difference is not rounded away';
  const widened = overReals.largest && widenedBy(overReals.largest, tolerance ?? '', formal ?? '');
  return widened === null
    ? 'over ℝ it holds there; to fix it, narrow the domain, or write the formula so that it does not overflow or cancel'
    : `over ℝ it holds there, and float32 rounds; to fix it, ${widened}, with which it holds on every input that was tried`;
}

/** Whether a strict claim fails because float32 has the same finite number on both sides. */
function isTie(formal: string, explanation: string): boolean {
  const [, left] = /\bleft = (-?\d\S*), right = \1(?=[,;\s]|$)/u.exec(explanation) ?? [];
  return left !== undefined && /[<>]/u.test(formal) && !/≠|!=/u.test(formal);
}

/** What a claim that holds over the reals must allow; null where its tolerance is not made of numbers. */
function widenedBy({ of, error }: NonNullable<OverReals['largest']>, tolerance: string, formal: string): string | null {
  if (of === 'exact')
    return /[<>≤≥]/u.test(formal)
      ? `allow ${twoDigitsUp(error)} by adding it to the greater side`
      : `write ≈ for =, with tolerance: { abs: ${twoDigitsUp(error)} }`;
  const parts = /\b(abs|rel|ulp|cond) (\d[\d.e+-]*)/gu;
  const widened = tolerance.replaceAll(
    parts,
    (_, name: string, value: string) => `${name} ${twoDigitsUp(Number(value) * error)}`,
  );
  return widened === tolerance ? null : `widen its tolerance to ${widened}`;
}
