/**
 * Loss and learning rate in a log around a stop: real logs that were never stopped raise nothing critical wherever one cuts them, and
 * logs that go wrong at the cut do. Holds src/checkpoint/checks/loss-consistency.ts, src/checkpoint/checks/rate-across-stop.ts,
 * src/cli/resume/read-run-log.ts.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createNodeHost } from '../../src/host/node-host.ts';
import type { Checkpoint, LoggedStep, ParameterGroup, SchedulerState } from '../../src/checkpoint/checkpoint.ts';
import type { Check, Finding } from '../../src/checkpoint/checks/check.ts';
import { aroundStop, bandBefore } from '../../src/checkpoint/across-the-stop.ts';
import { lossConsistency } from '../../src/checkpoint/checks/loss-consistency.ts';
import { rateAcrossStop } from '../../src/checkpoint/checks/rate-across-stop.ts';
import { readRunLog } from '../../src/cli/resume/read-run-log.ts';
import { memoryCli } from '../support/memory-cli.ts';

const bare: Checkpoint = {
  format: 'test',
  position: null,
  settings: new Map(),
  scheduler: null,
  optimizer: null,
  weights: [],
  others: [],
  versions: new Map(),
  log: [],
  files: [],
  missingWeights: [],
  randomStates: null,
  lossScale: null,
  checksums: [],
  name: 'checkpoint',
  refused: [],
};

async function judged(
  check: Check,
  stop: number,
  log: readonly LoggedStep[],
  checkpoint: Partial<Checkpoint> = {},
): Promise<Finding | null> {
  const position = { globalStep: stop, epoch: null, maxSteps: null };
  const evidence = { config: null, model: null, log, saved: null, live: null };
  const found = await check({ ...bare, position, ...checkpoint }, evidence);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

/** Noise that is the same in every run. */
const noise = (step: number): number => Math.sin(step * 12.9898) * 0.5 + Math.sin(step * 78.233) * 0.5;

const made = (steps: number, loss: (step: number) => number, rate: (step: number) => number): readonly LoggedStep[] =>
  Array.from({ length: steps }, (_, i) => ({ step: i + 1, loss: loss(i + 1), learningRate: rate(i + 1) }));

const decay = (step: number): number => 2 + 3 * Math.exp(-step / 40) + 0.05 * noise(step);
const linear = (step: number): number => 1e-3 * (1 - step / 400);

describe('the loss', () => {
  it.each<readonly [string, (step: number) => number, string]>([
    ['goes on', decay, 'PASS'],
    ['jumps and stays', (step) => (step > 120 ? decay(step) + 1 : decay(step)), 'CRITICAL'],
    ['jumps and recovers', (step) => (step > 120 ? decay(step) + 2 * 0.5 ** (step - 120) : decay(step)), 'CRITICAL'],
    ['starts afresh', (step) => (step > 120 ? decay(step - 120) : decay(step)), 'CRITICAL'],
    ['falls to a half', (step) => (step > 120 ? decay(step) / 2 : decay(step)), 'WARN'],
    ['grows from the sixth row on', (step) => (step > 125 ? 500 : decay(step)), 'CRITICAL'],
    ['has two high losses later', (step) => (step === 140 || step === 141 ? 500 : decay(step)), 'PASS'],
    ['is NaN', (step) => (step > 122 ? NaN : decay(step)), 'CRITICAL'],
    ['has jumped further before', (step) => decay(step) + (step % 40 === 1 ? (step < 100 ? 2 : 1) : 0), 'PASS'],
  ])('%s', async (_, loss, status) => {
    const finding = await judged(lossConsistency, 120, made(200, loss, linear));
    expect(finding?.status).toBe(status);
    if (status === 'CRITICAL') expect(finding).toMatchObject({ fix: expect.stringMatching(/\w/u) });
  });

  // SGD under OneCycleLR: its rate rises, and the loss falls faster and faster. It was stopped after 37 steps, and resumed as it should be.
  const rising = [
    3.1913, 3.1824, 3.1751, 3.1761, 3.1686, 3.198, 3.1792, 3.1752, 3.1531, 3.1598, 3.1985, 3.1685, 3.1714, 3.1607,
    3.1589, 3.1909, 3.173, 3.1667, 3.1499, 3.1623, 3.1399, 3.1206, 3.1322, 3.1497, 3.1215, 3.0775, 3.1035, 3.0468,
    2.9719, 3.0713, 2.9928, 2.9729, 2.8872, 2.9863, 2.8567, 2.7391, 2.6085, 2.5677, 2.7434, 2.628, 2.478, 2.3739,
  ];
  it('may fall faster and faster', async () => {
    expect(
      (
        await judged(
          lossConsistency,
          37,
          made(42, (step) => rising[step - 1] ?? NaN, linear),
        )
      )?.status,
    ).toBe('PASS');
    const jumped = (step: number): number => (rising[step - 1] ?? NaN) + (step > 37 ? 1 : 0);
    expect((await judged(lossConsistency, 37, made(42, jumped, linear)))?.status).toBe('CRITICAL');
    const half = (step: number): number => (rising[step - 1] ?? NaN) / (step > 37 ? 2 : 1);
    expect((await judged(lossConsistency, 37, made(42, half, linear)))?.status).toBe('WARN');
  });

  it('is not judged by rows of one step', async () => {
    const log = made(200, decay, linear).map((row) => (row.step > 120 ? { ...row, step: 121 } : row));
    expect((await judged(lossConsistency, 120, log))?.status).toBe('NOT CHECKED');
  });

  it('is not judged by too few losses, nor by none after the stop', async () => {
    expect((await judged(lossConsistency, 7, made(20, decay, linear)))?.status).toBe('NOT CHECKED');
    expect((await judged(lossConsistency, 20, made(20, decay, linear)))?.status).toBe('NOT CHECKED');
    expect((await judged(lossConsistency, 8, made(20, decay, linear)))?.status).toBe('PASS');
  });

  it('begins where a step goes back, and uses what the checkpoint has logged', async () => {
    const first = made(130, decay, linear);
    const second = made(200, (step) => decay(step) + 1, linear).slice(120);
    const { before, after } = aroundStop(120, [...first, ...second], []);
    expect([before.length, after[0]?.step, after.length]).toEqual([120, 121, 80]);
    expect((await judged(lossConsistency, 120, [...first, ...second]))?.status).toBe('CRITICAL');
    expect((await judged(lossConsistency, 120, second, { log: first }))?.status).toBe('CRITICAL');
    expect((await judged(lossConsistency, 120, second))?.status).toBe('NOT CHECKED');
  });

  it('has a band whose width is that of the noise', () => {
    const band = bandBefore(made(100, (step) => 3 - 0.01 * step + 0.1 * noise(step), linear));
    expect(band?.at(101)).toBeCloseTo(1.99, 1);
    expect(band?.deviation(101)).toBeGreaterThan(0.03);
    expect(band?.deviation(101)).toBeLessThan(0.1);
  });
});

