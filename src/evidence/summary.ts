import { isGreen, isRefuted, verdicts, type Level, type Verdict } from './verdict.ts';
import { lowerLevel, weakerVerdict } from './verdict-order.ts';

/** The claims of a contract in numbers, with the weakest verdict and level. */
export interface ClaimSummary {
  readonly declared: number;
  readonly evaluated: number;
  readonly failed: number;
  /** The weakest verdict; `undetermined` when nothing is declared or nothing was evaluated. */
  readonly verdict: Verdict;
  readonly level: Level;
}

/** N declared, K evaluated, F failed. K = 0 is never green. */
export function summarizeClaims(
  claims: readonly { readonly verdict: Verdict; readonly level: Level; readonly evaluated: boolean }[],
): ClaimSummary {
  const evaluated = claims.filter((claim) => claim.evaluated).length;
  const weakest = claims.map((claim) => claim.verdict).reduce<Verdict>(weakerVerdict, 'proved');
  const nothing = evaluated === 0 && isGreen(weakest);
  return {
    declared: claims.length,
    evaluated,
    failed: claims.filter((claim) => isRefuted(claim.verdict)).length,
    verdict: nothing ? 'undetermined' : weakest,
    level: nothing ? 'L0' : claims.map((claim) => claim.level).reduce<Level>(lowerLevel, 'L5'),
  };
}

/** How many of each verdict, every verdict present. */
export function countByVerdict(all: readonly Verdict[]): Readonly<Record<Verdict, number>> {
  const entries = verdicts.map((verdict) => [verdict, all.filter((one) => one === verdict).length] as const);
  // The keys are exactly the verdicts, which fromEntries cannot express.
  return Object.fromEntries(entries) as Record<Verdict, number>;
}
