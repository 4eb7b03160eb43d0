/** Every mend that is shown is typed into the file, which then no longer violates what it mends. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elaborateContract } from '../../../src/contract/elaborate.ts';
import { readContract } from '../../../src/contract/read.ts';
import type { DataCheck, Mend } from '../../../src/data/judge/data-check.ts';
import { checkData } from '../../../src/data/judge/check-data.ts';
import { writtenLike } from '../../../src/data/judge/written-like.ts';
import type { DataOptions } from '../../../src/data/read/data-set.ts';
import { numberFromText } from '../../../src/data/read/number-text.ts';
import { readFileContent } from '../../support/read-data-file.ts';

const path = 'contracts/training-config-kernel-v1.yaml';
const read = readContract({ path, text: readFileSync(path, 'utf8') });
if (!read.value) throw new Error(`${path} cannot be read`);
const contract = elaborateContract(read.value, new Map());

async function check(name: string, text: string, options: DataOptions = {}): Promise<DataCheck> {
  const { data, messages } = await readFileContent(name, text, options);
  if (!data) throw new Error(messages.join('; '));
  return checkData(contract, [data], new Map());
}

function typed(text: string, { place, written }: Mend): string {
  const lines = text.split('\n');
  const line = lines[(place?.at ?? 0) - 1] ?? '';
  const at = (place?.column ?? 0) - 1;
  expect(line.slice(at, at + written.was.length)).toBe(written.was);
  lines[(place?.at ?? 0) - 1] = line.slice(0, at) + written.becomes + line.slice(at + written.was.length);
  return lines.join('\n');
}

const spellings: readonly (readonly [string, string, (name: string, value: unknown) => string])[] = [
  ['yaml', 'a.yaml', (name, value) => `${name}: ${String(value)}`],
  ['YAML with groups', 'a.yaml', (name, value) => `${name}: ${groups(value)}`],
  ['Python', 'a.py', (name, value) => `${name} = ${typeof value === 'number' ? groups(value) : pythonText(value)}`],
  ['YAML with percent and K', 'a.yaml', (name, value) => `${name}: ${short(name, value)}`],
];

function groups(value: unknown): string {
  return Number.isInteger(value) ? String(value).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, '_') : String(value);
}

function pythonText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

function short(name: string, value: unknown): string {
  if (typeof value !== 'number') return String(value);
  if (name.endsWith('ratio')) return `${value * 100}%`;
  return value >= 1000 && value % 1000 === 0
    ? `${value / 1000}K`
    : value < 0.01 && value > 0
      ? value.toExponential()
      : String(value);
}

const samples = contract.contract.falsificationTests.flatMap(({ id, control }) => {
  const values = control ? [...control.values].map(([name, { value }]) => [name, value] as const) : [];
  return control && control.violates.length > 0 ? [{ id, values }] : [];
});

describe('mends, typed', () => {
  test('there are samples', () => expect(samples.length).toBeGreaterThan(10));

  test.each(spellings)('%s', async (_, file, line) => {
    let mended = 0;
    for (const { values } of samples) {
      const text = `${values.map(([name, value]) => line(name, value)).join('\n')}\n`;
      const before = await check(file, text);
      for (const { id, mends } of before.obligations)
        for (const mend of mends.filter(({ place }) => place !== null)) {
          const after = await check(file, typed(text, mend));
          const now = after.obligations.find((one) => one.id === id)?.verdict;
          expect([id, mend.key, mend.written, now]).toEqual([id, mend.key, mend.written, 'satisfied']);
          mended += 1;
        }
    }
    expect(mended).toBeGreaterThan(30);
  });

  test.each([
    ['4800ba', 'max_duration: 4800ba\nt_warmup: 4800ba\nlearning_rate: 0.1\n', /^\d+ba$/],
    ['"5_000"', 'max_duration: "5_000"\nt_warmup: 5000\nlearning_rate: 0.1\n', /^\d+_\d{3}$/],
  ])('keep the unit and the quotes of %s', async (_, text, form) => {
    const mapping = new Map([
      ['max_steps', 'max_duration'],
      ['warmup_steps', 't_warmup'],
    ]);
    const { obligations } = await check('a.yaml', text, { mapping });
    const warm = obligations.find(({ id }) => id === 'CFG-003');
    const [mend] = warm?.mends ?? [];
    expect(mend?.written.becomes).toMatch(form);
    if (!mend) return;
    const after = await check('a.yaml', typed(text, mend), { mapping });
    expect(after.obligations.find(({ id }) => id === 'CFG-003')?.verdict).toBe('satisfied');
  });

  test('of a size in powers of two', async () => {
    const text =
      'entrenar: 1\ntraining:\n  grad_clip: 1\n  max_steps: 2K\n  warmup_steps: 2K\noptimizer:\n  lr: 3e-4\n';
    const { obligations } = await check('a.yaml', text);
    const [mend] = obligations.find(({ id }) => id === 'CFG-004')?.mends ?? [];
    expect([mend?.was, mend?.written]).toEqual([2048, { was: '2K', becomes: '20K' }]);
  });
});

test('a number is written so that it reads as itself', () => {
  const texts = fc.constantFrom('5%', '2K', '1.5M', '1_000', '12,000', '3e-4', '7', '0.25', '.5', '10 %');
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 10_000_000 }), fc.constantFrom(1, 0.001), (text, n, unit) => {
      const was = numberFromText(text) ?? Number.NaN;
      const becomes = Number((n * unit).toPrecision(12));
      const back = numberFromText(writtenLike(text, was, becomes)) ?? Number.NaN;
      expect(Math.abs(back - becomes)).toBeLessThanOrEqual(Math.abs(becomes) * 1e-12);
    }),
  );
});
