/**
 * What the page says of a file, without the page.
 *
 * Holds src/trace/page/token-text.ts.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TraceFile } from '../../../src/trace/format/trace.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import { legacyProof, writeLegacyProof } from '../../../src/trace/legacy/proof.ts';
import { legacyTrace, type LegacyTrace } from '../../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import { inspect, type Inspected } from '../../../src/trace/page/inspect.ts';
import type { Anchor } from '../../../src/trace/verify/anchor.ts';
import { makeProof } from '../../../src/trace/verify/make-proof.ts';
import { flipped, seededSigner, valueOf } from '../../notes/signers.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { markedFirstLine } from '../../../src/trace/verify/first-line.ts';
import { promptText, recorded, tokenizer } from '../verify/recorded.ts';

const signer = seededSigner('example.org/a', 3);
const policy = { keys: [signer.key], threshold: 1 };
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const look = (bytes: Uint8Array, anchor: Anchor = {}): Promise<Inspected> =>
  inspect(bytes, anchor, () => Promise.resolve());

/** All that its steps were fed, and the token chosen last. */
function decoded({ entries }: TraceFile): string {
  const bytes = entries.flatMap((one) =>
    one.kind === 'step' && one.outputToken !== null ? [...tokenizer.decode(one.inputToken, one.outputToken)] : [],
  );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

let trace: TraceFile;
let file: Uint8Array;
let legacy: LegacyTrace;

beforeAll(async () => {
  trace = await recorded();
  file = await encodeTrace(trace, null);
  const entries = trace.entries.flatMap((one) =>
    one.kind === 'step' ? [{ ...one, token: one.inputToken, text: null }] : [],
  );
  legacy = valueOf(legacyTrace(entries, { modelPath: 'm.bin', prompt: 'Once', steps: 24 }));
});

describe('of a v2 trace', () => {
  it('is intact below what is known from elsewhere, and nothing is replayed', async () => {
    const { root, size } = trace;
    const found = await look(file, { root, size });
    expect(found).toMatchObject({ what: 'trace', verdict: 'intact', problems: [] });
    expect(found.covers).toEqual({ shown: ['leaves', 'tree'], open: ['nothing replayed'] });
    expect((await look(file, { root })).covers.open).toEqual(['size not bound', 'nothing replayed']);
    const alone = await look(file);
    expect(alone).toMatchObject({ verdict: 'unanchored', covers: { shown: [] }, problems: [] });
    expect(markedFirstLine(alone)).toBe('? UNANCHORED, so not verified (intact, root self-declared, nothing replayed)');
  });

  it('is read as a text where its tokenizer is given, and not with another', async () => {
    const { tokenizer: words } = tinyModel(7);
    const reads = (bytes: Uint8Array, given: Uint8Array) => inspect(bytes, {}, () => Promise.resolve(), given);
    const found = await reads(file, words);
    expect(found.text).toMatchObject({ forced: promptText, left: 0 });
    expect(found.text?.further).toBe(decoded(trace).slice(promptText.length));
    expect((await look(file)).text).toBeNull();
    // Tokens that were not recorded are shown as gaps.
    const gaps = await recorded({ unseen: (position) => position < 3 || position === 14 || position === 15 });
    const holes = await reads(await encodeTrace(gaps, null), words);
    expect(holes.text?.forced).toBe(promptText);
    expect(holes.text?.further.match(/…/g)).toHaveLength(1);
    const other = words.slice();
    other[4] = (other[4] ?? 0) ^ 1;
    for (const [bytes, code] of [
      [other, 'PV-8062'],
      [words.slice(0, 100), 'PV-8010'],
    ] as const) {
      const refused = await reads(file, bytes);
      expect([refused.verdict, refused.problems[0]?.code, refused.text]).toEqual(['failed', code, null]);
    }
    const lie = { ...trace.manifest, prompt: { ...trace.manifest.prompt, text: 'Twice upon a time' } };
    const forgery = await reads(await encodeTrace({ ...trace, manifest: lie }, null), words);
    expect([forgery.verdict, forgery.problems[0]?.code, forgery.text]).toEqual(['failed', 'PV-8063', null]);
    expect((await reads(writeLegacyTrace(legacy), words)).text).toMatchObject({ forced: '' });
  });

  it('fails below another root or size, without a demanded signature, or cut', async () => {
    const { root, size } = trace;
    const cut = file.subarray(0, file.length - 5);
    for (const [bytes, anchor, code] of [
      [file, { root: flipped(root, 1), size }, 'PV-8060'],
      [file, { root, size: size + 1 }, 'PV-8060'],
      [file, { policy }, 'PV-8056'],
      [cut, { root, size }, 'PV-8032'],
      [flipped(file, 8 * 400), { root, size }, 'PV-8036'],
    ] as const) {
      const found = await look(bytes, anchor);
      expect([found.verdict, found.problems[0]?.code, found.covers.shown]).toEqual(['failed', code, []]);
    }
  });

  it('shows each step and its path', async () => {
    const { rows } = await look(file);
    expect(rows?.length).toBe(24);
    const [step] = trace.entries;
    expect(rows?.at(0)).toMatchObject({ position: 0, input: step?.kind === 'step' ? step.inputToken : null });
    expect(JSON.stringify(await rows?.path(7))).toContain(bytesToHex(trace.root));
  });
});

describe('of a proof', () => {
  it('is verified by who signed it, and of no other', async () => {
    const checkpoint = valueOf(signTreeHead(trace, 'example.org/a/trace', [signer], 0));
    const proof = utf8(valueOf(makeProof(trace, 8, checkpoint)));
    expect(await look(proof, { policy })).toMatchObject({ what: 'proof', verdict: 'verified', standing: 'signatures' });
    expect(await look(proof)).toMatchObject({ verdict: 'unanchored', covers: { shown: [] } });
    const other = { keys: [seededSigner('example.org/b', 4).key], threshold: 1 };
    expect(await look(proof, { policy: other })).toMatchObject({ verdict: 'failed' });
  });
});

describe('of what llama2-rs writes', () => {
  it('is reported with what its format cannot bind', async () => {
    const bytes = writeLegacyTrace(legacy);
    const found = await look(bytes, { root: legacy.root });
    expect(found).toMatchObject({ what: 'trace of llama2-rs', verdict: 'intact' });
    expect(found.unbound.join()).toContain('no hash covers them');
    expect(await look(bytes)).toMatchObject({ verdict: 'unanchored' });
    expect(await look(bytes, { root: trace.root })).toMatchObject({
      verdict: 'failed',
      problems: [{ code: 'PV-8060' }],
    });
  });

  it('is held to a root alone: all else that is known fails', async () => {
    const proof = writeLegacyProof(legacyProof(legacy, 3));
    expect(await look(proof, { root: legacy.root })).toMatchObject({
      what: 'proof of llama2-rs',
      verdict: 'undetermined',
    });
    expect(await look(proof)).toMatchObject({ verdict: 'unanchored', covers: { shown: [] } });
    expect(await look(proof, { root: trace.root })).toMatchObject({ verdict: 'failed', path: null });
    for (const more of [{ size: 24 }, { policy }, { origin: 'example.org' }, { checkpoint: 'x' }]) {
      for (const bytes of [proof, writeLegacyTrace(legacy)]) {
        const found = await look(bytes, { root: legacy.root, ...more });
        expect([found.verdict, found.problems[0]?.code]).toEqual(['failed', 'PV-8057']);
      }
    }
  });
});

it('names what is neither, and what is damaged', async () => {
  expect(await look(utf8('{"a": 1}'))).toMatchObject({ verdict: 'failed', rows: null, covers: { shown: [] } });
  expect((await look(new Uint8Array(0))).problems[0]?.code).toBe('PV-8083');
});
