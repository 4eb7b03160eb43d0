/** A server on a port, and its end. */
import { createServer, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { err, ok, type Result } from '../../base/result.ts';
import type { Hono } from 'hono';
import { refuse, refuseBytes, strangeHost, wrongHost, wrongTarget } from './not-http.ts';
import { guardHeaders, respond } from './reply.ts';

/** A server that takes connections. */
export interface Listening {
  /** The port that was given, or the one that the system chose for 0. */
  readonly port: number;
  /**
   * Takes no more connections; resolves when the requests that are being served are answered, after `graceMs` at the
   * latest.
   */
  readonly stop: (graceMs: number) => Promise<void>;
}

/** A client that sends slowly holds a place: it has this long for a whole request. */
const requestTimeoutMs = 30_000;

/**
 * Listens; the error is a sentence fragment on why it could not. `hosts` are the host names that it accepts besides
 * addresses and localhost, `*` for all.
 */
export function listen(
  app: Hono,
  host: string,
  port: number,
  hosts: readonly string[],
  requestTimeout: number = requestTimeoutMs,
): Promise<Result<Listening, string>> {
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // For an HTTP/1.0 request, which need not have a Host.
    hostname: host.includes(':') ? `[${host}]` : host,
    // The app answers for its own errors; this one is of the request line and the headers.
    errorHandler: () => respond(wrongTarget, guardHeaders),
  });
  const open = new Set<ServerResponse>();
  const server = createServer(
    {
      requestTimeout,
      headersTimeout: requestTimeout / 3,
      // By default Node checks every half minute, which would give a slow client twice its time.
      connectionsCheckingInterval: Math.min(1000, requestTimeout),
      maxHeaderSize: 16 * 1024,
      // Its absence is reported below, in the same form as everything else.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      outgoing.shouldKeepAlive &&= server.listening;
      open.add(outgoing);
      outgoing.once('close', () => open.delete(outgoing));
      const refused = wrongHost(incoming) ?? strangeHost(incoming, hosts);
      if (refused === null) void answer(incoming, outgoing);
      else refuse(outgoing, refused);
    },
  );
  server.on('clientError', refuseBytes);
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(err(whyNot(error))));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(
        ok({
          port: typeof address === 'object' && address !== null ? address.port : port,
          stop: (graceMs) =>
            new Promise((stopped) => {
              // Told with the answer: who learns of it from the connection alone has sent the next request by then.
              for (const outgoing of open) outgoing.shouldKeepAlive = false;
              const late = setTimeout(() => server.closeAllConnections(), graceMs);
              // Clients keep idle connections open for further requests, which will not come.
              const idle = setInterval(() => server.closeIdleConnections(), 50);
              server.close(() => {
                clearTimeout(late);
                clearInterval(idle);
                stopped();
              });
            }),
        }),
      );
    });
  });
}

function whyNot(error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE') return 'something else listens there';
  if (error.code === 'EACCES') return 'the system does not allow it';
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') return 'this machine has no such address';
  return error.message;
}
