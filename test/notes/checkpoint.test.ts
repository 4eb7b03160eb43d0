/** Checkpoints: origin, size, root. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sha256 } from '../../src/merkle/sha256.ts';
import { formatCheckpoint, parseCheckpoint, traceOrigin } from '../../src/notes/checkpoint.ts';
import { codeOf, noteOf, valueOf } from './signers.ts';
import { noteVectors, rekorVectors } from './vectors.ts';

const root = sha256(new Uint8Array());
const text = 'example.org/log\n7\nSBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=\n';

describe('a checkpoint', () => {
  it('is read as it was written', () => {
    const line = fc.stringMatching(/^[^\n]{1,20}$/);
    fc.assert(
      fc.property(
        line,
        fc.maxSafeNat(),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.array(line),
        (origin, size, hash, extensions) => {
          const checkpoint = { origin, size, root: hash, extensions };
          expect(valueOf(parseCheckpoint(valueOf(formatCheckpoint(checkpoint))))).toEqual(checkpoint);
        },
      ),
    );
  });

  it.each([
    ['without origin', text.replace('example.org/log', '')],
    ['of two lines', 'a\n7\n'],
    ['with a leading zero', text.replace('7', '07')],
    ['with a sign', text.replace('7', '+7')],
    ['with a hexadecimal size', text.replace('7', '0x7')],
    ['with an exponent', text.replace('7', '7e3')],
    ['of 2^53 leaves', text.replace('7', '9007199254740992')],
    ['of 10^400 leaves', text.replace('7', `1${'0'.repeat(400)}`)],
    ['of a root of 31 bytes', text.replace(/S.*=/, btoa('x'.repeat(31)))],
    ['of a root that is no base64', text.replace('SBNJ', '!!!!')],
    ['with an empty line', text.replace('7\n', '7\n\n')],
    ['with an empty extension line', `${text}\n`],
    ['without its last newline', text.slice(0, -1)],
    ['with another character for its last newline', `${text.slice(0, -1)}x`],
    ['of one line', 'a\n'],
  ])('%s is refused', (_, wrong) => {
    expect(codeOf(parseCheckpoint(text))).toBeNull();
    expect(codeOf(parseCheckpoint(wrong))).toBe('PV-8054');
  });

  it.each([
    ['a size that is not a whole number', { size: 1.5 }],
    ['a negative size', { size: -1 }],
    ['a size beyond 2^53 - 1', { size: 2 ** 53 }],
    ['an empty origin', { origin: '' }],
    ['an origin of two lines', { origin: 'a\n5' }],
    ['an extension of two lines', { extensions: ['a\nb'] }],
    ['a root of 31 bytes', { root: root.subarray(1) }],
  ])('is not written with %s', (_, wrong) => {
    expect(codeOf(formatCheckpoint({ origin: 'a', size: 1, root, extensions: [], ...wrong }))).toBe('PV-8054');
  });

  it('of a trace has an origin of its own, by signer and manifest', () => {
    expect(traceOrigin('example.org/a', root)).toBe(
      'example.org/a/trace/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });
});

test('a checkpoint with CRLF line ends is refused in words of its own', () => {
  expect(codeOf(parseCheckpoint(text.replaceAll('\n', '\r\n')))).toBe('PV-8084');
});

describe.runIf(noteVectors.present && rekorVectors.present)('the checkpoints of others', () => {
  it('are read', () => {
    const { tree_head, c2sp_checkpoint_example } = noteVectors.read();
    expect(valueOf(parseCheckpoint(tree_head.text))).toMatchObject({
      origin: 'go.sum database tree',
      size: tree_head.size,
    });
    const example = noteOf(c2sp_checkpoint_example);
    expect(valueOf(parseCheckpoint(example.text))).toMatchObject({
      origin: 'example.com/behind-the-sofa',
      size: 20_852_163,
    });
    const rekor = valueOf(parseCheckpoint(noteOf(rekorVectors.read().checkpoint_example.note).text));
    expect(rekor).toMatchObject({ size: 21_428_036, extensions: ['Timestamp: 1688058656037355364'] });
  });
});
