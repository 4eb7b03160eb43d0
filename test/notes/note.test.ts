/**
 * Signed notes: read, signed, opened under a policy.
 *
 * Holds src/notes/cosignature.ts, src/notes/open.ts, src/notes/signer.ts.
 */
import { describe, expect, it } from 'vitest';
import { cosignedMessage } from '../../src/notes/cosignature.ts';
import { parseVerifierKey } from '../../src/notes/key.ts';
import { formatNote, parseNote } from '../../src/notes/note.ts';
import { checkPolicy, openNote, type SignaturePolicy } from '../../src/notes/open.ts';
import { signNote, signText, type Signer } from '../../src/notes/signer.ts';
import { codeOf, flipped, lineOf, noteOf, seededSigner, signerOf, valueOf, verifierOf } from './signers.ts';
import { noteVectors, rekorVectors } from './vectors.ts';

const alice = seededSigner('example.org/alice', 1);
const bob = seededSigner('example.org/bob', 2);
const carol = seededSigner('example.org/carol', 3);
const witness = seededSigner('example.org/witness', 4, 'cosignature/v1');

const text = 'example.org/log\n7\nSBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=\n';
const time = 1_700_000_000;
const signed = (...signers: Signer[]): string => valueOf(signText(text, signers, time));
const trust = (threshold: number, ...signers: Signer[]): SignaturePolicy => ({
  keys: signers.map((signer) => signer.key),
  threshold,
});
const open = (note: string, policy: SignaturePolicy) => openNote(noteOf(note), policy);

