import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalText, shortId } from '../../../src/cli/fed/refusal-text.ts';
import { generateSigner, parseSignerKey } from '../../../src/notes/signer.ts';
import { nodeIdOf } from '../../../src/federated/node-id.ts';
import { good, idOf } from '../../federated/nodes.ts';

const idNamed = (name: string): string => nodeIdOf(good(parseSignerKey(good(generateSigner(name)).signerKey)).key);

describe('a refusal on a line', () => {
  it('names the sender by the name and the hash of its key', () => {
    const refusal = { capability: 'experimental.fedlearn.round.submit', sender: idOf('ben'), count: 1 };
    expect(refusalText({ ...refusal, code: 'round_closed' })).toMatch(
      /^round_closed: round\.submit by ben\+[0-9a-f]{8}$/,
    );
    expect(refusalText({ ...refusal, code: 'signature_invalid', count: 128 })).toMatch(
      /^signature_invalid: round\.submit by somebody who claims to be ben\+[0-9a-f]{8} \(number 128\)$/,
    );
    expect(refusalText({ ...refusal, code: 'message_invalid', sender: null })).toBe('message_invalid: round.submit');
  });

  it('keeps letters of many languages, and no mark, direction or length that a name brings', () => {
    expect(shortId(idNamed('Jörg-中'))).toMatch(/^Jörg-中\+[0-9a-f]{8}$/);
    expect(shortId(idNamed('e\u0301\u0301\u0301\u05D0<b>'))).toMatch(/^e\uFFFD{4}\uFFFDb\uFFFD\+[0-9a-f]{8}$/);
    expect(shortId('и\uA66Fか\u3099')).toBe('и\uFFFDか\uFFFD');
    expect(shortId(idNamed('n'.repeat(100)))).toMatch(/^n{31}…\+[0-9a-f]{8}$/);
  });

  it('is one short line whatever its parts are', () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(hostile, hostile, fc.option(hostile), fc.nat(), (capability, code, sender, count) => {
        const text = refusalText({ capability: capability.slice(0, 128), code: code.slice(0, 64), sender, count });
        expect(text).not.toMatch(/[\p{C}\p{M}\p{Zl}\p{Zp}]|[\p{Script=Hebrew}\p{Script=Arabic}]/u);
        expect(text.length).toBeLessThan(400);
      }),
    );
  });
});
