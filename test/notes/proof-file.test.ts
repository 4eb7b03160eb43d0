/**
 * Proof files of C2SP tlog-proof.
 *
 * Holds src/base/utf8.ts, src/notes/line-ends.ts.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/merkle/sha256.ts';
import { formatProof, parseProof } from '../../src/notes/proof-file.ts';
import { codeOf, valueOf } from './signers.ts';

const hash = sha256(new Uint8Array());
const checkpoint = 'example.org/log\n7\nSBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=\n';
const proof = formatProof({ extra: Uint8Array.of(1, 2), index: 5, path: [hash, hash, hash], checkpoint });

describe('a proof file', () => {
  it('is read as it was written', () => {
    const hashes = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 53 });
    fc.assert(
      fc.property(fc.option(fc.uint8Array()), fc.maxSafeNat(), hashes, (extra, index, path) => {
        const file = { extra, index, path, checkpoint };
        expect(valueOf(parseProof(formatProof(file)))).toEqual(file);
      }),
    );
  });

  it('is the text that the standard shows', () => {
    expect(formatProof({ extra: null, index: 0, path: [], checkpoint })).toBe(
      `c2sp.org/tlog-proof@v1\nindex 0\n\n${checkpoint}`,
    );
    expect(proof.split('\n').slice(0, 3)).toEqual(['c2sp.org/tlog-proof@v1', 'extra AQI=', 'index 5']);
    expect(codeOf(parseProof(new TextEncoder().encode(proof)))).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['of another version', proof.replace('@v1', '@v2')],
    ['with extra data that are no base64', proof.replace('AQI=', 'AQI')],
    ['with extra data behind the index', proof.replace(/(extra .*\n)(index .*\n)/, '$2$1')],
    ['without index', proof.replace(/index.*\n/, '')],
    ['with a negative index', proof.replace('index 5', 'index -5')],
    ['with a leading zero', proof.replace('index 5', 'index 05')],
    ['with an index of 2^60', proof.replace('index 5', `index ${2n ** 60n}`)],
    ['with a word before its index', proof.replace('index 5', 'an index 5')],
    ['with a word behind its index', proof.replace('index 5', 'index 5 or so')],
    ['with a hash of 31 bytes', proof.replace(/^47DEQ.*$/m, btoa('x'.repeat(31)))],
    ['with a hash that is no base64', proof.replace('47DEQ', '!!!!!')],
    ['with 54 hashes', formatProof({ extra: null, index: 0, path: Array(54).fill(hash), checkpoint })],
    ['cut off in its path', proof.slice(0, proof.indexOf('\n\n'))],
    ['without the blank line', proof.replace('\n\n', '\n')],
    ['cut off behind a whole hash', `${proof.slice(0, proof.indexOf('\n\n'))}x`],
    ['with a carriage return', proof.replace('index', 'ind\rex')],
    ['of five megabytes', `${proof}${'x'.repeat(5 << 20)}`],
  ])('%s is refused', (_, wrong) => {
    expect(codeOf(parseProof(proof))).toBeNull();
    expect(codeOf(parseProof(wrong))).toBe('PV-8058');
  });

  it.each([
    [proof.replace('@v1', '@v2'), 'c2sp.org/tlog-proof@v1', 'c2sp.org/tlog-proof@v2'],
    [proof.replace('index 5', 'index -5'), 'index and a number', 'index -5'],
    [proof.replace(/^47DEQ.*$/m, 'short'), 'the base64 of 32 bytes', 'short'],
    ['c2sp.org/tlog-proof@v1\n\n', 'index and a number', 'the end of the proof'],
  ])('is refused with what stands on the line, and what should', (wrong, expected, actual) => {
    expect(parseProof(wrong)).toMatchObject({ error: { code: 'PV-8058', expected, actual } });
  });

  it('with CRLF line ends or a byte order mark is refused in words of its own', () => {
    for (const changed of [proof.replaceAll('\n', '\r\n'), proof.replace('\n', '\r\n'), `\uFEFF${proof}`]) {
      expect(codeOf(parseProof(changed))).toBe('PV-8084');
    }
  });

  it('of bytes that are not UTF-8 is refused', () => {
    const bytes = new TextEncoder().encode(proof);
    bytes[bytes.length - 5] = 0xff;
    expect(codeOf(parseProof(bytes))).toBe('PV-8058');
  });
});
