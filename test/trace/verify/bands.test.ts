/** Bands: what differs by arithmetic passes, what differs by its model does not, and no band passes for the exact level. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDoubleEngine } from '../../../bench/trace-levels/double-engine.ts';
import { quantised, toFloat16, withBfloat16 } from '../../../bench/trace-levels/edited-models.ts';
import { createCoin } from '../../../src/trace/engine/coin.ts';
import { createSampler } from '../../../src/trace/engine/sampler.ts';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import type { Entry, Sketch } from '../../../src/trace/format/trace.ts';
import { logSumExp as logSumExpOf } from '../../../src/trace/record/log-sum-exp.ts';
import { takeSketch } from '../../../src/trace/record/sketch.ts';
import { sketchDifference } from '../../../src/trace/verify/compare-logits.ts';
import { chooseLevel, levels } from '../../../src/trace/verify/level.ts';
import { couldBeDrawn, couldBeLargest } from '../../../src/trace/verify/token-margin.ts';
import type { TraceVerdict } from '../../../src/trace/verify/verify-trace.ts';
import { codeOf, valueOf } from '../../notes/signers.ts';
import { forged, model, promptText, recorded, tokenizer, topP, verified } from './recorded.ts';

const sketch = 8;
/** Keeps the model's name: what a trace claims is what is to be found out. */
const claimed = { manifest: { sketch, model: { name: 'tiny.bin', digest: model.digest } } };

describe('a trace of another engine', () => {
  it('with another order of sums is within the float band, and not exact', async () => {
    const trace = await recorded({ engine: createDoubleEngine(model, Math.fround), steps: 40, ...claimed });
    const band = await verified(trace, { level: 'float band' });
    expect(band.problems).toEqual([]);
    expect(band).toMatchObject({ verdict: 'verified', level: 'float band' });
    const { largest, mean } = band.replayed?.difference ?? { largest: 0, mean: 0 };
    expect(largest).toBeGreaterThan(0);
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThan(largest);
    const each = await Promise.all(
      Array.from({ length: 40 }, (_, position) =>
        verified(trace, { level: 'float band', which: { kind: 'position', position } }),
      ),
    );
    expect(largest).toBe(Math.max(...each.map(({ replayed }) => replayed?.difference?.largest ?? 0)));
    expect(await verified(trace, { level: 'engine band' })).toMatchObject({
      verdict: 'verified',
      level: 'engine band',
    });
    const exact = await verified(trace, { level: 'exact' });
    expect(exact).toMatchObject({
      verdict: 'failed',
      level: 'exact',
      problems: expect.arrayContaining([expect.objectContaining({ code: 'PV-8064' })]),
    });
    expect(exact.problems[0]?.message).toContain('within the float band');
  });

  it('is never taken for verified unless a level is requested', async () => {
    const trace = await recorded({ engine: createDoubleEngine(model, Math.fround), ...claimed });
    expect(await verified(trace)).toMatchObject({
      verdict: 'undetermined',
      level: null,
      problems: [{ code: 'PV-8067' }],
    });
    expect(await verified(await recorded(), { level: 'float band' })).toMatchObject({
      verdict: 'undetermined',
      problems: [{ code: 'PV-8067', expected: 'a sketch of 1 or more', actual: 'none' }],
    });
  });

  it('with a cache in float16 is outside of the float band', async () => {
    const trace = await recorded({ engine: createDoubleEngine(model, toFloat16), steps: 40, ...claimed });
    const verdict = await verified(trace, { level: 'float band' });
    expect(verdict).toMatchObject({ verdict: 'failed' });
    expect(verdict.problems[0]).toMatchObject({ code: 'PV-8066', check: 'float band', expected: 'at most 0.001' });
  });

  it.each([
    ['bfloat16', withBfloat16(model)],
    ['int8', quantised(model, 8)],
    ['int4', quantised(model, 4)],
  ])('with weights in %s is refused at every level', async (_, coarse) => {
    const trace = await recorded({ engine: createStrictEngine(coarse), steps: 40, ...claimed });
    for (const level of levels) expect((await verified(trace, { level })).verdict, level).toBe('failed');
  });
});

