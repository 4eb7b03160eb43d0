/**
 * Proofs of single leaves: made, checked, and refused in every way in which they can be wrong.
 *
 * Holds src/trace/verify/check-proof.ts, src/trace/verify/make-proof.ts.
 */
import { describe, expect, it } from 'vitest';
import { leafBytes, treeOf } from '../../../src/trace/format/leaves.ts';
import type { Trace } from '../../../src/trace/format/trace.ts';
import { emptyRoot, leafHash } from '../../../src/merkle/hash.ts';
import { formatCheckpoint } from '../../../src/notes/checkpoint.ts';
import { formatProof, parseProof, type ProofFile } from '../../../src/notes/proof-file.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import type { Anchor } from '../../../src/trace/verify/anchor.ts';
import { checkProof } from '../../../src/trace/verify/check-proof.ts';
import { makeProof } from '../../../src/trace/verify/make-proof.ts';
import { codeOf, flipped, seededSigner, valueOf } from '../../notes/signers.ts';
import { madeStep, madeTrace, manifest } from './traces.ts';

const alice = seededSigner('example.org/alice', 1);
const bob = seededSigner('example.org/bob', 2);
const witness = seededSigner('example.org/witness', 3, 'cosignature/v1');
const both = { keys: [alice.key, witness.key], threshold: 2 };

const trace = madeTrace(10);
const tree = treeOf(trace);
const head = { size: tree.size, root: tree.root() };
const signed = valueOf(signTreeHead(head, 'example.org/log', [alice, witness], 1_700_000_000));

const proofOf = (index: number, of: Trace = trace, checkpoint: string | null = null): string =>
  valueOf(makeProof(of, index, checkpoint));
/** A proof with some of its parts replaced. */
const edited = (proof: string, edit: (file: ProofFile) => Partial<ProofFile>): string => {
  const file = valueOf(parseProof(proof));
  return formatProof({ ...file, ...edit(file) });
};
const codesOf = async (proof: string, anchor: Anchor): Promise<readonly string[]> => {
  const { verdict, problems } = await checkProof(proof, anchor);
  expect(verdict === 'failed').toBe(problems.length > 0);
  return problems.map(({ code }) => code);
};

describe('a proof of every leaf of every small trace', () => {
  it.each([0, 1, 2, 3, 4, 7, 8, 10])(
    'of %i steps verifies against root and size, and shows the leaf',
    async (steps) => {
      const small = madeTrace(steps);
      const { size, root } = { size: steps + 1, root: treeOf(small).root() };
      for (let index = 0; index < size; index++) {
        const verdict = await checkProof(proofOf(index, small), { root, size });
        expect(verdict).toMatchObject({ verdict: 'verified', standing: 'given root and size', problems: [] });
        const leaf = index === 0 ? { kind: 'manifest', manifest } : madeStep(index - 1);
        expect(verdict.leaf).toEqual(leaf);
        expect(verdict.claim).toMatchObject({ index, size });
      }
    },
  );
});

describe('what the root is taken from', () => {
  it('is nothing where the verifier brings nothing: the verdict is never "verified"', async () => {
    for (const proof of [proofOf(5), proofOf(5, trace, signed)]) {
      const verdict = await checkProof(proof, {});
      expect(verdict).toMatchObject({ verdict: 'unanchored', standing: 'nothing', signedBy: [] });
      expect(verdict.unbound[0]).toContain('only the proof itself states it');
    }
    // A size alone anchors nothing.
    expect((await checkProof(proofOf(5), { size: 11 })).verdict).toBe('unanchored');
  });

  it('is a root, which does not bind the number of leaves, as the verdict says', async () => {
    const verdict = await checkProof(proofOf(5), { root: head.root });
    expect(verdict).toMatchObject({ verdict: 'verified', standing: 'given root' });
    expect(verdict.unbound[0]).toContain('the number of leaves');
    const sized = await checkProof(proofOf(5), head);
    expect(sized.unbound.join()).not.toContain('number of leaves');
  });

  it('is the signatures of trusted keys', async () => {
    const verdict = await checkProof(proofOf(5, trace, signed), { policy: both, origin: 'example.org/log' });
    expect(verdict).toMatchObject({ verdict: 'verified', standing: 'signatures' });
    expect(verdict.signedBy.map(({ name, time }) => [name, time])).toEqual([
      ['example.org/alice', null],
      ['example.org/witness', '1700000000'],
    ]);
  });

  it('is a checkpoint that the verifier got by itself, signed or not', async () => {
    const alone = valueOf(formatCheckpoint({ origin: 'a', ...head, extensions: [] }));
    const given = await checkProof(proofOf(5), { checkpoint: alone });
    expect(given).toMatchObject({ verdict: 'verified', standing: 'given checkpoint', signedBy: [] });
    // The origin of the checkpoint that was looked at, not that of the proof.
    expect(given.claim?.origin).toBe('a');
    const opened = await checkProof(proofOf(5), { checkpoint: signed, policy: both });
    expect(opened).toMatchObject({ verdict: 'verified', standing: 'signatures' });
  });

  it('is an earlier checkpoint of a trace that has grown', async () => {
    const early = valueOf(signTreeHead({ size: 6, root: tree.root(6) }, 'example.org/log', [alice], 0));
    const policy = { keys: [alice.key], threshold: 1 };
    const verdict = await checkProof(proofOf(5, trace, early), { policy });
    expect(verdict).toMatchObject({ verdict: 'verified', claim: { index: 5, size: 6 } });
    expect(codeOf(makeProof(trace, 6, early))).toBe('PV-8068');
  });
});

