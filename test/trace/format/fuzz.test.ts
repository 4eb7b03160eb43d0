import { concatBytes } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import { checksumOf, createFrameWriter } from '../../../src/trace/format/frame.ts';
import { fromJson, toJson } from '../../../src/trace/format/json.ts';
import { decodeLeaf, entryLeaf, manifestLeaf } from '../../../src/trace/format/leaf.ts';
import { encodeManifest } from '../../../src/trace/format/manifest.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import type { Trace, TraceFile } from '../../../src/trace/format/trace.ts';
import { sameBytes } from '../../../src/merkle/hash.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';
import { fuzzFiles, mutations, patience } from '../mutations.ts';

const traces: readonly Trace[] = [randomTrace(50, 10), randomTrace(51, 4, { ...greedyManifest, sketch: 3 })];

async function opened(bytes: Uint8Array): Promise<TraceFile> {
  const read = await readTrace(bytes);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const finished = await Promise.all(traces.map((trace) => encodeTrace(trace, 'a note\n')));
const files = await Promise.all(finished.map(opened));
const texts = files.map(toJson);

/** Counts answers, and holds a reader to a message for each refusal. */
function tally(): { readonly codes: Map<string, number>; readonly add: (answer: string) => void } {
  const codes = new Map<string, number>();
  return { codes, add: (answer) => void codes.set(answer, (codes.get(answer) ?? 0) + 1) };
}

test(
  `${fuzzFiles} damaged files: no exception, and none is complete that is not, byte for byte, what was written`,
  async () => {
    const { codes, add } = tally();
    const journals = traces.map(({ manifest, entries }) => {
      const writer = createFrameWriter(encodeManifest(manifest));
      return concatBytes(writer.header(), ...entries.map((entry) => writer.plainBlock([entry])));
    });
    for (const { bytes } of mutations('trace files', [...finished, ...journals], fuzzFiles)) {
      const read = await readTrace(bytes);
      add(read.ok ? (read.value.complete ? 'complete' : 'incomplete') : read.error.code);
      if (!read.ok) {
        if (!/\S{3}/.test(read.error.message) || (read.error.offset ?? 0) > bytes.length)
          expect.fail(read.error.message);
      } else if (read.value.complete && !finished.some((original) => sameBytes(original, bytes))) {
        expect.fail(`a damaged file was believed: ${Buffer.from(bytes).toString('hex')}`);
      }
    }
    for (const code of ['incomplete', 'PV-8030', 'PV-8031', 'PV-8032', 'PV-8035', 'PV-8036'])
      expect(codes.get(code) ?? 0, code).toBeGreaterThan(0);
  },
  patience,
);

/** Half of them are unpacked, which takes longest. */
const blockFiles = Math.ceil(fuzzFiles / 4);

test(
  `${blockFiles} blocks that were damaged before their check was made: their trace is refused, or has another root`,
  async () => {
    const { codes, add } = tally();
    // Few tokens, so that packing pays.
    const packable = randomTrace(52, 120, { ...greedyManifest, vocabSize: 4 });
    const parts = await Promise.all(
      [...traces, packable].map(async ({ manifest, entries }) => {
        const writer = createFrameWriter(encodeManifest(manifest));
        return { header: writer.header(), body: (await writer.packedBlock(entries)).subarray(0, -4) };
      }),
    );
    const bodies = parts.map(({ body }) => body);
    for (const { bytes, original } of mutations('trace blocks', bodies, blockFiles)) {
      const part = parts[original];
      if (part === undefined) continue;
      const check = checksumOf(part.header.subarray(-4), bytes);
      const read = await readTrace(concatBytes(part.header, bytes, check));
      add(read.ok ? 'read' : read.error.code);
      // Bytes of gzip's header may differ and say the same: what is read with the root of a trace is that trace.
      const known = read.ok ? files.findIndex(({ root }) => sameBytes(root, read.value.root)) : -1;
      if (read.ok && known >= 0 && read.value.entries.length !== files[known]?.entries.length)
        expect.fail(Buffer.from(bytes).toString('hex'));
    }
    for (const code of ['read', 'PV-8035', 'PV-8036', 'PV-8039', 'PV-8041', 'PV-8044'])
      expect(codes.get(code) ?? 0, code).toBeGreaterThan(0);
  },
  patience,
);

test(
  `${fuzzFiles} damaged texts: no exception, and no other manifest or entry is believed`,
  () => {
    const { codes, add } = tally();
    const originals = texts.map((text) => new TextEncoder().encode(text));
    // Size and root cover the manifest and the entries; a checkpoint is covered by its signatures.
    const covered = files.map(({ manifest, entries }) => JSON.stringify({ manifest, entries }));
    for (const { bytes } of mutations('trace texts', originals, fuzzFiles)) {
      const read = fromJson(new TextDecoder().decode(bytes));
      add(read.ok ? 'read' : read.error.code);
      if (!read.ok) continue;
      const { manifest, entries } = read.value;
      if (!covered.includes(JSON.stringify({ manifest, entries }))) expect.fail(new TextDecoder().decode(bytes));
    }
    for (const code of ['PV-8034', 'PV-8040', 'PV-8042', 'PV-8043', 'PV-8045'])
      expect(codes.get(code) ?? 0, code).toBeGreaterThan(0);
  },
  patience,
);

test(
  `${fuzzFiles} damaged leaves: no exception, and each that is read has these bytes alone`,
  () => {
    const leaves = traces.flatMap(({ manifest, entries }) => [
      manifestLeaf(encodeManifest(manifest)),
      ...entries.map(entryLeaf),
    ]);
    let readable = 0;
    for (const { bytes } of mutations('leaves', leaves, fuzzFiles)) {
      const read = decodeLeaf(bytes);
      if (!read.ok) continue;
      readable++;
      const again =
        read.value.kind === 'manifest' ? manifestLeaf(encodeManifest(read.value.manifest)) : entryLeaf(read.value);
      if (!sameBytes(again, bytes)) expect.fail(Buffer.from(bytes).toString('hex'));
    }
    expect(readable).toBeGreaterThan(0);
  },
  patience,
);
