/** The description of the server's interface for programs: OpenAPI 3.1. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { version } from '../../base/version.ts';
import { closed, count, ref, schemas, text } from './schemas.ts';

const content = (type: string, schema: JsonObject): JsonObject => ({ [type]: { schema } });

const refusals: Readonly<Record<number, string>> = {
  400: 'The body is not what is described here, or the request is not HTTP (PV-8070), or an anchor is malformed.',
  408: 'The request took too long to arrive (PV-8070).',
  413: 'The body is larger than this server takes (PV-8072).',
  415: 'The body is not application/json, or comes with a content coding (PV-8070).',
  421: 'The Host is a name that this server does not accept (PV-8097).',
  422: 'It cannot be done: an unknown model (PV-8073), too many steps or too long a prompt (PV-8074), no such position.',
  500: 'A defect of this server (PV-8077).',
  503: 'The server is busy, or this address has its full share (PV-8075): try again after Retry-After seconds.',
  504: 'It took longer than this server gives a request, and was stopped (PV-8076).',
};

const retryAfter: JsonObject = { 'Retry-After': { description: 'Seconds.', schema: count } };

const problems = (statuses: readonly number[]): JsonObject =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: refusals[status] ?? '',
        ...(status === 503 ? { headers: retryAfter } : {}),
        content: content('application/problem+json', ref('Problem')),
      },
    ]),
  );

const verdictIs = 'The verdict, which need not be "verified".';

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly answer: string;
  readonly described: string;
  /** Its refusals besides the common ones. */
  readonly refuses: readonly number[];
}

const operation = ({ id, summary, answer, described, refuses }: Operation): JsonValue => ({
  post: {
    operationId: id,
    summary,
    requestBody: {
      required: true,
      content: content('application/json', ref(`${id.charAt(0).toUpperCase()}${id.slice(1)}Request`)),
    },
    responses: {
      '200': { description: described, content: content('application/json', ref(answer)) },
      ...problems([400, 408, 413, 415, 421, 500, 503, 504, ...refuses]),
    },
  },
});

const get = (id: string, summary: string, type: string, schema: JsonObject): JsonObject => ({
  get: { operationId: id, summary, responses: { '200': { description: summary, content: content(type, schema) } } },
});

/** What `GET /openapi.json` answers. */
export const openApi: JsonObject = {
  openapi: '3.1.0',
  info: {
    title: 'pv trace serve',
    version,
    description:
      'Verifies, proves and checks traces of inference. Models are named by their SHA-256; no request names a file.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  paths: {
    '/v1/models': get(
      'models',
      'The models and tokenizers that this server replays with, and its caps',
      'application/json',
      ref('Models'),
    ),
    '/v1/verify': operation({
      id: 'verify',
      summary: 'Replay a trace',
      answer: 'Verdict',
      described: verdictIs,
      refuses: [422],
    }),
    '/v1/prove': operation({
      id: 'prove',
      summary: 'Make the proof of one step',
      answer: 'Proof',
      described: 'The proof.',
      refuses: [422],
    }),
    '/v1/check': operation({
      id: 'check',
      summary: 'Check a proof',
      answer: 'Verdict',
      described: verdictIs,
      refuses: [],
    }),
    '/openapi.json': get('description', 'This description', 'application/json', { type: 'object' }),
    '/metrics': get('metrics', 'Counters for Prometheus', 'text/plain', text),
    '/healthz': get(
      'health',
      'Whether the server takes requests',
      'application/json',
      closed({ status: { const: 'ok' } }),
    ),
    '/': get('page', 'A page that checks proofs and traces in the browser', 'text/html', text),
  },
  components: {
    schemas,
  },
};