describe('a wrong proof', () => {
  const proof = proofOf(5);

  it.each<[string, string, string]>([
    ['another index', edited(proof, () => ({ index: 6 })), 'PV-8018'],
    ['an index behind the end', edited(proof, () => ({ index: 11 })), 'PV-8016'],
    ['a hash missing', edited(proof, ({ path }) => ({ path: path.slice(1) })), 'PV-8017'],
    ['its last hash missing', edited(proof, ({ path }) => ({ path: path.slice(0, -1) })), 'PV-8017'],
    ['a hash too many', edited(proof, ({ path }) => ({ path: [...path, emptyRoot] })), 'PV-8017'],
    [
      'two hashes swapped',
      edited(proof, ({ path }) => ({ path: [path[1], path[0], ...path.slice(2)].flatMap((one) => one ?? []) })),
      'PV-8018',
    ],
    ['the leaf of another position', edited(proof, () => ({ extra: leafBytes(trace, 4) })), 'PV-8018'],
    ['no leaf', edited(proof, () => ({ extra: null })), 'PV-8061'],
    ['another size', proof.replace('\n11\n', '\n12\n'), 'PV-8060'],
    ['a malformed checkpoint', proof.replace('\n11\n', '\n011\n'), 'PV-8054'],
    ['another header', proof.replace('@v1', '@v2'), 'PV-8058'],
  ])('with %s is refused', async (_, wrong, code) => {
    expect(await codesOf(proof, head)).toEqual([]);
    expect(await codesOf(wrong, head)).toContain(code);
  });

  it('with any bit of the leaf or of the path changed is refused', async () => {
    const { extra, path } = valueOf(parseProof(proof));
    for (let bit = 0; bit < 8 * (extra?.length ?? 0); bit++) {
      const wrong = edited(proof, () => ({ extra: flipped(extra ?? emptyRoot, bit) }));
      expect(await codesOf(wrong, head), `leaf, bit ${bit}`).toContain('PV-8018');
    }
    for (let bit = 0; bit < 256 * path.length; bit++) {
      const changed = path.map((hash, at) => (at === bit >> 8 ? flipped(hash, bit & 255) : hash));
      expect(
        await codesOf(
          edited(proof, () => ({ path: changed })),
          head,
        ),
        `path, bit ${bit}`,
      ).toContain('PV-8018');
    }
  });

  it('of another root names both in hexadecimal', async () => {
    const { problems, standing } = await checkProof(proof, { root: emptyRoot });
    expect(standing).toBe('nothing');
    expect(problems).toMatchObject([
      {
        code: 'PV-8060',
        check: 'root',
        expected: Buffer.from(emptyRoot).toString('hex'),
        actual: Buffer.from(head.root).toString('hex'),
      },
    ]);
  });

  it('that takes a root of its own for granted is unmasked by the given one', async () => {
    const forged = madeTrace(3);
    const own = proofOf(2, forged);
    expect((await checkProof(own, {})).verdict).toBe('unanchored');
    expect(await codesOf(own, head)).toContain('PV-8060');
    expect(await codesOf(own, { checkpoint: signed, policy: both })).toContain('PV-8059');
  });

  it('that passes an inner node for a leaf is refused', async () => {
    // In the seed's tree the node over leaves 4 and 5 passes for leaf 2 of 6: one level less, and the same root.
    const inner = (prefix: readonly number[]): string =>
      edited(proof, ({ path }) => ({
        index: 2,
        path: path.slice(1),
        extra: Uint8Array.of(...prefix, ...(path[0] ?? []), ...leafHash(leafBytes(trace, 5))),
      })).replace('\n11\n', '\n6\n');
    expect(await codesOf(inner([]), { root: head.root })).toEqual(['PV-8018', 'PV-8037']);
    expect(await codesOf(inner([1]), { root: head.root })).toEqual(['PV-8018', 'PV-8037']);
  });

  it('says which leaf it could be, and what it does not disclose', async () => {
    const last = async (wrong: string) => (await checkProof(wrong, {})).problems.at(-1);
    const odd: Trace = { manifest, entries: [madeStep(7), madeStep(2), madeStep(1)] };
    expect(await last(proofOf(3, odd))).toMatchObject({ check: 'leaf index', expected: '1 to 2', actual: '3' });
    expect(await last(edited(proofOf(3), () => ({ extra: leafBytes(trace, 0) })))).toMatchObject({
      check: 'leaf index',
      expected: '0',
      actual: '3',
    });
    expect(await last(edited(proof, () => ({ extra: null })))).toMatchObject({
      expected: 'extra and the base64 of the leaf',
      actual: 'index 5',
    });
  });

  it('of a manifest elsewhere, or of a step as leaf 0 or too late, is refused', async () => {
    const odd: Trace = { manifest, entries: [madeStep(7), madeStep(0)] };
    const root = treeOf(odd).root();
    expect(await codesOf(proofOf(1, odd), { root })).toEqual([]);
    expect(await codesOf(proofOf(2, odd), { root })).toEqual(['PV-8061']);
    const alone = edited(proofOf(0, madeTrace(0)), () => ({ extra: leafBytes(trace, 1) }));
    expect(await codesOf(alone, {})).toContain('PV-8061');
  });
});

