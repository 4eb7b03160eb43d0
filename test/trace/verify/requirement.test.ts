/** The first line of a verdict must not be true of a forgery: the forger writes the manifest as well as the text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import type { Entry, Manifest, TraceFile } from '../../../src/trace/format/trace.ts';
import { legacyTrace } from '../../../src/trace/legacy/trace.ts';
import { hashLogits } from '../../../src/trace/verify/compare-logits.ts';
import { firstLine } from '../../../src/trace/verify/first-line.ts';
import { requirementNames, type Requirement } from '../../../src/trace/verify/requirement.ts';
import { legacySource } from '../../../src/trace/verify/source.ts';
import type { TraceVerdict } from '../../../src/trace/verify/verify-trace.ts';
import { valueOf } from '../../notes/signers.ts';
import { forged, model, recorded, tokenizer, topP, verified } from './recorded.ts';

const honest = await recorded();
const promptLength = honest.manifest.prompt.tokens?.length ?? 0;
const written = 'The quick brown fox jumps over the lazy dog';
const text = tokenizer.encode(written);

/** A handwritten text, with the logits of the model along it: anyone who has the model can make this. */
function handwritten(tokens: readonly number[], manifest: Partial<Manifest>): TraceFile {
  const engine = createStrictEngine(model);
  const entries = tokens.slice(0, -1).map((inputToken, position): Entry => {
    const logitsHash = hashLogits(engine.forward(inputToken, position));
    return { kind: 'step', position, inputToken, outputToken: tokens[position + 1] ?? null, logitsHash, sketch: null };
  });
  return forged(honest, { entries, manifest: { ...honest.manifest, steps: entries.length, ...manifest } });
}

const withManifest = (manifest: Partial<Manifest>): TraceFile =>
  forged(honest, { manifest: { ...honest.manifest, ...manifest } });
const lacking = ({ verdict, problems }: TraceVerdict): string =>
  [verdict, ...problems.map(({ code, check }) => `${code} ${check}`)].join(', ');

describe('the first line', () => {
  it('counts the tokens that the model chose, and those that the prompt forced', async () => {
    const whole = firstLine(await verified(honest));
    const chosen = 24 - promptLength + 1;
    const counted = `${chosen} tokens chosen by the model, ${promptLength - 1} forced by the prompt`;
    expect(whole).toBe(
      `VERIFIED (${counted}, logits and tree), level exact: 24 of 24 steps compared, by f32-strict/1, temperature 1, top-p 0.9`,
    );
    const part = firstLine(await verified(honest, { which: { kind: 'position', position: promptLength } }));
    const known = `2 tokens chosen by the model, ${promptLength - 1} forced by the prompt up to position ${promptLength}`;
    expect(part).toContain(`VERIFIED (${known}, logits and path)`);
  });

  it('counts what the prompt forces in a gap, and no other token that was not recorded', async () => {
    const gaps = await recorded({
      unseen: (position) => position < promptLength || position === 15 || position === 16,
    });
    const found = await verified(gaps);
    expect(found.verdict).toBe('verified');
    // Of the positions in gaps, the last is known from the step after it.
    expect(found.replayed?.tokens).toMatchObject({ forced: promptLength - 1, same: 24 - promptLength });
  });

  it('says how tokens were drawn: at a high temperature they are random', async () => {
    const sampler = { ...topP, temperature: 1e30, topP: 1 };
    expect(firstLine(await verified(await recorded({ manifest: { sampler } })))).toContain('temperature 1e+30');
  });
});

