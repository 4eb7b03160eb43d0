/**
 * LoRA rounds over real training. Holds src/federated/train/local-training.ts, src/federated/adapter/difference.ts,
 * src/federated/lora-secure.ts, src/federated/lora-server.ts.
 */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { readAdapter, writeAdapter } from '../../src/federated/adapter/adapter-file.ts';
import { readerOf } from '../../src/federated/adapter/adapter-reader.ts';
import { differenceOf, sumOf } from '../../src/federated/adapter/difference.ts';
import type { StateDict } from '../../src/federated/adapter/layout.ts';
import { layersOf, loraRules, startOf } from '../../src/federated/lora-rules.ts';
import type { RoundManifest } from '../../src/federated/manifest.ts';
import type { NodeId } from '../../src/federated/node-id.ts';
import { present } from '../../src/base/invariant.ts';
import { serverStep } from '../../src/federated/aggregate/server-step.ts';
import { globalNorm } from '../../src/federated/privacy/clip.ts';
import { epsilonEstimate } from '../../src/federated/privacy/epsilon.ts';
import { fixedPointOf } from '../../src/federated/secure-plan.ts';
import { toFixedPoint } from '../../src/federated/secure/fixed-point.ts';
import { localTraining } from '../../src/federated/train/local-training.ts';
import { customFileProvider } from '../../src/federated/train/providers.ts';
import type { RoundId } from '../../src/federated/ulid.ts';
import { draftOf, good } from './nodes.ts';
import { smallBase } from './train/support.ts';

const base = await smallBase();
const rules = loraRules(base);
const host = createMemoryHost({ 'data.txt': 'the fire brigade meets at the old mill. '.repeat(20) });

const manifestOf = (changes: Partial<RoundManifest> = {}): RoundManifest => ({
  ...draftOf({
    baseModelSha: base.sha256,
    loraTargetModules: ['query', 'up'],
    loraRank: 2,
    loraAlpha: 4,
    learningRate: 0.02,
    clipNorm: 5,
  }),
  format: 'pv-fedlearn-manifest/1',
  roundId: '01KT1GW6G0VYEDNCZY18V8J49C' as RoundId, // nothing here reads it
  coordinator: 'c' as NodeId, // the same
  coordinatorSig: new Uint8Array(64),
  ...changes,
});

const startFor = (manifest: RoundManifest): StateDict => startOf(good(layersOf(base, manifest)), manifest);

async function trained(manifest: RoundManifest, previous: Uint8Array | null = null) {
  const parts = localTraining({ base, provider: customFileProvider(host, 'data.txt'), previous: async () => previous });
  return good(await parts.train(manifest));
}

const adapterOf = (bytes: Uint8Array): StateDict => good(readAdapter(bytes));

