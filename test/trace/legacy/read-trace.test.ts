/**
 * Each way to be wrong has its own message, with the place and what was found there.
 *
 * Holds src/trace/legacy/proof.ts, src/trace/legacy/read-bincode.ts, src/trace/legacy/write-bincode.ts,
 * src/trace/legacy/write-trace.ts.
 */
import { describe, expect, test } from 'vitest';
import { legacyProof, readLegacyProof, verifyLegacyProof, writeLegacyProof } from '../../../src/trace/legacy/proof.ts';
import { readLegacyTrace } from '../../../src/trace/legacy/read-trace.ts';
import { legacyTrace, type LegacyEntry } from '../../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { entriesOf, hex, problem, traceOf, value } from './traces.ts';

const file = writeLegacyTrace(traceOf(3));
// model path, prompt, steps and number of entries; entries; number of leaves; leaves; tag; root
const entriesAt = 8 + 9 + 8 + 16 + 8 + 8;
const leafCountAt = entriesAt + 3 * 40;
const leavesAt = leafCountAt + 8;
const rootAt = leavesAt + 3 * 32 + 1;

function changed(at: number, ...bytes: readonly number[]): Uint8Array {
  const copy = file.slice();
  copy.set(bytes, at);
  return copy;
}

function withU64(at: number, number: bigint): Uint8Array {
  const copy = file.slice();
  new DataView(copy.buffer).setBigUint64(at, number, true);
  return copy;
}

const wrong = (bytes: Uint8Array): ReturnType<typeof problem> => problem(readLegacyTrace(bytes));

test('a trace of either form is read as it was written', () => {
  for (const form of ['seed', 'head'] as const)
    for (const count of [1, 2, 3, 4, 7, 33]) {
      const trace = traceOf(count, form);
      expect(value(readLegacyTrace(writeLegacyTrace(trace)))).toEqual(trace);
    }
});

test('a text of 8 MiB is read, but no longer one', () => {
  const most = 8 * 1024 ** 2;
  const trace = traceOf(1, 'seed', 'x'.repeat(most));
  expect(value(readLegacyTrace(writeLegacyTrace(trace))).metadata.prompt).toHaveLength(most);
  expect(wrong(writeLegacyTrace(traceOf(1, 'seed', 'x'.repeat(most + 1))))).toMatchObject({
    code: 'PV-8020',
    check: 'length of prompt',
    expected: 'at most 8388608',
    actual: '8388609 (0x800001)',
  });
});

test('two million entries are read, and a file that holds more is refused before any of them', () => {
  const most = 2 ** 21;
  const bytes = new Uint8Array(32 + 100 * most);
  new DataView(bytes.buffer).setBigUint64(24, BigInt(most + 1), true);
  expect(wrong(bytes)).toMatchObject({
    code: 'PV-8020',
    check: 'number of entries',
    offset: 24,
    expected: `at most ${most}`,
  });
});

test('the path of a proof has 53 hashes at most', () => {
  const sibling = { hash: new Uint8Array(32), isRight: true };
  const proofOf = (count: number): Uint8Array =>
    writeLegacyProof({ ...legacyProof(traceOf(2), 0), siblings: Array.from({ length: count }, () => sibling) });
  expect(value(readLegacyProof(proofOf(53))).siblings).toHaveLength(53);
  expect(problem(readLegacyProof(proofOf(54)))).toMatchObject({
    code: 'PV-8020',
    check: 'number of siblings',
    offset: 40,
  });
});

test('the size of a file is what its layout says', () => {
  expect(file).toHaveLength(rootAt + 32);
  expect(rootAt + 32).toBe(8 + 9 + 8 + 16 + 8 + 8 + 40 * 3 + 8 + 32 * 3 + 33);
});

test('a text may start with a byte order mark, hold U+FFFD and zero, and is written as it was', () => {
  const trace = traceOf(2, 'seed', '\uFEFFa\uFFFD\u0000\u{10FFFF}');
  expect(value(readLegacyTrace(writeLegacyTrace(trace))).metadata).toEqual(trace.metadata);
});

