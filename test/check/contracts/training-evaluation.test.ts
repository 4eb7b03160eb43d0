/** Runs that overfit, and those that keep their best checkpoint. Holds src/api/data/overfitting.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';

const folder = new URL('../../../contracts/', import.meta.url);
const contracts = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('-v1.yaml'))
    .map((name) => [`/pv/contracts/${name}`, readFileSync(new URL(name, folder), 'utf8')] as const),
);
/** Rows as Hugging Face's Trainer logs them: the loss every 10 steps, an evaluation every 50. */
const log = (evaluations: readonly number[], sets = ['eval_loss']): string =>
  evaluations
    .flatMap((loss, i) => [
      ...Array.from({ length: 5 }, (_, j) => ({ step: 50 * i + 10 * j + 10, loss: 3 - 0.05 * (5 * i + j) })),
      ...sets.map((name) => ({ step: 50 * i + 50, [name]: loss })),
    ])
    .map((row) => JSON.stringify(row))
    .join('\n');
const overfits = [2.4, 2.1, 2.0, 2.2, 2.4, 2.7];
const config = (more: string): string =>
  `learning_rate: 1.0e-4\nmax_steps: 300\neval_strategy: steps\nsave_strategy: steps\neval_steps: 50\n${more}`;
const files = {
  ...contracts,
  'over.jsonl': log(overfits),
  'spaced name.jsonl': log(overfits),
  'well.jsonl': log([2.4, 2.1, 2.0, 1.9, 1.85, 1.83]),
  'noisy.jsonl': log([2.4, 2.1, 2.0, 2.05, 2.02, 2.2]),
  'few.jsonl': log(overfits.slice(1, 5)),
  'two.jsonl': log(overfits, ['eval_loss', 'eval_loss']),
  'saved.yaml': config('save_steps: 50\nload_best_model_at_end: true\n'),
  'unsaved.yaml': config('save_steps: 100\nload_best_model_at_end: true\n'),
  'accuracy.yaml': config('save_steps: 100\nload_best_model_at_end: true\nmetric_for_best_model: eval_accuracy\n'),
};
const run = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runPv(['check', ...args], { files });
  return { code, warned: /warning\[PV-7048\]: (.*)/.exec(stderr)?.[1] ?? null, stdout, stderr };
};

describe('overfitting', () => {
  it('is advice, with the step of the best evaluation and a command that works', async () => {
    const { code, warned, stderr } = await run('spaced name.jsonl');
    expect([code, warned]).toEqual([
      exitCodes.ok,
      'The best evaluation is 2 at step 150, the last one 2.7 at step 300',
    ]);
    expect(stderr).toContain("pv check training-evaluation --data 'spaced name.jsonl'");
    const asked = await run('training-evaluation', '--data', 'spaced name.jsonl');
    expect([asked.code, asked.stdout.includes('✗ EVAL-001')]).toEqual([exitCodes.findings, true]);
  });

  it.each(['well.jsonl', 'noisy.jsonl', 'few.jsonl', 'two.jsonl'])('is not in %s', async (file) => {
    expect((await run(file)).warned).toBeNull();
  });

  it('is not in a run that goes on learning, as a claim either', async () => {
    for (const file of ['well.jsonl', 'noisy.jsonl', 'few.jsonl'])
      expect((await run('training-evaluation', '--data', file)).code).toBe(exitCodes.ok);
  });
});

describe('the best checkpoint', () => {
  it('must have been saved, where the config keeps it', async () => {
    const saved = await run('over.jsonl', '--with', 'saved.yaml');
    expect(saved.stdout).toContain('✓ EVAL-002');
    const unsaved = await run('over.jsonl', '--with', 'unsaved.yaml');
    expect([unsaved.code, unsaved.stdout.includes('✗ EVAL-002')]).toEqual([exitCodes.findings, true]);
  });

  it('is not judged by the loss where another metric decides', async () => {
    expect((await run('over.jsonl', '--with', 'accuracy.yaml')).stdout).not.toContain('✗ EVAL-002');
  });
});
