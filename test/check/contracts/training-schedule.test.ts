/** The rates of the right logs are computed here as the trainers compute them, not as the contract does. */
import { describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { checkTexts, idsOf, obligationOf, shippedContract } from './shipped.ts';

const contract = await shippedContract('training-schedule-v1');
const [peak, warmup, total] = [3e-4, 50, 1000];

/** `get_cosine_schedule_with_warmup` and `get_linear_schedule_with_warmup` of transformers, after `done` steps of the scheduler. */
const transformers = {
  cosine: (done: number): number =>
    done < warmup
      ? (peak * done) / warmup
      : peak * Math.max(0, 0.5 * (1 + Math.cos((Math.PI * (done - warmup)) / (total - warmup)))),
  linear: (done: number): number =>
    done < warmup ? (peak * done) / warmup : peak * Math.max(0, (total - done) / (total - warmup)),
  constant_with_warmup: (done: number): number => peak * Math.min(1, done / warmup),
};

/** nanoGPT's `get_lr`: steps count from 0, warm-up from 1, and the decay ends at a tenth of the peak. */
function nanoGpt(it: number): number {
  if (it < warmup) return (peak * (it + 1)) / (warmup + 1);
  if (it > total) return peak / 10;
  return peak / 10 + 0.5 * (1 + Math.cos((Math.PI * (it - warmup)) / (total - warmup))) * (peak - peak / 10);
}

const log = (rate: (step: number) => number, print: (rate: number) => string = String): string =>
  Array.from({ length: 100 }, (_, i) => `{"step": ${10 * i + 9}, "loss": 3, "lr": ${print(rate(10 * i + 9))}}`).join(
    '\n',
  );

const config = (schedule: string, more = ''): string =>
  `learning_rate: 3.0e-4\nlr_scheduler_type: ${schedule}\nwarmup_steps: ${warmup}\nmax_steps: ${total}\nmin_lr: 0\n${more}`;

const check = async (text: string, yaml: string): Promise<ReturnType<typeof checkTexts>> =>
  checkTexts(contract, { 'run.jsonl': text, 'train.yaml': yaml });

it('the arithmetic of a config is not taken for the rounding of its rates', async () => {
  const found = await check(
    log((step) => transformers.cosine(step)),
    config('cosine', 'bf16: true'),
  );
  expect(found.problems).toEqual([]);
  expect(obligationOf(found, 'SCHEDULE-001').verdict).toBe('satisfied');
});

const shapes = ['cosine', 'linear', 'constant_with_warmup'] as const;

describe('the rates of a right run', () => {
  it.each(shapes)('of transformers, %s, logged before or after the scheduler steps', async (shape) => {
    for (const shift of [-1, 0, 1]) {
      const found = await check(
        log((step) => transformers[shape](step + shift)),
        config(shape),
      );
      expect(idsOf(found, 'satisfied')).toEqual(['SCHEDULE-001', 'SCHEDULE-002']);
    }
  });

  it.each([
    ['in full', String],
    ['with three digits', (rate: number): string => rate.toExponential(2)],
    ['with six decimals', (rate: number): string => rate.toFixed(6)],
  ] as const)('of nanoGPT, %s', async (_, print) => {
    const found = await check(log(nanoGpt, print), config('cosine').replace('min_lr: 0', 'min_lr: 3.0e-5'));
    expect(idsOf(found, 'satisfied')).toEqual(['SCHEDULE-001', 'SCHEDULE-002']);
  });

  it('of another shape are not judged', async () => {
    const found = await check(log(nanoGpt), config('polynomial'));
    expect([idsOf(found, 'vacuous'), idsOf(found, 'satisfied')]).toEqual([['SCHEDULE-001'], ['SCHEDULE-002']]);
  });
});

describe('the rates of a run', () => {
  it.each([
    ['whose scheduler is stepped once per GPU, on two', (step: number) => transformers.cosine(2 * step), 1],
    ['whose schedule begins again at step 500', (step: number) => transformers.cosine(step % 500), 51],
    [
      'whose steps count twice after a resume',
      (step: number) => transformers.cosine(step < 300 ? step : step + 300),
      31,
    ],
    ['whose log counts four micro-batches a step', (step: number) => transformers.cosine(step / 4), 1],
    ['without the warm-up', (step: number) => transformers.cosine(step + warmup), 1],
    ['that never leaves warm-up', (step: number) => (peak * step) / total, 1],
  ] as const)('%s are found at the first row that shows it', async (_, rate, line) => {
    const found = await check(log(rate), config('cosine'));
    expect(idsOf(found, 'violated')).toEqual(['SCHEDULE-001']);
    expect(obligationOf(found, 'SCHEDULE-001').places[0]?.at).toBe(line);
  });

  it.each(['learning_rate', 'lr_scheduler_type', 'warmup_steps', 'max_steps'])(
    'are not judged without %s',
    async (key) => {
      const lines = config('cosine').split('\n');
      const found = await check(log(transformers.cosine), lines.filter((line) => !line.startsWith(key)).join('\n'));
      expect(idsOf(found, 'undetermined')).toEqual(['SCHEDULE-001']);
      expect(obligationOf(found, 'SCHEDULE-001').missing.some(({ required }) => required)).toBe(true);
    },
  );
});

const llmc = new URL('../../../../shared/data/strangers/logs/llmc-main.log', import.meta.url);
const distill = new URL('../../../../shared/data/logs/distill-student-v3.log', import.meta.url);

/** The settings of llm.c are those of its script for GPT-2 124M; of the other log, those of its run. */
describe.runIf(existsSync(llmc) && existsSync(distill))('public logs', () => {
  it.each([
    [llmc, 19_560, { learning_rate: 6e-4, warmup_steps: 700, max_steps: 19_560 }],
    [distill, 193, { learning_rate: 1e-4, warmup_steps: 200, max_steps: 5000 }],
  ])('%s follows its schedule, and no faster one', async (file, rows, settings) => {
    const text = await readFile(file, 'utf8');
    const found = await checkTexts(contract, { 'run.log': text }, { ...settings, lr_schedule: 'cosine' });
    expect(idsOf(found, 'satisfied')).toEqual(['SCHEDULE-001', 'SCHEDULE-002']);
    expect(obligationOf(found, 'SCHEDULE-001').rows).toMatchObject({ evaluated: rows });
    const longer = { ...settings, max_steps: 2 * settings.max_steps, lr_schedule: 'cosine' };
    expect(idsOf(await checkTexts(contract, { 'run.log': text }, longer), 'violated')).toEqual(['SCHEDULE-001']);
  });
});
