/**
 * Caps of the server, with workers that are made to break them.
 *
 * Holds src/trace/serve/body.ts, src/trace/serve/metrics.ts, src/trace/serve/schemas.ts.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { jsonOf, madeWorker, post, startService, type Started } from './service.ts';

const started: Started[] = [];
const start = async (...options: Parameters<typeof startService>): Promise<Started> => {
  const server = await startService(...options);
  started.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ service }) => service.jobs.close()));
});

const ask = (server: Started): Promise<number> => post(server, 'prove', { trace: '' }).then(({ status }) => status);
const metricsOf = async ({ app }: Started): Promise<string> => (await app.request('/metrics')).text();
/** A worker whose answers are no answers to a request: their bodies are not looked at. */
const raw = async ({ app }: Started): Promise<Response> =>
  app.request('/v1/check', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });

test('one request on each worker, so many in the queue, and the next is 503 with Retry-After', async () => {
  const server = await start({ workers: 2, queue: 1 }, madeWorker('setTimeout(() => reply(200), 1500);'));
  const taken = [raw(server), raw(server), raw(server)];
  await expect.poll(() => metricsOf(server)).toContain('\npv_queue_length 1\n');
  expect(await metricsOf(server)).toContain('\npv_jobs_running 2\n');
  const refused = await raw(server);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await jsonOf(refused)).code).toBe('PV-8075');
  expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await raw(server)).status).toBe(200);
});

test('a request beyond its time is 504: its worker is stopped, and the next request gets a new one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pv-late-'));
  const log = join(folder, 'log');
  const spin = `if (job.ask.body.length > 2) for (;;) process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(log)}, '.'); else reply(200);`;
  const server = await start({ timeoutMs: 1000 }, madeWorker(spin));
  expect((await raw(server)).status).toBe(200);
  const late = await post(server, 'check', { proof: 'x' });
  expect([late.status, late.json.code]).toEqual([504, 'PV-8076']);
  expect((await raw(server)).status).toBe(200);
  // A worker that goes on would go on writing.
  const written = (): number => statSync(log).size;
  expect(written()).toBeGreaterThan(0);
  await expect.poll(() => sleep(100, written()).then((before) => written() - before), { timeout: 5000 }).toBe(0);
  rmSync(folder, { recursive: true });
  expect(await metricsOf(server)).toContain('pv_workers_lost_total 1');
});

test.each([
  ['throws', "throw new Error('secret /path');"],
  ['ends', 'process.exit(3);'],
  ['says that it failed', "parentPort.postMessage({ ok: false, message: 'secret /path' });"],
  ['exhausts its memory', 'const all = []; for (;;) all.push(new Array(1000).fill(job));'],
])('a worker that %s is 500, with no word of why but to the one who runs the server', async (_, code) => {
  const server = await start({ memoryMb: 64 }, madeWorker(code));
  const failed = await post(server, 'check', { proof: 'x' });
  expect([failed.status, failed.json.code]).toEqual([500, 'PV-8077']);
  expect(JSON.stringify(failed.json)).not.toContain('secret');
  expect(server.said.join()).toContain('a worker failed');
  expect(await ask(server)).toBe(500);
});

test('a client that goes while it waits is not served', async () => {
  const server = await start({ workers: 1 }, madeWorker('setTimeout(() => reply(200), 500);'));
  const first = raw(server);
  const gone = new AbortController();
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://x/v1/check', { method: 'POST', headers, body: '{}', signal: gone.signal });
  const second = server.app.request(request);
  await sleep(50);
  gone.abort();
  expect((await first).status).toBe(200);
  expect((await second).status).toBe(503);
  expect(server.service.jobs.taken()).toBe(0);
});

test('metrics count what was answered, by route and status, and nothing that a client made up', async () => {
  const server = await start({}, madeWorker('reply(200);'));
  await raw(server);
  await raw(server);
  for (const path of ['/a', '/b', '/v1/"}evil{']) await server.app.request(path);
  const text = await metricsOf(server);
  expect(text).toContain('pv_requests_total{route="/v1/check",status="200"} 2');
  expect(text).toContain('pv_requests_total{route="other",status="404"} 3');
  expect(text).toContain('pv_request_seconds_count{route="/v1/check"} 2');
  expect(text).not.toContain('evil');
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$/);
  }
});
