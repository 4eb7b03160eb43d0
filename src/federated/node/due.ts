/** What a node must do for a round by itself, and when: as its coordinator, or as the one that has closed it. */
import type { FedLearnConfig } from '../config.ts';
import type { NodeId } from '../node-id.ts';
import { participantsToOpen, unmaskable, unmaskDeadlineOf } from '../round/secure.ts';
import { isEnded, type RoundState } from '../round/state.ts';
import { advance } from '../secure/server.ts';
import { ulidTime } from '../ulid.ts';

/** A task, at a time in milliseconds since 1970 by the node's own clock. */
export interface Due {
  readonly at: number;
  readonly task: 'open' | { readonly ends: 'keys' | 'shares' } | 'finalize';
}

/** Joining leaves at least half of the time before the deadline to what follows. */
const joinShare = 1 / 2;
/** Of the time that is left when a step begins: two steps leave more than half of it to training. */
const stepShare = 1 / 4;

/** The next task of `self` in a round; null if there is none, or none before others act. `stageSince` is when the present stage began. */
export function dueOf(state: RoundState, self: NodeId, stageSince: number, config: FedLearnConfig): Due | null {
  const { manifest, closing, secure } = state;
  if (isEnded(state)) return null;
  if (manifest.coordinator !== self && closing?.aggregator !== self) return null;
  if (closing !== null) return { at: finishingAt(state), task: 'finalize' };
  const atDeadline: Due = { at: manifest.deadline, task: 'finalize' };
  if (manifest.secure === 'off') return atDeadline;
  const early = secure === null ? openingOf(state, config) : stepEndOf(state, stageSince, config);
  return early !== null && early.at < manifest.deadline ? early : atDeadline;
}

const finishingAt = (state: RoundState): number => (unmaskable(state).ok ? 0 : (unmaskDeadlineOf(state) ?? 0));

/** At once where nobody else can join. */
function openingOf(state: RoundState, { secureJoinSeconds }: FedLearnConfig): Due | null {
  const { roundId, deadline, minParticipants, maxParticipants } = state.manifest;
  const joined = participantsToOpen(state).length;
  if (joined < minParticipants) return null;
  const announced = ulidTime(roundId);
  const wait = Math.min(1000 * secureJoinSeconds, joinShare * (deadline - announced));
  return { at: joined === maxParticipants ? 0 : announced + wait, task: 'open' };
}

/** Null while too few have answered. */
function stepEndOf({ secure, manifest }: RoundState, since: number, { secureStepSeconds }: FedLearnConfig): Due | null {
  const server = secure?.server;
  if (server === undefined || (server.stage !== 'keys' && server.stage !== 'shares') || !advance(server).ok)
    return null;
  const wait = Math.min(1000 * secureStepSeconds, stepShare * (manifest.deadline - since));
  return { at: since + wait, task: { ends: server.stage } };
}