describe('a band that the recorder made weak', () => {
  const coarse = { ...claimed.manifest, profile: 'another/1', sampler: { kind: 'greedy' } } as const;
  const logits = { level: 'engine band', require: ['logits'] } as const;

  it.each([
    ['keeps one logit of each step', 1, 40, ['exact']],
    ['keeps three', 3, 40, ['exact']],
    ['keeps four', 4, 40, ['exact', 'float band']],
    ['keeps seven', 7, 40, ['exact', 'float band']],
    ['keeps eight', 8, 40, levels],
    ['has seven steps', 8, 7, ['exact']],
    ['has eight', 8, 8, levels],
  ])('%s', async (_, k, steps, expected) => {
    const trace = await recorded({ steps, manifest: { ...coarse, sketch: k } });
    const verdicts: TraceVerdict[] = [];
    for (const level of levels) verdicts.push(await verified(trace, { ...logits, level }));
    expect(levels.filter((_level, i) => verdicts[i]?.verdict === 'verified')).toEqual(expected);
    for (const { verdict, problems } of verdicts) {
      if (verdict === 'verified') continue;
      expect([verdict, problems]).toMatchObject(['undetermined', [{ code: 'PV-8093', check: 'level' }]]);
    }
    // If every bit is compared, the size of the sketch does not matter.
    const own = forged(trace, { manifest: { ...trace.manifest, profile: 'f32-strict/1' } });
    for (const level of levels) expect((await verified(own, { ...logits, level })).verdict).toBe('verified');
  });

  it('would let bfloat16 weights pass, which its minimum size does not', async () => {
    const engine = createStrictEngine(withBfloat16(model));
    const lie = await recorded({ engine, steps: 40, manifest: coarse });
    expect((await verified(lie, logits)).verdict).toBe('failed');
    const weak = await recorded({ engine, steps: 40, manifest: { ...coarse, sketch: 1 } });
    expect((await verified(weak, logits)).verdict).toBe('undetermined');
  });

  it('compares fewer steps if fewer are requested', async () => {
    const trace = await recorded({ manifest: coarse });
    const some = async (count: number) =>
      (await verified(trace, { ...logits, which: { kind: 'sample', count, seed: 3 } })).verdict;
    expect([await some(7), await some(8)]).toEqual(['undetermined', 'verified']);
  });

  it('leaves out more steps after its prompt than it keeps', async () => {
    const least = tokenizer.encode(promptText).length;
    const keeps =
      (nth: number) =>
      (position: number): boolean =>
        position >= least && position % nth !== 0;
    for (const [nth, expected] of [
      [2, 'verified'],
      [4, 'undetermined'],
    ] as const) {
      const trace = await recorded({ steps: 80, manifest: coarse, unseen: keeps(nth) });
      expect((await verified(trace, logits)).verdict, String(nth)).toBe(expected);
    }
    const cut = await recorded({ steps: 10, manifest: coarse });
    const hidden = forged(cut, {
      manifest: { ...cut.manifest, prompt: { tokens: null, text: null }, steps: null },
      entries: [...cut.entries, { kind: 'gap', position: 10, count: 11 }],
    });
    expect((await verified(hidden, { ...logits, incomplete: true })).problems.map(({ code }) => code)).toEqual([
      'PV-8093',
    ]);
    // A prefill, whose logits are not available, does not count.
    const long = await recorded({
      steps: least + 7,
      manifest: coarse,
      unseen: (position) => position < least - 1,
    });
    expect((await verified(long, logits)).problems).toEqual([]);
    const prefill = await recorded({ steps: 24, manifest: coarse, unseen: (position) => position < least - 1 });
    expect((await verified(prefill, logits)).verdict).toBe('verified');
  });

  it('keeps all logits of a vocabulary that has no more', () => {
    const tiny = { profile: 'other/1', sketch: 3, vocabSize: 3 };
    expect(valueOf(chooseLevel('engine band', tiny, 'f32-strict/1'))).toBe('engine band');
    expect(codeOf(chooseLevel('engine band', { ...tiny, vocabSize: null }, 'f32-strict/1'))).toBe('PV-8093');
  });

  it('does not apply with the verifier’s own profile: other hashes fail at every level', async () => {
    const honest = await recorded({ ...claimed });
    for (const level of levels) {
      expect((await verified(honest, { level })).verdict).toBe('verified');
      const entries = honest.entries.map((one): Entry =>
        one.kind === 'step' && one.position === 9 ? { ...one, logitsHash: new Uint8Array(32) } : one,
      );
      const other = await verified(forged(honest, { entries }), { level });
      expect(other).toMatchObject({ verdict: 'failed', problems: [{ code: 'PV-8064', position: 9 }] });
      const engine = createDoubleEngine(model, Math.fround);
      const lie = await recorded({ engine, steps: 40, manifest: { ...claimed.manifest, profile: 'f32-strict/1' } });
      const found = await verified(lie, { level });
      // Where a hash is another, the band of its logits is not looked at.
      expect(found).toMatchObject({
        verdict: 'failed',
        replayed: { difference: level === 'exact' ? null : { largest: 0, mean: 0 } },
      });
      if (level === 'exact') continue;
      const said = forged(honest, { entries, manifest: { ...honest.manifest, profile: 'another/1' } });
      expect((await verified(said, { level })).verdict).toBe('verified');
    }
  });
});

