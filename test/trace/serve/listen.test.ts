/**
 * The server on a real port.
 *
 * Holds src/trace/serve/not-http.ts, src/trace/serve/reply.ts.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { listen, type Listening } from '../../../src/trace/serve/listen.ts';
import { broken, jsonOf, madeWorker, startService, type Started } from './service.ts';

const open: { readonly listening: Listening; readonly server: Started }[] = [];
afterEach(async () => {
  for (const { listening, server } of open.splice(0)) {
    await listening.stop(100);
    await server.service.jobs.close();
  }
});

async function started(...options: Parameters<typeof startService>): Promise<{ url: string; listening: Listening }> {
  const server = await startService(...options);
  const listening = await listen(server.app, '127.0.0.1', 0, ['*']);
  if (!listening.ok) throw new Error(listening.error);
  open.push({ listening: listening.value, server });
  return { url: `http://127.0.0.1:${listening.value.port}`, listening: listening.value };
}

const check = (url: string, body: string): Promise<Response> =>
  fetch(`${url}/v1/check`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

test('a body beyond the cap is 413 over the network too, and the server continues', async () => {
  const { url } = await started({ bodyBytes: 1024 });
  const refused = await check(url, ' '.repeat(2_000_000));
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([413, 'PV-8072']);
  expect((await check(url, '{"proof":"x"}')).status).toBe(200);
});

test('a chunked body of unannounced length is read up to the cap', async () => {
  const { url } = await started({ bodyBytes: 1024 });
  const send = (parts: readonly string[]): Promise<Response> =>
    fetch(`${url}/v1/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))),
      duplex: 'half',
    });
  const read = await send(['{"pro', 'of":', '"x"}']);
  expect([read.status, (await jsonOf(read)).verdict]).toEqual([200, 'failed']);
  const refused = await send(Array.from({ length: 40 }, () => ' '.repeat(50_000)));
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([413, 'PV-8072']);
  expect((await send(['{"proof":"x"}'])).status).toBe(200);
});

/** What comes back for bytes on a connection that the server is to end. */
async function exchanged(port: number, bytes: string): Promise<{ status: number; headers: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  const [headers = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(headers.slice(9, 12)), headers, body };
}

test('HTTP/1.0 needs no Host', async () => {
  const { listening } = await started();
  const asked = await exchanged(listening.port, 'GET /healthz HTTP/1.0\r\n\r\n');
  expect([asked.status, asked.body]).toEqual([200, '{"status":"ok"}']);
  const type = 'content-type: application/json\r\ncontent-length: 13';
  const posted = await exchanged(listening.port, `POST /v1/check HTTP/1.0\r\n${type}\r\n\r\n{"proof":"x"}`);
  expect([posted.status, JSON.parse(posted.body).verdict]).toEqual([200, 'failed']);
});

