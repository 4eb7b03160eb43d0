import { describe, expect, test } from 'vitest';
import { formatNames, formatReport, formats, isFormatName } from '../../src/report/formats.ts';
import { expectGolden } from './golden.ts';
import { everyVerdict, samples } from './sample-reports.ts';

describe.each(formatNames)('%s', (name) => {
  test.each(samples)('%s: the golden file', async (sample, report) => {
    expectGolden(`test/golden/report/${sample}.${name}.${formats[name].extension}`, await formatReport(name, report));
  });

  test('the same report gives the same bytes, and is not changed', async () => {
    const before = structuredClone(everyVerdict);
    expect(await formatReport(name, everyVerdict)).toBe(await formatReport(name, structuredClone(everyVerdict)));
    expect(everyVerdict).toEqual(before);
  });

  test('no control or bidirectional character of the user reaches the output', async () => {
    expect(await formatReport(name, everyVerdict)).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
    );
  });
});

test('names that are not formats are refused', () => {
  expect(isFormatName('text')).toBe(true);
  for (const name of ['', 'Text', 'toString', '__proto__', 'pdf']) expect(isFormatName(name)).toBe(false);
});
