import { describe, expect, it } from 'vitest';
import { readFailures, rememberFailure, writeFailures } from '../../src/evidence/failures.ts';
import type { RecordedInput } from '../../src/evidence/receipt.ts';

const goal = 'softmax-kernel-v1/SM-INV-001';
const input = (hex: string, text = '', n = 1): RecordedInput => ({ sizes: { n }, values: { x: { hex, text } } });
const [zero, one] = [input('f32:00000000'), input('f32:0000803f')];

describe('inputs that once failed', () => {
  it('are the same where sizes and bytes are, whatever the text says', () => {
    expect(rememberFailure([zero], one)).toEqual([one, zero]);
    expect(rememberFailure([zero], input('f32:00000000', '', 2))).toHaveLength(2);
    expect(rememberFailure([zero], { sizes: { n: 1 }, values: { y: { hex: 'f32:00000000', text: '' } } })).toHaveLength(
      2,
    );
    expect(rememberFailure([one, zero], input('f32:00000000', 'zero'))).toEqual([input('f32:00000000', 'zero'), one]);
  });

  it('are read as they were written', () => {
    expect(readFailures(writeFailures(goal, [one, zero]), 'p', goal)).toEqual({ value: [one, zero], diagnostics: [] });
  });

  it.each([
    ['{', goal, 'file is not JSON'],
    ['{}', goal, 'file.schema is missing'],
    [writeFailures(goal, [zero]), 'other/X', `it belongs to ${goal}`],
  ])('are none where the file is not theirs: %j', (content, wanted, fault) => {
    const { value, diagnostics } = readFailures(content, 'p', wanted);
    expect(value).toEqual([]);
    expect(diagnostics).toMatchObject([
      {
        code: 'PV-6005',
        message: `the stored failing cases of ${wanted} cannot be replayed: ${fault}`,
        subject: 'p',
        hint: 'restore the file from version control or delete it',
      },
    ]);
  });
});
