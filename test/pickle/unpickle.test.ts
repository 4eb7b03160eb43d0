/** Pickles that CPython 3 wrote, and pickles of attackers. Holds src/pickle/pickle-bytes.ts, src/pickle/pickle-stack.ts, src/pickle/pickled.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf, isPickled, itemsOf, nameOf, type Pickled } from '../../src/pickle/pickled.ts';
import { unpickle } from '../../src/pickle/unpickle.ts';

/**
 * `{'a': [1, -2, 300, 70000, 2**40, -2**70, True, False, None, 1.5], 't': (1,), 'u': (1, 2, 3, 4), 's': 'é☃', 'b': b'\x00\xff',
 * 'n': nan, 'set': {7}, 'o': OrderedDict(k=1)}`, by protocol.
 */
const written = [
  'KGRwMApWYQpwMQoobHAyCkkxCmFJLTIKYUkzMDAKYUk3MDAwMAphTDEwOTk1MTE2Mjc3NzZMCmFMLTExODA1OTE2MjA3MTc0MTEzMDM0MjRMCmFJMDEKYUkwMAphTmFGMS41CmFzVnQKcDMKKEkxCnRwNApzVnUKcDUKKEkxCkkyCkkzCkk0CnRwNgpzVnMKcDcKVulcdTI2MDMKcDgKc1ZiCnA5CmNfY29kZWNzCmVuY29kZQpwMTAKKFZcdTAwMDD/CnAxMQpWbGF0aW4xCnAxMgp0cDEzClJwMTQKc1ZuCnAxNQpGbmFuCnNWc2V0CnAxNgpjX19idWlsdGluX18Kc2V0CnAxNwooKGxwMTgKSTcKYXRwMTkKUnAyMApzVm8KcDIxCmNjb2xsZWN0aW9ucwpPcmRlcmVkRGljdApwMjIKKHRScDIzClZrCnAyNApJMQpzcy4=',
  'fXEAKFgBAAAAYXEBXXECKEsBSv7///9NLAFKcBEBAEwxMDk5NTExNjI3Nzc2TApMLTExODA1OTE2MjA3MTc0MTEzMDM0MjRMCkkwMQpJMDAKTkc/+AAAAAAAAGVYAQAAAHRxAyhLAXRxBFgBAAAAdXEFKEsBSwJLA0sEdHEGWAEAAABzcQdYBQAAAMOp4piDcQhYAQAAAGJxCWNfY29kZWNzCmVuY29kZQpxCihYAwAAAADDv3ELWAYAAABsYXRpbjFxDHRxDVJxDlgBAAAAbnEPR3/4AAAAAAAAWAMAAABzZXRxEGNfX2J1aWx0aW5fXwpzZXQKcREoXXESSwdhdHETUnEUWAEAAABvcRVjY29sbGVjdGlvbnMKT3JkZXJlZERpY3QKcRYpUnEXWAEAAABrcRhLAXN1Lg==',
  'gAJ9cQAoWAEAAABhcQFdcQIoSwFK/v///00sAUpwEQEAigYAAAAAAAGKCQAAAAAAAAAAwIiJTkc/+AAAAAAAAGVYAQAAAHRxA0sBhXEEWAEAAAB1cQUoSwFLAksDSwR0cQZYAQAAAHNxB1gFAAAAw6nimINxCFgBAAAAYnEJY19jb2RlY3MKZW5jb2RlCnEKWAMAAAAAw79xC1gGAAAAbGF0aW4xcQyGcQ1ScQ5YAQAAAG5xD0d/+AAAAAAAAFgDAAAAc2V0cRBjX19idWlsdGluX18Kc2V0CnERXXESSwdhhXETUnEUWAEAAABvcRVjY29sbGVjdGlvbnMKT3JkZXJlZERpY3QKcRYpUnEXWAEAAABrcRhLAXN1Lg==',
  'gAN9cQAoWAEAAABhcQFdcQIoSwFK/v///00sAUpwEQEAigYAAAAAAAGKCQAAAAAAAAAAwIiJTkc/+AAAAAAAAGVYAQAAAHRxA0sBhXEEWAEAAAB1cQUoSwFLAksDSwR0cQZYAQAAAHNxB1gFAAAAw6nimINxCFgBAAAAYnEJQwIA/3EKWAEAAABucQtHf/gAAAAAAABYAwAAAHNldHEMY2J1aWx0aW5zCnNldApxDV1xDksHYYVxD1JxEFgBAAAAb3ERY2NvbGxlY3Rpb25zCk9yZGVyZWREaWN0CnESKVJxE1gBAAAAa3EUSwFzdS4=',
  'gASVrAAAAAAAAAB9lCiMAWGUXZQoSwFK/v///00sAUpwEQEAigYAAAAAAAGKCQAAAAAAAAAAwIiJTkc/+AAAAAAAAGWMAXSUSwGFlIwBdZQoSwFLAksDSwR0lIwBc5SMBcOp4piDlIwBYpRDAgD/lIwBbpRHf/gAAAAAAACMA3NldJSPlChLB5CMAW+UjAtjb2xsZWN0aW9uc5SMC09yZGVyZWREaWN0lJOUKVKUjAFrlEsBc3Uu',
  'gAWVrAAAAAAAAAB9lCiMAWGUXZQoSwFK/v///00sAUpwEQEAigYAAAAAAAGKCQAAAAAAAAAAwIiJTkc/+AAAAAAAAGWMAXSUSwGFlIwBdZQoSwFLAksDSwR0lIwBc5SMBcOp4piDlIwBYpRDAgD/lIwBbpRHf/gAAAAAAACMA3NldJSPlChLB5CMAW+UjAtjb2xsZWN0aW9uc5SMC09yZGVyZWREaWN0lJOUKVKUjAFrlEsBc3Uu',
].map((text) => Buffer.from(text, 'base64'));

