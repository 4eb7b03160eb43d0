/**
 * What no run of the model gives is not verified, and what was not looked at is said.
 *
 * Holds src/trace/verify/source.ts.
 */
import { describe, expect, it } from 'vitest';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import { littleEndianBytes } from '../../../src/tensors/float32-bytes.ts';
import type { Entry } from '../../../src/trace/format/trace.ts';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { legacyTrace } from '../../../src/trace/legacy/trace.ts';
import { openEnd } from '../../../src/trace/verify/generation-end.ts';
import { legacySource, sourceOf } from '../../../src/trace/verify/source.ts';
import { valueOf } from '../../notes/signers.ts';
import { forged, model, recorded, tokenizer, verified } from './recorded.ts';

const honest = await recorded();

describe('a trace that no generation gives, though each of its steps is what the model computes', () => {
  it('continues after the steps that were requested', async () => {
    const manifest = { ...honest.manifest, steps: 20 };
    const verdict = await verified(forged(honest, { manifest }), { which: { kind: 'position', position: 3 } });
    expect(verdict.verdict).toBe('failed');
    expect(verdict.problems[0]).toMatchObject({ code: 'PV-8082', expected: 'at most 20', actual: '24' });
    // Nobody knows what ends the generations of another engine.
    const foreign = forged(honest, { manifest: { ...manifest, profile: 'another/1' } });
    expect((await verified(foreign, { level: 'exact' })).verdict).toBe('verified');
  });

  it('continues after BOS', async () => {
    const tokens = [...tokenizer.encode('Once'), 1, ...tokenizer.encode('upon').slice(1)];
    const engine = createStrictEngine(model);
    const entries = tokens.slice(0, -1).map((inputToken, position): Entry => {
      const logitsHash = sha256(littleEndianBytes(engine.forward(inputToken, position)));
      return {
        kind: 'step',
        position,
        inputToken,
        outputToken: tokens[position + 1] ?? null,
        logitsHash,
        sketch: null,
      };
    });
    const manifest = { ...honest.manifest, prompt: { tokens, text: null } };
    const [late] = (await verified(forged(honest, { entries, manifest }))).problems;
    expect(late).toMatchObject({ code: 'PV-8082', expected: 'the end', actual: '1 more entry' });
    const until = entries.slice(0, tokens.indexOf(1, 1));
    const ended = await verified(forged(honest, { entries: until, manifest }), { require: ['logits', 'end'] });
    expect(ended).toMatchObject({ problems: [], unbound: [] });
    // llama2-rs ends at BOS too, though its files do not name its arithmetic.
    const steps = entries.flatMap((one) =>
      one.kind === 'step' ? [{ ...one, token: one.inputToken, text: null }] : [],
    );
    const legacy = valueOf(legacyTrace(steps, { modelPath: 'tiny.bin', prompt: '', steps: steps.length }));
    const source = legacySource(legacy, { prompt: tokens, sampler: { kind: 'greedy' } });
    expect((await verified(honest, { source, anchor: {} })).problems[0]).toMatchObject({ code: 'PV-8082' });
  });

  it('ends with a token that the model does not have', async () => {
    const manifest = { ...honest.manifest, vocabSize: null, sampler: { kind: 'other', description: '' } } as const;
    const trace = forged(honest, {
      manifest,
      entries: honest.entries.map((one, i) => (i === 23 ? { ...one, outputToken: 1 << 20 } : one)),
    });
    expect((await verified(trace)).problems[0]).toMatchObject({
      code: 'PV-8012',
      position: 24,
      actual: String(1 << 20),
    });
  });
});

