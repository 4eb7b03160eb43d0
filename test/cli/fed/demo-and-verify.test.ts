/**
 * One run of the demo, and what a third party finds in the folders that it wrote. Holds src/cli/fed/run-demo.ts,
 * src/cli/fed/run-verify-rounds.ts, src/federated/demo/demo-round.ts, src/federated/demo/attacks.ts, src/federated/demo/demo-base.ts,
 * src/federated/demo/demo-node.ts, src/federated/demo/village-text.ts.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { formatVerifierKey, parseVerifierKey, verifierKey } from '../../../src/notes/key.ts';
import { good } from '../../federated/nodes.ts';
import { runPv } from '../../support/memory-cli.ts';

const adapter = 'bc4ee08b061adde68df1d52a6f7c5cdaa2f80e86c3cba3bbf6cba135ece19010';
const host = createMemoryHost();
const pv = (on: MemoryHost, ...argv: readonly string[]) => runPv(argv, { host: on });
let demo: Awaited<ReturnType<typeof pv>>;

beforeAll(async () => {
  demo = await pv(host, 'fed', 'demo');
});

const ben = ['fed', 'verify', 'fed-demo/nodes/ben', '--base', 'fed-demo/base'] as const;

/** The folders of the demo, one file of which is changed. */
async function changed(path: string, edit: (bytes: Uint8Array) => Uint8Array): Promise<MemoryHost> {
  const copy = createMemoryHost();
  const take = async (folder: string): Promise<void> => {
    const listed = await host.list(folder);
    for (const { name, kind } of listed.ok ? listed.value : []) {
      const inside = `${folder}/${name}`;
      if (kind === 'directory') await take(inside);
      else {
        const bytes = await host.readBytes(inside);
        if (bytes.ok) await copy.writeFileAtomic(inside, inside.endsWith(path) ? edit(bytes.value) : bytes.value);
      }
    }
  };
  await take('fed-demo');
  return copy;
}

const text = (edit: (content: string) => string) => (bytes: Uint8Array) =>
  new TextEncoder().encode(edit(new TextDecoder().decode(bytes)));

/** The last bit is another one. */
const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte));

describe('pv fed demo', () => {
  it('ends in the same adapter in every run, on every machine', () => {
    expect(demo.code).toBe(0);
    expect(demo.stdout).toContain(`ben      takes over: adapter ${adapter}`);
    expect(demo.stdout).toContain('clara    takes over at the same time: the same adapter');
    expect(demo.stdout).toContain('dora     fetches it, aggregates again (same bytes)');
  });

  it.each([
    ['joins under the name of another node', 'signature_invalid'],
    ['submits NaN in one tensor', 'delta_invalid'],
    ['changes the frozen A', 'delta_invalid'],
    ['submits an update of a thousand times the norm', 'delta_invalid'],
    ['leaves out a tensor', 'delta_invalid'],
    ['states more samples than the round allows', 'submission_invalid'],
    ['names another manifest', 'submission_invalid'],
    ['submits noise within the norm', 'accepted'],
    ['submits again', 'submission_duplicate'],
  ])('a hostile node that %s gets %s', (attack, answer) => {
    expect(demo.stdout).toContain(`mallory  ${attack}: ${answer}\n`);
  });

  it('gives an aggregate that predicts text of all nodes better than the base and than the adapter of any node', () => {
    const found = [...demo.stdout.matchAll(/^ {2}(.+?) +(\d+\.\d+)$/gm)].map(
      ([, of, value]) => [of, Number(value)] as const,
    );
    const aggregate = found.find(([of]) => of === 'the aggregate')?.[1] ?? NaN;
    expect(found).toHaveLength(6);
    for (const [of, value] of found) if (of !== 'the aggregate') expect(aggregate, of).toBeLessThan(value);
  });

  it('does not write into a folder that exists', async () => {
    const again = await pv(host, 'fed', 'demo');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('fed-demo exists') });
  });

  it('writes a report of all nodes, with what was refused and who took over', () => {
    const page = new TextDecoder().decode(host.files.get('/project/fed-demo/report.html'));
    expect(page).toContain('<span class="mark v-tested">VERIFIED</span>');
    for (const [code, times] of [
      ['signature_invalid', 1],
      ['delta_invalid', 4],
      ['submission_invalid', 2],
      ['submission_duplicate', 1],
      ['fedlearn_aggregator_unreachable', 1],
    ])
      expect(page).toContain(`<code>${code}</code> × ${times}:`);
    expect(page).toContain(`<code>${adapter}</code>`);
    expect(page).toMatch(/publishes the adapter bc4ee08b061a <span class="mark v-incomplete">takeover<\/span>/);
    expect(page.match(/<svg viewBox/g)).toHaveLength(5);
    expect(page).not.toMatch(/<script|https?:/);
  });

  it('writes a base model that replays', async () => {
    const base = await pv(host, 'certificate', 'verify', 'fed-demo/base', '--level', 'full');
    expect(base.stdout).toMatch(/^VERIFIED \(full\)/);
  });
});

