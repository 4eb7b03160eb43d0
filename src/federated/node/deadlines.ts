/** Ends a node's own rounds when their deadlines pass, so that a round with a living coordinator needs no takeover. */
import { refuse, type FedCode, type Refusal } from '../fed-code.ts';
import type { RoundState } from '../round/state.ts';
import type { RoundId } from '../ulid.ts';
import type { Result } from '../../base/result.ts';
import type { RoundResult } from '../statements.ts';
import type { Served } from './served.ts';

/** How a round of this node ended, or why it could not. */
type OnEnd = (id: RoundId, ended: Result<RoundResult, Refusal>) => void;

/** The longest time that a timer takes: 24 days. */
const longestWait = 2 ** 31 - 1;
/** Between attempts, where the bus or a delta is away for now. */
const pauseMs = 2000;

const passing: readonly FedCode[] = ['bus_unreachable', 'delta_missing', 'round_busy', 'round_open'];

/** Timers for the deadlines of a node's own rounds. */
export interface Deadlines {
  /** Notes a round's deadline, if the round is the node's own and has not ended. */
  readonly follow: (state: RoundState) => void;
  readonly stop: () => void;
}

/** Nothing is awaited: `onEnd` receives what came of each round. */
export function createDeadlines({ node, coordinator }: Served, onEnd: OnEnd): Deadlines {
  const timers = new Map<RoundId, ReturnType<typeof setTimeout>>();
  const after = (ms: number, id: RoundId, work: () => void): void => {
    clearTimeout(timers.get(id));
    timers.set(id, setTimeout(work, Math.min(Math.max(ms, 0), longestWait)));
  };
  const end = async (id: RoundId): Promise<void> => {
    const state = node.replica.rounds.get(id);
    if (state === undefined || state.abort !== null || state.result !== null) return;
    const left = state.manifest.deadline - node.now();
    if (left > 0 && state.closing === null) return after(left, id, () => void end(id));
    const ended = await coordinator
      .finalizeAndPublish(id)
      .catch((): Result<RoundResult, Refusal> => refuse('storage_failed'));
    if (!ended.ok && passing.includes(ended.error.code)) return after(pauseMs, id, () => void end(id));
    onEnd(id, ended);
  };
  return {
    follow({ manifest, closing, result, abort }) {
      const { roundId, coordinator: by, deadline } = manifest;
      if (by !== node.self || result !== null || abort !== null || timers.has(roundId)) return;
      after(closing === null ? deadline - node.now() : 0, roundId, () => void end(roundId));
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