describe('what a node submits', () => {
  it('is valid, repeats the frozen A, and is within the clip', async () => {
    const manifest = manifestOf({ clipNorm: 0.01 });
    const { bytes, trainLoss, numSamples } = await trained(manifest);
    expect(rules.validate(bytes, manifest, null)).toBeNull();
    const learned = globalNorm(differenceOf(adapterOf(bytes), startFor(manifest)));
    expect(learned).toBeLessThanOrEqual(0.01);
    expect(learned).toBeGreaterThan(0.009);
    expect(trainLoss).toBeGreaterThan(0);
    expect(numSamples).toBe(66);
  });

  it('trains both factors under fedit, and stays within the clip', async () => {
    const manifest = manifestOf({ aggregationMode: 'fedit', clipNorm: 0.5 });
    const { bytes } = await trained(manifest);
    expect(rules.validate(bytes, manifest, null)).toBeNull();
    for (const [name, { data }] of differenceOf(adapterOf(bytes), startFor(manifest)))
      expect(
        data.some((value) => value !== 0),
        name,
      ).toBe(true);
  });

  it('has noise of the scale of the manifest, which costs ε', async () => {
    const [quiet, noisy] = [manifestOf(), manifestOf({ dpNoiseScale: 10, epsilonBudget: 100, privacyDelta: 1e-5 })];
    const difference = differenceOf(adapterOf((await trained(noisy)).bytes), adapterOf((await trained(quiet)).bytes));
    const noise = [...difference].filter(([name]) => name.includes('lora_B')).flatMap(([, { data }]) => [...data]);
    const scale = Math.sqrt(noise.reduce((sum, value) => sum + value * value, 0) / noise.length);
    // 80 numbers: the estimate is within 40 % but for one run in 10⁶.
    expect(scale / 10).toBeGreaterThan(0.6);
    expect(scale / 10).toBeLessThan(1.4);
    for (const [name, { data }] of difference)
      if (name.includes('lora_A')) expect(data.every((value) => value === 0)).toBe(true);
  });

  it('is refused where its norm shows that the noise was left out, or that more than the clip was added', async () => {
    const manifest = manifestOf({ dpNoiseScale: 10, clipNorm: 0.1, epsilonBudget: 1e6, privacyDelta: 1e-5 });
    for (let i = 0; i < 20; i++) expect(rules.validate((await trained(manifest)).bytes, manifest, null)).toBeNull();
    const quiet = await trained(manifestOf({ clipNorm: 0.1 }));
    expect(rules.validate(quiet.bytes, manifest, null)).toMatch(/with the noise of the round it is at least/);
    const loud = await trained({ ...manifest, dpNoiseScale: 100 });
    expect(rules.validate(loud.bytes, manifest, null)).toMatch(/with clip and noise it is at most/);
  });

  it('states at most as many samples as the round allows', async () => {
    expect((await trained(manifestOf({ maxSamples: 7 }))).numSamples).toBe(7);
  });

  it('begins where the last round ended', async () => {
    const first = await trained(manifestOf({ trainSteps: 5 }));
    const next = manifestOf({ previousAggregateSha: 'a'.repeat(64), trainSteps: 1 });
    const { bytes } = await trained(next, first.bytes);
    const step = globalNorm(differenceOf(adapterOf(bytes), adapterOf(first.bytes)));
    expect(step).toBeLessThan(globalNorm(differenceOf(adapterOf(bytes), startFor(next))));
    const parts = localTraining({ base, provider: customFileProvider(host, 'data.txt'), previous: async () => null });
    expect(await parts.train(next)).toMatchObject({ ok: false, error: expect.stringContaining('is not available') });
  });

  it.each([['a layer that the base does not have', { loraTargetModules: ['q_proj'] }]])(
    'is nothing in a round that asks for %s',
    async (_, changes) => {
      const manifest = manifestOf(changes);
      const parts = localTraining({ base, provider: customFileProvider(host, 'data.txt'), previous: async () => null });
      expect((await parts.train(manifest)).ok).toBe(false);
      expect(rules.validate(new Uint8Array(0), manifest, null)).not.toBeNull();
      expect((await rules.aggregate([], manifest, null, null)).ok).toBe(false);
    },
  );
});

describe('another base model of the same sizes', () => {
  it('fits no round: a delta, its sum and its aggregate are refused', async () => {
    const other = loraRules({ ...base, sha256: 'f'.repeat(64) });
    const manifest = manifestOf();
    const { bytes } = await trained(manifest);
    expect(other.validate(bytes, manifest, null)).toContain('the base model here is ffff');
    expect(other.secure.length(manifestOf({ secure: 'double_mask' }))).toMatchObject({ ok: false });
    expect(await other.aggregate([], manifest, null, null)).toMatchObject({ ok: false });
  });
});

describe('a rank that no delta has', () => {
  it('costs nothing', async () => {
    const { bytes } = await trained(manifestOf());
    for (const loraRank of [2 ** 20, Number.MAX_SAFE_INTEGER])
      expect(rules.validate(bytes, manifestOf({ loraRank }), null)).toMatch(/^The tensor .* has the shape/);
  });
});

