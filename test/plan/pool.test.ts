import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createPool, type Pool, type Start } from '../../src/plan/pool.ts';

/** A worker whose jobs say what to do. */
const folder = mkdtempSync(join(tmpdir(), 'pv-pool-'));
const entry = join(folder, 'worker.mjs');
writeFileSync(
  entry,
  `import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', (job) => {
  if (job.do === 'hang') for (;;);
  if (job.do === 'exit') process.exit(7);
  if (job.do === 'throw') throw new Error('a defect');
  if (job.do === 'memory') for (const all = []; ; ) all.push(new Array(1e6).fill(1.5));
  if (job.do === 'late') setTimeout(() => { throw new Error('late'); }, 5);
  const reply = () => parentPort.postMessage(job.do === 'refuse' ? { ok: false, message: 'no' } : { ok: true, result: { value: job.value, threadId } });
  if (job.do === 'wait') setTimeout(reply, job.value);
  else reply();
});
`,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Job = { readonly do: string; readonly value?: number };
type Result = { readonly value: number; readonly threadId: number };

let pool: Pool<Job, Result> | null = null;
const open = (size: number): Pool<Job, Result> => (pool = createPool<Job, Result>(pathToFileURL(entry), size));
afterEach(() => pool?.close());

const begin =
  (job: Job, timeoutMs = 100_000): (() => Start<Job>) =>
  () => ({ job, timeoutMs });
const done = (value: number) => ({ kind: 'done', result: { value, threadId: expect.any(Number) } });

describe('the pool', () => {
  it('gives every job its own result on at most as many workers as allowed', async () => {
    const { run } = open(2);
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, value) => run(begin({ do: 'echo', value }))));
    expect(outcomes).toEqual(Array.from({ length: 20 }, (_, value) => done(value)));
    const threads = new Set(outcomes.map((outcome) => (outcome?.kind === 'done' ? outcome.result.threadId : -1)));
    expect(threads.size).toBeLessThanOrEqual(2);
    expect(threads.has(-1)).toBe(false);
  });

  it('ends a job that hangs after its time; those behind it go on', async () => {
    const { run } = open(1);
    const [hung, next] = await Promise.all([run(begin({ do: 'hang' }, 200)), run(begin({ do: 'echo', value: 3 }))]);
    expect(hung).toEqual({ kind: 'timed-out', timeoutMs: 200 });
    expect(next).toEqual(done(3));
  });

  it.each([
    ['exit', 'the worker ended with code 7'],
    ['throw', 'a defect'],
    ['memory', 'memory'],
    ['refuse', 'no'],
  ])(
    'survives a worker that has to %s',
    async (what, message) => {
      const { run } = open(1);
      const [crashed, next] = await Promise.all([run(begin({ do: what })), run(begin({ do: 'echo', value: 4 }))]);
      expect(crashed).toEqual({ kind: 'crashed', message: expect.stringContaining(message) });
      expect(next).toEqual(done(4));
    },
    60_000,
  );

  it('survives a worker that fails when its job is long done', async () => {
    const { run } = open(1);
    expect(await run(begin({ do: 'late', value: 1 }))).toEqual(done(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await run(begin({ do: 'echo', value: 2 }))).toEqual(done(2));
  });

  it('asks for the job only when a worker is free, and takes none for an answer', async () => {
    const { run } = open(1);
    let stopped = false;
    const first = run(begin({ do: 'wait', value: 50 }));
    const second = run(() => (stopped ? null : { job: { do: 'echo', value: 1 }, timeoutMs: 1000 }));
    stopped = true;
    expect(await first).toEqual(done(50));
    expect(await second).toBeNull();
  });

  it('crashes what runs and what waits when it is closed, and runs nothing afterwards', async () => {
    const { run, close } = open(1);
    const running = run(begin({ do: 'hang' }));
    const waiting = run(begin({ do: 'echo', value: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await close();
    expect(await running).toMatchObject({ kind: 'crashed' });
    expect(await waiting).toEqual({ kind: 'crashed', message: 'the run was cancelled' });
    expect(await run(begin({ do: 'echo', value: 1 }))).toMatchObject({ kind: 'crashed' });
  });
});
