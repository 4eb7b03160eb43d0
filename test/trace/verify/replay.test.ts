/** Replays: honest traces pass at the exact level, and each kind of lie is found and named. */
import { describe, expect, it } from 'vitest';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import type { Entry, Sampler, Step, TraceFile } from '../../../src/trace/format/trace.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { signTreeHead } from '../../../src/notes/tree-head.ts';
import { sourceOf } from '../../../src/trace/verify/source.ts';
import type { TraceVerdict } from '../../../src/trace/verify/verify-trace.ts';
import { modelOf, tokenizerOf } from '../../support/llama-data.ts';
import { flipped, seededSigner, valueOf } from '../../notes/signers.ts';
import { forged, model, otherModel, recorded, tokenizer, topP, verified } from './recorded.ts';

const honest = await recorded();
const promptLength = honest.manifest.prompt.tokens?.length ?? 0;
const stepAt = (trace: TraceFile, position: number): Step => {
  const entry = trace.entries.find((one) => one.kind === 'step' && one.position === position);
  if (entry?.kind !== 'step') throw new Error(`no step ${position}`);
  return entry;
};
/** The trace with the step at `position` edited, and a fitting root. */
const withStep = (trace: TraceFile, position: number, edit: Partial<Step>): TraceFile =>
  forged(trace, {
    entries: trace.entries.map((entry): Entry =>
      entry.position === position && entry.kind === 'step' ? { ...entry, ...edit } : entry,
    ),
  });
const first = ({ problems }: TraceVerdict) => problems[0];

