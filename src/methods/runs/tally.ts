/**
 * The results of a run over cases so far, and the verdict that they allow.
 */
import { count } from '../../base/text.ts';
import type { Verdict } from '../../evidence/verdict.ts';
import type { Case } from '../../math/compile/compiled.ts';
import { MAXIMUM_FILTERED_SHARE, type CaseOutcome, type CaseStatus } from '../../runtime/check-case.ts';

/** Running counts; it is mutable. */
export interface Tally {
  /** Cases that were run to the end, including the broken one. */
  cases: number;
  filtered: number;
  premiseHits: number;
  worst: { readonly error: number; readonly allowed: number; readonly ratio: number; readonly input: Case } | null;
  broken: Case | null;
  /** Why the backend cannot run the kernel at all. */
  unsupported: string | null;
  /** Cases that could not be decided, and why the first could not. */
  undecided: number;
  undecidedBy: string | null;
  /** Cases that take too long to run, and why the first does. */
  tooLong: number;
  tooLongBy: string | null;
  /** The first of the filtered ones. */
  readonly filteredCases: Case[];
  /** Which preconditions they broke, as a sentence's part; null until someone has looked. */
  filteredBy: string | null;
  /** Smallest and largest value of every size among the cases that ran, in the order of the domain. */
  readonly sizes: { minimum: number; maximum: number }[];
  /** The combinations of sizes among them, as text. */
  readonly combinations: Set<string>;
  /** The sizes of the last one: cases of a block share them. */
  lastSizes: readonly number[] | null;
}

/** The tally before the first case. */
export function emptyTally(): Tally {
  return {
    cases: 0,
    filtered: 0,
    premiseHits: 0,
    worst: null,
    broken: null,
    unsupported: null,
    undecided: 0,
    undecidedBy: null,
    tooLong: 0,
    tooLongBy: null,
    filteredCases: [],
    filteredBy: null,
    sizes: [],
    combinations: new Set(),
    lastSizes: null,
  };
}

/** A copy that later cases do not overwrite. */
export function keepCase(candidate: Case): Case {
  return {
    sizes: [...candidate.sizes],
    values: candidate.values.map((value) => (typeof value === 'object' ? value.slice() : value)),
  };
}

/** Receipts are JSON, which has no infinities: an error that is not finite is written as the largest double. */
function finite(x: number): number {
  return Number.isFinite(x) ? x : Number.MAX_VALUE;
}

function noteWorst(tally: Tally, candidate: Case, { report }: CaseOutcome): void {
  const { ratio } = report;
  // −1 says that nothing was compared with a tolerance; NaN is beyond every tolerance.
  if (ratio < 0 || (tally.worst && finite(ratio) <= tally.worst.ratio)) return;
  tally.worst = {
    error: finite(report.error),
    allowed: finite(report.allowed),
    ratio: finite(ratio),
    input: keepCase(candidate),
  };
}

function noteSizes(tally: Tally, { sizes }: Case): void {
  if (sizes === tally.lastSizes) return;
  tally.lastSizes = sizes;
  tally.combinations.add(sizes.join());
  for (let i = 0; i < sizes.length; i++) {
    const value = sizes[i] ?? 0;
    const seen = tally.sizes[i];
    if (!seen) tally.sizes[i] = { minimum: value, maximum: value };
    else if (value < seen.minimum) seen.minimum = value;
    else if (value > seen.maximum) seen.maximum = value;
  }
}

/** Enough to find the precondition that filters most. */
const mostKept = 100;

/** After this many undecided cases the claim is left open; until then, another case may still break it. */
const mostUndecided = 20;

/** Whether more cases would not change the verdict. */
export function isSettled({ unsupported, undecided }: Tally): boolean {
  return unsupported !== null || undecided >= mostUndecided;
}

/** Counts one case; false when the run should stop. */
export function note(tally: Tally, status: CaseStatus, candidate: Case | null, outcome: CaseOutcome): boolean {
  if (status === 'filtered' || candidate === null) {
    tally.filtered++;
    if (candidate && tally.filteredCases.length < mostKept) tally.filteredCases.push(keepCase(candidate));
    return true;
  }
  if (outcome.problem?.kind === 'unsupported' || outcome.problem?.kind === 'device') {
    tally.unsupported = outcome.problem.message;
    return false;
  }
  if (outcome.problem?.kind === 'undecided') {
    tally.undecidedBy ??= outcome.problem.message;
    tally.undecided++;
    return !isSettled(tally);
  }
  if (outcome.problem?.kind === 'too-long') {
    tally.tooLongBy ??= outcome.problem.message;
    tally.tooLong++;
    return true;
  }
  tally.cases++;
  noteSizes(tally, candidate);
  if (!outcome.problem) {
    if (outcome.report.premise) tally.premiseHits++;
    noteWorst(tally, candidate, outcome);
  }
  if (status === 'held') return true;
  tally.broken = keepCase(candidate);
  return false;
}

/** Whether so many cases were filtered that the tested domain is not the declared one. */
export function isMuchFiltered({ cases, filtered }: Tally): boolean {
  return filtered > MAXIMUM_FILTERED_SHARE * (cases + filtered);
}

/** A verdict with its reason. */
export interface Grade {
  readonly verdict: Verdict;
  readonly reason: string | null;
}

/** How a reason says that inputs were not run, since they take too long. */
export const leftOut = 'were left out';

/** Verdict and reason of a run without a broken case; `declared` is what the contract requires. */
export function gradeTally(tally: Tally, declared: number, stopped: boolean): Grade {
  const { cases, filtered, premiseHits, unsupported, undecided, undecidedBy, tooLong, tooLongBy } = tally;
  const made = cases + filtered;
  const named = tally.filteredBy === null ? '' : `, ${tally.filteredBy}`;
  if (unsupported !== null) return { verdict: 'undetermined', reason: unsupported };
  if (undecidedBy !== null)
    return {
      verdict: 'undetermined',
      reason: `${undecidedBy}, in ${count(undecided, 'case')} of ${cases + undecided}`,
    };
  if (stopped) return { verdict: 'incomplete', reason: `the time budget ended after ${cases} of ${declared} cases` };
  if (tooLongBy !== null)
    return {
      verdict: cases === 0 ? 'undetermined' : 'incomplete',
      reason: `${tooLong} of ${count(cases + tooLong, 'input')} ${leftOut}: ${tooLongBy}`,
    };
  if (cases === 0)
    return {
      verdict: 'vacuous',
      reason:
        made === 0
          ? 'no input satisfies the preconditions'
          : `no case was run: all ${made} inputs broke a precondition${named}`,
    };
  if (isMuchFiltered(tally)) {
    const share = Math.round((100 * filtered) / made);
    return {
      verdict: 'incomplete',
      reason: `${filtered} of ${made} inputs (${share} %) broke a precondition${named}, at most ${100 * MAXIMUM_FILTERED_SHARE} % may: state it as bounds of the domain`,
    };
  }
  if (cases < declared) return { verdict: 'incomplete', reason: `${cases} of ${declared} cases were run` };
  if (premiseHits === 0)
    return { verdict: 'vacuous', reason: `no premise of an implication held in any of ${cases} cases` };
  return { verdict: 'tested', reason: null };
}