describe('a trace that ends before BOS and before the steps that were requested', () => {
  const cut = forged(honest, { entries: honest.entries.slice(0, -1) });

  it('is not verified where it passes for whole, though every step and the root agree', async () => {
    const verdict = await verified(cut);
    expect(verdict).toMatchObject({ verdict: 'undetermined', covers: { shown: [] }, replayed: { failures: 0 } });
    expect(verdict.problems).toMatchObject([{ code: 'PV-8085', position: 23, expected: '24 positions', actual: '23' }]);
    expect(await verified(honest)).toMatchObject({ verdict: 'verified', unbound: [] });
  });

  it('is verified as incomplete, and the verdict says so', async () => {
    const early = 'why the trace ends after 23 positions, where 24 were requested';
    const taken = await verified(cut, { incomplete: true });
    expect(taken).toMatchObject({ verdict: 'verified', unbound: [early] });
    expect(taken.covers.open).toEqual(['fewer steps than requested']);
    const foreign = forged(cut, { manifest: { ...honest.manifest, profile: 'another/1' } });
    for (const require of [undefined, ['logits'] as const]) {
      const verdict = await verified(foreign, { level: 'exact', ...(require && { require }) });
      expect(verdict).toMatchObject({ verdict: require ? 'verified' : 'undetermined', unbound: [early] });
    }
    const unasked = forged(cut, { manifest: { ...honest.manifest, steps: null } });
    expect(await verified(unasked)).toMatchObject({ verdict: 'undetermined', problems: [{ code: 'PV-8085' }] });
    const known = await verified(unasked, { incomplete: true });
    expect(known).toMatchObject({ verdict: 'verified', covers: { open: ['number of steps not disclosed'] } });
  });

  it('is not complete with a gap in place of its last steps', async () => {
    const entries: Entry[] = [...honest.entries.slice(0, 20), { kind: 'gap', position: 20, count: 4 }];
    const verdict = await verified(forged(honest, { entries }));
    expect(verdict.problems).toMatchObject([{ code: 'PV-8085', expected: '24 positions', actual: '20' }]);
  });

  it('fails if its file was cut, unless that is accepted', async () => {
    const growing = { ...cut, complete: false, droppedBytes: 3 };
    expect(await verified(growing)).toMatchObject({ verdict: 'failed', problems: [{ code: 'PV-8032' }] });
    const taken = await verified(growing, { incomplete: true });
    expect(taken).toMatchObject({ verdict: 'verified', covers: { open: ['file incomplete'] } });
  });

  it('may have lost the token chosen last, which is said', async () => {
    const entries = honest.entries.map((one, i) => (i === 23 ? { ...one, outputToken: null } : one));
    const verdict = await verified(forged(honest, { entries }));
    expect(verdict).toMatchObject({ verdict: 'verified', covers: { open: ['last token not recorded'] } });
    expect(verdict.unbound).toEqual(['the token chosen last: the trace does not record it']);
  });
});

describe('a verdict leaves open', () => {
  it('that the text of the prompt matches its tokens, unless it was encoded and they were kept', async () => {
    const files = { modelDigest: model.digest, config: model.config, tokenizer: null };
    const [without] = (await verified(honest, { files })).unbound;
    expect(without).toContain('no tokenizer was given');
    const prompt = { tokens: null, text: 'Twice' };
    const [unkept] = (await verified(forged(honest, { manifest: { ...honest.manifest, prompt } }))).unbound;
    expect(unkept).toContain('does not say which tokens');
  });

  it('in a band, the hashes and what no sketch keeps', async () => {
    const sketched = await recorded({ manifest: { sketch: 4 } });
    expect((await verified(sketched)).unbound).toEqual([]);
    const { unbound } = await verified(sketched, { level: 'float band' });
    expect(unbound).toEqual([expect.stringContaining(`all but the 4 of ${model.config.vocabSize}`)]);
  });
});

describe('what nothing shows of an end', () => {
  const open = (steps: number | null) => openEnd(sourceOf({ ...honest, manifest: { ...honest.manifest, steps } }), 256);

  it('is that there are fewer steps than were requested, or that the request is unknown', () => {
    expect(open(24)).toBeNull();
    expect(open(30)).toMatchObject({
      short: 'fewer steps than requested',
      clause: 'why the trace ends after 24 positions, where 30 were requested',
      problem: { code: 'PV-8085', expected: '30 positions', actual: '24', position: 24 },
    });
    expect(open(30)?.problem.message).toContain('24 positions of the 30 requested');
    expect(open(null)).toMatchObject({
      short: 'number of steps not disclosed',
      clause: 'why the trace ends after 24 positions',
      problem: { code: 'PV-8085', expected: 'the number of steps', actual: '24' },
    });
    expect(open(null)?.problem.message).toContain('does not say how many were requested');
    expect(open(0)).toMatchObject({ problem: { expected: '256 positions' } });
    expect(open(30)?.problem.message).toMatch(/, and token \d+ is not BOS: /);
    const entries = honest.entries.map((one, i) => (i === 23 ? { ...one, outputToken: null } : one));
    const unrecorded = openEnd(sourceOf({ ...honest, entries, manifest: { ...honest.manifest, steps: 30 } }), 256);
    expect(unrecorded?.problem.message).toContain('the token chosen last is not recorded');
  });

  it('has no path for a position that is not there', () => {
    expect(sourceOf(honest).checkTree([0, 23]).ok).toBe(true);
    expect(sourceOf(honest).checkTree([0, 24])).toMatchObject({ ok: false, error: { code: 'PV-8016' } });
  });
});
