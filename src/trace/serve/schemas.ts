/** The server's requests and answers as JSON Schema 2020-12; tests validate both against it. */
import type { JsonObject } from '../../base/canonical-json.ts';
import { requirementNames } from '../verify/requirement.ts';
import { longestPrompt, mostKeys } from './request.ts';

const digest = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' };
const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const base64 = (description: string): JsonObject => ({ type: 'string', contentEncoding: 'base64', description });
const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const count = { type: 'integer', minimum: 0 };
export const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };

/** A closed object: other keys are refused, as by the server. */
export const closed = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const sampler: JsonObject = {
  oneOf: [
    closed({ kind: { const: 'greedy' } }),
    closed({
      kind: { const: 'top-p' },
      temperature: { type: 'number', exclusiveMinimum: 0 },
      topP: { type: 'number' },
      seed: { type: 'string', pattern: '^(0|[1-9][0-9]{0,19})$' },
      generator: { enum: ['llama2-rs/1', 'xorshift64star/1'] },
    }),
    closed({ kind: { const: 'other' }, description: text }),
  ],
};

const anchor: JsonObject = {
  description:
    'What you know of the root from elsewhere. Everything given must hold; without it, only the file vouches for the root.',
  ...closed(
    {
      root: { type: ['string', 'null'], pattern: '^(sha256:)?[0-9a-fA-F]{64}$' },
      size: { type: ['integer', 'null'], minimum: 0, description: 'Leaves of the tree, with a root.' },
      checkpoint: { ...textOrNull, description: 'A C2SP tlog-checkpoint, as a signed note or its text alone.' },
      keys: {
        type: ['array', 'null'],
        items: text,
        maxItems: mostKeys,
        description: 'Verifier keys that you trust, NAME+KEYID+BASE64.',
      },
      threshold: { type: ['integer', 'null'], minimum: 1, description: 'How many must have signed; all when absent.' },
      origin: textOrNull,
    },
    [],
  ),
};

const steps: JsonObject = {
  oneOf: [
    closed({ kind: { const: 'all' } }),
    closed({ kind: { const: 'position' }, position: count }),
    closed({ kind: { const: 'sample' }, count, seed: { type: ['integer', 'null'], minimum: 0 } }, ['kind', 'count']),
  ],
};

const verifyRequest = closed(
  {
    trace: base64('A v2 trace, its JSON, or a trace of llama2-rs.'),
    model: {
      anyOf: [digest, { type: 'null' }],
      description: 'A model of this server; by default the one that the trace names.',
    },
    tokenizer: orNull(digest),
    steps: { ...orNull(steps), description: 'All of them when absent.' },
    level: { enum: ['exact', 'float band', 'engine band', null] },
    anchor: orNull(ref('Anchor')),
    incomplete: {
      type: ['boolean', 'null'],
      description: 'Accepts a trace that ends without its footer, or does not show its end.',
    },
    require: {
      type: ['array', 'null'],
      items: { enum: [...requirementNames] },
      maxItems: requirementNames.length,
      description: 'What must be shown; for a v2 trace, tokens, sampler, prompt and end when absent.',
    },
    legacy: {
      ...orNull(closed({ prompt: { ...textOrNull, maxLength: longestPrompt }, sampler: orNull(ref('Sampler')) }, [])),
      description: 'What a trace of llama2-rs does not say.',
    },
  },
  ['trace'],
);

const proveRequest = closed(
  {
    trace: base64('A v2 trace, its JSON, or a trace of llama2-rs.'),
    position: { type: ['integer', 'null'], minimum: 0, description: 'Of a step; null for the manifest.' },
    checkpoint: { ...textOrNull, description: 'The checkpoint to prove under; that of the trace when absent.' },
  },
  ['trace'],
);

