import fc from 'fast-check';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.ts';
import { err, ok } from '../../src/base/result.ts';
import { receiptDigest, sha256 } from '../../src/evidence/digest.ts';
import { keptFailures } from '../../src/evidence/failures.ts';
import { toJsonForm } from '../../src/evidence/json-form.ts';
import type { Receipt } from '../../src/evidence/receipt.ts';
import { emptyScan } from '../../src/evidence/scan.ts';
import { createStore } from '../../src/evidence/store.ts';
import { failurePath, receiptPath, scansPath } from '../../src/evidence/store-path.ts';
import type { Trust } from '../../src/evidence/trust.ts';
import type { Question } from '../../src/host/inputs/input.ts';
import { createMemoryHost, type MemoryHost } from '../../src/host/memory-host.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { ourTrust, sampleInput, sampleReceipt } from './sample-receipt.ts';

const receipt = sampleReceipt();
const path = receiptPath(receipt.check) ?? '';

async function stored(change: (text: string) => string): Promise<MemoryHost> {
  const host = createMemoryHost();
  await createStore(host, '.', ourTrust).write(receipt);
  const text = await host.readText(path);
  await host.writeFileAtomic(path, change(text.ok ? text.value : ''));
  return host;
}

describe('receipts', () => {
  test('come back as they were written, under their check digest', async () => {
    const host = createMemoryHost();
    const store = createStore(host, '.', ourTrust);
    expect(await store.write(receipt)).toEqual({ value: true, diagnostics: [] });
    expect([...host.files.keys()]).toEqual([
      `/project/.pv/receipts/${receipt.check.slice(7, 9)}/${receipt.check.slice(7)}.json`,
    ]);
    expect(await store.read(receipt.check)).toEqual({ value: receipt, diagnostics: [] });
    expect(await store.readAll()).toEqual({ value: [receipt], changed: new Map(), diagnostics: [] });
  });

  test('keep numbers that JSON has not and texts that UTF-8 has not', async () => {
    const store = createStore(createMemoryHost(), '.', ourTrust);
    const worst = { error: Number.NaN, allowed: 0, ratio: Infinity, input: sampleInput };
    const odd = sampleReceipt({ verdict: 'falsified', worst, reason: 'kernel threw \ud800!' });
    await store.write(odd);
    expect((await store.read(odd.check)).value).toEqual({ ...odd, reason: 'kernel threw \ufffd!' });
  });

  test('have a digest that ignores timing and nothing else', () => {
    const digest = receiptDigest(receipt);
    expect(receiptDigest({ ...receipt, timing: { elapsedMs: 99 } })).toBe(digest);
    const changes: Partial<Receipt>[] = [
      { verdict: 'falsified' },
      { cases: 1 },
      { reason: '' },
      { restsOn: { a: sha256('b') } },
      { mutants: [] },
    ];
    for (const change of changes) expect(receiptDigest({ ...receipt, ...change })).not.toBe(digest);
  });

  test('of what has changed since are kept, and not used', async () => {
    const host = createMemoryHost();
    const answers = new Map([['file /project/data/a.json', 'sha256:2']]);
    const ask = ({ kind, name }: Question): string => answers.get(`${kind} ${name}`) ?? 'missing';
    const store = createStore(host, '.', { ...ourTrust, ask });
    const read = { kind: 'file', name: '/project/data/a.json', answer: 'sha256:2' } as const;
    const whole = sampleReceipt({ inputs: { closed: [read], open: [] } });
    const random = sampleReceipt({ check: sha256('random'), inputs: { closed: [], open: ['randomness'] } });
    await store.write(whole);
    await store.write(random);
    const atHome = { ...whole, inputs: { closed: [{ ...read, name: 'data/a.json' }], open: [] } };
    expect((await store.readAll()).value).toEqual([atHome]);
    answers.clear();
    const later = await store.readAll();
    expect([later.value, later.diagnostics]).toEqual([[], []]);
    expect([...later.changed]).toEqual(
      [
        [whole.check, 'data/a.json changed since'],
        [random.check, 'it used randomness, so that it is never reused'],
      ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    );
    expect((await store.read(whole.check)).value).toBeNull();
  });

  test('no receipt is nothing to report', async () => {
    const store = createStore(createMemoryHost(), '.', ourTrust);
    expect(await store.read(receipt.check)).toEqual({ value: null, diagnostics: [] });
    expect(await store.read('../../etc/passwd')).toEqual({ value: null, diagnostics: [] });
    expect(await store.readAll()).toEqual({ value: [], changed: new Map(), diagnostics: [] });
  });

  test.each<[string, string, (text: string) => string]>([
    ['truncated', 'PV-6001', (text) => text.slice(0, text.length / 2)],
    ['empty', 'PV-6001', () => ''],
    ['of another shape', 'PV-6002', () => '[]'],
    ['without its envelope', 'PV-6002', (text) => JSON.stringify(JSON.parse(text).receipt)],
    ['of another schema', 'PV-6002', (text) => text.replace('pv.receipt/1', 'pv.receipt/9')],
    ['with an unknown key', 'PV-6002', (text) => text.replace('"cases"', '"extra":1,"cases"')],
    ['with a wrong type', 'PV-6002', (text) => text.replace('"cases":10000', '"cases":"10000"')],
    ['with an unknown verdict', 'PV-6002', (text) => text.replace('"tested"', '"passed"')],
    ['with more cases than ran', 'PV-6003', (text) => text.replace('"cases":10000', '"cases":20000')],
    ['with another seed', 'PV-6003', (text) => text.replace('"seed":7', '"seed":8')],
    ['with another digest', 'PV-6003', (text) => text.replace(/"digest":"sha256:../, '"digest":"sha256:zz')],
  ])('a receipt %s is reported as %s and not used', async (_, code, change) => {
    const host = await stored(change);
    const read = await createStore(host, '.', ourTrust).read(receipt.check);
    expect(read.value).toBeNull();
    expect(read.diagnostics.map((d) => [d.code, d.subject])).toEqual([[code, path]]);
    expect((await createStore(host, '.', ourTrust).readAll()).value).toEqual([]);
  });

  test('receipts of another version of pv are whole, and one note says how many there are', async () => {
    const host = createMemoryHost();
    const checks = ['a', 'b', 'c'].map((name) => sha256(name));
    for (const check of checks) {
      const { timing, ...content } = { ...receipt, check, colour: 'green' };
      const digest = sha256(canonicalJson(toJsonForm(content)));
      await host.writeFileAtomic(receiptPath(check) ?? '', JSON.stringify({ digest, receipt: { ...content, timing } }));
    }
    const store = createStore(host, '.', ourTrust);
    const { value, diagnostics } = await store.readAll();
    expect(value).toEqual([]);
    expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
      ['PV-6016', 'note', '3 receipts of another version of pv are not used'],
    ]);
    const [one] = (await store.read(checks[0] ?? '')).diagnostics;
    expect(one?.message).toBe('1 receipt of another version of pv is not used');
  });

  test('a receipt in the place of another is PV-6004', async () => {
    const host = await stored((text) => text);
    const other = sha256('other');
    const text = await host.readText(path);
    await host.writeFileAtomic(receiptPath(other) ?? '', text.ok ? text.value : '');
    const read = await createStore(host, '.', ourTrust).read(other);
    expect([read.value, read.diagnostics.map((d) => d.code)]).toEqual([null, ['PV-6004']]);
  });

  test('no single changed character yields another receipt', async () => {
    const whole = await (await stored((text) => text)).readText(path);
    const text = whole.ok ? whole.value : '';
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.constantFrom('0', '1', 'a', '"', ' ', '{', '-'),
        async (at, character) => {
          const host = await stored(() => text.slice(0, at) + character + text.slice(at + 1));
          const read = await createStore(host, '.', ourTrust).read(receipt.check);
          if (read.value !== null) expect({ ...read.value, timing: null }).toEqual({ ...receipt, timing: null });
          else expect(read.diagnostics).toHaveLength(1);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('readAll reads every good one, in order of their checks, past any number of bad ones', async () => {
    const host = createMemoryHost();
    const store = createStore(host, '.', ourTrust);
    const receipts = Array.from({ length: 200 }, (_, i) => sampleReceipt({ check: sha256(String(i)) }));
    for (const one of receipts) await store.write(one);
    await host.writeFileAtomic(receiptPath(sha256('bad')) ?? '', '{');
    await host.writeFileAtomic('.pv/receipts/README.md', 'not ours');
    const all = await store.readAll();
    expect(all.value.map((one) => one.check)).toEqual(receipts.map((one) => one.check).sort());
    expect(all.diagnostics.map((d) => d.code)).toEqual(['PV-6001']);
  });

  test('a check that is not a digest is not written', async () => {
    const host = createMemoryHost();
    const written = await createStore(host, '.', ourTrust).write(sampleReceipt({ check: '../../x' }));
    expect([written.value, written.diagnostics.map((d) => d.code), host.files.size]).toEqual([false, ['PV-6006'], 0]);
  });
});

describe('removal', () => {
  test('takes the receipts of the checks that are named, and no other file', async () => {
    const host = createMemoryHost({ '.pv/receipts/ab/notes.txt': 'mine', 'kernel.ts': 'mine' });
    const store = createStore(host, '.', ourTrust);
    const [kept, loose] = [sha256('kept'), sha256('loose')];
    await store.write(sampleReceipt({ check: kept }));
    await store.write(sampleReceipt({ check: loose }));
    expect(await store.remove([loose])).toEqual({ value: [loose], diagnostics: [] });
    expect((await store.readAll()).value.map((one) => one.check)).toEqual([kept]);
    expect(host.files.size).toBe(3);
  });
});

describe('trust', () => {
  const trusts: [string, Trust][] = [
    ['PV-6060', { ...ourTrust, secret: 'a secret of somebody else, as long' }],
    ['PV-6060', { ...ourTrust, secret: null }],
    ['PV-6061', { ...ourTrust, tracked: new Set([path]) }],
  ];

  test.each(trusts)('a receipt that is not of this user is %s and not used', async (code, trust) => {
    const store = createStore(await stored((text) => text), '.', trust);
    const read = await store.read(receipt.check);
    expect([read.value, read.diagnostics.map((d) => d.code)]).toEqual([null, [code]]);
    const all = await store.readAll();
    expect([all.value, all.changed.size, all.diagnostics.map((d) => d.code)]).toEqual([[], 0, [code]]);
  });

  test('what many receipts have read is asked once, by its kind and its name', async () => {
    const asked: string[] = [];
    const ask = ({ kind, name }: Question): string => (asked.push(`${kind} ${name}`), `${kind} ${name}`);
    const store = createStore(createMemoryHost(), '.', { ...ourTrust, ask });
    const inputs = (['file', 'entry', 'variable'] as const).flatMap((kind) =>
      ['/a', '/b'].map((name) => ({ kind, name, answer: `${kind} ${name}` })),
    );
    for (const name of ['x', 'y'])
      await store.write(sampleReceipt({ check: sha256(name), inputs: { closed: inputs, open: [] } }));
    expect((await store.readAll()).value).toHaveLength(2);
    expect(asked).toEqual(inputs.map(({ answer }) => answer));
  });
});

describe('ranges of a check that is not at its end', () => {
  const check = sha256('exhaustive');
  const scans = [{ ...emptyScan(0), reached: 4, cases: 4 }];

  test('come back as they were written, until they are removed', async () => {
    const host = createMemoryHost();
    const store = createStore(host, '.', ourTrust);
    expect(await store.scans(check)).toEqual([]);
    expect(await store.writeScans(check, scans)).toEqual({ value: true, diagnostics: [] });
    expect([...host.files.keys()]).toEqual([`/project/${scansPath(check)}`]);
    expect(await store.scans(check)).toEqual(scans);
    await store.removeScans(sha256('another'));
    expect(host.files.size).toBe(1);
    await store.removeScans(check);
    expect(host.files.size).toBe(0);
  });

  test('that are not of this user are none', async () => {
    const host = createMemoryHost();
    await createStore(host, '.', { ...ourTrust, secret: null }).writeScans(check, scans);
    expect(await createStore(host, '.', ourTrust).scans(check)).toEqual([]);
  });

  test('whose check is not a digest are neither written, read nor removed', async () => {
    const host = createMemoryHost({ x: '1' });
    const store = createStore(host, '.', ourTrust);
    const written = await store.writeScans('../x', scans);
    expect([written.value, written.diagnostics]).toMatchObject([
      false,
      [
        {
          code: 'PV-6006',
          subject: '../x',
          message: 'the evidence of ../x could not be written: its check is not a sha256 digest',
        },
      ],
    ]);
    expect(await store.scans('../x')).toEqual([]);
    await store.removeScans('../x');
    expect(host.files.size).toBe(1);
  });
});

describe('files in the way', () => {
  test('of all receipts, of a folder of them and of a case that failed are reported', async () => {
    const unreadable = (subject: string) => ({ code: 'PV-6007', subject });
    const whole = await createStore(createMemoryHost({ '.pv/receipts': 'a file' }), '.', ourTrust).readAll();
    expect(whole).toMatchObject({ value: [], diagnostics: [unreadable('.pv/receipts')] });
    const failing = failurePath('a/b');
    const store = createStore(createMemoryHost({ [`${failing}/x`]: 'a file in a folder of that name' }), '.', ourTrust);
    expect(await store.failures('a/b')).toMatchObject({ value: [], diagnostics: [unreadable(failing)] });
  });

  test('of one folder of receipts cost no receipt of the others', async () => {
    const host = createMemoryHost();
    await createStore(host, '.', ourTrust).write(receipt);
    await host.writeFileAtomic('.pv/receipts/zz/x.json', '');
    const list: typeof host.list = async (path) =>
      path.endsWith('zz') ? err({ kind: 'other', path, message: 'is locked' }) : host.list(path);
    const read = await createStore({ ...host, list }, '.', ourTrust).readAll();
    expect(read.value).toEqual([receipt]);
    expect(read.diagnostics).toMatchObject([
      {
        code: 'PV-6007',
        message: 'stored evidence cannot be used: .pv/receipts/zz is locked',
        subject: '.pv/receipts/zz',
      },
    ]);
  });

  test('receipts come in the order of their checks, however the folders are listed', async () => {
    const host = createMemoryHost();
    for (const name of ['a', 'b', 'c', 'd'])
      await createStore(host, '.', ourTrust).write(sampleReceipt({ check: sha256(name) }));
    const list: typeof host.list = async (path) => {
      const listed = await host.list(path);
      return listed.ok ? ok(listed.value.toReversed()) : listed;
    };
    const { value } = await createStore({ ...host, list }, '.', ourTrust).readAll();
    expect(value.map(({ check }) => check)).toEqual(['a', 'b', 'c', 'd'].map(sha256).toSorted());
  });

  test('what cannot be removed or written is reported with its path', async () => {
    const refuse = async () => err({ kind: 'other' as const, path: '', message: 'is locked' });
    const store = createStore({ ...createMemoryHost(), remove: refuse, writeFileAtomic: refuse }, '.', ourTrust);
    expect(await store.remove([receipt.check])).toMatchObject({
      value: [],
      diagnostics: [{ code: 'PV-6007', subject: path }],
    });
    expect(await store.write(receipt)).toMatchObject({
      value: false,
      diagnostics: [{ code: 'PV-6006', subject: path }],
    });
    expect(await store.addFailure('a/b', sampleInput)).toMatchObject({
      value: false,
      diagnostics: [{ code: 'PV-6006', subject: failurePath('a/b') }],
    });
  });
});

describe('failing cases', () => {
  const goal = 'softmax-kernel-v1/SM-INV-001';
  const input = (n: number) => ({ sizes: { n }, values: { x: { hex: 'f32:00000000', text: '0' } } });

  test('come back newest first, once each, a bounded number', async () => {
    const host = createMemoryHost();
    const store = createStore(host, '.', ourTrust);
    expect(await store.failures(goal)).toEqual({ value: [], diagnostics: [] });
    for (const n of [1, 2, 1]) await store.addFailure(goal, input(n));
    expect((await store.failures(goal)).value).toEqual([input(1), input(2)]);
    expect([...host.files.keys()]).toEqual(['/project/.pv/failures/softmax-kernel-v1/SM-INV-001.json']);
    for (let n = 0; n < 50; n++) await store.addFailure(goal, input(n));
    expect((await store.failures(goal)).value).toHaveLength(keptFailures);
  });

  test('found at the same time are all kept', async () => {
    const store = createStore(createMemoryHost(), '.', ourTrust);
    await Promise.all([1, 2, 3, 4, 5].map((n) => store.addFailure(goal, input(n))));
    expect((await store.failures(goal)).value.map(({ sizes }) => sizes['n'])).toEqual([5, 4, 3, 2, 1]);
  });

  test.each([
    ['not JSON', '{'],
    ['another schema', '{"schema":"x","goal":"softmax-kernel-v1/SM-INV-001","cases":[]}'],
    ['another goal', '{"schema":"pv.failures/1","goal":"other/X","cases":[]}'],
    [
      'bytes that are not hexadecimal',
      '{"schema":"pv.failures/1","goal":"softmax-kernel-v1/SM-INV-001","cases":[{"sizes":{},"values":{"x":{"hex":"f32:0","text":""}}}]}',
    ],
  ])('%s is reported as PV-6005, read as none and never written over', async (_, content) => {
    const host = createMemoryHost({ [failurePath(goal)]: content });
    const store = createStore(host, '.', ourTrust);
    const read = await store.failures(goal);
    expect([read.value, read.diagnostics.map((d) => d.code)]).toEqual([[], ['PV-6005']]);
    expect(await store.addFailure(goal, input(1))).toEqual({ value: false, diagnostics: read.diagnostics });
    expect(new TextDecoder().decode(host.files.get(`/project/${failurePath(goal)}`))).toBe(content);
  });

  test('file names stay inside, distinct and short for any goal id', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (a, b) => {
          const [first, second] = [failurePath(a), failurePath(b)];
          expect(first).toMatch(
            /^\.pv\/failures\/[A-Za-z0-9_%-][A-Za-z0-9_.%-]{0,103}\/[A-Za-z0-9_%-][A-Za-z0-9_.%-]{0,103}\.json$/,
          );
          const bytes = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));
          if (bytes(a).replace('/', '') !== bytes(b).replace('/', '')) expect(first).not.toBe(second);
        },
      ),
    );
    for (const goal of ['../../x', '..', '.', '', '/', 'a/../../b', 'con/CON', 'x/.hidden'])
      expect(failurePath(goal)).not.toMatch(/\/\.\.?\//);
  });
});

describe('on a real disk', () => {
  test('a .pv that leads outside the project is neither read nor written', async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'pv-store-')));
    mkdirSync(join(directory, 'project'));
    mkdirSync(join(directory, 'outside'));
    symlinkSync(join(directory, 'outside'), join(directory, 'project/.pv'));
    const store = createStore(createNodeHost(directory), 'project', ourTrust);
    expect((await store.write(receipt)).diagnostics.map((d) => d.code)).toEqual(['PV-6006']);
    expect((await store.readAll()).diagnostics.map((d) => d.code)).toEqual(['PV-6007']);
    expect(existsSync(join(directory, 'outside/receipts'))).toBe(false);
    rmSync(directory, { recursive: true });
  });

  test('a receipt that cannot be read is PV-6007', async () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'pv-store-')));
    mkdirSync(join(directory, path), { recursive: true });
    const store = createStore(createNodeHost(directory), '.', ourTrust);
    expect((await store.read(receipt.check)).diagnostics.map((d) => d.code)).toEqual(['PV-6007']);
    rmSync(directory, { recursive: true });
  });
});