describe('a note', () => {
  it('is read as it was written', () => {
    const note = signed(alice, witness);
    expect(noteOf(note).text).toBe(text);
    expect(valueOf(formatNote(noteOf(note)))).toBe(note);
    expect(valueOf(parseNote(new TextEncoder().encode(note)))).toEqual(noteOf(note));
  });

  it('keeps blank lines of its text', () => {
    const note = valueOf(signText('a\n\nb\n', [alice], time));
    expect(noteOf(note).text).toBe('a\n\nb\n');
  });

  it.each([
    ['empty', ''],
    ['of text alone', text],
    ['without signature line', `${text}\n`],
    ['without blank line', signed(alice).replace('\n\n', '\n')],
    ['without its last newline', signed(alice).slice(0, -1)],
    ['with another character for its last newline', `${signed(alice).slice(0, -1)}x`],
    ['of one line that ends as a signature does', 'x— a AAAAAAA=\n'],
    ['signed by a name with "+"', `${text}\n— a+b AAAAAAA=\n`],
    ['of more than a megabyte', `${'x'.repeat(1 << 20)}\n${signed(alice)}`],
    ['with a hyphen for the dash', signed(alice).replace('— ', '- ')],
    ['with two spaces', signed(alice).replace('— ', '—  ')],
    ['with a carriage return', signed(alice).replace('log', 'l\rg')],
    ['with a NUL', signed(alice).replace('log', 'l\0g')],
    ['with a lone surrogate', signed(alice).replace('log', 'l\ud800g')],
    ['with unpadded base64', signed(alice).replace(/=+\n$/, '\n')],
    [
      'with unused bits set in its base64',
      signed(alice).replace(/(.)=\n$/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=\n`),
    ],
    ['with a signature of no bytes', `${text}\n— a AAAAAA==\n`],
    ['with more than 100 signatures', `${text}\n${'— a AAAAAAA=\n'.repeat(101)}`],
    ['with text behind the signatures', `${signed(alice)}more\n`],
  ])('%s is refused', (_, note) => {
    expect(codeOf(parseNote(note))).toBe('PV-8050');
  });

  it('with CRLF line ends is refused in words of its own, be they all of them or the last alone', () => {
    for (const [changed, line] of [
      [signed(alice).replaceAll('\n', '\r\n'), 1],
      [signed(alice).replace(/\n$/, '\r\n'), signed(alice).split('\n').length - 1],
    ] as const) {
      const read = parseNote(changed);
      expect(read).toMatchObject({
        error: { code: 'PV-8084', check: 'line ends', offset: Buffer.from(changed).indexOf('\r'), actual: '0d0a' },
      });
      if (!read.ok)
        expect(read.error.message).toMatch(new RegExp(`CRLF line ends \\(the first on line ${line}\\).*dos2unix`));
    }
  });

  it('with a line end more than it was made with says so, signed or not', () => {
    for (const longer of [`${signed(alice)}\n`, `${text}\n`, `${text}\n\n`]) {
      const read = parseNote(longer);
      expect(read).toMatchObject({
        error: { code: 'PV-8050', message: expect.stringContaining('ends with an empty line') },
      });
    }
  });

  it('of bytes that are not UTF-8 is refused, and a byte order mark is part of its text', () => {
    const bytes = new TextEncoder().encode(signed(alice));
    bytes[3] = 0xff;
    expect(codeOf(parseNote(bytes))).toBe('PV-8050');
    const marked = valueOf(parseNote(new TextEncoder().encode(`\uFEFF${signed(alice)}`)));
    expect(marked.text.startsWith('\uFEFF')).toBe(true);
  });

  it('has 100 signatures at most, and 100 are read', () => {
    expect(noteOf(`${text}\n${'— a AAAAAAA=\n'.repeat(100)}`).signatures).toHaveLength(100);
  });

  it('signed anew by one key replaces what that key had signed, and keeps the others', () => {
    const note = valueOf(signNote(noteOf(signed(alice, witness, bob)), [witness, witness], time + 1));
    expect(noteOf(note).signatures.map(({ name }) => name)).toEqual([
      'example.org/alice',
      'example.org/bob',
      'example.org/witness',
    ]);
  });
});

describe('opening a note', () => {
  it('says who has signed, and whose signatures it ignored', async () => {
    const opened = valueOf(await open(signed(alice, bob), trust(1, alice)));
    expect(opened.signedBy).toEqual([
      { name: 'example.org/alice', keyId: alice.key.keyId, type: 'ed25519', time: null },
    ]);
    expect(opened.ignored).toEqual([{ name: 'example.org/bob', keyId: bob.key.keyId }]);
  });

  it('refuses a text of which any byte changed', async () => {
    const note = signed(alice);
    for (let at = 0; at < text.length - 1; at++) {
      const wrong = note.slice(0, at) + (note[at] === 'A' ? 'B' : 'A') + note.slice(at + 1);
      expect(codeOf(await open(wrong, trust(1, alice))), wrong).toBe('PV-8055');
    }
  });

  it('demands k distinct signers of n', async () => {
    const three = [alice, bob, carol];
    expect(codeOf(await open(signed(alice, carol), trust(2, ...three)))).toBeNull();
    expect(codeOf(await open(signed(alice), trust(2, ...three)))).toBe('PV-8056');
    expect(codeOf(await openNote({ text, signatures: [] }, trust(1, ...three)))).toBe('PV-8056');
  });

  it('counts a key once, however often it signed and whatever its names and types', async () => {
    const twice = noteOf(signed(alice));
    const doubled = { ...twice, signatures: [...twice.signatures, ...twice.signatures] };
    expect(codeOf(await openNote(doubled, trust(2, alice, bob)))).toBe('PV-8056');
    const renamed = seededSigner('example.org/alias', 1);
    const asWitness = seededSigner('example.org/alice', 1, 'cosignature/v1');
    const policy = trust(2, alice, renamed, asWitness, bob);
    expect(codeOf(await open(signed(alice, renamed, asWitness), policy))).toBe('PV-8056');
    expect(codeOf(await open(signed(renamed, bob), policy))).toBeNull();
  });

  it('refuses the whole note where one trusted key does not verify, though enough others do', async () => {
    const note = noteOf(signed(alice, bob));
    const first = lineOf(note, 0);
    const second = lineOf(note, 1);
    const forged = { ...second, bytes: first.bytes };
    expect(codeOf(await openNote({ ...note, signatures: [first, forged] }, trust(1, alice, bob)))).toBe('PV-8055');
    // Of a key that nobody trusts it is ignored.
    expect(codeOf(await openNote({ ...note, signatures: [first, forged] }, trust(1, alice)))).toBeNull();
    // A good signature does not outweigh a bad one of the same key.
    const bad = { ...first, bytes: flipped(first.bytes, 0) };
    expect(codeOf(await openNote({ ...note, signatures: [first, bad] }, trust(1, alice)))).toBe('PV-8055');
  });

  it('ignores a key that shares only its name or only its ID with a trusted one', async () => {
    const other = seededSigner('example.org/alice', 9);
    expect(codeOf(await open(signed(other), trust(1, alice)))).toBe('PV-8056');
    const note = noteOf(signed(alice));
    const renamed = { ...note, signatures: note.signatures.map((one) => ({ ...one, name: 'example.org/eve' })) };
    expect(codeOf(await openNote(renamed, trust(1, alice)))).toBe('PV-8056');
  });

  it.each([
    ['no signature at all', trust(0, alice)],
    ['half a signature', trust(1.5, alice, bob)],
    ['more signatures than keys', trust(2, alice)],
    ['two of a key that is listed twice', trust(2, alice, alice)],
    ['one of no keys', trust(1)],
  ])('refuses a policy that demands %s', async (_, policy) => {
    expect(codeOf(checkPolicy(policy))).toBe('PV-8057');
    expect(codeOf(await open(signed(alice), policy))).toBe('PV-8057');
  });

  it('takes a key that is listed twice for one', async () => {
    expect(codeOf(await open(signed(alice), trust(1, alice, alice)))).toBeNull();
  });

  it('refuses a policy in which two keys share name and ID', () => {
    const twin = { ...bob.key, name: alice.key.name, keyId: alice.key.keyId };
    expect(codeOf(checkPolicy({ keys: [alice.key, twin], threshold: 1 }))).toBe('PV-8057');
  });
});

describe('a cosignature', () => {
  it('is verified with the time that it states', async () => {
    const opened = valueOf(await open(signed(alice, witness), trust(2, alice, witness)));
    expect(opened.signedBy.map((one) => one.time)).toEqual([null, '1700000000']);
  });

  it('that is repeated is reported with the time of the first', async () => {
    const note = noteOf(signed(witness));
    const later = noteOf(valueOf(signText(text, [witness], time + 9)));
    const both = { ...note, signatures: [lineOf(note, 0), lineOf(later, 0)] };
    expect(valueOf(await openNote(both, trust(1, witness))).signedBy.map((one) => one.time)).toEqual(['1700000000']);
  });

  it('is verified up to the last second that can be represented', async () => {
    for (const [at, code] of [
      [2n ** 63n - 1n, null],
      [2n ** 63n, 'PV-8055'],
    ] as const) {
      const seconds = new Uint8Array(8);
      new DataView(seconds.buffer).setBigUint64(0, at);
      const bytes = Uint8Array.of(...seconds, ...witness.sign(cosignedMessage(text, at)));
      const note = { text, signatures: [{ name: witness.key.name, keyId: witness.key.keyId, bytes }] };
      expect(codeOf(await openNote(note, trust(1, witness)))).toBe(code);
    }
  });

  it('does not verify with another time, nor as a plain signature', async () => {
    const note = noteOf(signed(witness));
    const line = lineOf(note, 0);
    const later = flipped(line.bytes, 56);
    expect(codeOf(await openNote({ ...note, signatures: [{ ...line, bytes: later }] }, trust(1, witness)))).toBe(
      'PV-8055',
    );
    const plain = { ...line, bytes: line.bytes.subarray(8) };
    expect(codeOf(await openNote({ ...note, signatures: [plain] }, trust(1, witness)))).toBe('PV-8055');
    const beyond = flipped(line.bytes, 7);
    expect(codeOf(await openNote({ ...note, signatures: [{ ...line, bytes: beyond }] }, trust(1, witness)))).toBe(
      'PV-8055',
    );
  });

  it('is of checkpoints alone, and no plain key signs what reads like one', () => {
    expect(codeOf(signText('no checkpoint\n', [witness], time))).toBe('PV-8054');
    expect(codeOf(signText('no checkpoint\n', [alice, witness], time))).toBe('PV-8054');
    expect(codeOf(signText('a\tb\n', [alice], time))).toBe('PV-8050');
    expect(codeOf(signText(`cosignature/v1\ntime 1\n${text}`, [alice], time))).toBe('PV-8050');
    expect(codeOf(signText('no newline', [alice], time))).toBe('PV-8050');
  });
});

describe.runIf(noteVectors.present)('the notes of golang/mod and C2SP', () => {
  it('are signed byte for byte the same', () => {
    const { ed25519 } = noteVectors.read();
    const note = noteOf(ed25519.note);
    expect(valueOf(signText(note.text, [signerOf(ed25519.skey)], 0))).toBe(ed25519.note);
  });

  it('verify, with one signature and with two', async () => {
    const { ed25519, sumdb_test_key } = noteVectors.read();
    const peter = verifierOf(ed25519.vkey);
    expect(valueOf(await open(ed25519.note, { keys: [peter], threshold: 1 })).signedBy).toHaveLength(1);
    const two = valueOf(await open(ed25519.note_two_sigs, { keys: [peter], threshold: 1 }));
    expect(two).toMatchObject({ signedBy: [{ name: 'PeterNeumann' }], ignored: [{ name: 'EnochRoot' }] });
    const other = verifierOf(sumdb_test_key.vkey);
    expect(codeOf(await open(ed25519.note, { keys: [other], threshold: 1 }))).toBe('PV-8056');
  });

  it('read as a checkpoint where they are one', () => {
    expect(noteOf(noteVectors.read().c2sp_checkpoint_example).signatures[0]?.name).toBe('example.com/behind-the-sofa');
  });
});

describe.runIf(rekorVectors.present)('the checkpoint of Rekor', () => {
  it('is read; its key is of an algorithm that is not verified, so nothing signed it as far as we know', async () => {
    const { note, publicKey_spki_der_base64: spki } = rekorVectors.read().checkpoint_example;
    const [line] = noteOf(note).signatures;
    expect(line).toMatchObject({ name: 'rekor.sigstore.dev', keyId: 'c0d23d6a' });
    const der = Uint8Array.from(atob(spki), (character) => character.charCodeAt(0));
    const vkey = `rekor.sigstore.dev+c0d23d6a+${btoa(String.fromCharCode(0x02, ...der))}`;
    expect(codeOf(parseVerifierKey(vkey))).toBe('PV-8053');
    expect(codeOf(await open(note, trust(1, alice)))).toBe('PV-8056');
  });
});