describe('a file that', () => {
  test('is empty, or ends anywhere, ends too early', () => {
    for (let length = 0; length < file.length; length++)
      expect(wrong(file.slice(0, length)), `${length} bytes`).toMatchObject({ code: 'PV-8019' });
    expect(wrong(new Uint8Array(0))).toMatchObject({ check: 'length of model path', offset: 0, actual: '0 bytes' });
    expect(wrong(file.slice(0, -1))).toMatchObject({
      check: 'root',
      offset: file.length - 1,
      expected: '32 bytes',
      actual: '31 bytes',
    });
    expect(wrong(file.slice(0, entriesAt + 50))).toMatchObject({ check: 'number of entries', offset: entriesAt - 8 });
  });

  test.each([
    ['the model path', 0],
    ['the prompt', 17],
    ['the entries', entriesAt - 8],
    ['the leaves', leafCountAt],
  ])('says that %s are 2⁶⁰ is not believed', (_, at) => {
    expect(wrong(withU64(at, 2n ** 60n))).toMatchObject({
      code: 'PV-8020',
      offset: at,
      actual: '1152921504606846976 (0x1000000000000000)',
    });
    // A number that could be true of a longer file is no reason to make room for it either.
    expect(wrong(withU64(at, 2n ** 31n))).toMatchObject({ code: 'PV-8019', offset: at });
  });

  test('that claims 2⁶⁰ steps is refused, because no trace has that many', () => {
    expect(wrong(withU64(entriesAt - 16, 2n ** 60n))).toMatchObject({ code: 'PV-8029', offset: entriesAt - 16 });
    expect(value(readLegacyTrace(withU64(entriesAt - 16, 2n ** 53n - 1n))).metadata.steps).toBe(2 ** 53 - 1);
  });

  test('continues after its end', () => {
    expect(wrong(new Uint8Array(Buffer.concat([file, Buffer.from('junk')])))).toMatchObject({
      code: 'PV-8021',
      check: 'end of file',
      offset: file.length,
      expected: `${file.length} bytes`,
      actual: `${file.length + 4} bytes`,
      message: expect.stringContaining('6a756e6b') as string,
    });
    const oneMore = expect.stringContaining('for 1 byte: 6a.') as string;
    expect(wrong(new Uint8Array([...file, 0x6a]))).toMatchObject({ message: oneMore });
  });

  test.each([
    ['a byte that starts nothing', [0xff], 0],
    ['a character that was cut', [0x61, 0xe2, 0x82], 1],
    ['a surrogate', [0xed, 0xa0, 0x80], 0],
    ['an overlong zero', [0xc0, 0x80], 0],
  ])('holds %s in its prompt is not UTF-8', (_, bytes, at) => {
    expect(wrong(changed(25, ...bytes))).toMatchObject({ code: 'PV-8022', check: 'prompt', offset: 25 + at });
  });

  test('holds a text of an entry, the first of them too, that is not UTF-8', () => {
    const head = writeLegacyTrace(traceOf(3, 'head'));
    // Behind path, prompt, steps and count come position, token and the length of the text.
    const offset = 8 + 'model.bin'.length + 8 + 'Once upon a time'.length + 8 + 8 + 4 + 4 + 8;
    head[offset] = 0xff;
    expect(wrong(head)).toMatchObject({ code: 'PV-8022', check: 'text of entry 0', offset });
  });

  test.each([0xe2, 0xef])('has %d as the last byte of its prompt is not UTF-8', (byte) => {
    expect(wrong(changed(25 + 15, byte))).toMatchObject({ code: 'PV-8022', check: 'prompt' });
  });

  test('has a tag that is neither 0 nor 1', () => {
    expect(wrong(changed(rootAt - 1, 7))).toMatchObject({ code: 'PV-8023', offset: rootAt - 1, actual: '07' });
  });

  test('has another number of leaves', () => {
    expect(wrong(withU64(leafCountAt, 2n))).toMatchObject({
      code: 'PV-8024',
      offset: leafCountAt,
      expected: '3',
      actual: '2',
    });
  });

  test('has a leaf without an entry', () => {
    const trace = traceOf(3);
    const more = writeLegacyTrace({ ...trace, leaves: [...trace.leaves, trace.root] });
    expect(wrong(more)).toMatchObject({ code: 'PV-8024', expected: '3', actual: '4' });
  });

  test('has a leaf that is not the hash of its entry, whichever was changed', () => {
    const trace = traceOf(3);
    const leaf = trace.leaves[1] ?? new Uint8Array(0);
    const flipped = (leaf[0] ?? 0) ^ 0x80;
    const place = { code: 'PV-8025', check: 'leaf hash', position: 1, offset: leavesAt + 32 };
    expect(wrong(changed(leavesAt + 32, flipped))).toMatchObject({
      ...place,
      expected: hex(leaf),
      actual: hex(Uint8Array.of(flipped, ...leaf.slice(1))),
    });
    expect(wrong(changed(entriesAt + 40 + 4, 9))).toMatchObject({ ...place, actual: hex(leaf) });
    expect(wrong(changed(entriesAt + 40 + 8, 9))).toMatchObject({ ...place, actual: hex(leaf) });
  });

  test('has another root, or none', () => {
    const root = hex(traceOf(3).root);
    expect(wrong(changed(rootAt, 0))).toMatchObject({
      code: 'PV-8026',
      offset: rootAt,
      expected: root,
      actual: `00${root.slice(2)}`,
    });
    const none = changed(rootAt - 1, 0).slice(0, rootAt);
    expect(wrong(none)).toMatchObject({ code: 'PV-8026', offset: rootAt - 1, expected: '01', actual: '00' });
  });

  test('has no entries commits to nothing', () => {
    const empty = new Uint8Array([...file.slice(0, entriesAt - 8), ...new Uint8Array(8 + 8 + 1)]);
    expect(wrong(empty)).toMatchObject({ code: 'PV-8027', check: 'entries' });
  });

  test('has its entries in another order, or a token below zero', () => {
    expect(wrong(changed(entriesAt + 40, 2))).toMatchObject({
      code: 'PV-8028',
      check: 'position',
      position: 1,
      expected: '1',
      actual: '2',
    });
    expect(wrong(changed(entriesAt + 4, 0xff, 0xff, 0xff, 0xff))).toMatchObject({
      code: 'PV-8028',
      check: 'token',
      actual: '-1',
    });
  });

  test('is whole in neither form says why for each', () => {
    expect(wrong(withU64(leafCountAt, 2n)).message).toMatch(
      /^Read as entries without texts: .* Read as entries with them: /,
    );
    const head = writeLegacyTrace(traceOf(3, 'head'));
    expect(wrong(head.slice(0, -1))).toMatchObject({ code: 'PV-8019', check: 'root' });
    expect(wrong(head.slice(0, -1)).message).toMatch(/^Read as entries with texts: .* Read as entries without: /);
  });

  test('was changed in any one bit is refused, or differs in metadata alone', () => {
    for (const form of ['seed', 'head'] as const) {
      const trace = traceOf(2, form);
      const whole = writeLegacyTrace(trace);
      let read = 0;
      for (let bit = 0; bit < 8 * whole.length; bit++) {
        const copy = whole.slice();
        copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const result = readLegacyTrace(copy);
        if (!result.ok) continue;
        read++;
        expect(result.value.root).toEqual(trace.root);
        const { modelPath, prompt, steps } = result.value.metadata;
        const texts = result.value.entries.map(({ text }) => text);
        expect([modelPath, prompt, steps, texts]).not.toEqual([
          ...Object.values(trace.metadata),
          trace.entries.map(({ text }) => text),
        ]);
      }
      // Seven bits of each ASCII letter stay UTF-8, and nearly every bit of the steps.
      expect(read).toBeGreaterThan(100);
    }
  });
});

