/** A round with secure aggregation: five nodes, one of which leaves after it has shared, and a coordinator that tries to unmask another. */
import type { Host } from '../../host/host.ts';
import { present } from '../../base/invariant.ts';
import { createInProcessHub } from '../bus/in-process.ts';
import type { RoundManifestDraft } from '../manifest.ts';
import { eventCodec, type SharedEvent } from '../events.ts';
import { roundTopic } from '../node/topics.ts';
import { reduce } from '../round/reduce.ts';
import { submissionsOf } from '../round/state.ts';
import { closingForm, submissionForm } from '../statements.ts';
import type { BaseModel } from '../train/base-model.ts';
import type { RoundId } from '../ulid.ts';
import { messageBytes } from '../wire/message.ts';
import { sign, statementSha } from '../wire/signed.ts';
import { demoId, demoSigner, openDemoNode, type DemoNode, type DemoWorld } from './demo-node.ts';
import {
  adapterIn,
  draft,
  good,
  perplexityOf,
  write,
  writeBase,
  type DemoReport,
  type Audience,
} from './demo-round.ts';
import { knownTo, villageText } from './village-text.ts';

/** The nodes; the last leaves after it has shared its secrets. */
export const secureDemoNames = ['anna', 'ben', 'clara', 'dora', 'emil'] as const;
const names = secureDemoNames;
const left = names.slice(0, 4);
const minute = 60_000;

/** 8 participants × 8 × 100 × 2¹⁸ is below 2³¹. */
const secureDraft = (base: BaseModel): RoundManifestDraft => ({
  ...draft(base),
  secure: 'double_mask',
  aggregationRule: 'fedavg',
  faulty: 0,
  maxSamples: 100,
  fixedPointBits: 18,
});

/** Runs the demo in a new folder. Masks are drawn anew in every run, and the adapter has the same bytes all the same. */
export async function runSecureDemo(host: Host, folder: string, audience: Audience): Promise<DemoReport> {
  audience.narrate('base     training a small character transformer on plain text');
  const base = await writeBase(host, folder);
  const manifest = secureDraft(base);
  const clock = { now: manifest.deadline - 10 * minute };
  const hub = createInProcessHub(() => clock.now);
  const world: DemoWorld = { host, folder, hub, base, clock, trusted: new Set(names.map(demoId)) };
  await write(host, `${folder}/roster.txt`, names.map((name) => `${demoId(name)}\n`).join(''));
  const nodes = new Map<string, DemoNode>();
  for (const [k, name] of names.entries())
    nodes.set(name, await openDemoNode(world, name, villageText(1, name, 30, knownTo(k))));
  const of = (name: string): DemoNode => present(nodes.get(name), 'a node of the demo');
  const narrate = (line: string): void => {
    audience.narrate(line);
    const { replica, journal } = of('anna').node;
    for (const [round, state] of replica.rounds) audience.show(state, clock.now, journal.refusedIn(round));
  };

  const id = good(await of('anna').coordinator.announceRound(manifest));
  narrate(`anna     announces round ${id}: the sum alone will be seen (${manifest.secure}), of at least 4 of 5 nodes`);
  for (const name of names) {
    await of(name).node.replica.discover();
    good(await of(name).participant.join(id, true));
  }
  good(await of('anna').coordinator.openSecure(id));
  await step(names.map(of), id);
  narrate('all      consent, send ephemeral keys, and seal shares of their secrets for each other');
  for (const name of left) {
    const { deltaSha, numSamples } = good(await of(name).participant.train(id));
    good(await of(name).participant.submit(id));
    narrate(
      `${name.padEnd(8)} trains on ${numSamples} samples, masks what was learned, submits ${deltaSha.slice(0, 12)}`,
    );
  }
  await of('emil').vanish();
  clock.now = manifest.deadline + minute;
  narrate('emil     vanishes with his masks in the sum of the others; the deadline passes');

  narrate(`anna     signs that ben is gone too, to unmask him: ${await forgeSurvivors(world, of('clara'), id)}`);
  const early = await of('anna').coordinator.finalizeAndPublish(id);
  narrate(
    `anna     closes the round over ${left.length} survivors, too early to unmask: ${early.ok ? 'done' : early.error.code}`,
  );
  await step(left.map(of), id);
  narrate('left     sign the survivors, then reveal shares: of their own masks, and of the keys of emil’s');
  const result = good(await of('anna').coordinator.finalizeAndPublish(id));
  narrate(`anna     takes the masks off the sum: adapter ${result.aggregatedDeltaSha}`);
  await of('dora').node.replica.sync(id);
  good(await of('dora').adapters.apply(result.aggregatedDeltaSha, 'session'));
  narrate(`dora     fetches it, adds up again (same bytes)`);
  const aggregate = adapterIn(good(await of('dora').adapters.fetch(result.aggregatedDeltaSha)));
  await step(left.map(of), id);
  for (const name of left) await of(name).vanish();
  const measured = [['the base', null] as const, ['the aggregate', aggregate] as const];
  return {
    roundId: id,
    result,
    perplexities: measured.map(([name, adapter]) => ({ of: name, perplexity: perplexityOf(base, adapter) })),
  };
}

/** Each node in turn takes the steps that are due, until nothing changes. */
async function step(nodes: readonly DemoNode[], id: RoundId): Promise<void> {
  for (let before = '', now = ' '; now !== before;) {
    before = now;
    now = '';
    for (const { participant } of nodes) now += `${good(await participant.secureStep(id))} `;
  }
}

/** Publishes a closing that leaves out ben, signed by anna, and says what clara makes of it. */
async function forgeSurvivors({ hub, clock }: DemoWorld, { node }: DemoNode, id: RoundId): Promise<string> {
  await node.replica.sync(id);
  const before = present(node.replica.rounds.get(id), 'clara takes part');
  const counted = submissionsOf(before).filter(({ participant }) => participant !== demoId('ben'));
  const closing = sign(
    closingForm,
    {
      roundId: id,
      manifestSha: before.manifestSha,
      aggregator: demoId('anna'),
      takeover: false,
      submissions: counted.map((one) => statementSha(submissionForm, one)),
      closedAt: clock.now,
    },
    demoSigner('anna'),
  );
  const event: SharedEvent = { type: 'fedlearn.round.aggregating', closing };
  await hub.connect().publish(roundTopic(id), messageBytes(eventCodec.encode(event)), null);
  await node.replica.sync(id);
  const answer = reduce(before, event, clock.now);
  return node.replica.rounds.get(id) !== before || answer.ok ? 'accepted' : answer.error.code;
}
