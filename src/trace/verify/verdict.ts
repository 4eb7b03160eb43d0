/** The common part of all verdicts. */
import type { SignedBy } from '../../notes/open.ts';
import type { Problem } from '../../base/problem.ts';
import type { Standing } from './anchor.ts';
import type { Check } from './check.ts';
import type { Coverage, VerdictWord } from './headline.ts';

export interface Verdict {
  readonly verdict: VerdictWord;
  /** What it shows, and what a verified or `undetermined` one leaves open; empty elsewhere. */
  readonly covers: Coverage;
  /** In the order in which they were made. */
  readonly checks: readonly Check[];
  /** What the failed checks found. */
  readonly problems: readonly Problem[];
  readonly standing: Standing;
  /** Whose signatures were demanded and found. */
  readonly signedBy: readonly SignedBy[];
  /** What the verdict does not show, one clause each. */
  readonly unbound: readonly string[];
}

/** Who vouches for a root, in words that follow "bound by". */
export const standingWords: Readonly<Record<Exclude<Standing, 'nothing'>, string>> = {
  signatures: 'signatures of keys that you trust',
  'given checkpoint': 'the checkpoint that you gave, whose signatures were not checked',
  'given root and size': 'the root and the size that you gave',
  'given root': 'the root that you gave',
};

/** On the first line, for a checkpoint that was given without a key: anyone can write one. */
export const signaturesUnread = 'signatures not checked';

/** The same for a whole verdict; `advice` is what to do about a root that no one vouches for. */
export function boundBy({ standing, verdict }: Pick<Verdict, 'standing' | 'verdict'>, advice: string): string {
  if (standing !== 'nothing') return standingWords[standing];
  // If a check failed, there is no advice to give what may already have been given.
  return verdict === 'failed'
    ? 'nothing, because the verification failed'
    : `nothing: the root is self-declared; ${advice}`;
}
