/** Clients' requests, parsed strictly. Bytes are base64; optional keys may also be null. No request contains a path. */
import { err, ok, type Result } from '../../base/result.ts';
import { shortened } from '../../base/text.ts';
import { count, list, matching, nullable, oneOf, record, text, type Decoder } from '../../evidence/decoder.ts';
import { decodeSampler } from '../format/manifest.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import type { Sampler } from '../format/trace.ts';
import type { Problem } from '../../base/problem.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { GivenAnchor } from '../verify/given-anchor.ts';
import { levels, type Level } from '../verify/level.ts';
import { requirementNames, type Requirement } from '../verify/requirement.ts';

/** The body of `POST /v1/verify`. */
export interface VerifyRequest {
  readonly trace: Uint8Array;
  /** `sha256:` of the model and the tokenizer to replay with; those that the trace names where they are null. */
  readonly model: string | null;
  readonly tokenizer: string | null;
  readonly steps:
    | { readonly kind: 'all' }
    | { readonly kind: 'position'; readonly position: number }
    | { readonly kind: 'sample'; readonly count: number; readonly seed: number | null };
  readonly level: Level | null;
  readonly anchor: GivenAnchor;
  /** Whether a trace that ends without its footer may count, up to its last whole entry. */
  readonly incomplete: boolean;
  /** What a verified verdict must show; null for the requirements of `pv trace verify`. */
  readonly require: readonly Requirement[] | null;
  /** What a llama2-rs trace does not contain; null for the prompt in its file, and if it is unknown how it was sampled. */
  readonly legacy: { readonly prompt: string | null; readonly sampler: Sampler | null } | null;
}

/** The body of `POST /v1/prove`. */
export interface ProveRequest {
  readonly trace: Uint8Array;
  /** The position of a step; null for the manifest. */
  readonly position: number | null;
  readonly checkpoint: string | null;
}

/** The body of `POST /v1/check`. */
export interface CheckRequest {
  /** A text of C2SP tlog-proof, or the bytes of a MerkleProof of llama2-rs. */
  readonly proof: string | Uint8Array;
  /** The position of the step that the proof must belong to; null for any, and for a llama2-rs proof, which does not state it. */
  readonly position: number | null;
  readonly anchor: GivenAnchor;
}

/** Base64 in its one spelling: Node's own decoder, since a trace may have megabytes. */
const bytes: Decoder<Uint8Array> = (value, at) => {
  const decoded = typeof value === 'string' ? Buffer.from(value, 'base64') : null;
  return decoded !== null && decoded.toString('base64') === value ? ok(decoded) : err(`${at} is not base64`);
};

const digest = matching(/^sha256:[0-9a-f]{64}$/, 'a digest of the form sha256: and 64 hexadecimal digits');
const flag: Decoder<boolean> = (value, at) =>
  typeof value === 'boolean' ? ok(value) : err(`${at} is neither true nor false`);

/** A record in which the keys of `defaults` may be absent or null. */
function withDefaults<T>(defaults: object, decoder: Decoder<T>): Decoder<T> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return decoder(value, at);
    const given = Object.entries(value).filter(([key, member]) => member !== null || !Object.hasOwn(defaults, key));
    return decoder({ ...defaults, ...Object.fromEntries(given) }, at);
  };
}

/** Clients that trust more signers than this can verify signatures themselves. */
export const mostKeys = 64;

const noAnchor = { root: null, size: null, checkpoint: null, keys: [], threshold: null, origin: null };
const anchor = withDefaults(
  noAnchor,
  record<GivenAnchor>({
    root: nullable(text),
    size: nullable(count),
    checkpoint: nullable(text),
    // Each key is parsed as a point of its curve, which takes time.
    keys: list(text, mostKeys),
    threshold: nullable(count),
    origin: nullable(text),
  }),
);

type Steps = VerifyRequest['steps'];
const stepsOf: { readonly [K in Steps['kind']]: Decoder<Steps> } = {
  all: record<Extract<Steps, { kind: 'all' }>>({ kind: oneOf('all') }),
  position: record<Extract<Steps, { kind: 'position' }>>({ kind: oneOf('position'), position: count }),
  sample: withDefaults(
    { seed: null },
    record<Extract<Steps, { kind: 'sample' }>>({ kind: oneOf('sample'), count, seed: nullable(count) }),
  ),
};

const steps: Decoder<Steps> = (value, at) => {
  const kind = oneOf(
    'all',
    'position',
    'sample',
  )(typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined, `${at}.kind`);
  return kind.ok ? stepsOf[kind.value](value, at) : kind;
};

/** Characters of a prompt that a server encodes; longer ones take seconds, and no replay here reaches their end. */
export const longestPrompt = 65_536;

const promptText: Decoder<string> = (value, at) => {
  const read = text(value, at);
  return read.ok && read.value.length > longestPrompt ? err(`${at} has more than ${longestPrompt} characters`) : read;
};

const verify = withDefaults(
  {
    model: null,
    tokenizer: null,
    steps: { kind: 'all' },
    level: null,
    anchor: noAnchor,
    incomplete: false,
    require: null,
    legacy: null,
  },
  record<VerifyRequest>({
    trace: bytes,
    model: nullable(digest),
    tokenizer: nullable(digest),
    steps,
    level: nullable(oneOf(...levels)),
    anchor,
    incomplete: flag,
    require: nullable(list(oneOf(...requirementNames), requirementNames.length)),
    legacy: nullable(
      withDefaults(
        { prompt: null, sampler: null },
        record<NonNullable<VerifyRequest['legacy']>>({
          prompt: nullable(promptText),
          sampler: nullable(decodeSampler),
        }),
      ),
    ),
  }),
);

const prove = withDefaults(
  { position: null, checkpoint: null },
  record<ProveRequest>({ trace: bytes, position: nullable(count), checkpoint: nullable(text) }),
);

const proofText = withDefaults(
  { position: null },
  record<CheckRequest>({ proof: text, position: nullable(count), anchor }),
);
const legacyProof = record<{ readonly legacyProof: Uint8Array; readonly anchor: GivenAnchor }>({
  legacyProof: bytes,
  anchor,
});
const check = withDefaults<CheckRequest>({ anchor: noAnchor }, (value, at) => {
  if (typeof value !== 'object' || value === null || !('legacyProof' in value)) return proofText(value, at);
  const read = legacyProof(value, at);
  return read.ok ? ok({ proof: read.value.legacyProof, position: null, anchor: read.value.anchor }) : read;
});

const decoders = { verify, prove, check };
/** The last part of the path of a request. */
export type Route = keyof typeof decoders;

/** PV-8070. */
export const malformed = (message: string): Problem => ({ code: 'PV-8070', check: 'request', message });

/** Parses the JSON of a body as a request: PV-8070 with the place if it is invalid. */
export function readRequest<R extends Route>(
  route: R,
  body: Uint8Array,
): Result<{ verify: VerifyRequest; prove: ProveRequest; check: CheckRequest }[R], Problem> {
  const text = decodeUtf8(body, 'dropped');
  if (text === null) return err(malformed('The request is not UTF-8.'));
  const json = parseStrictJson(text, 'request');
  if (!json.ok) return err(malformed(json.error));
  const decoder = decoders[route] as Decoder<{ verify: VerifyRequest; prove: ProveRequest; check: CheckRequest }[R]>;
  const read = decoder(json.value, 'request');
  return read.ok ? read : err(malformed(shortened(`${read.error}.`)));
}
