/**
 * Holds src/trace/model/encode.ts, src/trace/model/pair-heap.ts, src/trace/model/tiny-model.ts,
 * src/trace/model/tiny-vocabulary.ts.
 */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTokenizer } from '../../../src/trace/model/tokenizer.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { tinyVocabulary } from '../../../src/trace/model/tiny-vocabulary.ts';
import { llamaData, tokenizerOf } from '../../support/llama-data.ts';

const { tokenizer: file } = tinyModel(1);
const tiny = tokenizerOf(file);

interface Token {
  readonly bytes: Uint8Array;
  readonly score: number;
}

function tokensOf(bytes: Uint8Array): readonly Token[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tokens: Token[] = [];
  for (let at = 4; at < bytes.length;) {
    const length = view.getInt32(at + 4, true);
    tokens.push({ score: view.getFloat32(at, true), bytes: bytes.slice(at + 8, at + 8 + length) });
    at += 8 + length;
  }
  return tokens;
}

/** What llama2.c's `encode` does, written down as it is there: for every merge it looks through all pairs. */
function encodeSlowly(tokens: readonly Token[], text: string): readonly number[] {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const names = tokens.map(({ bytes }) => hex(bytes));
  const known = new Map(names.map((name, id) => [name, id] as const).toReversed());
  const ids = [1];
  if (text !== '') ids.push(known.get('20') ?? -1);
  for (const character of text) {
    const bytes = Buffer.from(character);
    const id = known.get(hex(bytes));
    ids.push(...(id === undefined ? Array.from(bytes, (byte) => byte + 3) : [id]));
  }
  for (;;) {
    let best = { score: -1e10, id: -1, at: -1 };
    for (let at = 0; at + 1 < ids.length; at++) {
      const id = known.get(`${names[ids[at] ?? 0]}${names[ids[at + 1] ?? 0]}`);
      const score = id === undefined ? Number.NEGATIVE_INFINITY : (tokens[id]?.score ?? 0);
      if (id !== undefined && score > best.score) best = { score, id, at };
    }
    if (best.at < 0) return ids;
    ids.splice(best.at, 2, best.id);
  }
}

function textOf(tokenizer: typeof tiny, ids: readonly number[]): string {
  return Buffer.concat(ids.slice(1).map((id, i) => tokenizer.decode(ids[i] ?? 0, id))).toString();
}

/** Bytes of a tokenizer file with these tokens. */
function tokenizerFile(tokens: readonly (readonly [text: string, score: number])[], longest = 16): Uint8Array {
  const parts = tokens.map(([text, score]) => {
    const head = Buffer.alloc(8);
    head.writeFloatLE(score, 0);
    head.writeInt32LE(Buffer.byteLength(text), 4);
    return Buffer.concat([head, Buffer.from(text)]);
  });
  const size = Buffer.alloc(4);
  size.writeInt32LE(longest, 0);
  return Buffer.concat([size, ...parts]);
}

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom('the', ' little', ' girl', 'Once', ' upon', ' a', ' time', ' ', 'é', '日', '😀', '\n', 'tt'),
      {
        maxLength: 20,
      },
    )
    .map((words) => words.join('')),
);

describe('a text', () => {
  test('is encoded with BOS and a space before it, words where the vocabulary has them, bytes where it has nothing', () => {
    const id = (text: string) => tinyVocabulary.findIndex((token) => token.text === text);
    expect(tiny.encode('')).toEqual([1]);
    expect(tiny.encode('little girl')).toEqual([1, id(' little'), id(' girl')]);
    expect(tiny.encode('日')).toEqual([1, id(' '), 0xe6 + 3, 0x97 + 3, 0xa5 + 3]);
    expect(tiny.encode('é')).toEqual([1, id(' '), id('é')]);
    expect(tiny.encode('\ud800')).toEqual([1, id(' '), 0xef + 3, 0xbf + 3, 0xbd + 3]);
  });

  test('is encoded as the original does it, which looks through all pairs for every merge', () => {
    const tokens = tokensOf(file);
    fc.assert(
      fc.property(texts, (text) => {
        expect(tiny.encode(text)).toEqual(encodeSlowly(tokens, text));
      }),
    );
  });

  test('of few letters and many merges is encoded as the original does it, equal scores included', () => {
    const pieces = fc.uniqueArray(fc.stringMatching(/^[ ab]{1,4}$/), { maxLength: 20 });
    fc.assert(
      fc.property(
        pieces,
        fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 20 }),
        fc.stringMatching(/^[ab ]{0,30}$/),
        (some, scores, text) => {
          const bytes = Array.from({ length: 256 }, (_, byte) => [`<0x${byte}>`, 0] as const);
          const all = tokenizerFile([
            ['<unk>', 0],
            ['<s>', 0],
            ['</s>', 0],
            ...bytes,
            [' ', 0],
            ...some.filter((piece) => piece !== ' ').map((piece, i) => [piece, scores[i] ?? 0] as const),
          ]);
          expect(tokenizerOf(all).encode(text)).toEqual(encodeSlowly(tokensOf(all), text));
        },
      ),
    );
  });

  test('comes back from its tokens', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(textOf(tiny, tiny.encode(text))).toBe(Buffer.from(text).toString());
      }),
    );
  });

  test('of 100,000 characters is encoded in less than a second', () => {
    const before = process.cpuUsage();
    expect(tiny.encode('once upon a time '.repeat(6000)).length).toBe(2 + 4 * 6000);
    expect(process.cpuUsage(before).user).toBeLessThan(1e6);
  });

  test('has <unk> for bytes that the vocabulary has no tokens for', () => {
    const few = tokenizerOf(
      tokenizerFile([
        ['<unk>', 0],
        ['<s>', 0],
        ['</s>', 0],
        [' ', 0],
        ['a', 0],
        [' a', 1],
      ]),
    );
    expect(few.encode('ab')).toEqual([1, 5, 0]);
  });

  test('is not merged by scores of -1e10 and below, where the original starts', () => {
    const merging = (score: number) =>
      tokenizerOf(
        tokenizerFile([
          ['<unk>', 0],
          ['<s>', 0],
          ['</s>', 0],
          [' ', 0],
          ['a', 0],
          [' a', score],
        ]),
      ).encode('a');
    expect(merging(-1e9)).toEqual([1, 5]);
    expect(merging(-1e10)).toEqual([1, 3, 4]);
    expect(merging(-Infinity)).toEqual([1, 3, 4]);
  });
});

