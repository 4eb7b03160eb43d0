/** Verdicts as machines read them: everything that was found, under one name each, and all of it JSON. */
import { describe, expect, it } from 'vitest';
import { treeOf } from '../../../src/trace/format/leaves.ts';
import type { Entry, Step, Trace } from '../../../src/trace/format/trace.ts';
import { writeLegacyProof } from '../../../src/trace/legacy/proof.ts';
import { emptyRoot } from '../../../src/merkle/hash.ts';
import { checkLegacyProof } from '../../../src/trace/verify/check-legacy-proof.ts';
import { checkProof } from '../../../src/trace/verify/check-proof.ts';
import { checkConsistency } from '../../../src/trace/verify/check-consistency.ts';
import { makeProof } from '../../../src/trace/verify/make-proof.ts';
import { sourceOf } from '../../../src/trace/verify/source.ts';
import {
  consistencyJson,
  legacyProofJson,
  proofJson,
  replayJson,
  sketchJson,
  unreadableJson,
} from '../../../src/trace/verify/verdict-json.ts';
import type { TraceVerdict } from '../../../src/trace/verify/verify-trace.ts';
import { valueOf } from '../../notes/signers.ts';
import { madeStep, madeTrace, manifest } from './traces.ts';

const zeros = '0'.repeat(64);
const none = Buffer.from(emptyRoot).toString('hex');
const sketch = { ids: [3, 1], logits: [2, 1], logSumExp: 2.5 };
const step: Step = { ...madeStep(0), logitsHash: new Uint8Array(32), sketch };
const gap: Entry = { kind: 'gap', position: 1, count: 2 };
const trace: Trace = { manifest: { ...manifest, sketch: 2 }, entries: [step, gap] };
const tree = treeOf(trace);

/** What JSON keeps of a verdict. */
const kept = (verdict: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(verdict)) as Record<string, unknown>;

describe('the proof of a leaf', () => {
  it.each<[number, object]>([
    [0, { kind: 'manifest', manifest: trace.manifest }],
    [1, { kind: 'step', position: 0, inputToken: 1, outputToken: 2, logitsHash: zeros, sketch }],
    [2, { kind: 'gap', position: 1, count: 2 }],
  ])('of leaf %d shows the leaf and its path', async (index, leaf) => {
    const found = await checkProof(valueOf(makeProof(trace, index, null)), { root: tree.root(), size: 3 });
    const json = kept(proofJson('p', found));
    expect(json).toMatchObject({
      format: 'pv-trace-verdict/1',
      of: 'proof',
      subject: 'p',
      verdict: 'verified',
      headline: expect.stringMatching(/^VERIFIED/),
      standing: 'given root and size',
      covers: found.covers,
      checks: found.checks,
      problems: [],
      signedBy: [],
      unbound: found.unbound,
      leaf,
      claim: { index, size: 3, root: Buffer.from(tree.root()).toString('hex') },
    });
    const { path, leafHash } = json['claim'] as { path: readonly string[]; leafHash: string };
    expect([leafHash, ...path].every((hash) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
    expect(path).toHaveLength(found.claim?.path.length ?? -1);
  });

  it('that cannot be read has neither', async () => {
    expect(kept(proofJson('p', await checkProof('no proof', {})))).toMatchObject({
      verdict: 'failed',
      leaf: null,
      claim: null,
    });
  });
});

describe('the proofs of llama2-rs and of growth', () => {
  it('show what they state', async () => {
    const siblings = [{ hash: emptyRoot, isRight: true }];
    const bytes = writeLegacyProof({ index: 4, leafHash: new Uint8Array(32), siblings, root: emptyRoot });
    expect(kept(legacyProofJson('p', checkLegacyProof(bytes, undefined)))).toMatchObject({
      of: 'legacy-proof',
      verdict: 'failed',
      claim: { index: 4, leafHash: zeros, root: none, path: [none] },
    });
    expect(kept(legacyProofJson('p', checkLegacyProof(Uint8Array.of(), undefined)))['claim']).toBeNull();
    expect(kept(consistencyJson('p', await checkConsistency(Uint8Array.of(), {}, {})))).toMatchObject({
      of: 'consistency',
      verdict: 'failed',
      claim: null,
    });
  });
});

describe('the replay of a trace', () => {
  const whole = madeTrace(3);
  const [size, root] = [4, treeOf(whole).root()];
  const source = sourceOf({ ...whole, size, root, checkpoint: null, complete: true, droppedBytes: 0 });
  const replayed: TraceVerdict['replayed'] = {
    level: 'float band',
    positions: 3,
    compared: 2,
    tokens: { forced: 1, same: 1, near: 1, differs: 0, unknown: 0 },
    difference: { largest: 0.5, mean: 0.25 },
    problems: [],
    failures: 0,
  };
  const found = {
    verdict: 'verified',
    covers: { shown: ['logits'], open: [] },
    checks: [],
    problems: [],
    standing: 'given root',
    signedBy: [],
    unbound: ['something'],
    level: 'float band',
    scope: { steps: 3, gapPositions: 0, engineProfile: 'mine', sampling: null },
    replayed,
  } as unknown as TraceVerdict;

  it('shows its scope, and what was compared', () => {
    const { problems: _, level: __, ...told } = replayed ?? {};
    expect(kept(replayJson('t', found, source, { kind: 'sample', count: 2, seed: 7 }))).toMatchObject({
      of: 'trace',
      subject: 't',
      level: 'float band',
      root: Buffer.from(root).toString('hex'),
      size,
      scope: found.scope,
      challenge: { count: 2, seed: 7 },
      replayed: told,
      unbound: ['something'],
    });
  });

  it('has no challenge if nothing was drawn, and no difference at the exact level', () => {
    const exact = { ...found, replayed: replayed && { ...replayed, difference: null } };
    expect(kept(replayJson('t', exact, source, { kind: 'all' }))).toMatchObject({
      challenge: null,
      replayed: { difference: null },
    });
    expect(kept(replayJson('t', { ...found, replayed: null }, source, { kind: 'all' }))['replayed']).toBeNull();
  });
});

it('a missing file has failed, and says why', () => {
  const problem = { code: 'PV-8083', check: 'kind of file', message: 'This is a picture.' } as const;
  expect(kept(unreadableJson('trace', 't', problem))).toEqual({
    format: 'pv-trace-verdict/1',
    of: 'trace',
    subject: 't',
    headline: 'FAILED',
    verdict: 'failed',
    covers: { shown: [], open: [] },
    standing: 'nothing',
    checks: [],
    problems: [problem],
    signedBy: [],
    unbound: [],
  });
});

it('a sketch is its numbers, or null', () => {
  expect(sketchJson(sketch)).toEqual(sketch);
  expect(sketchJson(null)).toBeNull();
});