describe('what a node masks', () => {
  const secure = { secure: 'double_mask', fixedPointBits: 10 } as const;
  const sizeOfB = (manifest: RoundManifest): number =>
    [...startFor(manifest)].reduce((sum, [name, { data }]) => sum + (name.includes('lora_B') ? data.length : 0), 0);

  it('is what B has learned, and its mean makes the adapter again', async () => {
    const manifest = manifestOf(secure);
    const { bytes } = await trained(manifest);
    const numbers = good(rules.secure.numbersOf(bytes, manifest, null));
    expect(numbers).toHaveLength(sizeOfB(manifest));
    expect(good(rules.secure.length(manifest))).toBe(numbers.length);
    const { bytes: again, epsilon } = good(rules.secure.aggregateOf(numbers, manifest, null, null));
    expect(again).toEqual(bytes);
    expect(epsilon).toBeNull();
  });

  it('counts from the aggregate that the round continues', async () => {
    const first = await trained(manifestOf(secure));
    const next = manifestOf({ ...secure, previousAggregateSha: 'a'.repeat(64) });
    const { bytes } = await trained(next, first.bytes);
    const numbers = good(rules.secure.numbersOf(bytes, next, first.bytes));
    const again = adapterOf(good(rules.secure.aggregateOf(numbers, next, first.bytes, null)).bytes);
    // Both roundings are of numbers below 1.
    expect(globalNorm(differenceOf(again, adapterOf(bytes)))).toBeLessThan(1e-6);
    expect(rules.secure.numbersOf(bytes, next, writeAdapter(new Map()))).toMatchObject({ ok: false });
  });

  it('is within the bound of the round, with noise too, and is refused beyond the clip without', async () => {
    const noisy = manifestOf({ ...secure, dpNoiseScale: 0.5, clipNorm: 0.1, epsilonBudget: 100, privacyDelta: 1e-5 });
    const { bytes } = await trained(noisy);
    const far = writeAdapter(
      new Map(
        [...adapterOf(bytes)].map(([name, { shape, data }]) => [
          name,
          { shape, data: name.includes('lora_B') ? data.map(() => -9) : data },
        ]),
      ),
    );
    const { bound } = fixedPointOf(noisy);
    expect(bound).toBeCloseTo(4.6, 12);
    for (const delta of [bytes, far])
      expect(good(rules.secure.numbersOf(delta, noisy, null)).every((x) => Math.abs(x) <= bound)).toBe(true);
    const { numSamples } = await trained(noisy);
    expect(toFixedPoint(good(rules.secure.numbersOf(far, noisy, null)), numSamples, fixedPointOf(noisy)).ok).toBe(true);
    expect(rules.secure.numbersOf(far, manifestOf(secure), null)).toMatchObject({
      ok: false,
      error: expect.stringContaining('the round clips it to 5'),
    });
  });

  it.each([
    ['stack', { aggregationMode: 'stack' as const }],
    ['median', { aggregationRule: 'median' as const, faulty: 1 }],
    ['reputations', { reputations: [{ participant: 'b' as NodeId, factor: 0.5 }] }],
  ])('is nothing in a round with %s, which looks at single deltas', (_, changes) => {
    expect(rules.secure.length(manifestOf({ ...secure, ...changes })).ok).toBe(false);
  });

  it('is never aggregated one by one', async () => {
    expect(await rules.aggregate([], manifestOf(secure), null, null)).toMatchObject({
      ok: false,
      error: expect.stringContaining('single delta'),
    });
  });
});