describe('a token', () => {
  test('loses its space after BOS, and there alone', () => {
    const the = tiny.encode('the')[1] ?? 0;
    expect(Buffer.from(tiny.decode(1, the)).toString()).toBe('the');
    expect(Buffer.from(tiny.decode(the, the)).toString()).toBe(' the');
  });

  test('for a byte is that byte', () => {
    expect([...tiny.decode(5, 0x0a + 3)]).toEqual([10]);
    expect([...tiny.decode(5, 0xff + 3)]).toEqual([255]);
  });
});

function problemOf(bytes: Uint8Array, vocabSize?: number) {
  const read = readTokenizer(bytes, vocabSize);
  if (read.ok) throw new Error('the tokenizer was read');
  return read.error;
}

describe('a tokenizer is refused', () => {
  test.each([0, 3, 4, 5, 11, file.length - 1])('that is cut at %i', (length) => {
    expect(problemOf(file.subarray(0, length), 414)).toMatchObject({ code: 'PV-8010' });
    expect(problemOf(file.subarray(0, length))).toMatchObject({ code: 'PV-8010' });
  });

  test('of more or fewer tokens than the model has', () => {
    expect(problemOf(file, 413)).toMatchObject({ code: 'PV-8010', check: 'tokenizer length', actual: '5234 bytes' });
    expect(problemOf(file, 415).message).toContain('inside token 414 of 415');
    expect(problemOf(file, 2 ** 31)).toMatchObject({ code: 'PV-8010' });
  });

  test('of zeros, which would be a million empty tokens and more', () => {
    const most = 4 + 8 * 2 ** 20;
    expect(problemOf(new Uint8Array(most + 800))).toMatchObject({
      code: 'PV-8010',
      check: 'number of tokens',
      offset: most,
    });
  });

  test.each([-1, 17, 0x7fffffff, -0x80000000])('with a token of %i bytes', (length) => {
    const bytes = Uint8Array.from(tokenizerFile([['<unk>', 0]]));
    new DataView(bytes.buffer).setInt32(8, length, true);
    expect(problemOf(bytes)).toMatchObject({ code: 'PV-8010', check: 'token length', offset: 8, actual: `${length}` });
  });

  test('with a score that is NaN', () => {
    expect(
      problemOf(
        tokenizerFile([
          ['a', 0],
          ['b', Number.NaN],
        ]),
      ),
    ).toMatchObject({ code: 'PV-8011', offset: 13 });
  });
});

const present = existsSync(llamaData);
test(`the tokenizer of others is ${present ? 'there' : 'absent (../shared/data/llama): it is not read'}`, () => {
  expect(existsSync(llamaData)).toBe(present);
});

describe.runIf(present)('tok512', () => {
  const bytes = present ? readFileSync(`${llamaData}/tok512.bin`) : new Uint8Array();

  test('has the hash that was published', () => {
    expect(tokenizerOf(bytes, 512).digest).toBe(
      'sha256:037cb335abb25d1fa9e8ecae30ed2a3a8ace9302862ebcdc05d51a6bbb10c312',
    );
  });

  test('encodes every text as the original does it', () => {
    const tokens = tokensOf(bytes);
    const { encode } = tokenizerOf(bytes);
    fc.assert(
      fc.property(texts, (text) => {
        expect(encode(text)).toEqual(encodeSlowly(tokens, text));
      }),
    );
  });
});
