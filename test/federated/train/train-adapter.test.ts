/** Holds src/federated/train/perplexity.ts. */
import { describe, expect, it } from 'vitest';
import {
  hasConverged,
  samplesIn,
  trainAdapter,
  type LocalTraining,
} from '../../../src/federated/train/train-adapter.ts';
import { adaptModel } from '../../../src/federated/train/lora.ts';
import type { StateDict } from '../../../src/federated/adapter/layout.ts';
import { perplexity } from '../../../src/federated/train/perplexity.ts';
import { bytesOf, layersOf, scatteredFactors, smallBase } from './support.ts';

const base = await smallBase();
const text = bytesOf('the fire brigade meets at the old mill. '.repeat(20));
const options: LocalTraining = {
  layers: layersOf(base, ['query', 'value', 'up', 'down']),
  rank: 2,
  alpha: 4,
  dropout: 0,
  trainSteps: 60,
  learningRate: 0.02,
  batchSize: 4,
  seed: 9,
  clipNorm: 1,
  frozen: (name) => name.includes('lora_A'),
  round: { round_id: 'x' },
};
const start = (): StateDict => scatteredFactors(options.layers, options.rank);

const arrayOf = (adapter: StateDict, name: string): Float32Array => adapter.get(name)?.data ?? new Float32Array(0);

const perplexityWith = (adapter: StateDict): number =>
  perplexity(
    base,
    adaptModel(base, options.layers, options).merged((name) => arrayOf(adapter, name)),
    text,
  );

async function train(changes: Partial<LocalTraining> = {}, from: StateDict = start()) {
  const trained = await trainAdapter(base, from, text, { ...options, ...changes });
  if (!trained.ok) throw new Error(trained.error.message);
  return trained.value;
}

describe('local training', () => {
  it('learns its text, and changes neither the frozen factors nor the ones it started from', async () => {
    const [given, kept] = [start(), start()];
    const { adapter, losses, refused, certificate } = await train({}, given);
    expect(given).toEqual(kept);
    expect(losses).toHaveLength(60);
    expect(refused).toBe(0);
    expect(certificate.totalSteps).toBe(60);
    expect(perplexityWith(adapter)).toBeLessThan(0.9 * perplexityWith(kept));
    for (const name of kept.keys()) {
      const isSame = arrayOf(adapter, name).every((value, i) => value === arrayOf(kept, name)[i]);
      expect(isSame, name).toBe(name.includes('lora_A'));
    }
  });

  it('gives the same bits again', async () => {
    const [first, second] = [await train({ trainSteps: 10 }), await train({ trainSteps: 10 })];
    expect(second.adapter).toEqual(first.adapter);
    expect(second.certificate).toEqual(first.certificate);
  });

  it('trains both factors if none is frozen', async () => {
    const { adapter } = await train({ trainSteps: 2, frozen: () => false });
    for (const [name, { data }] of start()) expect(arrayOf(adapter, name)).not.toEqual(data);
  });

  it('adds the gradient of a penalty', async () => {
    const plain = await train({ trainSteps: 1 });
    const penalised = await train({
      trainSteps: 1,
      penalty: (factors, gradients) => {
        for (const { name, data } of factors) gradients[name]?.set(data.map((value) => 100 * value));
      },
    });
    expect(penalised.adapter).not.toEqual(plain.adapter);
  });

  it('refuses steps whose loss is not finite and reports how many', async () => {
    const bad = start();
    for (const { data } of bad.values()) data.fill(3e38);
    const { adapter, refused, losses } = await train({ trainSteps: 3 }, bad);
    expect(refused).toBe(3);
    expect(losses).toEqual([]);
    expect(adapter).toEqual(bad);
  });

  it('keeps the norm of every step within the clip', async () => {
    const { refused, certificate } = await train({ trainSteps: 20, clipNorm: 1e-3 });
    expect(refused).toBe(0);
    expect(certificate.violationList).toEqual([]);
  });

  it('does not train on a text shorter than the context', async () => {
    const trained = await trainAdapter(base, start(), bytesOf('short'), options);
    expect(trained).toMatchObject({ ok: false, error: { code: 'PV-8321' } });
  });
});

describe('convergence', () => {
  it('is a mean loss that stops falling', () => {
    expect(hasConverged(Array.from({ length: 99 }, () => 1))).toBe(false);
    expect(hasConverged(Array.from({ length: 100 }, () => 1))).toBe(true);
    expect(hasConverged(Array.from({ length: 100 }, (_, i) => 1 - i / 200))).toBe(false);
    expect(hasConverged(Array.from({ length: 100 }, (_, i) => 1 + i / 200))).toBe(true);
  });
});

describe('samples', () => {
  it('are windows of the context', () => {
    expect(samplesIn(base, bytesOf('x'.repeat(25)))).toBe(2);
    expect(samplesIn(base, bytesOf('x'))).toBe(1);
  });
});

describe('perplexity', () => {
  it('is the number of symbols for a model that predicts nothing', () => {
    const zeros = new Map([...base.weights].map(([name, data]) => [name, new Float32Array(data.length)]));
    expect(perplexity(base, (name) => zeros.get(name) ?? new Float32Array(0), text)).toBeCloseTo(256, 6);
  });
});
