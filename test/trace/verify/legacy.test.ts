/** Replays of traces in the format of llama2-rs: our own, and those that the original program wrote (../shared/data/llama). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import { generate } from '../../../src/trace/engine/generate.ts';
import type { Sampler } from '../../../src/trace/format/trace.ts';
import { readLegacyTrace } from '../../../src/trace/legacy/read-trace.ts';
import { legacyTrace, type LegacyEntry, type LegacyTrace } from '../../../src/trace/legacy/trace.ts';
import { hashLogits } from '../../../src/trace/verify/compare-logits.ts';
import type { Model } from '../../../src/trace/model/model.ts';
import { legacySource, type LegacyParameters } from '../../../src/trace/verify/source.ts';
import { verifyTrace, type TraceVerdict, type Verification } from '../../../src/trace/verify/verify-trace.ts';
import { llamaData, modelOf } from '../../support/llama-data.ts';
import { flipped, valueOf } from '../../notes/signers.ts';
import { model, otherModel, promptText, tokenizer, topP } from './recorded.ts';

const parameters: LegacyParameters = { prompt: tokenizer.encode(promptText), sampler: { ...topP, temperature: 2 } };

function verifiedLegacy(
  trace: LegacyTrace,
  of: Model,
  given: LegacyParameters,
  other: Partial<Verification> = {},
): Promise<TraceVerdict> {
  return verifyTrace({
    source: legacySource(trace, given),
    engine: createStrictEngine(of),
    files: { modelDigest: of.digest, config: of.config, tokenizer: null },
    which: { kind: 'all' },
    level: null,
    anchor: {},
    ...other,
  });
}

const entries: LegacyEntry[] = [];
for (const step of generate(createStrictEngine(model), { ...parameters, steps: 30 })) {
  const { position, inputToken, logits } = valueOf(step);
  entries.push({ position, token: inputToken, text: null, logitsHash: hashLogits(logits) });
}
const traceOf = (changed: readonly LegacyEntry[]): LegacyTrace =>
  valueOf(legacyTrace(changed, { modelPath: 'tiny.bin', prompt: promptText, steps: 30 }));
const editedAt = (position: number, edit: Partial<LegacyEntry>): LegacyTrace =>
  traceOf(entries.map((entry) => (entry.position === position ? { ...entry, ...edit } : entry)));

describe('a legacy trace', () => {
  it('says what its root does not bind', () => {
    const unbound = (promptOfFile: boolean) => legacySource(traceOf(entries), { ...parameters, promptOfFile }).unbound;
    const [given, ofFile] = [unbound(false), unbound(true)];
    expect(given[0]).toContain('model, tokenizer, prompt, seed and sampler');
    expect(given).toHaveLength(3);
    expect(ofFile[0]).toContain('model, tokenizer, seed and sampler');
    expect(ofFile[1]).toContain('the text in the file, which no hash covers');
    expect(ofFile.slice(2)).toEqual(given.slice(1));
    expect(legacySource(traceOf(entries), parameters).open).toEqual(['number of steps not bound']);
  });

  it('is verified bit for bit, and the verdict says what its format cannot bind', async () => {
    const verdict = await verifiedLegacy(traceOf(entries), model, parameters);
    expect(verdict.problems).toEqual([]);
    expect(verdict).toMatchObject({
      verdict: 'verified',
      level: 'exact',
      standing: 'nothing',
      replayed: { compared: 30 },
    });
    expect(verdict.unbound.join()).toMatch(/prompt, seed and sampler.*number of steps.*last token/);
    expect(verdict.unbound.join()).not.toContain('texts');
    const told = await verifiedLegacy(traceOf(entries.map((entry) => ({ ...entry, text: 'lies' }))), model, parameters);
    expect(told).toMatchObject({ verdict: 'verified' });
    expect(told.unbound).toContain('the texts of the tokens: no hash covers them');
  });

  it('is compared at one position, with its path', async () => {
    const verdict = await verifiedLegacy(traceOf(entries), model, parameters, {
      which: { kind: 'position', position: 20 },
    });
    expect(verdict).toMatchObject({ verdict: 'verified', replayed: { positions: 21, compared: 1 } });
    expect(verdict.checks[0]?.detail).toContain('1 path verified');
  });

  it.each<[string, LegacyTrace, LegacyParameters, string, number]>([
    [
      'a hash changed',
      editedAt(12, { logitsHash: flipped(entries[12]?.logitsHash ?? new Uint8Array(32), 9) }),
      parameters,
      'PV-8064',
      12,
    ],
    ['a token changed', editedAt(25, { token: 300 }), parameters, 'PV-8065', 24],
    ['a token of the prompt changed', editedAt(5, { token: 300 }), parameters, 'PV-8063', 4],
    ['its first token changed', editedAt(0, { token: 2 }), parameters, 'PV-8063', 0],
    ['another prompt', traceOf(entries), { ...parameters, prompt: tokenizer.encode('Once upon a dime') }, 'PV-8063', 0],
  ])('with %s is refused', async (_, trace, given, code, position) => {
    const verdict = await verifiedLegacy(trace, model, given);
    expect(verdict.verdict).toBe('failed');
    expect(verdict.problems[0]).toMatchObject({ code });
    expect(verdict.problems[0]?.position).toBeGreaterThanOrEqual(position);
  });

  it('with another seed or another model is refused', async () => {
    const seeded = await verifiedLegacy(traceOf(entries), model, {
      ...parameters,
      sampler: { ...topP, temperature: 2, seed: '43' },
    });
    expect(seeded.problems[0]).toMatchObject({
      code: 'PV-8065',
      message: expect.stringContaining('the given sampler chooses'),
    });
    const other = await verifiedLegacy(traceOf(entries), otherModel, parameters);
    expect(other.problems[0]).toMatchObject({ code: 'PV-8064', position: 0 });
  });

  it('whose root is not that of its entries is refused before any replay', async () => {
    const wrong = { ...traceOf(entries), root: flipped(traceOf(entries).root, 0) };
    expect(await verifiedLegacy(wrong, model, parameters)).toMatchObject({
      verdict: 'failed',
      replayed: null,
      problems: [{ code: 'PV-8018' }],
    });
  });

  it('is undetermined if default settings choose other tokens', async () => {
    const assumed = ['--temperature', '--seed'];
    const other = { ...parameters, sampler: { ...topP, temperature: 2, seed: '43' }, assumed };
    const open = await verifiedLegacy(traceOf(entries), model, other);
    expect(open).toMatchObject({
      verdict: 'undetermined',
      replayed: {
        compared: 30,
        tokens: { same: 0, near: 0, differs: 0, unknown: 29 - (parameters.prompt.length - 1) },
      },
    });
    expect(open.problems).toMatchObject([{ code: 'PV-8067', check: 'sampler' }]);
    expect(open.problems[0]?.message).toContain('Give --temperature and --seed of the recording.');
    expect(open.checks).toContainEqual(expect.objectContaining({ name: 'logits', outcome: 'passed' }));
    expect(open.problems[0]?.message).toContain('The default settings (temperature 2, top-p 0.9) do not choose');
    const greedy = { ...other, sampler: { kind: 'greedy' } } as const;
    expect(await verifiedLegacy(traceOf(entries), model, greedy)).toMatchObject({
      verdict: 'undetermined',
      problems: [{ code: 'PV-8067', message: expect.stringContaining('(greedy)') }],
    });
    const prompt = other.prompt.map((token, i) => (i === 3 ? token + 1 : token));
    expect(await verifiedLegacy(traceOf(entries), model, { ...other, prompt })).toMatchObject({
      verdict: 'failed',
      problems: [{ code: 'PV-8063', position: 2 }, { code: 'PV-8067' }],
    });
    // What needs no sampler still fails, and defaults that fit are enough.
    const changed = await verifiedLegacy(editedAt(25, { token: 300 }), model, other);
    expect(changed).toMatchObject({ verdict: 'failed' });
    expect(await verifiedLegacy(traceOf(entries), model, { ...parameters, assumed })).toMatchObject({
      verdict: 'verified',
      problems: [],
    });
    expect((await verifiedLegacy(traceOf(entries), model, { ...other, assumed: [] })).verdict).toBe('failed');
  });

  it('has no band', async () => {
    const verdict = await verifiedLegacy(traceOf(entries), model, parameters, { level: 'float band' });
    expect(verdict).toMatchObject({ verdict: 'undetermined', problems: [{ code: 'PV-8067' }] });
  });
});

const present = existsSync(llamaData);
test(`traces of llama2-rs are ${present ? 'there' : 'absent (../shared/data/llama): none is replayed'}`, () => {
  expect(existsSync(llamaData)).toBe(present);
});

interface Golden {
  readonly sampling: { readonly temperature: number; readonly topp: number; readonly seed: number };
  readonly prompt_tokens: readonly number[];
}

describe.runIf(present)('a trace of llama2-rs', () => {
  const names = present ? readdirSync(`${llamaData}/traces`).filter((name) => name.endsWith('.trace')) : [];
  const stories = present ? modelOf(readFileSync(`${llamaData}/stories260K.bin`)) : model;

  test.each(names)('%s replays bit for bit, and not with another seed or prompt', async (name) => {
    const trace = valueOf(readLegacyTrace(readFileSync(`${llamaData}/traces/${name}`)));
    const { sampling, prompt_tokens: prompt }: Golden = JSON.parse(
      readFileSync(`${llamaData}/traces/${name.replace('.trace', '.json')}`, 'utf8'),
    );
    const sampler = (seed: number): Sampler =>
      sampling.temperature === 0
        ? { kind: 'greedy' }
        : {
            kind: 'top-p',
            temperature: sampling.temperature,
            topP: sampling.topp,
            seed: String(seed),
            generator: 'llama2-rs/1',
          };
    const verdict = await verifiedLegacy(trace, stories, { prompt, sampler: sampler(sampling.seed) });
    expect(verdict.problems).toEqual([]);
    expect(verdict).toMatchObject({ verdict: 'verified', replayed: { compared: trace.entries.length } });
    if (name.endsWith('.head.trace')) return;
    if (sampling.temperature > 0) {
      const other = await verifiedLegacy(trace, stories, { prompt, sampler: sampler(sampling.seed + 1) });
      expect(other.problems[0]).toMatchObject({ code: 'PV-8065' });
    }
    const longer = prompt.map((token, i) => (i === 0 ? token + 1 : token));
    const which = { kind: 'position', position: 0 } as const;
    const wrong = await verifiedLegacy(trace, stories, { prompt: longer, sampler: sampler(sampling.seed) }, { which });
    expect(wrong.problems[0]).toMatchObject({ code: 'PV-8063', position: 0 });
  });
});
