/** Checks of the resumed run's probe: most compare a part of it with the same part at the save. */
import { ok } from '../../base/result.ts';
import type { Checkpoint } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';
import type { Check, Evidence, Finding } from './check.ts';

/** The probes of one rank. */
export interface Probed {
  readonly live: Probe;
  /** Null if there was no probe of this rank at the save. */
  readonly saved: Probe | null;
  readonly checkpoint: Checkpoint;
  readonly evidence: Evidence;
}

const grave = ['CRITICAL', 'NOT CHECKED', 'WARN', 'PASS'] as const;

/** A check of each rank's probe, whose gravest finding counts. Does not apply without a probe. */
export const ofEachRank =
  (judge: (probed: Probed) => Finding | null): Check =>
  (checkpoint, evidence) => {
    const findings = (evidence.live ?? []).flatMap((live) => {
      const saved = evidence.saved?.find(({ rank }) => rank === live.rank) ?? null;
      const finding = judge({ live, saved, checkpoint, evidence });
      return finding === null ? [] : [{ finding, rank: live.rank }];
    });
    const [gravest] = findings.toSorted(
      (a, b) => grave.indexOf(a.finding.status) - grave.indexOf(b.finding.status) || a.rank - b.rank,
    );
    if (gravest === undefined) return ok(null);
    const { finding, rank } = gravest;
    return ok(rank === 0 ? finding : { ...finding, why: `rank ${rank}: ${finding.why ?? finding.status}` });
  };

/** A check of the probe of rank 0. */
export const ofFirstRank =
  (judge: (probed: Probed) => Finding | null): Check =>
  (checkpoint, evidence) => {
    const [live] = evidence.live ?? [];
    return ok(live === undefined ? null : judge({ live, saved: evidence.saved?.[0] ?? null, checkpoint, evidence }));
  };

/** `3 of 10: a, b and c`. */
export const someOf = (found: readonly string[], total: number): string =>
  `${found.length} of ${total}: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}`;

/** The start of a digest. */
export const brief = (digest: string): string => digest.slice(0, 12);
