/**
 * Whole rounds with secure aggregation. Holds src/federated/round/secure.ts, src/federated/node/secure-participant.ts,
 * src/federated/secure-aggregate.ts, src/federated/secure-plan.ts.
 */
import { describe, expect, it } from 'vitest';
import { phaseOf } from '../../../src/federated/round/state.ts';
import { readNodeFolder, verifyRound } from '../../../src/federated/verify/verify-round.ts';
import { codeOf, enabled, good, idOf, minute, vectorRules } from '../nodes.ts';
import {
  meanOf,
  names,
  nodeIn,
  numbersIn,
  openedRound,
  startSecure,
  stateIn,
  stepAll,
  submitAll,
  type Name,
  type SecureScene,
} from '../secure-nodes.ts';

const four = names.slice(0, 4);
const five = names.slice(0, 5);

async function aggregateOf(scene: SecureScene, by: Name, sha: string): Promise<readonly number[]> {
  return numbersIn(good(await nodeIn(scene, by).adapters.fetch(sha)));
}

const closeTo = (found: readonly number[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i] ?? NaN, 6);
};

describe('a round with secure aggregation', () => {
  it('gives the weighted mean, and a participant computes the same bytes', async () => {
    const scene = await openedRound(4);
    await stepAll(scene);
    expect(stateIn(scene, 'ada').secure?.server.stage).toBe('masked');
    await submitAll(scene, four);
    const { coordinator } = nodeIn(scene, 'ada');
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    expect(phaseOf(stateIn(scene, 'ada'))).toBe('AGGREGATING');
    await stepAll(scene);
    const result = good(await coordinator.finalizeAndPublish(scene.id));
    expect(result).toMatchObject({ nParticipants: 4, takeover: false });
    closeTo(await aggregateOf(scene, 'dora', result.aggregatedDeltaSha), meanOf(four));
    const bernd = nodeIn(scene, 'bernd');
    good(await bernd.node.replica.sync(scene.id));
    good(await bernd.adapters.apply(result.aggregatedDeltaSha, 'session'));
    await stepAll(scene);
    const kept = await bernd.host.list('node/secure');
    for (const { name } of good(kept)) {
      const record = good(await bernd.host.readText(`node/secure/${name}`));
      // The secrets are gone, the memory of having taken part is not.
      expect(JSON.parse(record)).toMatchObject({ root: null, received: null });
    }
  });

  it('goes on without a node that leaves after it has shared', async () => {
    const scene = await openedRound(5);
    await stepAll(scene);
    const left = five.filter((name) => name !== 'clara');
    await submitAll(scene, left);
    const { coordinator } = nodeIn(scene, 'ada');
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('round_open');
    scene.world.clock.now += 11 * minute;
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    await stepAll(scene, left);
    const result = good(await coordinator.finalizeAndPublish(scene.id));
    closeTo(await aggregateOf(scene, 'ada', result.aggregatedDeltaSha), meanOf(left));
  });

  it.each([
    ['its keys', 'keys'],
    ['its shares', 'shares'],
  ] as const)('goes on without a node that leaves before it has sent %s', async (_, step) => {
    const scene = await openedRound(5);
    const left = five.filter((name) => name !== 'clara');
    if (step === 'shares') {
      for (const name of left) good(await nodeIn(scene, name).participant.secureStep(scene.id));
      // The last keys end the step, so that this node would go on to its shares: it says its keys alone.
      const clara = nodeIn(scene, 'clara');
      const { execute } = clara.node.replica;
      let said = 0;
      Object.assign(clara.node.replica, {
        execute: (...given: Parameters<typeof execute>) =>
          said++ === 0
            ? execute(...given)
            : Promise.resolve({ ok: false, error: { code: 'bus_unreachable', detail: '' } }),
      });
      expect(codeOf(await clara.participant.secureStep(scene.id))).toBe('bus_unreachable');
    }
    await stepAll(scene, left);
    expect(stateIn(scene, 'ada').secure?.server.stage).toBe(step);
    const { coordinator } = nodeIn(scene, 'ada');
    good(await coordinator.endSecureStep(scene.id, step));
    await stepAll(scene, left);
    expect(stateIn(scene, 'ada').secure?.server.stage).toBe('masked');
    await submitAll(scene, left);
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    await stepAll(scene, left);
    const result = good(await coordinator.finalizeAndPublish(scene.id));
    closeTo(await aggregateOf(scene, 'ada', result.aggregatedDeltaSha), meanOf(left));
  });

  it('goes on without a survivor that leaves before it has revealed anything', async () => {
    const scene = await openedRound(5);
    await stepAll(scene);
    await submitAll(scene, five);
    const { coordinator } = nodeIn(scene, 'ada');
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    await stepAll(scene, ['ada', 'bernd', 'dora', 'emil']);
    const result = good(await coordinator.finalizeAndPublish(scene.id));
    // Its masked delta was there, and counts.
    closeTo(await aggregateOf(scene, 'ada', result.aggregatedDeltaSha), meanOf(five));
  });

  it('does not go on below the threshold, and ends with a code', async () => {
    const scene = await openedRound(5);
    await stepAll(scene);
    await submitAll(scene, ['ada', 'bernd', 'clara']);
    scene.world.clock.now += 11 * minute;
    // Three submissions are enough for the manifest, and too few of five against a coordinator that lies.
    expect(codeOf(await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    expect(stateIn(scene, 'ada').abort?.code).toBe('secure_too_few');
  });

  it('ends with a code when survivors do not unmask it in time, by any participant', async () => {
    const scene = await openedRound(4);
    await stepAll(scene);
    await submitAll(scene, four);
    expect(codeOf(await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    await nodeIn(scene, 'ada').crash();
    const { participant } = nodeIn(scene, 'bernd');
    good(await participant.secureStep(scene.id));
    scene.world.clock.now += 11 * minute;
    expect(codeOf(await participant.finalizeTakeover(scene.id))).toBe('secure_too_few');
    expect(stateIn(scene, 'bernd').abort).toBeNull();
    scene.world.clock.now += 10 * minute;
    expect(codeOf(await participant.finalizeTakeover(scene.id))).toBe('secure_too_few');
    expect(stateIn(scene, 'bernd').abort).toMatchObject({ code: 'secure_too_few', aggregator: idOf('bernd') });
  });

  it('takes a revoked node for one that has left', async () => {
    const scene = await openedRound(5);
    await stepAll(scene);
    await submitAll(scene, five);
    good(await nodeIn(scene, 'dora').participant.revoke(scene.id));
    const { coordinator } = nodeIn(scene, 'ada');
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    await stepAll(scene);
    const result = good(await coordinator.finalizeAndPublish(scene.id));
    const left = five.filter((name) => name !== 'dora');
    expect(result.nParticipants).toBe(4);
    closeTo(await aggregateOf(scene, 'ada', result.aggregatedDeltaSha), meanOf(left));
  });

  it('goes on when a node revokes while keys are awaited', async () => {
    const scene = await openedRound(5);
    const left = five.filter((name) => name !== 'dora');
    await stepAll(scene, left);
    good(await nodeIn(scene, 'dora').participant.revoke(scene.id));
    await stepAll(scene, left);
    expect(stateIn(scene, 'bernd').secure?.server.stage).toBe('masked');
  });

  it('with additive_pairwise needs everybody, and no survivors', async () => {
    const scene = await openedRound(4, { secure: 'additive_pairwise' });
    await stepAll(scene);
    await submitAll(scene, four.slice(0, 3));
    const { coordinator } = nodeIn(scene, 'ada');
    expect(codeOf(await coordinator.finalizeAndPublish(scene.id))).toBe('round_open');
    await submitAll(scene, ['dora']);
    const result = good(await coordinator.finalizeAndPublish(scene.id));
    closeTo(await aggregateOf(scene, 'dora', result.aggregatedDeltaSha), meanOf(four));

    const short = await openedRound(4, { secure: 'additive_pairwise' });
    await stepAll(short);
    await submitAll(short, four.slice(0, 3));
    short.world.clock.now += 11 * minute;
    expect(codeOf(await nodeIn(short, 'bernd').participant.finalizeTakeover(short.id))).toBe('secure_too_few');
  });

  it.each(['before the closing', 'before the survivors have signed', 'before they have revealed', 'at the end'])(
    'gives the same bytes by takeover when the coordinator vanishes %s',
    async (when) => {
      const run = async (dies: boolean): Promise<string> => {
        const scene = await openedRound(5);
        await stepAll(scene);
        await submitAll(scene, five);
        const ada = nodeIn(scene, 'ada');
        const others = five.slice(1);
        const close = async () => {
          expect(codeOf(await ada.coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
        };
        if (!dies || when !== 'before the closing') await close();
        if (!dies || when === 'at the end') await stepAll(scene);
        else if (when === 'before they have revealed')
          for (const name of five) good(await nodeIn(scene, name).participant.secureStep(scene.id));
        if (!dies) return good(await ada.coordinator.finalizeAndPublish(scene.id)).aggregatedDeltaSha;
        await ada.crash();
        scene.world.clock.now += 11 * minute;
        if (when === 'before the closing')
          expect(codeOf(await nodeIn(scene, 'clara').participant.finalizeTakeover(scene.id))).toBe('secure_too_few');
        await stepAll(scene, others);
        const [one, two] = await Promise.all(
          (['bernd', 'clara'] as const).map((name) => nodeIn(scene, name).participant.finalizeTakeover(scene.id)),
        );
        expect(good(one ?? { ok: false, error: 0 })).toEqual(good(two ?? { ok: false, error: 0 }));
        const result = good(one ?? { ok: false, error: 0 });
        expect(result.takeover).toBe(true);
        return result.aggregatedDeltaSha;
      };
      expect(await run(true)).toBe(await run(false));
    },
  );

  it('ends with a code when the coordinator vanishes before anybody could submit', async () => {
    const scene = await openedRound(4);
    await stepAll(scene);
    await nodeIn(scene, 'ada').crash();
    expect(codeOf(await nodeIn(scene, 'bernd').participant.finalizeTakeover(scene.id))).toBe('round_open');
    scene.world.clock.now += 11 * minute;
    expect(codeOf(await nodeIn(scene, 'bernd').participant.finalizeTakeover(scene.id))).toBe(
      'fedlearn_min_participants_unmet',
    );
  });

  it('rebuilds its state from the log alone, whenever a node restarts', async () => {
    const scene = await openedRound(4);
    const restart = async () => {
      for (const name of four) {
        const { host, node, crash } = nodeIn(scene, name);
        const before = node.replica.rounds.get(scene.id);
        await crash();
        scene.nodes.set(name, await startSecure(scene.world, name, { host }));
        expect(stateIn(scene, name)).toEqual(before);
      }
    };
    await restart();
    for (const name of four) {
      good(await nodeIn(scene, name).participant.secureStep(scene.id));
      await restart();
    }
    await stepAll(scene);
    await submitAll(scene, four.slice(0, 2));
    await restart();
    await submitAll(scene, four.slice(2));
    expect(codeOf(await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id))).toBe('secure_too_few');
    await restart();
    for (const name of four) {
      good(await nodeIn(scene, name).participant.secureStep(scene.id));
      await restart();
    }
    await stepAll(scene);
    await restart();
    const result = good(await nodeIn(scene, 'ada').coordinator.finalizeAndPublish(scene.id));
    closeTo(await aggregateOf(scene, 'ada', result.aggregatedDeltaSha), meanOf(four));
  });

  it('verifies as a third party from the folder of its aggregator, and not with a masked delta that was changed', async () => {
    const scene = await openedRound(4);
    await stepAll(scene);
    await submitAll(scene, four);
    const { coordinator, host } = nodeIn(scene, 'ada');
    await coordinator.finalizeAndPublish(scene.id);
    await stepAll(scene);
    good(await coordinator.finalizeAndPublish(scene.id));
    const from = good(await readNodeFolder(host, 'node'));
    const verify = (rules = vectorRules) =>
      verifyRound({
        host,
        from,
        round: scene.id,
        trusts: (id) => four.map(idOf).includes(id),
        config: enabled(),
        rules,
      });
    expect(good(await verify())).toMatchObject({ phase: 'COMPLETED', recomputed: true });
    const longer = {
      ...vectorRules,
      secure: { ...vectorRules.secure, length: () => ({ ok: true as const, value: 5 }) },
    };
    expect(await verify(longer)).toMatchObject({ error: { code: 'PV-8604' } });
    const server = stateIn(scene, 'ada').secure?.server;
    const [input] = server !== undefined && 'inputs' in server ? [...server.inputs.values()] : [];
    good(await host.writeFileAtomic(`node/blobs/${input?.vectorSha}`, new Uint8Array(16)));
    expect(await verify()).toMatchObject({
      error: { code: 'PV-8604', message: expect.stringContaining('delta_missing') },
    });
  });
});
