/** Holds src/data/read/stream/row-gaps.ts: a loss that is not a number is not hidden by another key. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runPv } from '../../support/memory-cli.ts';

const contract = 'training-stability-v1.yaml';
const contractText = readFileSync(new URL(`../../../contracts/${contract}`, import.meta.url), 'utf8').replaceAll(
  / *diagnosis: .*\n/g,
  '',
);
const rows = Array.from({ length: 60 }, (_, i) => i + 1);
const lossAt = (step: number): string => (5 - 0.02 * step).toFixed(3);

const check = async (name: string, text: string, ...argv: readonly string[]) =>
  runPv(['check', contract, '--data', name, ...argv], { files: { [contract]: contractText, [name]: text } });

describe('two keys that mean the loss', () => {
  const csv = (other: (step: number) => string): string =>
    ['step,train/loss,loss,lr', ...rows.map((step) => `${step},${other(step)},${lossAt(step)},0.001`)].join('\n') +
    '\n';

  it('leave it undetermined where one of them is not a number', async () => {
    const { code, stdout } = await check(
      'a.csv',
      csv(() => 'nan'),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ {2}\? STABLE-001 undetermined: .*loss has a value in 60 rows \(line 2 to 61\) where 'train\/loss', another key for it, is not a number$/m,
    );
    expect(
      (
        await check(
          'a.csv',
          csv((step) => (step === 30 ? 'inf' : lossAt(step))),
        )
      ).stdout,
    ).toContain('in 1 row (line 31) where');
  });

  it('do not where both are numbers, one is empty, or the user says which one counts', async () => {
    expect((await check('a.csv', csv(lossAt))).code).toBe(0);
    expect(
      (
        await check(
          'a.csv',
          csv(() => ''),
        )
      ).code,
    ).toBe(0);
    expect(
      (
        await check(
          'a.csv',
          csv(() => 'nan'),
          '--map',
          'loss=loss',
        )
      ).code,
    ).toBe(0);
  });

  it('are violated if the one that is read is not a number', async () => {
    expect(
      (
        await check(
          'a.csv',
          csv(() => 'nan'),
          '--map',
          'loss=train/loss',
        )
      ).stdout,
    ).toContain('✗ STABLE-001');
  });
});

describe('a line that gives the loss twice', () => {
  const text = (extra: string): string =>
    rows.map((step) => `step ${step}: loss ${lossAt(step)}${step === 30 ? extra : ''}`).join('\n') + '\n';

  it.each([
    [' loss nan', 1],
    [' loss inf', 1],
    [' loss 9.9', 0],
    ['', 0],
  ])('is a loss that is not a number if one is: %j', async (extra, code) => {
    const ran = await check('a.txt', text(extra));
    expect([ran.code, ran.stdout.includes('✗ STABLE-001')]).toEqual([code, code === 1]);
  });
});

describe('a loss that is true or false', () => {
  const records = rows.map((step) => ({ step, loss: step === 20 ? true : Number(lossAt(step)), skipped: step === 20 }));

  it.each([
    ['a.jsonl', records.map((one) => JSON.stringify(one)).join('\n')],
    ['a.json', JSON.stringify({ log_history: records }, null, 1)],
  ])('is not the number 1: %s', async (name, text) => {
    const { code, stdout } = await check(name, text);
    expect([code, /STABLE-001 undetermined: .*loss is missing in 1 row/.test(stdout)]).toEqual([1, true]);
    if (name === 'a.jsonl') expect(stdout).toContain('loss is true, where numbers are logged');
  });
});
