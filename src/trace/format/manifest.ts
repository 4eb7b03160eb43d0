/**
 * The manifest of a trace as bytes: RFC 8785 JSON in UTF-8, one text for one manifest, read strictly.
 */
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { shortened } from '../../base/text.ts';
import { count, list, matching, nullable, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { sameBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { parseJson } from '../../base/strict-json.ts';
import { largestU32, manifestBytesLimit, promptTokensLimit, sketchLimit } from './limits.ts';
import type { Artefact, Manifest, Sampler } from './trace.ts';

/** A manifest with its unique encoding, so that it need not be encoded again for hashing and writing. */
export interface EncodedManifest {
  readonly manifest: Manifest;
  /** The result of {@link encodeManifest}; never modified. */
  readonly json: Uint8Array;
}

/** The bytes of a manifest that {@link parseManifest} accepts. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  // A manifest is JSON by its type; the compiler gives interfaces no index signature.
  return new TextEncoder().encode(canonicalJson(manifest as unknown as JsonObject));
}

/** The manifest encoded in `bytes`, which must be exactly what {@link encodeManifest} writes for it. */
export function decodeManifest(bytes: Uint8Array): Result<Manifest, Problem> {
  if (bytes.length > manifestBytesLimit) return tooLong(bytes.length);
  const json = jsonOf(bytes);
  if (!json.ok) return json;
  const manifest = readManifest(json.value);
  if (!manifest.ok) return manifest;
  const canonical = encodeManifest(manifest.value);
  if (sameBytes(canonical, bytes)) return manifest;
  const difference = canonical.findIndex((byte, i) => byte !== bytes[i]);
  return wrong(
    'PV-8034',
    'manifest encoding',
    'The manifest is not RFC 8785 JSON (sorted keys, no white space, one form of each number): its hash would not be the only one',
    { offset: difference < 0 ? canonical.length : difference },
  );
}

/** `value` as a manifest: every key known, every value in its range. The caller's objects are not kept. */
export function parseManifest(value: unknown): Result<Manifest, Problem> {
  const parsed = parseAndEncode(value);
  return parsed.ok ? ok(parsed.value.manifest) : parsed;
}

/** The result of {@link parseManifest}, with its bytes. */
export function parseAndEncode(value: unknown): Result<EncodedManifest, Problem> {
  const manifest = readManifest(value);
  if (!manifest.ok) return manifest;
  const json = encodeManifest(manifest.value);
  return json.length > manifestBytesLimit ? tooLong(json.length) : ok({ manifest: manifest.value, json });
}

/** A manifest of any length. */
function readManifest(value: unknown): Result<Manifest, Problem> {
  const manifest = decode(value, 'manifest');
  if (!manifest.ok) return wrong('PV-8034', 'manifest', shortened(`${manifest.error}.`));
  const { vocabSize, prompt, sketch } = manifest.value;
  if (vocabSize !== null && sketch > vocabSize) {
    return wrong('PV-8034', 'manifest', 'manifest.sketch requests more logits than the vocabulary has.', {
      expected: `at most ${vocabSize}`,
      actual: String(sketch),
    });
  }
  const stranger = vocabSize === null ? -1 : (prompt.tokens?.findIndex((token) => token >= vocabSize) ?? -1);
  if (stranger >= 0) {
    return wrong('PV-8039', 'prompt token', `manifest.prompt.tokens[${stranger}] is outside the vocabulary.`, {
      position: stranger,
      expected: `below ${vocabSize}`,
      actual: String(prompt.tokens?.[stranger]),
    });
  }
  return manifest;
}

function jsonOf(bytes: Uint8Array): Result<unknown, Problem> {
  const text = decodeUtf8(bytes);
  if (text === null) return wrong('PV-8034', 'manifest UTF-8', 'The manifest has bytes that are not UTF-8.');
  const json = parseJson(text, 'manifest');
  return json.ok ? json : wrong('PV-8034', 'manifest JSON', json.error);
}

function tooLong(bytes: number): Result<never, Problem> {
  return wrong('PV-8035', 'manifest size', 'The manifest is larger than any that is read.', {
    expected: `at most ${manifestBytesLimit} bytes`,
    actual: `${bytes} bytes`,
  });
}

/** Lone surrogates have no UTF-8, and so no hash. */
const text: Decoder<string> = (value, at) =>
  typeof value === 'string' && !/\p{Surrogate}/u.test(value)
    ? ok(value)
    : err(`${at} is not a text of whole characters`);

const digest = matching(/^sha256:[0-9a-f]{64}$/, 'a digest of the form sha256: and 64 hexadecimal digits');

function upTo(limit: number): Decoder<number> {
  return (value, at) => {
    const number = count(value, at);
    return number.ok && number.value > limit ? err(`${at} is more than ${limit}`) : number;
  };
}

/** The number 0xffffffff means a missing token, so that vocabularies end before it. */
const token = upTo(largestU32 - 1);

const positive =
  (decoder: Decoder<number>): Decoder<number> =>
  (value, at) => {
    const number = decoder(value, at);
    return number.ok && number.value <= 0 ? err(`${at} is not above 0`) : number;
  };

/** Temperatures and probabilities are used as float32; −0 has no distinct canonical JSON. */
const float32: Decoder<number> = (value, at) =>
  typeof value === 'number' && Number.isFinite(Math.fround(value)) && !Object.is(value, -0)
    ? ok(value)
    : err(`${at} is not a number within float32`);

const seed: Decoder<string> = (value, at) => {
  const digits = matching(/^(0|[1-9][0-9]{0,19})$/, 'a number in decimal digits')(value, at);
  return digits.ok && BigInt(digits.value) >= 1n << 64n ? err(`${at} does not fit 64 bits`) : digits;
};

const artefact = record<Artefact>({ name: text, digest: nullable(digest) });

const samplers: { readonly [K in Sampler['kind']]: Decoder<Extract<Sampler, { kind: K }>> } = {
  greedy: record<Extract<Sampler, { kind: 'greedy' }>>({ kind: oneOf('greedy') }),
  'top-p': record<Extract<Sampler, { kind: 'top-p' }>>({
    kind: oneOf('top-p'),
    temperature: positive(float32),
    topP: float32,
    seed,
    generator: oneOf('llama2-rs/1', 'xorshift64star/1'),
  }),
  other: record<Extract<Sampler, { kind: 'other' }>>({ kind: oneOf('other'), description: text }),
};

/** A sampler, each kind with its own fields. */
export const decodeSampler: Decoder<Sampler> = (value, at) => {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return err(`${at}.kind is missing`);
  const kind = oneOf('greedy', 'top-p', 'other')(value.kind, `${at}.kind`);
  return kind.ok ? samplers[kind.value](value, at) : kind;
};

const decode = record<Manifest>({
  format: oneOf('pv-trace/2'),
  tool: record<Manifest['tool']>({ name: text, version: text }),
  model: artefact,
  tokenizer: artefact,
  config: nullable(digest),
  vocabSize: nullable(positive(token)),
  prompt: record<Manifest['prompt']>({ tokens: nullable(list(token, promptTokensLimit)), text: nullable(text) }),
  steps: nullable(upTo(largestU32)),
  sampler: decodeSampler,
  profile: text,
  sketch: upTo(sketchLimit),
});
