/**
 * Files of another kind than each command of `pv trace` asks for, and files that editors changed.
 *
 * Holds src/cli/commands/trace.ts.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { MemoryHost } from '../../../src/host/memory-host.ts';
import { foreign } from '../../trace/kind/foreign.ts';
import { bytesAt, modelFlags, put, pvTrace, recorded, rootIn, textAt } from './recorded.ts';

let host: MemoryHost;
let root = '';

beforeAll(async () => {
  const made = await recorded();
  host = made.host;
  root = rootIn(made.ran.stderr);
  await pvTrace(host, 'keygen', 'alice');
  await pvTrace(host, 'sign', 'run.trace', '--key', 'alice.key', '--out', 'run.checkpoint');
  await pvTrace(host, 'prove', 'run.trace', '--iteration', '5', '--checkpoint', 'run.checkpoint', '-o', 'step5.proof');
  await pvTrace(host, 'consistency', 'prove', 'run.trace', '--from', '5', '-o', 'grown.proof');
});

/** Each place where a file is given, what is expected there, and the exit code where it is another. */
const places: readonly (readonly [argv: readonly string[], expected: string, code: 1 | 2])[] = [
  [['show', 'FILE'], 'a trace', 1],
  [['show', 'run.trace', '--tokenizer', 'FILE'], 'a tokenizer.bin', 1],
  [['verify', 'FILE', ...modelFlags], 'a trace', 1],
  [['verify', 'run.trace', '--model', 'FILE'], 'a model of llama2.c', 2],
  [['verify', 'run.trace', ...modelFlags, '--checkpoint', 'FILE'], 'a checkpoint of a tree', 1],
  [['prove', 'FILE', '--iteration', '1'], 'a trace', 1],
  [['prove', 'run.trace', '--iteration', '1', '--checkpoint', 'FILE'], 'a checkpoint of a tree', 1],
  [['check', 'FILE', '--root', 'a'.repeat(64)], 'the proof of one step', 1],
  [['check', 'step5.proof', '--checkpoint', 'FILE'], 'a checkpoint of a tree', 1],
  [['check', 'step5.proof', '--key', 'FILE'], 'a verifier key', 2],
  [['convert', 'FILE', '--to', 'json', '--out', 'x.json'], 'a trace', 1],
  [['sign', 'FILE', '--key', 'alice.key', '--out', 'x.checkpoint'], 'a trace', 1],
  [['sign', 'run.trace', '--key', 'FILE', '--out', 'x.checkpoint'], 'a secret key', 2],
  [['cosign', 'FILE', '--key', 'alice.key'], 'a checkpoint of a tree', 1],
  [['cosign', 'run.checkpoint', '--key', 'alice.key', '--trace', 'FILE', '-o', 'x.checkpoint'], 'a trace', 1],
  [['consistency', 'prove', 'FILE', '--from', '2'], 'a trace', 1],
  [['consistency', 'verify', 'FILE', '--from-root', 'a'.repeat(64)], 'a consistency proof', 1],
  [['consistency', 'verify', 'grown.proof', '--from-checkpoint', 'FILE'], 'a checkpoint of a tree', 1],
  [['record', '--model', 'FILE', '--tokenizer', 'tiny-tokenizer.bin', '--out', 'x.trace'], 'a model of llama2.c', 1],
  [['record', '--model', 'tiny-model.bin', '--tokenizer', 'FILE', '--out', 'x.trace'], 'a tokenizer.bin', 1],
];

const given = async (argv: readonly string[], name: string): Promise<{ code: number; said: string }> => {
  const ran = await pvTrace(host, ...argv.map((one) => (one === 'FILE' ? name : one)));
  return { code: ran.code, said: `${ran.stdout}${ran.stderr}` };
};

