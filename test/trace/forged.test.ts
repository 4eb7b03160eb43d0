/** Forgeries of real files, with checks, sizes and roots made anew: readers answer, and what a root covers is what had it. */
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import { createFrameWriter } from '../../src/trace/format/frame.ts';
import { fromJson, toJson } from '../../src/trace/format/json.ts';
import { treeOf } from '../../src/trace/format/leaves.ts';
import { encodeManifest } from '../../src/trace/format/manifest.ts';
import { readTrace } from '../../src/trace/format/read-trace.ts';
import type { Trace, TraceFile } from '../../src/trace/format/trace.ts';
import { encodeTrace, encodeTraceFile } from '../../src/trace/format/write-trace.ts';
import { readLegacyTrace } from '../../src/trace/legacy/read-trace.ts';
import { legacyTrace, type LegacyEntry } from '../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../src/trace/legacy/write-trace.ts';
import { parseNote } from '../../src/notes/note.ts';
import { openNote } from '../../src/notes/open.ts';
import { readCheckpoint, signTreeHead } from '../../src/notes/tree-head.ts';
import { checkProof, type ProofVerdict } from '../../src/trace/verify/check-proof.ts';
import { makeProof } from '../../src/trace/verify/make-proof.ts';
import { greedyManifest, randomTrace } from '../support/trace-cases.ts';
import { drawFor, editedJson, forgedLines, forgedParts, oneOf, partsOf, sealed } from './forgeries.ts';
import { entriesOf, traceOf } from './legacy/traces.ts';
import { fuzzPart, patience } from './mutations.ts';
import { seededSigner, valueOf } from '../notes/signers.ts';
import { madeTrace } from './verify/traces.ts';

const count = fuzzPart(10);
const proofCount = fuzzPart(40);
/** What is read is written and read again. */
const longPatience = 3 * patience;
const said = ({ manifest, entries }: Trace): string => JSON.stringify([manifest, entries]);
const traces: readonly Trace[] = [
  randomTrace(60, 12),
  randomTrace(61, 5, { ...greedyManifest, sketch: 3 }),
  randomTrace(62, 60, { ...greedyManifest, vocabSize: 4 }),
  { ...randomTrace(63, 6), manifest: { ...greedyManifest, vocabSize: null } },
];

/** Whoever reads the file again in another form reads the same, and its root is that of what it says. */
async function holdTogether(file: TraceFile): Promise<void> {
  const { size, root } = file;
  const tree = treeOf(file);
  if (tree.size !== size || bytesToHex(tree.root()) !== bytesToHex(root)) expect.fail(said(file));
  const again = fromJson(toJson(file));
  if (!again.ok || said(again.value) !== said(file)) expect.fail(toJson(file));
  const third = await readTrace(await encodeTraceFile(file));
  if (!third.ok || bytesToHex(third.value.root) !== bytesToHex(root)) expect.fail(toJson(file));
}

test(
  `${count} forged files: each is refused, or is a trace with a root of its own`,
  async () => {
    const draw = drawFor('files');
    const originals = await Promise.all(
      traces.map(async (trace) => {
        const writer = createFrameWriter(encodeManifest(trace.manifest));
        const half = Math.floor(trace.entries.length / 2);
        const blocks = [writer.header(), writer.plainBlock(trace.entries.slice(0, 1))];
        blocks.push(
          await writer.packedBlock(trace.entries.slice(1, half)),
          await writer.packedBlock(trace.entries.slice(half)),
        );
        const tree = treeOf(trace);
        return concatBytes(...blocks, writer.footer({ size: tree.size, root: tree.root(), checkpoint: 'a note\n' }));
      }),
    );
    const parts = originals.map(partsOf);
    expect(parts.map(sealed).map(bytesToHex)).toEqual(originals.map(bytesToHex));
    const roots = new Map(traces.map((trace) => [bytesToHex(treeOf(trace).root()), said(trace)]));
    const seen = { complete: 0, incomplete: 0, refused: 0 };
    for (let i = 0; i < count; i++) {
      const read = await readTrace(sealed(forgedParts(draw, parts)));
      if (!read.ok) {
        seen.refused++;
        if (!/\S{3}/.test(read.error.message)) expect.fail(read.error.code);
        continue;
      }
      seen[read.value.complete ? 'complete' : 'incomplete']++;
      const known = roots.get(bytesToHex(read.value.root));
      if (known !== undefined && known !== said(read.value)) expect.fail(said(read.value));
      await holdTogether(read.value);
    }
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
  },
  longPatience,
);

