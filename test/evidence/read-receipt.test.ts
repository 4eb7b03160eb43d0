/** Holds src/evidence/decode-receipt.ts. */
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.ts';
import { sha256 } from '../../src/evidence/digest.ts';
import { toJsonForm } from '../../src/evidence/json-form.ts';
import { readReceipt, writeReceipt } from '../../src/evidence/read-receipt.ts';
import { sampleReceipt } from './sample-receipt.ts';

const receipt = sampleReceipt({ reason: 'the paragraph \u2028 and ,"timing":{"elapsedMs":1} in a text' });
const written = writeReceipt(receipt);
const codeOf = (content: string, check = receipt.check) => {
  const read = readReceipt(content, 'p', check);
  return read.ok ? null : read.error.code;
};

/** The file of a receipt with the content of any, and the digest of that content. */
function file(content: object, timing: unknown = { elapsedMs: 1 }): string {
  const digest = sha256(canonicalJson(toJsonForm(content)));
  return `${canonicalJson(toJsonForm({ digest, receipt: { ...content, timing } }))}\n`;
}

const { timing: _, ...content } = receipt;
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

describe('the file of a receipt', () => {
  it('is read as it was written, however long the check took', () => {
    expect(readReceipt(written, 'p', receipt.check)).toEqual({ ok: true, value: receipt });
    expect(codeOf(written.replace('"elapsedMs":12.5', '"elapsedMs":125'))).toBeNull();
    expect(codeOf(file(content))).toBeNull();
  });

  it.each<[string, string, string]>([
    ['PV-6001', 'is cut off', written.slice(0, -3)],
    ['PV-6002', 'is null', 'null'],
    ['PV-6002', 'is a text', '"digest,receipt"'],
    ['PV-6002', 'has another member', written.replace('{"digest"', '{"also":1,"digest"')],
    ['PV-6002', 'has no digest', written.replace('"digest"', '"digests"')],
    ['PV-6002', 'has a digest that is not a text', written.replace(/"sha256:[0-9a-f]*"/, '7')],
    ['PV-6002', 'has no receipt', '{"digest":"sha256:0"}'],
    ['PV-6002', 'has null for a receipt', '{"digest":"sha256:0","receipt":null}'],
    ['PV-6002', 'has a text for a receipt', '{"digest":"sha256:0","receipt":"timing"}'],
    ['PV-6002', 'has a receipt without timing', written.replace(/,"timing":\{"elapsedMs":12.5\}/, '')],
    ['PV-6002', 'has a member that is not a number', written.replace('"cases":10000', '"cases":"10000"')],
    ['PV-6003', 'was written again with other white space', JSON.stringify(JSON.parse(written), null, 2)],
    ['PV-6003', 'has white space before it', ` ${written}`],
    ['PV-6003', 'ends without a line feed', written.trimEnd()],
    ['PV-6003', 'was changed before its timing', written.replace('"cases":10000', '"cases":10001')],
    ['PV-6003', 'was changed behind its timing', written.replace('"verdict":"tested"', '"verdict":"proved"')],
    ['PV-6003', 'has the digest of another', written.replace(/"sha256:../, '"sha256:zz')],
  ])('is %s where it %s', (code, _, changed) => expect(codeOf(changed)).toBe(code));

  it('is PV-6004 where it is of another check', () => expect(codeOf(written, sha256('another'))).toBe('PV-6004'));

  it('is PV-6016 where another version of pv wrote it, and it is whole', () => {
    expect(codeOf(file({ ...content, colour: 'green' }))).toBe('PV-6016');
    expect(codeOf(file({ ...content, colour: null }))).toBe('PV-6016');
    expect(codeOf(file({ ...content, schema: 'pv.receipt/2' }, { elapsedMs: 1, waitedMs: 2 }))).toBe('PV-6016');
    expect(codeOf(file({ ...content, colour: 'green' }).replace('green', 'red'))).toBe('PV-6002');
    expect(codeOf(file({ ...content, colour: nested(31) }))).toBe('PV-6016');
    expect(codeOf(file({ ...content, colour: nested(32) }))).toBe('PV-6002');
    expect(codeOf(file({ ...content, first: 1, colour: { deep: nested(40), flat: 1 } }))).toBe('PV-6002');
  });

  it('that nests without end is refused like any other', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    expect(codeOf(`{"digest":"sha256:0","receipt":{"timing":${deep}}}`)).toBe('PV-6002');
  });

  it('says where it is and how to fix it', () => {
    const hint = 'delete the file; the check runs again';
    expect(readReceipt('{}', 'p', receipt.check)).toMatchObject({ error: { subject: 'p', hint } });
  });
});
