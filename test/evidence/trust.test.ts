import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distrust, splitSeal, untrusted, withSeal, type Trust } from '../../src/evidence/trust.ts';
import { sealed } from '../../src/host/seal.ts';
import { ourTrust } from './sample-receipt.ts';

const body = '{"digest":"sha256:00","receipt":{}}\n';
const path = '.pv/receipts/ab/abcd.json';
const theirs: Trust = { ...ourTrust, secret: 'a secret of somebody else, as long' };
const nobodys: Trust = { ...ourTrust, secret: null };

/** The code of the finding about `text`, read by `reader`; null where it counts. */
const codeOf = (text: string, reader: Trust = ourTrust) => distrust(reader, path, splitSeal(text))?.code ?? null;

describe('a seal', () => {
  it('is the last member of the text, and the text without it is what was sealed', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const object = `{"a":${json}}\n`;
        const text = withSeal(ourTrust, object);
        expect(text).toMatch(/,"seal":"[0-9a-f]{64}"\}\n$/);
        expect(JSON.parse(text)).toMatchObject(JSON.parse(object) as object);
        expect(splitSeal(text).body).toBe(object);
        expect(codeOf(text)).toBeNull();
      }),
    );
  });

  it('is not set without a secret', () => {
    expect(withSeal(nobodys, body)).toBe(body);
    expect(splitSeal(body)).toEqual({ body, seal: null });
  });

  it('is read at the end alone', () => {
    const inside = `{"a":[{"b":1,"seal":"${'0'.repeat(64)}"}\n]}\n`;
    expect(splitSeal(inside)).toEqual({ body: inside, seal: null });
  });
});

describe('a record counts', () => {
  it('where this user sealed it', () => expect(codeOf(withSeal(ourTrust, body))).toBeNull());

  it.each<[string, string, Trust]>([
    ['it has no seal', body, ourTrust],
    ['it has no seal and the reader has no secret', body, nobodys],
    ['somebody else sealed it', withSeal(theirs, body), ourTrust],
    ['this user sealed it, and the reader has no secret', withSeal(ourTrust, body), nobodys],
    ['it was changed after it was sealed', withSeal(ourTrust, body).replace('sha256:00', 'sha256:01'), ourTrust],
    ['its seal was cut', withSeal(ourTrust, body).replace(/[0-9a-f]"\}\n$/, '"}\n'), ourTrust],
    [
      'the seal is of the same text as something other than evidence',
      `${body.slice(0, -2)},"seal":"${sealed(ourTrust.secret ?? '', body)}"}\n`,
      ourTrust,
    ],
  ])('not where %s', (_, text, reader) => expect(codeOf(text, reader)).toBe('PV-6060'));

  it('not if it is under version control, even with a valid seal', () => {
    const tracked = new Set([path]);
    expect(codeOf(withSeal(ourTrust, body), { ...ourTrust, tracked })).toBe('PV-6061');
    expect(codeOf(body, { ...ourTrust, tracked })).toBe('PV-6061');
    expect(codeOf(withSeal(ourTrust, body), { ...ourTrust, tracked: new Set(['.pv/other']) })).toBeNull();
  });
});

describe('the finding on records that do not count', () => {
  it.each([
    ['PV-6060', 1, '1 stored record of evidence is not sealed by you and not trusted: its check runs again'],
    ['PV-6060', 2, '2 stored records of evidence are not sealed by you and not trusted: their checks run again'],
    ['PV-6061', 1, '1 stored record of evidence is under version control and not trusted: its check runs again'],
    ['PV-6061', 3, '3 stored records of evidence are under version control and not trusted: their checks run again'],
  ] as const)('%s of %d', (code, records, message) => {
    expect(untrusted(code, records, path)).toMatchObject({ code, message, subject: path });
    expect(untrusted(code, records, path).hint).toMatch(code === 'PV-6060' ? /PV_SECRET/ : /git rm -r --cached/);
  });
});
