import { integerBetween } from '../number-parsers.ts';

/** Where a server listens, what it serves with, and what it refuses. */
export type ServeFlags = {
  readonly models: string;
  readonly host: string;
  readonly port: number;
  readonly cors: readonly string[] | undefined;
  readonly workers: number;
  readonly queue: number;
  readonly share: number | undefined;
  readonly allowHost: readonly string[] | undefined;
  readonly maxBody: number;
  readonly maxSteps: number;
  readonly timeout: number;
  readonly memory: number;
};

const number = (minimum: number, maximum: number, placeholder: string, brief: string, fallback: string) =>
  ({ kind: 'parsed', parse: integerBetween(minimum, maximum), placeholder, brief, default: fallback }) as const;

/** An origin as browsers write it, since they are compared as texts; or `*`. */
function originOf(text: string): string {
  if (text === '*') return text;
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== text || !/^https?:/.test(text))
    throw new RangeError(`'${text}' is not an origin such as https://a.example`);
  return origin;
}

/** A name as in a Host header, without a port. */
function hostName(text: string): string {
  if (text === '*' || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text)) return text.toLowerCase();
  throw new RangeError(`'${text}' is not a host name such as verify.example`);
}

/** Of `serve`. */
export const serveFlags = {
  models: {
    kind: 'parsed',
    parse: String,
    placeholder: 'folder',
    brief: 'Folder whose models and tokenizers may be replayed with',
  },
  host: {
    kind: 'parsed',
    parse: String,
    placeholder: 'address',
    brief: 'Address to listen on',
    default: '127.0.0.1',
  },
  port: number(0, 65535, 'n', 'Port to listen on; 0 for one that is free', '8080'),
  cors: {
    kind: 'parsed',
    parse: originOf,
    placeholder: 'origin',
    variadic: true,
    optional: true,
    brief: 'Origin whose pages may ask this server from a browser, https://a.example, or * for all; none when absent',
  },
  workers: number(1, 256, 'n', 'Requests served at the same time, each on its own thread', '2'),
  queue: number(0, 10_000, 'n', 'Requests that may wait; further ones are refused with 503', '16'),
  share: {
    kind: 'parsed',
    parse: integerBetween(1),
    placeholder: 'n',
    optional: true,
    brief: 'Workers and queue places that one address may take (default: half of them); behind a proxy, all of them',
  },
  allowHost: {
    kind: 'parsed',
    parse: hostName,
    placeholder: 'name',
    variadic: true,
    optional: true,
    brief: 'Host name to accept besides IP addresses and localhost, such as verify.example, or * for any',
  },
  maxBody: number(1024, 256 * 1024 * 1024, 'bytes', 'Largest body of a request; beyond it is 413', '8388608'),
  maxSteps: number(1, 10_000_000, 'n', 'Longest replay; beyond it is 422', '4096'),
  timeout: number(1, 3600, 'seconds', 'Longest time on a worker; beyond it is 504', '60'),
  memory: number(64, 65_536, 'MB', 'Heap of each worker, in addition to the weights', '1024'),
} as const;