describe('a wrong checkpoint', () => {
  const proof = proofOf(5, trace, signed);

  it('is refused for what is wrong with it', async () => {
    const policy = both;
    expect(await codesOf(proof, { policy })).toEqual([]);
    expect(await codesOf(proof.replace('example.org/log', 'example.org/lag'), { policy })).toEqual(['PV-8055']);
    expect(await codesOf(proof, { policy, origin: 'example.org/other' })).toEqual(['PV-8059']);
    expect(await codesOf(proof, { policy: { keys: [alice.key, bob.key], threshold: 2 } })).toEqual(['PV-8056']);
    expect(await codesOf(proof, { policy: { keys: [bob.key], threshold: 1 } })).toEqual(['PV-8056']);
    expect(await codesOf(proof, { policy: { keys: [alice.key], threshold: 2 } })).toEqual(['PV-8057']);
    expect(await codesOf(proofOf(5), { policy })).toEqual(['PV-8056']);
    expect(await codesOf(proofOf(5), { origin: 'example.org/log' })).toEqual(['PV-8059']);
    expect(await codesOf(proof, { checkpoint: 'nonsense', policy })).toEqual(['PV-8054']);
  });

  it('of another trace is refused when a proof is made and when it is checked', async () => {
    const other = treeOf(madeTrace(9));
    const theirs = valueOf(signTreeHead({ size: other.size, root: other.root() }, 'example.org/log', [alice], 0));
    const policy = { keys: [alice.key], threshold: 1 };
    expect(codeOf(makeProof(madeTrace(3), 1, theirs))).toBe('PV-8059');
    const swapped = valueOf(signTreeHead({ size: 10, root: head.root }, 'example.org/log', [alice], 0));
    expect(codeOf(makeProof(trace, 1, swapped))).toBe('PV-8059');
    const empty = valueOf(formatCheckpoint({ origin: 'a', size: 0, root: emptyRoot, extensions: [] }));
    expect(makeProof(trace, 0, empty)).toMatchObject({ error: { code: 'PV-8059', expected: '1 to 11', actual: '0' } });
    expect(codeOf(makeProof(trace, 0, 'nonsense'))).toBe('PV-8054');
    expect(await codesOf(proofOf(5), { checkpoint: theirs, policy })).toEqual(['PV-8059']);
    const sameSize = valueOf(signTreeHead({ size: 11, root: emptyRoot }, 'example.org/log', [alice], 0));
    expect(await codesOf(proofOf(5), { checkpoint: sameSize, policy })).toEqual(['PV-8059']);
  });

  it('must have a signer', () => {
    expect(codeOf(signTreeHead(head, 'a', [], 0))).toBe('PV-8057');
  });
});

it('names no leaf that is not there', () => {
  for (const index of [-1, 11, 0.5, Number.NaN]) expect(codeOf(makeProof(trace, index, null))).toBe('PV-8068');
});

describe('a proof of a step that was requested', () => {
  it.each<[number, number, string, string]>([
    [5, 4, 'verified', ''],
    [5, 5, 'failed', 'The proof is of the step of position 4, and the step of position 5 is required.'],
    [0, 4, 'failed', 'The proof is of the manifest, and the step of position 4 is required.'],
  ])('of leaf %d is held to position %d: %s', async (index, position, verdict, message) => {
    const found = await checkProof(proofOf(index), head, position);
    expect(found.verdict).toBe(verdict);
    expect(found.problems.map((problem) => problem.message).join()).toBe(message);
    expect(found.checks.find(({ name }) => name === 'position')?.outcome).toBe(
      verdict === 'verified' ? 'passed' : 'failed',
    );
    expect((await checkProof(proofOf(index), head)).checks.map(({ name }) => name)).not.toContain('position');
  });

  it('leaves open what its leaf cannot bind', async () => {
    const replay = 'that the model computes these logits: a replay shows that';
    expect((await checkProof(proofOf(0), head)).unbound).toEqual([replay]);
    expect((await checkProof(proofOf(5), head)).unbound).toEqual([
      expect.stringMatching(/^model, prompt and sampler/),
      replay,
    ]);
    expect(await checkProof('no proof', head)).toMatchObject({ signedBy: [], unbound: [], standing: 'nothing' });
  });
});
