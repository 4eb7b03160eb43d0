/** What is demanded of a trace: each demand met, not met, and not to be decided. */
import { describe, expect, it } from 'vitest';
import { checkDemands, samplerAsked, type Demands } from '../../../src/cli/trace/demands.ts';
import type { Manifest, Sampler } from '../../../src/trace/format/trace.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { madeTrace } from '../../trace/verify/traces.ts';
import { modelOf, tokenizerOf } from '../../support/llama-data.ts';

const tiny = tinyModel(1);
const tokenizer = tokenizerOf(tiny.tokenizer, modelOf(tiny.checkpoint).config.vocabSize);
const text = 'Once upon';
const tokens = tokenizer.encode(text);
const greedy: Sampler = { kind: 'greedy' };
const topP: Sampler = { kind: 'top-p', temperature: 0.8, topP: 0.9, seed: '42', generator: 'llama2-rs/1' };
const other: Sampler = { kind: 'other', description: 'beam search' };

/** Outcomes by the names of the checks, a failed one by its code. */
function found(manifest: Partial<Manifest>, demands: Partial<Demands>, withTokenizer = true): Record<string, string> {
  const { checks, problems } = checkDemands(
    { ...madeTrace(1).manifest, ...manifest },
    demands,
    withTokenizer ? tokenizer : null,
  );
  const codes = new Map(problems.map(({ check, code }) => [check, code]));
  return Object.fromEntries(checks.map(({ name, outcome }) => [name, codes.get(name) ?? outcome]));
}

describe('a demanded prompt', () => {
  const prompt = (given: Partial<Manifest['prompt']>, withTokenizer = true): Record<string, string> =>
    found({ prompt: { tokens, text, ...given } }, { prompt: text }, withTokenizer);

  it('is met by the tokens that it encodes to, whether or not the trace keeps the text', () => {
    for (const kept of [text, null]) expect(prompt({ text: kept })).toEqual({ 'prompt text': 'passed' });
  });

  it.each([
    ['one token more', [...tokens, 5]],
    ['one token less', tokens.slice(0, -1)],
    ['another first token', tokens.with(0, 2)],
    ['another last token', tokens.with(tokens.length - 1, 2)],
    ['no tokens', []],
  ])('is not met by %s, whatever the trace says of its text', (_, forced) => {
    for (const kept of [text, null])
      expect(prompt({ tokens: forced, text: kept })).toEqual({ 'prompt text': 'PV-8080' });
  });

  it('is not met by another text, and cannot be decided without tokens or a tokenizer', () => {
    expect(prompt({ text: 'Once upon a' })).toEqual({ 'prompt text': 'PV-8080' });
    expect(prompt({ text: 'Once upon a', tokens: null })).toEqual({ 'prompt text': 'PV-8080' });
    for (const kept of [text, null]) expect(prompt({ tokens: null, text: kept })).toEqual({ 'prompt text': 'PV-8081' });
    expect(prompt({}, false)).toEqual({ 'prompt text': 'PV-8081' });
  });
});

describe('a demanded sampler', () => {
  const same = { temperature: 0.8, topP: 0.9, seed: '42', generator: 'llama2-rs/1' } as const;
  const names = ['temperature', 'top-p', 'seed', 'generator'];
  const all = (outcome: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, outcome]));

  it('is met where every setting is the recorded one', () => {
    expect(found({ sampler: topP }, same)).toEqual(all('passed'));
    expect(found({ sampler: topP }, {})).toEqual({});
    expect(found({ sampler: topP }, { seed: '42' })).toEqual({ seed: 'passed' });
  });

  it.each<[string, Partial<Demands>]>([
    ['temperature', { temperature: 0.81 }],
    ['top-p', { topP: 0 }],
    ['seed', { seed: '420' }],
    ['generator', { generator: 'xorshift64star/1' }],
  ])('is not met where the %s is another', (name, demand) => {
    expect(found({ sampler: topP }, { ...same, ...demand })).toEqual({ ...all('passed'), [name]: 'PV-8080' });
  });

  it('that is greedy is one of temperature 0, which has no other settings', () => {
    expect(found({ sampler: greedy }, { ...same, temperature: 0 })).toEqual({
      ...all('not checked'),
      temperature: 'passed',
    });
    expect(found({ sampler: greedy }, { temperature: 0.8 })).toEqual({ temperature: 'PV-8080' });
    expect(found({ sampler: topP }, { temperature: 0 })).toEqual({ temperature: 'PV-8080' });
  });

  it('cannot be decided of one that the trace does not disclose', () => {
    expect(found({ sampler: other }, same)).toEqual(all('PV-8081'));
  });

  it('of a trace that has none is what the flags say, and the defaults else', () => {
    expect(samplerAsked({})).toEqual({
      kind: 'top-p',
      temperature: 1,
      topP: 0.9,
      seed: '42',
      generator: 'llama2-rs/1',
    });
    expect(samplerAsked({ ...same, topP: 0.5, seed: '7' })).toMatchObject({ temperature: 0.8, topP: 0.5, seed: '7' });
    expect(samplerAsked({ temperature: 0 })).toEqual(greedy);
  });
});