describe.each(places)('pv trace %j', (argv, expected, code) => {
  it(`says what a foreign file seems to be, and that ${expected} is expected`, async () => {
    for (const [name, bytes] of foreign) {
      put(host, 'FOREIGN', bytes);
      const { code: ended, said } = await given(argv, 'FOREIGN');
      expect([ended, said]).toEqual([code, expect.stringMatching(/error\[PV-8083\].*This looks like /)]);
      expect(said).toMatch(name);
      expect(said).toContain(`, and ${expected} is expected here.`);
      expect(said).not.toContain('Read as entries');
    }
  });

  it('says of our own files of another kind which they are', async () => {
    const files = [
      ['run.trace', 'a trace (pv trace show reads it)'],
      ['step5.proof', 'the proof of one step (pv trace check reads it)'],
      ['run.checkpoint', 'a checkpoint of a tree (--checkpoint takes it)'],
      ['grown.proof', 'a consistency proof (pv trace consistency verify reads it)'],
      ['alice.key', 'a secret key (--key of sign and cosign takes it)'],
      ['alice.pub', 'a verifier key (--key of check and verify takes it)'],
      ['tiny-model.bin', 'a model of llama2.c (--model takes it)'],
      ['tiny-tokenizer.bin', 'a tokenizer.bin (--tokenizer takes it)'],
    ] as const;
    for (const [name, looks] of files) {
      if (looks.startsWith(expected)) continue;
      const { code: ended, said } = await given(argv, name);
      expect([name, ended]).toEqual([name, code]);
      expect(said).toContain(`This looks like ${looks}, and ${expected} is expected here.`);
      expect(said).not.toContain('PRIVATE');
    }
  });
});

describe('files with CRLF line ends', () => {
  const crlf = (name: string): void =>
    put(host, `crlf-${name}`, new TextEncoder().encode(textAt(host, name).replaceAll('\n', '\r\n')));

  it.each([
    [['check', 'crlf-step5.proof', '--root'], 'proof'],
    [['check', 'step5.proof', '--checkpoint', 'crlf-run.checkpoint', '--root'], 'checkpoint'],
    [['verify', 'run.trace', ...modelFlags, '--checkpoint', 'crlf-run.checkpoint', '--root'], 'checkpoint'],
    [['prove', 'run.trace', '--iteration', '1', '--checkpoint', 'crlf-run.checkpoint'], 'checkpoint'],
    [['cosign', 'crlf-run.checkpoint', '--key', 'alice.key'], 'checkpoint'],
  ])('%j is told, with what mends it', async (argv, what) => {
    crlf('step5.proof');
    crlf('run.checkpoint');
    const ran = await pvTrace(host, ...argv, ...(argv.at(-1) === '--root' ? [root] : []));
    expect(ran.code).toBe(1);
    expect(`${ran.stdout}${ran.stderr}`).toMatch(
      new RegExp(`error\\[PV-8084\\]: .*The (?:note|${what}) has CRLF line ends.*dos2unix.*gitattributes`),
    );
  });

  it('are no fault of keys and of JSON, which have no signed line ends', async () => {
    await pvTrace(host, 'convert', 'run.trace', '--to', 'json', '-o', 'run.json');
    for (const name of ['alice.pub', 'alice.key', 'grown.proof', 'run.json']) crlf(name);
    expect((await pvTrace(host, 'check', 'step5.proof', '--key', 'crlf-alice.pub')).code).toBe(0);
    const sign = ['sign', 'run.trace', '--key', 'crlf-alice.key', '--out', 'again.checkpoint'];
    expect((await pvTrace(host, ...sign)).code).toBe(0);
    expect(bytesAt(host, 'again.checkpoint')).toEqual(bytesAt(host, 'run.checkpoint'));
    const grown = ['consistency', 'verify', 'crlf-grown.proof', '--to-root', root, '--from-root'];
    const { root1 } = JSON.parse(textAt(host, 'grown.proof'));
    expect((await pvTrace(host, ...grown, root1)).code).toBe(0);
    expect((await pvTrace(host, 'show', 'crlf-run.json')).code).toBe(0);
  });
});
