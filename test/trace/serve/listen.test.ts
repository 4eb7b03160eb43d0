/** The server on a real port. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { listen, type Listening } from '../../../src/trace/serve/listen.ts';
import { jsonOf, madeWorker, startService, type Started } from './service.ts';

const open: { readonly listening: Listening; readonly server: Started }[] = [];
afterEach(async () => {
  for (const { listening, server } of open.splice(0)) {
    await listening.stop(100);
    await server.service.jobs.close();
  }
});

async function started(...options: Parameters<typeof startService>): Promise<{ url: string; listening: Listening }> {
  const server = await startService(...options);
  const listening = await listen(server.app, '127.0.0.1', 0);
  if (!listening.ok) throw new Error(listening.error);
  open.push({ listening: listening.value, server });
  return { url: `http://127.0.0.1:${listening.value.port}`, listening: listening.value };
}

const check = (url: string, body: string): Promise<Response> =>
  fetch(`${url}/v1/check`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

test('a body beyond the cap is 413 over the network too, and the server goes on', async () => {
  const { url } = await started({ bodyBytes: 1024 });
  const refused = await check(url, ' '.repeat(2_000_000));
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([413, 'PV-8072']);
  expect((await check(url, '{"proof":"x"}')).status).toBe(200);
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
  const listening = await listen(app, '127.0.0.1', 0, 600);
  if (!listening.ok) throw new Error(listening.error);
  const socket = connect(listening.value.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  socket.on('error', () => undefined);
  socket.write('POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{');
  const drops = setInterval(() => socket.write(' '), 100);
  const before = performance.now();
  await expect.poll(() => answer, { timeout: 10_000 }).toContain('408');
  expect(performance.now() - before).toBeGreaterThan(500);
  await expect.poll(() => service.jobs.taken()).toBe(0);
  clearInterval(drops);
  socket.destroy();
  await listening.value.stop(100);
  await service.jobs.close();
});

test('a port that is taken is refused in words', async () => {
  const { listening } = await started();
  const { app } = await startService();
  expect(await listen(app, '127.0.0.1', listening.port)).toEqual({ ok: false, error: 'something else listens there' });
});

test('stopping takes no more connections, and answers what is being served', async () => {
  const { url, listening } = await started({}, madeWorker('setTimeout(() => reply(200), 700);'));
  const asked = check(url, '{}');
  await sleep(200);
  const stopped = listening.stop(10_000);
  await expect(check(url, '{}')).rejects.toThrow('fetch failed');
  expect((await asked).status).toBe(200);
  await stopped;
});

test('stopping waits for nobody beyond the grace', async () => {
  const { listening } = await started();
  const idle = connect(listening.port, '127.0.0.1');
  idle.on('error', () => undefined);
  idle.write('POST /v1/check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{');
  await sleep(200);
  const before = performance.now();
  await listening.stop(300);
  expect(performance.now() - before).toBeLessThan(5000);
  idle.destroy();
});
