/**
 * Random interleavings of what can happen to a secure round: steps, submissions, crashes, revocations, ends of steps, closings and takeovers.
 * Whatever happens, all nodes see one end, and an aggregate is the mean of exactly the submissions that were closed over.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { submissionsOf } from '../../../src/federated/round/state.ts';
import { codeOf, good, idOf, minute } from '../nodes.ts';
import {
  meanOf,
  names,
  nodeIn,
  numbersIn,
  openedRound,
  startSecure,
  stateIn,
  type Name,
  type SecureScene,
} from '../secure-nodes.ts';

const five = names.slice(0, 5);

type Action = 'step' | 'submit' | 'restart' | 'revoke' | 'end' | 'finish' | 'wait';
const actions = fc.array(
  fc.tuple(
    fc.constantFrom<Action>('step', 'step', 'step', 'submit', 'submit', 'restart', 'revoke', 'end', 'finish', 'wait'),
    fc.constantFrom(...five),
  ),
  { minLength: 5, maxLength: 40 },
);

/** Does it, whatever comes of it; every refusal must be one with a code. */
async function act(scene: SecureScene, action: Action, name: Name): Promise<void> {
  const { participant, coordinator, host, crash } = nodeIn(scene, name);
  const { id, world } = scene;
  switch (action) {
    case 'step':
      await participant.secureStep(id);
      return;
    case 'submit':
      await participant.train(id);
      await participant.submit(id);
      return;
    case 'restart':
      await crash();
      scene.nodes.set(name, await startSecure(world, name, { host }));
      return;
    case 'revoke':
      // Without one of five a round can go on, without two it cannot.
      if (name === 'emil' || name === 'dora') await participant.revoke(id);
      return;
    case 'end':
      for (const step of ['keys', 'shares'] as const) await nodeIn(scene, 'ada').coordinator.endSecureStep(id, step);
      return;
    case 'finish':
      await (name === 'ada' ? coordinator.finalizeAndPublish(id) : participant.finalizeTakeover(id));
      return;
    case 'wait':
      world.clock.now += 2 * minute;
  }
}

it('ends alike on all nodes, in an aggregate of what was submitted or with a code', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(actions, async (list) => {
      const scene = await openedRound(5);
      for (const [action, name] of list) await act(scene, action, name);
      // Those that are left go on as they would.
      for (let turn = 0; turn < 4; turn++) {
        for (const name of five) await act(scene, 'step', name);
        if (turn === 1) for (const name of five) await act(scene, 'submit', name);
        if (turn === 1) scene.world.clock.now += 10 * minute;
        await act(scene, 'finish', 'bernd');
      }
      scene.world.clock.now += 60 * minute;
      await act(scene, 'finish', 'clara');
      for (const name of five) good(await nodeIn(scene, name).node.replica.sync(scene.id));
      const { result, abort, closing } = stateIn(scene, 'ada');
      ends.add(result === null ? (abort?.code ?? 'open') : 'completed');
      for (const name of five) {
        expect(stateIn(scene, name).result).toEqual(result);
        expect(stateIn(scene, name).abort).toEqual(abort);
      }
      expect((result === null) === (abort === null)).toBe(false);
      if (result === null) return;
      const counted = five.filter((name) =>
        submissionsOf(stateIn(scene, 'ada')).some(({ participant }) => participant === idOf(name)),
      );
      expect(closing?.submissions).toHaveLength(counted.length);
      const mean = numbersIn(good(await nodeIn(scene, 'clara').adapters.fetch(result.aggregatedDeltaSha)));
      for (const [i, value] of mean.entries()) expect(value).toBeCloseTo(meanOf(counted)[i] ?? NaN, 6);
      expect(codeOf(await nodeIn(scene, 'clara').adapters.apply(result.aggregatedDeltaSha, 'session'))).toBe('ok');
    }),
    { numRuns: 12, seed: 18 },
  );
  expect(ends).toContain('completed');
  expect(ends.size).toBeGreaterThan(1);
});