describe('a handwritten text', () => {
  it('is not verified as a generation, whatever its manifest says', async () => {
    const field = {
      prompt: fc.constantFrom(
        { tokens: text, text: null },
        { tokens: text, text: written },
        { tokens: text.slice(0, -1), text: null },
        { tokens: text.slice(0, 3), text: null },
        { tokens: [], text: null },
        { tokens: null, text: written },
        { tokens: null, text: null },
      ),
      sampler: fc.constantFrom<Manifest['sampler']>({ kind: 'greedy' }, topP, { kind: 'other', description: 'greedy' }),
      steps: fc.constantFrom(null, 0, text.length - 1, text.length, 256),
      profile: fc.constantFrom('f32-strict/1', 'unspecified', ''),
      model: fc.constantFrom({ name: '', digest: null }, honest.manifest.model),
      config: fc.constantFrom(null, honest.manifest.config),
      vocabSize: fc.constantFrom(null, honest.manifest.vocabSize),
    };
    await fc.assert(
      fc.asyncProperty(fc.record(field), fc.boolean(), async (manifest, part) => {
        const which = part ? ({ kind: 'position', position: 5 } as const) : ({ kind: 'all' } as const);
        const found = await verified(handwritten(text, manifest), { which, anchor: {} });
        expect(found.verdict).not.toBe('verified');
        expect(firstLine(found)).not.toMatch(/^VERIFIED/);
      }),
      { numRuns: 60 },
    );
  });

  it('is not verified by a check of one of the steps that the prompt forced', async () => {
    for (const position of [0, promptLength - 2]) {
      const which = { kind: 'position', position } as const;
      const part = await verified(honest, { which });
      expect(lacking(part)).toBe('undetermined, PV-8092 tokens');
      expect(part.problems[0]?.message).toContain(`up to position ${position}, and the replay went no further`);
      expect(firstLine(part)).toContain(
        'UNDETERMINED, so not verified (tokens not shown, 0 tokens chosen by the model',
      );
      expect((await verified(honest, { which, require: ['logits'] })).verdict).toBe('verified');
      expect(lacking(await verified(honest, { which, require: ['prompt'] }))).toBe('undetermined, PV-8092 tokens');
    }
    for (const position of [promptLength - 1, 23]) {
      const chosen = await verified(honest, { which: { kind: 'position', position } });
      expect([position, chosen.verdict]).toEqual([position, 'verified']);
    }
  });

  it('is not verified by naming another requirement', async () => {
    const trace = handwritten(text, { prompt: { tokens: text, text: null } });
    for (const name of requirementNames) {
      const { verdict } = await verified(trace, { require: [name] });
      expect(verdict, name).toBe(name === 'logits' ? 'verified' : 'undetermined');
    }
    const line = firstLine(await verified(trace));
    expect(line).toContain(
      `UNDETERMINED, so not verified (tokens not shown, 0 tokens chosen by the model, ${text.length - 1} forced by the prompt)`,
    );
  });

  it('in the format of llama2-rs counts if the verifier gave that prompt, but not if its file did', async () => {
    const engine = createStrictEngine(model);
    const entries = text.map((token, position) => {
      return { position, token, text: null, logitsHash: hashLogits(engine.forward(token, position)) };
    });
    const legacy = valueOf(legacyTrace(entries, { modelPath: '', prompt: written, steps: entries.length }));
    const parameters = { prompt: text, sampler: { kind: 'greedy' } } as const;
    const ofFile = legacySource(legacy, { ...parameters, promptOfFile: true });
    expect(lacking(await verified(honest, { source: ofFile, anchor: {} }))).toBe('undetermined, PV-8092 tokens');
    const own = await verified(honest, { source: legacySource(legacy, parameters), anchor: {} });
    expect(own.verdict).toBe('verified');
    const withText = (of: typeof ofFile) => verified(honest, { source: of, anchor: {}, require: ['logits', 'text'] });
    expect((await withText(legacySource(legacy, parameters))).verdict).toBe('verified');
    expect((await withText(ofFile)).problems[0]?.message).toContain('no hash covers the prompt in the file');
    expect(firstLine(own)).toContain(`VERIFIED (0 tokens chosen by the model, ${text.length - 1} forced by the prompt`);
    const honestLegacy = honest.entries.flatMap((entry) =>
      entry.kind === 'step' ? [{ ...entry, token: entry.inputToken, text: null }] : [],
    );
    const recording = valueOf(legacyTrace(honestLegacy, { modelPath: '', prompt: '', steps: 24 }));
    const prompt = honest.manifest.prompt.tokens ?? [];
    const source = legacySource(recording, { prompt, sampler: topP, promptOfFile: true });
    const found = await verified(honest, { source, anchor: {} });
    expect(found.verdict).toBe('verified');
    expect(found.covers.open).toContain('prompt not bound');
    for (const require of ['prompt', 'end', 'model', 'text'] as const) {
      expect(lacking(await verified(honest, { source, anchor: {}, require: [require] }))).toBe(
        `undetermined, PV-8092 ${require}`,
      );
    }
  });
});