describe('an aggregate', () => {
  const source = (participant: string, adapter: StateDict, numSamples: number) => {
    const bytes = writeAdapter(adapter);
    const { size, read } = readerOf(bytes);
    return {
      participant: participant as NodeId, // only its order counts
      numSamples,
      sha: '',
      size,
      // A reader in memory has no other faults than the host's.
      read: read as Parameters<typeof rules.aggregate>[0][number]['read'],
    };
  };
  const shifted = (manifest: RoundManifest, by: number): StateDict => {
    const start = startFor(manifest);
    const shift = [...start].map(([name, { shape, data }]) => [
      name,
      { shape, data: data.map(() => (name.includes('lora_B') ? by : 0)) },
    ]);
    return sumOf(start, new Map(shift as [string, { shape: readonly number[]; data: Float32Array }][]));
  };

  it('weighs by samples and by the reputations of the manifest', async () => {
    const manifest = manifestOf({ reputations: [{ participant: 'b' as NodeId, factor: 0.5 }] });
    const deltas = [source('a', shifted(manifest, 1), 1), source('b', shifted(manifest, 4), 4)];
    const { bytes, epsilon } = good(await rules.aggregate(deltas, manifest, null, null));
    for (const [name, { data }] of differenceOf(adapterOf(bytes), startFor(manifest)))
      expect(
        data.every((value) => value === (name.includes('lora_B') ? 3 : 0)),
        name,
      ).toBe(true);
    expect(epsilon).toBeNull();
  });

  it('costs what one release of the Gaussian mechanism costs', async () => {
    const manifest = manifestOf({ dpNoiseScale: 10, epsilonBudget: 100, privacyDelta: 1e-5 });
    const { epsilon } = good(await rules.aggregate([source('a', shifted(manifest, 1), 1)], manifest, null, null));
    expect(epsilon).toBe(epsilonEstimate(10, 5, 1, 1, 1, 1e-5));
  });

  it.each(['fedavgm', 'fedadam'] as const)(
    'takes the step of %s from where the round starts, and keeps its state',
    async (serverOptimizer) => {
      const manifest = manifestOf({ serverOptimizer, serverLearningRate: 0.5 });
      const start = startFor(manifest);
      const rate = { rate: 0.5 };
      const rule =
        serverOptimizer === 'fedavgm'
          ? { name: serverOptimizer, ...rate, momentum: 0.9 }
          : { name: serverOptimizer, ...rate, beta1: 0.9, beta2: 0.99, epsilon: 1e-3 };
      const first = good(await rules.aggregate([source('a', shifted(manifest, 1), 1)], manifest, null, null));
      const expected = serverStep(rule, start, shifted(manifest, 1), null);
      expect(first.bytes).toEqual(writeAdapter(expected.adapter));
      const state = present(first.serverState, 'an optimizer has a state');

      const next = { ...manifest, previousAggregateSha: 'a'.repeat(64), previousStateSha: 'b'.repeat(64) };
      const second = good(await rules.aggregate([source('a', shifted(next, 2), 1)], next, first.bytes, state));
      const then = serverStep(rule, expected.adapter, shifted(next, 2), expected.state);
      expect(second.bytes).toEqual(writeAdapter(then.adapter));
      // Without the state it would have been another step.
      const forgetful = good(await rules.aggregate([source('a', shifted(next, 2), 1)], next, first.bytes, null));
      expect(forgetful.bytes).not.toEqual(second.bytes);
      // The sum of a secure round takes the same step, up to the rounding of its mean.
      const secure = { ...next, secure: 'double_mask', fixedPointBits: 10 } as const;
      const numbers = [...differenceOf(shifted(next, 2), adapterOf(first.bytes))].filter(([name]) =>
        name.includes('lora_B'),
      );
      const mean = Float32Array.from(numbers.flatMap(([, { data }]) => [...data]));
      const masked = good(rules.secure.aggregateOf(mean, secure, first.bytes, state));
      expect(globalNorm(differenceOf(adapterOf(masked.bytes), then.adapter))).toBeLessThan(1e-5);
      expect(masked.serverState?.length).toBe(state.length);
      for (const wrong of [first.bytes, new Uint8Array(8), writeAdapter(new Map())])
        expect((await rules.aggregate([source('a', shifted(next, 2), 1)], next, first.bytes, wrong)).ok).toBe(false);
      const far = { ...manifest, serverLearningRate: 1e39, clipNorm: 0 };
      expect((await rules.aggregate([source('a', shifted(far, 1e4), 1)], far, null, null)).ok).toBe(false);
    },
  );

  it('is not made of a submission beyond the clip, without noise', () => {
    const manifest = manifestOf({ clipNorm: 0.5 });
    expect(rules.validate(writeAdapter(shifted(manifest, 1)), manifest, null)).toContain('the round clips it to 0.5');
    expect(rules.validate(writeAdapter(shifted(manifest, 1)), { ...manifest, clipNorm: 0 }, null)).toBeNull();
    // Also in a round that continues from an aggregate: what counts is the difference from that.
    const [previous, far] = [writeAdapter(shifted(manifest, 1)), writeAdapter(shifted(manifest, 1000))];
    const next = { ...manifest, previousAggregateSha: 'a'.repeat(64) };
    expect(rules.validate(previous, next, previous)).toBeNull();
    expect(rules.validate(far, next, previous)).toContain('the round clips it to 0.5');
    expect(rules.validate(previous, next, writeAdapter(new Map()))).toContain('has other tensors than the round');
  });
});
