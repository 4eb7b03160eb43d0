/** How an author could fix a statement, from what its counterexample shows. */
import type { Goal } from '../../contract/goal.ts';
import type { Counterexample, WorstCase } from '../../evidence/receipt.ts';
import { twoDigitsUp } from '../../numeric/two-digits.ts';
import type { AdoptionWord } from '../../report/adopt/adoption.ts';

/** One line; the smallest tolerance that holds at the counterexample where the claim compares with one. */
export function mendOf(
  { toleranceText, formal }: Pick<Goal, 'toleranceText' | 'formal'>,
  word: AdoptionWord,
  { explanation, outputs }: Pick<Counterexample, 'explanation' | 'outputs'>,
  worst: WorstCase | null,
): string {
  const isFinite = !/\b(?:Infinity|NaN)\b/u.test([explanation, ...outputs].join(' '));
  if (!isFinite && word !== 'false')
    return 'bound the inputs so that no intermediate result overflows, or rewrite the formula so that none does';
  if (worst && worst.ratio > 1 && Number.isFinite(worst.error))
    return `allow ${twoDigitsUp(worst.error)}, which holds at this input, where the claim allows ${short(worst.allowed)}`;
  const sides = sidesOf(explanation);
  if (sides && sides[0] === sides[1] && /[<>]/u.test(formal + explanation))
    return 'write ≤ or ≥, since both sides are equal there, or narrow the domain so that the difference is not rounded away';
  if (word === 'false') return 'correct the claim or the formula, or narrow the domain so that it excludes this input';
  const apart = sides ? Math.abs(sides[0] - sides[1]) : Number.NaN;
  if (Number.isFinite(apart) && apart > 0 && /[<>≤≥]/u.test(explanation))
    return `widen the bound by ${twoDigitsUp(apart)}, with which it holds at this input`;
  if (Number.isFinite(apart) && apart > 0)
    return `allow ${twoDigitsUp(apart)}, which holds at this input (the claim's tolerance: ${toleranceText})`;
  if (/≠|!=/u.test(formal)) return 'correct the claim, or narrow the domain so that it excludes this input';
  return 'give the claim a tolerance, or narrow its domain';
}

/** The numbers of `left = 1, right = 1`. */
export function sidesOf(explanation: string): readonly [number, number] | null {
  const found = /\bleft = (\S+), right = (\S+?)(?:[,;\s]|$)/u.exec(explanation);
  const [left, right] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  return Number.isNaN(left) || Number.isNaN(right) ? null : [left, right];
}

const short = (value: number): string => String(Number(value.toPrecision(3)));
