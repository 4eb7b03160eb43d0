/** Holds src/trace/format/frame.ts, src/trace/format/limits.ts, src/trace/format/read-frame.ts. */
import { concatBytes } from '@noble/hashes/utils.js';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sameBytes } from '../../../src/merkle/hash.ts';
import { checksumOf, createFrameWriter } from '../../../src/trace/format/frame.ts';
import { gunzipByStream } from '../../../src/trace/format/gzip.ts';
import { encodeManifest } from '../../../src/trace/format/manifest.ts';
import { pushVarint } from '../../../src/trace/format/varint.ts';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import type { Manifest, Trace, TraceFile } from '../../../src/trace/format/trace.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';

async function opened(bytes: Uint8Array): Promise<TraceFile> {
  const read = await readTrace(bytes);
  if (!read.ok) throw new Error(`${read.error.code} ${read.error.message}`);
  return read.value;
}

/** What a recorder has written of a trace before it finishes: the parts, and where each ends. */
function journalOf({ manifest, entries }: Trace): { readonly bytes: Uint8Array; readonly ends: readonly number[] } {
  const writer = createFrameWriter(encodeManifest(manifest));
  const parts = [writer.header(), ...entries.map((entry) => writer.plainBlock([entry]))];
  let length = 0;
  return { bytes: concatBytes(...parts), ends: parts.map((part) => (length += part.length)) };
}

const sketched: Manifest = { ...greedyManifest, sketch: 5 };