describe('the numbers of a sketch', () => {
  const logits = Float32Array.of(3, 1, 2, -1, 0.5);
  const own = takeSketch(logits, 3);
  if (own === null) throw new Error('a sketch of three');
  const differing = (edit: Partial<Sketch>, level: 'float band' | 'engine band' = 'float band') =>
    sketchDifference({ ...own, ...edit }, logits, level);

  it('are equal to their own', () => {
    expect(differing({})).toMatchObject({ largest: 0, numbers: 4 });
    expect(differing({}, 'engine band')).toMatchObject({ largest: 0, numbers: 3 });
  });

  it('report a missing logit, log-sum-exp or token', () => {
    expect(differing({ logits: [3, 2.5, 1] })).toMatchObject({ largest: 0.5, token: 2 });
    expect(differing({ logSumExp: own.logSumExp + 0.25 })).toMatchObject({ largest: 0.25, token: null });
    // Token 1 (logit 1) is left out for token 4 (0.5), which is there with its own logit.
    expect(differing({ ids: [0, 2, 4], logits: [3, 2, 0.5] })).toMatchObject({ largest: 0.5, token: 1 });
    expect(differing({ ids: [0, 2, 7], logits: [3, 2, 1] }).largest).toBe(Infinity);
  });

  it('are shifted alike in the engine band, where only probabilities count', () => {
    const shifted = { logits: own.logits.map((x) => x + 4), logSumExp: own.logSumExp + 4 };
    expect(differing(shifted).largest).toBe(4);
    expect(differing(shifted, 'engine band').largest).toBeLessThan(1e-6);
  });

  it('miss a token that should be there by what its probability has more than the least of them', () => {
    const { ids, logits: kept, logSumExp } = { ...own, ids: [0, 2, 4], logits: [3, 2, 0.5] };
    const shifted = { ids, logits: kept.map((x) => x - 7), logSumExp: logSumExp - 7 };
    expect(differing(shifted, 'engine band').largest).toBeCloseTo(0.5, 5);
    expect(differing(shifted, 'engine band')).toMatchObject({ token: 1, numbers: 4 });
    // One that is there is compared once, and one that may be missing adds nothing.
    expect(differing({ ids: [0, 2], logits: [3, 2] }).numbers).toBe(3);
    const tied = Float32Array.of(3, 1, 1);
    expect(sketchDifference({ ids: [0, 2], logits: [3, 1], logSumExp: logSumExpOf(tied) }, tied, 'float band')).toEqual(
      {
        largest: 0,
        sum: 0,
        numbers: 3,
        token: 0,
      },
    );
  });

  it('must be those of the hashed logits at the exact level', async () => {
    const trace = await recorded({ ...claimed });
    expect((await verified(trace)).problems).toEqual([]);
    const entries = trace.entries.map((entry): Entry =>
      entry.kind === 'gap' || entry.sketch === null || entry.position !== 9
        ? entry
        : { ...entry, sketch: { ...entry.sketch, logSumExp: Math.fround(entry.sketch.logSumExp + 1e-4) } },
    );
    const verdict = await verified(forged(trace, { entries }));
    expect(verdict).toMatchObject({ verdict: 'failed', level: 'exact', scope: { which: { kind: 'all' }, sketch: 8 } });
    expect(verdict.problems).toMatchObject([{ code: 'PV-8066', check: 'sketch', position: 9 }]);
  });

  it('are refused on average where each alone would pass', async () => {
    const trace = await recorded({ ...claimed });
    const entries = trace.entries.map((entry): Entry =>
      entry.kind === 'gap' || entry.sketch === null
        ? entry
        : { ...entry, sketch: { ...entry.sketch, logSumExp: Math.fround(entry.sketch.logSumExp + 0.02) } },
    );
    const manifest = { ...trace.manifest, profile: 'another/1' };
    const verdict = await verified(forged(trace, { entries, manifest }), { level: 'engine band' });
    expect(verdict.verdict).toBe('failed');
    expect(verdict.problems).toMatchObject([{ code: 'PV-8066', check: 'engine band', expected: 'at most 0.005' }]);
  });
});

