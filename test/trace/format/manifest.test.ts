import { describe, expect, it } from 'vitest';
import { decodeManifest, encodeManifest, parseManifest } from '../../../src/trace/format/manifest.ts';
import type { Manifest } from '../../../src/trace/format/trace.ts';
import { greedyManifest } from '../../support/trace-cases.ts';

const topP = {
  kind: 'top-p',
  temperature: 0.8,
  topP: 0.9,
  seed: '18446744073709551615',
  generator: 'llama2-rs/1',
} as const;
const sampled: Manifest = { ...greedyManifest, prompt: { tokens: [1, 403, 407], text: null }, sampler: topP };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (manifest: Manifest): string => new TextDecoder().decode(encodeManifest(manifest));

describe('a manifest', () => {
  it.each([greedyManifest, sampled, { ...sampled, sampler: { kind: 'other', description: 'beam search' } as const }])(
    'reads back from its bytes',
    (manifest) => {
      expect(decodeManifest(encodeManifest(manifest))).toEqual({ ok: true, value: manifest });
    },
  );

  it.each<readonly [string, (text: string) => string]>([
    ['white space', (text) => ` ${text}`],
    ['another order', (text) => text.replace('{"config":null,', '{').replace(/\}$/, ',"config":null}')],
    ['another form of a number', (text) => text.replace('"steps":100', '"steps":1e2')],
    ['a key twice', (text) => text.replace('"sketch":0', '"sketch":0,"sketch":0')],
    ['an escape that is not needed', (text) => text.replace('tiny', '\\u0074iny')],
  ])('in another form of JSON is refused: %s', (_, change) => {
    const bytes = bytesOf(change(textOf(greedyManifest)));
    const offset = encodeManifest(greedyManifest).findIndex((byte, i) => byte !== bytes[i]);
    expect(decodeManifest(bytes)).toMatchObject({
      ok: false,
      error: { code: 'PV-8034', check: 'manifest encoding', offset },
    });
  });

  it('that opens more lists than one has is refused before it is parsed', () => {
    expect(decodeManifest(bytesOf(`{"prompt":[${'[],'.repeat(100_000)}[]]}`))).toMatchObject({
      ok: false,
      error: { code: 'PV-8034', message: expect.stringContaining('too many lists') },
    });
  });

  it.each<readonly [string, unknown, string]>([
    ['an unknown key', { ...greedyManifest, note: '' }, 'manifest.note is unknown'],
    ['a missing key', { ...greedyManifest, steps: undefined }, 'manifest.steps'],
    ['another format', { ...greedyManifest, format: 'pv-trace/3' }, 'manifest.format'],
    ['an upper-case digest', { ...greedyManifest, config: `sha256:${'AB'.repeat(32)}` }, 'manifest.config'],
    ['no vocabulary', { ...greedyManifest, vocabSize: 0 }, 'manifest.vocabSize'],
    [
      'a seed beyond 64 bits',
      { ...sampled, sampler: { ...sampled.sampler, seed: '18446744073709551616' } },
      'manifest.sampler.seed',
    ],
    [
      'a seed with a leading zero',
      { ...sampled, sampler: { ...sampled.sampler, seed: '07' } },
      'manifest.sampler.seed',
    ],
    ['a temperature beyond float32', { ...sampled, sampler: { ...topP, temperature: 1e39 } }, 'sampler.temperature'],
    ['a negative temperature', { ...sampled, sampler: { ...topP, temperature: -1 } }, 'manifest.sampler.temperature'],
    ['a temperature that is a text', { ...sampled, sampler: { ...topP, temperature: '1' } }, 'sampler.temperature'],
    ['a top-p of −0', { ...sampled, sampler: { ...topP, topP: -0 } }, 'manifest.sampler.topP'],
    ['a seed that is a number', { ...sampled, sampler: { ...topP, seed: 7 } }, 'manifest.sampler.seed'],
    ['a seed with a sign', { ...sampled, sampler: { ...topP, seed: '-7' } }, 'manifest.sampler.seed'],
    ['steps beyond 32 bits', { ...greedyManifest, steps: 2 ** 32 }, 'manifest.steps'],
    [
      'the reserved token',
      { ...greedyManifest, vocabSize: null, prompt: { tokens: [2 ** 32 - 1], text: null } },
      'prompt',
    ],
    ['a digest and more', { ...greedyManifest, config: `sha256:${'ab'.repeat(33)}` }, 'manifest.config'],
    ['a digest behind a word', { ...greedyManifest, config: `a sha256:${'ab'.repeat(32)}` }, 'manifest.config'],
    ['a number for a name', { ...greedyManifest, profile: 7 }, 'manifest.profile'],
    ['a sampler that is a word', { ...greedyManifest, sampler: 'greedy' }, 'manifest.sampler.kind'],
    ['temperature 0', { ...sampled, sampler: { ...sampled.sampler, temperature: 0 } }, 'manifest.sampler.temperature'],
    ['an unknown sampler', { ...sampled, sampler: { kind: 'beam' } }, 'manifest.sampler.kind'],
    ['no sampler', { ...sampled, sampler: null }, 'manifest.sampler.kind'],
    ['half a character', { ...greedyManifest, profile: '\ud800' }, 'manifest.profile'],
    ['more sketch than vocabulary', { ...greedyManifest, vocabSize: 4, sketch: 5 }, 'manifest.sketch'],
    ['a fraction', { ...greedyManifest, steps: 1.5 }, 'manifest.steps'],
    ['nothing', null, 'manifest'],
  ])('with %s is refused, and the member named', (_, value, member) => {
    const parsed = parseManifest(value);
    expect(parsed.ok ? '' : parsed.error.message).toContain(member);
    expect(parsed).toMatchObject({ error: { code: 'PV-8034' } });
  });

  it.each<readonly [string, Partial<Manifest>]>([
    ['a sketch of all the vocabulary', { vocabSize: 4, sketch: 4 }],
    ['a sketch of an unknown vocabulary', { vocabSize: null, sketch: 5 }],
    ['steps up to 2^32 − 1', { steps: 0xffff_ffff }],
    ['any float32 for top-p', { sampler: { ...topP, topP: 2 ** 127 } }],
    ['seed 0', { sampler: { ...topP, seed: '0' } }],
  ])('may have %s', (_, changes) => {
    expect(parseManifest({ ...sampled, prompt: { tokens: [1], text: null }, ...changes }).ok).toBe(true);
  });

  it('with a prompt outside of the vocabulary is refused', () => {
    expect(parseManifest({ ...sampled, vocabSize: 408 }).ok).toBe(true);
    expect(parseManifest({ ...sampled, vocabSize: 407 })).toMatchObject({ error: { code: 'PV-8039', position: 2 } });
    expect(parseManifest({ ...sampled, vocabSize: 1 })).toMatchObject({ error: { code: 'PV-8039', position: 0 } });
    const parsed = parseManifest({ ...sampled, vocabSize: 404 });
    expect(parsed).toMatchObject({ error: { code: 'PV-8039', position: 2, actual: '407' } });
  });

  it('of bytes that are not UTF-8, not JSON, or too many is refused', () => {
    expect(decodeManifest(Uint8Array.of(0xff))).toMatchObject({ error: { check: 'manifest UTF-8' } });
    expect(decodeManifest(bytesOf('{'))).toMatchObject({ error: { check: 'manifest JSON' } });
    expect(decodeManifest(bytesOf(`\uFEFF${textOf(greedyManifest)}`)).ok).toBe(false);
    expect(decodeManifest(bytesOf('['.repeat(200_000)))).toMatchObject({ error: { code: 'PV-8034' } });
    expect(decodeManifest(new Uint8Array(9 * 1024 * 1024))).toMatchObject({ error: { code: 'PV-8035' } });
    expect(parseManifest({ ...greedyManifest, profile: 'x'.repeat(9 * 1024 * 1024) })).toMatchObject({
      error: { code: 'PV-8035' },
    });
  });
});