describe('the learning rate', () => {
  it.each<readonly [string, (step: number) => number, string]>([
    ['goes on', linear, 'PASS'],
    ['is logged one step late from then on', (step) => linear(step > 120 ? step - 1 : step), 'PASS'],
    ['jumps back to its peak', (step) => linear(step > 120 ? step - 120 : step), 'CRITICAL'],
    ['is frozen', (step) => linear(Math.min(step, 121)), 'CRITICAL'],
    ['was constant and is', () => 1e-4, 'PASS'],
    ['was constant and is another', (step) => (step > 120 ? 2e-4 : 1e-4), 'CRITICAL'],
  ])('of an unknown schedule %s', async (_, rate, status) => {
    expect((await judged(rateAcrossStop, 120, made(200, decay, rate)))?.status).toBe(status);
  });

  const settings = new Map<string, string | number>([
    ['lr_scheduler_type', 'linear'],
    ['learning_rate', 1e-3],
    ['warmup_steps', 0],
  ]);
  it.each<readonly [string, (step: number) => number, string]>([
    ['as scheduled', linear, 'PASS'],
    ['one step late', (step) => linear(step - 1), 'PASS'],
    ['three steps late', (step) => linear(step - 3), 'CRITICAL'],
    ['of a longer schedule', (step) => 1e-3 * (1 - step / 1200), 'CRITICAL'],
  ])('of a known schedule is %s', async (_, rate, status) => {
    const checkpoint = { settings, position: { globalStep: 120, epoch: null, maxSteps: 400 } };
    expect((await judged(rateAcrossStop, 120, made(200, decay, rate), checkpoint))?.status).toBe(status);
  });

  // The Trainer of transformers always has two groups: weights, and what has no weight decay.
  const groupOf = (initialRate: number): ParameterGroup => ({
    learningRate: null,
    parameters: [],
    initialRate,
    isStateless: false,
    isAdam: true,
    unusable: [],
  });
  const cosine = (step: number): number => 1e-3 * 0.5 * (1 + Math.cos((Math.PI * (step - 8)) / 392));
  const scheduler: SchedulerState = { lastEpoch: 120, learningRates: [], baseLearningRates: [], countsEpochs: false };
  const trained = (more: Partial<Checkpoint> = {}): Partial<Checkpoint> => ({
    settings: new Map([...settings, ['lr_scheduler_type', 'cosine'], ['warmup_steps', 8]]),
    position: { globalStep: 120, epoch: null, maxSteps: 400 },
    optimizer: { groups: [groupOf(1e-3), groupOf(1e-3)], states: [] },
    ...more,
  });
  it.each<readonly [string, (step: number) => number, string]>([
    ['as scheduled', cosine, 'PASS'],
    ['one step late', (step) => cosine(step - 1), 'PASS'],
    ['rising where it must fall', (step) => cosine(120) + 1e-6 * (step - 120), 'CRITICAL'],
    ['half of it in every line', (step) => cosine(step) / 2, 'CRITICAL'],
    ['of another schedule', linear, 'CRITICAL'],
    ['NaN throughout', () => NaN, 'CRITICAL'],
    ['that of its tenth row from then on', (step) => cosine(step > 130 ? 130 : step), 'CRITICAL'],
  ])('of two groups is %s', async (_, rate, status) => {
    const after = made(200, decay, rate).slice(120);
    expect((await judged(rateAcrossStop, 120, after, trained()))?.status).toBe(status);
  });

  it('may be that of a group with a peak of its own, and with fp16 lag as far as steps were skipped', async () => {
    const peaks = { optimizer: { groups: [groupOf(1e-3), groupOf(5e-3)], states: [] } };
    const [other, both] = [(step: number): number => 5 * cosine(step), made(200, decay, cosine).slice(120)];
    expect((await judged(rateAcrossStop, 120, made(200, decay, other), trained(peaks)))?.status).toBe('PASS');
    expect((await judged(rateAcrossStop, 120, made(200, decay, other), trained()))?.status).toBe('CRITICAL');
    const mixed = both.map((row, i) => (i === 40 ? { ...row, learningRate: other(row.step) } : row));
    expect((await judged(rateAcrossStop, 120, mixed, trained(peaks)))?.status).toBe('CRITICAL');
    const lagging = made(200, decay, (step) => cosine(step - 5)).slice(120);
    const skipped = { scheduler: { ...scheduler, lastEpoch: 115 } };
    expect((await judged(rateAcrossStop, 120, lagging, trained(skipped)))?.status).toBe('CRITICAL');
    const fp16 = { ...skipped, settings: new Map([...(trained().settings ?? []), ['fp16', true] as const]) };
    expect((await judged(rateAcrossStop, 120, lagging, trained(fp16)))?.status).toBe('PASS');
    const afresh = made(200, decay, (step) => cosine(step - 60)).slice(120);
    expect((await judged(rateAcrossStop, 120, afresh, trained(fp16)))?.status).toBe('CRITICAL');
    const half = made(200, decay, (step) => cosine(step) / 2).slice(120);
    expect((await judged(rateAcrossStop, 120, half, trained(fp16)))?.status).toBe('CRITICAL');
  });

  it('is not that of the settings where the run has a scheduler of its own', async () => {
    const log = made(200, decay, (step) => 2e-3 * (1 - step / 400));
    const own = { scheduler: { ...scheduler, kind: 'OneCycleLR' } };
    expect((await judged(rateAcrossStop, 120, log, trained(own)))?.status).toBe('PASS');
    expect((await judged(rateAcrossStop, 120, log, trained({ scheduler })))?.status).toBe('CRITICAL');
    const broken = log.map((row) => (row.step > 150 ? { ...row, learningRate: NaN } : row));
    expect((await judged(rateAcrossStop, 120, broken, trained(own)))?.status).toBe('CRITICAL');
  });
});

