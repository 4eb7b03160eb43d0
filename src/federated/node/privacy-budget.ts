/** What a node has released of its data over all rounds, and how much more its operator allows. */
import { ok, type Result } from '../../base/result.ts';
import type { FedLearnConfig } from '../config.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import type { RoundManifest } from '../manifest.ts';
import type { NodeId } from '../node-id.ts';
import { releaseIn, spend, spentEpsilon, type PrivacyAccount } from '../privacy/privacy-ledger.ts';
import type { RoundId } from '../ulid.ts';
import type { Journal } from './journal.ts';
import type { Replica } from './replica.ts';
import { createTurns } from './turns.ts';

/** The privacy budget of one node. The log holds what was spent, so that a restart forgets nothing. */
export interface PrivacyBudget {
  /** ε of everything released so far, at the `privacyDelta` of the configuration; Infinity after a round without noise. */
  readonly spent: () => number;
  /** Why the budget has no room for a round; null if it has, or if the round is counted already, or without a budget. */
  readonly joinFault: (manifest: RoundManifest) => Refusal | null;
  /** Why nothing more may be released in a round; null if something may. */
  readonly releaseFault: (manifest: RoundManifest) => Refusal | null;
  /** Counts a release, durably, before anybody else can see the delta. A repeated one counts once. */
  readonly release: (manifest: RoundManifest, deltaSha: string) => Promise<Result<void, Refusal>>;
}

interface Parts {
  readonly self: NodeId;
  readonly journal: Journal;
  readonly replica: Replica;
  readonly config: FedLearnConfig;
}

/** The budget of a node, over its log. */
export function createPrivacyBudget({ self, journal, replica, config }: Parts): PrivacyBudget {
  const { privacyEpsilonBudget, privacyDelta: delta } = config;
  const inTurn = createTurns();
  /** By the log; and what the round itself shows, in case the log is an older one that was restored. */
  const releasedIn = (id: RoundId): ReadonlySet<string> => {
    const submitted = journal.rounds.get(id)?.members.get(self)?.submitted?.submission.deltaSha;
    return new Set([...(journal.released.get(id) ?? []), ...(submitted === undefined ? [] : [submitted])]);
  };
  const account = (): PrivacyAccount => ({
    client: self,
    neighbours: 'add-or-remove-one',
    delta,
    budget: privacyEpsilonBudget ?? Infinity,
    releases: [...journal.rounds].flatMap(([id, { manifest }]) => {
      const { size: count } = releasedIn(id);
      return count === 0 ? [] : [{ ...releaseIn(manifest), count }];
    }),
  });
  const joinFault: PrivacyBudget['joinFault'] = (manifest) => {
    if (privacyEpsilonBudget === null || releasedIn(manifest.roundId).size > 0) return null;
    const next = spend(account(), releaseIn(manifest));
    return next.ok ? null : refuse('privacy_budget_exceeded', next.error.message.replace(/\.$/, '')).error;
  };
  // ε of a round is that of one release.
  const releaseFault: PrivacyBudget['releaseFault'] = (manifest) =>
    releasedIn(manifest.roundId).size > 0 && manifest.dpNoiseScale > 0
      ? refuse('privacy_budget_exceeded', 'another delta of this node was released in the round before').error
      : joinFault(manifest);
  return {
    spent: () => spentEpsilon(account()),
    joinFault,
    releaseFault,
    release: (manifest, deltaSha) =>
      inTurn(async () => {
        const { roundId } = manifest;
        if (releasedIn(roundId).has(deltaSha)) return ok(undefined);
        const refusal = releaseFault(manifest);
        if (refusal !== null) return { ok: false, error: refusal };
        return replica.record({ type: 'fedlearn.privacy.spent', roundId, deltaSha });
      }),
  };
}