describe('an honest trace', () => {
  it('is verified bit for bit, with its scope', async () => {
    const verdict = await verified(honest);
    expect(verdict.problems).toEqual([]);
    expect(verdict).toMatchObject({
      verdict: 'verified',
      level: 'exact',
      standing: 'given root and size',
      unbound: [],
      scope: { steps: 24, gapPositions: 0, engineProfile: 'f32-strict/1', traceProfile: 'f32-strict/1' },
      replayed: { positions: 24, compared: 24, failures: 0, difference: null },
    });
    expect(verdict.scope.positions).toHaveLength(24);
    expect(verdict.replayed?.tokens).toEqual({
      forced: promptLength - 1,
      same: 24 - promptLength + 1,
      near: 0,
      differs: 0,
      unknown: 0,
    });
  });

  it.each([
    ['greedy', { kind: 'greedy' }],
    ['without top-p', { ...topP, topP: 1 }],
    ['by llama2.c’s generator', { ...topP, generator: 'xorshift64star/1' }],
    ['hot', { ...topP, temperature: 1.7, seed: '18446744073709551615' }],
  ] as const)('sampled %s is verified', async (_, sampler) => {
    expect(await verified(await recorded({ manifest: { sampler } }))).toMatchObject({ verdict: 'verified' });
  });

  it('of one step is verified, and says what it leaves open', async () => {
    const verdict = await verified(await recorded({ steps: 1 }), { anchor: {}, require: ['logits'] });
    expect(verdict).toMatchObject({ verdict: 'verified', standing: 'nothing', replayed: { compared: 1 } });
    expect(verdict.unbound).toEqual(['who vouches for the root: only the trace itself states it']);
  });

  it('costs one replay, up to the last position that is requested', async () => {
    const engine = createStrictEngine(model);
    let fed = 0;
    const counting = {
      ...engine,
      forward: (token: number, position: number) => (fed++, engine.forward(token, position)),
    };
    const verdict = await verified(honest, { engine: counting, which: { kind: 'position', position: 11 } });
    expect(verdict).toMatchObject({
      verdict: 'verified',
      scope: { positions: [11], steps: 24 },
      replayed: { compared: 1 },
    });
    expect(fed).toBe(12);
    expect(verdict.checks.find(({ name }) => name === 'tree')?.detail).toContain('1 path verified');
  });

  it('with gaps is verified where it was recorded: prompts are known, and what the sampler chose is chosen again', async () => {
    const gaps = await recorded({
      unseen: (position) => position < promptLength - 1 || position === 15 || position === 16,
    });
    const verdict = await verified(gaps);
    expect(verdict.problems).toEqual([]);
    expect(verdict).toMatchObject({
      verdict: 'verified',
      scope: { gapPositions: promptLength + 1 },
      covers: { open: expect.arrayContaining([`${promptLength + 1} positions not recorded`]) },
      replayed: { positions: 24 },
    });
  });

  it('with a root alone leaves its size open, and without a prompt no text of it', async () => {
    const verdict = await verified(honest, { anchor: { root: honest.root } });
    expect(verdict).toMatchObject({ verdict: 'verified', standing: 'given root' });
    expect(verdict.unbound).toEqual([expect.stringContaining('the number of leaves')]);
    const manifest = { ...honest.manifest, prompt: { tokens: null, text: null } };
    const silent = await verified(forged(honest, { manifest }), { require: ['logits'] });
    expect(silent.unbound).toEqual([expect.stringContaining('the sampler cannot be run again')]);
  });

  it('names its root in a sentence, whatever its size', () => {
    const hex = Buffer.from(honest.root).toString('hex');
    expect(sourceOf(honest).checkTree([])).toMatchObject({ value: `25 leaves have the root ${hex}.` });
    const empty = forged(honest, { entries: [] });
    const own = Buffer.from(empty.root).toString('hex');
    expect(sourceOf(empty).checkTree([])).toMatchObject({ value: `1 leaf has the root ${own}.` });
  });

  it('may have one gap after the other, which are one gap', async () => {
    const gaps = await recorded({ unseen: (position) => position === 15 || position === 16 });
    const entries = gaps.entries.flatMap((entry): readonly Entry[] =>
      entry.kind === 'gap' ? [15, 16].map((position) => ({ kind: 'gap', position, count: 1 })) : [entry],
    );
    const [whole, parts] = [await verified(gaps), await verified(forged(gaps, { entries }))];
    expect(parts.problems).toEqual([]);
    expect(parts.replayed).toEqual(whole.replayed);
  });

  it('signed by trusted keys is verified with their names', async () => {
    const alice = seededSigner('example.org/alice', 1);
    const checkpoint = valueOf(signTreeHead(honest, 'example.org/log', [alice], 0));
    const anchor = { checkpoint, policy: { keys: [alice.key], threshold: 1 } };
    expect(await verified(honest, { anchor })).toMatchObject({
      verdict: 'verified',
      standing: 'signatures',
      signedBy: [{ name: 'example.org/alice' }],
    });
    const bob = seededSigner('example.org/bob', 2);
    const wrong = await verified(honest, { anchor: { checkpoint, policy: { keys: [bob.key], threshold: 1 } } });
    expect(first(wrong)).toMatchObject({ code: 'PV-8056' });
    expect(wrong.verdict).toBe('failed');
  });
});

