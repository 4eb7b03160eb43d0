/**
 * The load that `pv trace serve` takes: `node scripts/run.mjs bench/trace-serve.ts [clients] [requests]`.
 *
 * Clients, each with a connection, ask one question after another, on this machine: a proof checked, a step proved, a
 * trace of 40 steps of the tiny model replayed. The baseline is a bare hono handler, which reads the body and answers
 * without checking anything. Each server is a process of its own; its processor time is reported if the system provides
 * it. Exits with 1 if an answer is wrong. Needs a fresh dist/.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { tinyModel } from '../src/trace/model/tiny-model.ts';
import { makeProof } from '../src/trace/verify/make-proof.ts';
import { load, type Load, type Question } from './trace/load.ts';
import { recordedTiny } from './trace/tiny-trace.ts';
import { valueOf } from './trace/value-of.ts';

const clients = Number(process.argv[2] ?? 4);
const requests = Number(process.argv[3] ?? 1000);

const bare = `
  import { createServer } from 'node:http';
  import { getRequestListener } from '@hono/node-server';
  import { Hono } from 'hono';
  const app = new Hono();
  app.post('/v1/*', async (c) => { await c.req.arrayBuffer(); return c.json({ verdict: 'verified' }); });
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;

interface Server {
  readonly process: ChildProcess;
  readonly address: string;
}

async function start(args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, address: line.toString().trim() };
}

async function stop({ process: child }: Server): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/**
 * Seconds of processor time of a process so far; null if the system does not tell. The times after the name are in
 * hundredths.
 */
function processorSeconds({ process: { pid } }: Server): number | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measured(server: Server, question: Question, count: number): Promise<Load & { spent: number | null }> {
  await load(server.address, question, clients, Math.ceil(count / 2));
  const before = processorSeconds(server);
  const seen = await load(server.address, question, clients, count);
  const after = processorSeconds(server);
  return { ...seen, spent: before === null || after === null ? null : (1000 * (after - before)) / count };
}

const { trace, file } = await recordedTiny(40);
const proof = valueOf(makeProof(trace, 20, null));
const base64 = Buffer.from(file).toString('base64');
const anchor = { root: Buffer.from(trace.root).toString('hex'), size: trace.size };
const questions: readonly (readonly [string, Question, number])[] = [
  ['check a proof', { path: '/v1/check', body: { proof, anchor }, expected: '"verdict":"verified"' }, 1],
  ['prove a step', { path: '/v1/prove', body: { trace: base64, position: 20 }, expected: 'tlog-proof@v1' }, 1],
  [
    'verify a trace of 40 steps',
    { path: '/v1/verify', body: { trace: base64, steps: { kind: 'all' }, anchor }, expected: '"verdict":"verified"' },
    0.5,
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'pv-trace-serve-'));
try {
  const { checkpoint, tokenizer } = tinyModel(1);
  writeFileSync(join(folder, 'tiny.bin'), checkpoint);
  writeFileSync(join(folder, 'tiny-tokenizer.bin'), tokenizer);
  const baseline = await start(['--input-type=module', '-e', bare]);
  const served = await start([resolve('dist/cli/bin.js'), 'trace', 'serve', '--models', folder, '--port', '0']);
  console.log(`${clients} clients, ${requests} requests each row\n`);
  console.log('| request | server | requests per second | median | 99 of 100 within | processor time each |');
  console.log('| --- | --- | ---: | ---: | ---: | ---: |');
  for (const [name, question, share] of questions) {
    const bareQuestion = { ...question, expected: '"verdict":"verified"' };
    for (const [server, asked, label] of [
      [baseline, bareQuestion, 'bare hono'],
      [served, question, 'pv trace serve'],
    ] as const) {
      const { perSecond, median, p99, spent } = await measured(server, asked, Math.ceil(requests * share));
      const ms = (milliseconds: number | null): string =>
        milliseconds === null ? '' : `${milliseconds.toFixed(2)} ms`;
      console.log(`| ${name} | ${label} | ${Math.round(perSecond)} | ${ms(median)} | ${ms(p99)} | ${ms(spent)} |`);
    }
  }
  await Promise.all([stop(baseline), stop(served)]);
} finally {
  rmSync(folder, { recursive: true });
}
