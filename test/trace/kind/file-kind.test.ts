/**
 * Holds src/trace/any-trace.ts, src/trace/kind/foreign-format.ts, src/trace/kind/other-kind.ts,
 * src/trace/kind/text-kind.ts.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAnyTrace } from '../../../src/trace/any-trace.ts';
import { toJson } from '../../../src/trace/format/json.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import { fileKind } from '../../../src/trace/kind/file-kind.ts';
import type { FileRole } from '../../../src/trace/kind/kind.ts';
import { otherKind } from '../../../src/trace/kind/other-kind.ts';
import { legacyProof, writeLegacyProof } from '../../../src/trace/legacy/proof.ts';
import { readLegacyTrace } from '../../../src/trace/legacy/read-trace.ts';
import { legacyTrace } from '../../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import { makeProof } from '../../../src/trace/verify/make-proof.ts';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import { llamaData } from '../../support/llama-data.ts';
import { generated, signerOf, valueOf } from '../../notes/signers.ts';
import { madeTrace } from '../verify/traces.ts';
import { foreign, hex } from './foreign.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const trace = madeTrace(5);
const v2 = await encodeTrace(trace, null);
const tree = treeOf(trace);
const { signerKey, verifierKey } = generated('example.org/alice', 'ed25519', new Uint8Array(32).fill(1));
const signed = valueOf(signTreeHead({ size: tree.size, root: tree.root() }, 'o', [signerOf(signerKey)], 0));
const proof = valueOf(makeProof(trace, 2, null));
const tiny = tinyModel(1);
const hash = new Uint8Array(32).fill(7);
const entries = [0, 1, 2].map((position) => ({ position, token: position, text: null, logitsHash: hash }));
const llama = valueOf(legacyTrace(entries, { modelPath: 'm.bin', prompt: 'a prompt '.repeat(200), steps: 3 }));
const consistency = '{\n  "format": "pv-trace-consistency/1",\n  "size1": 1\n}\n';

const ours: readonly (readonly [string, FileRole, Uint8Array])[] = [
  ['a v2 trace', 'trace', v2],
  ['a v2 trace with half of its magic damaged', 'trace', v2.map((byte, i) => (i < 4 ? byte ^ 1 : byte))],
  ['the first two bytes of a v2 trace', 'trace', v2.subarray(0, 2)],
  ['the JSON of a trace', 'trace', utf8(toJson(valueOf(await readTrace(v2))))],
  ['the JSON of a trace, cut', 'trace', utf8(toJson(valueOf(await readTrace(v2)))).subarray(0, 200)],
  ['a proof', 'proof', utf8(proof)],
  ['a proof with CRLF', 'proof', utf8(proof.replaceAll('\n', '\r\n'))],
  ['a proof of llama2-rs', 'proof', writeLegacyProof(legacyProof(llama, 1))],
  ['a signed checkpoint', 'checkpoint', utf8(signed)],
  ['a checkpoint alone', 'checkpoint', utf8(signed.slice(0, signed.indexOf('\n\n') + 1))],
  ['a consistency proof', 'consistency', utf8(consistency)],
  ['a verifier key', 'verifier key', utf8(`${verifierKey}\n`)],
  ['a secret key', 'signer key', utf8(`${signerKey}\n`)],
  ['a model', 'model', tiny.checkpoint],
  ['the start of a model', 'model', tiny.checkpoint.subarray(0, 100)],
  ['a tokenizer', 'tokenizer', tiny.tokenizer],
];

describe('the kind of a file', () => {
  it.each(ours)('%s is a %s', (_, role, bytes) => {
    expect(fileKind(bytes)).toEqual({ role });
    expect(otherKind(bytes, role)).toBeNull();
    const others = ours.map(([, one]) => one).filter((one) => one !== role);
    for (const other of others) expect(otherKind(bytes, other), other).toMatchObject({ code: 'PV-8083' });
    expect(otherKind(bytes, 'trace', role)).toBeNull();
  });

  it.each(foreign)('%s is told by its name, whatever is expected', (name, bytes) => {
    for (const [, role] of ours) expect(otherKind(bytes, role)?.message).toMatch(name);
  });

  it('origins and keys may start with the letters of a mark', () => {
    for (const name of ['RIFF.example/log', 'GIF8', 'BZh', 'GGUF', '24ka']) {
      const key = generated(name, 'ed25519', new Uint8Array(32).fill(1)).verifierKey;
      expect(fileKind(utf8(key))).toEqual({ role: 'verifier key' });
      expect(fileKind(utf8(signed.replace(/^o/, name)))).toEqual({ role: 'checkpoint' });
    }
  });

  it('a text without a mark is for readers of texts, data for those of models', () => {
    const text = utf8('Once upon a time');
    expect([fileKind(text), otherKind(text, 'proof'), otherKind(text, 'checkpoint')]).toEqual(['text', null, null]);
    expect(otherKind(text, 'trace')?.message).toBe(
      'This looks like a text of no kind known here, and a trace is expected here.',
    );
    const data = hex('f1e2d3c4b5a697f8e1d2c3b4');
    expect([fileKind(data), otherKind(data, 'model')]).toEqual(['binary', null]);
    expect(otherKind(data, 'proof')).toMatchObject({ code: 'PV-8083' });
    // A text of another script, and a key with a byte damaged, are texts.
    expect(fileKind(utf8('从前有一个小女孩'.repeat(300)))).toBe('text');
    expect(fileKind(utf8(verifierKey).map((byte, i) => (i === 20 ? 0xff : byte)))).toBe('text');
  });

  it('what llama2-rs may have written is left to its reader', async () => {
    const whole = writeLegacyTrace(llama);
    const damaged = whole.slice();
    damaged[1] = 0x10;
    for (const bytes of [whole, whole.subarray(0, 5), whole.subarray(0, -1), damaged]) {
      expect(fileKind(bytes)).toBeNull();
      expect(otherKind(bytes, 'trace')).toBeNull();
    }
    expect(await readAnyTrace(whole)).toMatchObject({ ok: true, value: { format: 'legacy' } });
  });

  it('a v2 trace that went through a text transfer says so', async () => {
    const [magic, rest] = ['8970767472', Buffer.from(v2).toString('hex').slice(16)];
    for (const end of ['0a1a', '0d0d0a1a']) {
      expect(await readAnyTrace(hex(`${magic}${end}${rest}`))).toMatchObject({ error: { code: 'PV-8084' } });
    }
  });

  it('JSON of another program’s trace is not a trace of ours', () => {
    const bytes = utf8('{"file": "a.trace", "metadata": {}, "entries": [], "root": "00"}');
    expect(otherKind(bytes, 'trace')?.message).toContain('JSON that is of no kind known here');
  });

  it('JSON with a byte order mark is read', async () => {
    const json = toJson(valueOf(await readTrace(v2)));
    expect(await readAnyTrace(utf8(`\uFEFF${json}`))).toMatchObject({ ok: true, value: { format: 'v2' } });
  });
});

const present = existsSync(llamaData);

it.each(present ? [] : ['shared data absent: no file of llama2-rs was looked at'])('%s', () => {
  expect(existsSync(llamaData)).toBe(false);
});

it.each(present ? ['model, tokenizer, traces and their proofs'] : [])(
  '%s of llama2-rs are taken for what they are',
  () => {
    const bytesOf = (...path: readonly string[]): Uint8Array => new Uint8Array(readFileSync(join(llamaData, ...path)));
    for (const name of readdirSync(join(llamaData, 'traces')).filter((one) => one.endsWith('.trace'))) {
      const bytes = bytesOf('traces', name);
      expect(otherKind(bytes, 'trace'), name).toBeNull();
      const read = valueOf(readLegacyTrace(bytes));
      for (const index of read.entries.keys()) {
        expect(fileKind(writeLegacyProof(legacyProof(read, index))), `${name} ${index}`).toEqual({ role: 'proof' });
      }
    }
    expect(fileKind(bytesOf('stories260K.bin'))).toEqual({ role: 'model' });
    expect(fileKind(bytesOf('tok512.bin'))).toEqual({ role: 'tokenizer' });
  },
);