describe('pv fed verify', () => {
  it('aggregates the submissions again to the same adapter', async () => {
    const verdict = await pv(host, ...ben, '--roster', 'fed-demo/roster.txt');
    expect(verdict.stderr).toBe('');
    expect(verdict.stdout).toMatch(
      /^VERIFIED: round \w{26}: 5 submissions aggregated again to the same adapter; signed by identities of fed-demo\/roster.txt\n/,
    );
    expect(verdict.stdout).toContain(`adapter      ${adapter}`);
    expect(verdict.code).toBe(0);
  });

  it('says in its first line that nobody checked identities', async () => {
    const verdict = await pv(host, ...ben);
    expect(verdict.stdout.split('\n')[0]).toContain('identities not checked: pass --roster');
  });

  it('prints JSON', async () => {
    const { stdout } = await pv(host, ...ben, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      rounds: [{ verdict: 'verified', adapter, takeover: true, identitiesChecked: false }],
    });
  });

  it('takes the folders of several nodes, and writes a page', async () => {
    const argv = [...ben, 'fed-demo/nodes/anna', '--html', 'rounds.html'];
    const verdict = await pv(host, ...argv);
    expect(verdict.code).toBe(0);
    expect(verdict.stdout).toContain('fed-demo/nodes/anna: NO RESULT');
    const page = new TextDecoder().decode(host.files.get('/project/rounds.html'));
    expect(page).toContain('identities not checked: pass --roster');
    const on = await changed('roster.txt', (bytes) => bytes);
    expect(await pv(on, ...ben, '--html', 'fed-demo/roster.txt')).toMatchObject({ code: 2 });
  });

  it('says of the folder of a node that left that it has no result', async () => {
    const verdict = await pv(host, 'fed', 'verify', 'fed-demo/nodes/anna', '--base', 'fed-demo/base');
    expect(verdict).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/^NO RESULT: .* so that no adapter was checked/),
    });
  });

  it.each([
    [
      'a signer who is not on the roster',
      'roster.txt',
      text((content) => content.replace(/^mallory.*\n/m, '')),
      1,
      'signature_invalid',
    ],
    [
      'a roster with one key under two names',
      'roster.txt',
      text((content) => {
        const key = good(parseVerifierKey(content.split('\n')[0] ?? ''));
        return `${content}${formatVerifierKey(verifierKey('twin', 'ed25519', key.publicKey))}\n`;
      }),
      2,
      'line 6 of fed-demo/roster.txt has the key of',
    ],
    ['a roster with a line that is not an ID', 'roster.txt', text((content) => `${content}bob\n`), 2, 'line 6'],
    [
      'an event that was edited',
      'nodes/ben/events.jsonl',
      text((content) => content.replace('"num_samples":66', '"num_samples":67')),
      1,
      'PV-8600',
    ],
    [
      'a log that is cut after the first event',
      'nodes/ben/events.jsonl',
      text((content) => `${content.split('\n')[0]}\n`),
      5,
      'ANNOUNCED',
    ],
    [
      'the file of the adapter with one other bit',
      `nodes/ben/blobs/${adapter}`,
      (bytes: Uint8Array) => flipped(bytes),
      1,
      'is damaged',
    ],
    ['other weights of the base', 'base/weights.safetensors', (bytes: Uint8Array) => flipped(bytes), 2, 'PV-8680'],
    [
      'a delta with one other bit',
      'blobs/26f890e1e347baf1a81413cf5a0e7e9a3c83888bccf9edc7411f46ad97d977fe',
      (bytes: Uint8Array) => flipped(bytes),
      1,
      'is missing or damaged',
    ],
  ] as const)('does not verify %s', async (_, path, edit, code, why) => {
    const on = await changed(path, edit);
    const verdict = await pv(on, ...ben, '--roster', 'fed-demo/roster.txt');
    expect(verdict.code).toBe(code);
    expect(`${verdict.stdout}${verdict.stderr}`).toContain(why);
    expect(verdict.stdout).not.toContain('VERIFIED');
  });

  it('says what is missing', async () => {
    const verdict = await pv(host, 'fed', 'verify', 'nowhere', '--base', 'fed-demo/base');
    expect(verdict).toMatchObject({ code: 2, stdout: '' });
  });
});
