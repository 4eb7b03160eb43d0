/** How many claims of a report have each verdict. */
import { countByVerdict } from '../evidence/summary.ts';
import { verdicts, type Verdict } from '../evidence/verdict.ts';
import { isDeclared, type Report } from './report.ts';
import { claimShownAs, verdictMarks } from './verdict-mark.ts';

/** Some claims of a report that have one verdict and one mark. */
export interface Tally {
  readonly verdict: Verdict;
  readonly shown: Verdict;
  readonly claims: number;
}

/** All claims, best verdict first; those that held in hollow contracts are counted apart. */
export function tallies({ contracts, totals }: Pick<Report, 'contracts' | 'totals'>): readonly Tally[] {
  const hollow = countByVerdict(
    contracts.flatMap((contract) =>
      contract.claims
        .filter(isDeclared)
        .flatMap((claim) => (claimShownAs(claim, contract) === claim.verdict ? [] : [claim.verdict])),
    ),
  );
  return [...verdicts]
    .reverse()
    .flatMap((verdict): Tally[] => [
      { verdict, shown: verdict, claims: totals.byVerdict[verdict] - hollow[verdict] },
      { verdict, shown: 'incomplete', claims: hollow[verdict] },
    ])
    .filter(({ claims }) => claims > 0);
}

/** `✓ 3 tested`. */
export const tallyText = ({ verdict, shown, claims }: Tally): string =>
  `${verdictMarks[shown].symbol} ${claims} ${verdict}`;
