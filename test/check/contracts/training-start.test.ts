/** First losses as trainers log them, and when pv judges them without being asked. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';
import { checkTexts, idsOf, shippedContract } from './shipped.ts';

const contract = await shippedContract('training-start-v1');
const log = (first: number, step = 1): string =>
  Array.from({ length: 50 }, (_, i) => JSON.stringify({ step: step + 10 * i, loss: first * 0.97 ** i })).join('\n');
const nanoGpt = (start: string): string =>
  `init_from = '${start}'\nvocab_size = 50304\nn_layer = 12\nbatch_size = 12\nblock_size = 1024\nmax_iters = 1000\n`;
const violated = async (text: string, config: string): Promise<readonly string[]> =>
  idsOf(await checkTexts(contract, { 'run.jsonl': text, 'train.py': config }), 'violated');

describe('the first loss', () => {
  it('of random weights is near ln V', async () => {
    expect(await violated(log(11.01), nanoGpt('scratch'))).toEqual([]);
    expect(await violated(log(3.2), nanoGpt('scratch'))).toEqual(['START-002']);
    expect(await violated(log(88), nanoGpt('scratch'))).toEqual(['START-001']);
  });

  it('of a model that is fine-tuned may be lower, and not higher', async () => {
    expect(await violated(log(3.2), nanoGpt('gpt2'))).toEqual([]);
    expect(await violated(log(88), nanoGpt('gpt2'))).toEqual(['START-001']);
  });

  it('of a log that begins later may be lower', async () => {
    expect(await violated(log(5, 10), nanoGpt('scratch'))).toEqual([]);
  });

  it('of weights that may be random or not is only judged where it is too high', async () => {
    const found = await checkTexts(contract, { 'run.jsonl': log(3.2) }, { vocab_size: 50257 });
    expect([idsOf(found, 'satisfied'), idsOf(found, 'inapplicable')]).toEqual([['START-001'], ['START-002']]);
  });

  it('is not judged without the vocabulary', async () => {
    const found = await checkTexts(contract, { 'run.jsonl': log(3.2) });
    expect(idsOf(found, 'undetermined')).toEqual(['START-001', 'START-002']);
  });
});

describe('pv check without a contract', () => {
  const folder = new URL('../../../contracts/', import.meta.url);
  const shipped = readdirSync(folder)
    .filter((name) => name.endsWith('-v1.yaml'))
    .map((name) => [`/pv/contracts/${name}`, readFileSync(new URL(name, folder), 'utf8')] as const);
  const files = {
    ...Object.fromEntries(shipped),
    'run.jsonl': log(88),
    'train.py': nanoGpt('scratch'),
    'other.py': nanoGpt('scratch').replace(/vocab_size.*\n/, ''),
    'distil.yaml':
      'vocab_size: 50304\ntemperature: 2\nlearning_rate: 0.1\nmax_steps: 1000\nlr_scheduler_type: linear\n',
  };
  const judged = async (...args: readonly string[]): Promise<readonly [number, boolean]> => {
    const { code, stdout } = await runPv(['check', 'run.jsonl', ...args], { files });
    return [code, stdout.includes('training-start-v1 on run.jsonl')];
  };

  it('judges the first loss where the vocabulary is known and the loss is a cross-entropy', async () => {
    expect(await judged('--with', 'train.py')).toEqual([exitCodes.findings, true]);
    expect(await judged('--set', 'vocab_size=50304')).toEqual([exitCodes.findings, true]);
    expect(await judged()).toEqual([exitCodes.ok, false]);
    expect((await judged('--with', 'other.py'))[1]).toBe(false);
    expect((await judged('--with', 'distil.yaml'))[1]).toBe(false);
  });
});
