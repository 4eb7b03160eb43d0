/** Reservoir sampling, and replayed samples at the gate. */
import { describe, expect, it } from 'vitest';
import { createReplayBuffer } from '../../../src/training/continual/replay-buffer.ts';
import { lossStabilityBound } from '../../../src/training/invariants/loss-stability.ts';
import { gradientOf, trainerWith } from '../invariants/fixture.ts';

const filled = (capacity: number, offers: number, seed = 0) => {
  const buffer = createReplayBuffer({ capacity, seed });
  for (let sample = 0; sample < offers; sample++) buffer.offer(sample);
  return buffer;
};

describe('a replay buffer', () => {
  it('holds everything until it is full, and then its capacity', () => {
    expect(filled(4, 3).held).toEqual([0, 1, 2]);
    expect(filled(4, 4).held).toEqual([0, 1, 2, 3]);
    expect(filled(4, 100).held).toHaveLength(4);
  });

  it('holds every sample with the same probability, the first as the last', () => {
    const counts = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 4000; seed++)
      for (const sample of filled(3, 10, seed).held) counts[sample] = (counts[sample] ?? 0) + 1;
    // 0.3·4000 = 1200 with a standard deviation of 29; the replacement of the oldest would keep 7, 8 and 9 alone.
    for (const count of counts) expect(Math.abs(count - 1200)).toBeLessThan(150);
  });

  it('is a function of its seed', () => {
    expect(filled(5, 50, 7).held).toEqual(filled(5, 50, 7).held);
    expect(filled(5, 50, 7).held).not.toEqual(filled(5, 50, 8).held);
  });

  it('draws none twice, and the same at the same step', () => {
    const buffer = filled(6, 40);
    const drawn = buffer.draw(4, 9);
    expect(new Set(drawn).size).toBe(4);
    expect(buffer.held).toEqual(expect.arrayContaining([...drawn]));
    expect(buffer.draw(4, 9)).toEqual(drawn);
    expect([10, 11, 12].map((step) => buffer.draw(4, step))).not.toEqual([drawn, drawn, drawn]);
    expect(new Set(buffer.draw(99, 1))).toEqual(new Set(buffer.held));
  });

  it('continues after a restore as if it had never stopped', () => {
    const [whole, restored] = [filled(4, 60), createReplayBuffer({ capacity: 4 })];
    restored.restore(JSON.parse(JSON.stringify(filled(4, 30).state())));
    for (let sample = 30; sample < 60; sample++) restored.offer(sample);
    expect(restored.held).toEqual(whole.held);
  });

  it.each([() => createReplayBuffer({ capacity: 0 }), () => createReplayBuffer({ capacity: 1, seed: 0.5 })])(
    'rejects settings out of range: %s',
    (make) => {
      expect(make).toThrow(/^PV-8403/);
    },
  );
});

describe('a trainer with replay', () => {
  const start = () =>
    trainerWith([lossStabilityBound({ spikeCap: 0.1, window: 3, maxGradientNorm: 2, maxStepSize: 9 })], {
      replay: { capacity: 8 },
    });
  const [gradients, replayedGradients] = [gradientOf(1, 0, 0, 0), gradientOf(0, 0, 0, 1)];

  it('adds replayed gradients, and remembers the samples of committed steps only', async () => {
    const trainer = start();
    const first = await trainer.step({ loss: 1, gradients, samples: [3, 4] });
    expect(first.verdict).toBe('committed');
    await trainer.step({ loss: 9, gradients, samples: [5] });
    expect(trainer.replay?.held).toEqual([3, 4]);
    const replayed = { loss: 1, gradients: replayedGradients };
    expect(await trainer.step({ loss: 1, gradients, replayed })).toMatchObject({ verdict: 'committed', loss: 1 });
    expect([...(trainer.parameters[0]?.data ?? [])]).toEqual(
      [Math.fround(2.8), 0, 0, Math.fround(3.9)].map((x) => expect.closeTo(x, 6)),
    );
  });

  it.each([
    ['a loss beyond the average', 1.2, 1, 'replayed loss'],
    ['gradients beyond the cap', 1, 2.5, 'replayed gradient norm'],
    ['a loss that is not a number', NaN, 1, 'replayed loss'],
  ])('refuses replayed samples with %s', async (_, loss, scale, what) => {
    const trainer = start();
    await trainer.step({ loss: 1, gradients });
    const replayed = { loss, gradients: gradientOf(-scale, 0, 0, 0) };
    const outcome = await trainer.step({ loss: 1, gradients, replayed });
    expect(outcome.verdict).toBe('refused');
    expect(outcome.violations.map((one) => one.what)).toContain(what);
  });

  it('refuses samples without an index, and takes no step', async () => {
    const trainer = start();
    await expect(trainer.step({ loss: 1, gradients, samples: [1, -1] })).rejects.toThrow(/^PV-8402: .*-1/);
    expect([...(trainer.parameters[0]?.data ?? [])]).toEqual([3, 0, 0, 4]);
  });

  it('needs a buffer for samples', async () => {
    await expect(trainerWith([]).step({ loss: 1, gradients, samples: [1] })).rejects.toThrow(/^PV-8402: .*replay/);
  });

  it('keeps its buffer in checkpoints', async () => {
    const trainer = start();
    await trainer.step({ loss: 1, gradients, samples: [1, 2] });
    expect(trainer.keep().invariants.at(-1)).toEqual({ held: [1, 2], offered: 2 });
  });
});
