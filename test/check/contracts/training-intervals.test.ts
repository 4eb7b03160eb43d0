/** Configs as Hugging Face's Trainer, axolotl and LLaMA-Factory write them, and the contracts that pv chooses for them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';
import { checkTexts, idsOf, obligationOf, shippedContract } from './shipped.ts';

const contract = await shippedContract('training-intervals-v1');
const yaml = (more: string): string =>
  `per_device_train_batch_size: 4\nlearning_rate: 1.0e-4\nmax_steps: 1000\neval_strategy: steps\nsave_strategy: steps\n${more}`;
const violatedIn = async (more: string): Promise<readonly string[]> =>
  idsOf(await checkTexts(contract, { 'train.yaml': yaml(more) }), 'violated');

describe('intervals of a config', () => {
  it.each([
    ['meet', 'load_best_model_at_end: true\nsave_steps: 400\neval_steps: 200\n', []],
    ['never meet', 'load_best_model_at_end: true\nsave_steps: 500\neval_steps: 200\n', ['INTERVAL-001']],
    ['need not meet if the last checkpoint is kept', 'save_steps: 500\neval_steps: 200\n', []],
    [
      'come after the run',
      'load_best_model_at_end: true\nsave_steps: 2000\neval_steps: 2000\n',
      ['INTERVAL-002', 'INTERVAL-003'],
    ],
  ])('that %s', async (_, more, violated) => {
    expect(await violatedIn(more)).toEqual(violated);
  });

  it('in epochs are not judged', async () => {
    const epochs = yaml('load_best_model_at_end: true\n').replaceAll('strategy: steps', 'strategy: epoch');
    const found = await checkTexts(contract, { 'train.yaml': epochs });
    expect([idsOf(found, 'violated'), idsOf(found, 'undetermined')]).toEqual([[], []]);
    expect(idsOf(found, 'inapplicable')).toEqual(['INTERVAL-001', 'INTERVAL-002', 'INTERVAL-003']);
  });

  it('have fixes', async () => {
    const found = await checkTexts(contract, { 'train.yaml': yaml('save_steps: 500\neval_steps: 2000\n') });
    expect(obligationOf(found, 'INTERVAL-002').mends.map(({ input }) => input)).toEqual(['eval_interval']);
  });

  const fixes = async (more: string): Promise<Readonly<Record<string, readonly string[]>>> => {
    const { obligations } = await checkTexts(contract, { 'train.yaml': yaml(more) });
    const violated = obligations.filter(({ verdict }) => verdict === 'violated');
    return Object.fromEntries(
      violated.map(({ id, mends }) => [id, mends.map(({ key, becomes }) => `${key} ${becomes}`)]),
    );
  };

  it('have the nearest multiple or divisor as a fix', async () => {
    expect(await fixes('load_best_model_at_end: true\nsave_steps: 500\neval_steps: 200\n')).toEqual({
      'INTERVAL-001': ['save_steps 600', 'eval_steps 250'],
    });
  });

  it('have one fix for two claims, or none, where each alone would violate the other', async () => {
    const found = await fixes('load_best_model_at_end: true\nsave_steps: 2100\neval_steps: 1500\n');
    expect(found).toEqual({
      'INTERVAL-001': ['eval_steps 700'],
      'INTERVAL-002': ['eval_steps 700'],
      'INTERVAL-003': [],
    });
  });
});

describe('pv check without a contract', () => {
  const files = {
    ...Object.fromEntries(
      ['training-config-kernel-v1', 'training-intervals-v1'].map((name) => [
        `/pv/contracts/${name}.yaml`,
        readFileSync(new URL(`../../../contracts/${name}.yaml`, import.meta.url), 'utf8'),
      ]),
    ),
    'best.yaml': yaml('load_best_model_at_end: true\nsave_steps: 500\neval_steps: 200\n'),
    'last.yaml': yaml('load_best_model_at_end: false\nsave_steps: 500\neval_steps: 200\n'),
  };
  it('counts the steps of a run as the contract of the whole config does', async () => {
    const text = yaml('load_best_model_at_end: true\nsave_steps: 400\neval_steps: 200\n')
      .replace('batch_size: 4', 'batch_size: 8')
      .replace('max_steps: 1000', 'num_train_epochs: 3\ngradient_accumulation_steps: 4');
    const { stdout } = await runPv(['check', 'a.yaml', '--set', 'num_sequences=10000'], {
      files: { ...files, 'a.yaml': text },
    });
    expect([...stdout.matchAll(/max_steps = (\d+)/g)].map(([, steps]) => steps)).toEqual(['936', '936']);
  });

  const names = async (file: string): Promise<readonly [number, readonly string[]]> => {
    const { code, stdout } = await runPv(['check', file, '--set', 'num_sequences=100000'], { files });
    return [code, [...stdout.matchAll(/^(\S+-v1) on /gm)].map(([, name]) => name ?? '')];
  };

  it('judges intervals where the best checkpoint is kept', async () => {
    expect(await names('best.yaml')).toEqual([
      exitCodes.findings,
      ['training-config-kernel-v1', 'training-intervals-v1'],
    ]);
    expect((await names('last.yaml'))[1]).toEqual(['training-config-kernel-v1']);
  });
});
