/**
 * One run of the demo of a secure round, and what a third party finds in the folder of a node. Holds src/federated/demo/secure-demo.ts,
 * src/cli/fed/secure-scope.ts.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { runPv } from '../../support/memory-cli.ts';

const adapter = '31f1f06825f76786735abda3c921d106b730a28877ebaf0dc1c2d6a79f4825c9';
const host = createMemoryHost();
let demo: Awaited<ReturnType<typeof runPv>>;

beforeAll(async () => {
  demo = await runPv(['fed', 'demo', '--secure', '--out', 'round'], { host });
});

const verify = (node: string, ...more: readonly string[]) =>
  runPv(['fed', 'verify', `round/nodes/${node}`, '--base', 'round/base', '--roster', 'round/roster.txt', ...more], {
    host,
  });

describe('pv fed demo --secure', () => {
  it('ends in the same adapter in every run, though every mask is drawn anew', () => {
    expect(demo.code).toBe(0);
    expect(demo.stdout).toContain(`anna     takes the masks off the sum: adapter ${adapter}\n`);
    expect(demo.stdout).toContain('dora     fetches it, adds up again (same bytes)');
    expect(demo.stdout).toContain('pv fed verify round/nodes/dora');
  });

  it('goes on without the node that left, and refuses a coordinator that calls another one gone', () => {
    expect(demo.stdout).toContain('anna     signs that ben is gone too, to unmask him: submission_invalid');
    expect(demo.stdout).toContain('4 submissions, 265 samples');
  });

  it('gives an aggregate that predicts text of all nodes better than the base', () => {
    const [base, aggregate] = [...demo.stdout.matchAll(/^ {2}the \w+ +(\d+\.\d+)$/gm)].map(([, value]) =>
      Number(value),
    );
    expect(aggregate).toBeLessThan(base ?? 0);
  });
});

describe('pv fed verify of a secure round', () => {
  it('adds up the masked deltas again, and says what it cannot know', async () => {
    const verdict = await verify('dora');
    expect(verdict).toMatchObject({ code: 0, stderr: '' });
    expect(verdict.stdout).toContain('VERIFIED: round');
    expect(verdict.stdout).toContain(
      'secure       double_mask: the sum of 4 survivors of 5 participants; 1 left, 1 of them after sharing; 4 of them revealed shares, 4 were needed',
    );
    expect(verdict.stdout).toContain('Hidden, so not checked: any single delta');
    const json: unknown = JSON.parse((await verify('dora', '--json')).stdout);
    expect(json).toMatchObject({ rounds: [{ adapter, secure: expect.stringContaining('double_mask') }] });
  });

  it('needs none of the node’s secrets', async () => {
    const listed = await host.list('round/nodes/dora/secure');
    expect(listed.ok && listed.value).toHaveLength(1);
    for (const { name } of listed.ok ? listed.value : []) await host.remove(`round/nodes/dora/secure/${name}`);
    expect((await verify('dora')).code).toBe(0);
  });

  it('finds no result at the node that left', async () => {
    expect(await verify('emil')).toMatchObject({ code: 5, stdout: expect.stringMatching(/^NO RESULT/) });
  });

  it('does not verify with a masked delta that was changed', async () => {
    const [, sha = ''] = /submission +([0-9a-f]{64}) of ben/.exec((await verify('anna')).stdout) ?? [];
    const path = `round/nodes/anna/blobs/${sha}`;
    const bytes = await host.readBytes(path);
    await host.writeFileAtomic(path, bytes.ok ? bytes.value.map((byte, i) => (i === 7 ? byte ^ 1 : byte)) : '');
    expect(await verify('anna')).toMatchObject({ code: 1, stderr: expect.stringContaining('delta_missing') });
  });
});
