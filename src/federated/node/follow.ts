/** Follows the rounds that others announce. */
import { ok, type Result } from '../../base/result.ts';
import type { Stop } from '../bus/bus.ts';
import { refuse, type Refusal } from '../fed-code.ts';
import type { RoundState } from '../round/state.ts';
import type { RoundId } from '../ulid.ts';
import type { Served } from './served.ts';
import { directoryTopic, roundTopic } from './topics.ts';
import { coalesced } from './turns.ts';

/** Is called after each change of a round that the node hears of. */
type OnRound = (state: RoundState) => void;

/**
 * Follows the directory and every round in it: what others publish is taken over as it comes. `bus_unreachable` if the bus does not
 * take the first watch; later losses are made up for when it is back.
 */
export async function followRounds(served: Served, onRound: OnRound = () => undefined): Promise<Result<Stop, Refusal>> {
  const { node } = served;
  if (!node.config.enabled) return refuse('experimental_disabled');
  const stops = new Map<string, Stop>();
  // What the node itself has changed meanwhile is a change too.
  const seen = new Map(node.replica.rounds);
  let isStopped = false;
  const followRound = async (id: RoundId): Promise<void> => {
    const topic = roundTopic(id);
    if (isStopped || stops.has(topic)) return;
    stops.set(topic, async () => undefined);
    const update = coalesced(async () => {
      const synced = await node.replica.sync(id);
      const [before, after] = [seen.get(id), node.replica.rounds.get(id)];
      if (!synced.ok || after === undefined || after === before) return;
      seen.set(id, after);
      onRound(after);
      await applyByItself(served, before, after);
    });
    const watched = await node.bus.watch(topic, update);
    if (watched.ok) stops.set(topic, watched.value);
    else stops.delete(topic);
    update();
  };
  const discover = coalesced(async () => {
    await node.replica.discover();
    for (const id of node.replica.rounds.keys()) await followRound(id);
  });
  const watched = await node.bus.watch(directoryTopic, discover);
  if (!watched.ok) return refuse('bus_unreachable');
  discover();
  return ok(async () => {
    isStopped = true;
    await watched.value();
    for (const stop of stops.values()) await stop();
  });
}

/** Only where the configuration says so, only rounds that the node has joined, and only to the session. */
async function applyByItself(
  { node, adapters }: Served,
  before: RoundState | undefined,
  { members, result }: RoundState,
): Promise<void> {
  if (!node.config.autoApplyAggregated || result === null || before?.result) return;
  if (members.get(node.self)?.phase === 'SUBMITTED') await adapters.apply(result.aggregatedDeltaSha, 'session');
}
