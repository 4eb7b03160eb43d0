/** Holds src/host/runner.ts, src/host/temporary-folder.ts. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startJudge, startProcess, startThread, type Runner, type RunnerEvents } from '../../src/host/runner.ts';
import { createPool, type Pool, type PoolOptions, type PoolOutcome, type Start } from '../../src/host/pool.ts';

/** A runner whose jobs say what to do, in a thread and in a process. */
const folder = mkdtempSync(join(tmpdir(), 'pv-pool-'));
const entry = join(folder, 'runner.mjs');
writeFileSync(
  entry,
  `import { parentPort, threadId } from 'node:worker_threads';
const send = (message) => (parentPort ? parentPort.postMessage(message) : process.send(message));
(parentPort ?? process).on('message', (job) => {
  if (job.do === 'hang') for (;;);
  if (job.do === 'exit') process.exit(7);
  if (job.do === 'throw') throw new Error('a defect');
  if (job.do === 'kill') process.kill(process.pid, 'SIGKILL');
  if (job.do === 'memory') for (const all = []; ; ) all.push(new Array(1e6).fill(1.5));
  if (job.do === 'late') setTimeout(() => { throw new Error('late'); }, 5);
  const result = { value: job.value, id: parentPort ? threadId : process.pid };
  const reply = () => send(job.do === 'refuse' ? { ok: false, message: 'no' } : { ok: true, result });
  if (job.do === 'wait') setTimeout(reply, job.value);
  else reply();
});
`,
);
/** A judge that leaves each job to the process beside it. */
const judge = join(folder, 'judge.mjs');
writeFileSync(
  judge,
  `import { parentPort, threadId } from 'node:worker_threads';
parentPort.on('message', (message) => {
  if (!('answer' in message)) parentPort.postMessage({ question: message });
  else parentPort.postMessage({ ...message.answer, result: { ...message.answer.result, judge: threadId } });
});
`,
);
/** Leaves a file among its temporary ones, and says where. */
const leaver = join(folder, 'leaver.mjs');
writeFileSync(
  leaver,
  `import { parentPort } from 'node:worker_threads';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
parentPort.on('message', (job) => {
  const path = mkdtempSync(tmpdir() + '/left-') + '/profile';
  writeFileSync(path, 'x');
  parentPort.postMessage(path);
  if (job.do === 'exit') setTimeout(() => process.exit(7), 5);
});
`,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Job = { readonly do: string; readonly value?: number };
type Result = { readonly value: number; readonly id: number; readonly judge?: number };

const limits = { memoryMb: 256 };
const runner = pathToFileURL(entry);
type StartRunner = (events: RunnerEvents) => Runner;
const thread: StartRunner = (events) => startThread(runner, limits, events);
const inProcess: StartRunner = (events) => startProcess(runner, limits, events);
const judged: StartRunner = (events) =>
  startJudge(pathToFileURL(judge), limits, events, (own) => startProcess(runner, limits, own));

let pool: Pool<Job, Result> | null = null;
function open(size: number, withHome = inProcess): Pool<Job, Result> {
  const start: PoolOptions['start'] = (home, events) => (home === null ? thread : withHome)(events);
  return (pool = createPool<Job, Result>({ size, start }));
}
afterEach(() => pool?.close());

const begin =
  (job: Job, timeoutMs = 100_000): (() => Start<Job>) =>
  () => ({ job, timeoutMs });
const done = (value: number) => ({ kind: 'done', result: expect.objectContaining({ value, id: expect.any(Number) }) });
const idOf = (outcome: PoolOutcome<Result> | null): number => (outcome?.kind === 'done' ? outcome.result.id : -1);
const judgeOf = (outcome: PoolOutcome<Result> | null) => (outcome?.kind === 'done' ? outcome.result.judge : undefined);
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe.each([
  ['threads', null, thread],
  ['processes', 'home', inProcess],
  ['judges', 'home', judged],
])('a pool of %s', (_, home, start) => {
  it('gives every job its own result on at most as many runners as allowed', async () => {
    const { run } = open(2, start);
    const jobs = Array.from({ length: 20 }, (_job, value) => run(begin({ do: 'echo', value }), home));
    const outcomes = await Promise.all(jobs);
    expect(outcomes).toEqual(Array.from({ length: 20 }, (_job, value) => done(value)));
    const runners = new Set(outcomes.map(idOf));
    expect(runners.size).toBeLessThanOrEqual(2);
    expect(runners.has(-1)).toBe(false);
  });

  it('ends a job that hangs after its time; the others continue', async () => {
    const { run } = open(1, start);
    const [hung, next] = await Promise.all([
      run(begin({ do: 'hang' }, 400), home),
      run(begin({ do: 'echo', value: 3 }), home),
    ]);
    expect(hung).toEqual({ kind: 'timed-out', timeoutMs: 400 });
    expect(next).toEqual(done(3));
  });

  it.each([
    ['exit', / ended (?:with|its process with) code 7/],
    ['throw', home === null ? /a defect/ : / code 1/],
    ['memory', /memory/],
    ['refuse', /^no$/],
  ])('survives a runner that has to %s', async (what, message) => {
    const { run } = open(1, start);
    const [crashed, next] = await Promise.all([
      run(begin({ do: what }), home),
      run(begin({ do: 'echo', value: 4 }), home),
    ]);
    expect(crashed).toEqual({ kind: 'crashed', message: expect.stringMatching(message) });
    expect(next).toEqual(done(4));
  });

  it('survives a runner that fails when its job is long done', async () => {
    const { run } = open(1, start);
    expect(await run(begin({ do: 'late', value: 1 }), home)).toEqual(done(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await run(begin({ do: 'echo', value: 2 }), home)).toEqual(done(2));
  });

  it('requests the job only when a runner is free, and accepts that there is none', async () => {
    const { run } = open(1, start);
    let stopped = false;
    const first = run(begin({ do: 'wait', value: 50 }), home);
    const second = run(() => (stopped ? null : { job: { do: 'echo', value: 1 }, timeoutMs: 1000 }), home);
    stopped = true;
    expect(await first).toEqual(done(50));
    expect(await second).toBeNull();
  });

  it('crashes what runs and what waits when it is closed, and runs nothing afterwards', async () => {
    const { run, close } = open(1, start);
    const running = run(begin({ do: 'hang' }), home);
    const waiting = run(begin({ do: 'echo', value: 1 }), home);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await close();
    expect(await running).toMatchObject({ kind: 'crashed' });
    expect(await waiting).toEqual({ kind: 'crashed', message: 'the run was cancelled' });
    expect(await run(begin({ do: 'echo', value: 1 }), home)).toMatchObject({ kind: 'crashed' });
  });
});

describe('a runner that ends as soon as it has answered', () => {
  it('gets no job more', async () => {
    let started = 0;
    const ending = createPool<Job, Result>({
      size: 1,
      start: (_, { onMessage, onEnd }) => {
        started += 1;
        const post = (): void => {
          onMessage({ ok: true, result: { value: started, id: 0 } });
          onEnd('it is over');
        };
        return { post, end: () => Promise.resolve() };
      },
    });
    for (const value of [1, 2])
      expect(await ending.run(begin({ do: 'echo' }), null)).toEqual({ kind: 'done', result: { value, id: 0 } });
  });
});

describe('homes', () => {
  it.each([
    ['processes', inProcess],
    ['processes beside judges', judged],
  ])('keep jobs of different homes in different %s, which end when nothing needs them', async (_, start) => {
    const { run, close } = open(1, start);
    const jobs = ['a', 'b', 'a', null, 'b', 'a'];
    const ids = (await Promise.all(jobs.map((home) => run(begin({ do: 'echo', value: 0 }), home)))).map(idOf);
    const [a = 0, b = 0] = ids;
    // A process that runs already is used up before another is started.
    expect(ids).toEqual([a, b, a, expect.any(Number), b, a]);
    expect(new Set(ids).size).toBe(3);
    expect(isAlive(a)).toBe(false);
    expect(isAlive(b)).toBe(true);
    await close();
    expect(isAlive(b)).toBe(false);
  });

  it('share the thread of a judge, which goes on with another process', async () => {
    const { run } = open(1, judged);
    const first = await run(begin({ do: 'echo', value: 1 }), 'a');
    const second = await run(begin({ do: 'echo', value: 2 }), 'b');
    expect([first, second]).toEqual([done(1), done(2)]);
    expect(idOf(second)).not.toBe(idOf(first));
    expect(judgeOf(second)).toBe(judgeOf(first));
    // A judge whose process has ended is over, too.
    expect(await run(begin({ do: 'kill' }), 'b')).toMatchObject({ kind: 'crashed' });
    const third = await run(begin({ do: 'echo', value: 3 }), 'b');
    expect(third).toEqual(done(3));
    expect(judgeOf(third)).not.toBe(judgeOf(first));
  });

  it('lose a process that kills itself, and nothing else', async () => {
    const { run } = open(2);
    const [killed, thread, other] = await Promise.all([
      run(begin({ do: 'kill' }), 'a'),
      run(begin({ do: 'echo', value: 1 }), null),
      run(begin({ do: 'echo', value: 2 }), 'b'),
    ]);
    expect(killed).toEqual({ kind: 'crashed', message: 'its process was ended by SIGKILL' });
    expect([thread, other]).toEqual([done(1), done(2)]);
  });
});

describe('a thread', () => {
  const left = async (
    job: Job,
  ): Promise<{ readonly path: string; readonly thread: Runner; readonly over: Promise<string> }> => {
    let over: Promise<string> = Promise.resolve('');
    let thread: Runner | null = null;
    const path = await new Promise<unknown>((onMessage) => {
      over = new Promise((onEnd) => (thread = startThread(pathToFileURL(leaver), limits, { onMessage, onEnd })));
      thread?.post(job);
    });
    if (thread === null) throw new Error('it was not started');
    return { path: String(path), thread, over };
  };

  it('takes its temporary files with it when it is ended', async () => {
    const { path, thread } = await left({ do: 'echo' });
    expect(existsSync(path)).toBe(true);
    await thread.end();
    expect(existsSync(path)).toBe(false);
  });

  it('and when it ends by itself', async () => {
    const { path, thread, over } = await left({ do: 'exit' });
    expect(await over).toBe('the worker ended with code 7');
    await thread.end();
    expect(existsSync(path)).toBe(false);
  });
});
