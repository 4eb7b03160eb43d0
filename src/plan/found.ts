import type { RanOn } from '../backends/backend.ts';
import type { MutantOutcome, Receipt, RecordedInput } from '../evidence/receipt.ts';
import type { Verdict } from '../evidence/verdict.ts';
import type { PropertyOutcome } from '../methods/runs/outcome.ts';
import type { Scanned } from './check.ts';
import type { Trouble } from './open-subjects.ts';

/** What running a check found, before it becomes a receipt. */
export interface Found extends Pick<
  Receipt,
  | 'declaredCases'
  | 'cases'
  | 'filtered'
  | 'premiseHits'
  | 'worst'
  | 'counterexample'
  | 'statistics'
  | 'proof'
  | 'reason'
> {
  readonly verdict: Verdict;
  readonly beyond?: Receipt['beyond'];
  readonly combinations?: Receipt['combinations'];
  readonly boundaries?: Receipt['boundaries'];
  readonly literals?: Receipt['literals'];
  readonly large?: Receipt['large'];
  readonly equalTo?: Receipt['equalTo'];
  readonly mostAllowed?: Receipt['mostAllowed'];
  readonly ran: RanOn | null;
  readonly mutants: readonly MutantOutcome[] | null;
  readonly failure: RecordedInput | null;
  /** What is wrong with the device, or with a shader in its eyes, when something is. */
  readonly trouble?: Trouble | null;
  /** For a part of a check, instead of everything above. */
  readonly scanned?: Scanned;
}

/** The counts of a check that ran no cases. */
export const nothing: Omit<Found, 'verdict' | 'reason'> = {
  declaredCases: 0,
  cases: 0,
  filtered: 0,
  premiseHits: 0,
  worst: null,
  counterexample: null,
  statistics: null,
  proof: null,
  ran: null,
  mutants: null,
  failure: null,
};

/** The part of an outcome that a receipt records. */
export function fromOutcome(outcome: PropertyOutcome): Found {
  const { verdict, reason, declaredCases, cases, filtered, premiseHits, worst, counterexample, statistics, ran } =
    outcome;
  return {
    verdict,
    reason,
    declaredCases,
    cases,
    filtered,
    premiseHits,
    worst,
    counterexample,
    statistics,
    proof: null,
    ...(outcome.beyond ? { beyond: outcome.beyond } : {}),
    ...(outcome.combinations ? { combinations: outcome.combinations } : {}),
    ...(outcome.boundaries === undefined ? {} : { boundaries: outcome.boundaries }),
    ...(outcome.literals === undefined ? {} : { literals: outcome.literals }),
    ...(outcome.large ? { large: outcome.large } : {}),
    ...(outcome.equalTo === undefined ? {} : { equalTo: outcome.equalTo }),
    ran,
    mutants: null,
    failure: outcome.found && (outcome.counterexample?.input ?? null),
  };
}