test(
  `${count} forged texts, of which size and root are often made anew`,
  async () => {
    const draw = drawFor('texts');
    const texts = await Promise.all(
      traces.map(async (trace) => toJson(valueOf(await readTrace(await encodeTrace(trace, 'a note\n'))))),
    );
    const seen = { read: 0, refused: 0 };
    for (let i = 0; i < count; i++) {
      let text = oneOf(draw, texts) ?? '';
      for (let edits = draw(1, 3); edits > 0; edits--) text = editedJson(draw, text);
      let forged = fromJson(text);
      // The size, and then the root.
      for (let mends = 0; mends < 2 && !forged.ok; mends++) {
        const { expected = '', actual = '' } = forged.error;
        text = text
          .replace(`"size":${expected}`, `"size":${actual}`)
          .replace(`"root":"${expected}"`, `"root":"${actual}"`);
        forged = fromJson(text);
      }
      seen[forged.ok ? 'read' : 'refused']++;
      if (forged.ok) await holdTogether(forged.value);
    }
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
  },
  longPatience,
);

test(
  `${count} forged traces of llama2-rs with leaves and root of their own`,
  () => {
    const draw = drawFor('llama2-rs');
    const numbers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
    const seen = { read: 0, refused: 0 };
    for (let i = 0; i < count; i++) {
      const form = draw(0, 1) === 0 ? 'seed' : 'head';
      const entries: LegacyEntry[] = [...entriesOf(draw(1, 6), form)];
      for (let edits = draw(0, 2); edits > 0; edits--) {
        const at = draw(0, entries.length - 1);
        const entry = entries[at];
        if (entry === undefined) continue;
        entries[at] =
          oneOf(draw, [
            { ...entry, position: oneOf(draw, numbers) ?? 0 },
            { ...entry, token: oneOf(draw, numbers) ?? 0 },
            { ...entry, text: entry.text === null ? null : '\u202e\u0000\uFEFF' },
            oneOf(draw, entries) ?? entry,
          ]) ?? entry;
      }
      // The writer asks nobody; the reader does.
      const whole = legacyTrace(entries, { modelPath: 'm', prompt: 'p', steps: draw(0, 9) });
      const forged = whole.ok ? whole.value : { ...traceOf(entries.length, form), entries };
      const bytes = writeLegacyTrace(forged);
      const read = readLegacyTrace(bytes);
      seen[read.ok ? 'read' : 'refused']++;
      if (read.ok !== whole.ok) expect.fail(bytesToHex(bytes));
      if (read.ok && bytesToHex(writeLegacyTrace(read.value)) !== bytesToHex(bytes)) expect.fail(bytesToHex(bytes));
    }
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
  },
  longPatience,
);

const alice = seededSigner('example.org/alice', 1);
const witness = seededSigner('example.org/witness', 2, 'cosignature/v1');
const policy = { keys: [alice.key, witness.key], threshold: 2 };
const heads = [madeTrace(6), madeTrace(9)].map((trace) => {
  const tree = treeOf(trace);
  const head = { size: tree.size, root: tree.root() };
  return { trace, signed: valueOf(signTreeHead(head, 'example.org/log', [alice, witness], 1_700_000_000)) };
});

const proved = ({ leaf, claim }: ProofVerdict): string =>
  JSON.stringify([leaf, claim?.index, claim?.size, claim && bytesToHex(claim.root)]);

test(
  `${proofCount} forged proofs and checkpoints: verified is only what signers have signed`,
  async () => {
    const draw = drawFor('proofs');
    const proofs = heads.flatMap(({ trace, signed }) =>
      [0, 3, 6].map((index) => valueOf(makeProof(trace, index, signed))),
    );
    const honest = await Promise.all(proofs.map(async (proof) => proved(await checkProof(proof, { policy }))));
    const signedTexts = heads.map(({ signed }) => valueOf(parseNote(signed)).text);
    const seen = { verified: 0, failed: 0, unanchored: 0, signed: 0 };
    for (let i = 0; i < proofCount; i++) {
      const verdict = await checkProof(utf8ToBytes(forgedLines(draw, proofs)), { policy });
      seen[verdict.verdict]++;
      if (verdict.verdict === 'verified') expect(honest).toContain(proved(verdict));
      const text = forgedLines(
        draw,
        heads.map(({ signed }) => signed),
      );
      readCheckpoint(text);
      const note = parseNote(text);
      if (!note.ok || !(await openNote(note.value, policy)).ok) continue;
      seen.signed++;
      expect(signedTexts).toContain(note.value.text);
    }
    expect(seen.unanchored).toBe(0);
    for (const times of [seen.verified, seen.failed, seen.signed]) expect(times).toBeGreaterThan(0);
  },
  longPatience,
);