describe('the level', () => {
  const recording = { profile: 'f32-strict/1', sketch: 8, vocabSize: 512 };

  it('is exact where profiles agree, and never a band unless a band is requested', () => {
    expect(valueOf(chooseLevel(null, recording, 'f32-strict/1'))).toBe('exact');
    expect(valueOf(chooseLevel(null, { ...recording, profile: 'unspecified', sketch: 0 }, 'f32-strict/1'))).toBe(
      'exact',
    );
    expect(codeOf(chooseLevel(null, { ...recording, profile: 'unspecified' }, 'f32-strict/1'))).toBe('PV-8067');
    expect(codeOf(chooseLevel(null, recording, 'other/1'))).toBe('PV-8067');
    for (const level of levels) expect(valueOf(chooseLevel(level, recording, 'other/1'))).toBe(level);
    expect(codeOf(chooseLevel('engine band', { ...recording, sketch: 0 }, 'other/1'))).toBe('PV-8067');
  });
});

describe('a token under another engine', () => {
  it('greedy is possible within twice the band of the largest logit', () => {
    const logits = Float32Array.of(1, 0.9985, 0.997);
    expect([0, 1, 2].map((token) => couldBeLargest(logits, token, 1e-3))).toEqual([true, true, false]);
  });

  const logitsOf = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 2, maxLength: 30 });
  const sampled = fc.record({
    temperature: fc.double({ min: 0.3, max: 2, noNaN: true }),
    share: fc.constantFrom(0.1, 0.5, 0.9, 1),
    seed: fc.integer({ min: 1, max: 1e9 }),
  });

  it('is possible where logits within the band choose it, whatever they are', () => {
    fc.assert(
      fc.property(
        logitsOf,
        sampled,
        fc.integer(),
        fc.constantFrom(1e-3, 5e-2),
        (numbers, { temperature, share, seed }, noise, band) => {
          const logits = Float32Array.from(numbers);
          const sampler = { ...topP, temperature, topP: share, seed: String(seed) };
          const coin = createCoin(sampler.generator, BigInt(seed))();
          const draw = createCoin('xorshift64star/1', BigInt(Math.abs(noise) + 1));
          const near = logits.map((logit) => logit + 0.99 * band * (2 * draw() - 1));
          const token = valueOf(valueOf(createSampler(sampler))(near));
          expect(couldBeDrawn(logits, token, sampler, coin, band)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is impossible for nearly all tokens but the one chosen', () => {
    const draw = createCoin('xorshift64star/1', 5n);
    let possible = 0;
    for (let round = 0; round < 200; round++) {
      const logits = Float32Array.from({ length: 50 }, () => 6 * draw() - 3);
      const sampler = { ...topP, topP: round % 2 === 0 ? 1 : 0.9 };
      const coin = draw();
      for (const token of logits.keys()) if (couldBeDrawn(logits, token, sampler, coin, 1e-3)) possible++;
    }
    expect(possible).toBeGreaterThanOrEqual(200);
    expect(possible).toBeLessThan(240);
  });

  it('that no logits within the band would choose is found', async () => {
    const honest = await recorded({ engine: createDoubleEngine(model, Math.fround), ...claimed });
    const sampler = { ...topP, temperature: 2.5, seed: '7' };
    const steps = await recorded({
      engine: createDoubleEngine(model, Math.fround),
      steps: 60,
      manifest: { ...claimed.manifest, sampler },
    });
    expect((await verified(steps, { level: 'float band' })).problems).toEqual([]);
    const lie = forged(steps, { manifest: { ...steps.manifest, sampler: { ...sampler, seed: '8' } } });
    expect((await verified(lie, { level: 'float band' })).problems[0]).toMatchObject({ code: 'PV-8065' });
    expect((await verified(honest, { level: 'float band' })).replayed?.tokens.differs).toBe(0);
  });
});