const read = (bytes: Uint8Array): Pickled => {
  const result = unpickle(bytes);
  if (!result.ok) throw new Error(result.error.message);
  return result.value.value;
};

describe('what CPython writes', () => {
  it.each(written.map((bytes, protocol) => [protocol, bytes] as const))('is read in protocol %i', (_, bytes) => {
    const entries = entriesOf(read(bytes));
    expect(itemsOf(entries?.get('a'))).toEqual([1, -2, 300, 70000, 2 ** 40, -(2n ** 70n), true, false, null, 1.5]);
    expect(itemsOf(entries?.get('t'))).toEqual([1]);
    expect(itemsOf(entries?.get('u'))).toEqual([1, 2, 3, 4]);
    expect(entries?.get('s')).toBe('é☃');
    expect(entries?.get('n')).toBeNaN();
    expect([...(entriesOf(entries?.get('o')) ?? [])]).toEqual([['k', 1]]);
  });

  it('has bytes and sets of their own from protocol 4, and calls before', () => {
    const late = entriesOf(read(written[5] ?? new Uint8Array()));
    expect(late?.get('b')).toEqual(Buffer.from([0, 255]));
    expect(late?.get('set')).toEqual({ kind: 'set', items: [7] });
    const early = entriesOf(read(written[2] ?? new Uint8Array()));
    const set = early?.get('set');
    expect(isPickled(set, 'call') && nameOf(set.callable)).toBe('__builtin__.set');
  });

  it('is read to its end and no further', () => {
    const [first = new Uint8Array()] = written;
    expect(unpickle(Buffer.concat([first, first]))).toMatchObject({ ok: true, value: { length: first.length } });
  });
});