test.each([
  ['no Host in HTTP/1.1', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'no Host'],
  ['two Hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'more than one Host'],
  ['a Host that is none', 'GET /healthz HTTP/1.1\r\nHost: a b\r\nconnection: close\r\n\r\n', 400, 'not a URL'],
  ['what is not HTTP', 'GARBAGE\r\n\r\n', 400, 'not HTTP/1.1'],
  [
    'two lengths',
    `POST /v1/check HTTP/1.1\r\nHost: a\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    400,
    'not HTTP/1.1',
  ],
  ['long headers', `GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'too large'],
])('%s is told in the form of every problem', async (_, bytes, status, detail) => {
  const { url, listening } = await started();
  const refused = await exchanged(listening.port, bytes);
  expect(refused.status).toBe(status);
  expect(refused.headers).toMatch(/^content-type: application\/problem\+json$/m);
  const problem = JSON.parse(refused.body);
  expect(broken('Problem', problem)).toBeNull();
  expect([problem.status, problem.code]).toEqual([status, 'PV-8070']);
  expect(problem.detail).toContain(detail);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('a connection whose body was refused serves the next request', async () => {
  const { listening } = await started({ bodyBytes: 1024 });
  const socket = connect(listening.port, '127.0.0.1');
  const answers: string[] = [];
  socket.on('data', (data) => answers.push(...(String(data).match(/^HTTP.*$/gm) ?? [])));
  socket.on('error', (error) => answers.push(error.message));
  const body = 'a'.repeat(500_000);
  socket.write(
    `POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(1);
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => answers.length, { timeout: 10_000 }).toBe(2);
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['413', '200']);
  socket.destroy();
});

test('a client that sends drop by drop has its time, and no more', async () => {
  const { app, service } = await startService();
  const listening = await listen(app, '127.0.0.1', 0, ['*'], 600);
  if (!listening.ok) throw new Error(listening.error);
  const socket = connect(listening.value.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  socket.on('error', () => undefined);
  socket.write('POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{');
  const drops = setInterval(() => socket.write(' '), 100);
  const before = performance.now();
  await expect.poll(() => answer, { timeout: 10_000 }).toContain('408');
  expect(broken('Problem', JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))).toBeNull();
  expect(performance.now() - before).toBeGreaterThan(500);
  await expect.poll(() => service.jobs.taken()).toBe(0);
  clearInterval(drops);
  socket.destroy();
  await listening.value.stop(100);
  await service.jobs.close();
});

test('slow senders hold no place of a worker or its queue', async () => {
  const { url, listening } = await started({ workers: 1, queue: 2 });
  const slow = Array.from({ length: 18 }, () => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{',
    );
    return socket;
  });
  await sleep(300);
  expect((await check(url, '{"proof":"x"}')).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test('one address has its share of the places, and others have theirs', async () => {
  const { url, listening } = await started(
    { workers: 1, queue: 3, share: 2 },
    madeWorker('setTimeout(() => reply(200), 500);'),
  );
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => check(url, '{}')))).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 503, 503]);
  const another = connect({ port: listening.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  let answer = '';
  another.on('data', (data) => (answer += String(data)));
  const busy = [1, 2].map(() => check(url, '{}'));
  await sleep(100);
  another.write('POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
  await expect.poll(() => answer, { timeout: 10_000 }).toContain('HTTP/1.1 200');
  another.destroy();
  await Promise.all(busy);
});

test('a host name that others may point here is refused', async () => {
  const server = await startService();
  const listening = await listen(server.app, '127.0.0.1', 0, ['verify.example']);
  if (!listening.ok) throw new Error(listening.error);
  open.push({ listening: listening.value, server });
  const { port } = listening.value;
  const asked = async (host: string) =>
    exchanged(port, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  for (const host of [
    `127.0.0.1:${port}`,
    'localhost',
    `LOCALHOST:${port}`,
    '[::1]:80',
    '192.0.2.7',
    'verify.example',
    'Verify.Example.:443',
  ])
    expect([host, (await asked(host)).status]).toEqual([host, 200]);
  for (const host of ['rebound.example', 'verify.example.org', 'localhost.example:8080', '127.0.0.1.example']) {
    const refused = await asked(host);
    expect([host, refused.status]).toEqual([host, 421]);
    const problem = JSON.parse(refused.body);
    expect(broken('Problem', problem)).toBeNull();
    expect(problem.code).toBe('PV-8097');
  }
});

test('a port that is taken is refused in words', async () => {
  const { listening } = await started();
  const { app } = await startService();
  expect(await listen(app, '127.0.0.1', listening.port, [])).toEqual({
    ok: false,
    error: 'something else listens there',
  });
});

test('stopping takes no more connections, and answers what is being served', async () => {
  const { url, listening } = await started({}, madeWorker('setTimeout(() => reply(200), 700);'));
  const asked = check(url, '{}');
  await sleep(200);
  const stopped = listening.stop(10_000);
  await expect(check(url, '{}')).rejects.toThrow('fetch failed');
  const answer = await asked;
  // Who keeps connections learns that this one ends before it sends another request.
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  await stopped;
});

test('stopping waits no longer than the grace period', async () => {
  const { listening } = await started();
  const idle = connect(listening.port, '127.0.0.1');
  idle.on('error', () => undefined);
  idle.write('POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{');
  await sleep(200);
  await listening.stop(300);
  idle.destroy();
});