describe('what must be shown', () => {
  const other = { kind: 'other', description: 'top-k 40' } as const;
  const hidden = { tokens: null, text: null };
  it.each<[string, Partial<Manifest>, string]>([
    ['another engine’s sampler', { sampler: other }, 'PV-8092 sampler'],
    ['a prompt that is not disclosed', { prompt: hidden }, 'PV-8092 tokens, PV-8092 prompt'],
    ['a prompt without a token', { prompt: { tokens: [], text: '' } }, 'PV-8063 prompt'],
    ['a number of steps that is not disclosed', { steps: null }, 'PV-8085 end of the generation'],
  ])('is not shown with %s, unless the verifier requires only the logits', async (_, manifest, codes) => {
    const trace = withManifest(manifest);
    const found = await verified(trace);
    if (!codes.startsWith('PV-8063')) {
      expect(found.verdict).toBe('undetermined');
      const logits = await verified(trace, { require: ['logits'] });
      expect(logits.verdict).toBe('verified');
    }
    for (const code of codes.split(', ')) expect(lacking(found)).toContain(code);
  });

  it.each<[Requirement, Partial<Manifest>, object]>([
    ['steps', {}, { which: { kind: 'position', position: 20 } }],
    ['text', { prompt: { ...honest.manifest.prompt, text: null } }, {}],
    ['model', { model: { name: '', digest: null } }, {}],
    ['tokenizer', { tokenizer: { name: '', digest: null } }, {}],
    ['root', {}, { anchor: {} }],
    ['signatures', {}, {}],
  ])('is only %s if that is required', async (name, manifest, how) => {
    const trace = withManifest(manifest);
    expect((await verified(trace, how)).verdict).toBe('verified');
    const strict = await verified(trace, { ...how, require: [name] });
    expect(lacking(strict)).toBe(`undetermined, PV-8092 ${name}`);
    expect(firstLine(strict)).toContain(`UNDETERMINED, so not verified (${name} not shown, 1`);
  });

  it('is not all of the steps where some were not recorded', async () => {
    const gaps = await recorded({ unseen: (position) => position === 15 || position === 16 });
    const found = await verified(gaps, { require: ['steps'] });
    expect(lacking(found)).toBe('undetermined, PV-8092 steps');
    expect(found.problems[0]?.message).toContain('2 positions were not recorded');
  });

  it('is shown by an honest trace in every respect but signatures, which it does not have', async () => {
    const require = requirementNames.filter((name) => name !== 'signatures');
    expect((await verified(honest, { require })).problems).toEqual([]);
  });

  it('is reported only if nothing is wrong', async () => {
    const entries = honest.entries.map((one): Entry =>
      one.kind === 'step' && one.position === 9 ? { ...one, logitsHash: new Uint8Array(32) } : one,
    );
    const found = await verified(forged(honest, { entries }), { require: ['signatures'] });
    expect(lacking(found)).toBe('failed, PV-8064 logits hash');
  });
});

describe('tokens that cannot be sampled again', () => {
  it.each<[string, Partial<Manifest>]>([
    ['the prompt is not disclosed', { prompt: { tokens: null, text: null } }],
    ['the sampler is of another engine', { sampler: { kind: 'other', description: 'beam' } }],
  ])('where %s', async (_, manifest) => {
    const { problems } = await verified(withManifest(manifest), { require: ['tokens'] });
    expect(problems.map(({ check, message }) => [check, message])).toEqual([
      ['tokens', 'It is not shown that the model chose any of the tokens: the sampler cannot be run again here.'],
    ]);
    const { verdict, scope, signedBy } = await verified(withManifest(manifest), { require: ['steps'] });
    expect([verdict, scope.sampling, signedBy]).toEqual(['verified', null, []]);
  });
});

it('as many tokens chosen as forced are counted, and are not nothing', async () => {
  const forced = promptLength - 1;
  const { checks, replayed } = await verified(honest, { which: { kind: 'position', position: 2 * forced - 1 } });
  expect(replayed?.tokens).toMatchObject({ forced, same: forced });
  expect(checks.find(({ name }) => name === 'tokens')).toMatchObject({ outcome: 'passed' });
});