const checkRequest: JsonObject = {
  oneOf: [
    closed(
      {
        proof: { ...text, description: 'A C2SP tlog-proof.' },
        position: {
          type: ['integer', 'null'],
          minimum: 0,
          description: 'Of the step that it must be of; any when absent.',
        },
        anchor: orNull(ref('Anchor')),
      },
      ['proof'],
    ),
    closed({ legacyProof: base64('A MerkleProof of llama2-rs.'), anchor: orNull(ref('Anchor')) }, ['legacyProof']),
  ],
};

const problemFields: JsonObject = {
  code: { type: 'string', pattern: '^PV-80[0-9]{2}$', description: 'A stable code: pv explain CODE.' },
  check: text,
  position: { type: 'integer' },
  offset: { type: 'integer' },
  expected: text,
  actual: text,
};

const verdict: JsonObject = {
  description: 'docs/trace-verify.md says what each verdict means. Only "verified" is one.',
  type: 'object',
  properties: {
    format: { const: 'pv-trace-verdict/1' },
    of: { enum: ['trace', 'proof', 'legacy-proof'] },
    subject: text,
    headline: {
      ...text,
      description: 'The verdict with its scope, for people: VERIFIED (12 tokens chosen by the model, …).',
    },
    verdict: { enum: ['verified', 'unanchored', 'undetermined', 'failed'] },
    covers: {
      ...closed({ shown: { type: 'array', items: text }, open: { type: 'array', items: text } }),
      description:
        'What a verified verdict shows, and what a verified or undetermined one leaves open; empty otherwise.',
    },
    standing: { enum: ['signatures', 'given checkpoint', 'given root and size', 'given root', 'nothing'] },
    level: { enum: ['exact', 'float band', 'engine band', null] },
    root: hash,
    size: count,
    scope: { type: 'object' },
    challenge: orNull(closed({ count, seed: { type: 'integer' } })),
    replayed: { type: ['object', 'null'] },
    claim: { type: ['object', 'null'] },
    leaf: { type: ['object', 'null'] },
    checks: {
      type: 'array',
      items: closed({ name: text, outcome: { enum: ['passed', 'failed', 'undecided', 'not checked'] }, detail: text }),
    },
    problems: { type: 'array', items: closed({ message: text, ...problemFields }, ['message', 'code', 'check']) },
    signedBy: { type: 'array', items: closed({ name: text, keyId: text, type: text, time: textOrNull }) },
    unbound: { type: 'array', items: text },
  },
  required: [
    'format',
    'of',
    'subject',
    'headline',
    'verdict',
    'covers',
    'standing',
    'checks',
    'problems',
    'signedBy',
    'unbound',
  ],
  additionalProperties: false,
};

const proof: JsonObject = {
  oneOf: [
    closed({ proof: text, warnings: { type: 'array', items: text } }),
    closed({ legacyProof: base64('As llama2-rs writes it.'), warnings: { type: 'array', items: text } }),
  ],
};

const sizes = ['dim', 'hiddenDim', 'layers', 'heads', 'kvHeads', 'vocabSize', 'sequenceLength'];
const file = { digest, name: text, bytes: count };
const models = closed({
  models: {
    type: 'array',
    items: closed({ ...file, config: closed(Object.fromEntries(sizes.map((name) => [name, count]))) }),
  },
  tokenizers: { type: 'array', items: closed({ ...file, vocabSize: count }) },
  caps: closed({ bodyBytes: count, steps: count, timeoutMs: count }),
});

const problem: JsonObject = {
  description: 'RFC 9457 problem details.',
  ...closed(
    { type: { const: 'about:blank' }, title: text, status: { type: 'integer' }, detail: text, ...problemFields },
    ['type', 'title', 'status', 'detail', 'code', 'check'],
  ),
};

export const schemas: JsonObject = {
  VerifyRequest: verifyRequest,
  ProveRequest: proveRequest,
  CheckRequest: checkRequest,
  Anchor: anchor,
  Sampler: sampler,
  Verdict: verdict,
  Proof: proof,
  Models: models,
  Problem: problem,
};
