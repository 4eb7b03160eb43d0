/**
 * Generated files of many columns, keys and values: they are read to their end, and their findings stay few. They are so
 * large that reading in a time that grows with the square of their size would not end.
 *
 * Holds src/data/read/formats/stated.ts.
 */
import { describe, expect, test } from 'vitest';
import { readFileContent } from '../../support/read-data-file.ts';

const many = 40_000;
const names = Array.from({ length: many }, (_, i) => `c${i}`);

const wide = (columns: readonly string[]): string =>
  `step,loss,${columns.join(',')}\n${[1, 2, 3].map((step) => `${step},1,${columns.map(() => '1').join(',')}`).join('\n')}\n`;

describe('logs of many columns', () => {
  test.each([
    ['names of their own', names],
    ['one name in many spellings', names.map((_, i) => `loss${'.'.repeat(1 + (i % 200))}${' '.repeat(i / 200)}`)],
    ['runs of Weights & Biases', names.map((name) => `run-${name} - train/loss`)],
  ])('%s', async (_, columns) => {
    const { codes, data } = await readFileContent('a.csv', wide(columns));
    expect(codes.length).toBeLessThan(60);
    expect(data?.tables.get('log')?.rows).toBeGreaterThan(1);
  });

  test('as JSON Lines with a first line longer than the part read for recognition', async () => {
    const line = (step: number): string =>
      JSON.stringify({ step, loss: 1, ...Object.fromEntries(names.map((n) => [n, 1])) });
    const { data } = await readFileContent('a.jsonl', `${line(1)}\n${line(2)}\n`);
    expect([data?.format, data?.tables.get('log')?.rows]).toEqual(['json-lines', 2]);
  });
});

test('a key of its own in each of many rows ends reading before the memory does', async () => {
  const rows = Array.from({ length: 8000 }, (_, i) => `{"step":${i},"loss":1,"k${i}":1}\n`);
  const { codes, data } = await readFileContent('a.jsonl', rows.join(''));
  expect([codes, (data?.tables.get('log')?.rows ?? 0) < 7200]).toEqual([['PV-7022'], true]);
});

describe('configs of many values', () => {
  test.each([
    ['that are computed', 'a.py', (i: number) => `v${i} = os.environ["V${i}"]`],
    ['that rest on others', 'a.py', (i: number) => (i === 0 ? 'v0 = f()' : `v${i} = v${i - 1} + 1`)],
    ['that look like a key', 'a.yaml', (i: number) => `s${i}: { warmup_stpes: 5 }`],
    ['that are filled in', 'a.yaml', (i: number) => `s${i}: { lr: "\${LR}" }`],
  ])('%s: their findings are counted', async (_, file, line) => {
    const text = ['max_steps: 5', ...names.slice(0, 20_000).map((__, i) => line(i))].join('\n');
    const { codes, messages } = await readFileContent(
      file,
      file.endsWith('py') ? text.replace('max_steps: 5\n', 'max_steps = 5\n') : text,
    );
    expect(codes.length).toBeLessThan(60);
    if (codes.length > 20) expect(messages.join('\n')).toMatch(/\d+ more findings of this kind in the file/);
  });
});