describe('a trace file', () => {
  it.each([
    ['nothing', randomTrace(1, 0)],
    ['one entry', randomTrace(2, 1)],
    ['several blocks', randomTrace(3, 1100)],
    ['sketches', randomTrace(4, 300, sketched)],
    ['no vocabulary', randomTrace(5, 50, { ...greedyManifest, vocabSize: null })],
  ])('of %s reads back: finished, and as it grew', async (_, trace) => {
    const tree = treeOf(trace);
    const finished = await opened(await encodeTrace(trace, 'a note\n'));
    const { size } = tree;
    expect(finished).toEqual({
      ...trace,
      size,
      root: tree.root(),
      checkpoint: 'a note\n',
      complete: true,
      droppedBytes: 0,
    });
    const growing = await opened(journalOf(trace).bytes);
    expect(growing).toEqual({ ...finished, checkpoint: null, complete: false });
  });

  it('takes at most 40 bytes a step beyond its manifest, before compression', async () => {
    const trace = randomTrace(6, 4000, { ...greedyManifest, vocabSize: 32_000 }, false);
    const plain = createFrameWriter(encodeManifest(trace.manifest));
    const header = plain.header().length;
    const blocks = [0, 1, 2, 3].map((i) => plain.plainBlock(trace.entries.slice(1000 * i, 1000 * (i + 1))));
    expect(blocks.reduce((sum, block) => sum + block.length, 0) / 4000).toBeLessThan(35.1);
    expect(((await encodeTrace(trace, null)).length - header) / 4000).toBeLessThan(35.1);
    const { bytes, ends } = journalOf(trace);
    expect((bytes.length - (ends[0] ?? 0)) / 4000).toBeLessThanOrEqual(43);
  });

  it('that grows is read up to its last whole entry wherever it is cut', async () => {
    const trace = randomTrace(7, 14, sketched);
    const { bytes, ends } = journalOf(trace);
    const tree = treeOf(trace);
    for (let length = ends[0] ?? 0; length < bytes.length; length++) {
      const whole = ends.filter((end) => end <= length).length - 1;
      const read = await opened(bytes.subarray(0, length));
      // All bytes of a step may be there before its check is.
      expect([whole, whole + 1]).toContain(read.entries.length);
      expect(read.complete).toBe(false);
      // The root says that they are the entries that were written, without comparing each of them.
      expect(sameBytes(read.root, tree.root(read.entries.length + 1))).toBe(true);
      if (read.entries.length === whole) expect(read.droppedBytes).toBe(length - (ends[whole] ?? 0));
    }
  });

  it('that was finished is read up to its last whole entry wherever it is cut, and never called complete', async () => {
    const trace = randomTrace(8, 30);
    const bytes = await encodeTrace(trace, 'note');
    const header = createFrameWriter(encodeManifest(trace.manifest)).header().length;
    const tree = treeOf(trace);
    let most = 0;
    for (let length = 0; length < bytes.length; length++) {
      const read = await readTrace(bytes.subarray(0, length));
      if (length < header) {
        expect(read).toMatchObject({ ok: false, error: { code: length === 0 ? 'PV-8030' : 'PV-8032' } });
        continue;
      }
      const { entries, root, complete, droppedBytes } = await opened(bytes.subarray(0, length));
      expect(complete).toBe(false);
      expect(droppedBytes).toBeLessThanOrEqual(length - header);
      expect(sameBytes(root, tree.root(entries.length + 1))).toBe(true);
      expect(entries.length).toBeGreaterThanOrEqual(most);
      most = entries.length;
    }
    expect(most).toBe(trace.entries.length);
  });

  it('is refused or incomplete after any change of one bit', async () => {
    for (const trace of [randomTrace(9, 12), randomTrace(10, 3, sketched)]) {
      const bytes = await encodeTrace(trace, 'note');
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        const changed = bytes.slice();
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const read = await readTrace(changed);
        expect(read.ok && read.value.complete, `bit ${bit}`).toBe(false);
      }
    }
  });

  it('has one message for each defect', async () => {
    const trace = randomTrace(11, 30);
    const bytes = await encodeTrace(trace, null);
    const { size } = treeOf(trace);
    const problem = async (changed: Uint8Array): Promise<unknown> => {
      const read = await readTrace(changed);
      return read.ok ? 'read' : { code: read.error.code, check: read.error.check, offset: read.error.offset };
    };
    const rewritten = (change: Partial<{ size: number; root: Uint8Array }>): Uint8Array => {
      const writer = createFrameWriter(encodeManifest(trace.manifest));
      const parts = [writer.header(), writer.plainBlock(trace.entries)];
      return concatBytes(...parts, writer.footer({ size, root: treeOf(trace).root(), checkpoint: null, ...change }));
    };
    const setByte = (at: number, value: number): Uint8Array => bytes.map((byte, i) => (i === at ? value : byte));
    const header = createFrameWriter(encodeManifest(trace.manifest)).header().length;
    expect(await problem(rewritten({}))).toBe('read');
    expect(await problem(new Uint8Array(0))).toEqual({ code: 'PV-8030', check: 'magic', offset: 0 });
    expect(await problem(setByte(0, 0x7b))).toEqual({ code: 'PV-8030', check: 'magic', offset: 0 });
    expect(await problem(setByte(8, 3))).toEqual({ code: 'PV-8031', check: 'version', offset: 8 });
    expect(await problem(bytes.subarray(0, 40))).toEqual({ code: 'PV-8032', check: 'header', offset: 40 });
    expect(await problem(concatBytes(bytes, Uint8Array.of(0)))).toEqual({
      code: 'PV-8033',
      check: 'trailing bytes',
      offset: bytes.length,
    });
    expect(await problem(setByte(header, 9))).toEqual({ code: 'PV-8036', check: 'block kind', offset: header });
    expect(await problem(setByte(header + 40, (bytes[header + 40] ?? 0) ^ 1))).toMatchObject({
      code: 'PV-8036',
      check: 'block checksum',
    });
    expect(await problem(setByte(20, 0x20))).toMatchObject({ code: 'PV-8036', check: 'header checksum' });
    expect(await problem(rewritten({ size: size + 1 }))).toMatchObject({ code: 'PV-8042', check: 'number of leaves' });
    expect(await problem(rewritten({ root: new Uint8Array(32) }))).toMatchObject({ code: 'PV-8043', check: 'root' });
  });

  it('refuses sizes that no trace has before it takes memory for them', async () => {
    const header = createFrameWriter(encodeManifest(greedyManifest)).header();
    const huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
    const tooMany = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
    const start = header.subarray(0, 9);
    for (const bytes of [
      concatBytes(start, Uint8Array.from(huge)),
      concatBytes(start, Uint8Array.from(tooMany)),
      concatBytes(start, Uint8Array.of(0x80, 0)),
      concatBytes(header, Uint8Array.of(1, ...huge, 0, 1)),
      concatBytes(header, Uint8Array.of(1, 1, 0, ...huge)),
      concatBytes(header, Uint8Array.of(1, ...tooMany)),
      concatBytes(header, Uint8Array.of(1, 0, 0, 0)),
      concatBytes(header, Uint8Array.of(0xff, ...tooMany)),
      concatBytes(header, Uint8Array.of(0xff, 1), new Uint8Array(32), Uint8Array.from(huge)),
    ]) {
      expect(await readTrace(bytes)).toMatchObject({ ok: false, error: { code: 'PV-8035' } });
    }
  });

  it('is not unpacked beyond what it declares, nor may it declare much more than it holds', async () => {
    const wide: Manifest = { ...greedyManifest, sketch: 100 };
    const header = createFrameWriter(encodeManifest(wide)).header();
    const zeros = 40 * 1024 * 1024;
    const packed = new Uint8Array(gzipSync(new Uint8Array(zeros)));
    const blockOf = (steps: number, columns: number, stored: Uint8Array): Uint8Array => {
      const head = [2];
      for (const number of [steps, 0, columns, stored.length]) pushVarint(head, number);
      const body = concatBytes(Uint8Array.from(head), stored, new Uint8Array(32 * steps));
      return concatBytes(header, body, checksumOf(header.subarray(-4), body));
    };
    // Small in the file, large when it is unpacked.
    const zipped = new Uint8Array(gzipSync(new Uint8Array(50_500)));
    const most = 8 * (zipped.length + 90 * 32);
    expect(await readTrace(blockOf(90, 50_500, zipped))).toMatchObject({
      error: { code: 'PV-8044', check: 'packed size', expected: `${Math.ceil(50_500 / 8) - 90 * 32} to 50499 bytes` },
    });
    expect(50_500).toBeGreaterThan(most);
    // Declared as 50,000 bytes: unpacking ends with byte 50,001.
    const before = process.memoryUsage().arrayBuffers;
    expect(await readTrace(blockOf(90, 50_000, packed))).toMatchObject({ error: { code: 'PV-8044', check: 'gzip' } });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(zeros / 2);
    expect(await gunzipByStream(packed, 50_000)).not.toHaveLength(50_000);
  });

  it('is read up to a number of entries, and refused before the next is held', async () => {
    const journal = (trace: Trace): Uint8Array => {
      const writer = createFrameWriter(encodeManifest(trace.manifest));
      return concatBytes(writer.header(), ...trace.entries.map((entry) => writer.plainBlock([entry])));
    };
    const plain = randomTrace(8, 12);
    const wide = randomTrace(9, 12, { ...greedyManifest, sketch: 64 });
    for (const [trace, most] of [
      [plain, 12],
      [wide, 36],
    ] as const) {
      for (const bytes of [journal(trace), await encodeTrace(trace, null)]) {
        expect(await readTrace(bytes, undefined, most)).toMatchObject({ ok: true, value: { entries: trace.entries } });
        const refused = await readTrace(bytes, undefined, most - 1);
        expect(refused).toMatchObject({ error: { code: 'PV-8035', check: 'number of entries' } });
      }
    }
  });

  it('is written as it is where it would unpack to more than that, and read back', async () => {
    const ids = Array.from({ length: 512 }, (_, id) => id);
    const sketch = { ids, logits: ids.map(() => 0), logSumExp: 7 };
    const entries = Array.from({ length: 20 }, (_, position) => {
      const [inputToken, outputToken] = [1, 1];
      return { kind: 'step', position, inputToken, outputToken, logitsHash: new Uint8Array(32), sketch } as const;
    });
    const trace: Trace = { manifest: { ...greedyManifest, sketch: 512 }, entries };
    const bytes = await encodeTrace(trace, null);
    expect(bytes.length).toBeGreaterThan((20 * 512 * 6) / 8);
    expect(await readTrace(bytes)).toMatchObject({ ok: true, value: { entries } });
  });
});