describe('a trace of our own', () => {
  const metadata = { modelPath: 'm', prompt: 'p', steps: 3 };
  const refusal = (entries: readonly LegacyEntry[]): ReturnType<typeof problem> =>
    problem(legacyTrace(entries, metadata));
  const [first, ...rest] = entriesOf(3);
  if (!first) throw new Error('no entry');

  test.each<[string, readonly LegacyEntry[], object]>([
    ['no entries', [], { code: 'PV-8027' }],
    ['a gap', [first, ...rest.slice(1)], { code: 'PV-8028', check: 'position', position: 1 }],
    ['a start in the middle', rest, { code: 'PV-8028', check: 'position', position: 0 }],
    ['a token beyond 32 bits', [{ ...first, token: 2 ** 31 }], { code: 'PV-8028', check: 'token' }],
    ['a broken token', [{ ...first, token: 0.5 }], { code: 'PV-8028', check: 'token' }],
    ['a text in one entry of two', [first, { ...first, position: 1, text: 'a' }], { code: 'PV-8028', check: 'text' }],
    ['half a surrogate pair', [{ ...first, text: '\uD800' }], { code: 'PV-8028', check: 'text' }],
    ['a short logits hash', [{ ...first, logitsHash: new Uint8Array(31) }], { code: 'PV-8015', check: 'logits hash' }],
  ])('with %s is refused before it is written', (_, entries, expected) => {
    expect(refusal(entries)).toMatchObject(expected);
  });

  test.each([
    [{ ...metadata, steps: -1 }],
    [{ ...metadata, steps: 2 ** 53 }],
    [{ ...metadata, prompt: 'a\uDC00' }],
    [{ ...metadata, modelPath: '\uD83E' }],
  ])('with metadata %j is refused too', (wrongMetadata) => {
    expect(problem(legacyTrace([first], wrongMetadata))).toMatchObject({ code: 'PV-8028' });
  });
});

