/**
 * Proofs that a trace only grew: held to what is known of both trees, and refused in every way in which they can be wrong.
 *
 * Holds src/trace/format/consistency-file.ts.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { formatConsistency } from '../../../src/trace/format/consistency-file.ts';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import { emptyRoot } from '../../../src/merkle/hash.ts';
import type { ConsistencyProof } from '../../../src/merkle/verify.ts';
import { formatCheckpoint } from '../../../src/notes/checkpoint.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import type { Anchor } from '../../../src/trace/verify/anchor.ts';
import { checkConsistency } from '../../../src/trace/verify/check-consistency.ts';
import { seededSigner, valueOf } from '../../notes/signers.ts';
import { madeTrace } from './traces.ts';

const alice = seededSigner('example.org/alice', 1);
const bob = seededSigner('example.org/bob', 2);
const tree = treeOf(madeTrace(10));
const [size1, size2] = [4, tree.size];
const [smaller, larger] = [
  { size: size1, root: tree.root(size1) },
  { size: size2, root: tree.root() },
];
const proof: ConsistencyProof = {
  size1,
  size2,
  root1: smaller.root,
  root2: larger.root,
  path: tree.consistencyPath(size1, size2),
};

const checked = (from: Anchor, to: Anchor, changes: Partial<ConsistencyProof> = {}) =>
  checkConsistency(new TextEncoder().encode(formatConsistency({ ...proof, ...changes })), from, to);
const signedBy = (head: typeof smaller, ...signers: readonly (typeof alice)[]): Anchor => ({
  checkpoint: valueOf(signTreeHead(head, 'example.org/log', signers, 0)),
  policy: { keys: signers.map(({ key }) => key), threshold: signers.length },
});
const unsigned = (head: typeof smaller): Anchor => ({
  checkpoint: valueOf(formatCheckpoint({ origin: 'example.org/log', ...head, extensions: [] })),
});

describe('a proof that a trace only grew', () => {
  it('is verified where both trees are known, and says what it showed', async () => {
    const found = await checked(smaller, larger);
    expect(found).toMatchObject({
      verdict: 'verified',
      covers: { shown: ['growth from 4 to 11 leaves'], open: [] },
      problems: [],
      standing: 'given root and size',
      signedBy: [],
      unbound: [],
      claim: { size1, size2, root1: bytesToHex(smaller.root), root2: bytesToHex(larger.root) },
    });
    expect(found.checks).toMatchObject([
      { name: 'consistency path', outcome: 'passed', detail: expect.stringMatching(/4 leaves .* of 11, by 2 hashes/) },
      { name: 'smaller tree: root', outcome: 'passed' },
      { name: 'smaller tree: size', outcome: 'passed' },
      { name: 'larger tree: root', outcome: 'passed' },
      { name: 'larger tree: size', outcome: 'passed' },
    ]);
  });

  it.each<[string, Anchor, Anchor, string, string]>([
    ['neither tree is known', {}, {}, 'unanchored', 'nothing'],
    ['the smaller alone is known', smaller, {}, 'unanchored', 'nothing'],
    ['the larger alone is known', {}, larger, 'unanchored', 'nothing'],
    ['their sizes alone are known', { size: size1 }, { size: size2 }, 'unanchored', 'nothing'],
    ['the root of one came without its size', { root: smaller.root }, larger, 'verified', 'given root'],
    ['the root of the other came without its size', smaller, { root: larger.root }, 'verified', 'given root'],
    ['a checkpoint of one is known', unsigned(smaller), larger, 'verified', 'given root and size'],
    ['a checkpoint of the other is signed', smaller, signedBy(larger, alice), 'verified', 'given root and size'],
    ['both have checkpoints', unsigned(smaller), unsigned(larger), 'verified', 'given checkpoint'],
    ['one is signed', signedBy(smaller, alice), unsigned(larger), 'verified', 'given checkpoint'],
    ['both are signed', signedBy(smaller, alice), signedBy(larger, alice), 'verified', 'signatures'],
  ])('is bound as weakly as its weaker tree: %s', async (_, from, to, verdict, standing) => {
    const found = await checked(from, to);
    expect([found.verdict, found.standing, found.problems]).toEqual([verdict, standing, []]);
    const open = [from, to].some(({ root, size, checkpoint }) => !checkpoint && root && size === undefined);
    const shown = open ? 'growth from one root to the other' : 'growth from 4 to 11 leaves';
    const unread = [from, to].some(({ checkpoint, policy }) => checkpoint && !policy);
    const left = open ? ['sizes not bound'] : unread ? ['signatures not checked'] : [];
    expect(found.covers).toEqual(verdict === 'verified' ? { shown: [shown], open: left } : { shown: [], open: [] });
    expect(found.unbound).toEqual(
      open ? ['the sizes: a root alone does not bind them, and only the proof states them'] : [],
    );
  });

  it('is signed by those who signed both trees', async () => {
    const signers = async (from: Anchor, to: Anchor) => (await checked(from, to)).signedBy.map(({ name }) => name);
    expect(await signers(signedBy(smaller, alice, bob), signedBy(larger, bob, alice))).toEqual(
      [bob, alice].map(nameOf),
    );
    expect(await signers(signedBy(smaller, alice), signedBy(larger, alice, bob))).toEqual([nameOf(alice)]);
    expect(await signers(signedBy(smaller, alice), signedBy(larger, bob))).toEqual([]);
    const namesake = seededSigner('example.org/alice', 9);
    expect(await signers(signedBy(smaller, alice), signedBy(larger, namesake))).toEqual([]);
    expect(await signers(signedBy(smaller, alice), larger)).toEqual([]);
  });

  it('says who signed each', async () => {
    const { claim } = await checked(signedBy(smaller, alice), signedBy(larger, bob));
    expect(claim).toMatchObject({ from: 'signatures', to: 'signatures' });
    expect([claim?.fromSignedBy, claim?.toSignedBy]).toMatchObject([
      [{ name: nameOf(alice) }],
      [{ name: nameOf(bob) }],
    ]);
    expect((await checked(smaller, {})).claim).toMatchObject({
      from: 'given root and size',
      to: 'nothing',
      fromSignedBy: [],
      toSignedBy: [],
    });
  });
});

const nameOf = ({ key }: typeof alice): string => key.name;

describe('a wrong proof of growth', () => {
  it.each<[string, Partial<ConsistencyProof>, readonly string[]]>([
    ['a hash is missing', { path: proof.path.slice(1) }, ['consistency path']],
    ['a hash is another', { path: [emptyRoot, ...proof.path.slice(1)] }, ['larger tree']],
    [
      'its sizes are exchanged',
      { size1: size2, size2: size1 },
      ['tree sizes', 'smaller tree: size', 'larger tree: size'],
    ],
    ['the smaller root is another', { root1: emptyRoot }, ['larger tree', 'smaller tree: root']],
    ['the larger root is another', { root2: emptyRoot }, ['larger tree', 'larger tree: root']],
  ])('fails where %s, whatever is known', async (_, changes, checks) => {
    const found = await checked(smaller, larger, changes);
    expect(found).toMatchObject({ verdict: 'failed', covers: { shown: [], open: [] } });
    expect(found.problems.map(({ check }) => check)).toEqual(checks);
    expect((await checked({}, {}, changes)).verdict).toBe('failed');
  });

  it('fails where it is not of the trees that are known', async () => {
    expect(await checked({ root: emptyRoot }, larger)).toMatchObject({
      verdict: 'failed',
      standing: 'nothing',
      problems: [{ code: 'PV-8060', check: 'smaller tree: root' }],
    });
    expect((await checked(smaller, signedBy(smaller, alice))).problems).toMatchObject([
      { code: 'PV-8059', check: 'larger tree: checkpoint size' },
    ]);
  });

  it('fails where it cannot be read, and states nothing', async () => {
    for (const [text, code] of [
      ['{"format":"pv-trace-consistency/1"}', 'PV-8058'],
      ['not a proof', 'PV-8058'],
      ['', 'PV-8083'],
    ] as const) {
      const found = await checkConsistency(new TextEncoder().encode(text), smaller, larger);
      expect(found.problems.map((problem) => problem.code)).toEqual([code]);
      expect(found).toMatchObject({
        verdict: 'failed',
        covers: { shown: [], open: [] },
        standing: 'nothing',
        claim: null,
        signedBy: [],
        unbound: [],
      });
    }
  });
});
