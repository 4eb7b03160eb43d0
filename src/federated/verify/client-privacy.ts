/** What each participant has spent over several rounds, as the events of these rounds show. */
import { compareText } from '../../base/text.ts';
import type { NodeId } from '../node-id.ts';
import { releaseIn, spentEpsilon, type RoundReleases } from '../privacy/privacy-ledger.ts';
import type { RoundState } from '../round/state.ts';

/** The sum of one participant. */
export interface ClientPrivacy {
  readonly participant: NodeId;
  /** Deltas that others have seen, revoked ones included. */
  readonly releases: number;
  /** Of all of them together, for its participation against its absence; Infinity if one of them has no noise. */
  readonly epsilon: number;
  /** The δ of that ε: the least that these rounds state; null if none states one. */
  readonly delta: number | null;
}

interface Spent {
  readonly releases: Map<string, RoundReleases>;
  delta: number | null;
}

/** The sums over rounds, by participant; a round that several folders show counts once, but each different delta in it counts. */
export function clientPrivacy(rounds: readonly RoundState[]): readonly ClientPrivacy[] {
  const clients = new Map<NodeId, Spent>();
  for (const { manifest, members } of rounds)
    for (const [participant, { submitted }] of members) {
      if (submitted === null) continue;
      const spent = clients.get(participant) ?? { releases: new Map<string, RoundReleases>(), delta: null };
      clients.set(participant, spent);
      spent.releases.set(`${manifest.roundId} ${submitted.submission.deltaSha}`, releaseIn(manifest));
      const { privacyDelta } = manifest;
      if (privacyDelta !== null) spent.delta = Math.min(spent.delta ?? 1, privacyDelta);
    }
  return [...clients]
    .map(([participant, { releases, delta }]) => ({
      participant,
      releases: releases.size,
      epsilon: spentEpsilon({
        client: participant,
        neighbours: 'add-or-remove-one',
        budget: Infinity,
        delta: delta ?? 1e-5,
        releases: [...releases.values()],
      }),
      delta,
    }))
    .toSorted((a, b) => compareText(a.participant, b.participant));
}
