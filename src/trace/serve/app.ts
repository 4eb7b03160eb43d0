/** The server as a function from requests to responses. */
import { IncomingMessage } from 'node:http';
import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import type { Problem } from '../../base/problem.ts';
import { readBody } from './body.ts';
import type { Catalogue } from './catalogue.ts';
import type { Jobs } from './jobs.ts';
import type { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import type { Reading } from './reading.ts';
import { guardHeaders, jsonReply, problemReply, respond, type Reply } from './reply.ts';
import { malformed, type Route } from './request.ts';

/** The parts of the server. */
export interface Service {
  readonly catalogue: Catalogue;
  readonly jobs: Jobs;
  /** Bodies that have not fully arrived. */
  readonly reading: Reading;
  readonly metrics: Metrics;
  readonly caps: { readonly bodyBytes: number; readonly steps: number; readonly timeoutMs: number };
  /** Origins whose pages may ask this server (CORS), or `*` for all; it knows no credentials. */
  readonly origins: readonly string[];
  /** The page that checks in the browser, one file. */
  readonly page: string;
  readonly monotonicMs: () => number;
  /** Receives messages that only the server's operator should read. */
  readonly report: (message: string) => void;
}

/** The page contains its script and style; it makes no network requests, and other pages may frame it. */
const pagePolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const posts: readonly Route[] = ['verify', 'prove', 'check'];

/** The routes; everything else is 404 or 405. */
export function createApp(service: Service): Hono {
  const { catalogue, jobs, metrics, caps, origins, page } = service;
  const app = new Hono();
  app.use(async (c, next) => {
    const start = service.monotonicMs();
    await next();
    for (const [name, value] of Object.entries(guardHeaders))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    metrics.answered(routeName(c.req.path), c.res.status, (service.monotonicMs() - start) / 1000);
  });
  if (origins.length > 0) {
    const origin = origins.includes('*') ? '*' : [...origins];
    const allowMethods = ['GET', 'HEAD', 'POST'];
    app.use(
      cors({ origin, allowMethods, allowHeaders: ['Content-Type'], exposeHeaders: ['Retry-After'], maxAge: 600 }),
    );
  }
  const gets: Readonly<Record<string, (c: Context) => Response>> = {
    '/v1/models': () => respond(jsonReply({ ...catalogue, caps })),
    '/openapi.json': () => respond(jsonReply(openApi)),
    '/healthz': () => respond(jsonReply({ status: 'ok' })),
    '/metrics': (c) => {
      const running = jobs.running();
      const now = { queued: jobs.taken() - running, running, lostWorkers: jobs.lostWorkers() };
      return c.text(metrics.text(now), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    },
    '/': (c) => c.html(page, 200, { 'content-security-policy': pagePolicy }),
  };
  for (const [path, handle] of Object.entries(gets)) {
    app.get(path, handle);
    app.all(path, (c) => notAllowed(c, 'GET, HEAD'));
  }
  for (const route of posts) {
    const path = `/v1/${route}`;
    app.post(path, (c) => post(service, route, c));
    app.all(path, (c) => notAllowed(c, 'POST'));
  }
  app.notFound((c) => respond(problemReply(404, missing(c.req.path))));
  app.onError((error, c) => {
    // No one reads this: the client disconnected before it had sent its body.
    if (c.req.raw.signal.aborted) return respond(problemReply(400, malformed('The body ended early.')));
    service.report(`a request failed: ${error.stack ?? error.message}`);
    const message = 'The request failed on this server, which says why to the one who runs it.';
    return respond(problemReply(500, { code: 'PV-8077', check: 'server', message }));
  });
  return app;
}

/**
 * Reads the body, then takes a place in the queue for a worker, so that slow senders hold no place. If all places are
 * taken already, nothing is read.
 */
async function post({ jobs, reading, metrics, caps }: Service, route: Route, c: Context): Promise<Response> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return respond(problemReply(415, malformed('The body must be application/json.')), { accept: 'application/json' });
  }
  if ((c.req.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    const message = 'The body must come without a content coding (content-encoding).';
    return respond(problemReply(415, malformed(message)), { 'accept-encoding': 'identity' });
  }
  const address = addressOf(c);
  const arriving = jobs.full() ? null : reading.enter(address);
  if (arriving === null) return tryAgain();
  const body = await readBody(c.req.raw, caps.bodyBytes, arriving.hold).finally(arriving.leave);
  if (body === 'too large') return respond(tooLarge(caps.bodyBytes));
  const place = body === 'busy' ? null : jobs.enter(address);
  if (body === 'busy' || place === null) return tryAgain();
  try {
    const ask = { route, body: body.bytes, maxSteps: caps.steps };
    return finish(await place.run(ask, c.req.raw.signal), route, metrics);
  } finally {
    place.leave();
  }
}

const tryAgain = (): Response => respond(problemReply(503, busy), { 'retry-after': '1' });

/** The address of the other end of the connection; null without a network. Headers of proxies are not read. */
function addressOf({ env }: Context): string | null {
  const incoming: unknown = typeof env === 'object' && env !== null && 'incoming' in env ? env.incoming : null;
  return incoming instanceof IncomingMessage ? (incoming.socket.remoteAddress ?? null) : null;
}

function finish(reply: Reply | null, route: Route, metrics: Metrics): Response {
  // The client disconnected: no one reads this.
  if (reply === null) return respond(problemReply(503, busy));
  if (reply.verdict !== null) metrics.verdict(route, reply.verdict);
  return respond(reply);
}

function notAllowed(c: Context, allow: string): Response {
  const message = `${c.req.path} takes ${allow} and nothing else.`;
  return respond(problemReply(405, { code: 'PV-8071', check: 'method', message }), { allow });
}

/** The path is the client's own; as JSON it is harmless, and cut short. */
const missing = (path: string): Problem => ({
  code: 'PV-8071',
  check: 'path',
  message: 'Unknown resource: GET /openapi.json lists all of them.',
  actual: path.slice(0, 80),
});

const busy: Problem = {
  code: 'PV-8075',
  check: 'queue',
  message: 'The server is busy, or this address has its full share: try again soon.',
};

const tooLarge = (limit: number): Reply =>
  problemReply(413, {
    code: 'PV-8072',
    check: 'body size',
    message: `The body is larger than the ${limit} bytes that this server takes: verify the trace with pv trace verify.`,
    expected: `at most ${limit} bytes`,
  });

/** Few names, whatever clients ask for: labels of metrics live for ever. */
function routeName(path: string): string {
  const known = [...posts.map((route) => `/v1/${route}`), '/v1/models', '/openapi.json', '/metrics', '/healthz', '/'];
  return known.includes(path) ? path : 'other';
}
