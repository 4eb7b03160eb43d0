/** Answers of the server, before they are HTTP. */
import type { Problem } from '../../base/problem.ts';

/** An answer with its status. */
export interface Reply {
  readonly status: number;
  readonly type: 'application/json' | 'application/problem+json';
  readonly body: string;
  /** What the metrics count: the verdict, if any. */
  readonly verdict: string | null;
}

/** Headers of every answer, against sniffing, framing, leaking and caching. */
export const guardHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** An answer with status 200. */
export const jsonReply = (body: object, verdict: string | null = null): Reply => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(body),
  verdict,
});

/** The reason phrases of RFC 9110, which RFC 9457 requires as the title of a problem without its own type. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Problem details (RFC 9457): `code`, `check` and the places of a {@link Problem} are extension members. */
export function problemReply(status: keyof typeof phrases, { message, ...problem }: Problem): Reply {
  const details = { type: 'about:blank', title: phrases[status], status, detail: message, ...problem };
  return { status, type: 'application/problem+json', body: JSON.stringify(details), verdict: null };
}

export const respond = ({ status, type, body }: Reply, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(body, { status, headers: { 'content-type': type, ...more } });