describe('a hostile pickle', () => {
  it('calls nothing and sets no prototype', () => {
    const bytes = Buffer.from(
      'gAJ9cQBYCQAAAF9fcHJvdG9fX3EBY3Bvc2l4CnN5c3RlbQpxAlgQAAAAdG91Y2ggL3RtcC9wd25lZHEDhXEEUnEFcy4=',
      'base64',
    );
    const result = unpickle(bytes);
    expect(result).toMatchObject({ ok: true, value: { globals: ['posix.system'] } });
    const value = entriesOf(read(bytes))?.get('__proto__');
    expect(isPickled(value, 'call') && nameOf(value.callable)).toBe('posix.system');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each([
    ['nothing', '', 'are announced'],
    ['a value that is missing', '.', 'does not end with one value'],
    ['two values', 'NN.', 'does not end with one value'],
    ['a mark that stays', '(N.', 'does not end with one value'],
    ['an empty stack', '0.', 'the stack is empty'],
    ['an unknown opcode', '\u0001.', 'opcode 0x01'],
    ['an unknown protocol', '\u0080\u0009N.', 'protocol 9'],
    ['text that is longer than the file', 'X\u00ff\u00ff\u00ff\u007f.', 'are announced'],
    ['bytes of 2^63', '\u008e\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0080.', '9223372036854775808 bytes'],
    ['a memo that was never stored', 'h\u0007.', 'memo 7'],
    ['a key without a value', '}(Nu.', 'a key has no value'],
    ['an item of a number', 'K\u0001(Ne.', 'not a list'],
    ['an integer of a million digits', `I${'9'.repeat(1e6)}\n.`, 'is not an integer'],
    ['a float that is text', 'Fx\n.', 'is not a number'],
    ['an index that is text', 'gx\n.', 'is not an index'],
  ])('with %s is refused, with the byte', (_, source, message) => {
    const result = unpickle(Buffer.from(source, 'latin1'));
    expect(result.ok ? null : result.error).toMatchObject({ code: 'PV-8500', offset: expect.any(Number) });
    expect(result.ok ? '' : result.error.message).toContain(message);
  });

  it.each([
    ['empty dicts', `(${'}'.repeat(2_000_000)}`],
    ['empty lists in a memo', `(${']\u0094'.repeat(3_000_000)}`],
    ['lists in lists', `${']'.repeat(2_000_000)}${'a'.repeat(1_999_999)}.`],
    ['dicts of one entry', `(${'}K\u0001Ns'.repeat(1_000_000)}l.`],
    ['tuples of one item', `(${'N\u0085'.repeat(3_000_000)}l.`],
    ['marks', '('.repeat(2_000_000)],
  ])('of %s is refused when they take more than its size allows', (_, source) => {
    const result = unpickle(Buffer.from(source, 'latin1'));
    expect(result.ok ? '' : result.error.message).toMatch(/what it describes takes more than \d+ MB of memory/u);
  });

  it('may describe an optimizer of forty thousand tensors', () => {
    const text = (value: string): string => `X${String.fromCharCode(value.length)}\0\0\0${value}q\u0001`;
    const storage = `(${text('storage')}ctorch\nFloatStorage\nq\u0001${text('123456')}${text('cuda:0')}M\0\u0001tq\u0001Q`;
    const tensor = `h\0(${storage}K\0K\u0001\u0085q\u0001K\u0001\u0085q\u0001\u0089h\0)Rq\u0001tq\u0001Rq\u0001`;
    const state = `M\0\0}q\u0001(${['step', 'exp_avg', 'exp_avg_sq'].map((key) => text(key) + tensor).join('')}u`;
    const source = `\u0080\u0002cf\ng\nq\u00000(${state.repeat(40_000)}l.`;
    expect(unpickle(Buffer.from(source, 'latin1'))).toMatchObject({ ok: true });
  });

  it('cannot reach one empty container through another', () => {
    const [first, second, third, fourth] = itemsOf(read(Buffer.from('(]K\u0001a]}K\u0001K\u0002s}l.', 'latin1'))) ?? [];
    expect([first, second, third, fourth]).toEqual([
      { kind: 'list', items: [1] },
      { kind: 'list', items: [] },
      { kind: 'dict', entries: new Map([[1, 2]]) },
      { kind: 'dict', entries: new Map() },
    ]);
  });

  it('of any bytes is read or refused, and never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => typeof unpickle(bytes).ok === 'boolean'));
  });

  it('that is cut anywhere is refused', () => {
    for (const bytes of written)
      for (let end = 0; end < bytes.length; end++) expect(unpickle(bytes.subarray(0, end)).ok).toBe(false);
  });
});