describe('a lie', () => {
  it.each([0, 1, 7, 12, 23])('in a logits hash at position %i is found there and nowhere else', async (position) => {
    for (const bit of [0, 77, 255]) {
      const wrong = withStep(honest, position, { logitsHash: flipped(stepAt(honest, position).logitsHash, bit) });
      const verdict = await verified(wrong);
      expect(verdict).toMatchObject({ verdict: 'failed', replayed: { failures: 1, compared: 24 } });
      const hex = Buffer.from(stepAt(honest, position).logitsHash).toString('hex');
      expect(verdict.problems).toMatchObject([{ code: 'PV-8064', position, actual: hex }]);
    }
  });

  it('at another position than the requested one is not seen, as the scope says', async () => {
    const wrong = withStep(honest, 12, { logitsHash: flipped(stepAt(honest, 12).logitsHash, 3) });
    const verdict = await verified(wrong, { which: { kind: 'position', position: 20 } });
    expect(verdict).toMatchObject({ verdict: 'verified', scope: { positions: [20] } });
    expect((await verified(wrong, { which: { kind: 'position', position: 12 } })).verdict).toBe('failed');
  });

  it('in a token is found at any position', async () => {
    for (const position of [9, 15, 22]) {
      const { outputToken } = stepAt(honest, position);
      const other = ((outputToken ?? 0) + 1) % model.config.vocabSize;
      const chained = withStep(withStep(honest, position, { outputToken: other }), position + 1, { inputToken: other });
      const verdict = await verified(chained);
      const code = position + 1 < promptLength ? 'PV-8063' : 'PV-8065';
      expect(first(verdict), `position ${position}`).toMatchObject({
        code,
        position,
        expected: String(outputToken),
        actual: String(other),
      });
    }
    const start = await verified(withStep(honest, 0, { inputToken: 2 }));
    expect(first(start)).toMatchObject({ code: 'PV-8063', position: 0, check: 'input token' });
    expect((await verified(withStep(honest, 23, { outputToken: 300 }))).problems).toMatchObject([
      { code: 'PV-8065', position: 23 },
    ]);
  });

  it('in a token before the position that is requested is found too', async () => {
    const other = ((stepAt(honest, 15).outputToken ?? 0) + 1) % model.config.vocabSize;
    const chained = withStep(withStep(honest, 15, { outputToken: other }), 16, { inputToken: other });
    const verdict = await verified(chained, { which: { kind: 'position', position: 20 } });
    expect(first(verdict)).toMatchObject({ code: 'PV-8065', position: 15 });
  });

  it('about the seed, the temperature or the sampler is found at the first token that it changes', async () => {
    const drawn = { ...topP, temperature: 2 };
    const varied = await recorded({ steps: 80, manifest: { sampler: drawn } });
    expect((await verified(varied)).verdict).toBe('verified');
    const lies: readonly Sampler[] = [
      { ...drawn, seed: '43' },
      { ...drawn, temperature: 3 },
      { ...drawn, topP: 0.1 },
      { ...drawn, generator: 'xorshift64star/1' },
      { kind: 'greedy' },
    ];
    for (const sampler of lies) {
      const verdict = await verified(forged(varied, { manifest: { ...varied.manifest, sampler } }));
      expect(verdict.verdict).toBe('failed');
      expect(first(verdict)).toMatchObject({
        code: 'PV-8065',
        check: 'output token',
        message: expect.stringContaining('the recorded sampler chooses'),
      });
      expect(first(verdict)?.position).toBeGreaterThanOrEqual(promptLength - 1);
    }
    const impossible = await verified(
      forged(honest, { manifest: { ...honest.manifest, sampler: { ...topP, seed: '-1' } } }),
    );
    expect(first(impossible)).toMatchObject({ code: 'PV-8014' });
  });

  it('about the prompt is found by its tokens, and about its text by the tokenizer', async () => {
    const { prompt } = honest.manifest;
    const tokens = (prompt.tokens ?? []).with(3, 300);
    const manifest = { ...honest.manifest, prompt: { tokens, text: null } };
    expect(first(await verified(forged(honest, { manifest })))).toMatchObject({ code: 'PV-8063', position: 2 });
    const retold = { ...honest.manifest, prompt: { ...prompt, text: 'Once upon a dime' } };
    const verdict = await verified(forged(honest, { manifest: retold }));
    expect(first(verdict)).toMatchObject({ code: 'PV-8063', check: 'prompt' });
    const shorter = { ...honest.manifest, prompt: { ...prompt, text: 'Once' } };
    expect(first(await verified(forged(honest, { manifest: shorter })))).toMatchObject({
      code: 'PV-8063',
      actual: 'no token',
    });
  });

  it('in the prompt is found where the token follows, and nowhere else', async () => {
    const tokens = (honest.manifest.prompt.tokens ?? []).map((token, i) => (i === 3 ? token + 1 : token));
    const manifest = { ...honest.manifest, prompt: { tokens, text: null } };
    const { problems, replayed } = await verified(forged(honest, { manifest }));
    expect(problems).toMatchObject([{ code: 'PV-8063', check: 'output token', position: 2 }]);
    expect(replayed).toMatchObject({ failures: 1 });
  });

  it('that the root does not cover is found before any replay', async () => {
    const { entries } = honest;
    const swapped = [
      ...entries.slice(0, 5),
      ...[entries[6], entries[5]].flatMap((one) => one ?? []),
      ...entries.slice(7),
    ];
    for (const wrong of [entries.slice(0, -1), entries.slice(1), swapped, [...entries, ...entries.slice(-1)]]) {
      const verdict = await verified({ ...honest, entries: wrong });
      expect(verdict).toMatchObject({ verdict: 'failed', replayed: null });
      expect(first(verdict)).toMatchObject({ code: 'PV-8018', check: 'root' });
    }
    const forgedRoot = forged(honest, { entries: entries.slice(0, -1) });
    const verdict = await verified(forgedRoot, { anchor: { root: honest.root, size: honest.size } });
    expect(verdict.problems.map(({ code }) => code)).toEqual(['PV-8060', 'PV-8060']);
  });
});

