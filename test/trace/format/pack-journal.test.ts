/** The finished file out of the one that grew: whatever pieces it is read in, and of nothing but what was recorded. */
import { concatBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { err } from '../../../src/base/result.ts';
import type { FileProblem } from '../../../src/host/host.ts';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { createFrameWriter, type Footer } from '../../../src/trace/format/frame.ts';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import { encodeManifest } from '../../../src/trace/format/manifest.ts';
import { packJournal } from '../../../src/trace/format/pack-journal.ts';
import type { Trace } from '../../../src/trace/format/trace.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';

const trace = randomTrace(1, 40, { ...greedyManifest, sketch: 2 });
const journalOf = ({ manifest, entries }: Trace): Uint8Array => {
  const writer = createFrameWriter(encodeManifest(manifest));
  return concatBytes(writer.header(), ...entries.map((entry) => writer.plainBlock([entry])));
};
const footerOf = (of: Trace): Footer => {
  const tree = treeOf(of);
  return { size: tree.size, root: tree.root(), checkpoint: 'signed\n' };
};
const noSpace: FileProblem = { kind: 'no-space', path: 'new.trace', message: 'no space left on the device' };

/** Packs `journal`, which the host hands out in pieces of `piece` bytes. */
async function packed(
  journal: Uint8Array,
  piece = Infinity,
  footer = footerOf(trace),
  change: Partial<MemoryHost> = {},
) {
  const memory = createMemoryHost();
  const readChunks: MemoryHost['readChunks'] = async (_, consume) => {
    for (let at = 0; at < journal.length; at += piece) {
      if (!(await consume(journal.subarray(at, Math.min(journal.length, at + piece))))) break;
    }
    return { ok: true, value: undefined };
  };
  const done = await packJournal({ ...memory, readChunks, ...change }, 'run.trace', 'new.trace', footer);
  return { done, file: memory.files.get('/project/new.trace') };
}
const codeOf = async (...given: Parameters<typeof packed>): Promise<string> => {
  const { done } = await packed(...given);
  return done.ok ? 'packed' : 'code' in done.error ? done.error.code : done.error.kind;
};

describe('a file that grew', () => {
  it.each([1, 7, 100, Infinity])('is packed as from memory, read in pieces of %d bytes', async (piece) => {
    const whole = await encodeTrace(trace, 'signed\n');
    const { done, file } = await packed(journalOf(trace), piece);
    expect(done).toEqual({ ok: true, value: whole.length });
    expect(Buffer.compare(file ?? new Uint8Array(), whole)).toBe(0);
  });

  it('of more entries than a block has is packed in as many blocks', async () => {
    const long = randomTrace(2, 2100);
    const { file } = await packed(journalOf(long), 5000, footerOf(long));
    expect(Buffer.compare(file ?? new Uint8Array(), await encodeTrace(long, 'signed\n'))).toBe(0);
  });

  it('of no entries is a manifest and a footer', async () => {
    const empty = randomTrace(3, 0);
    expect((await packed(journalOf(empty), 1, footerOf(empty))).file).toEqual(await encodeTrace(empty, 'signed\n'));
  });
});

describe('nothing is finished', () => {
  const journal = journalOf(trace);
  const { manifest, entries } = trace;
  const writer = () => createFrameWriter(encodeManifest(manifest));
  const [stranger] = randomTrace(5, 1, { ...manifest, vocabSize: 100_000 }, false).entries;
  if (stranger === undefined) throw new Error('a trace of one entry has one');

  it.each<[string, Uint8Array, string]>([
    ['of a file that is empty', new Uint8Array(), 'PV-8043'],
    ['of one that ends within its manifest', journal.subarray(0, 30), 'PV-8043'],
    ['of one that ends within an entry', journal.subarray(0, -1), 'PV-8043'],
    ['of one that has an entry less', journalOf({ manifest, entries: entries.slice(0, -1) }), 'PV-8043'],
    ['of one that goes on', concatBytes(journal, Uint8Array.of(1)), 'PV-8043'],
    ['of another trace', journalOf(randomTrace(4, 40, manifest)), 'PV-8043'],
    [
      'of one with a changed byte',
      journal.with(journal.length - 40, 1 ^ (journal[journal.length - 40] ?? 0)),
      'PV-8036',
    ],
    ['of one that is no trace', new TextEncoder().encode('{"a trace": false}'), 'PV-8030'],
    ['of one with a token that there is not', journalOf({ manifest, entries: [stranger] }), 'PV-8039'],
  ])('%s', async (_, changed, code) => {
    expect(await codeOf(journal)).toBe('packed');
    for (const piece of [3, Infinity]) expect(await codeOf(changed, piece), `pieces of ${piece}`).toBe(code);
  });

  it('of a file that is finished already, be it packed or with a footer', async () => {
    const footer = footerOf(trace);
    const plain = writer();
    const ended = concatBytes(plain.header(), plain.plainBlock(entries), plain.footer(footer));
    expect(await codeOf(ended)).toBe('PV-8036');
    const tight = writer();
    expect(await codeOf(concatBytes(tight.header(), await tight.packedBlock(entries)))).toBe('PV-8036');
  });

  it('under another size or another root', async () => {
    const footer = footerOf(trace);
    expect(await codeOf(journal, Infinity, { ...footer, size: footer.size + 1 })).toBe('PV-8043');
    expect(await codeOf(journal, Infinity, { ...footer, root: footer.root.with(0, 1 ^ (footer.root[0] ?? 0)) })).toBe(
      'PV-8043',
    );
  });

  it('where a file cannot be read, made, written or kept', async () => {
    const failing = async (): Promise<ReturnType<typeof err<FileProblem>>> => err(noSpace);
    expect(await codeOf(journal, Infinity, undefined, { createFile: failing })).toBe('no-space');
    expect(await codeOf(journal, Infinity, undefined, { readChunks: failing })).toBe('no-space');
    for (let room = 0; room < 3; room++) {
      const memory = createMemoryHost();
      const createFile: MemoryHost['createFile'] = async (path, options) => {
        const created = await memory.createFile(path, options);
        if (!created.ok) return created;
        let left = room;
        const append = (bytes: Uint8Array) => (left-- > 0 ? created.value.append(bytes) : err(noSpace));
        return { ok: true, value: { ...created.value, append } };
      };
      expect(await codeOf(journal, 50, undefined, { createFile }), `room for ${room} parts`).toBe('no-space');
    }
    const createFile: MemoryHost['createFile'] = async (path, options) => {
      const created = await createMemoryHost().createFile(path, options);
      return created.ok ? { ok: true, value: { ...created.value, close: failing } } : created;
    };
    expect(await codeOf(journal, Infinity, undefined, { createFile })).toBe('no-space');
  });
});