describe('a proof', () => {
  const trace = traceOf(5);
  const bytes = writeLegacyProof(legacyProof(trace, 2));
  const refusal = (copy: Uint8Array): ReturnType<typeof problem> => problem(readLegacyProof(copy));
  const set = (at: number, number: bigint): Uint8Array => {
    const copy = bytes.slice();
    new DataView(copy.buffer).setBigUint64(at, number, true);
    return copy;
  };

  test('is read as it was written, for every entry of every size', () => {
    for (let count = 1; count <= 33; count++) {
      const whole = traceOf(count);
      for (let index = 0; index < count; index++) {
        const proof = legacyProof(whole, index);
        expect(value(readLegacyProof(writeLegacyProof(proof)))).toEqual(proof);
        expect(verifyLegacyProof(proof, whole.root).ok).toBe(true);
      }
    }
  });

  test('comes with warnings: the format binds neither index nor count', () => {
    const warnings = value(verifyLegacyProof(legacyProof(trace, 2), trace.root));
    expect(warnings.join(' ')).toMatch(/neither the index nor the number of entries/);
  });

  test('that is damaged says where', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(refusal(bytes.slice(0, length)), `${length} bytes`).toMatchObject({ code: 'PV-8019' });
    expect(refusal(new Uint8Array([...bytes, 0]))).toMatchObject({ code: 'PV-8021', offset: bytes.length });
    expect(refusal(set(0, 2n ** 60n))).toMatchObject({ code: 'PV-8029', check: 'leaf index', offset: 0 });
    expect(refusal(set(40, 4n))).toMatchObject({ code: 'PV-8019', check: 'number of siblings', expected: 'at most 3' });
    expect(refusal(set(40, 2n ** 60n))).toMatchObject({ code: 'PV-8020', check: 'number of siblings', offset: 40 });
    const tag = bytes.slice();
    tag[48 + 32] = 2;
    expect(refusal(tag)).toMatchObject({ code: 'PV-8023', check: 'side of sibling 0', offset: 80, actual: '02' });
  });

  test('that is forged leads elsewhere, with both roots shown', () => {
    const proof = legacyProof(trace, 2);
    const other = traceOf(4).root;
    expect(problem(verifyLegacyProof(proof, other))).toMatchObject({
      code: 'PV-8018',
      check: 'declared root',
      expected: hex(other),
      actual: hex(trace.root),
    });
    for (const [i, sibling] of proof.siblings.entries()) {
      const siblings = proof.siblings.with(i, { ...sibling, isRight: !sibling.isRight });
      expect(problem(verifyLegacyProof({ ...proof, siblings }, trace.root))).toMatchObject({ check: 'legacy path' });
    }
    const [leafHash = trace.root] = trace.leaves;
    expect(problem(verifyLegacyProof({ ...proof, leafHash }, trace.root))).toMatchObject({ expected: hex(trace.root) });
  });
});