describe('other files', () => {
  it('are recognised by their digests, before any replay', async () => {
    const verdict = await verified(honest, { of: otherModel });
    expect(verdict).toMatchObject({ verdict: 'failed', replayed: null });
    expect(first(verdict)).toMatchObject({
      code: 'PV-8062',
      check: 'model',
      expected: model.digest,
      actual: otherModel.digest,
    });
    const bytes = tinyModel(7).tokenizer;
    const renamed = tokenizerOf(flipped(bytes, 8 * 5), model.config.vocabSize);
    const files = { modelDigest: model.digest, config: model.config, tokenizer: renamed };
    expect(first(await verified(honest, { files }))).toMatchObject({ code: 'PV-8062', check: 'tokenizer' });
  });

  it('are recognised by what they compute if the trace names no digest', async () => {
    const manifest = { ...honest.manifest, model: { name: 'x', digest: null }, config: null };
    const verdict = await verified(forged(honest, { manifest }), { of: otherModel });
    expect(first(verdict)).toMatchObject({ code: 'PV-8064', position: 0 });
    expect(verdict.replayed).toMatchObject({ compared: 24, failures: 24 });
    expect(verdict.problems).toHaveLength(10);
    expect((await verified(forged(honest, { manifest }))).verdict).toBe('verified');
  });

  it('of other sizes are recognised by configuration and vocabulary', async () => {
    const small = modelOf(tinyModel(7, { config: { sequenceLength: 16 } }).checkpoint);
    const manifest = { ...honest.manifest, model: { name: 'x', digest: null } };
    expect(first(await verified(forged(honest, { manifest }), { of: small }))).toMatchObject({
      code: 'PV-8062',
      check: 'model configuration',
    });
    const unsaid = { ...manifest, config: null };
    const verdict = await verified(forged(honest, { manifest: unsaid }), { of: small });
    expect(first(verdict)).toMatchObject({ code: 'PV-8012', position: 16 });
    const vocabulary = forged(honest, { manifest: { ...unsaid, vocabSize: 5 } });
    expect(first(await verified(vocabulary))).toMatchObject({ code: 'PV-8062', check: 'vocabulary' });
  });

  it('need no tokenizer: token ids are what is replayed', async () => {
    const files = { modelDigest: model.digest, config: model.config, tokenizer: null };
    const verdict = await verified(honest, { files });
    expect(verdict.verdict).toBe('verified');
    expect(verdict.checks).toContainEqual(expect.objectContaining({ name: 'tokenizer', outcome: 'not checked' }));
    expect(tokenizer.digest).not.toBe('');
  });
});

