import { describe, expect, it } from 'vitest';
import { checkCommand } from '../../../src/data/diagnose/check-command.ts';
import { valuesOf, type Fitting } from '../../../src/data/diagnose/fit.ts';
import { claims, modelOf } from '../judge/claims.ts';
import { config, log } from '../judge/data-sets.ts';

const model = modelOf(claims('log', 'loss ∈ F64^T, limit ∈ ℝ', ['loss_t ≤ limit']));
const command = (
  fitting: Fitting,
  settings: Readonly<Record<string, number | boolean | string>> = {},
  contract = 'contracts/c-v1.yaml',
) => checkCommand(contract, model, fitting, new Map(Object.entries(settings)));

describe('the command that repeats a check', () => {
  it('names the file, and those beside it that give something', () => {
    expect(command([log({ loss: [1] })])).toBe('pv check contracts/c-v1.yaml --data run.jsonl');
    expect(command([log({ loss: [1] }), config({ limit: 3 }), config({ other: 3 }, 'other.yaml')])).toBe(
      'pv check contracts/c-v1.yaml --data run.jsonl --with train.yaml',
    );
    expect(command([log({ loss: [1] }), log({ step: [1] }, 'more.jsonl')])).toBe(
      'pv check contracts/c-v1.yaml --data run.jsonl --with more.jsonl',
    );
  });

  it('of values alone names no file that has none of them', () => {
    expect(command(valuesOf([config({ limit: 3 })]))).toBe('pv check contracts/c-v1.yaml --data train.yaml');
    expect(command(valuesOf([config({ limit: 3 }), config({ limit: 3 }, 'b.yaml')]))).toBe(
      'pv check contracts/c-v1.yaml --data train.yaml --with b.yaml',
    );
    expect(command(valuesOf([]))).toBe('pv check contracts/c-v1.yaml');
  });

  it('gives the settings again', () => {
    expect(command([log({ loss: [1] })], { limit: 2, on: true, name: 'a b' })).toBe(
      "pv check contracts/c-v1.yaml --data run.jsonl --set limit=2 --set on=true --set 'name=a b'",
    );
  });

  it('can be typed as printed: odd names are quoted', () => {
    expect(command([log({ loss: [1] }, "it's.jsonl")], {}, 'my contracts/c.yaml')).toBe(
      String.raw`pv check 'my contracts/c.yaml' --data 'it'\''s.jsonl'`,
    );
  });
});
