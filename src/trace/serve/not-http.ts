/** Answers to malformed HTTP requests, which never reach the app: problems in the same form as all others. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { guardHeaders, problemReply, type Reply } from './reply.ts';
import { malformed } from './request.ts';

/**
 * Why the Host header of a request is refused (RFC 9112, section 3.2), or null. HTTP/1.0 needs none; this server reads
 * it nowhere, but a proxy in front of it may have framed it differently.
 */
export function wrongHost({ rawHeaders, httpVersion }: IncomingMessage): Reply | null {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return null;
  const message = hosts === 0 ? 'The request has no Host header.' : 'The request has more than one Host header.';
  return problemReply(400, malformed(message));
}

/**
 * A web page may make its own host name resolve to this machine (DNS rebinding), and the browser would take this server
 * for the page's own: 421 if the Host is a name that is not allowed. Addresses and localhost are always allowed.
 */
export function strangeHost({ headers }: IncomingMessage, allowed: readonly string[]): Reply | null {
  const { host } = headers;
  if (host === undefined || allowed.includes('*')) return null;
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : host;
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  if (isAddress || name === 'localhost' || allowed.includes(name)) return null;
  const message = 'This server does not accept that host name; its operator may allow it (--allow-host).';
  return problemReply(421, { code: 'PV-8097', check: 'host', message, actual: host.slice(0, 80) });
}

export const wrongTarget = problemReply(400, malformed('The target of the request, or its Host header, is not a URL.'));

/** Closes the connection after the answer: what follows a malformed request cannot be understood either. */
export function refuse(outgoing: ServerResponse, reply: Reply): void {
  outgoing.writeHead(reply.status, headersOf(reply)).end(reply.body);
}

/** The answer to bytes that Node's parser takes for no request, on the socket that they came from. */
export function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const reply = replyTo(error);
  const head = Object.entries(headersOf(reply)).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n`;
  socket.end(`${status}${head.join('')}\r\n${reply.body}`, () => socket.destroy());
}

function replyTo({ code, message }: NodeJS.ErrnoException): Reply {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problemReply(408, { ...malformed('The request took too long to arrive.'), check: 'time' });
  }
  if (code === 'HPE_HEADER_OVERFLOW') return problemReply(431, malformed('The headers of the request are too large.'));
  return problemReply(400, malformed(`This is not HTTP/1.1: ${message.replace(/^Parse Error: /, '')}.`));
}

const headersOf = ({ type, body }: Reply): Readonly<Record<string, string>> => ({
  ...guardHeaders,
  'content-type': type,
  'content-length': String(Buffer.byteLength(body)),
  connection: 'close',
});