const real = [
  'hf_full_checkpoint/checkpoint-1000/trainer_state.json',
  'logs/llamafactory-trainer_log.ccby.jsonl',
  'logs/megatron-spike.apache.log',
  'trainer_state/eval-keys-2025.mit.json',
  'trainer_state/metamath-2024.apache.json',
].map((name) => `../shared/data/resume/${name}`);

describe.skipIf(!real.every((path) => existsSync(path)))('real logs', { timeout: 60_000 }, () => {
  it.each(real)('%s has no critical stop wherever it is cut', async (path) => {
    const log = (await readRunLog(memoryCli({ host: createNodeHost() }).cli, path)) ?? [];
    expect(log.length).toBeGreaterThan(20);
    const tally = { PASS: 0, WARN: 0, CRITICAL: 0, 'NOT CHECKED': 0 };
    for (let i = 10; i < log.length - 5; i += Math.max(1, Math.floor(log.length / 100))) {
      const stop = log[i]?.step ?? 0;
      tally[(await judged(lossConsistency, stop, log))?.status ?? 'PASS'] += 1;
      expect((await judged(rateAcrossStop, stop, log))?.status).not.toBe('CRITICAL');
    }
    expect(tally.CRITICAL).toBe(0);
    expect(tally.WARN).toBeLessThanOrEqual(0.1 * (tally.PASS + tally.WARN));
  });

  it('is critical where a real run starts afresh', async () => {
    const log = (await readRunLog(memoryCli({ host: createNodeHost() }).cli, real[1] ?? '')) ?? [];
    const [before, afresh] = [log.slice(0, 30), log.slice(0, 10)];
    const stop = before.at(-1)?.step ?? 0;
    const joined = [...before, ...afresh.map((row) => ({ ...row, step: stop + row.step }))];
    expect((await judged(lossConsistency, stop, joined))?.status).toBe('CRITICAL');
  });
});
