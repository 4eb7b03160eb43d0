/**
 * Holds src/cli/trace/anchor-flags.ts, src/cli/trace/consistency-prove.ts, src/cli/trace/consistency-verify.ts,
 * src/cli/trace/sign.ts, src/cli/trace/signing.ts.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { MemoryHost } from '../../../src/host/memory-host.ts';
import { put, pvTrace, recorded, rootIn, textAt } from './recorded.ts';

let host: MemoryHost;
let early = '';
let late = '';

beforeAll(async () => {
  const made = await recorded();
  host = made.host;
  late = rootIn(made.ran.stderr);
  await pvTrace(host, 'consistency', 'prove', 'run.trace', '--from', '5', '--out', 'grown.proof');
  early = JSON.parse(textAt(host, 'grown.proof')).root1;
});

const verify = (...argv: readonly string[]) => pvTrace(host, 'consistency', 'verify', ...argv);

describe('pv trace consistency', () => {
  it('shows anyone with both roots that a trace only grew', async () => {
    const ran = await verify('grown.proof', '--from-root', early, '--to-root', late);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('grown.proof: ✓ VERIFIED (growth from one root to the other; sizes not bound)\n');
    expect(ran.stdout).toContain(`from       5 leaves, root ${early}`);
    expect(ran.stdout).toContain(`to         13 leaves, root ${late}`);
    // Both trees have a root: the check says which was looked at.
    expect(ran.stdout).toMatch(/✓ smaller tree: root +It is the given one, /);
    expect(ran.stdout).toMatch(/✓ larger tree: root +It is the given one, /);
  });

  it('proves it from any size to any later one', async () => {
    for (const [from, to] of [
      [1, 13],
      [12, 13],
      [13, 13],
      [3, 8],
    ]) {
      const made = await pvTrace(host, 'consistency', 'prove', 'run.trace', '--from', `${from}`, '--to', `${to}`);
      put(host, 'x.proof', new TextEncoder().encode(made.stdout));
      const { root1, root2 } = JSON.parse(made.stdout);
      expect((await verify('x.proof', '--from-root', root1, '--to-root', root2)).code).toBe(0);
    }
  });

  it('verifies nothing without both roots, or with others', async () => {
    for (const known of [[], ['--from-root', early], ['--to-root', late]]) {
      const ran = await verify('grown.proof', ...known);
      expect(ran.code).toBe(5);
      expect(ran.stdout).toContain('? UNANCHORED');
      expect(ran.stdout).toMatch(/self-declared; give --(from|to)-root or --\1-checkpoint/);
    }
    const swapped = await verify('grown.proof', '--from-root', late, '--to-root', early);
    expect(swapped.code).toBe(1);
    expect(swapped.stdout).toContain('✗ FAILED');
  });

  it('takes checkpoints, and demands their signatures', async () => {
    await pvTrace(host, 'keygen', 'alice');
    await pvTrace(host, 'keygen', 'bob');
    await pvTrace(host, 'sign', 'run.trace', '--key', 'alice.key', '-o', 'new.checkpoint');
    const by = (key: string) =>
      verify('grown.proof', '--from-root', early, '--to-checkpoint', 'new.checkpoint', '--key', key);
    // The smaller tree has no checkpoint that could be signed.
    expect((await by('alice.pub')).code).toBe(1);
    const mixed = await verify('grown.proof', '--from-root', early, '--to-checkpoint', 'new.checkpoint', '--json');
    expect(mixed.code).toBe(0);
    // As weak as the weaker of the two.
    expect(JSON.parse(mixed.stdout)).toMatchObject({ standing: 'given root' });
    expect((await by('bob.pub')).code).toBe(1);
  });

  it('names who signed both trees, and who signed each', async () => {
    for (const name of ['early', 'late']) {
      await pvTrace(host, 'keygen', name);
      const signers = ['--key', 'alice.key', '--key', `${name}.key`];
      await pvTrace(host, 'sign', 'run.trace', ...signers, '--origin', 'one', '--out', `${name}.checkpoint`);
    }
    await pvTrace(host, 'consistency', 'prove', 'run.trace', '--from', '13', '--out', 'same.proof');
    const keys = ['alice', 'early', 'late'].flatMap((name) => ['--key', `${name}.pub`]);
    const both = ['--from-checkpoint', 'early.checkpoint', '--to-checkpoint', 'late.checkpoint'];
    const ran = await verify('same.proof', ...both, ...keys, '--threshold', '2', '--json');
    const names = (of: readonly { readonly name: string }[]): readonly string[] => of.map(({ name }) => name);
    const { verdict, signedBy, claim } = JSON.parse(ran.stdout);
    expect([verdict, names(signedBy)]).toEqual(['verified', ['alice']]);
    expect([names(claim.fromSignedBy), names(claim.toSignedBy)]).toEqual([
      ['alice', 'early'],
      ['alice', 'late'],
    ]);
  });

  it('refuses a proof with any byte changed, and says that roots alone bind no sizes', async () => {
    const roots = ['--from-root', early, '--to-root', late];
    expect((await verify('grown.proof', ...roots)).stdout).toContain('not shown  the sizes');
    const known = [...roots, '--from-size', '5', '--to-size', '13'];
    const sound = await verify('grown.proof', ...known);
    expect(sound.code).toBe(0);
    expect(sound.stdout).toContain('✓ VERIFIED (growth from 5 to 13 leaves)\n');
    expect(sound.stdout).not.toContain('not shown');
    const text = textAt(host, 'grown.proof');
    put(host, 'twice.proof', new TextEncoder().encode(text.replace('"size1"', '"size1": 4, "size1"')));
    expect((await verify('twice.proof', ...known)).stdout).toContain('proof.size1 is repeated');
    let refused = 0;
    for (let at = 0; at < text.length; at += 3) {
      const changed = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
      put(host, 'changed.proof', new TextEncoder().encode(changed));
      expect((await verify('changed.proof', ...known)).code, `byte ${at}`).toBe(1);
      refused++;
    }
    expect(refused).toBeGreaterThan(100);
  });

  it('says the same to machines', async () => {
    const ran = await verify('grown.proof', '--from-root', early, '--to-root', late, '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      of: 'consistency',
      verdict: 'verified',
      claim: { size1: 5, size2: 13, root1: early, root2: late, from: 'given root', to: 'given root' },
    });
  });

  it.each([
    [['prove', 'run.trace'], 2],
    [['prove', 'run.trace', '--from', '0'], 2],
    [['prove', 'run.trace', '--from', '14'], 1],
    [['prove', 'run.trace', '--from', '8', '--to', '3'], 1],
    [['prove', 'no.trace', '--from', '1'], 2],
    [['prove', 'tiny-model.bin', '--from', '1'], 1],
    [['verify', 'run.trace', '--from-root', 'a'.repeat(64)], 1],
    [['verify', 'no.proof'], 2],
    [['verify', 'grown.proof', '--from-root', 'a'], 2],
    [['grow'], 2],
  ])('%j exits with %i', async (argv, code) => {
    expect((await pvTrace(host, 'consistency', ...argv)).code).toBe(code);
  });
});
