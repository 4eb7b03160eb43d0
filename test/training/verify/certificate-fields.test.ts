/** Edits each field of a certificate, and holds docs/training.md to the level that notices it. Holds src/training/verify/train-again.ts. */
import { readFileSync } from 'node:fs';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import { canonicalJson, type JsonValue } from '../../../src/base/canonical-json.ts';
import { verifyCertificate, type Level } from '../../../src/training/verify/verify.ts';
import { certificateBytes, filesOf, trainedFiles } from '../run/small-run.ts';

const honest = await trainedFiles();
const names = { certificate: 'certificate.json', weights: 'weights.safetensors' };
const levels = ['files', 'ledger', 'spot', 'full'] as const;

/** Other values that are valid in the field, where one byte would only make the certificate malformed. */
const valid: Readonly<Record<string, readonly JsonValue[]>> = {
  'code.digest': ['0123'],
  'invariantStats[].evidence.class': ['bound', 'external'],
  'violationList[].is': ['at least', 'at most'],
  'violationList[].outcome': ['overridden', 'refused'],
};

/** A value that is not `value`, and of its type where it has one. */
function other(value: JsonValue, path: string): JsonValue {
  const alternative = valid[path]?.find((one) => one !== value);
  if (alternative !== undefined) return alternative;
  if (value === null) return 1;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return value;
  return (value.startsWith('a') ? 'b' : 'a') + value.slice(1);
}

/** Every leaf of the certificate, with the certificate in which only this leaf is edited. */
function edits(value: JsonValue, path: string, put: (edited: JsonValue) => JsonValue): [string, JsonValue][] {
  // Counts that still add up: one more would be noticed too soon.
  if (Array.isArray(value) && path.endsWith('.tierDistribution'))
    return [[path, put([...value.slice(1), ...value.slice(0, 1)])]];
  if (Array.isArray(value))
    return value.flatMap((item, i) =>
      edits(item, `${path}[]`, (edited) => put(value.map((old, j) => (i === j ? edited : old)))),
    );
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) =>
      edits(item, path === '' ? key : `${path}.${key}`, (edited) => put({ ...value, [key]: edited })),
    );
  return [[path, put(other(value, path))]];
}

/** The lowest level that fails; `none` if even `full` passes. */
async function noticedBy(certificate: JsonValue): Promise<Level | 'none'> {
  for (const level of levels) {
    const files = { ...filesOf(honest), certificate: utf8ToBytes(canonicalJson(certificate)) };
    const verdict = await verifyCertificate(files, { level, segments: 9, keys: [], names, pick: () => 0 });
    if (verdict.reached !== level) return level;
  }
  return 'none';
}

/** The documented level of a field: that of the row with the longest name that the path begins with. */
function documented(path: string): string {
  const page = readFileSync(new URL('../../../docs/training.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('### What notices an edited field'));
  const rows = [...section.matchAll(/^\| (`.+) \| `(\w+)` \|/gmu)].flatMap(([, fields = '', level = '']) =>
    [...fields.matchAll(/`([^`]+)`/gu)].map(([, field = '']) => ({ field, level })),
  );
  const isOf = (field: string): boolean =>
    path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
  const [row] = rows.filter(({ field }) => isOf(field)).toSorted((a, b) => b.field.length - a.field.length);
  return row?.level ?? 'not documented';
}

it('notices an edit of each field of a certificate at the documented level', async () => {
  const json: JsonValue = JSON.parse(new TextDecoder().decode(certificateBytes(honest.certificate)));
  const found = new Map<string, string>();
  const said = new Map<string, string>();
  for (const [path, edited] of edits(json, '', (value) => value)) {
    found.set(path, await noticedBy(edited));
    said.set(path, documented(path));
  }
  expect(found.size).toBeGreaterThan(60);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(said));
});
