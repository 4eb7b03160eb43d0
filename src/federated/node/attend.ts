/**
 * Does for a node's rounds what is due without a command: ends its own rounds at their deadlines and, with secure aggregation, opens
 * them, ends steps without those who do not answer, and takes the node's own steps.
 */
import { ok, type Result } from '../../base/result.ts';
import { refuse, type FedCode, type Refusal } from '../fed-code.ts';
import { secureStageOf } from '../round/secure.ts';
import { isEnded, type RoundState } from '../round/state.ts';
import type { RoundResult } from '../statements.ts';
import type { RoundId } from '../ulid.ts';
import { dueOf, type Due } from './due.ts';
import type { FedNode } from './fed-node.ts';
import type { Served } from './served.ts';
import { coalesced } from './turns.ts';

/** The result of a round that this node has ended, or what it could not do for a round. */
type OnOutcome = (id: RoundId, outcome: Result<RoundResult, Refusal>) => void;

/** Attends to the rounds that it is given. */
export interface Attendance {
  /** Notes a round, or that it has changed. */
  readonly follow: (state: RoundState) => void;
  readonly stop: () => void;
}

/** The longest time that a timer takes: 24 days. */
const longestWait = 2 ** 31 - 1;
/** Between attempts where something is away for now. */
const pauseMs = 2000;
/** Between looks at a round with secure aggregation: the network may lose the news that it has changed. */
const lookMs = 5000;

/** What may succeed later although the round has not changed. */
const passing: readonly FedCode[] = ['bus_unreachable', 'delta_missing', 'round_busy', 'round_open', 'secure_too_few'];

interface Attended {
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The stage of secure aggregation, and when this process has first seen it. */
  stage: string;
  since: number;
  /** The states in which something was refused for good: it is tried again when the round has changed. */
  readonly refusedIn: { step?: RoundState | undefined; task?: RoundState | undefined };
}

/** Nothing is awaited: `onOutcome` receives what came of each round. */
export function attendRounds(served: Served, onOutcome: OnOutcome): Attendance {
  const looks = new Map<RoundId, () => void>();
  const all = new Set<Attended>();
  let isStopped = false;
  const attended = (id: RoundId): (() => void) => {
    const round: Attended = { timer: undefined, stage: '', since: 0, refusedIn: {} };
    all.add(round);
    const look = coalesced(async () => {
      clearTimeout(round.timer);
      if (isStopped) return;
      await attend(served, id, round, (outcome) => onOutcome(id, outcome));
      const wait = nextLook(served.node, id, round);
      if (wait !== null && !isStopped) round.timer = setTimeout(look, Math.min(wait, longestWait));
    });
    return look;
  };
  return {
    follow({ manifest: { roundId: id } }) {
      const look = looks.get(id) ?? attended(id);
      looks.set(id, look);
      look();
    },
    stop() {
      isStopped = true;
      for (const { timer } of all) clearTimeout(timer);
    },
  };
}

async function attend(
  served: Served,
  id: RoundId,
  round: Attended,
  report: (outcome: Result<RoundResult, Refusal>) => void,
): Promise<void> {
  const { node, participant } = served;
  const attempt = async (
    what: keyof Attended['refusedIn'],
    work: () => Promise<Result<RoundResult | null, Refusal>>,
  ): Promise<void> => {
    if (round.refusedIn[what] === node.replica.rounds.get(id)) return;
    const done = await work().catch((): Result<null, Refusal> => refuse('storage_failed'));
    if (done.ok) return done.value === null ? undefined : report(ok(done.value));
    if (passing.includes(done.error.code)) return;
    round.refusedIn[what] = node.replica.rounds.get(id);
    report(done);
  };
  const begun = node.replica.rounds.get(id);
  if (begun !== undefined && isWatched(node, begun))
    await attempt('step', async () => {
      const stepped = await participant.secureStep(id);
      return stepped.ok ? ok(null) : stepped;
    });
  const due = nextDue(node, id, round);
  if (due !== null && due.at <= node.now()) await attempt('task', () => carryOut(served, id, due.task));
}

/** Whether messages of others are waited for in a round. */
const isWatched = ({ self }: FedNode, { manifest, members }: RoundState): boolean =>
  manifest.secure !== 'off' && (manifest.coordinator === self || members.has(self));

function nextDue(node: FedNode, id: RoundId, round: Attended): Due | null {
  const state = node.replica.rounds.get(id);
  if (state === undefined) return null;
  const stage = secureStageOf(state);
  if (stage !== round.stage) Object.assign(round, { stage, since: node.now() });
  return dueOf(state, node.self, round.since, node.config);
}

/** In how many milliseconds to look again; null if not before the round changes. */
function nextLook(node: FedNode, id: RoundId, round: Attended): number | null {
  const due = nextDue(node, id, round);
  const state = node.replica.rounds.get(id);
  if (state === undefined || isEnded(state)) return null;
  const waits = isWatched(node, state) ? [lookMs] : [];
  const isRefused = round.refusedIn.task === state;
  if (due !== null && !isRefused) waits.push(due.at > node.now() ? due.at - node.now() : pauseMs);
  return waits.length === 0 ? null : Math.min(...waits);
}

async function carryOut(
  { coordinator, participant, node }: Served,
  id: RoundId,
  task: Due['task'],
): Promise<Result<RoundResult | null, Refusal>> {
  if (task === 'finalize') {
    const isOwn = node.replica.rounds.get(id)?.manifest.coordinator === node.self;
    return isOwn ? coordinator.finalizeAndPublish(id) : participant.finalizeTakeover(id);
  }
  const done = task === 'open' ? await coordinator.openSecure(id) : await coordinator.endSecureStep(id, task.ends);
  return done.ok ? ok(null) : done;
}
