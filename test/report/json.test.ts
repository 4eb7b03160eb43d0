import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { formatJson } from '../../src/report/json.ts';
import schema from '../../src/report/report.schema.json' with { type: 'json' };
import {
  claimReport,
  contractReport,
  everyVerdict,
  hostileText,
  largeReport,
  methodReport,
  reportOf,
  samples,
} from './sample-reports.ts';

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);

describe('formatJson', () => {
  test.each([...samples, ['large', largeReport(150)] as const])('%s: valid against the shipped schema', (_, report) => {
    expect(validate(JSON.parse(formatJson(report))), JSON.stringify(validate.errors)).toBe(true);
  });

  test('is the report itself', () => {
    expect(JSON.parse(formatJson(everyVerdict))).toEqual(JSON.parse(JSON.stringify(everyVerdict)));
    expect(formatJson(everyVerdict)).toContain(JSON.stringify(hostileText).slice(1, 20));
  });

  test('numbers that JSON lacks remain distinct', () => {
    const input = { sizes: {}, values: {} };
    const claim = claimReport({
      methods: [methodReport({ worst: { error: Number.NaN, allowed: 0, ratio: Infinity, input } })],
    });
    const parsed: unknown = JSON.parse(formatJson(reportOf([contractReport('c', [claim])])));
    expect(parsed).toMatchObject({
      contracts: [{ claims: [{ methods: [{ worst: { error: 'NaN', ratio: 'Infinity' } }] }] }],
    });
    expect(validate(parsed)).toBe(true);
  });

  test.each<[string, (text: string) => string]>([
    ['an unknown verdict', (text) => text.replace('"falsified"', '"passed"')],
    ['an unknown key', (text) => text.replace('"sound"', '"surprise": 1, "sound"')],
    ['a missing key', (text) => text.replace(/"scope": "[^"]*",/, '')],
    ['a negative count', (text) => text.replace('"declared": 11', '"declared": -1')],
    ['a verdict left out of the totals', (text) => text.replace('"prose": 1,', '')],
    ['bytes that are not hexadecimal', (text) => text.replace('0000b042', '0000b04')],
  ])('the schema refuses %s', (_, change) => {
    const text = formatJson(everyVerdict);
    expect(change(text)).not.toBe(text);
    expect(validate(JSON.parse(change(text)))).toBe(false);
  });
});