describe('what a file holds', () => {
  const written = async (trace: Trace): Promise<unknown> => {
    const writer = createFrameWriter(encodeManifest(trace.manifest));
    const read = await readTrace(
      concatBytes(writer.header(), ...trace.entries.map((entry) => writer.plainBlock([entry]))),
    );
    return read.ok ? 'read' : `${read.error.code} ${read.error.check}`;
  };
  const step = {
    kind: 'step',
    position: 0,
    inputToken: 1,
    outputToken: 2,
    logitsHash: new Uint8Array(32),
    sketch: null,
  } as const;

  it('is read where it is right', async () => {
    expect(await written({ manifest: greedyManifest, entries: [step] })).toBe('read');
  });

  it.each([
    ['a token outside of the vocabulary', [{ ...step, outputToken: 512 }], 'PV-8039 token'],
    [
      'an output that is missing in the middle',
      [
        { ...step, outputToken: null },
        { ...step, position: 1 },
      ],
      'PV-8040 output token',
    ],
    [
      'two gaps',
      [
        { kind: 'gap', position: 0, count: 1 },
        { kind: 'gap', position: 1, count: 1 },
      ],
      'PV-8038 gap',
    ],
    ['a gap of nothing', [{ kind: 'gap', position: 0, count: 0 }], 'PV-8037 gap length'],
    [
      'more positions than there are',
      [
        { kind: 'gap', position: 0, count: 0xffffffff },
        { ...step, position: 0xffffffff },
      ],
      'PV-8037 position',
    ],
  ] as const)('is refused where it has %s', async (_, entries, problem) => {
    expect(await written({ manifest: greedyManifest, entries })).toBe(problem);
  });

  it('is refused where it contradicts the prompt', async () => {
    const manifest = { ...greedyManifest, prompt: { tokens: [1, 3], text: null } };
    expect(await written({ manifest, entries: [step] })).toBe('PV-8040 prompt token');
  });
});