describe('what cannot be decided', () => {
  it.each([24, 1000, -1, 0.5])('is a position that the trace does not hold: %d', async (position) => {
    const verdict = await verified(honest, { which: { kind: 'position', position } });
    expect(verdict).toMatchObject({ verdict: 'undetermined', replayed: null, scope: { positions: [] } });
    expect(first(verdict)).toMatchObject({ code: 'PV-8068', actual: String(position), expected: '0 to 23' });
  });

  it('is a position in a gap, and a trace without steps', async () => {
    const gaps = await recorded({ unseen: (position) => position < 4 });
    expect(first(await verified(gaps, { which: { kind: 'position', position: 2 } }))).toMatchObject({
      code: 'PV-8068',
    });
    const empty = forged(honest, { entries: [] });
    expect(await verified(empty)).toMatchObject({ verdict: 'undetermined', problems: [{ code: 'PV-8068' }] });
  });

  it('is a step behind a gap that the sampler cannot bridge', async () => {
    const sampler = { kind: 'other', description: 'beam search' } as const;
    const gaps = await recorded({ unseen: (position) => position === 15 || position === 16 });
    const verdict = await verified(forged(gaps, { manifest: { ...gaps.manifest, sampler } }));
    expect(verdict.verdict).toBe('undetermined');
    expect(first(verdict)).toMatchObject({ code: 'PV-8068', check: 'gap', position: 16 });
  });

  it('is how another sampler chose, while logits are compared', async () => {
    const sampler = { kind: 'other', description: 'beam search' } as const;
    const trace = forged(honest, { manifest: { ...honest.manifest, sampler } });
    const verdict = await verified(trace, { require: ['logits'] });
    expect(verdict).toMatchObject({
      verdict: 'verified',
      replayed: { tokens: { same: 0, unknown: 24 - promptLength + 1 } },
    });
    expect(verdict.unbound).toEqual([expect.stringContaining('the sampler cannot be run again')]);
  });

  it('is the exact level under another numeric profile, unless it is requested', async () => {
    const foreign = forged(honest, { manifest: { ...honest.manifest, profile: 'other/1' } });
    const verdict = await verified(foreign);
    expect(verdict).toMatchObject({
      verdict: 'undetermined',
      level: null,
      replayed: null,
      problems: [{ code: 'PV-8067' }],
    });
    expect(await verified(foreign, { level: 'exact' })).toMatchObject({ verdict: 'verified', level: 'exact' });
    expect(await verified(honest, { level: 'float band' })).toMatchObject({
      verdict: 'undetermined',
      problems: [{ code: 'PV-8067' }],
    });
  });
});

describe('a gap', () => {
  it('that ends with another token than the sampler chooses is found', async () => {
    const gaps = await recorded({ unseen: (position) => position === 15 || position === 16 });
    const other = (stepAt(gaps, 17).inputToken + 1) % model.config.vocabSize;
    const verdict = await verified(withStep(gaps, 17, { inputToken: other }));
    expect(first(verdict)).toMatchObject({ code: 'PV-8065', position: 16, actual: String(other) });
  });

  it('of billions of positions ends where the model does', async () => {
    const manifest = { ...honest.manifest, steps: null };
    const entries: Entry[] = [...honest.entries, { kind: 'gap', position: 24, count: 4_000_000_000 }];
    expect(await verified(forged(honest, { entries, manifest }))).toMatchObject({
      verdict: 'undetermined',
      replayed: { failures: 0 },
      problems: [{ code: 'PV-8085' }],
    });
    const behind: Entry[] = [...entries, { ...stepAt(honest, 23), position: 4_000_000_024 }];
    const verdict = await verified(forged(honest, { entries: behind, manifest }));
    expect(first(verdict)).toMatchObject({ code: 'PV-8012', check: 'position', position: 256 });
  });
});

describe('a random challenge', () => {
  const sample = (count: number, seed: number) => verified(honest, { which: { kind: 'sample', count, seed } });

  it('compares as many steps as it says, the same ones for the same seed', async () => {
    const one = await sample(6, 1);
    expect(one).toMatchObject({ verdict: 'verified', replayed: { compared: 6 } });
    expect(new Set(one.scope.positions).size).toBe(6);
    expect((await sample(6, 1)).scope.positions).toEqual(one.scope.positions);
    expect((await sample(6, 2)).scope.positions).not.toEqual(one.scope.positions);
    expect((await sample(1000, 1)).scope.positions).toHaveLength(24);
  });

  it('looks everywhere, given time', async () => {
    const seen = new Set<number>();
    for (let seed = 0; seed < 40; seed++)
      for (const position of (await sample(3, seed)).scope.positions) seen.add(position);
    expect(seen.size).toBe(24);
  });

  it.each([0, -1, 1.5])('of %d steps is refused', async (count) => {
    expect(first(await sample(count, 1))).toMatchObject({ code: 'PV-8069' });
  });
});
