/**
 * Reused evidence is not merely trusted: a random share of it is recomputed and must match what is stored.
 */
import { canonicalJson } from '../base/canonical-json.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { sha256 } from '../evidence/digest.ts';
import { toJsonForm } from '../evidence/json-form.ts';
import type { Receipt } from '../evidence/receipt.ts';
import type { Check } from './check.ts';

/** Which reused checks are made again. */
export interface SpotChecks {
  /** The seed of the draw: the same seed draws the same checks. */
  readonly seed: number;
  /** The share of the reused checks, from 0 to 1. */
  readonly share: number;
  /** No check is drawn beyond this total time, according to their receipts. */
  readonly longestMs: number;
}

/** Those of `reused` that are to be made again. */
export function drawn(
  reused: readonly Check[],
  { seed, share, longestMs }: SpotChecks,
  receiptOf: (check: string) => Receipt | undefined,
): readonly Check[] {
  const placed = reused
    .map((check) => ({ check, at: placeOf(seed, check.id) }))
    .filter(({ at }) => at < share)
    .toSorted((a, b) => a.at - b.at);
  let spent = 0;
  return placed.flatMap(({ check }) => {
    spent += receiptOf(check.id)?.timing.elapsedMs ?? 0;
    return spent <= longestMs ? [check] : [];
  });
}

/** Uniform in [0, 1): the first 32 bits of a digest. */
function placeOf(seed: number, check: string): number {
  return parseInt(sha256(`spot check ${seed} ${check}`).slice('sha256:'.length, 'sha256:'.length + 8), 16) / 2 ** 32;
}

/** PV-6062 if a check's result differs from its receipt; null also if an interrupted run shows nothing. */
export function disagreement(stored: Receipt, again: Receipt): Diagnostic | null {
  if (again.verdict === 'incomplete' || again.verdict === 'undetermined') return null;
  if (outcomeOf(stored) === outcomeOf(again)) return null;
  const message = `the stored ${stored.method} evidence of ${stored.goal} says ${stored.verdict}, and the same check run again ${again.verdict === stored.verdict ? 'found something else' : `says ${again.verdict}`}`;
  return diagnostic('PV-6062', null, message, {
    subject: stored.goal,
    hint: 'run pv audit --fresh, and look for what the kernel depends on besides its arguments',
  });
}

/** What decides. How often stored failures were run again first, and where the worst case was, does not. */
function outcomeOf({ verdict, mutants, statistics }: Receipt): string {
  return canonicalJson(toJsonForm({ verdict, mutants, statistics }));
}
